"""Counting rated games: `Ratings`. Synchronous and safe to call from many threads.

Games count in the order of `results.number`. Counted again in that order, from what the stored
games say, they give the very same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import exc

from tianxia.tables import Snapshot, TableError, Tables, Unavailable, schema
from tianxia.tables.game_log import TO_BOTS

MIDDLE, SCALE = 1500.0, 24.0
"""Somebody new has MIDDLE points; one of the model's is SCALE of those that are shown."""
PROVISIONAL = 5.0
"""A rating is provisional as long as the model's deviation is greater."""
PACES = ("quick", "calm", "mail", "none")
COUNTS = frozenset(("rules", "agreement", "resignation", "clock", "clocks", "silence"))
"""Endings that count."""
BACK_SECONDS = 86400.0
"""How far behind the newest counted game others may have ended that are not counted yet."""

_heads, _seats = schema.tables.c, schema.seats.c
_results, _ratings = schema.results, schema.ratings


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is, and how sure that is."""

    mu: float
    sigma: float
    games: int = 0

    @property
    def shown(self) -> int:
        """The points that people see."""
        return round(MIDDLE + SCALE * (self.mu - NEW.mu))

    @property
    def deviation(self) -> int:
        """In 95 of 100 cases the truth is no further away than this."""
        return round(2 * SCALE * self.sigma)

    @property
    def sure(self) -> float:
        """What leaderboards go by: hardly anybody is weaker than that."""
        return self.mu - 3 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether there are too few games to say much."""
        return self.sigma > PROVISIONAL


NEW = Rating(25.0, 25.0 / 3.0)


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's place among all; `bot`: a program decides, `account` is empty for ours."""

    account: str
    name: str
    rating: Rating
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a rated game: the accounts by seat, and their places."""

    table_id: str
    game: str
    pace: str
    ended: float
    accounts: tuple[str, ...]
    places: tuple[int, ...]


def places(snapshot: Snapshot) -> tuple[int, ...] | None:
    """Return the places of the seats, 0 the best; None where a game does not count.

    Nobody's rating changes by a game that ended before every seat had decided something. A
    seat that a bot has played to the end is last.
    """
    how = snapshot.ending.partition(" ")[0]
    seats = frozenset(range(snapshot.game.seats))
    counts = how in COUNTS and snapshot.decided == seats and snapshot.playable
    return ranks(snapshot) if counts else None


def ranks(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the places of the seats, 0 the best, however a game has ended; equal ones are ties."""
    seats = range(snapshot.game.seats)
    if snapshot.ending == "rules":
        values = list(snapshot.state.utilities())
    else:
        values = [float(seat in snapshot.winners) for seat in seats]
    worst, missing = min(values) - 1, deserted(snapshot)
    values = [worst if seat in missing else value for seat, value in enumerate(values)]
    order = sorted(set(values), reverse=True)
    return tuple(order.index(value) for value in values)


def deserted(snapshot: Snapshot) -> frozenset[int]:
    """Return the seats of people for whom a bot has played to the end: they left, or never came."""
    left = {entry.seat for entry in snapshot.entries if entry.kind in TO_BOTS}
    return frozenset(
        seat
        for seat, info in enumerate(snapshot.seats)
        if info.kind == "bot" and (seat in left or info.reserved)
    )


def rate(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game."""
    from openskill.models import PlackettLuce  # most processes rate nothing

    model = PlackettLuce(mu=NEW.mu, sigma=NEW.sigma)
    teams = [[model.create_rating([one.mu, one.sigma])] for one in ratings]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [
        Rating(team[0].mu, team[0].sigma, old.games + 1)
        for team, old in zip(rated, ratings, strict=True)
    ]


class Ratings:
    """The ratings of all accounts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._passed_over: set[str] = set()  # games that do not count: none is looked at twice

    # --- Counting ---

    def settle(self) -> int:
        """Count the rated games that have ended since; return how many.

        Of several processes that do so at once one counts a game; the others come back later.
        """
        counted = 0
        ended = self._uncounted()
        self._passed_over.intersection_update(ended)
        for table_id in ended:
            outcome = None if table_id in self._passed_over else self._outcome(table_id)
            if outcome is None:
                self._passed_over.add(table_id)
                continue
            try:
                with self._store.writing() as connection:
                    self._count(connection, outcome)
            except exc.IntegrityError:  # another process was faster
                continue
            counted += 1
        return counted

    def _uncounted(self) -> list[str]:
        done = sa.select(_results.c.table_id).where(_results.c.table_id == _heads.id).exists()
        newest = sa.select(sa.func.max(_results.c.number)).scalar_subquery()
        last = sa.select(sa.func.max(_results.c.ended)).where(_results.c.number == newest)
        since = self._store.scalar(last) or 0.0
        query = (
            sa.select(_heads.id)
            .where(_heads.rated, _heads.updated >= since - BACK_SECONDS)
            .where(_heads.status == "over", ~done)
            .order_by(_heads.updated, _heads.id)
        )
        return self._store.column(query)

    def _outcome(self, table_id: str) -> Outcome | None:
        """Return what came of a game, from what is stored of it; None where it does not count."""
        try:
            snapshot = self._tables.snapshot(table_id)
        except Unavailable:
            raise
        except TableError:
            return None
        accounts = tuple(info.account for info in snapshot.seats)
        found = places(snapshot)
        if found is None or not all(accounts) or len(set(accounts)) < len(accounts):
            return None
        game, pace = snapshot.game.name, snapshot.pace.category
        return Outcome(table_id, game, pace, snapshot.entries[-1].at, accounts, found)

    def _count(self, connection: sa.Connection, outcome: Outcome) -> None:
        known = {
            row.account: Rating(row.mu, row.sigma, row.games)
            for row in connection.execute(
                sa.select(_ratings).where(
                    _ratings.c.account.in_(outcome.accounts),
                    _ratings.c.game == outcome.game,
                    _ratings.c.pace == outcome.pace,
                )
            )
        }
        number = connection.execute(sa.select(sa.func.max(_results.c.number))).scalar() or 0
        before = [known.get(account, NEW) for account in outcome.accounts]
        after = rate(before, outcome.places)
        self._write(connection, outcome, number + 1, after)
        key = sa.and_(_ratings.c.game == outcome.game, _ratings.c.pace == outcome.pace)
        mine = sa.and_(key, _ratings.c.account.in_(outcome.accounts))
        connection.execute(sa.delete(_ratings).where(mine))
        pairs = zip(outcome.accounts, after, strict=True)
        rows = [_row(account, outcome.game, outcome.pace, one) for account, one in pairs]
        connection.execute(sa.insert(_ratings), rows)

    def _write(
        self, connection: sa.Connection, outcome: Outcome, number: int, after: Sequence[Rating]
    ) -> None:
        connection.execute(
            sa.insert(_results),
            [
                {
                    "table_id": outcome.table_id,
                    "seat": seat,
                    "number": number,
                    "account": account,
                    "game": outcome.game,
                    "pace": outcome.pace,
                    "ended": outcome.ended,
                    "place": outcome.places[seat],
                    "mu": after[seat].mu,
                    "sigma": after[seat].sigma,
                }
                for seat, account in enumerate(outcome.accounts)
            ],
        )

    def recompute(self) -> int:
        """Work all ratings out anew from the stored games; return how many games count.

        Games that end meanwhile are counted before it is done, or after.
        """
        while True:
            order = self._order()
            outcomes = [
                one for game in order if (one := self._outcome(game) or self._counted(game))
            ]
            with self._store.writing() as connection:
                if self._order(connection) == order:
                    self._replace(connection, outcomes)
                    return len(outcomes)

    def _counted(self, table_id: str) -> Outcome | None:
        """Return what came of a game when it was counted: its rules may not be installed now."""
        query = sa.select(_results).where(_results.c.table_id == table_id)
        rows = self._store.rows(query.order_by(_results.c.seat))
        if not rows:  # the table has gone meanwhile
            return None
        accounts, found = tuple(row.account for row in rows), tuple(row.place for row in rows)
        return Outcome(table_id, rows[0].game, rows[0].pace, rows[0].ended, accounts, found)

    def _order(self, connection: sa.Connection | None = None) -> list[str]:
        """Return the counted games, in their order."""
        row = _results.c
        query = sa.select(row.table_id).where(row.seat == 0).order_by(row.number)
        if connection is None:
            return self._store.column(query)
        return list(connection.execute(query).scalars())

    def _replace(self, connection: sa.Connection, outcomes: Sequence[Outcome]) -> None:
        connection.execute(sa.delete(_results))
        connection.execute(sa.delete(_ratings))
        known: dict[tuple[str, str, str], Rating] = {}
        for number, outcome in enumerate(outcomes, 1):
            keys = [(account, outcome.game, outcome.pace) for account in outcome.accounts]
            after = rate([known.get(key, NEW) for key in keys], outcome.places)
            known |= dict(zip(keys, after, strict=True))
            self._write(connection, outcome, number, after)
        if known:
            rows = [_row(*key, rating) for key, rating in known.items()]
            connection.execute(sa.insert(_ratings), rows)

    # --- Looking ---

    def best(self, game: str, pace: str, limit: int = 100) -> list[Standing]:
        """Return the strongest accounts of a game and pace: those surest to be strong first."""
        row, accounts = _ratings.c, schema.accounts.c
        query = (
            sa.select(row.account, accounts.name, accounts.bot, row.mu, row.sigma, row.games)
            .join(schema.accounts, accounts.id == row.account)
            .where(row.game == game, row.pace == pace)
            .order_by(row.points.desc())
            .limit(limit)
        )
        found = self._store.rows(query)
        return [Standing(one.account, one.name, Rating(*one[3:]), one.bot) for one in found]

    def of(self, account: str) -> dict[tuple[str, str], Rating]:
        """Return somebody's ratings by game and pace."""
        return {key[1:]: rating for key, rating in self.several([account]).items()}

    def several(self, accounts: Iterable[str]) -> dict[tuple[str, str, str], Rating]:
        """Return the ratings of some accounts by account, game and pace."""
        query = sa.select(_ratings).where(_ratings.c.account.in_(sorted(set(accounts))))
        rows = self._store.rows(query)
        return {
            (row.account, row.game, row.pace): Rating(row.mu, row.sigma, row.games) for row in rows
        }

    def curve(self, account: str, game: str, pace: str, limit: int = 200) -> list[int]:
        """Return the points after each of somebody's newest rated games, the oldest first."""
        row = _results.c
        query = (
            sa.select(row.mu, row.sigma)
            .where(row.account == account, row.game == game, row.pace == pace)
            .order_by(row.number.desc())
            .limit(limit)
        )
        found = self._store.rows(query)
        return [Rating(one.mu, one.sigma).shown for one in reversed(found)]


def _row(account: str, game: str, pace: str, rating: Rating) -> Mapping[str, object]:
    return {
        "account": account,
        "game": game,
        "pace": pace,
        "mu": rating.mu,
        "sigma": rating.sigma,
        "points": rating.sure,
        "games": rating.games,
    }
