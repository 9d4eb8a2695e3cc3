"""Finished games: what somebody has played and won, and games that everybody may find.

Each finished game is filed by seat soon after its end, by the thread that counts ratings. Whatever
is asked about somebody reads their newest games only, by an index; nothing reads all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

from tianxia.bots import present_name
from tianxia.kernel.colours import COLOURS
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.registry import known
from tianxia.ratings.bots import BotRatings
from tianxia.ratings.service import COUNTS, deserted
from tianxia.tables import Snapshot, TableError, Tables, schema

NEWEST = 1000
"""Games of somebody that statistics are about."""
BACK_SECONDS = 3600.0
"""How far behind the newest filed game others may have ended that are not filed yet."""
AT_ONCE = 100
OPPONENTS, OPENINGS, SPECS = 20, 8, 20
LONGEST_OPENING = 1000
RESULTS = ("won", "lost", "drawn")
NOTHING = "none"
NOBODY = ""
_played, _heads, _seats, _entries = (
    schema.played.c,
    schema.tables.c,
    schema.seats.c,
    schema.entries.c,
)


@dataclass(slots=True)
class Tally:
    """How many games, and what came of them."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.lost + self.drawn

    def add(self, result: str, many: int = 1) -> None:
        """Count games."""
        setattr(self, result, getattr(self, result) + many)


@dataclass(frozen=True, slots=True)
class Opponent:
    """Whom somebody has met: an account, or a bot of a game."""

    account: str
    bot: str
    game: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Opening:
    """What somebody has chosen first in a game, and the newest table where they did."""

    game: str
    tokens: str
    table_id: str
    tally: Tally


@dataclass(frozen=True)
class Record:
    """What somebody has played, of their newest games.

    Attributes
    ----------
    by_game, by_spec, by_seat
        By game, by a game with its options, and by the latter and seat; where seats choose
        their colours, by those instead.
    streak
        How the newest games have ended, all alike, and how many these are.
    longest
        The most games that were won one after another.
    whole
        Whether these are all games, not only the newest.
    """

    by_game: dict[str, Tally] = field(default_factory=dict)
    by_spec: dict[str, Tally] = field(default_factory=dict)
    by_seat: dict[tuple[str, int], Tally] = field(default_factory=dict)
    opponents: tuple[Opponent, ...] = ()
    openings: tuple[Opening, ...] = ()
    streak: tuple[str, int] = ("", 0)
    longest: int = 0
    whole: bool = True

    @property
    def tally(self) -> Tally:
        """All games together."""
        tallies = self.by_game.values()
        return Tally(*(sum(getattr(one, name) for one in tallies) for name in RESULTS))


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat at a seat of a finished game; `bot` is empty for people."""

    account: str
    name: str
    bot: str
    result: str


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game in a list."""

    table_id: str
    game: str
    spec: str
    ended: float
    players: tuple[Player, ...]

    @property
    def key(self) -> tuple[float, str]:
        """Where it stands in the list."""
        return self.ended, self.table_id


class Played:
    """All finished games."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._bots = BotRatings(tables)

    # --- Filing ---

    def settle(self) -> int:
        """File games that have ended since, the oldest first; return how many."""
        filed = 0
        for table_id in self._unfiled():
            snapshot = self._finished(table_id)
            came = (_results(snapshot), snapshot.entries[-1].at) if snapshot else None
            try:
                with self._store.writing() as connection:
                    rows = _rows(connection, table_id, came)
                    connection.execute(sa.insert(schema.played), rows)
                    if snapshot is not None:
                        self._bots.count(connection, snapshot)
            except exc.IntegrityError:  # another process was faster
                continue
            filed += 1
        return filed

    def _unfiled(self) -> list[str]:
        done = sa.select(_played.table_id).where(_played.table_id == _heads.id).exists()
        with self._store.glancing() as connection:
            since = connection.execute(sa.select(sa.func.max(_played.ended))).scalar() or 0.0
            query = (
                sa.select(_heads.id)
                .where(_heads.status == "over", _heads.updated >= since - BACK_SECONDS, ~done)
                .order_by(_heads.updated)
                .limit(AT_ONCE)
            )
            return list(connection.execute(query).scalars())

    def _finished(self, table_id: str) -> Snapshot | None:
        """Return a finished game; None under rules not installed here."""
        try:
            return self._tables.snapshot(table_id)
        except TableError:
            return None

    # --- Somebody ---

    def record(self, account: str, *, own: bool = False) -> Record:
        """Return what somebody has played: for others their public games only."""
        mine = self._newest(account, own=own)
        seats = schema.played.alias("seats")
        opponent = (
            sa.select(
                seats.c.account,
                seats.c.bot,
                sa.case((seats.c.bot != NOBODY, seats.c.game), else_=NOBODY).label("of"),
                mine.c.result,
                sa.func.count().label("many"),
            )
            .join_from(mine, seats, seats.c.table_id == mine.c.table_id)
            .where(seats.c.seat != mine.c.seat, (seats.c.account != "") | (seats.c.bot != ""))
            .group_by(seats.c.account, seats.c.bot, "of", mine.c.result)
        )
        with self._store.glancing() as connection:
            rows = connection.execute(sa.select(mine)).all()
            met = connection.execute(opponent).all()
        return _record(rows, met, own=own)

    def between(self, account: str, other: str) -> Tally:
        """Return what came of the games of two, seen by the first; private ones, too."""
        mine, seats = self._newest(account, own=True), schema.played.alias("seats")
        query = (
            sa.select(mine.c.result, sa.func.count())
            .join_from(mine, seats, seats.c.table_id == mine.c.table_id)
            .where(seats.c.account == other, seats.c.seat != mine.c.seat)
            .group_by(mine.c.result)
        )
        tally = Tally()
        for result, many in self._store.rows(query):
            tally.add(result, many)
        return tally

    def _newest(self, account: str, *, own: bool) -> sa.CTE:
        """Return the newest games of somebody that count, the newest first."""
        seen = () if own else (_played.public,)
        query = (
            sa.select(
                _played.table_id, _played.seat, _played.game, _played.spec, _played.result,
                _played.opening,
            )
            .where(_played.account == account, *seen, _played.result != NOTHING)
            .order_by(_played.ended.desc(), _played.table_id.desc())
            .limit(NEWEST)
        )  # fmt: skip
        return query.cte("mine")

    # --- Everybody's games ---

    def games(
        self,
        *,
        game: str = "",
        account: str = "",
        result: str = "",
        before: tuple[float, str] | None = None,
        limit: int = 30,
        own: bool = False,
    ) -> list[Game]:
        """Return finished public games, the newest first.

        Parameters
        ----------
        account, result
            Whose, and what came of it for them; a result without an account chooses nothing.
        before
            The `key` of the last game of the page before.
        own
            Whether the account is that of who asks: then private games are listed, too.
        """
        query = (
            sa.select(_played.table_id, _played.game, _played.spec, _played.ended)
            .where(_played.result != NOTHING)
            .order_by(_played.ended.desc(), _played.table_id.desc())
            .limit(limit)
        )
        if not (own and account):
            query = query.where(_played.public)
        if account:
            query = query.where(_played.account == account)
            query = query.where(_played.result == result) if result else query
        else:
            query = query.where(_played.seat == 0)
        if game:
            query = query.where(_played.game == game)
        if before is not None:
            query = query.where(sa.tuple_(_played.ended, _played.table_id) < before)
        with self._store.glancing() as connection:
            found = connection.execute(query).all()
            players = _players(connection, [row.table_id for row in found])
        return [Game(*row, tuple(players[row.table_id])) for row in found]


def _rows(
    connection: sa.Connection, table_id: str, came: tuple[list[str], float] | None
) -> list[dict[str, Any]]:
    """Return what is filed of a game."""
    head = connection.execute(sa.select(schema.tables).where(_heads.id == table_id)).one()
    query = sa.select(_seats.seat, _seats.kind, _seats.name, _seats.bot, _seats.account)
    seats = connection.execute(query.where(_seats.table_id == table_id)).all()
    results, ended = came or ([NOTHING] * len(seats), head.updated)
    return [
        {
            "table_id": table_id,
            "seat": seat.seat,
            "account": seat.account,
            "bot": seat.bot if seat.kind == "bot" and not seat.name else "",
            "game": head.game,
            "spec": head.spec,
            "public": head.public,
            "ended": ended,
            "result": results[seat.seat],
            "opening": _opening(connection, table_id, seat.seat) if seat.kind == "person" else "",
        }
        for seat in seats
    ]


def _results(snapshot: Snapshot) -> list[str]:
    """Return what came of a game for each seat; a seat that a bot took over has lost.

    What goes on from another game is practice, and does not count.
    """
    how = snapshot.ending.partition(" ")[0]
    if how not in COUNTS or not snapshot.playable or snapshot.sources:
        return [NOTHING] * snapshot.game.seats
    won, left = snapshot.winners, deserted(snapshot)
    results = ["won" if seat in won else "lost" for seat in range(snapshot.game.seats)]
    if not won:
        results = ["drawn"] * len(results)
    return ["lost" if seat in left else result for seat, result in enumerate(results)]


def _opening(connection: sa.Connection, table_id: str, seat: int) -> str:
    """Return the tokens of what a seat chose first, all that it sent together."""
    query = (
        sa.select(_entries.batch, _entries.token)
        .where(_entries.table_id == table_id, _entries.seat == seat, _entries.kind == "act")
        .order_by(_entries.number)
        .limit(LONGEST_OPENING // 5)
    )
    rows = connection.execute(query).all()
    first = [row.token or "" for row in rows if row.batch == rows[0].batch]
    return " ".join(first)[:LONGEST_OPENING]


def _players(connection: sa.Connection, table_ids: Sequence[str]) -> dict[str, list[Player]]:
    """Return who sat at some tables, in the order of the seats."""
    if not table_ids:
        return {}
    query = (
        sa.select(
            *(_seats.table_id, _seats.account, _seats.name, _seats.kind, _seats.bot),
            *(_played.game, _played.result),
        )
        .join_from(
            schema.seats,
            schema.played,
            (_seats.table_id == _played.table_id) & (_seats.seat == _played.seat),
        )
        .where(_seats.table_id.in_(table_ids))
        .order_by(_seats.seat)
    )
    found: dict[str, list[Player]] = {table_id: [] for table_id in table_ids}
    for row in connection.execute(query):
        bot = present_name(row.bot, row.game) if row.kind == "bot" else ""
        found[row.table_id].append(Player(row.account, row.name, bot, row.result))
    return found


def _record(rows: Sequence[Any], met: Iterable[Any], *, own: bool) -> Record:
    by_game: dict[str, Tally] = {}
    by_spec: dict[str, Tally] = {}
    by_seat: dict[tuple[str, int], Tally] = {}
    openings: dict[tuple[str, str], Opening] = {}
    for row in rows:
        by_game.setdefault(row.game, Tally()).add(row.result)
        spec, side = _side(row.spec, row.seat)
        by_spec.setdefault(spec, Tally()).add(row.result)
        by_seat.setdefault((spec, side), Tally()).add(row.result)
        if own and row.opening:
            new = Opening(row.game, row.opening, row.table_id, Tally())
            openings.setdefault((row.game, row.opening), new).tally.add(row.result)
    results = [row.result for row in rows]
    often = Counter({spec: tally.games for spec, tally in by_spec.items()}).most_common(SPECS)
    favourites = sorted(openings.values(), key=lambda one: -one.tally.games)
    return Record(
        by_game=by_game,
        by_spec={spec: by_spec[spec] for spec, _ in often},
        by_seat=by_seat,
        opponents=_opponents(met),
        openings=tuple(one for one in favourites if one.tally.games > 1)[:OPENINGS],
        streak=_streak(results),
        longest=_longest(results),
        whole=len(rows) < NEWEST,
    )


def _side(spec: str, seat: int) -> tuple[str, int]:
    """Return a game as it is where nobody has chosen a colour, and who has the seat's there."""
    try:
        game = known(spec) if COLOURS in spec else None
    except TianxiaError:
        game = None
    return (game.uncoloured.spec, game.colours[seat]) if game else (spec, seat)


def _opponents(met: Iterable[Any]) -> tuple[Opponent, ...]:
    """Return whom somebody has met most often."""
    found: dict[tuple[str, str, str], Tally] = {}
    for row in met:
        bot = present_name(row.bot, row.of) if row.bot else ""
        found.setdefault((row.account, bot, row.of), Tally()).add(row.result, row.many)
    often = sorted(found.items(), key=lambda one: (-one[1].games, one[0]))
    return tuple(Opponent(*who, tally) for who, tally in often[:OPPONENTS])


def _streak(results: Sequence[str]) -> tuple[str, int]:
    if not results:
        return "", 0
    other = next((place for place, one in enumerate(results) if one != results[0]), len(results))
    return results[0], other


def _longest(results: Iterable[str]) -> int:
    longest = running = 0
    for result in results:
        running = running + 1 if result == "won" else 0
        longest = max(longest, running)
    return longest
