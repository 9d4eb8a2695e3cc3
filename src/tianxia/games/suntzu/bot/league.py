"""Strangers to measure the Tactician by: styles of play, of which it knows nothing.

A style is a Tactician that thinks less, lays what it likes among the orders that win about as
often, and has a taste of its own for what a position is worth. The arena finds them as
``tianxia.games.suntzu.bot.league:rusher`` and so on; see `search.leaning`.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from tianxia.games.suntzu.bot import outlook
from tianxia.games.suntzu.bot.tactician import ORDER_STREAM, Skill, Solved, Tactician
from tianxia.games.suntzu.rules import components as c
from tianxia.kernel.game import Game
from tianxia.kernel.rng import fraction, new_rng
from tianxia.kernel.state import State
from tianxia.search.choosing import drawn, softmax
from tianxia.search.leaning import League, Place, Style, breed, factors

Numbers = NDArray[np.int64]

WEIGHT_PLACES: dict[str, Place] = {
    "score": slice(outlook.OF_SCORE, outlook.HELD),
    "soon": slice(outlook.HELD, outlook.HELD + outlook.BINS),
    "later": slice(outlook.HELD + outlook.BINS, outlook.CARD),
    "cards": slice(outlook.CARD, outlook.MANY),
    "deck": slice(outlook.COMING, outlook.OF_MARKS),
    "armies": slice(outlook.ARMIES_LEFT, outlook.HEADING),
    "tricks": slice(outlook.TRICK, outlook.TERMS),
}
"""Which weights of the outlook a style may weigh otherwise."""
POWER: Numbers = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 9, 10, 6, 6])
"""About how much each kind of card wins."""
COSTLY = c.BASIC
"""From this kind on a card is gone once it is laid."""
LATE = 7
"""The round from which on a saver spends."""
THOUGHT = Skill(own=6, other=16, orders=64, others=16, iterations=150, replies=4)
WHIM = 0.02
"""How much better, in chances of winning, an order is laid e times as often."""


class Sight:
    """A round as it begins, as a style looks at it; by province, for one's own side."""

    def __init__(self, view: State, seat: int) -> None:
        fields = view.fields
        self.turn = int(fields["turn"])
        armies = fields["board"].astype(np.int64)
        self.lead = armies[seat] - armies[1 - seat]
        self.scores: Numbers = c.STANDS[fields["stands"] - 1, (self.turn - 1) // 3]
        """What each province brings at the next scoring."""


# --- What styles like about an order: kinds of cards by province; in chances of winning ---


def rushes(sight: Sight, order: Numbers) -> float:
    """Lay the best cards at once."""
    return 0.02 * int((order >= COSTLY).sum()) if sight.turn < LATE else 0.0


def saves(sight: Sight, order: Numbers) -> float:
    """Keep all that is gone once it is laid for the last rounds."""
    return -0.05 * int((order >= COSTLY).sum()) if sight.turn < LATE else 0.0


def masses(sight: Sight, order: Numbers) -> float:
    """Be strong in the two provinces that bring most, and give up the others."""
    best = np.argsort(-sight.scores, kind="stable")[:2]
    return 0.006 * float(2 * POWER[order][best].sum() - POWER[order].sum())


def pretends(sight: Sight, order: Numbers) -> float:
    """Be strong where little is to be won: that is not looked for there."""
    return -0.01 * float((POWER[order] * (sight.scores - sight.scores.mean())).sum())


def guards(sight: Sight, order: Numbers) -> float:
    """Be strong where one's own few armies lie."""
    return 0.006 * float(POWER[order][(sight.lead > 0) & (sight.lead < 4)].sum())


def invades(sight: Sight, order: Numbers) -> float:
    """Be strong where the other's armies lie."""
    return 0.006 * float(POWER[order][sight.lead < 0].sum())


def infects(sight: Sight, order: Numbers) -> float:
    """Lay a Plague where the other has much, and feebly elsewhere until then."""
    sick = order == c.PLAGUE
    return 0.04 * float(np.maximum(-sight.lead, 0)[sick].sum()) - 0.03 * float(sick.sum())


def draws(_sight: Sight, order: Numbers) -> float:
    """Lay the 1 wherever it goes, to draw twice, and the -1 to be rid of it."""
    return 0.05 * bool((order == c.ONE).any()) + 0.03 * bool((order == c.MINUS).any())


def trickles(_sight: Sight, order: Numbers) -> float:
    """Win by a little: cards that are as alike as can be."""
    return -0.01 * float(POWER[order].std())


LEANINGS = (rushes, saves, masses, pretends, guards, invades, infects, draws, trickles)
PLAYING_STYLES = {
    "rusher": Style(rushes, {"soon": 1.5, "cards": 0.7}),
    "hoarder": Style(saves, {"cards": 1.2}),
    "besieger": Style(masses),
    "bluffer": Style(pretends),
    "turtle": Style(guards, {"armies": 2.0, "later": 1.3}),
    "invader": Style(invades),
    "poisoner": Style(infects),
    "digger": Style(draws, {"deck": 1.5}),
    "miser": Style(trickles, {"armies": 2.5, "tricks": 2.0}),
    "latecomer": Style(taste={"soon": 0.5, "later": 2.0, "score": 0.7}),
}


class Stranger(Tactician):
    """Plays as its style likes."""

    def __init__(self, game: Game, seat: int, seed: int, style: Style) -> None:
        super().__init__(game, seat, seed, THOUGHT)
        self.style = style
        self.weights = self.weights * factors(style.taste, WEIGHT_PLACES, outlook.TERMS)

    def _drawn(self, solved: Solved, view: State) -> Numbers:
        """Draw an order: one that wins about as often as the best, and is liked."""
        sight = Sight(view, self.seat)
        liked = [
            value + self.style.leaning(sight, order)
            for order, value in zip(solved.orders, solved.values.tolist(), strict=True)
        ]
        rng = new_rng(self.seed, ORDER_STREAM + int(view.fields["turn"]))
        return solved.orders[drawn(softmax(liked, WHIM), fraction(rng))]


LEAGUE = League(
    Stranger, PLAYING_STYLES, partial(breed, leanings=LEANINGS, weights=WEIGHT_PLACES), bred=(2, 3)
)

__getattr__ = LEAGUE.maker
"""Styles' makers by name, as the arena asks for `module:name`."""
