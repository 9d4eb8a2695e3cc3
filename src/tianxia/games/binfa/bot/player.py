"""The Quartermaster: closes in on piles, and attacks what has no way to retreat.

It looks for the pile that is most worth closing in (`plans.Field`), marches there by the
shortest ways, keeps its own units together, and goes on rolling as long as it can pay.
What stands beside friends it drives out, with a taller pile. It knows what a view tells
and remembers nothing.
"""

from __future__ import annotations

from typing import Any

from tianxia.games.binfa.bot.plans import OUT_OF_REACH, SIDES, Field, March, side_by_side
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import state as s
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player

PILE_SIZES = ((6, 6), (4, 4, 4), (5, 4, 3), (6, 3, 3), (7, 5))
RESERVE = 2  # supplies that it keeps unless a capture is near
IN_ONE_ROLL = 5  # displacements that one roll can give


class Quartermaster(Player):
    """A player of Bin'Fa; the same seed plays the same game."""

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return what it does now."""
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        fields = view.fields
        phase = int(fields["phase"])
        if phase in (s.MAPPING, s.PAWNS):
            return self._set_up(view, legal, phase)
        if phase == s.PLACING:
            return self._place(fields, legal)
        field = Field(fields, self.seat, max(int(fields["army"]) - 1, 0))
        if phase == s.CHOOSING:
            return self._army(view, fields, legal)
        if phase == s.READY:
            return self._ready(fields, field, legal)
        if phase == s.MOVING:
            return self._move(view, field, legal)
        if phase == s.COUNTING:
            return self._count(view, fields, field, legal)
        if phase == s.RETREATING:
            return self._retreat(field, int(fields["vacated"]) - 1, legal)
        if phase == s.STEPPING:
            return max(
                legal, key=lambda action: (self._gain(fields, c.argument(action, 0)), -action)
            )
        if phase == s.RAIDING:
            return self._raid(fields, legal)
        return legal[-1] if legal[-1] >= c.COUNT else legal[0]

    def _draw(self, view: State, count: int) -> int:
        return int(below(new_rng(self.seed, view.plies + 1), count))

    # --- The set-up ---

    def _set_up(self, view: State, legal: list[int], phase: int) -> int:
        if phase == s.MAPPING:
            return legal[self._draw(view, len(legal))]
        # From its first circles a pawn has its own colour before it.
        return next(action for action in legal if c.argument(action, 0) % c.SIDE == 0)

    def _place(self, fields: Any, legal: list[int]) -> int:
        """Build piles side by side, as one of the formations."""
        army = int(c.SECTOR[legal[0]])
        spots = [t for t in legal if int(c.SECTOR[t]) == army]
        formation = PILE_SIZES[int(below(new_rng(self.seed, army), len(PILE_SIZES)))]
        height = fields["height"].tolist()
        first = int(below(new_rng(self.seed, 7 + army), len(spots)))
        chain = side_by_side(spots, first, len(formation))
        for t, wanted in zip(chain, formation, strict=False):
            if height[t] < wanted:
                return t
        return chain[0]

    # --- Whose turn, and what for ---

    def _army(self, view: State, fields: Any, legal: list[int]) -> int:
        """Move the army with the best prospects it can pay for; else resupply the poorest."""
        supplies = fields["supplies"].tolist()
        store = c.SUPPLIES - sum(supplies)
        best, choice = -1.0, -1
        for action in legal:
            if c.kind_of(action) == c.SUPPLY_ARMY:
                continue
            army = c.argument(action, 0)
            plans = Field(fields, self.seat, army).plans()
            worth = plans[0].worth if plans else 0.0
            enough = supplies[army] > 2 * RESERVE or store == 0
            near = bool(plans) and plans[0].cost <= 2 * supplies[army]
            if (enough or near) and worth + 0.01 * supplies[army] > best:
                best, choice = worth + 0.01 * supplies[army], action
        if choice >= 0:
            return choice
        able = [action for action in legal if c.kind_of(action) == c.SUPPLY_ARMY]
        if not able:
            return max(legal, key=lambda action: supplies[c.argument(action, 0)])
        return min(able, key=lambda action: (supplies[c.argument(action, 0)], action))

    def _ready(self, fields: Any, field: Field, legal: list[int]) -> int:
        """Attack what cannot retreat; roll while there is something to do; else stop."""
        plans = field.plans()
        attacks = [action for action in legal if c.kind_of(action) == c.ATTACK]
        rated = [(self._attack_worth(field, action), -action) for action in attacks]
        best, action = max(rated, default=(0.0, 0))
        now = plans[0].worth if plans and plans[0].cost <= IN_ONE_ROLL else 0.0
        if best > now:
            return -action
        paid = int(self.game.options["level"]) >= 3
        poor = paid and field.supplies[field.army] <= RESERVE and now == 0.0
        return c.STOP if c.STOP in legal and poor else c.ROLL

    @staticmethod
    def _attack_worth(field: Field, action: int) -> float:
        """Return what an attack may bring: all of a pile, or its parting from friends."""
        _kind, origin, way = c.ACTIONS.split(action)
        target = int(c.NEIGHBOURS[origin, way])
        colour = field.top[target]
        if field.owner[colour] == field.seat:
            return -1.0
        if field.retreats(target, origin) == 0:
            return 0.5 * field.worth(target)
        return 0.3 + 0.05 * field.height[target] if field.company(target, colour) else 0.05

    # --- Displacements ---

    def _move(self, view: State, field: Field, legal: list[int]) -> int:
        march = self._march(view, field)
        if march is not None:
            wanted = step(march.origin, march.target)
            if wanted in legal:
                return wanted
        field_only = [action for action in legal if target_of(action) not in field.pools]
        choices = field_only or legal
        return min(choices, key=lambda action: (self._harm(field, action), self._mix(view, action)))

    def _mix(self, view: State, action: int) -> int:
        """Return a number for a choice among equals that changes from ply to ply."""
        return (action * 7919 + view.plies * 104729 + self.seed) % 10007

    def _march(self, view: State, field: Field) -> March | None:
        """Return the next displacement: out of whirlpools, of the best plan, or an approach."""
        for origin in field.due:
            near = [t for t in SIDES[origin] if field.open_to(field.army, t)]
            if near:
                target = max(near, key=lambda t: (field.company(t, field.army), t))
                return March(origin, target, field.height[origin])
        for plan in field.plans()[:3]:
            march = field.march(plan)
            if march is not None:
                return march
        return self._approach(field)

    @staticmethod
    def _approach(field: Field) -> March | None:
        """Bring the tallest pile beside one that it can drive out, or gather a taller one."""
        own = [t for t in field.own() if t not in field.pools]
        if not own:
            return None
        tallest = max(own, key=lambda t: (field.height[t], t))
        for target in sorted(field.foes, key=lambda t: (-field.worth(t), t)):
            if field.height[target] >= field.height[tallest]:
                continue
            gaps = [t for t in SIDES[target] if field.open_to(field.army, t)]
            if tallest in gaps:
                return None
            ways = [(field.distances(gap)[tallest], gap) for gap in gaps]
            if ways and min(ways)[0] < OUT_OF_REACH:
                reach = field.distances(min(ways)[1])
                nearest = min(SIDES[tallest], key=lambda t: reach[t])
                return March(tallest, nearest, field.height[tallest])
        others = [t for t in own if t != tallest]
        reach = field.distances(tallest)
        able = [t for t in others if reach[t] < OUT_OF_REACH]
        if not able:
            return None
        origin = min(able, key=lambda t: (reach[t], t))
        nearest = min(SIDES[origin], key=lambda t: reach[t])
        return March(origin, nearest, field.height[origin])

    @staticmethod
    def _harm(field: Field, action: int) -> float:
        """Return what a displacement of a whole pile spoils, where none is wanted."""
        origin, target = c.argument(action, 0), target_of(action)
        height = field.height[origin]
        joins = field.top[target] == field.army
        before, after = field.company(origin, field.army), field.company(target, field.army)
        return 0.1 * height + 0.2 * (before - after) - (2.0 if joins and height == 1 else 0.0)

    def _count(self, view: State, fields: Any, field: Field, legal: list[int]) -> int:
        """Take along what the plan wants, else the whole pile."""
        origin, way = int(fields["origin"]) - 1, int(fields["way"]) - 1
        march = self._march(view, field)
        chosen = (origin, int(c.NEIGHBOURS[origin, way]))
        if march is not None and (march.origin, march.target) == chosen:
            wanted = int(c.count_of(march.count))
            if wanted in legal:
                return wanted
        return legal[-1]

    # --- Retreats and supplies ---

    def _retreat(self, field: Field, here: int, legal: list[int]) -> int:
        """Retreat to friends, or to where most sides are open."""
        colour = field.top[here]

        def safety(action: int) -> tuple[int, int, int]:
            target = target_of(action)
            friends = field.company(target, colour) - field.height[here]
            ways = sum(not field.closes(side, colour) for side in SIDES[target])
            return (int(field.top[target] == colour) + int(friends > 0), ways, -action)

        return max(legal, key=safety)

    def _gain(self, fields: Any, distance: int) -> float:
        """Return what a pawn would bring, and a little for where it stands afterwards."""
        army = int(fields["army"]) - 1
        circle = (int(fields["pawns"][army]) - 1 + distance) % c.CIRCLES
        colour = int(c.CIRCLE_COLOUR[circle])
        store = c.SUPPLIES - int(fields["supplies"].sum())
        bank = min(distance, store)
        if colour == army:
            return bank
        owner = int(fields["owner"][colour]) - 1
        stolen = 0
        if circle % c.SIDE == c.CENTRE and owner not in (-1, self.seat):
            stolen = min(distance, int(fields["supplies"][colour]))
        stands = bool((fields["top"] == army + 1)[colour == c.SECTOR].any())
        return max(bank if stands else 0, 1.5 * stolen)

    def _raid(self, fields: Any, legal: list[int]) -> int:
        """Take from who has more; what it loses counts as well."""
        distance, victim = int(fields["distance"]), int(fields["raid"]) - 1
        stolen = min(distance, int(fields["supplies"][victim]))
        bank = min(distance, c.SUPPLIES - int(fields["supplies"].sum()))
        if c.BANK in legal:
            return c.TAKE if 1.5 * stolen >= bank else c.BANK
        return c.TAKE if stolen or c.LEAVE not in legal else c.LEAVE


def step(origin: int, target: int) -> int:
    """Return the action of a displacement between neighbours."""
    return int(c.go_along(origin, c.NEIGHBOURS[origin].tolist().index(target)))


def target_of(action: int) -> int:
    """Return the triangle to which a displacement, a retreat or an occupation leads."""
    _kind, origin, way = c.ACTIONS.split(action)
    return int(c.NEIGHBOURS[origin, way])
