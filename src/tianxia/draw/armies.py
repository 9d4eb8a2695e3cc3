"""The house's armies: for each a colour, a shape with an emblem, and a pattern.

A game names the army of each seat (`GameType.armies`, or `Scene.armies` where the position
decides it); pages and pictures mark with it whatever belongs to a seat. Colours are never
the only sign: ``#army-jade`` is a mark of its own shape, ``.army-jade`` sets the colours as
variables, ``url(#weave-jade)`` fills a larger area. ``docs/drawing.md`` shows their use.
"""

from __future__ import annotations

from collections.abc import Sequence

ARMIES = ("cinnabar", "indigo", "jade", "ochre", "plum", "teal", "umber", "saffron")
"""All armies, in the order of seats in a game that names none.

Umber is grey-brown, saffron is orange.
"""


def armies_of(given: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the army of each seat: what a game has given, then armies not yet taken.

    A seat that has none yet is given as "".

    Raises
    ------
    ValueError
        Where a game has given a name that is not an army, or one army to two seats.
    """
    named = tuple(given[:seats])
    marked = [army for army in named if army]
    unknown = sorted(set(marked) - set(ARMIES))
    if unknown or len(set(marked)) < len(marked):
        wrong = f"no army is called {unknown[0]!r}" if unknown else f"{named}: one army twice"
        raise ValueError(f"{wrong}; the armies are {', '.join(ARMIES)}")
    free = [army for army in ARMIES if army not in named]
    return (*named, *free)[:seats]
