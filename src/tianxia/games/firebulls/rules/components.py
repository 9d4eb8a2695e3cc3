"""What is in the box: attack cards, point cards, lines of attack, and what actions are made of.

Attack cards are Bulls of five colours and Warriors; a set of them is six counts. Point
cards are told apart by kind only: sixteen kinds, in the card order of `KINDS`.

Places of the rows are numbered from the pawns away, left to right: 0 1 2 are the rulebook's
G H I, 3 4 5 its D E F, 6 7 8 its A B C. Row r is the places r, r + 3, r + 6; its pile lies
beyond the last of them.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.actions import Actions

MAX_PLAYERS = 5
HAND_LIMIT = 8
DEALT = 3  # attack cards to each player, and to the Reserve
LAST_EXHAUSTION = 3

# --- Attack cards ---


class Attack(IntEnum):
    """Attack cards by kind: a Bull's number is its colour's."""

    BLUE = 0
    YELLOW = 1
    BROWN = 2
    RED = 3
    GREEN = 4
    WARRIOR = 5


COLOURS = 5
ATTACK_KINDS = len(Attack)
WARRIOR = Attack.WARRIOR + 0
ATTACK_CARDS: NDArray[np.int64] = np.array([10, 10, 10, 10, 10, 4])
DECK = int(ATTACK_CARDS.sum())

# --- Point cards ---

SOLDIER, WU, XI, BO, COLONEL, GENERAL, FORTIFICATION = 0, 5, 11, 12, 13, 14, 15
"""The first kind of each name: a Soldier or Wu of colour c is ``SOLDIER + c``, ``WU + c``."""
WHITE_WU = WU + COLOURS
KINDS = 16

POINT_CARDS: NDArray[np.int64] = np.array(
    # The totals 15 Soldiers and 12 Wu are the rulebook's. How they share the colours is
    # reconstructed: no list of the cards is known.
    [3] * 5 + [2] * 5 + [2] + [9, 6, 3, 1, 8]
)
VALUE: NDArray[np.int64] = np.array(
    [1] * 5 + [2] * 6 + [3, 6, 8, 12, 0]  # a Xi's 3 is deduced from its three soldiers
)
PILES = 3
PILE = int(POINT_CARDS.sum()) // PILES

HAS_COLOUR: NDArray[np.int64] = np.zeros((KINDS, COLOURS), np.int64)
"""Whether a kind shows a symbol of a colour; white symbols have none."""
for _colour in range(COLOURS):
    HAS_COLOUR[[SOLDIER + _colour, WU + _colour, BO], _colour] = 1

SYMBOLS_SHOWN: NDArray[np.int64] = np.array([1] * 5 + [2] * 6 + [3, 5, 6, 7, 1])
"""How many symbols a kind shows; a Colonel can be taken with five cards as well."""
TAKEN_WITH: NDArray[np.int64] = np.array([6] * 10 + [27, 27, 6, 7, 8, 9])
"""The statement that says what a kind is taken with."""

# --- Payments: the sets of attack cards that take some point card ---


def _bulls(kind: int) -> list[list[int]]:
    """Return the sets of Bulls, as colours, that take a kind without any Warrior."""
    one = range(COLOURS)
    pairs = [(c, d) for c in one for d in one if c != d]
    if kind < WU:
        return [[kind - SOLDIER]]
    if kind < WHITE_WU:
        return [[kind - WU] * 2]
    return {
        WHITE_WU: [[c] * 2 for c in one],
        XI: [[c] * 3 for c in one],
        BO: [list(one)],
        COLONEL: [[c] * 5 for c in one] + [[c] * 3 + [d] * 3 for c, d in pairs],
        GENERAL: [[c] * 7 for c in one] + [[c] * 4 + [d] * 3 for c, d in pairs],
        FORTIFICATION: [[c] for c in one],
    }[kind]


def _ways(kind: int) -> set[tuple[int, ...]]:
    """Return all payments for a kind, as counts: any Bulls may be replaced by Warriors."""
    found = set()
    for bulls in _bulls(kind):
        counts = [bulls.count(colour) for colour in range(COLOURS)]
        for kept in product(*(range(count + 1) for count in counts)):
            warriors = len(bulls) - sum(kept)
            if warriors <= ATTACK_CARDS[WARRIOR]:
                found.add((*kept, warriors))
    return found


_WAYS = [_ways(kind) for kind in range(KINDS)]
_ALL = sorted(set().union(*_WAYS), key=lambda cards: (sum(cards), [-count for count in cards]))
NUM_PAYMENTS = len(_ALL)
PAYMENT: NDArray[np.int64] = np.array(_ALL)
"""The cards of each payment: shape (payments, 6)."""
PAYMENT_SIZE: NDArray[np.int64] = PAYMENT.sum(axis=1)
NUMBER_OF_PAYMENT = {cards: number for number, cards in enumerate(_ALL)}
ACCEPTS: NDArray[np.int64] = np.array([[int(cards in ways) for cards in _ALL] for ways in _WAYS])
"""Whether a payment takes a kind: shape (kinds, payments)."""
WAY_COUNT: NDArray[np.int64] = ACCEPTS.sum(axis=1)
MOST_WAYS = int(WAY_COUNT.max())
WAYS: NDArray[np.int64] = np.array(
    [np.pad(np.flatnonzero(row), (0, MOST_WAYS - int(row.sum()))) for row in ACCEPTS]
)
"""The payments that take each kind, `WAY_COUNT` of them."""

# --- Directions ---

DIRECTIONS = 5
PLACES = 9
LINE: NDArray[np.int64] = np.array(
    [[-1, -1, -1], [0, 4, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [2, 4, 6]]
)
"""The places of each direction, 1 to 5, the nearest to the pawn first."""
AT_GENERAL = 6  # in place of a direction: the General, who lies aside
DIRECT, DEVIATED = 3, 2  # cards that an attack can win

# --- Actions of players ---

ACTIONS = Actions()
TAKE = ACTIONS.add("take", ATTACK_KINDS)  # out of the Reserve
DRAW = ACTIONS.add("draw")
STAY = ACTIONS.add("stay")
LEFT = ACTIONS.add("left")
RIGHT = ACTIONS.add("right")
STOP = ACTIONS.add("stop")
USE = ACTIONS.add("use")  # the power of the card just won
DECLINE = ACTIONS.add("decline")
FEE = ACTIONS.add("fee", KINDS)  # give up a point card
DROP = ACTIONS.add("drop", ATTACK_KINDS)  # into the Reserve
ATTACK = ACTIONS.add("attack", range(1, AT_GENERAL + 1), NUM_PAYMENTS)  # along a direction

# --- Actions of chance ---

PLACE = ACTIONS.add("place", range(1, DIRECTIONS + 1))  # a pawn, before a direction
REVEAL = ACTIONS.add("reveal", KINDS)  # a point card
FIRST = ACTIONS.add("first", MAX_PLAYERS)  # the player who begins
CARD = ACTIONS.add("card", ATTACK_KINDS)  # comes from the deck
LOSE = ACTIONS.add("lose", ATTACK_KINDS)  # by a Colonel's power
STEAL = ACTIONS.add("steal", ATTACK_KINDS)  # by the General's
SHUFFLE = ACTIONS.add("shuffle")  # and what nobody decides, with one outcome
SLIDE = ACTIONS.add("slide")
PENALTY = ACTIONS.add("penalty")

NUM_ACTIONS = len(ACTIONS)
kind_of, argument = ACTIONS.rules()
attack = ACTIONS.packer("attack")
MAX_LEGAL = ATTACK_KINDS + 1 + 3 * int(WAY_COUNT[COLONEL]) + int(WAY_COUNT[GENERAL])
MAX_CHANCE = KINDS
