"""The Tactician: the best player of Sun Tzu, which mixes its orders by solving the round.

When cards are laid it draws hands that the other may hold, and hands that the other may
think it holds, solves the round as a game of orders (`mixing`), valued by what it has learnt
of positions (`outlook`), and draws its order from the mixture. What the other's mixture is
it keeps for the rest of the round, less what turned-up cards have ruled out: strategy
cards, payments and reinforcements are weighed against it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tianxia.games.suntzu.bot import effects, outlook
from tianxia.games.suntzu.bot.ahead import (
    draws_before_last,
    fill_ahead,
    look_ahead,
    make_sequel,
    settle,
)
from tianxia.games.suntzu.bot.clash import leftovers, prospects
from tianxia.games.suntzu.bot.mixing import Effort, Lots, make_lots, solve
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.state import BEFORE, FINAL, LAYING
from tianxia.kernel import functions
from tianxia.kernel.game import Game, Part
from tianxia.kernel.record import CHANCE, Pool, viewer_code
from tianxia.kernel.rng import Rng, fraction, new_rng, next32
from tianxia.kernel.state import State
from tianxia.search.bot import Player, now
from tianxia.search.choosing import drawn, softly, softmax

Numbers = NDArray[np.int64]
Reals = NDArray[np.float64]
HANDS_STREAM, ORDER_STREAM, ACTION_STREAM = 1 << 36, 1 << 37, 1 << 38
"""Keep the numbers of different purposes apart that are drawn from one seed."""
LEAST_SHARE = 0.1
"""Orders that the mixture takes more seldom than the likeliest by this factor are not laid:
they are left from learning."""
WORLDS = 48
"""Worlds that stand for what the other has laid, where no round has been solved."""
ENOUGH = 3
"""Orders that still agree with what was turned up, for the mixture to be relied upon."""
LITTLE = 1e-4
"""What an army that comes back early is worth, in chances of winning."""
EAGERNESS = 0.05
"""How far a strategy card may be worse than the best and still be chosen often, in chances."""


@dataclass(frozen=True)
class Skill:
    """How much a Tactician thinks, and how well it does what it has found.

    Attributes
    ----------
    own, other
        How many hands of either side it thinks of.
    orders, others
        How many orders it compares for its own hand, and for each other hand.
    stages, iterations, replies
        See `mixing.Effort`.
    ahead
        How many orders of each side are compared once more where the round that they lead to
        can be solved: see `ahead`.
    spread
        How far its ideas stray from what seems best, in standard deviations.
    temperature
        0: it takes orders from the mixture, and elsewhere what is best. Else the choice is
        drawn by a softmax over chances of winning: small mistakes are frequent, big rare.
    """

    own: int = 14
    other: int = 40
    orders: int = 96
    others: int = 24
    stages: int = 3
    iterations: int = 300
    spread: float = 1.3
    temperature: float = 0.0
    replies: int = 8
    ahead: int = 0

    def __post_init__(self) -> None:
        """See that every hand has an order to begin with.

        Raises
        ------
        ValueError
            Where best replies would take all the room.
        """
        if self.replies >= min(self.orders, self.others):
            raise ValueError("each hand needs more orders than there are best replies")


BEST = Skill(ahead=20)
BRISK = Skill(own=8, other=20, orders=64, others=16, iterations=200, replies=5)
HURRIED = Skill(own=5, other=12, orders=32, others=10, stages=2, iterations=80, replies=2)
PARTS = {BEST: 1.0, BRISK: 0.25, HURRIED: 0.1}
"""How it thinks, at its best and where the clock leaves no time for that, and about what part of
the time each takes."""
AHEAD = 0
"""Stands in `_pace` for seeing the last round but one through."""
CAREFUL = 2.0
"""It begins only what would take half of the time that is left: some rounds take longer."""
SHORT = 2
"""With so few armies in a reserve a round takes up to four times as long: see `shortage`."""
NEWS = 0.3
"""What part the last round is of `_pace`, where it took less time."""
_pace: dict[int, float] = {}
"""How many seconds each kind of round (`_kind_of_round`) takes to solve at one's best, on this
machine as it is now."""


@dataclass(frozen=True)
class Solved:
    """A round that was solved: the orders of one's hand, and what the other may have laid.

    Attributes
    ----------
    orders, shares, values
        One's own orders, how often each is laid, and how likely it wins.
    replies, weights, cards
        The other's orders, how likely each is, what is left of their hands.
    gains
        What one's cards gain on average, by province and kind, in log-odds.
    """

    orders: Numbers
    shares: Reals
    values: Reals
    replies: Numbers
    weights: Reals
    cards: Reals
    gains: Reals


class Tactician(Player):
    """Plays Sun Tzu with all options, from a seat's views alone."""

    deadline = math.inf
    """When the present decision has to be made, by `now`."""

    def __init__(self, game: Game, seat: int, seed: int, skill: Skill = BEST) -> None:
        super().__init__(game, seat, seed)
        self.skill = skill
        self.weights = outlook.weights()
        self.begun: State | None = None  # the view with which this round began
        self._known: dict[bytes, Solved] = {}  # what was computed last, to save time only
        _warm(game)

    # --- The protocol of bots ---

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Count one's own actions; keep the view with which a round began."""
        super().observe(actor, action, view)
        fields = view.fields
        if int(fields["phase"]) == LAYING and actor == CHANCE:
            self.begun = view

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the next card of an order drawn from the mixture, or what wins most."""
        self.deadline = math.inf if deadline is None else deadline
        try:
            return self._chosen(view)
        finally:
            self.deadline = math.inf  # who asks for advice later has no clock

    def _chosen(self, view: State) -> int:
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        if int(view.fields["phase"]) == LAYING:
            return self._lay(view)
        values = self.weigh(view, legal)
        rng = new_rng(self.seed, ACTION_STREAM + self.decided)
        mixing = EAGERNESS if c.kind_of(legal[0]) == c.CHOOSE else 0.0  # a choice made in secret
        return list(values)[softly(list(values.values()), mixing + self.skill.temperature, rng)]

    # --- Laying ---

    def _lay(self, view: State) -> int:
        """Lay the next card of the order.

        No card is given for an army meanwhile: it can be when armies are missing (SUN-27).
        """
        _, order = self.plan(view)
        laid = [int(card) for card in view.fields["laid"][self.seat]]
        province = laid.index(0)
        return int(c.laying(int(order[province]), province))

    def plan(self, view: State) -> tuple[Solved, Numbers]:
        """Return this round's game and the order drawn from it; it agrees with what is laid.

        It is the same however many of its cards lie. Where others lie than it wants (somebody
        else has laid them) there is a new one.
        """
        laid = view.fields["laid"][self.seat].astype(np.int64) - 1
        base = effects.as_begun(view, self.seat)
        solved = self._solve(base, np.full(c.PROVINCES, -1))
        order = self._drawn(solved, view)
        if ((laid >= 0) & (laid != order)).any():
            solved = self._solve(base, laid)
            order = self._drawn(solved, view)
        return solved, order

    def _drawn(self, solved: Solved, view: State) -> Numbers:
        """Draw an order: from the mixture, or by a softmax where the skill has one."""
        rng = new_rng(self.seed, ORDER_STREAM + int(view.fields["turn"]))
        if self.skill.temperature > 0:
            weights = softmax(solved.values.tolist(), self.skill.temperature)
        else:
            weights = laid_shares(solved).tolist()
        return solved.orders[drawn(weights, fraction(rng))]

    def _solve(self, base: State, fixed: Numbers) -> Solved:
        """Solve the round that begins with a view; the last answers are remembered."""
        key = base.to_bytes() + fixed.tobytes()
        if key not in self._known:
            if len(self._known) > 3:
                self._known.clear()
            self._known[key] = self.solved(base, fixed)
        return self._known[key]

    def solved(self, base: State, fixed: Numbers) -> Solved:
        """Solve a round, as it began, from this seat's view of it."""
        begun = now()
        turn = int(base.fields["turn"])
        kind = _kind_of_round(base)
        skill, seat, other = self._affordable(begun, kind), self.seat, 1 - self.seat
        rng = new_rng(self.seed, HANDS_STREAM + turn)
        mine, his = hands_of(base, seat, skill.own, skill.other, next32(rng))
        if self.skill.ahead and self._sees_last(base, mine, his):
            # One hand of each side is solved in no time; what follows has a clock of its own.
            rooms = [[self.skill.orders], [self.skill.orders]]
            lots = self.lots_of(base, fixed, self.skill, (mine[:1], his[:1]), rooms, rng)
            return _read(self._seen_through(base, lots, next32(rng)), seat, other)
        rooms = [[skill.orders] + [skill.others] * (len(mine) - 1), [skill.others] * len(his)]
        lots = self.lots_of(base, fixed, skill, (mine, his), rooms, rng)
        if skill in PARTS:
            _note_pace(kind, (now() - begun) / PARTS[skill])
        return _read(lots, seat, other)

    def lots_of(
        self,
        base: State,
        fixed: Numbers,
        skill: Skill,
        hands: tuple[Numbers, Numbers],
        rooms: list[list[int]],
        rng: Rng,
    ) -> Lots:
        """Solve the game of orders of one's hands and the other's, with room for so many."""
        mine, his = hands
        sides = (mine, his) if self.seat == c.BLUE else (his, mine)
        lots = make_lots(sides, rooms if self.seat == c.BLUE else rooms[::-1])
        effort = Effort(skill.stages, skill.replies, skill.iterations, skill.spread)
        solve(base.record, self.weights, self.seat, fixed, effort, lots, rng)
        return lots

    def _sees_last(self, base: State, mine: Numbers, his: Numbers) -> bool:
        """Say whether the last round comes next, and both know with which cards."""
        fields = base.fields
        if int(fields["turn"]) != c.LAST_ROUND - 1 or int(base.game.options["events"]):
            return False
        if len(np.unique(mine, axis=0)) > 1 or len(np.unique(his, axis=0)) > 1:
            return False
        hands = (mine[0], his[0]) if self.seat == c.BLUE else (his[0], mine[0])
        return not draws_before_last(base.record, np.array(hands))

    def _seen_through(self, base: State, lots: Lots, seed: int) -> Lots:
        """Return the round solved by what it leads to, where the clock leaves time for that."""
        begun = now()
        if begun + CAREFUL * _pace.get(AHEAD, 0.0) > self.deadline:
            _pace[AHEAD] *= 1 - NEWS  # a machine is not slow for ever
            return lots
        ahead = look_ahead(base.record, self.weights, lots, self.skill.ahead, seed)
        _note_pace(AHEAD, now() - begun)
        return ahead

    def _affordable(self, begun: float, kind: int) -> Skill:
        """Return the best way to think for which the clock leaves time, of the best one."""
        if self.skill != BEST:
            return self.skill
        left = self.deadline - begun
        longest = max((pace for known, pace in _pace.items() if known != AHEAD), default=0.0)
        pace = CAREFUL * _pace.get(kind, longest)
        return next((skill for skill, part in PARTS.items() if part * pace <= left), HURRIED)

    # --- Other decisions ---

    def weigh(self, view: State, legal: Sequence[int]) -> dict[int, float]:
        """Return how likely one wins after each action: of any decision but laying."""
        turn = min(int(view.fields["turn"]) + 1, c.LAST_ROUND)
        about = {one: c.argument(one, 0) for one in legal}
        if c.kind_of(legal[0]) == c.CHOOSE:
            return {one: _sigmoid(self._worth_of_trick(about[one], turn)) for one in legal}
        if c.kind_of(legal[0]) == c.UNDER:
            return self._weigh_cards(view, legal, turn)
        solved = self.expected(view)
        order = view.fields["laid"][self.seat].astype(np.int64) - 1
        if c.kind_of(legal[0]) == c.NAME:
            return {one: self._chance_named(view, about[one], order, solved) for one in legal}
        phase = int(view.fields["phase"])
        # Of equals: pass, but for the last armies, when no card is worth anything any more; and
        # rather pay from anywhere than with a card, and with the least of them.
        cards = self.weights[turn, outlook.CARD : outlook.DRAWN_CARDS]
        actions = sorted(
            legal,
            key=lambda one: (
                (one == c.PASS) == (phase == FINAL),
                cards[about[one]] if c.kind_of(one) == c.REINFORCE else -math.inf,
            ),
        )
        chances = {one: self._chance_after(view, one, order, solved) for one in actions}
        if phase == BEFORE:  # the same can be played after the fights
            chances[c.PASS] = max(chances.values())
        return chances

    def _chance_after(self, view: State, action: int, order: Numbers, solved: Solved) -> float:
        """Return how likely one wins with an order after an action."""
        given = [-1]
        if c.kind_of(action) == c.ADD and view.fields["reserve"][self.seat] == 0:
            # An army can be added only by discarding a card for it (SUN-68).
            given = np.flatnonzero(view.fields["hand"][self.seat][c.BASIC :]).tolist()
        return max(
            (
                self._chance_of(effects.after(view, self.seat, action, one), order, solved)
                for one in given
            ),
            default=0.0,
        )

    def _chance_of(self, outcomes: effects.Outcomes, order: Numbers, solved: Solved) -> float:
        """Return how likely one wins where one chooses a list of positions, the other one of it."""
        return max(min(self.chance(pool, order, solved) for pool in pools) for pools in outcomes)

    def _weigh_cards(self, view: State, legal: Sequence[int], turn: int) -> dict[int, float]:
        """Return how likely one wins without each of the cards drawn."""
        worth = self.weights[turn, outlook.CARD : outlook.DRAWN_CARDS]
        record, sign = view.record[0], 1 if self.seat == c.BLUE else -1
        record["hand"][self.seat][c.BASIC :] += record["drawn"][self.seat]
        record["drawn"][self.seat] = 0
        odds = sign * float(outlook.features(record, turn, drawn=True) @ self.weights[turn])
        odds -= float(view.fields["hidden"][1 - self.seat]) * float(worth.mean())
        return {one: _sigmoid(odds - float(worth[c.argument(one, 0)])) for one in legal}

    def _worth_of_trick(self, card: int, turn: int) -> float:
        """Return the log-odds of holding a strategy card (S3: of a step on the track)."""
        if self.seat == c.BLUE and card == c.S3:
            return float(outlook.worth_of_score(self.weights, turn, 1))
        return float(self.weights[turn, outlook.TRICK + c.STRATEGIES * self.seat + card])

    def _chance_named(self, view: State, province: int, order: Numbers, solved: Solved) -> float:
        """Return how likely one wins if a province is fought for next, with what reserves hold."""
        if view.fields["reserve"].min() > outlook.FEW:
            return self.chance(view.record, order, solved)  # all orders are alike
        total = 0.0
        for kind in np.unique(solved.replies[:, province]):
            agree = solved.replies[:, province] == kind
            weights = solved.weights[agree]
            after = _replies(solved.replies[agree], weights / weights.sum(), solved.cards[agree])
            cards = int(order[province]), int(kind)
            outcomes = effects.fought(
                view, self.seat, province, cards if self.seat == c.BLUE else cards[::-1]
            )
            total += weights.sum() * self._chance_of(outcomes, order, after)
        return total + LITTLE * self._haste(view, solved, province)

    def _haste(self, view: State, solved: Solved, province: int) -> float:
        """Return which armies come back to one's reserve from a fight, less the other's.

        Where reserves run short it is better to fight first where armies come back.
        """
        if view.fields["reserve"].min() > outlook.FEW:
            return 0.0
        mine = int(view.fields["laid"][self.seat][province]) - 1
        armies = effects.armies_of(view.fields, self.seat, province)
        after = np.array(
            [effects.armies_left(armies, mine, int(his)) for his in solved.replies[:, province]]
        )
        back = np.maximum(armies, 0) - np.maximum(after, 0)
        gone = np.maximum(-armies, 0) - np.maximum(-after, 0)
        return float((back - gone) @ solved.weights)

    def expected(self, view: State) -> Solved:
        """Return what the other may have laid, as far as what is turned up allows."""
        known = None
        if self.begun is not None and self.begun.fields["turn"] == view.fields["turn"]:
            known = self._solve(effects.as_begun(self.begun, self.seat), np.full(c.PROVINCES, -1))
        seen = view.fields["laid"][1 - self.seat].astype(np.int64) - 1
        if known is not None:
            agree = ((known.replies == seen) | (seen < 0)).all(axis=1) & (known.weights > 0)
            if agree.sum() >= ENOUGH:
                weights = known.weights[agree] / known.weights[agree].sum()
                return _replies(known.replies[agree], weights, known.cards[agree])
        return self._any_replies(view)

    def _any_replies(self, view: State) -> Solved:
        """Return orders that the other may have laid, drawn evenly."""
        worlds = self.game.samples(view, WORLDS, self.seed + self.decided)
        other = 1 - self.seat
        replies = worlds["laid"][:, other].astype(np.int64) - 1
        hands = worlds["hand"][:, other].astype(np.int64)
        for world, reply in enumerate(replies):
            hands[world] += np.bincount(reply[reply >= 0], minlength=c.KINDS)
        cards = np.zeros(WORLDS)
        leftovers(view.record, self.weights, other, hands, replies, cards)
        return _replies(replies, np.full(WORLDS, 1 / WORLDS), cards)

    def chance(self, pool: Pool, order: Numbers, solved: Solved) -> float:
        """Return how likely one wins with an order in a position that may be changed."""
        hand = pool["hand"][0][self.seat].astype(np.int64)
        laid = pool["laid"][0][self.seat]
        for kind in laid[laid > 0].astype(int) - 1:
            hand[kind] += 1
        out = np.zeros(1)
        prospects(
            pool,
            self.weights,
            self.seat,
            hand,
            order,
            solved.replies,
            solved.weights,
            solved.cards,
            out,
        )
        return float(out[0])


def _kind_of_round(base: State) -> int:
    """Return what rounds take about as long: its number, below 0 where a reserve runs short."""
    turn = int(base.fields["turn"])
    return -turn if base.fields["reserve"].min() <= SHORT else turn


def _note_pace(kind: int, seconds: float) -> None:
    """Learn how long a round takes, from a hurried one, too.

    That it takes longer at once, that it takes less by and by: a machine is not slow for ever.
    """
    _pace[kind] = seconds + (1 - NEWS) * max(_pace.get(kind, seconds) - seconds, 0.0)


def laid_shares(solved: Solved) -> Reals:
    """Return with what chance each order is laid: the mixture without what is left of learning."""
    shares = np.where(solved.shares >= LEAST_SHARE * solved.shares.max(), solved.shares, 0.0)
    return np.asarray(shares / shares.sum(), float)


def hands_of(base: State, seat: int, own: int, other: int, seed: int) -> tuple[Numbers, Numbers]:
    """Return hands of a seat (its real one first) and of the other, as each may think of them."""
    game = base.game
    worlds = game.samples(base, max(other, 1), seed)
    his = worlds["hand"][:, 1 - seat].astype(np.int64)
    mine = base.fields["hand"][seat].astype(np.int64)[None]
    if own > 1:
        seen = game.blank(viewer_code(1 - seat))
        functions.view(worlds[:1].copy(), 1 - seat, seen)
        thought = game.samples(State(game, seen), own - 1, seed + 1)
        mine = np.concatenate([mine, thought["hand"][:, seat].astype(np.int64)])
    return mine, his


def _read(lots: Lots, seat: int, other: int) -> Solved:
    """Return what was found: one's real hand is the first, the other's hands count alike."""
    own = slice(0, int(lots.made[seat, 0]))
    types = int(lots.types[other])
    size = int(lots.room[other, :types].sum())
    weights = lots.share[other, :size] / types
    kept = weights > 0
    return Solved(
        orders=lots.orders[seat, own],
        shares=lots.share[seat, own],
        values=lots.value[seat, own],
        replies=lots.orders[other, :size][kept],
        weights=weights[kept],
        cards=lots.cards[other, :size][kept],
        gains=lots.gain[seat],
    )


def _replies(replies: Numbers, weights: Reals, cards: Reals) -> Solved:
    """Return what the other may have laid, where one has laid oneself."""
    none = np.zeros((0, c.PROVINCES), np.int64)
    nothing = np.zeros(0)
    gains = np.zeros((c.PROVINCES, c.KINDS))
    return Solved(none, nothing, nothing, replies, weights, cards, gains)


def _sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def parts(game: Game) -> Iterator[Part]:
    """Yield what it thinks with, the last used first: see `GameType.parts`."""
    view, weights, odds, order = (
        game.blank(1),
        outlook.weights(),
        np.zeros((1, 1)),
        np.zeros(1, np.int64),
    )
    hands = np.zeros((1, c.KINDS), np.int64)
    lots = make_lots((hands, hands), [[4], [4]])
    yield settle, (view, weights, lots, odds)
    yield prospects, (view, weights, 0, order, order, hands, odds[0], odds[0], odds[0])
    yield leftovers, (view, weights, 0, hands, hands, odds[0])
    yield fill_ahead, (view, weights, lots, make_sequel(view, lots, 0), odds)


@cache
def _warm(game: Game) -> None:
    """Load, once a process, the compiled code that choices need: none shall wait for it."""
    state = game.new()
    while not state.acting or int(state.fields["phase"]) != LAYING:
        seat = state.acting[0] if state.acting else CHANCE
        state.apply(state.legal_actions(seat)[0], seat)
    quick = Skill(own=2, other=2, orders=4, others=4, stages=1, replies=1, iterations=4)
    tactician = Tactician.__new__(Tactician)
    tactician.game, tactician.seat, tactician.seed, tactician.skill = game, c.BLUE, 0, quick
    tactician.weights, tactician.decided = outlook.weights(), 0
    base = effects.as_begun(state.view(c.BLUE), c.BLUE)
    solved = tactician.solved(base, np.full(c.PROVINCES, -1))
    tactician.chance(base.record, solved.orders[0], solved)
    hand = base.fields["hand"][c.BLUE].astype(np.int64)[None]
    lots = tactician.lots_of(
        base, np.full(c.PROVINCES, -1), quick, (hand, hand), [[4], [4]], new_rng(0)
    )
    draws_before_last(base.record, np.concatenate([hand, hand]))
    look_ahead(base.record, tactician.weights, lots, 2, 0)
