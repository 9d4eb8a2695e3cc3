"""A position on one line: ``lay 01 4/4 0/0 ? - 0/0 13/?? -/-`` is a view of seat 0.

Its parts are phase, who may act, plies/sealed, rounds/die, deck, discard, and by seat points,
hands and laid cards. Cards are their ranks in order, ``?`` one that the viewer does not know.
"""

from __future__ import annotations

from blind_duel.rules import BEATING, COPIES, DRAWING, HAND, LAYING, OPENING, STATE, leader
from tianxia.kernel.fields import Fields, everybody, is_open, knows
from tianxia.kernel.notation import Invariants, Notation
from tianxia.kernel.tokens import (
    PLIES,
    Codec,
    Token,
    bits,
    heap,
    number,
    row,
    several,
    split,
    token,
    word,
)

CARDS = heap("123", 12)
ALL = 3 * COPIES

# --- What holds in every position ---

INVARIANTS = invariant = Invariants()


@invariant(f"there are {COPIES} cards of each rank")
def box(p: Fields) -> bool:
    left = COPIES - p.hand.sum(axis=0) - p.laid.sum(axis=0) - p.discard - p.deck
    hidden = sum(p.unknown)
    exact = sum(left) == hidden == 0 if is_open(p) else sum(left) >= hidden
    return bool(min(left) >= 0 and exact)


@invariant("a hand is known to its owner only")
def hands_are_secret(p: Fields) -> bool:
    return all((p.unknown if knows(p, i) else p.hand.sum(axis=1))[i] == 0 for i in everybody(p))


def _cards(p: Fields) -> list[int]:
    held = p.hand.sum(axis=1) + p.unknown + p.laid.sum(axis=1)
    return [int(number) for number in held[: p.seats]]


@invariant(f"nobody has more than {HAND} cards")
def hand_limit(p: Fields) -> bool:
    return max(_cards(p)) <= HAND


@invariant("every round brings 1, 2 or 3 points")
def points(p: Fields) -> bool:
    return bool(p.played <= sum(p.points) <= 3 * p.played and p.played <= p.options.rounds)


@invariant("the die shows 1, 2 or 3 while the leader may be beaten, else 0")
def die(p: Fields) -> bool:
    return (p.die > 0) == (p.phase == BEATING)


@invariant("who may act fits the cards")
def acting(p: Fields) -> bool:
    left = ALL - sum(_cards(p)) - sum(p.discard)
    short = left > 0 and min(_cards(p)) < HAND
    asked = (int(leader(p)) + 1) % p.seats
    holds = sum(p.hand[asked]) + p.unknown[asked] > 0
    fits = {
        DRAWING: not p.acting and bool(short or p.over),
        LAYING: p.acting > 0 and not short,
        BEATING: p.acting == 1 << asked and holds,
    }
    return bool(fits.get(p.phase, not p.acting)) and (not p.over or p.phase == DRAWING)


@invariant("each seat that is asked, or has finished, has laid what that needs", (LAYING, OPENING))
def laid(p: Fields) -> bool:
    ready = [i for i in everybody(p) if not p.acting >> i & 1 and knows(p, i)]
    return all(sum(p.laid[i]) or not sum(p.hand[i]) for i in ready)


# --- How it is written ---


def _write_hand(p: Fields) -> str:
    hands = (CARDS.write(p, p.hand[i]).strip("-") + "?" * p.unknown[i] for i in everybody(p))
    return "/".join(hand or "-" for hand in hands)


def _read_hand(p: Fields, text: str) -> None:
    hands = split(text, "/", p.seats)
    p.unknown = [hand.count("?") for hand in hands]
    p.hand = [CARDS.read(p, hand.replace("?", "") or "-") for hand in hands]


def _complete(p: Fields) -> None:
    p.over = p.played == p.options.rounds


NOTATION = Notation(
    STATE,
    tokens=(
        token("phase", "phase", word(("draw", "lay", "open", "roll", "beat"))),
        token("who may act", "acting", bits("012")),
        PLIES,
        several("rounds/die", ("played", "die"), number(5), number(3)),
        token(
            "deck",
            "deck",
            Codec(
                lambda p, counts: CARDS.write(p, counts) if is_open(p) else "?",
                lambda p, text: CARDS.read(p, "-" if text == "?" else text),
            ),
        ),
        token("discard", "discard", CARDS),
        token("points", "points", row(number(15))),
        Token("hands", ("hand", "unknown"), _write_hand, _read_hand),
        token("laid cards", "laid", row(CARDS)),
    ),
    complete=_complete,
    invariants=INVARIANTS,
)
