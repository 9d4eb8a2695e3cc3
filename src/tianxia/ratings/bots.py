"""Ratings of our bots: from their games with rated people, and from arenas, on one scale.

A bot has one rating in a game, whatever the pace, since it thinks alike at each. Only it changes
by such a game: people's ratings are about people. Each counted game is kept with the ratings
that its people had then, so the same games give the very same numbers again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from tianxia.bots import present_name
from tianxia.ratings.service import NEW, Rating, Standing, deserted, places, rate
from tianxia.tables import Snapshot, Tables, schema

Player = str | tuple[float, float]
"""A bot by its name, or somebody by the rating they had."""
_matches, _ratings = schema.bot_matches, schema.bot_ratings


@dataclass(frozen=True, slots=True)
class Match:
    """A game that counts for bots: who sat at each seat, and their places, 0 the best."""

    source: str
    game: str
    players: tuple[Player, ...]
    places: tuple[int, ...]


class BotRatings:
    """The ratings of all our bots."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store

    def of(self, game: str) -> list[Standing]:
        """Return the rated bots of a game, those surest to be strong first."""
        with self._store.glancing() as connection:
            known = _known(connection, game)
        found = [Standing("", name, rating, bot=True) for name, rating in known.items()]
        return sorted(found, key=lambda one: (-one.rating.sure, one.name))

    # --- Counting ---

    def count(self, connection: sa.Connection, snapshot: Snapshot) -> bool:
        """Count a finished game of bots with rated people; say whether it does."""
        match = self._match(connection, snapshot)
        return match is not None and _add(connection, [match]) == 1

    def _match(self, connection: sa.Connection, snapshot: Snapshot) -> Match | None:
        """Return a game as it counts; None for practice, and where somebody has no rating."""
        taught = snapshot.sources or snapshot.guided or snapshot.epoch
        found = None if taught else places(snapshot)
        if found is None:
            return None
        missing = deserted(snapshot)
        ratings = _of_people(connection, snapshot)
        players: list[Player] = []
        for seat, info in enumerate(snapshot.seats):
            if info.kind == "bot" and seat not in missing:
                players.append(info.bot)
            elif info.account in ratings:
                players.append(ratings[info.account])
            else:
                return None
        if len({type(one) for one in players}) < 2:
            return None
        return Match(snapshot.id, snapshot.game.name, tuple(players), found)

    def add(self, matches: Sequence[Match]) -> int:
        """Count games that are not at tables; return how many of them are new."""
        with self._store.writing() as connection:
            return _add(connection, matches)

    def recompute(self) -> int:
        """Work all ratings out anew from the counted games, in their order; return how many."""
        row = _matches.c
        query = sa.select(row.source, row.game, row.players, row.places).order_by(row.number)
        known: dict[str, dict[str, Rating]] = {}
        with self._store.writing() as connection:
            found = [_read(one) for one in connection.execute(query)]
            for match in found:
                _rate(match, known.setdefault(match.game, {}))
            connection.execute(sa.delete(_ratings))
            for game, ratings in known.items():
                _write(connection, game, ratings)
        return len(found)


def _of_people(connection: sa.Connection, snapshot: Snapshot) -> dict[str, tuple[float, float]]:
    """Return the ratings of the accounts at a table, for its game and pace."""
    row, accounts = schema.ratings.c, [info.account for info in snapshot.seats if info.account]
    query = sa.select(row.account, row.mu, row.sigma).where(
        row.account.in_(accounts),
        row.game == snapshot.game.name,
        row.pace == snapshot.pace.category,
    )
    return {one.account: (one.mu, one.sigma) for one in connection.execute(query)}


def _add(connection: sa.Connection, matches: Sequence[Match]) -> int:
    """Count games that were not counted yet; return how many these are."""
    row = _matches.c
    number = connection.execute(sa.select(sa.func.max(row.number))).scalar() or 0
    known: dict[str, dict[str, Rating]] = {}
    added = 0
    for match in matches:
        if connection.execute(sa.select(row.number).where(row.source == match.source)).first():
            continue
        added += 1
        facts = {
            "number": number + added,
            "source": match.source,
            "game": match.game,
            "players": json.dumps(match.players),
            "places": json.dumps(match.places),
        }
        connection.execute(sa.insert(_matches), facts)
        if match.game not in known:
            known[match.game] = _known(connection, match.game)
        _rate(match, known[match.game])
    for game, ratings in known.items():
        connection.execute(sa.delete(_ratings).where(_ratings.c.game == game))
        _write(connection, game, ratings)
    return added


def _rate(match: Match, known: dict[str, Rating]) -> None:
    """Change the ratings of a game's bots by a match; one at several seats gets the mean."""
    before = [
        known.get(one, NEW) if isinstance(one, str) else Rating(*one) for one in match.players
    ]
    after = rate(before, match.places)
    for bot in dict.fromkeys(one for one in match.players if isinstance(one, str)):
        own = [rating for who, rating in zip(match.players, after, strict=True) if who == bot]
        mu, sigma = (sum(getattr(one, name) for one in own) / len(own) for name in ("mu", "sigma"))
        known[bot] = Rating(mu, sigma, known.get(bot, NEW).games + 1)


def _known(connection: sa.Connection, game: str) -> dict[str, Rating]:
    row = _ratings.c
    query = sa.select(row.bot, row.mu, row.sigma, row.games).where(row.game == game)
    return {
        present_name(one.bot, game): Rating(one.mu, one.sigma, one.games)
        for one in connection.execute(query)
    }


def _write(connection: sa.Connection, game: str, ratings: dict[str, Rating]) -> None:
    rows = [{"game": game, "bot": bot, **asdict(rating)} for bot, rating in ratings.items()]
    connection.execute(sa.insert(_ratings), rows)


def _read(row: Any) -> Match:
    players = [
        present_name(one, row.game) if isinstance(one, str) else tuple(one)
        for one in json.loads(row.players)
    ]
    return Match(row.source, row.game, tuple(players), tuple(json.loads(row.places)))
