"""Tournaments: who enters, who meets whom, what came of it. Safe to call from many threads.

A round is begun by whichever process is first: it moves the tournament's version on, and the
others find nothing to do. Its tables are made one by one after that; who goes on after a process
that has died makes those that are missing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

from tianxia.accounts import Account, Accounts
from tianxia.draw.languages import N_
from tianxia.kernel.errors import TianxiaError
from tianxia.lobby.shunning import Shunned
from tianxia.ratings import NEW, Ratings
from tianxia.tables import SeatPlan, Snapshot, Unavailable, people, schema, seating
from tianxia.tables.clocks import DAY, Pace
from tianxia.tables.store import LOBBY_CHANNEL, Conflict
from tianxia.tournaments import pairing
from tianxia.tournaments.errors import BadWish, NotNowHere, NotYours, UnknownTournament
from tianxia.tournaments.games import missing, points_at
from tianxia.tournaments.model import ALL, SYSTEMS, Entrant, Found, Row, Tournament, Wish

_made, _entered, _paired = schema.tournaments.c, schema.entrants.c, schema.pairings.c
_accounts, _heads = schema.accounts.c, schema.tables.c
log = logging.getLogger("tianxia.tournaments")

LONGEST_NAME = 60
MOST_ROUNDS = 15
MOST_PEOPLE = {"swiss": 100, "round-robin": 16}
MOST_AT_ONCE = 3
"""Tournaments of somebody's that are not over."""
FURTHEST = 60 * DAY
"""How far ahead a tournament can be announced."""
LISTED = 50
TRIES = 5
BEAT = "tournaments"
BEAT_SECONDS, GAP_SECONDS = 5.0, 15.0
"""How often it is noted that somebody looks after tournaments, and what was too long ago."""
NOTHING = ""


class Tournaments:
    """All tournaments of a database."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.tables = accounts.tables
        self.store = accounts.store
        self._shunned = Shunned(self.store)
        self._ratings = Ratings(self.tables)
        self._stuck: set[str] = set()  # told of in the log

    # --- Making one ---

    def make(self, account: Account, wish: Wish) -> str:
        """Make a tournament; return its id. Whoever makes it does not enter by that.

        Raises
        ------
        Refused
            For what cannot be played, or not so; and where somebody has enough of them.
        """
        game, now = seating.find(wish.spec), self.tables.clock()
        wish = replace(wish, name=people.clean(wish.name, LONGEST_NAME), spec=game.spec)
        self._check(wish, game.seats, now)
        row = {
            **{name: getattr(wish, name) for name in Wish.__slots__},
            "id": people.new_id(),
            "maker": account.id,
            "pace": str(Pace.read(wish.pace)),
            "created": now,
            "status": "open",
            "round": 0,
            "due": None,
            "version": 1,
        }
        mine = _made.maker == account.id, _made.status.in_(("open", "playing"))
        with self.store.writing() as connection:
            made = self.store.count_in_turn(connection, f"tournaments {account.id}", *mine)
            if made >= MOST_AT_ONCE:
                text = N_("You have {most} tournaments already that are not over.")
                raise BadWish("too-many-tournaments", text, most=MOST_AT_ONCE)
            connection.execute(sa.insert(schema.tournaments), row)
        return str(row["id"])

    def _check(self, wish: Wish, seats: int, now: float) -> None:
        self._check_name(wish.name)
        if Pace.read(wish.pace).kind == "none":
            text = N_("Choose a clock: without one, somebody who vanishes would hold everybody up.")
            raise BadWish("pace", text)
        if wish.system not in SYSTEMS:
            text = N_("The system is one of {all}.")
            raise BadWish("system", text, all=", ".join(SYSTEMS))
        if wish.system == ALL and seats > pairing.TWO:
            text = N_("A round robin is for games of two: choose Swiss.")
            raise BadWish("system", text)
        if not 1 <= wish.rounds <= MOST_ROUNDS:
            text = N_("A tournament has 1 to {most} rounds.")
            raise BadWish("rounds", text, most=MOST_ROUNDS)
        if wish.starts is not None and not now < wish.starts <= now + FURTHEST:
            text = N_("Choose a time that lies ahead, {days} days at most.")
            raise BadWish("starts", text, days=round(FURTHEST / DAY))

    def _check_name(self, name: str) -> None:
        if not name:
            raise BadWish("name", N_("Give the tournament a name."))

    # --- Looking ---

    def get(self, tournament_id: str) -> Found:
        """Return a tournament as it stands.

        Raises
        ------
        UnknownTournament
        """
        own = sa.select(schema.tournaments).where(_made.id == tournament_id)
        rows = (
            sa.select(
                _paired.round,
                _paired.entrant,
                _paired.board,
                _paired.seat,
                _paired.table_id,
                _paired.points,
            )
            .where(_paired.tournament_id == tournament_id)
            .order_by(_paired.round, _paired.entrant)
        )
        with self.store.reading() as connection:
            head = connection.execute(own).one_or_none()
            if head is None:
                raise UnknownTournament
            entrants = connection.execute(_entrants(tournament_id)).all()
            paired = connection.execute(rows).all()
        return Found(
            Tournament(*head),
            tuple(Entrant(*row) for row in entrants),
            tuple(Row(*row) for row in paired),
        )

    def listed(self, status: str, limit: int = LISTED) -> list[Tournament]:
        """Return the public tournaments of a status, the newest first."""
        query = (
            sa.select(schema.tournaments)
            .where(_made.public, _made.status == status)
            .order_by(_made.created.desc())
            .limit(limit)
        )
        return self._all(query)

    def of_account(self, account: str) -> list[Tournament]:
        """Return the tournaments of an account that are not over, private ones, too."""
        entered = sa.select(_entered.tournament_id).where(_entered.account == account)
        query = sa.select(schema.tournaments).where(
            (_made.id.in_(entered) | (_made.maker == account)),
            _made.status.in_(("open", "playing")),
        )
        return self._all(query.order_by(_made.created.desc()).limit(LISTED))

    def _all(self, query: sa.Select[Any]) -> list[Tournament]:
        return [Tournament(*row) for row in self.store.rows(query)]

    def how_many(self, tournament_ids: Iterable[str]) -> dict[str, int]:
        """Return how many people have entered each of some tournaments."""
        query = (
            sa.select(_entered.tournament_id, sa.func.count())
            .where(_entered.tournament_id.in_(sorted(tournament_ids)))
            .group_by(_entered.tournament_id)
        )
        return {str(row[0]): row[1] for row in self.store.rows(query)}

    # --- Entering ---

    def enter(self, tournament_id: str, account: Account) -> None:
        """Enter a tournament; who has withdrawn from one that has begun comes back.

        In a Swiss tournament that has begun one is paired from the next round on.

        Raises
        ------
        UnknownTournament, NotNow
        Refused
            For programs where only people play, and where it is full.
        """
        for _ in range(TRIES):
            found = self.get(tournament_id)
            mine = found.of_account(account.id)
            if mine is not None and not mine.gone:
                return
            self._check_entering(found, account, again=mine is not None)
            strength = self._strength(found.tournament, account)
            try:
                with self.store.writing() as connection:
                    version = self._move(connection, found.tournament)
                    self._enter(connection, found, account, strength)
            except (Conflict, exc.IntegrityError):
                continue  # somebody else has entered meanwhile, or it has begun
            self.tables.lobby.publish(tournament_id, version)
            return
        raise _busy()

    def _check_entering(self, found: Found, account: Account, *, again: bool) -> None:
        tournament = found.tournament
        if tournament.status in ("over", "off"):
            raise _over()
        if not tournament.takes and not again:
            raise NotNowHere("begun", N_("It is too late to enter this tournament."))
        if account.bot and not tournament.bots:
            raise BadWish("people-only", N_("Only people play in this tournament."))
        most = MOST_PEOPLE[tournament.system]
        if not again and len(found.entrants) >= most:
            raise BadWish("full", N_("This tournament is full: {most} play in it."), most=most)

    def _strength(self, tournament: Tournament, account: Account) -> int:
        """Return the rating of an account in the game and at the pace of a tournament."""
        key = tournament.game.name, Pace.read(tournament.pace).category
        return self._ratings.of(account.id).get(key, NEW).shown

    def _enter(
        self, connection: sa.Connection, found: Found, account: Account, strength: int
    ) -> None:
        mine = found.of_account(account.id)
        if mine is not None:
            connection.execute(self._entrant(found.tournament.id, mine.number).values(gone=False))
            return
        row = {
            "tournament_id": found.tournament.id,
            "number": max((one.number for one in found.entrants), default=0) + 1,
            "account": account.id,
            "strength": strength,
            "gone": False,
        }
        connection.execute(sa.insert(schema.entrants), row)

    def withdraw(self, tournament_id: str, account: Account) -> None:
        """Withdraw; a game that is being played is played on, and there are no others.

        Raises
        ------
        UnknownTournament, NotNow
        """
        for _ in range(TRIES):
            found = self.get(tournament_id)
            mine = found.of_account(account.id)
            if found.tournament.status in ("over", "off"):
                raise _over()
            if mine is None:
                raise NotNowHere("not-in", N_("You do not play in this tournament."))
            own = self._entrant(tournament_id, mine.number)
            gone = sa.delete(schema.entrants).where(
                _entered.tournament_id == tournament_id, _entered.number == mine.number
            )
            try:
                with self.store.writing() as connection:
                    version = self._move(connection, found.tournament)
                    opened = found.tournament.status == "open"
                    connection.execute(gone if opened else own.values(gone=True))
            except Conflict:
                continue
            self.tables.lobby.publish(tournament_id, version)
            return
        raise _busy()

    def _entrant(self, tournament_id: str, number: int) -> sa.Update:
        mine = (_entered.tournament_id == tournament_id) & (_entered.number == number)
        return sa.update(schema.entrants).where(mine)

    # --- Beginning and ending ---

    def begin(self, tournament_id: str, account: Account) -> None:
        """Begin now.

        Raises
        ------
        UnknownTournament, NotYourSeat
        NotNow
            Where it has begun, or too few have entered.
        """
        for _ in range(TRIES):
            found = self.get(tournament_id)
            self._check_own(found.tournament, account)
            if found.tournament.status != "open":
                raise NotNowHere("begun-already", N_("This tournament has begun."))
            if len(found.entrants) < found.tournament.least:
                text = N_("At least {least} people have to enter first.")
                raise NotNowHere("too-few", text, least=found.tournament.least)
            if self._next_round(found):  # else somebody has entered or withdrawn meanwhile
                self.look_after(tournament_id)
                return
        raise _busy()

    def end(self, tournament_id: str, account: Account) -> None:
        """Call a tournament off, or end it as it stands; games that are being played go on.

        Raises
        ------
        UnknownTournament, NotYourSeat, NotNow
        """
        tournament = self.get(tournament_id).tournament
        self._check_own(tournament, account)
        self._end(tournament, account.name if tournament.maker != account.id else "")

    def _end(self, tournament: Tournament, who: str, why: str = NOTHING) -> None:
        """End a tournament; `who` is noted where it is not its maker who does so."""
        if tournament.status in ("over", "off"):
            raise _over()
        status = "off" if tournament.status == "open" else "over"
        self._keep(tournament, who, "end-tournament", why, status=status, due=None)

    def _keep(
        self, tournament: Tournament, who: str, what: str, why: str, **values: object
    ) -> None:
        """Change a tournament, and note who has done it for the server."""
        about = tournament.name
        if "name" in values:
            about = f"{about} → {values['name']}"
        row = {"at": self.tables.clock(), "who": who, "what": what, "about": about, "why": why}
        try:
            with self.store.writing() as connection:
                version = self._move(connection, tournament, **values)
                if who:
                    connection.execute(sa.insert(schema.audit), row)
        except Conflict as error:
            raise _busy() from error
        self.tables.lobby.publish(tournament.id, version)

    # --- For those who look after the server ---

    def close(self, who: str, tournament_id: str, why: str) -> None:
        """Call any tournament off, or end it as it stands.

        Raises
        ------
        UnknownTournament, NotNow
        """
        self._end(self.get(tournament_id).tournament, who, why)

    def rename(self, who: str, tournament_id: str, name: str, why: str) -> None:
        """Give any tournament another name.

        Raises
        ------
        UnknownTournament
        Refused
            For a name in which there is nothing to read.
        """
        tournament, name = self.get(tournament_id).tournament, people.clean(name, LONGEST_NAME)
        self._check_name(name)
        self._keep(tournament, who, "rename-tournament", why, name=name)

    def _check_own(self, tournament: Tournament, account: Account) -> None:
        if tournament.maker != account.id and not account.admin:
            raise NotYours

    # --- Looking after them ---

    def sweep(self) -> int:
        """Do what is due in all tournaments; return how many there was something to do for."""
        self._forgive()
        starting = sa.select(_made.id).where(
            _made.status == "open", _made.starts <= self.tables.clock()
        )
        due = self.store.column(starting)
        for tournament_id in due:
            self._try(self._start, tournament_id)
        waiting = self._waiting_for_us()
        for tournament_id in waiting:
            self._try(self.look_after, tournament_id)
        return len(due) + len(waiting)

    def _try(self, step: Callable[[str], None], tournament_id: str) -> None:
        """Do something for a tournament; one that cannot go on holds up no other."""
        try:
            step(tournament_id)
        except Unavailable:
            raise
        except TianxiaError as error:  # such as that its game is not installed here
            if tournament_id not in self._stuck:
                log.warning("tournament %s cannot go on: %s", tournament_id, error)
            self._stuck.add(tournament_id)

    def _waiting_for_us(self) -> list[str]:
        """Return the tournaments in which something is to be done.

        In their round a table has to be made, a game has ended or somebody is missing; or
        all is done, and whoever should have gone on was stopped.
        """
        now = self.tables.clock()
        missing_now = (_heads.status == "waiting") & ((_made.due <= now) | _entered.gone)
        of_round = (_paired.tournament_id == _made.id) & (_paired.round == _made.round)
        lasts = of_round & _paired.points.is_(None)
        to_do = (
            sa.select(_made.id)
            .join_from(schema.tournaments, schema.pairings, lasts)
            .join(
                schema.entrants,
                (_entered.tournament_id == _made.id) & (_entered.number == _paired.entrant),
            )
            .join(schema.tables, _heads.id == _paired.table_id, isouter=True)
            .where(
                _made.status == "playing",
                (_paired.table_id == NOTHING) | (_heads.status == "over") | missing_now,
            )
            .distinct()
        )
        done = sa.select(_made.id).where(
            _made.status == "playing",
            ~sa.select(_paired.entrant).where(lasts).correlate(schema.tournaments).exists(),
        )
        with self.store.reading() as connection:
            found = {*connection.execute(to_do).scalars(), *connection.execute(done).scalars()}
        return sorted(found)

    def _forgive(self) -> None:
        """Give people the time in which no process was there to come to their games."""
        now, last = self.tables.clock(), self.store.last_beat(BEAT)
        playing = self._all(sa.select(schema.tournaments).where(_made.status == "playing"))
        if not playing or (last is not None and 0 <= now - last < BEAT_SECONDS):
            return
        if last is None or not 0 <= now - last > GAP_SECONDS:
            self.store.beat(now, BEAT)
            return
        beat = schema.beats
        mine = sa.update(beat).where(beat.c.name == BEAT, beat.c.at == last).values(at=now)
        with self.store.writing() as connection:
            if connection.execute(mine).rowcount != 1:
                return  # another process has done it
            for one in playing:
                due = min((one.due or now) + now - last, now + one.come_seconds)
                own = sa.update(schema.tournaments).where(_made.id == one.id)
                connection.execute(own.values(due=due))

    def _start(self, tournament_id: str) -> None:
        """Begin what begins by itself; with too few people it is called off."""
        found = self.get(tournament_id)
        if found.tournament.status != "open":
            return
        if len(found.entrants) >= found.tournament.least:
            self._next_round(found)
            return
        with suppress(Conflict), self.store.writing() as connection:
            version = self._move(connection, found.tournament, status="off")
            self.tables.lobby.publish(tournament_id, version)

    def look_after(self, tournament_id: str) -> None:
        """Make the tables that are missing, count the games that have ended, and go on.

        What happens to those who do not come: with two the other one has won, and at larger
        tables bots play for them; they are not paired any more, until they say that they are
        back. An account that was deleted is somebody who does not come.
        """
        found = self.get(tournament_id)
        if found.tournament.status != "playing":
            return
        self._make_tables(found)
        found = self.get(tournament_id)
        for board in found.boards(found.tournament.round).values():
            if board[0].points is None and board[0].table_id:
                self._look_at(found, board)
        found = self.get(tournament_id)
        now = [row for row in found.rows if row.round == found.tournament.round]
        done = found.tournament.status == "playing" and all(one.points is not None for one in now)
        if done and self._next_round(found):
            self.look_after(tournament_id)

    # --- Rounds ---

    def _next_round(self, found: Found) -> bool:
        """Begin the next round, or end the tournament; say whether a round has begun by this.

        Of several processes that do so at once one does it.
        """
        tournament, rounds = found.tournament, found.tournament.rounds
        if tournament.round == 0:
            rounds = tournament.rounds_with(len(found.entrants))
        made = None
        if tournament.round < rounds and len(found.playing) >= tournament.size:
            made = self._paired(found)
        try:
            with self.store.writing() as connection:
                after: dict[str, object] = {"status": "over", "due": None}
                if made is not None:
                    due = self.tables.clock() + tournament.come_seconds
                    after = {"round": tournament.round + 1, "rounds": rounds, "due": due}
                    after["status"] = "playing"
                version = self._move(connection, tournament, **after)
                if made is not None:
                    connection.execute(sa.insert(schema.pairings), made)
        except (Conflict, exc.IntegrityError):
            return False
        self.tables.lobby.publish(tournament.id, version)
        return made is not None

    def _paired(self, found: Found) -> list[dict[str, object]]:
        """Return the rows of the next round."""
        tournament = found.tournament
        if tournament.system == ALL:
            order = [one.number for one in found.entrants]
            drawn = pairing.round_robin(order, tournament.round)
        else:
            drawn = pairing.swiss(self._to_pair(found), tournament.size)
        playing, rows = set(found.playing), []
        boards = [table for table in drawn.tables if playing >= set(table)]
        alone = [who for table in drawn.tables if table not in boards for who in table]
        common = {"tournament_id": tournament.id, "round": tournament.round + 1, "table_id": ""}
        for number, table in enumerate(boards):
            rows += [
                {**common, "entrant": who, "board": number, "seat": seat, "points": None}
                for seat, who in enumerate(table)
            ]
        # Whose opponent in a round robin has withdrawn has won.
        idle = [*((who, 1.0) for who in alone), *((who, tournament.rest) for who in drawn.byes)]
        for who, points in idle:
            given = points if who in playing else 0.0
            rows.append({**common, "entrant": who, "board": None, "seat": 0, "points": given})
        return rows

    def _to_pair(self, found: Found) -> list[pairing.Entrant]:
        """Return those who are to be paired, as they stand; who is shunned counts as met."""
        playing, size = set(found.playing), found.tournament.size
        numbers = {one.person: one.number for one in found.entrants}
        met: dict[int, dict[int, int]] = {number: {} for number in found.by_number}
        sat = {number: [0] * size for number in found.by_number}
        byes = dict.fromkeys(found.by_number, 0)
        for number in range(1, found.tournament.round + 1):
            for board in found.boards(number).values():
                for row in board:
                    sat[row.entrant][row.seat] += 1
                    others = (one.entrant for one in board if one is not row)
                    met[row.entrant] |= {who: met[row.entrant].get(who, 0) + 1 for who in others}
            for row in found.byes(number):
                byes[row.entrant] += 1
        for one in found.entrants:
            shuns = self._shunned.either_way(one.person) if one.person else ()
            for who in (numbers[person] for person in shuns if person in numbers):
                met[one.number][who] = met[one.number].get(who, 0) + 1
        return [
            pairing.Entrant(
                one.entrant,
                one.points,
                met[one.entrant],
                tuple(sat[one.entrant]),
                byes[one.entrant],
            )
            for one in found.standings
            if one.entrant in playing
        ]

    # --- Tables ---

    def _make_tables(self, found: Found) -> None:
        """Make the tables of this round that there are not yet."""
        for number, board in found.boards(found.tournament.round).items():
            if not board[0].table_id:
                self._make_table(found, number, board)

    def _make_table(self, found: Found, number: int, board: Sequence[Row]) -> None:
        tournament = found.tournament
        seated = [found.by_number[row.entrant] for row in board]
        plans = [
            SeatPlan("held", person=one.person, name=one.name, account=one.account)
            for one in seated
        ]
        versions: list[int] = []
        own = sa.update(schema.pairings).where(
            _paired.tournament_id == tournament.id,
            _paired.round == tournament.round,
            _paired.board == number,
            _paired.table_id == NOTHING,
        )

        def mark(connection: sa.Connection, table_id: str) -> None:
            if connection.execute(own.values(table_id=table_id)).rowcount != len(board):
                raise Conflict  # another process has made it
            versions.append(self._bump(connection, tournament.id))

        rated = tournament.rated and all(one.account for one in seated)
        try:
            self.tables.create(
                tournament.game,
                plans,
                person=NOTHING,
                public=tournament.public,
                pace=tournament.pace,
                rated=rated,
                seeded=True,
                tournament_id=tournament.id,
                also=mark,
            )
        except Conflict:
            return
        self.tables.lobby.publish(tournament.id, versions[0])

    def _look_at(self, found: Found, board: Sequence[Row]) -> None:
        """Count a game that has ended; begin or close one to which somebody has not come."""
        snapshot = self.tables.snapshot(board[0].table_id)
        if snapshot.status == "waiting":
            late = self.tables.clock() >= (found.tournament.due or 0.0)
            absent = any(found.by_number[one.entrant].gone for one in board)
            if late or absent:
                snapshot = missing(self.tables, snapshot.id, self._absent(found, board, late=late))
        if snapshot.status == "over":
            self._count(found.tournament, board, snapshot)

    def _absent(self, found: Found, board: Sequence[Row], *, late: bool) -> list[int]:
        """Return the seats for whose people nobody waits any longer."""
        return [one.seat for one in board if late or found.by_number[one.entrant].gone]

    def _count(self, tournament: Tournament, board: Sequence[Row], snapshot: Snapshot) -> None:
        """Count a game; who was missing at it, or never decided anything, is paired no more."""
        points, vanished = points_at(snapshot)
        with self.store.writing() as connection:
            for row in board:
                own = sa.update(schema.pairings).where(
                    _paired.tournament_id == tournament.id,
                    _paired.round == row.round,
                    _paired.entrant == row.entrant,
                    _paired.points.is_(None),
                )
                counted = connection.execute(own.values(points=points[row.seat])).rowcount
                if counted and row.seat in vanished:
                    gone = self._entrant(tournament.id, row.entrant).values(gone=True)
                    connection.execute(gone)
            version = self._bump(connection, tournament.id)
        self.tables.lobby.publish(tournament.id, version)

    # --- Versions ---

    def _move(self, connection: sa.Connection, tournament: Tournament, **values: object) -> int:
        """Make the next version of a tournament, based on one that was looked at; return it."""
        own = sa.update(schema.tournaments).where(
            _made.id == tournament.id, _made.version == tournament.version
        )
        version = tournament.version + 1
        if connection.execute(own.values(version=version, **values)).rowcount != 1:
            raise Conflict
        self.store.notify(connection, LOBBY_CHANNEL, tournament.id, version)
        return version

    def _bump(self, connection: sa.Connection, tournament_id: str) -> int:
        """Make the next version, whatever the one before; return it."""
        own = sa.update(schema.tournaments).where(_made.id == tournament_id)
        connection.execute(own.values(version=_made.version + 1))
        query = sa.select(_made.version).where(_made.id == tournament_id)
        version = int(connection.execute(query).scalar_one())
        self.store.notify(connection, LOBBY_CHANNEL, tournament_id, version)
        return version


def _entrants(tournament_id: str) -> sa.Select[Any]:
    """Return what finds the entrants of a tournament."""
    return (
        sa.select(
            _entered.number,
            sa.func.coalesce(_accounts.id, NOTHING),
            sa.func.coalesce(_accounts.name, NOTHING),
            sa.func.coalesce(_accounts.person, NOTHING),
            sa.func.coalesce(_accounts.bot, sa.false()),
            _entered.strength,
            _entered.gone,
        )
        .join_from(schema.entrants, schema.accounts, _accounts.id == _entered.account, isouter=True)
        .where(_entered.tournament_id == tournament_id)
        .order_by(_entered.number)
    )


def _over() -> NotNowHere:
    return NotNowHere("over", N_("This tournament is over."))


def _busy() -> NotNowHere:
    return NotNowHere("busy", N_("This tournament has just changed: try again."))
