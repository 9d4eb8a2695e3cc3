"""The Courtier: builds where it changes the most, and takes the cards for its next turn.

It values a position by what each would score if the game ended now, with something for
what may still grow: the lead in a province that is not full, the lead in one of two
allied provinces, three palaces in a row. A *plan* is one piece or two in one province, and
is worth the change of its own value less that of the others. On its turn it carries out
the best plan that its cards pay for. When it takes a card it looks at the best plan that
the hand would then pay for; for a card of the deck it takes the mean over the cards that
may still be in it.

It knows what a view tells and remembers nothing; it looks at nobody else's hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.state import EMPERORS, KEEPING, TAKING, TURN
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player

Hand = tuple[int, ...]
Piece = tuple[str, int]
"""What is placed, and on which space or in which province."""

GROWTH = 0.5  # of the free spaces of a province, counted for whoever leads and can keep the lead
FOLLOWER = 0.3  # for having a palace in a province that is not full
ONE_SIDE = 0.35  # of an alliance, for whoever leads in one of its provinces and may in the other
THREE_IN_A_ROW, TWO_IN_A_ROW = 1.6, 0.5
OPEN_TILE = 1.2  # for a tile that does not decide a majority yet
FORT_ALONE = -1.0  # a fortification that somebody else may build on
EXCHANGED = 0.6  # what a hand for the next turn is worth, compared with placing now
INFLUENCE = 0.5  # for an influence card, besides the Emperor's palaces of its colour
SECOND_PLAN = 0.3  # of the next best plan, since a turn carries out one
PAIR = 0.1  # for two equal cards, a joker
SWAP_WORTH = 3.0  # what a plan has to gain by the special card to use it
NOISE = 0.05


@dataclass
class Table:
    """What of a view counts for plans, as plain numbers that are quick to try changes on.

    Attributes
    ----------
    me
        The seat that wants to know.
    mover
        The owner whose pieces are tried: the seat, or the Emperor.
    """

    land: int
    me: int
    mover: int
    seats: int
    palaces: list[int]
    emissaries: list[list[int]]
    forts: int
    scored: int
    fort_left: bool
    influence: list[int]
    tiles: list[list[int]]
    lying: dict[int, int]  # by space: the colour of a tile; −1 face down
    cache: dict[tuple[int, ...], float] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Any, me: int, mover: int) -> Table:
        """Read a view's record."""
        seats = int(fields["seats"])
        owners = 3 if seats == 2 else seats
        lying = {}
        for province in range(PROVINCES):
            for i in range(c.TILES_IN_PROVINCE):
                space = int(fields["tile_space"][province][i]) - 1
                if space >= 0:
                    lying[space] = int(fields["tile_colour"][province][i]) - 1
        return cls(
            int(fields["land"]),
            me,
            mover,
            seats,
            [int(spaces) for spaces in fields["palaces"][:owners]],
            [row.tolist() for row in fields["emissaries"][:owners]],
            int(fields["forts"]),
            int(fields["scored"]),
            bool(fields["forts_left"][mover]),
            fields["influence"].tolist(),
            [row.tolist() for row in fields["tiles_taken"][:owners]],
            lying,
        )

    def within(self, province: int) -> int:
        """Return the spaces of a province."""
        return int(c.WITHIN[c.row(self.land), province])

    @property
    def built(self) -> int:
        """All spaces with a palace."""
        spaces = 0
        for palaces in self.palaces:
            spaces |= palaces
        return spaces

    def weight(self, owner: int, colour: int) -> float:
        """Return how an owner's points count: mine, and the others' against me.

        The Emperor's palaces count for whoever holds the influence card.
        """
        if owner >= self.seats:
            holder = self.influence[colour] - 1
            return 0.0 if holder < 0 else self.weight(holder, colour)
        return 1.0 if owner == self.me else -1.0 / (self.seats - 1)

    # --- Values ---

    def around(self, province: int) -> float:
        """Return the value of all that pieces in a province can change."""
        return (
            sum(self.province_value(p) for p in _touched(self.land, province))
            + sum(self.alliance_value(i) for i in _alliances_of(self.land, province))
            + self.roads_value()
            + self.tiles_value()
        )

    def province_value(self, province: int) -> float:
        """Return the balance of the palaces in a province."""
        if self.scored >> province & 1:
            return 0.0
        within = self.within(province)
        colour = c.board(self.land).colours[province]
        counts = [(spaces & within).bit_count() for spaces in self.palaces]
        total, free = sum(counts), within.bit_count() - sum(counts)
        best = max(counts)
        balance = 0.0
        for owner, count in enumerate(counts):
            if count == 0:
                continue
            others = counts[:owner] + counts[owner + 1 :]
            if count == best:
                lead = count - max(others)
                value = total + GROWTH * free * min(1.0, (lead + 0.5) / (free + 1.0))
            else:
                value = min(other for other in others if other > count) + FOLLOWER * (free > 0)
            if self.palaces[owner] & within & self.forts:
                value *= 2
            balance += value * self.weight(owner, colour)
        return balance

    def alliance_value(self, number: int) -> float:
        """Return the balance of an alliance, half of one included."""
        one, other = c.board(self.land).alliances[number]
        first, second = ([row[p] for row in self.emissaries] for p in (one, other))
        total = sum(first) + sum(second)
        balance = 0.0
        for owner in range(self.seats):
            leads = [row[owner] > 0 and row[owner] == max(row) for row in (first, second)]
            if all(leads):
                balance += total * self.weight(owner, 0)
            elif any(leads):
                short = 1 + (max(second) - second[owner] if leads[0] else max(first) - first[owner])
                balance += ONE_SIDE * (total + 1) / short * self.weight(owner, 0)
        return balance

    def roads_value(self) -> float:
        """Return the value of the mover's roads; other roads do not change by its pieces."""
        if self.mover >= self.seats:
            return 0.0
        return roads_of(self.land, self.palaces[self.mover], self.forts) * self.weight(
            self.mover, 0
        )

    def tiles_value(self) -> float:
        """Return the balance of the bonus tiles."""
        balance = 0.0
        for colour in range(c.TILE_COLOURS if self.lying or any(map(any, self.tiles)) else 0):
            counts = [row[colour] for row in self.tiles]
            for owner in range(self.seats):
                if counts[owner] and counts[owner] == max(counts):
                    balance += (c.TILE_POINTS - 3 + OPEN_TILE) * self.weight(owner, 0)
                balance += OPEN_TILE * counts[owner] * self.weight(owner, 0)
        return balance

    # --- Pieces ---

    def pieces(self, province: int) -> Iterator[Piece]:
        """Yield what the mover could place in a province, cards aside."""
        board, built = c.board(self.land), self.built
        if self.palaces[self.mover].bit_count() < c.PALACES:
            for space in board.spaces_of(province):
                if not built >> space & 1 and not board.spaces[space].is_post:
                    yield "palace", space
        if self.fort_left and not board.disputed:
            for space in board.spaces_of(province):
                if not (built | self.forts) >> space & 1:
                    yield "fort", space
        if self._room(province) and sum(self.emissaries[self.mover]) < c.EMISSARIES:
            yield "emissary", province

    def _room(self, province: int) -> bool:
        within = self.within(province)
        most = max((spaces & within).bit_count() for spaces in self.palaces)
        return sum(row[province] for row in self.emissaries) < most

    def put(self, piece: Piece, sign: int = 1) -> None:
        """Put a piece on the board, or take it away again (sign −1)."""
        kind, place = piece
        if kind == "emissary":
            self.emissaries[self.mover][place] += sign
        elif kind == "fort":
            self.forts ^= 1 << place
            self.fort_left = sign < 0
        else:
            self.palaces[self.mover] ^= 1 << place
            colour = self.lying.get(place, -1)
            if colour >= 0:
                self.tiles[self.mover][colour] += sign

    def worth(self, province: int, *pieces: Piece) -> float:
        """Return how pieces in a province change the value of the position."""
        key = (province,)
        if key not in self.cache:
            self.cache[key] = self.around(province)
        before = self.cache[key]
        for piece in pieces:
            self.put(piece)
        after = self.around(province)
        for kind, place in pieces:
            if kind == "fort" and not self.built >> place & 1:
                after += FORT_ALONE
            if kind == "palace" and self.lying.get(place, 0) < 0:
                after += OPEN_TILE  # a tile that is still face down
        for piece in reversed(pieces):
            self.put(piece, -1)
        return after - before

    def is_empty(self, province: int) -> bool:
        """Say whether no piece is in a province."""
        within = self.within(province)
        pieces = (self.built | self.forts) & within
        return not pieces and not any(row[province] for row in self.emissaries)


@dataclass(frozen=True)
class Plan:
    """Pieces in a province, in order, and what they are worth."""

    worth: float
    province: int
    pieces: tuple[Piece, ...]


Plans = list[tuple[Plan | None, Plan | None]]
"""For each province the best plan of one piece, and of two."""


def plans_for(table: Table, province: int) -> tuple[Plan | None, Plan | None]:
    """Return the best plan of one piece in a province, and of two."""
    one: Plan | None = None
    two: Plan | None = None
    for first in list(table.pieces(province)):
        worth = table.worth(province, first)
        if one is None or worth > one.worth:
            one = Plan(worth, province, (first,))
        if table.is_empty(province):
            continue
        table.put(first)
        seconds = [piece for piece in table.pieces(province) if _in_order(first, piece)]
        table.put(first, -1)
        for second in seconds:
            worth = table.worth(province, first, second)
            if two is None or worth > two.worth:
                two = Plan(worth, province, (first, second))
    return one, two


def _in_order(first: Piece, second: Piece) -> bool:
    """Say whether to try two pieces in this order, where the other one gives the same."""
    if first[0] == second[0] == "palace":
        return first[1] < second[1]
    return not (first[0] == "emissary" and second[0] == "palace") and second[0] != "fort"


@lru_cache(1000)
def _touched(land: int, province: int) -> tuple[int, ...]:
    """Return the provinces whose palaces a piece may change: with posts, the neighbours."""
    board = c.board(land)
    found = {province}
    for post in board.posts:
        if province in board.spaces[post].provinces:
            found.update(board.spaces[post].provinces)
    return tuple(sorted(found))


@lru_cache(1000)
def _alliances_of(land: int, province: int) -> tuple[int, ...]:
    pairs = c.board(land).alliances
    return tuple(number for number, pair in enumerate(pairs) if province in pair)


# --- Roads, roughly: the longest chain of each group of palaces ---


@lru_cache(maxsize=50_000)
def roads_of(land: int, palaces: int, forts: int) -> float:
    """Return what an owner's roads are worth."""
    total, rest = 0.0, palaces
    while rest:
        group = _group(land, rest)
        rest &= ~group
        total += _group_value(land, group, forts & group)
    return total


def longest_road(land: int, palaces: int) -> int:
    """Return the length of an owner's longest chain, whether it pays or not."""
    longest, rest = 0, palaces
    while rest:
        group = _group(land, rest)
        rest &= ~group
        longest = max(longest, _longest(land, group))
    return longest


def _group(land: int, spaces: int) -> int:
    group = edge = spaces & -spaces
    near = c.NEAR[c.row(land)].tolist()
    while edge:
        low = edge & -edge
        found = near[low.bit_length() - 1] & spaces & ~group
        group |= found
        edge = (edge ^ low) | found
    return group


@lru_cache(maxsize=50_000)
def _group_value(land: int, group: int, forts: int) -> float:
    length = _longest(land, group)
    if length < c.LEAST_CHAIN:
        return {3: THREE_IN_A_ROW, 2: TWO_IN_A_ROW}.get(length, 0.0)
    return length * 2.0 if forts else float(length)


def _longest(land: int, group: int) -> int:
    """Return the length of the longest path in a group; of a large one, of some long path."""
    best, budget = 0, 400
    near = c.NEAR[c.row(land)].tolist()
    ends = sorted(_bits(group), key=lambda s: (near[s] & group).bit_count())
    for start in ends:
        stack = [(start, 1 << start)]
        while stack and budget > 0:
            space, path = stack.pop()
            budget -= 1
            best = max(best, path.bit_count())
            stack += [(n, path | 1 << n) for n in _bits(near[space] & group & ~path)]
        if best == group.bit_count() or budget <= 0:
            break
    return best


def _bits(spaces: int) -> Iterator[int]:
    while spaces:
        low = spaces & -spaces
        yield low.bit_length() - 1
        spaces ^= low


# --- Cards ---


def pieces_paid(hand: Hand, colour: int) -> int:
    """Return how many pieces a hand pays for in a province of a colour (CHI-17 to 19)."""
    joker = any(count >= 2 for c, count in enumerate(hand) if c != colour)
    return min(hand[colour] + joker, 2)


def with_card(hand: Hand, colour: int, count: int = 1) -> Hand:
    """Return a hand with one more card, or with fewer."""
    return (*hand[:colour], hand[colour] + count, *hand[colour + 1 :])


# --- The player ---


class Courtier(Player):
    """The player; see the module."""

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return what it does now."""
        fields = view.fields
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        phase = int(fields["phase"])
        emperors = bool(int(fields["course"]) & EMPERORS)
        table = Table.of(fields, self.seat, c.EMPEROR if emperors else self.seat)
        hand = tuple(fields["hands"][self.seat].tolist())
        if phase == TAKING:
            return self._take(fields, table, hand, legal)
        if phase == KEEPING:
            return max(
                legal, key=lambda action: self._keep_worth(fields, table, c.argument(action, 0))
            )
        if phase == TURN:
            return self._turn(view, table, hand, legal)
        return self._piece(view, table, legal)

    # --- Placing ---

    def _turn(self, view: State, table: Table, hand: Hand, legal: list[int]) -> int:
        """Carry out the best plan, or exchange a card if no plan is worth anything."""
        fields = view.fields
        rng = new_rng(self.seed, view.plies)
        plans = self._plans(table)
        best, plan = self._best(table, plans, hand)
        choices: list[tuple[float, int]] = []
        if plan is not None:
            action = self._first_action(table, plan, hand, legal)
            choices.append((best, action))
        for action in legal:
            match c.ACTIONS.split(action):
                case "post", *_about:
                    choices.append((self._worth(table, action), action))
                case "exchange", colour:
                    left = with_card(hand, colour, -1)
                    hope = self._hope_of_exchange(fields, table, plans, left)
                    choices.append((EXCHANGED * hope, action))
                case "swap", given, taken:
                    better = self._best(table, plans, with_card(with_card(hand, given, -1), taken))
                    choices.append((better[0] - SWAP_WORTH, action))
        noisy = [(worth + NOISE * below(rng, 1000) / 1000, -action) for worth, action in choices]
        return -max(noisy)[1] if noisy else legal[0]

    def _plans(self, table: Table) -> Plans:
        return [plans_for(table, province) for province in range(PROVINCES)]

    def _best(self, table: Table, plans: Plans, hand: Hand) -> tuple[float, Plan | None]:
        """Return the best plan that a hand pays for."""
        found: list[Plan] = []
        for province, (one, two) in enumerate(plans):
            paid = pieces_paid(hand, c.board(table.land).colours[province])
            found += [plan for plan in (one, two)[:paid] if plan is not None]
        if not found:
            return 0.0, None
        plan = max(found, key=lambda plan: plan.worth)
        return plan.worth, plan

    def _first_action(self, table: Table, plan: Plan, hand: Hand, legal: list[int]) -> int:
        """Return the action of a plan's first piece, paid so that the rest can be paid, too."""
        own = c.board(table.land).colours[plan.province]
        kind, place = plan.pieces[0]
        if kind == "palace" and c.OPEN + plan.province in legal:
            return c.OPEN + plan.province

        def order(colour: int) -> tuple[bool, bool]:
            left = with_card(hand, colour, -1 if colour == own else -2)
            return pieces_paid(left, own) >= len(plan.pieces) - 1, colour == own

        able = [one for one in range(c.COLOURS) if c.ACTIONS.join(kind, place, one) in legal]
        return c.ACTIONS.join(kind, place, max(able, key=order)) if able else legal[0]

    def _piece(self, view: State, table: Table, legal: list[int]) -> int:
        """Choose one piece, or none where that is allowed."""
        rng = new_rng(self.seed, view.plies)
        noisy = []
        for action in legal:
            worth = self._worth(table, action) + NOISE * below(rng, 1000) / 1000
            noisy.append((worth, -action))
        return -max(noisy)[1]

    def _worth(self, table: Table, action: int) -> float:
        """Return the worth of one action of placing; of stopping and declining none."""
        if action in (c.STOP, c.DECLINE):
            return 0.0
        kind, place, *about = c.ACTIONS.split(action)
        board = c.board(table.land)
        if kind == "open":
            spaces = [piece for piece in table.pieces(place) if piece[0] == "palace"]
            return max((table.worth(place, piece) for piece in spaces), default=0.0)
        if kind == "post":
            space = board.posts[place]
            return table.worth(board.spaces[space].provinces[0], ("palace", space))
        province = place if kind == "emissary" else board.spaces[place].provinces[0]
        dear = about[0] != board.colours[province]
        return table.worth(province, (kind, place)) - 0.1 * dear

    # --- Cards ---

    def _take(self, fields: Any, table: Table, hand: Hand, legal: list[int]) -> int:
        """Take the card for the best plan of the next turn."""
        plans = self._plans(table)

        def hope(action: int) -> float:
            if action == c.DECK:
                return self._hope_of_deck(fields, table, plans, hand)
            return self._hand_worth(table, plans, with_card(hand, c.argument(action, 0)))

        return max(legal, key=hope)

    def _hope_of_deck(self, fields: Any, table: Table, plans: Plans, hand: Hand) -> float:
        """Return what a card of the deck may be worth: the mean over what may be in it."""
        possible = fields["fresh"].astype(np.int64) - fields["drawn"][self.seat]
        worths = [
            self._hand_worth(table, plans, with_card(hand, colour)) for colour in range(c.COLOURS)
        ]
        return float(possible @ worths / possible.sum())

    def _hand_worth(self, table: Table, plans: Plans, hand: Hand) -> float:
        """Return the worth of a hand: its best plan, and a little for the next one."""
        found = []
        for province, (one, two) in enumerate(plans):
            paid = pieces_paid(hand, c.board(table.land).colours[province])
            worths = [plan.worth for plan in (one, two)[:paid] if plan is not None]
            found.append(max(worths, default=0.0))
        best, second = sorted(found)[:-3:-1]
        return best + SECOND_PLAN * second + PAIR * sum(count >= 2 for count in hand)

    def _hope_of_exchange(self, fields: Any, table: Table, plans: Plans, hand: Hand) -> float:
        """Return the best value that a hand may have with one card more."""
        hopes = [
            self._hand_worth(table, plans, with_card(hand, colour))
            for colour in range(c.COLOURS)
            if fields["display"][colour]
        ]
        if fields["deck_size"]:
            hopes.append(self._hope_of_deck(fields, table, plans, hand))
        return max(hopes, default=0.0)

    def _keep_worth(self, fields: Any, table: Table, colour: int) -> float:
        """Return what keeping a card is worth: its colour's influence, or getting near it."""
        mine = int(fields["kept"][self.seat][colour]) + 1
        theirs = int(fields["kept"][1 - self.seat][colour])
        holder = int(fields["influence"][colour]) - 1
        emperors = sum(
            (table.palaces[c.EMPEROR] & table.within(p)).bit_count()
            for p in range(PROVINCES)
            if c.board(table.land).colours[p] == colour and not table.scored >> p & 1
        )
        if holder == self.seat:
            return 0.2 * (emperors + INFLUENCE) / (1 + mine - theirs)
        if holder < 0 or mine >= theirs:
            return emperors + INFLUENCE
        return 0.3 * (emperors + INFLUENCE) / (1 + theirs - mine)
