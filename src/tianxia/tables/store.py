"""The database: SQLite (a file) or PostgreSQL, through the same statements.

Everything that is written goes through `Store.create` and `Store.commit`; each is one
transaction that checks the version it is based on. When they return, it is on disk.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.pool import StaticPool

from tianxia.bots import present_name
from tianxia.kernel.cache import home
from tianxia.tables import schema
from tianxia.tables.causes import reason
from tianxia.tables.errors import Unavailable, Unopened
from tianxia.tables.log import Row
from tianxia.tables.people import digest, new_id
from tianxia.tables.upgrade import upgrade

CHANNEL = "tianxia"
"""On which PostgreSQL tells all workers of new versions."""
TALK_CHANNEL = "tianxia_talk"
"""On which it tells them that a viewer has something new to hear."""
ASKED_CHANNEL = "tianxia_asked"
"""On which it tells them of questions to minds, and of answers."""
LOBBY_CHANNEL = "tianxia_lobby"
"""On which it tells them of who has met, and of what there is to join."""
MINDS_CHANNEL = "tianxia_minds"
"""On which it tells them how far the minds of a game are."""
BACKUPS = "TIANXIA_BACKUPS"
"""Names the folder of the copies that are made before migrations; ``none``: make none."""
DRAFT = "chance"
"""The kind of what is pending of a table to come."""
KEPT_NOTICES = 10_000
EVERYBODY = -1
"""All seats, as bits."""
BUSY_SECONDS = 5.0
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")


class Conflict(Exception):
    """Somebody else has changed the table since the version that this is based on."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat as it is stored; `kind` is ``open``, ``person`` or ``bot``."""

    kind: str
    name: str = ""
    bot: str = ""
    seed: str = ""
    reserved: bool = False
    standing: str = ""
    stand_in: bool = False
    account: str = ""

    def is_kept_for(self, account: str) -> bool:
        """Say whether it is open for this account alone."""
        return self.kind == "open" and self.reserved and self.account == account != ""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark at a table as it is stored: see `tianxia.tables.talk`.

    Attributes
    ----------
    number
        1, 2, … within the table. Never shown: it would count what others say in private.
    id
        Random; shown to those addressed.
    kind
        ``say``; ``pact`` and about one ``agree``, ``decline``, ``kept``, ``broken``;
        ``mute``, ``unmute``; ``open``: agreeing, after the end, that everybody may read.
    audience
        The seats addressed and the speaker's own, as bits.
    about
        Of answers and marks the id of the pact; of muting the other seat's number.
    """

    number: int
    id: str
    kind: str
    seat: int
    audience: int
    at: float
    text: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Holder:
    """A person (one browser) who holds a seat; see `tianxia.tables.people`."""

    person: str
    seat: int
    key_hash: str
    key_sealed: str


@dataclass(frozen=True, slots=True)
class Head:
    """A table's own row."""

    id: str
    game: str
    spec: str
    rules_version: int
    talk: bool
    public: bool
    created: float
    updated: float
    version: int
    status: str
    ending: str
    acting: int
    bot_turn: bool
    chance_secret: str
    chance_hash: str
    next_id: str | None
    maker: str = ""
    origin: str = ""
    bots_only: bool = False
    pace: str = ""
    returns: bool = False
    deadline: float | None = None
    seeded: bool = False
    rated: bool = False
    tournament_id: str = ""
    guided: int = -1
    sources: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as the database has it; `rows` only those asked for."""

    head: Head
    seats: tuple[Seat, ...]
    holders: tuple[Holder, ...]
    rows: tuple[Row, ...]


@dataclass(slots=True)
class Change:
    """What one transaction adds to a table, or changes in it, besides its own row."""

    rows: Sequence[Row] = ()
    seats: Mapping[int, Seat] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    holders: Sequence[Holder] = ()
    left: Sequence[int] = ()  # seats that nobody holds any more, nor opens with a key


Values = Mapping[str, Any] | None
Found = sa.Row[*tuple[Any, ...]]
Also = Callable[[sa.Connection, str], None]
"""What a transaction that makes a table does besides; knows the table's id."""
Room = Callable[[sa.Connection], None]
"""What a transaction that makes a table does first: it refuses one for which there is no room."""


def _unheard(kind: str, seconds: float) -> None:
    """Nobody wants to know how long a transaction took."""


def default_url() -> str:
    """Return the address of the file in which this user's tables are."""
    return f"sqlite:///{home() / 'tables.sqlite3'}"


class Store:
    """Tables in a database. Safe to use from many threads."""

    def __init__(
        self, url: str | None = None, busy_seconds: float = BUSY_SECONDS, *, copies: bool = True
    ) -> None:
        """Open a database, and bring its schema up to date.

        Parameters
        ----------
        url
            As of `Tables`.
        busy_seconds
            How long to wait for a database that another process has locked.
        copies
            Whether a copy is made before anything of the schema is changed.

        Raises
        ------
        Unopened
            Where it cannot be opened.
        """
        self.url = sa.make_url(url or default_url())
        self.busy_seconds = busy_seconds
        self._copies = copies
        self.origin = secrets.token_hex(8)  # of the notices that we leave for others
        self.timed: Callable[[str, float], None] = _unheard
        if self.url.drivername in ("postgresql", "postgres"):
            self.url = self.url.set(drivername="postgresql+psycopg")
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = self._sqlite_engine() if self.sqlite else self._server_engine()
        # One writer at a time is all that SQLite has; its own way of waiting is coarse.
        # In memory there is but one connection, so there readers wait, too.
        self._turn = threading.Lock() if self.sqlite else None
        self.alone = isinstance(self.engine.pool, StaticPool)
        try:
            with self.writing() as connection:
                upgrade(connection, self._keep_copy)
        except BaseException as error:
            self.engine.dispose()
            if isinstance(error, Unavailable | exc.ProgrammingError):
                raise Unopened(self.url.render_as_string(), reason(error)) from error
            raise

    def _sqlite_engine(self) -> sa.Engine:
        path = self.url.database
        options: dict[str, Any] = {
            "connect_args": {"timeout": self.busy_seconds},
            "hide_parameters": True,  # errors are logged, and what was played is not
        }
        if path in (None, "", ":memory:"):
            options["poolclass"] = StaticPool
            options["connect_args"]["check_same_thread"] = False
        elif path:
            try:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                if not Path(path).exists() and "uri" not in self.url.query:
                    Path(path).touch(mode=0o600)  # hidden facts of running games will be in it
            except OSError as error:
                raise Unopened(self.url.render_as_string(), reason(error)) from error
            options |= {"pool_size": 8, "max_overflow": 56, "pool_timeout": self.busy_seconds}
        engine = sa.create_engine(self.url, **options)
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _server_engine(self) -> sa.Engine:
        engine = sa.create_engine(
            self.url,
            pool_size=8,
            max_overflow=24,
            pool_timeout=10,
            hide_parameters=True,
        )
        sa.event.listen(engine, "checkout", _check_open)
        return engine

    def _keep_copy(self, before: str) -> None:
        """Keep a copy of the database as it was before its schema is changed.

        Raises
        ------
        CopyError
            Where none can be made; nothing is changed then.
        """
        from tianxia.tables.copies import save

        if not self._copies:
            return
        named, path = os.environ.get(BACKUPS, "").strip(), self.url.database
        if named == "none" or (self.sqlite and path in (None, "", ":memory:")):
            return
        folder = Path(named) if named else Path(path or "").parent if self.sqlite else home()
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        save(self.engine, folder / f"tianxia-{stamp}-before-migration-from-{before}.sqlite3")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    # --- Transactions ---

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Begin a transaction that writes; commit it, or leave everything as it was."""
        with self._timing("write"), _translated(), self._in_turn(), self.engine.connect() as plain:
            connection = plain.execution_options(tianxia_begin="BEGIN IMMEDIATE")
            with connection.begin():
                yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Begin a transaction in which all that is read belongs together."""
        turn = self._in_turn() if self.alone else nullcontext()
        with self._timing("read"), _translated(), turn, self.engine.connect() as plain:
            level = {} if self.sqlite else {"isolation_level": "REPEATABLE READ"}
            connection = plain.execution_options(tianxia_begin="BEGIN", **level)
            with connection.begin():
                yield connection

    @contextmanager
    def glancing(self) -> Iterator[sa.Connection]:
        """Return a connection to read with one statement: fewer ways to a server."""
        if self.sqlite:
            with self.reading() as connection:
                yield connection
        else:
            with self._timing("read"), _translated(), self.engine.connect() as plain:
                yield plain.execution_options(isolation_level="AUTOCOMMIT")

    def queue(self, connection: sa.Connection, *names: str) -> None:
        """Let those who write under the same names wait for one another, in all processes.

        Of what is counted before more is written, more could be written at once otherwise. On
        SQLite whoever writes is alone anyway.
        """
        for name in () if self.sqlite else names:
            number = sa.func.hashtextextended(name, 0)
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(number)))

    def count_in_turn(
        self, connection: sa.Connection, name: str, *where: sa.ColumnElement[bool]
    ) -> int:
        """Return how many rows there are before one more is written: see `queue`."""
        self.queue(connection, name)
        query = sa.select(sa.func.count()).where(*where)
        return int(connection.execute(query).scalar_one())

    def rows(self, query: sa.Executable, values: Values = None) -> Sequence[Found]:
        """Return all rows that one statement finds."""
        with self.glancing() as connection:
            return connection.execute(query, values).all()

    def row(self, query: sa.Executable, values: Values = None) -> Found | None:
        """Return the row that one statement finds, None where it finds none."""
        with self.glancing() as connection:
            return connection.execute(query, values).one_or_none()

    def column(self, query: sa.Executable, values: Values = None) -> list[Any]:
        """Return the first value of all rows that one statement finds."""
        with self.glancing() as connection:
            return list(connection.execute(query, values).scalars())

    def scalar(self, query: sa.Executable, values: Values = None) -> Any:
        """Return the first value of the first row that one statement finds, None without one."""
        with self.glancing() as connection:
            return connection.execute(query, values).scalar()

    @contextmanager
    def _timing(self, kind: str) -> Iterator[None]:
        """Tell how long a transaction takes."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timed(kind, time.perf_counter() - begun)

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Wait for the other threads that write."""
        if self._turn is None:
            yield
            return
        if not self._turn.acquire(timeout=self.busy_seconds):
            raise Unavailable
        try:
            yield
        finally:
            self._turn.release()

    # --- Reading ---

    def version(self, table_id: str) -> int | None:
        """Return a table's version; None where there is no such table."""
        return self.scalar(_VERSION, {"t": table_id})

    def load(self, table_id: str, after: int = 0) -> Stored | None:
        """Return a table with the rows of its log after the one of that number."""
        with self.reading() as connection:
            head = connection.execute(_HEAD, {"t": table_id}).one_or_none()
            if head is None:
                return None
            seats = connection.execute(_SEATS, {"t": table_id}).all()
            holders = connection.execute(_HOLDERS, {"t": table_id}).all()
            rows = connection.execute(_ROWS, {"t": table_id, "after": after}).all()
        return Stored(
            Head(*head),
            tuple(_seat(head.game, seat) for seat in seats),
            tuple(Holder(*holder) for holder in holders),
            tuple(_row(columns) for columns in rows),
        )

    def key(self, table_id: str, key_hash: str) -> int | None:
        """Return the seat that a private key opens."""
        return self.scalar(_KEY, {"t": table_id, "k": key_hash})

    def of_person(self, person: str, limit: int) -> list[tuple[Head, int]]:
        """Return the tables at which somebody has a seat, and which, the newest first.

        Those that are over come last, and none comes by its last change: that may have been secret.
        """
        over = schema.tables.c.status == "over"
        query = (
            sa.select(schema.tables, schema.holders.c.seat)
            .join(schema.holders, schema.holders.c.table_id == schema.tables.c.id)
            .where(schema.holders.c.person == person)
            .order_by(over, schema.tables.c.created.desc())
            .limit(limit)
        )
        return [(Head(*row[:-1]), row[-1]) for row in self.rows(query)]

    def waiting(self, since: float, limit: int) -> list[Head]:
        """Return the public tables that wait for players, the newest first."""
        heads = schema.tables
        query = (
            sa.select(heads)
            .where(heads.c.public, heads.c.status == "waiting", heads.c.updated >= since)
            .where(heads.c.tournament_id == "")  # those are for whoever was paired
            .order_by(heads.c.updated.desc())
            .limit(limit)
        )
        return [Head(*row) for row in self.rows(query)]

    def watchable(self, limit: int) -> list[Head]:
        """Return the public games that are being played, the newest first."""
        heads = schema.tables
        query = (
            sa.select(heads)
            .where(heads.c.public, heads.c.status == "playing")
            .order_by(heads.c.created.desc())
            .limit(limit)
        )
        return [Head(*row) for row in self.rows(query)]

    def asked_to(self, account: str, limit: int) -> list[Head]:
        """Return the tables that wait for an account, the newest first."""
        query = (
            sa.select(schema.tables)
            .join(schema.seats, _seats.table_id == _heads.id)
            .where(
                _seats.account == account,
                _seats.kind == "open",
                _seats.reserved,
                _heads.status == "waiting",
            )
            .order_by(_heads.created.desc())
            .limit(limit)
        )
        return [Head(*row) for row in self.rows(query)]

    def count_waiting(self, connection: sa.Connection, column: str, whose: str) -> int:
        """Return how many public tables wait that have this in a column."""
        query = sa.select(sa.func.count()).where(
            _heads[column] == whose, _heads.status == "waiting", _heads.public
        )
        return int(connection.execute(query).scalar_one())

    def seats_of(self, tables: Sequence[Head]) -> dict[str, list[Seat]]:
        """Return the seats of several tables, by their ids."""
        places = schema.seats
        games = {head.id: head.game for head in tables}
        query = sa.select(places).where(places.c.table_id.in_(list(games))).order_by(places.c.seat)
        found: dict[str, list[Seat]] = {table_id: [] for table_id in games}
        for table_id, _, *columns in self.rows(query):
            found[table_id].append(_seat(games[table_id], columns))
        return found

    def versions(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return the versions of several tables."""
        heads = schema.tables
        query = sa.select(heads.c.id, heads.c.version).where(heads.c.id.in_(table_ids))
        return {row.id: row.version for row in self.rows(query)}

    def ids(self) -> list[str]:
        """Return the ids of all tables."""
        return self.column(sa.select(schema.tables.c.id))

    def public_and_over(self, game: str) -> list[str]:
        """Return the ids of a game's public tables that are over, in an order without meaning."""
        heads = schema.tables.c
        query = (
            sa.select(heads.id)
            .where(heads.game == game, heads.public, heads.status == "over")
            .order_by(heads.id)
        )
        return self.column(query)

    def of_earlier_rules(self, present: Mapping[str, int]) -> list[str]:
        """Return the running games that an earlier version of their rules has begun."""
        heads = schema.tables.c
        earlier = [
            sa.and_(heads.game == game, heads.rules_version < version)
            for game, version in present.items()
        ]
        query = sa.select(heads.id).where(heads.status == "playing", sa.or_(*earlier))
        return self.column(query)

    def states(self) -> dict[str, int]:
        """Return how many tables there are of each status."""
        status = schema.tables.c.status
        query = sa.select(status, sa.func.count()).group_by(status)
        return {row[0]: row[1] for row in self.rows(query)}

    def busy(self, since: float) -> dict[str, int]:
        """Return how many tables wait, how many are played at, and how many ended since then."""
        heads = schema.tables.c
        ended = sa.and_(heads.status == "over", heads.updated >= since)
        asked = {"waiting": heads.status == "waiting", "playing": heads.status == "playing"}
        with self.glancing() as connection:
            return {
                name: connection.execute(
                    sa.select(sa.func.count()).select_from(schema.tables).where(where)
                ).scalar_one()
                for name, where in {**asked, "ended": ended}.items()
            }

    def count_made(
        self,
        connection: sa.Connection,
        column: str,
        whose: str,
        status: str,
        since: float,
        *,
        bots_only: bool,
    ) -> int:
        """Return how many tables of a kind there are that have this in a column.

        Parameters
        ----------
        column
            ``maker`` or ``origin``.
        since
            Only those count that have changed after that time.
        """
        heads = schema.tables.c
        query = sa.select(sa.func.count()).where(
            heads[column] == whose,
            heads.status == status,
            heads.updated >= since,
            heads.bots_only if bots_only else sa.not_(heads.bots_only),
        )
        return int(connection.execute(query).scalar_one())

    def account(self, person: str) -> tuple[str, str] | None:
        """Return the id and name of the account that a person (a digest) is, or None."""
        found = self.row(_ACCOUNT, {"p": person})
        return None if found is None else (found.id, found.name)

    # --- Secrets of tables to come ---

    def keep_draft(self, table_id: str, secret: str, now: float, expires: float) -> None:
        """Keep the secret of a table that is to be made, whose hash somebody is shown now."""
        pending = schema.pending.c
        row = {"id": digest(table_id), "kind": DRAFT, "about": secret, "expires": expires}
        with self.writing() as connection:
            connection.execute(sa.delete(schema.pending).where(pending.expires < now))
            connection.execute(sa.insert(schema.pending), row)

    def draft(self, table_id: str, now: float) -> str | None:
        """Return the secret of a table to come, unless that was made or it is too late."""
        pending = schema.pending.c
        query = sa.select(pending.about).where(_is_draft(table_id), pending.expires > now)
        return self.scalar(query)

    def drop_draft(self, connection: sa.Connection, table_id: str) -> bool:
        """Forget the secret of a table that is made now; False where somebody was faster."""
        gone = sa.delete(schema.pending).where(_is_draft(table_id))
        return connection.execute(gone).rowcount > 0

    # --- Writing ---

    def move(
        self, connection: sa.Connection, old: str, new: str, account: tuple[str, str]
    ) -> dict[str, int]:
        """Give all that a person (a digest) holds to an account's person.

        Where the new person has a seat already the old one keeps its own.

        Returns
        -------
        dict
            The new versions of the tables that have changed.
        """
        held = sa.select(_holders.table_id).where(_holders.person == new)
        query = sa.select(_holders.table_id, _holders.seat).where(
            _holders.person == old, _holders.table_id.not_in(held)
        )
        moved = connection.execute(query).all()
        versions = self.bump(connection, [table_id for table_id, _ in moved])
        connection.execute(sa.update(schema.tables).where(_heads.maker == old).values(maker=new))
        self._move_shunned(connection, old, new)
        self._move_told(connection, old, new)
        reports = schema.reports.c
        for column in (
            *(one.c.person for one in (schema.holidays, schema.boards, schema.gallery)),
            *(reports.reporter, reports.about),
        ):
            rest = sa.update(column.table).where(column == old)
            connection.execute(rest.values({column.name: new}))
        for table_id, seat in moved:
            connection.execute(_REHOLD, {"t": table_id, "old": old, "new": new})
            identity = {"account": account[0], "name": account[1]}
            connection.execute(_REIDENTIFY, {"t": table_id, "s": seat, **identity})
            connection.execute(_REFILE, {"t": table_id, "s": seat})
        return versions

    def _move_shunned(self, connection: sa.Connection, old: str, new: str) -> None:
        """Let a person keep whom they shun, and be shunned still."""
        shunned = schema.shunned.c
        for column, partner in ((shunned.person, shunned.other), (shunned.other, shunned.person)):
            known = sa.select(partner).where(column == new)
            moving = (column == old) & partner.not_in(known) & (partner != new)
            connection.execute(sa.update(schema.shunned).where(moving).values({column.name: new}))

    def _move_told(self, connection: sa.Connection, old: str, new: str) -> None:
        """Let a person be told by the same browsers, of what they wish, and of no turn twice."""
        told, messages = schema.told.c, schema.messages.c
        said = sa.select(told.person).where(told.person == new).exists()
        connection.execute(sa.delete(schema.told).where(told.person == old, said))
        for person in (told.person, schema.subscriptions.c.person):
            moving = sa.update(person.table).where(person == old)
            connection.execute(moving.values({person.name: new}))
        query = sa.select(schema.messages).where(messages.person == old)
        for row in [dict(one) for one in connection.execute(query).mappings()]:
            connection.execute(sa.delete(schema.messages).where(messages.id == row["id"]))
            insert(connection, schema.messages, identified(row | {"person": new}))

    def unfinished(self, person: str) -> list[str]:
        """Return the tables that are not over at which somebody (a digest) has a seat."""
        query = (
            sa.select(_heads.id)
            .join(schema.holders, _holders.table_id == _heads.id)
            .where(_holders.person == person, _heads.status != "over")
        )
        return self.column(query)

    def rename(self, connection: sa.Connection, account: str, name: str) -> dict[str, int]:
        """Show an account by another name at all of its tables; return these' new versions."""
        of_account = _seats.account == account
        changed = connection.execute(sa.select(_seats.table_id).where(of_account)).scalars().all()
        versions = self.bump(connection, changed)
        connection.execute(sa.update(schema.seats).where(of_account).values(name=name))
        return versions

    def forget(self, connection: sa.Connection, person: str, account: str) -> dict[str, int]:
        """Take a person (a digest) and an account out of all tables; return new versions."""
        looks, known = schema.looks.c, schema.accounts.c
        name = sa.select(known.name).where(known.id == account).scalar_subquery()
        connection.execute(sa.update(schema.looks).where(looks.name == name).values(name=""))
        changed = self.rename(connection, account, "")
        self._forget_player(connection, account)
        connection.execute(sa.delete(schema.holders).where(_holders.person == person))
        connection.execute(sa.update(schema.tables).where(_heads.maker == person).values(maker=""))
        self._forget_entrant(connection, account)
        shunned, said = schema.shunned.c, schema.gallery.c
        gone = (shunned.person == person) | (shunned.other == person)
        connection.execute(sa.delete(schema.shunned).where(gone))
        for relation in (
            schema.seeks,
            schema.visitors,
            schema.pages,
            schema.holidays,
            schema.boards,
            schema.subscriptions,
            schema.told,
            schema.messages,
        ):
            connection.execute(sa.delete(relation).where(relation.c.person == person))
        nobody = {"person": "", "account": "", "name": ""}
        connection.execute(sa.update(schema.gallery).where(said.person == person).values(**nobody))
        self._forget_reports(connection, person)
        return changed

    def _forget_player(self, connection: sa.Connection, account: str) -> None:
        """Take an account out of games; a seat that is kept for it is anybody's.

        In rated ones an id that means nobody stands for it: so the ratings of the others stay
        what they are, also when they are worked out again.
        """
        nobody = new_id()
        own = sa.update(schema.seats).where(_seats.account == account)
        rated = sa.select(_heads.id).where(_heads.id == _seats.table_id, _heads.rated)
        connection.execute(own.where(_seats.kind != "open", rated.exists()).values(account=nobody))
        connection.execute(own.where(_seats.kind == "open").values(reserved=False))
        connection.execute(own.values(account=""))
        for relation in (schema.results, schema.ratings):
            mine = sa.update(relation).where(relation.c.account == account)
            connection.execute(mine.values(account=nobody))
        filed = sa.update(schema.played).where(schema.played.c.account == account)
        connection.execute(filed.values(account="", opening=""))

    def _forget_reports(self, connection: sa.Connection, person: str) -> None:
        """Take a person out of reports: what others say about them stays until it is settled."""
        row = schema.reports.c
        own = sa.update(schema.reports).where(row.reporter == person)
        connection.execute(own.values(reporter="", reporter_name=""))
        settled = (row.about == person) & row.settled.is_not(None)
        connection.execute(sa.delete(schema.reports).where(settled))

    def _forget_entrant(self, connection: sa.Connection, account: str) -> None:
        """Take an account out of tournaments: where one has begun its results stay, nameless."""
        made, entered = schema.tournaments.c, schema.entrants.c
        mine = sa.select(entered.tournament_id).where(entered.account == account)
        changed = sa.update(schema.tournaments).where(made.id.in_(mine))
        connection.execute(changed.values(version=made.version + 1))
        own = sa.update(schema.tournaments).where(made.maker == account)
        connection.execute(own.values(maker="", version=made.version + 1))
        begun = sa.select(made.id).where(made.id == entered.tournament_id, made.status == "open")
        waits = sa.delete(schema.entrants).where(entered.account == account, begun.exists())
        connection.execute(waits)
        nobody = sa.update(schema.entrants).where(entered.account == account)
        connection.execute(nobody.values(account=None, gone=True))

    def bump(self, connection: sa.Connection, table_ids: Sequence[str]) -> dict[str, int]:
        """Make the versions of tables one larger, so that everybody reads them anew.

        It comes before their seats are changed, in the order of `commit`: of two who had one and
        waited for the other's PostgreSQL would refuse one.
        """
        ids = sa.select(_heads.id, _heads.version).where(_heads.id.in_(table_ids))
        connection.execute(
            sa.update(schema.tables)
            .where(_heads.id.in_(table_ids))
            .values(version=_heads.version + 1)
        )
        versions = {row.id: row.version for row in connection.execute(ids)}
        for table_id, version in versions.items():
            self.notify(connection, CHANNEL, table_id, version)
        return versions

    def create(
        self, head: Head, change: Change, also: Also | None = None, room: Room | None = None
    ) -> None:
        """Add a table, where there is room for it, and what else belongs to that: all or nothing.

        Parameters
        ----------
        room
            Refuses a table for which there is none; until this one is there, others wait.
        """
        with self.writing() as connection:
            if room is not None:
                room(connection)
            self._insert(connection, head, change)
            if also is not None:
                also(connection, head.id)

    def follow(self, before: Head, head: Head, change: Change, room: Room | None = None) -> None:
        """Add a table as the rematch of another; `before` is the other one as it becomes.

        `room` is as of `create`.

        Raises
        ------
        Conflict
            Where the other table has changed.
        """
        with self.writing() as connection:
            if room is not None:
                room(connection)
            self._update(connection, before, Change())
            self._insert(connection, head, change)

    def _insert(self, connection: sa.Connection, head: Head, change: Change) -> None:
        connection.execute(sa.insert(schema.tables), asdict(head))
        connection.execute(
            sa.insert(schema.seats),
            [
                {"table_id": head.id, "seat": seat, **asdict(facts)}
                for seat, facts in change.seats.items()
            ],
        )
        self._add(connection, head, change)
        self.notify(connection, CHANNEL, head.id, head.version)

    def commit(self, head: Head, change: Change) -> None:
        """Store a table's next version; `head.version` is the new one.

        Raises
        ------
        Conflict
            Where the database does not have the version before; nothing is stored.
        Unavailable
            Where the database is locked, full or away; nothing is stored.
        """
        with self.writing() as connection:
            self._update(connection, head, change)

    def _update(self, connection: sa.Connection, head: Head, change: Change) -> None:
        changed = connection.execute(
            _UPDATE if self.sqlite else _UPDATE_AND_TELL,
            {
                "t": head.id,
                "before": head.version - 1,
                **{name: getattr(head, name) for name in CHANGING},
            },
        )
        if changed.rowcount != 1:
            raise Conflict
        for seat, facts in change.seats.items():
            connection.execute(_SEAT, {"t": head.id, "s": seat, **asdict(facts)})
        for seat in change.left:
            for rows in (schema.keys, schema.holders):
                of_seat = sa.and_(rows.c.table_id == head.id, rows.c.seat == seat)
                connection.execute(sa.delete(rows).where(of_seat))
        self._add(connection, head, change)
        if self.sqlite:
            self.notify(connection, CHANNEL, head.id, head.version)

    def _add(self, connection: sa.Connection, head: Head, change: Change) -> None:
        if change.rows:
            connection.execute(_ADD, [_columns(head.id, row) for row in change.rows])
        if change.keys:
            connection.execute(
                sa.insert(schema.keys),
                [
                    {"table_id": head.id, "key_hash": key, "seat": seat}
                    for key, seat in change.keys.items()
                ],
            )
        for holder in change.holders:
            connection.execute(_UNSEAT, {"t": head.id, "p": holder.person})
            connection.execute(sa.insert(schema.holders), {"table_id": head.id, **asdict(holder)})

    def notify(self, connection: sa.Connection, channel: str, name: str, number: int) -> None:
        """Tell all processes of something, once the transaction is committed."""
        if not self.sqlite:
            connection.execute(_NOTIFY, {"channel": channel, "text": f"{name} {number}"})
        elif not self.alone:
            note = {"channel": channel, "name": name, "version": number, "origin": self.origin}
            added = connection.execute(_NOTICE, note).inserted_primary_key
            if added is not None and added[0] % KEPT_NOTICES == 0:
                old = schema.notices.c.number <= added[0] - KEPT_NOTICES
                connection.execute(sa.delete(schema.notices).where(old))

    # --- Talk ---

    def talk(self, table_id: str, seats: int = EVERYBODY) -> list[Remark]:
        """Return what was said at a table to any of some seats (bits), oldest first."""
        return [Remark(*row) for row in self.rows(_TALK, {"t": table_id, "seats": seats})]

    def talk_numbers(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return the number of the newest remark at each of some tables."""
        talk = schema.talk.c
        query = (
            sa.select(talk.table_id, sa.func.max(talk.number).label("newest"))
            .where(talk.table_id.in_(table_ids))
            .group_by(talk.table_id)
        )
        return {row.table_id: row.newest for row in self.rows(query)}

    def add_remark(self, table_id: str, remark: Remark, wake: Sequence[str]) -> None:
        """Add the next remark of a table; `wake` are those who have something new to hear.

        Raises
        ------
        Conflict
            Where another remark was faster; nothing is stored.
        """
        with self.writing() as connection:
            try:
                connection.execute(_REMARK, {"table_id": table_id, **asdict(remark)})
            except exc.IntegrityError as error:
                raise Conflict from error
            for name in wake:
                self.notify(connection, TALK_CHANNEL, name, remark.number)

    # --- Clocks ---

    def fallen(self, at: float) -> list[str]:
        """Return the tables at which a flag falls by then."""
        query = sa.select(schema.tables.c.id).where(schema.tables.c.deadline <= at)
        return self.column(query)

    def next_deadline(self) -> float | None:
        """Return when the next flag falls at any table."""
        return self.scalar(_DEADLINE)

    def running(self) -> list[str]:
        """Return the tables at which a clock runs."""
        query = sa.select(schema.tables.c.id).where(schema.tables.c.deadline.is_not(None))
        return self.column(query)

    def by_mail(self, person: str) -> list[str]:
        """Return the running tables of somebody at which there are days for each decision."""
        heads, held = schema.tables.c, schema.holders.c
        query = (
            sa.select(heads.id)
            .join(schema.holders, held.table_id == heads.id)
            .where(held.person == person, heads.status == "playing", heads.pace.like("%d"))
        )
        return self.column(query)

    def last_beat(self, name: str = "clocks") -> float | None:
        """Return when the clocks, or something else, were looked after last."""
        query = sa.select(schema.beats.c.at).where(schema.beats.c.name == name)
        return self.scalar(query)

    def beat(self, at: float, name: str = "clocks") -> None:
        """Say that the clocks, or something else, are looked after."""
        self.put(schema.beats, {"name": name}, {"at": at})

    def seen(self, table_id: str) -> dict[int, float]:
        """Return when each seat's page was last open."""
        query = sa.select(schema.presence.c.seat, schema.presence.c.at)
        rows = self.rows(query.where(schema.presence.c.table_id == table_id))
        return {row.seat: row.at for row in rows}

    def see(self, seen: Mapping[tuple[str, int], float]) -> None:
        """Note when the pages of seats were open: by table and seat."""
        # That of the other database would take 4 MB.
        dialect = import_module(f"sqlalchemy.dialects.{self.url.get_backend_name()}")
        note = dialect.insert(schema.presence)
        note = note.on_conflict_do_update(
            index_elements=("table_id", "seat"), set_={"at": note.excluded.at}
        )
        # Processes that note the same seats at a time lock them in the same order.
        rows = [{"table_id": key[0], "seat": key[1], "at": seen[key]} for key in sorted(seen)]
        with self.writing() as connection:
            connection.execute(note, rows)

    def stay(self, pages: Collection[str], at: float) -> None:
        """Note that pages of those who are at tables are still open."""
        still = sa.update(schema.pages).where(schema.pages.c.id.in_(pages)).values(at=at)
        with self.writing() as connection:
            connection.execute(still)

    def put(self, table: sa.Table, key: dict[str, Any], facts: dict[str, Any]) -> None:
        """Write a row, in the place of the one with the same key."""
        mine = sa.and_(*(table.c[name] == value for name, value in key.items()))
        with self.writing() as connection:
            if not connection.execute(sa.update(table).where(mine).values(facts)).rowcount:
                insert(connection, table, key | facts)

    def holidays(self, person: str, since: float) -> list[tuple[float, float]]:
        """Return the holidays of a person that ended after a moment."""
        rest = schema.holidays.c
        query = sa.select(rest.since, rest.until).where(rest.person == person, rest.until > since)
        return [(row.since, row.until) for row in self.rows(query.order_by(rest.since))]

    def rest(self, person: str, since: float, until: float) -> None:
        """Note a holiday; one that is going on ends where it begins."""
        rest = schema.holidays.c
        running = sa.and_(rest.person == person, rest.since < since, rest.until > since)
        with self.writing() as connection:
            connection.execute(sa.update(schema.holidays).where(running).values(until=since))
        if until > since:
            self.put(schema.holidays, {"person": person, "since": since}, {"until": until})

    # --- Reviews ---

    def review(self, table_id: str) -> str | None:
        """Return the review of a finished game, if there is one."""
        query = sa.select(schema.reviews.c.found).where(schema.reviews.c.table_id == table_id)
        return self.scalar(query)

    def keep_review(self, table_id: str, found: str) -> None:
        """Store the review of a finished game; where there is one already that stays."""
        with self.writing() as connection:
            insert(connection, schema.reviews, {"table_id": table_id, "found": found})


def _is_draft(table_id: str) -> sa.ColumnElement[bool]:
    return (schema.pending.c.id == digest(table_id)) & (schema.pending.c.kind == DRAFT)


def insert(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> bool:
    """Add a row; False, and nothing, where there is one like it, as of somebody faster."""
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(table), row)
    except exc.IntegrityError:
        return False
    return True


def identified(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message to somebody with its id: there is one for each way and turn."""
    facts = "{person} {way} {table_id} {seat} {since:.6f}".format_map(message)
    return {**message, "id": digest(facts)}


# --- SQLite ---


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # we begin transactions ourselves
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    begin = connection.get_execution_options().get("tianxia_begin")
    connection.exec_driver_sql(begin or "BEGIN")


# --- PostgreSQL ---


def _check_open(connection: Any, *_: object) -> None:
    """Refuse a connection that PostgreSQL has ended: then there is something to read on it.

    To ask it would be a way to the server and back for each statement.
    """
    if connection.closed or _is_readable(connection.fileno()):
        raise exc.DisconnectionError


def _is_readable(descriptor: int) -> bool:
    if not hasattr(select, "poll"):
        return bool(select.select([descriptor], [], [], 0)[0])
    waiting = select.poll()  # takes any number of descriptor
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(0))


@contextmanager
def _translated() -> Iterator[None]:
    """Turn all that may befall a database into one error; our own mistakes stay visible."""
    try:
        yield
    except (exc.IntegrityError, exc.ProgrammingError):
        raise
    except (exc.DBAPIError, exc.TimeoutError) as error:
        raise Unavailable from error


# --- Statements, made once ---

_T: sa.BindParameter[str] = sa.bindparam("t")
_heads, _seats, _keys, _holders, _entries = (
    schema.tables.c,
    schema.seats.c,
    schema.keys.c,
    schema.holders.c,
    schema.entries.c,
)
CHANGING = (
    *("version", "spec", "rules_version", "updated", "status", "ending", "acting", "bot_turn"),
    *("next_id", "guided", "deadline"),
)
"""What of a table's own row a new version may change."""
_VERSION = sa.select(_heads.version).where(_heads.id == _T)
_HEAD = sa.select(schema.tables).where(_heads.id == _T)
_SEATS = (
    sa.select(*(_seats[name] for name in Seat.__slots__))
    .where(_seats.table_id == _T)
    .order_by(_seats.seat)
)
_HOLDERS = sa.select(*(_holders[name] for name in Holder.__slots__)).where(_holders.table_id == _T)
_ROWS = (
    sa.select(*(_entries[name] for name in Row.__slots__))
    .where(_entries.table_id == _T, _entries.number > sa.bindparam("after"))
    .order_by(_entries.number)
)
_KEY = sa.select(_keys.seat).where(_keys.table_id == _T, _keys.key_hash == sa.bindparam("k"))
_UPDATE = (
    sa.update(schema.tables)
    .where(_heads.id == _T, _heads.version == sa.bindparam("before"))
    .values({name: sa.bindparam(name) for name in CHANGING})
)
_UPDATE_AND_TELL = _UPDATE.returning(  # one way to the server less than `notify`
    sa.func.pg_notify(CHANNEL, _heads.id + " " + sa.cast(_heads.version, sa.Text))
)
_SEAT = (
    sa.update(schema.seats)
    .where(_seats.table_id == _T, _seats.seat == sa.bindparam("s"))
    .values({name: sa.bindparam(name) for name in Seat.__slots__})
)
_ACCOUNT = sa.select(schema.accounts.c.id, schema.accounts.c.name).where(
    schema.accounts.c.person == sa.bindparam("p")
)
_REHOLD = (  # its key is sealed for the old person: a new one is made when it is asked for
    sa.update(schema.holders)
    .where(_holders.table_id == _T, _holders.person == sa.bindparam("old"))
    .values(person=sa.bindparam("new"), key_hash="", key_sealed="")
)
_REFILE = (  # whose finished game it was
    sa.update(schema.played)
    .where(
        schema.played.c.table_id == _T,
        schema.played.c.seat == sa.bindparam("s"),
        schema.played.c.bot == "",
    )
    .values(
        account=sa.select(_seats.account)
        .where(_seats.table_id == _T, _seats.seat == sa.bindparam("s"))
        .scalar_subquery()
    )
)
_REIDENTIFY = (
    sa.update(schema.seats)
    .where(
        _seats.table_id == _T,
        _seats.seat == sa.bindparam("s"),
        _seats.kind == "person",
        _seats.account.in_(["", sa.bindparam("account")]),
    )
    .values(account=sa.bindparam("account"), name=sa.bindparam("name"))
)
_UNSEAT = sa.delete(schema.holders).where(
    _holders.table_id == _T, _holders.person == sa.bindparam("p")
)
_ADD = sa.insert(schema.entries)
_said = schema.talk.c
_TALK = (
    sa.select(*(_said[name] for name in Remark.__slots__))
    .where(_said.table_id == _T, _said.audience.bitwise_and(sa.bindparam("seats", 0)) != 0)
    .order_by(_said.number)
)
_REMARK = sa.insert(schema.talk)
_DEADLINE = sa.select(sa.func.min(_heads.deadline))
_NOTIFY = sa.select(sa.func.pg_notify(sa.bindparam("channel"), sa.bindparam("text")))
_NOTICE = sa.insert(schema.notices)


def _columns(table_id: str, row: Row) -> dict[str, Any]:
    columns = {name: getattr(row, name) for name in Row.__slots__}
    return columns | {
        "table_id": table_id,
        "undone": json.dumps(row.undone) if row.undone else None,
    }


def _seat(game: str, columns: Sequence[Any]) -> Seat:
    """Return a seat, its bot by the name that it has now."""
    seat = Seat(*columns)
    return replace(seat, bot=present_name(seat.bot, game)) if seat.bot else seat


def _row(columns: Sequence[Any]) -> Row:
    *rest, undone, seconds = columns
    gone = tuple(json.loads(undone)) if undone else ()
    return Row(*(*rest, gone, seconds))
