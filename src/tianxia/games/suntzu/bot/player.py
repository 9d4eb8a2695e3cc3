"""The Strategist: mixes its orders, so that nobody can read it.

When cards are laid it weighs what each of its cards gains against each opposing card in
each province, draws hands that the opponent may have, makes up likely orders for both,
and solves the small game of these against one another (by fictitious play). Of the mixture
that comes out it takes an order by chance. All else it decides by what it gains on the
board at once. Gains are whole numbers, hundredths of a point, so that every machine decides
the same. It remembers nothing but how often it has decided.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tianxia.games.suntzu.bot.effects import as_begun
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.state import COUNTERED, FIGHT, FINAL, LAYING
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State
from tianxia.search.bot import Player

Whole = NDArray[np.int64]

OTHER_HANDS = 32  # hands that the opponent may have
ORDERS = 70  # of one's own that are compared
ROUNDS = 400  # of fictitious play
CARD_PRICE = (0, 5, 10, 15, 25, 40, 55, 70, 95, 120, 45, 70, 85, 30, 75)
"""What playing a card costs, in hundredths of a point while many rounds are left."""
BONUS_OF_1 = 45  # what the further draw is worth
ARMY_PAID = 12  # what an army is worth that is marked or removed
FIRM = (0, 45, 60, 72, 82, 88, 92, 95, 97, 98)
"""How likely that many armies still hold a province a round or more later, in percent."""
LATER = (100, 55, 30)  # what the next scoring counts, the one after it, …
NOISE = 90  # how far made-up orders stray from what seems best
THRIFT = 60  # what a strategy card has to gain; less and less until round 6
CHOICES = ((c.S5, c.S1, c.S5, c.S3), (c.K4, c.K3, 1, c.K5))  # strategy cards that it chooses among


class Strategist(Player):
    """Plays Sun Tzu with all options, from a seat's views alone."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat, seed)
        _warm(game)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the next card of an order drawn by chance, or what gains most."""
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        look = Look(view, self.seat)
        phase = int(view.fields["phase"])
        if phase == LAYING:
            return self._next_card(view, look, legal)
        rng = self._rng(self.decided)
        if phase == FINAL:
            return legal[0]  # an army for any card: cards are worth nothing any more
        kind = c.kind_of(legal[0])
        if kind == c.NAME:
            return rng.choice(legal)
        if kind == c.CHOOSE:
            wanted = [c.CHOOSE + card for card in CHOICES[self.seat] if c.CHOOSE + card in legal]
            return rng.choice(wanted or legal)
        if kind == c.UNDER:
            return min(legal, key=lambda action: look.worth(c.BASIC + c.argument(action, 0)))
        if c.RESERVE in legal:
            return c.RESERVE
        return max(legal, key=lambda action: (look.gain(action), -action))

    def _rng(self, number: int) -> random.Random:
        return random.Random(f"{self.seed} {number}")  # noqa: S311  (no secrets here)

    def _next_card(self, view: State, look: Look, legal: Sequence[int]) -> int:
        """Lay the first card of the round's order that does not lie yet."""
        laid = [int(card) for card in view.fields["laid"][self.seat]]
        order = self._order(view, look)
        province = laid.index(0)
        wanted = int(c.laying(order[province], province))
        if wanted in legal:
            return wanted
        # Other cards lie than were planned, and this one is gone: another of the plan, or any.
        planned = [int(c.laying(kind, province)) for kind in order]
        return next((action for action in planned if action in legal), legal[0])

    def _order(self, view: State, look: Look) -> list[int]:
        """Return the order of this round: the same, however many of its cards lie."""
        rng = self._rng(1000 + int(view.fields["turn"]))
        hands = self._opposing_hands(view, rng.getrandbits(40))
        table = look.table()
        mine = look.cards()
        average = np.array([sum(hand[kind] > 0 for hand in hands) for kind in range(c.KINDS)])
        mean_mine = table @ average // max(int(average.sum()), 1)
        held = np.array([mine[kind] > 0 for kind in range(c.KINDS)], np.int64)
        mean_other = -(np.einsum("pab,a->pb", table, held) // max(int(held.sum()), 1))
        own = _distinct(
            [look.made_up(mean_mine, mine, self.seat, rng, NOISE * 2) for _ in range(ORDERS)]
        )
        other = [
            look.made_up(mean_other, hand, 1 - self.seat, rng, NOISE)
            for hand in hands
            for _ in range(2)
        ]
        payoff = look.payoff(table, np.array(own), np.array(other))
        return own[_mixed(payoff, rng)]

    def _opposing_hands(self, view: State, seed: int) -> list[list[int]]:
        """Return hands that the opponent may have had when the round began."""
        pool = self.game.samples(as_begun(view, self.seat), OTHER_HANDS, seed)
        return [[int(n) for n in hand] for hand in pool["hand"][:, 1 - self.seat]]


@cache
def _warm(game: Game) -> None:
    """Load, once a process, the compiled code that choices need: none shall wait for it."""
    state = game.new()
    while not state.acting:
        state.apply(state.chance_outcomes()[0][0], CHANCE)
    view = state.view(c.BLUE)
    view.legal_actions(c.BLUE)
    game.samples(view, 1, 0)


def _distinct(orders: Sequence[list[int]]) -> list[list[int]]:
    return [list(order) for order in dict.fromkeys(map(tuple, orders))]


def _mixed(payoff: Whole, rng: random.Random) -> int:
    """Return a row, drawn from the mixture that fictitious play finds."""
    rows, columns = payoff.shape
    gained, lost = np.zeros(rows, np.int64), np.zeros(columns, np.int64)
    counts = [0] * rows
    column = 0
    for number in range(ROUNDS):
        gained += payoff[:, column]
        row = int(gained.argmax())
        lost += payoff[row]
        column = int(lost.argmin())
        if number >= ROUNDS // 4:  # the beginning is anybody's guess
            counts[row] += 1
    return rng.choices(range(rows), counts)[0]


class Look:
    """What a seat makes of one view; gains are hundredths of a point."""

    def __init__(self, view: State, seat: int) -> None:
        self.fields = view.fields
        self.seat = seat
        self.turn = int(view.fields["turn"])
        self.left = c.LAST_ROUND - self.turn  # rounds after this one
        signs = view.fields["board"].astype(int)
        self.board = [int(a) - int(b) for a, b in zip(signs[seat], signs[1 - seat], strict=True)]

    # --- What provinces and cards are worth ---

    def points(self, province: int, armies: int, settled: bool = False) -> int:
        """Return what so many armies (negative: of the other) are worth in a province."""
        stand = int(self.fields["stands"][province]) - 1
        if stand < 0 or armies == 0:
            return 0
        first = (self.turn - 1) // 3
        total = 0
        for scoring in range(first, 3):
            now = scoring == first and (self.turn % 3 == 0 or settled)
            sure = 100 if now else FIRM[min(abs(armies), len(FIRM) - 1)]
            total += int(c.STANDS[stand, scoring]) * LATER[scoring - first] * sure // 100
        return total if armies > 0 else -total

    def worth(self, kind: int) -> int:
        """Return what a card in the hand is worth for the rounds to come."""
        return CARD_PRICE[kind] * min(self.left, 5) // 5

    def expense(self, kind: int, seat: int) -> int:
        """Return what it costs to play a card, apart from what it does in the fight."""
        if kind == c.ONE:
            return -BONUS_OF_1 * min(self.left, 3) // 3
        if kind == c.SIX:
            return (ARMY_PAID + CARD_PRICE[c.SIX]) * min(self.left, 5) // 5
        if kind < c.BASIC:
            return 0
        armies = int(c.PAID[kind])
        reserve = int(self.fields["reserve"][seat])
        return self.worth(kind) + armies * (ARMY_PAID if reserve > armies else 4 * ARMY_PAID)

    def table(self) -> Whole:
        """Return what one's card gains against another, by province, own, other card."""
        table = np.zeros((c.PROVINCES, c.KINDS, c.KINDS), np.int64)
        mine = [self.expense(kind, self.seat) for kind in range(c.KINDS)]
        other = [self.expense(kind, 1 - self.seat) for kind in range(c.KINDS)]
        for province in range(c.PROVINCES):
            worth = {n: self.points(province, self.reached(province, n)) for n in range(-9, 10)}
            here = self.points(province, self.board[province])
            half = self.points(province, self.halved(province, severe=False)) - here
            for a in range(c.KINDS):
                for b in range(c.KINDS):
                    gain = half if c.PLAGUE in (a, b) else worth[int(c.MARGIN[a, b])] - here
                    table[province, a, b] = gain - mine[a] + other[b]
        return table

    def reached(self, province: int, margin: int) -> int:
        """Return the armies after a fight; no more than there are in reserve arrive."""
        before = self.board[province]
        after = before + margin
        winner = self.seat if margin > 0 else 1 - self.seat
        arriving = abs(after) - (abs(before) if before * margin > 0 else 0)
        if margin == 0 or after * margin <= 0:
            return after
        missing = max(arriving - int(self.fields["reserve"][winner]), 0)
        return after - missing if after > 0 else after + missing

    def halved(self, province: int, *, severe: bool) -> int:
        """Return the armies after a Plague."""
        armies = abs(self.board[province])
        kept = min(armies, 1) if severe else armies - armies // 2
        return kept if self.board[province] > 0 else -kept

    # --- Orders ---

    def cards(self) -> list[int]:
        """Return one's hand as it was when the round began."""
        hand = [int(n) for n in self.fields["hand"][self.seat]]
        for card in self.fields["laid"][self.seat]:
            if card:
                hand[int(card) - 1] += 1
        return hand

    def made_up(
        self, mean: Whole, hand: Sequence[int], seat: int, rng: random.Random, noise: int
    ) -> list[int]:
        """Return an order of a hand that does well on average, more or less."""
        left, order = list(hand), [-1] * c.PROVINCES
        for province in rng.sample(range(c.PROVINCES), c.PROVINCES):
            best, most = -1, 0.0
            for kind in range(c.KINDS):
                if left[kind] and (kind != c.SIX or self.may_lay_6(seat, province)):
                    value = int(mean[province, kind]) + rng.randrange(-noise, noise)
                    if best < 0 or value > most:
                        best, most = kind, value
            left[best] -= 1
            order[province] = best
        return order

    def may_lay_6(self, seat: int, province: int) -> bool:
        """Say whether a 6 may lie there, for all that this seat knows."""
        if not self.fields["marks"][seat][province]:
            return True
        return (
            seat == c.RED and seat == self.seat and bool(self.fields["strategy"][c.RED] >> c.K1 & 1)
        )

    def payoff(self, table: Whole, own: Whole, other: Whole) -> Whole:
        """Return what each of one's orders gains against each of the other's."""
        total = np.zeros((len(own), len(other)), np.int64)
        for province in range(c.PROVINCES):
            total += table[province][own[:, province][:, None], other[:, province][None, :]]
        return total

    # --- Single decisions: what an action gains at once ---

    def gain(self, action: int) -> int:
        """Return what an open decision is worth; to decline is worth nothing."""
        kind, *about = c.ACTIONS.split(action)
        gains = {"army": self.taken, "use": self.used}
        if kind in gains:
            return gains[kind](*about)
        if kind == "reinforce":
            return -self.worth(c.BASIC + about[0])
        if kind == "pass":
            return 0
        patience = THRIFT * max(6 - self.turn, 0) // 5 + 5
        if kind == "remove":
            return self.changed(about[0], -1) - patience
        if kind == "add":
            return self.grown(about[0], 1) - patience
        origin, target = c.STEPS[about[0]]
        return self.grown(origin, -1) + self.grown(target, 1) - patience

    def taken(self, province: int) -> int:
        """Return what is lost with an army of a province (and won where it arrives)."""
        return self.grown(province, -1) + 50  # rather than a card

    def grown(self, province: int, armies: int) -> int:
        """Return what is won when one's armies in a province become more, or fewer."""
        before = self.board[province]
        settled = self._settled(province)
        after = self.points(province, before + armies, settled)
        return after - self.points(province, before, settled)

    def changed(self, province: int, armies: int) -> int:
        """Return what is won when somebody's army leaves a province."""
        return self.grown(province, armies if self.board[province] > 0 else -armies)

    def _settled(self, province: int) -> bool:
        """Say whether no fight comes in a province before the next scoring."""
        return self.turn % 3 == 0 and bool(int(self.fields["done"]) >> province & 1)

    def used(self, strategy: int) -> int:
        """Return what S2, S4, K3, K4 or K5 is worth now."""
        if self.fields["phase"] != FIGHT or self.seat == c.BLUE:
            return -1  # S2 and S4 seldom help
        province = int(self.fields["province"]) - 1
        plain = self.points(province, self.halved(province, severe=False))
        if strategy == c.K3:
            return self.points(province, self.halved(province, severe=True)) - plain - THRIFT // 2
        if strategy == c.K4:
            mine = int(self.fields["laid"][c.RED][province]) - 1
            if mine == c.PLAGUE or int(self.fields["effects"]) & COUNTERED:
                return -1
            zero = mine + 1 if mine < 10 else mine - 9 if mine <= c.PLUS_3 else -1
            after = self.points(province, self.reached(province, zero))
            return after - plain - THRIFT // 2
        return 10 if strategy == c.K5 and self.left > 2 else -1
