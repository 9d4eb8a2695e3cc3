"""Ready set-ups for people, by variant.

Drawn as their player sees them: front row first, `.` an empty square.
"""

from __future__ import annotations

from typing import NamedTuple

from tianxia.draw.languages import N_
from tianxia.games.stratego.face.deployment import Setup, read


class Ready(NamedTuple):
    """A set-up with a name."""

    id: str
    name: str
    setup: Setup


CLASSIC_PRESETS = [
    Ready(
        "corner",
        N_("The walled corner"),
        read("""
        2 6 2 9 5 2 8 2 7 6
        5 7 4 2 6 S M 5 2 8
        B 4 2 B 7 5 6 2 4 3
        F B 3 B 4 3 B 3 B 3
        """),
    ),
    Ready(
        "gate",
        N_("The iron gate"),
        read("""
        6 2 8 2 7 6 2 9 2 5
        4 7 M S 2 5 6 8 2 7
        2 5 3 6 B 4 2 5 B 4
        3 B 4 B F B 3 3 B 3
        """),
    ),
    Ready(
        "left",
        N_("Storm on the left"),
        read("""
        9 7 8 2 2 6 2 2 5 2
        6 S M 7 5 3 6 4 2 5
        2 8 7 B 4 B 6 B 4 5
        3 2 3 B 3 4 B F B 3
        """),
    ),
    Ready(
        "false",
        N_("The false fortress"),
        read("""
        7 2 5 2 8 6 2 9 2 6
        5 4 6 2 M S 7 5 2 8
        B 3 2 4 6 7 4 2 B 5
        B 3 B 3 3 3 4 B F B
        """),
    ),
    Ready(
        "eyes",
        N_("A thousand eyes"),
        read("""
        2 6 2 2 7 2 8 2 2 5
        7 9 S 5 6 M 5 4 6 8
        5 B 4 7 2 B 6 4 3 4
        3 2 B 3 B F B 3 B 3
        """),
    ),
    Ready(
        "reserve",
        N_("The hidden reserve"),
        read("""
        5 7 6 2 2 6 2 2 7 5
        2 8 5 4 3 2 5 6 8 6
        4 M B S 2 7 4 9 2 B
        3 B F B 4 3 3 B 3 B
        """),
    ),
    Ready(
        "wings",
        N_("Two wings"),
        read("""
        9 7 2 2 6 5 2 2 8 M
        2 6 5 4 2 4 6 7 5 S
        2 8 B 5 4 B 4 6 7 3
        3 B 3 3 B F B 2 B 3
        """),
    ),
]
DUEL_PRESETS = [
    Ready(
        "corner",
        N_("The walled corner"),
        read("""
        . 2 . . M . . . 9 .
        . . . . . S . . 2 .
        B . . . . . . . . .
        F B 3 . . . . 3 . .
        """),
    ),
    Ready(
        "gate",
        N_("The iron gate"),
        read("""
        2 . . . 9 . . M . .
        . . . . . . . S . 2
        . . . . 3 . . . . .
        . . . B F B . . 3 .
        """),
    ),
    Ready(
        "left",
        N_("Storm on the left"),
        read("""
        9 M . . 2 . . . . 2
        . S . . . . . . . .
        . . . . . . . . . B
        . 3 . . . . . 3 B F
        """),
    ),
    Ready(
        "guard",
        N_("The body guard"),
        read("""
        . 2 . . . . . . 2 .
        . . . . S 9 . . . .
        . . . . . M . . . .
        3 . . . B F B . . 3
        """),
    ),
    Ready(
        "false",
        N_("The false fortress"),
        read("""
        . . 2 . . M . . . 9
        . . . . . S . . . .
        B . . . . . . . 3 .
        . B . . . . . 3 F 2
        """),
    ),
    Ready(
        "wings",
        N_("Two wings"),
        read("""
        9 . . . 2 2 . . . M
        . . . . . . . . . S
        . . B . . . . . . .
        . 3 F B . . . . 3 .
        """),
    ),
]
BARRAGE_PRESETS = [
    Ready(
        "corner",
        N_("The walled corner"),
        read("""
        . 9 . . 2 . . . M .
        . . . . . . . S . .
        3 . . . . . . . . .
        F B . . . . . . 2 .
        """),
    ),
    Ready(
        "gate",
        N_("The iron gate"),
        read("""
        2 . . . M . . . 9 .
        . . . . S . . . . .
        . . . . B . . . . .
        . . . 2 F 3 . . . .
        """),
    ),
    Ready(
        "left",
        N_("Storm on the left"),
        read("""
        M . . . 9 . . . 2 .
        . S . . . . . . . .
        . . . . . . . . . B
        . . . . . . . 3 2 F
        """),
    ),
    Ready(
        "guard",
        N_("The body guard"),
        read("""
        . 2 . . . . . . 2 .
        . . . . . . . . S .
        . . . . . . . . 9 .
        . . . . . . M 3 F B
        """),
    ),
    Ready(
        "false",
        N_("The false fortress"),
        read("""
        . 9 . . 2 . . . M .
        . . . . . . . S . .
        . . . . . . . . . 2
        B . . . . . . . 3 F
        """),
    ),
    Ready(
        "wings",
        N_("Two wings"),
        read("""
        M . . . . 2 . . . 9
        S . . . . . . . . .
        . . . . . . B . . .
        . . . . . 2 F 3 . .
        """),
    ),
]
PRESETS = (CLASSIC_PRESETS, DUEL_PRESETS, BARRAGE_PRESETS)
"""By variant."""
