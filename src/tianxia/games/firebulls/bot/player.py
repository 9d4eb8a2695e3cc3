"""The Drover: gathers until an attack is worth more than its cards, and stands where it is.

It thinks in *plans*: a direction, the point cards that it takes along it, and what it lays
for each. A plan is worth its points and bonus cards, less the cards that it costs; what a
card in hand is worth (`CARD_WORTH`) falls when the deck runs out for good. On its turn it
compares the best plan with gathering: each card of the Reserve, or an unseen one with the
best step of the pawn, by the best plan that it could hope for in its next turn.

It knows what a view tells and remembers nothing; it looks at nobody else's hand or plans.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import sub
from typing import Any

import numpy as np

from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.state import ASIDE, FEE_DUE, LIMIT, NEXT_CARD, POWER, STEP, TURN
from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player

Cards = tuple[int, ...]

CARD_WORTH = 0.7  # points that a card in hand is worth while the game lasts
WARRIOR_WORTH = 1.6  # how many Bulls a Warrior is worth
SPARE = 0.02  # how much more a Bull is worth for each other of its colour
HOPE = 0.6  # what a plan for the next turn is worth, compared with one for now
TRIED = 3  # payments that are looked at for each point card
LAST_DRAWS = 4  # a card's worth falls when fewer draws than this are left for each player
POWER_WORTH = {c.BO: 0.8, c.COLONEL: 0.6, c.GENERAL: 1.0}
NOISE = 0.05


@dataclass(frozen=True)
class Plan:
    """What could be won along a direction, beginning with a payment; `worth` in points."""

    worth: float
    direction: int = 0
    payment: int = -1


NOTHING = Plan(0.0)


@dataclass
class Situation:
    """What of a view counts for plans."""

    seat: int
    rows: list[int]
    general: bool
    won: int
    worth: float  # of a card in hand
    fees: list[float]  # what giving up one's earlier cards costs, the cheapest first

    @classmethod
    def of(cls, fields: Any, seat: int, colour: int) -> Situation:
        """Read a view's record."""
        own = fields["victory"][seat].tolist()
        won = [int(kind) - 1 for kind in fields["won"] if kind]
        for kind in won:
            own[kind] -= 1
        paid = int(fields["warriors"])
        fees = sorted(float(worth_of(k, colour)) for k in range(c.KINDS) for _ in range(own[k]))
        draws = int(fields["deck_size"]) + 20 * (2 - int(fields["exhausted"]))
        share = draws / (LAST_DRAWS * int(fields["seats"]))
        return cls(
            seat,
            [int(kind) - 1 for kind in fields["rows"]],
            int(fields["general"]) == ASIDE,
            len(won),
            CARD_WORTH * min(max(share, 0.05), 1.0),
            fees[paid:],
        )


def worth_of(kind: int, colour: int) -> int:
    """Return the points that a card brings whoever has pawns of a colour."""
    return int(c.VALUE[kind]) + int(c.HAS_COLOUR[kind, colour])


class Drover(Player):
    """The player; see the module."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat, seed)
        self.colour = game.colours[seat]

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return what it does now."""
        fields = view.fields
        phase = int(fields["phase"])
        hand = tuple(fields["hands"][self.seat].tolist())
        situation = Situation.of(fields, self.seat, self.colour)
        if phase == TURN:
            return self._turn(view, situation, hand)
        if phase == STEP:
            return self._best_step(fields, situation, hand)[1]
        if phase == NEXT_CARD:
            plan = self._along(situation, int(fields["direction"]), self._pawn(fields), hand)
            return c.attack(plan.direction, plan.payment) if plan.worth > 0 else c.STOP
        if phase == POWER:
            return c.USE if c.USE in view.legal_actions(self.seat) else c.DECLINE
        legal = view.legal_actions(self.seat)
        if phase == FEE_DUE:
            return min(
                legal, key=lambda action: (worth_of(c.argument(action, 0), self.colour), action)
            )
        if phase == LIMIT:
            return min(legal, key=lambda action: self._use_of(c.argument(action, 0), hand))
        return legal[0]

    def _pawn(self, fields: Any) -> int:
        return int(fields["pawns"][self.seat])

    @staticmethod
    def _use_of(kind: int, hand: Cards) -> float:
        """Return how useful a card is to keep: with others of its colour, or a Warrior."""
        return 100.0 if kind == c.WARRIOR else float(hand[kind])

    # --- Its turn ---

    def _turn(self, view: State, situation: Situation, hand: Cards) -> int:
        fields = view.fields
        pawn = self._pawn(fields)
        rng = new_rng(self.seed, view.plies)
        now = self._best(situation, pawn, hand)
        choices: list[tuple[float, int]] = []
        if now.payment >= 0:
            choices.append((now.worth, c.attack(now.direction, now.payment)))
        before = HOPE * now.worth + shape(hand)
        full = sum(hand) >= 8
        gained = 0.1 * situation.worth if full else situation.worth
        for kind in range(c.ATTACK_KINDS):
            if fields["reserve"][kind]:
                more = with_card(hand, kind)
                hope = HOPE * self._best(situation, pawn, more).worth
                extra = (WARRIOR_WORTH - 1) * situation.worth if kind == c.WARRIOR else 0.0
                choices.append((gained + hope + extra + shape(more) - before, c.TAKE + kind))
        choices.append((gained + self._hope_of_draw(fields, situation, hand) - before, c.DRAW))
        noisy = [(worth + NOISE * below(rng, 1000) / 1000, action) for worth, action in choices]
        return max(noisy)[1]

    def _hope_of_draw(self, fields: Any, situation: Situation, hand: Cards) -> float:
        """Return what a card of the deck and the step after it may be worth."""
        possible = fields["fresh"].astype(np.int64) - fields["drawn"][self.seat]
        total = float(possible.sum())
        hope = 0.0
        for kind in np.flatnonzero(possible).tolist():
            more = with_card(hand, kind)
            best = self._best_step(fields, situation, more)[0] + shape(more)
            hope += best * float(possible[kind]) / total
        return hope

    def _best_step(self, fields: Any, situation: Situation, hand: Cards) -> tuple[float, int]:
        """Return the hope and the action of the best step, staying included."""
        pawn = self._pawn(fields)
        steps = [(c.STAY, pawn)]
        steps += [(c.LEFT, pawn - 1)] if pawn > 1 else []
        steps += [(c.RIGHT, pawn + 1)] if pawn < c.DIRECTIONS else []
        hopes = [(HOPE * self._best(situation, to, hand).worth, -step) for step, to in steps]
        hope, step = max(hopes)
        return hope, -step

    # --- Plans ---

    def _best(self, situation: Situation, pawn: int, hand: Cards) -> Plan:
        """Return the best plan for a pawn in some place and a hand."""
        found = [NOTHING]
        for direction in range(max(pawn - 1, 1), min(pawn + 1, c.DIRECTIONS) + 1):
            found.append(self._along(situation, direction, pawn, hand))
        if situation.general:
            found.append(self._take([c.GENERAL], c.AT_GENERAL, situation, hand, 0, 0))
        return max(found, key=lambda plan: plan.worth)

    def _along(self, situation: Situation, direction: int, pawn: int, hand: Cards) -> Plan:
        """Return the best plan along a direction, from its nearest card on."""
        places = [int(place) for place in c.LINE[direction]]
        limit = (c.DIRECT if direction == pawn else c.DEVIATED) - situation.won
        kinds = [situation.rows[place] for place in places if situation.rows[place] >= 0]
        return self._take(kinds[:limit], direction, situation, hand, situation.won, 0)

    def _take(
        self,
        kinds: list[int],
        direction: int,
        situation: Situation,
        hand: Cards,
        won: int,
        fees: int,
    ) -> Plan:
        """Return the best way to take the first of these cards and perhaps more."""
        best = NOTHING
        if not kinds:
            return best
        kind = kinds[0]
        gain = worth_of(kind, self.colour) + POWER_WORTH.get(kind, 0.0)
        gain += situation.worth if won else 0.0  # the bonus card
        for price, payment in payments(kind, hand):
            cards = PAYMENT_CARDS[payment]
            warriors = cards[c.WARRIOR]
            fee = sum(situation.fees[fees : fees + warriors])
            rest = tuple(map(sub, hand, cards))
            after = self._take(kinds[1:], direction, situation, rest, won + 1, fees + warriors)
            worth = gain - price * situation.worth - fee + after.worth
            if worth > best.worth or best.payment < 0:
                best = Plan(worth, direction, payment)
        return best if best.worth > 0 else NOTHING


PAYMENT_CARDS: list[Cards] = [tuple(cards) for cards in c.PAYMENT.tolist()]
BY_KIND = [np.flatnonzero(row) for row in c.ACCEPTS]
TABLES = [c.PAYMENT[numbers] for numbers in BY_KIND]


@lru_cache(maxsize=100_000)
def payments(kind: int, hand: Cards) -> tuple[tuple[float, int], ...]:
    """Return the cheapest payments for a card, each with its price in cards."""
    table = TABLES[kind]
    held = np.array(hand)
    able = np.flatnonzero((held >= table).all(axis=1))
    prices = 1 + SPARE * held
    prices[c.WARRIOR] = WARRIOR_WORTH
    costs = table[able] @ prices
    order = np.argsort(costs, kind="stable")[:TRIED]
    return tuple((float(costs[i]), int(BY_KIND[kind][able[i]])) for i in order)


def with_card(hand: Cards, kind: int) -> Cards:
    """Return a hand with one more card."""
    return (*hand[:kind], hand[kind] + 1, *hand[kind + 1 :])


def shape(hand: Cards) -> float:
    """Return a little for a hand with many of one colour, or with many colours."""
    bulls = hand[: c.WARRIOR]
    return 0.08 * max(bulls) + 0.04 * sum(count > 0 for count in bulls)
