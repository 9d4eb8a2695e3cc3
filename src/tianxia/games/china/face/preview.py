"""What an end of the game now would give everybody, source by source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tianxia.games.china.rules import ending
from tianxia.games.china.rules.components import Source
from tianxia.kernel.jit import entry

if TYPE_CHECKING:
    from tianxia.kernel.state import State

LAST_ROUND = 48


@entry
def settle(pool):
    """End the game in place and score what is left to score (CHI-50 to 56)."""
    ending.settle(pool[0], LAST_ROUND)


def projection(state: State) -> list[dict[str, int]]:
    """Return for each seat its points by source if the game ended now.

    Points depend on nothing hidden but the tiles' places, which an end does not ask for.
    """
    pool = state.record
    if not state.over:
        settle(pool)
    names = [source.name.lower() for source in Source]
    points = pool["points"][0][: state.seats].tolist()
    return [dict(zip(names, seat, strict=True)) for seat in points]
