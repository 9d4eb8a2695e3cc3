"""What is in the box: provinces, borders, cards, stands, events, and the numbers of actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.actions import Actions

BLUE, RED = 0, 1  # Sun Tzu, the King of Chu

# --- Provinces, in the order in which round 1 turns them up ---

PROVINCES = 5
QIN, CHU, JIN_YAN, HAN_QI, WU = range(PROVINCES)
ALL_PROVINCES = (1 << PROVINCES) - 1
BORDERS = (
    (QIN, CHU),
    (QIN, JIN_YAN),
    (QIN, HAN_QI),
    (CHU, HAN_QI),
    (CHU, WU),
    (JIN_YAN, HAN_QI),
    (HAN_QI, WU),
)
STEPS = tuple(sorted({*BORDERS, *((b, a) for a, b in BORDERS)}))
"""All ways of going from one province to the next, as (from, to)."""
STEP: NDArray[np.int64] = np.array(STEPS)
NEAR: NDArray[np.int64] = np.array(
    [sum(1 << b for a, b in STEPS if a == province) for province in range(PROVINCES)]
)
"""The neighbours of each province, as bits."""

# --- Armies ---

ARMIES = 21  # of each player
ASIDE = 3  # of these, at the start of the full game

# --- Action cards: 15 kinds, the numbers first; kind n is the card n + 1 up to the 10 ---

KINDS = 15
BASIC = 6  # the cards 1 to 6, which come back to the hand
SPECIAL = KINDS - BASIC  # the other kinds, which are counted apart
ONE, SIX, SEVEN, NINE, TEN = 0, 5, 6, 8, 9
PLUS_1, PLUS_2, PLUS_3, MINUS, PLAGUE = range(10, KINDS)
CARDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "+1", "+2", "+3", "-1", "P")


ZERO = KINDS
"""No kind of card, but what a countered Plague counts as (SUN-62)."""


def _margins() -> NDArray[np.int64]:
    table = np.zeros((KINDS + 1, KINDS + 1), np.int64)
    for mine in range(KINDS + 1):
        for other in range(KINDS + 1):
            more = [k - PLUS_1 + 1 if PLUS_1 <= k <= PLUS_3 else 0 for k in (mine, other)]
            less = [k == MINUS for k in (mine, other)]
            if PLAGUE in (mine, other):
                continue
            if any(more):
                table[mine, other] = more[0] - more[1]
            elif any(less):
                table[mine, other] = less[1] - less[0]
            else:
                numbers = [0 if k == ZERO else k + 1 for k in (mine, other)]
                table[mine, other] = numbers[0] - numbers[1]
    return table


MARGIN = _margins()
"""By how much the first of two cards wins, by kind or `ZERO`; Plagues are left out."""
PAID = np.array([kind - PLUS_1 if PLUS_1 < kind <= PLUS_3 else 0 for kind in range(KINDS + 1)])
"""How many armies a card costs, by kind: one for +2, two for +3 (SUN-51)."""
FULL, BEGINNER = 0, 1
DECKS = ("full", "beginner")
COPIES: NDArray[np.int64] = np.array(
    [  # 7  8  9 10 +1 +2 +3 -1 Plague
        [1, 1, 1, 1, 3, 1, 1, 3, 2],
        [1, 1, 1, 1, 3, 0, 0, 3, 2],
    ]
)
"""How many cards of each kind above 6 a player has, by deck."""
DEALT = 4  # cards that each player gets at the start beside his 1 to 6

# --- Strategy cards: five of each player, as bits ---

STRATEGIES = 5
S1, S2, S3, S4, S5 = range(STRATEGIES)  # Sun Tzu's
K1, K2, K3, K4, K5 = range(STRATEGIES)  # the King's
LAST_STRATEGY_ROUND = 6  # of K2, S1 and S5

# --- Stands: what a province is worth in rounds 3, 6 and 9 ---

STANDS: NDArray[np.int64] = np.array(
    [
        *((1, 2, 4), (1, 3, 5), (1, 4, 3), (2, 3, 2), (2, 3, 4)),
        *((2, 5, 2), (3, 1, 5), (3, 2, 3), (4, 1, 4), (4, 3, 2)),
    ]
)
LAST_ROUND = 9
TRACK = 9  # steps from the middle to either end

# --- Events ---

EVENTS = 5
PANDEMIC, CHARIOTS, CHAMPION, HERO, INFANTRY = range(1, EVENTS + 1)
PLAGUES_OF_PANDEMIC = 4
SIXES_OF_CHARIOTS = 3

# --- Actions of players ---

ACTIONS = Actions()
LAY = ACTIONS.add("lay", KINDS, PROVINCES)
REINFORCE = ACTIONS.add("reinforce", SPECIAL)  # discard this card, an army comes back
PASS = ACTIONS.add("pass")
NAME = ACTIONS.add("name", PROVINCES)  # the next to be turned up
RESERVE = ACTIONS.add("reserve")  # pay with an army of the reserve
ARMY = ACTIONS.add("army", PROVINCES)  # take an army from there
USE = ACTIONS.add("use", STRATEGIES)  # a strategy card that needs no target
REMOVE = ACTIONS.add("remove", PROVINCES)  # by K2
ADD = ACTIONS.add("add", PROVINCES)  # by S5
MOVE = ACTIONS.add("move", len(STEPS))  # by S1
CHOOSE = ACTIONS.add("choose", STRATEGIES)
UNDER = ACTIONS.add("under", SPECIAL)  # put this drawn card under the deck, keep the others

# --- Actions of chance ---

STAND = ACTIONS.add("stand", len(STANDS))
EVENT = ACTIONS.add("event", EVENTS)
DRAW = ACTIONS.add("draw", SPECIAL)
OPEN = ACTIONS.add("open")  # what was chosen in secret now counts
TURN = ACTIONS.add("turn", PROVINCES)
DISCARD = ACTIONS.add("discard", SPECIAL)  # the deck's top card leaves the game
SCORE = ACTIONS.add("score", PROVINCES)
PAWN = ACTIONS.add("pawn")
COLLECT = ACTIONS.add("collect")
ROUND = ACTIONS.add("round")

NUM_ACTIONS = len(ACTIONS)
kind_of, argument = ACTIONS.rules()
laying = ACTIONS.packer("lay")
MAX_LEGAL = KINDS * PROVINCES + SPECIAL  # nobody can have more to choose from
MAX_CHANCE = len(STANDS)
