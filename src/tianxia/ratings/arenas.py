"""Games of an arena, as they count for the ratings of bots."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from tianxia.arena import Archive, Outcome, Plan
from tianxia.arena.archive import ArchiveError
from tianxia.bots import bots
from tianxia.kernel.registry import game as find_game
from tianxia.ratings.bots import Match


def matches_of(folder: Path) -> list[Match]:
    """Return the games that an arena's folder holds.

    Raises
    ------
    ArchiveError
        For a folder that is no arena, or one whose bots had other times than at tables.
    """
    plan = Archive.known_plan(folder)
    if plan is None:
        raise ArchiveError(f"{folder} holds no arena")
    if plan.seconds is not None:
        raise ArchiveError(
            f"{folder}: its bots had {plan.seconds:g} seconds a decision; those at tables take "
            "their own time, so give the arena none"
        )
    return list(_counted(plan, Archive(folder, plan).outcomes()))


def _counted(plan: Plan, outcomes: Iterable[Outcome]) -> Iterator[Match]:
    """Yield the games between different bots of ours at which nothing went wrong."""
    game = find_game(plan.game)
    ours = set(bots(game))
    first = {new: old for old, new in reversed([*game.kind.formerly.items()])}
    named = [first.get(player, player) for player in plan.players]  # as when it was counted first
    text = json.dumps({**asdict(plan), "games": 0, "players": named}, sort_keys=True)
    arena = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    for one in outcomes:
        names = [plan.players[player] for player in one.seats]
        if one.fault < 0 and ours.issuperset(names) and len(set(names)) > 1:
            order = sorted(set(one.shares), reverse=True)
            ranks = tuple(order.index(share) for share in one.shares)
            yield Match(f"arena {arena} {one.number}", game.name, tuple(names), ranks)
