"""Where points come from, for people who want to see it: sources, chains, the score track."""

from __future__ import annotations

import numpy as np

from tianxia.games.china.rules.components import NEAR, SOURCES, Source, board, row
from tianxia.games.china.rules.roads import best_chains
from tianxia.kernel.state import State

LAP = 50  # places of the score track (CHI-09)


def breakdown(state: State) -> list[dict[str, int]]:
    """Return for each seat its points by source: palaces, influence, harbours and so on."""
    points = state.fields["points"][: state.seats, :SOURCES].tolist()
    names = [source.name.lower() for source in Source]
    return [dict(zip(names, seat, strict=True)) for seat in points]


def track(points: int) -> tuple[int, int]:
    """Return score cards and place on the score track: 51 points are one card and place 1."""
    cards = max(points - 1, 0) // LAP
    return cards, points - LAP * cards


def chains(state: State, owner: int) -> list[list[str]]:
    """Return the best chains of an owner's palaces, as names of spaces along the road.

    Of several choices that pay the same, one; chains that pay nothing are left out.
    """
    fields = state.fields
    land = int(fields["land"])
    out = np.zeros(8, np.int64)
    best_chains(row(land), int(fields["palaces"][owner]), int(fields["forts"]), out)
    spaces = board(land).spaces
    return [[spaces[i].name for i in _in_order(row(land), int(chain))] for chain in out if chain]


def _in_order(number: int, chain: int) -> list[int]:
    """Return the spaces of a chain on a board (its row) from one end to the other."""
    near = {i: int(NEAR[number, i]) & chain for i in range(chain.bit_length()) if chain >> i & 1}

    def walk(path: list[int]) -> list[int] | None:
        if len(path) == len(near):
            return path
        for following in near:
            if near[path[-1]] >> following & 1 and following not in path:
                found = walk([*path, following])
                if found:
                    return found
        return None

    starts = sorted(near, key=lambda space: near[space].bit_count())
    return next(path for path in map(walk, ([start] for start in starts)) if path)
