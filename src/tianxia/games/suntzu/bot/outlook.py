"""What a position between two rounds is worth: a table of weights, learnt by self-play.

The log-odds that Sun Tzu wins are a weighted sum of what lies on the board and in the hands
when a round is about to begin; each round has weights of its own. When the fights of the round
before are over, the cards to be drawn are not known yet: each counts as a good one. They are in
``outlook.txt``, one column for each round that comes next; ``bench/train_suntzu.py`` makes
that file again. All sums are Sun Tzu's minus the King's, so neither side is favoured but by
the first weight.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tianxia.games.suntzu.rules import components as c
from tianxia.kernel.jit import rule

Weights = NDArray[np.float64]
"""Weights by the round that comes next (0 and 1 are not used) and feature."""

# --- Features ---

LEAN = 0  # 1 always: what Sun Tzu's side is worth
OF_SCORE, OF_SCORE_CUBED = 1, 2  # of the silver pawn, as a part of the way to the end space
HELD = 3  # + BINS · scoring to come + bin: values of provinces held by so many armies
BINS = 7  # 1, 2, … 6, and more armies
CARD = HELD + 3 * BINS  # + special kind: cards in the hand
DRAWN_CARDS = CARD + c.SPECIAL  # cards that are about to be drawn and kept
MANY = DRAWN_CARDS + 1  # the square of how many cards the hand has then: the fifth helps little
COMING, SPARE = MANY + 1, MANY + 2  # cards still to come from the deck, and those too many
OF_MARKS = SPARE + 1  # values to come of provinces where no 6 can be laid any more
ARMIES_LEFT, FEW_LEFT = OF_MARKS + 1, OF_MARKS + 2  # the reserve; the part of it up to 6
LOST = FEW_LEFT + 1  # armies aside
HEADING, ENDING = LOST + 1, LOST + 2  # see `heading` and `ending`
TRICK = ENDING + 1  # + 5 · seat + strategy card held: the King's count against Sun Tzu
TERMS = TRICK + 2 * c.STRATEGIES
FEW = 6
FURTHEST = 2 * c.TRACK
"""How far beyond the middle the silver pawn can be thought of."""
CLOSE = 5
"""From this place on a scoring is about to end the game."""
NUMBERS = 4  # of the special cards, 7 to 10
MISSING = 0.25
"""Log-odds that an army costs which is taken from a province, besides what the reserve counts."""

NAMES = (
    "lean",
    "score",
    "score cubed",
    *(f"held {scoring} {armies}" for scoring in range(3) for armies in range(1, BINS + 1)),
    *(f"card {name}" for name in ("7", "8", "9", "10", "+1", "+2", "+3", "-1", "P")),
    "draws",
    "many",
    "coming",
    "spare in deck",
    "marked",
    "reserve",
    "few in reserve",
    "aside",
    "heading",
    "ending",
    *(f"{side}{number}" for side in "SK" for number in range(1, c.STRATEGIES + 1)),
)


@cache
def weights() -> Weights:
    """Return the learnt weights; shape (rounds + 1, features)."""
    text = files(__package__ or "").joinpath("outlook.txt").read_text("utf-8")
    return read(text)


def read(text: str) -> Weights:
    """Read a table of weights: a line for each feature, a column for each round from 2 on."""
    table = np.zeros((c.LAST_ROUND + 1, TERMS))
    lines = text.splitlines()[1:]
    for feature, line in enumerate(lines):
        table[2:, feature] = [float(number) for number in line.split(",")[1:]]
    return table


def write(table: Weights) -> str:
    """Write a table of weights as `read` reads it."""
    head = ",".join(["feature", *(str(turn) for turn in range(2, c.LAST_ROUND + 1))])
    rows = [
        ",".join([name, *(f"{weight:.4f}" for weight in table[2:, feature])])
        for feature, name in enumerate(NAMES)
    ]
    return "\n".join([head, *rows, ""])


def in_order(table: Weights) -> Weights:
    """Return weights in which more armies are never worth less, nor a higher number in the hand.

    That holds whatever a fit says; weights in the wrong order get their mean.
    """
    ordered = table.copy()
    scorings = [slice(HELD + BINS * i, HELD + BINS * (i + 1)) for i in range(3)]
    for turn in range(2, len(table)):
        for part in (*scorings, slice(CARD, CARD + NUMBERS)):
            ordered[turn, part] = _rising(table[turn, part])
    return ordered


def _rising(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nearest numbers that never fall: neighbours that do are pooled."""
    pools: list[list[float]] = []
    for number in numbers.tolist():
        pools.append([number])
        while len(pools) > 1 and np.mean(pools[-2]) > np.mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    return np.array([np.mean(pool) for pool in pools for _ in pool])


def features(record: Any, turn: int, drawn: bool = False) -> NDArray[np.float64]:
    """Return the features of a state before round `turn`.

    Its fights are over, or cards are drawn, too. In a view the other's hand may be unknown: it
    counts as many cards, of no kind.
    """
    found = np.zeros(TERMS)
    found[LEAN] = 1.0
    score = int(record["track"]) / c.TRACK
    found[OF_SCORE], found[OF_SCORE_CUBED] = score, score**3
    first, bound = (turn - 1) // 3, int(record["track"])
    for province in range(c.PROVINCES):
        values = c.STANDS[int(record["stands"][province]) - 1]
        armies = int(record["board"][c.BLUE][province]) - int(record["board"][c.RED][province])
        marks = int(record["marks"][c.BLUE][province]) - int(record["marks"][c.RED][province])
        found[OF_MARKS] += marks * int(values[first:].sum())
        bound += int(values[first]) * ((armies > 0) - (armies < 0))
        for scoring in range(first, 3 if armies else first):
            place = HELD + BINS * (scoring - first) + min(abs(armies), BINS) - 1
            found[place] += values[scoring] * (1 if armies > 0 else -1)
    found[HEADING], found[ENDING] = heading(bound), ending(bound)
    for seat, sign in ((c.BLUE, 1), (c.RED, -1)):
        found[CARD:DRAWN_CARDS] += sign * record["hand"][seat][c.BASIC :]
        _add_cards(found, sign, record, seat, turn, drawn)
        found[ARMIES_LEFT] += sign * int(record["reserve"][seat])
        found[FEW_LEFT] += sign * min(int(record["reserve"][seat]), FEW)
        found[LOST] += sign * int(record["aside"][seat])
        for card in range(c.STRATEGIES):
            held = int(record["strategy"][seat]) >> card & 1
            found[TRICK + c.STRATEGIES * seat + card] = sign * held
    return found


def _add_cards(
    found: NDArray[np.float64], sign: int, record: Any, seat: int, turn: int, drawn: bool
) -> None:
    """Add what follows from how many cards a side has, and its deck."""
    laid = int((record["laid"][seat] > c.BASIC).sum())
    held = int(record["hand"][seat][c.BASIC :].sum() + record["hidden"][seat])
    gone = int((record["gone"][seat] + record["spare"][seat] + record["drawn"][seat]).sum())
    deck = max(int(c.COPIES[int(record["options"]["deck"])].sum()) - held - laid - gone, 0)
    kept = 0 if drawn else min(deck, 1 + (c.ONE + 1 in record["laid"][seat]))
    coming = min(deck - kept, c.LAST_ROUND - turn)
    found[DRAWN_CARDS] += sign * kept
    found[MANY] += sign * (held + kept) ** 2
    found[COMING] += sign * coming
    found[SPARE] += sign * (deck - kept - coming)


# --- The same, in the parts that the fights of a round change ---


@rule
def worth_of_province(weights, turn, stand, armies):
    """Return the log-odds of so many armies (negative: the King's) before round `turn`."""
    if armies == 0:
        return 0.0
    first = (turn - 1) // 3
    place = HELD + min(abs(armies), BINS) - 1
    total = 0.0
    for scoring in range(first, 3):
        total += c.STANDS[stand, scoring] * weights[turn, place + BINS * (scoring - first)]
    return total if armies > 0 else -total


@rule
def worth_of_mark(weights, turn, stand):
    """Return the log-odds, for its owner, of a mark in a province."""
    total = 0.0
    for scoring in range((turn - 1) // 3, 3):
        total += c.STANDS[stand, scoring] * weights[turn, OF_MARKS]
    return total


@rule
def worth_of_reserve(weights, turn, armies):
    """Return the log-odds, for its owner, of a reserve.

    Below 0 armies are missing: they come from other provinces, which may be lost by it.
    """
    worth = armies * weights[turn, ARMIES_LEFT] + min(armies, FEW) * weights[turn, FEW_LEFT]
    return worth + min(armies, 0) * MISSING


@rule
def worth_of_score(weights, turn, track):
    """Return the log-odds of the silver pawn's place."""
    score = track / c.TRACK
    return score * weights[turn, OF_SCORE] + score * score * score * weights[turn, OF_SCORE_CUBED]


@rule
def heading(bound):
    """Return how far the silver pawn goes with the next scoring, if nothing changes: the cube.

    `bound` is the place at which it would stand, though the track ends before.
    """
    part = min(max(bound, -FURTHEST), FURTHEST) / c.TRACK
    return part * part * part


@rule
def ending(bound):
    """Return how near the next scoring would come to ending the game, from −1 to 1."""
    near = min(max((abs(bound) - CLOSE) / (c.TRACK - CLOSE), 0.0), 1.0)
    return near if bound > 0 else -near


@rule
def worth_of_bound(weights, turn, bound):
    """Return the log-odds of where the silver pawn would stand after the next scoring."""
    return heading(bound) * weights[turn, HEADING] + ending(bound) * weights[turn, ENDING]


@rule
def worth_of_tricks(weights, turn, held, seat):
    """Return the log-odds, for Sun Tzu, of strategy cards of a seat, given as bits."""
    total = 0.0
    for card in range(c.STRATEGIES):
        if held >> card & 1 != 0:
            total += weights[turn, TRICK + c.STRATEGIES * seat + card]
    return total if seat == c.BLUE else -total


@rule
def worth_of_cards(state, weights, seat, hand, order):
    """Return the log-odds, for its owner, of what an order leaves: cards, and a deck.

    `hand` counts all 15 kinds, the laid ones included; of no order give kinds below 0.
    """
    turn = int(state.turn) + 1
    held, draws = 0, 1
    for kind in range(c.SPECIAL):
        held += int(hand[c.BASIC + kind])
    for province in range(c.PROVINCES):
        draws = 2 if order[province] == c.ONE else draws
    deck = deck_size(state, seat, held)
    kept = min(deck, draws)
    return worth_of_hand(weights, turn, hand, order, kept) + worth_to_come(
        weights, turn, deck - kept
    )


@rule
def worth_of_hand(weights, turn, hand, order, kept):
    """Return the log-odds, for their owner, of the cards left by an order and `kept` to be drawn.

    The best come first, each next one helps less: as in the features, as long as it helps at all.
    Who holds more need not play them.
    """
    total, count = 0.0, 0
    above, last = math.inf, -1  # the worth and place of the kind that was added last
    while True:
        most, chosen = -math.inf, -1
        for kind in range(
            c.SPECIAL + 1
        ):  # the last one stands for cards to be drawn: `DRAWN_CARDS`
            worth = weights[turn, CARD + kind]
            if most < worth and (worth < above or (worth == above and kind > last)):
                most, chosen = worth, kind
        if chosen < 0:
            return total
        number = kept if chosen == c.SPECIAL else left_of(hand, order, c.BASIC + chosen)
        for _ in range(number):
            count += 1
            total += max(0.0, most + (2 * count - 1) * weights[turn, MANY])
        total += min(number, 0) * most  # an order may lay what is given away: that is missing
        above, last = most, chosen


@rule
def left_of(hand, order, kind):
    """Return how many cards of a kind an order leaves in a hand."""
    left = int(hand[kind])
    for province in range(c.PROVINCES):
        left -= 1 if order[province] == kind else 0
    return left


@rule
def worth_of_deck(weights, turn, deck, draws, held):
    """Return the log-odds of cards that are drawn for a hand of so many, and of a deck then."""
    kept = min(deck, draws)
    total = kept * weights[turn, DRAWN_CARDS] + (held + kept) ** 2 * weights[turn, MANY]
    return total + worth_to_come(weights, turn, deck - kept)


@rule
def worth_to_come(weights, turn, deck):
    """Return the log-odds, for its owner, of a deck from round `turn` on."""
    coming = min(deck, c.LAST_ROUND - turn)
    return coming * weights[turn, COMING] + (deck - coming) * weights[turn, SPARE]


@rule
def deck_size(state, seat, held):
    """Return how many cards a deck has, if its owner holds and has laid so many above the 6."""
    total = -held
    for kind in range(c.SPECIAL):
        total += c.COPIES[int(state.options.deck), kind] - int(state.gone[seat, kind])
        total -= int(state.spare[seat, kind]) + int(state.drawn[seat, kind])
    return max(total, 0)
