"""Blind Duel: a toy game, and the example of how to add one to Tianxia.

There are four cards each of the ranks 1, 2 and 3. In every round all draw up to two
cards, then lay cards face down, at least one, as many as they like. The cards are opened
and a die says how many points the highest sum takes (the lowest seat where sums are
equal). Before that the seat after the leader, if he kept a card, may add it to his sum.
"""

from __future__ import annotations

from blind_duel import words
from blind_duel.notation import NOTATION
from blind_duel.rules import STATE
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option

RULEBOOK = {
    "BD-1": "After the last round nobody acts.",
    "BD-2": "Everybody acts when he is asked to, and in the way he is asked to.",
    "BD-3": "One plays cards that one holds.",
    "BD-4": "One lays at least one card.",
}

GAME = GameType(
    name="blind-duel",
    title="Blind Duel",
    rules_version=1,
    dtype=STATE,
    words=words,
    notation=NOTATION,
    statements=dict(enumerate(RULEBOOK, start=1)),
    options=(
        Option("players", 2, (2, 3), "how many play"),
        Option("rounds", 3, range(1, 6), "how many rounds are played"),
    ),
    rulebook=lambda statement, language: RULEBOOK[statement],
    seat_names=("First", "Second", "Third"),
)
