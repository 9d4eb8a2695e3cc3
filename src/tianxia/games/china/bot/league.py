"""Strangers to measure the Chancellor by: styles of play, of which it knows nothing.

A style is a Chancellor that tries less, likes some plans better than trying says, and has a taste
of its own for what a position is worth. The arena finds them as
``tianxia.games.china.bot.league:builder`` and so on; see `search.leaning`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tianxia.games.china.bot.chancellor import Chancellor, Skill, Weighed
from tianxia.games.china.bot.worth import WEIGHT_NAMES, WEIGHT_ROWS, fitted
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.leaning import League, Place, Style, breed, factors

WEIGHT_PLACES: dict[str, Place] = {name: row for row, name in enumerate(WEIGHT_NAMES)}
BRED_BY = tuple(name for name in WEIGHT_NAMES if name != "temperature")
"""Which weights a style that is bred has otherwise: not how sure of a lead it is."""
THOUGHT = Skill(trials=400)
PIECES_PLACED = (c.PALACE, c.FORT, c.EMISSARY)


class Sight:
    """A view, as a style looks at it: whose palaces stand where."""

    def __init__(self, view: State, seat: int) -> None:
        fields = view.fields
        self.land = int(c.row(int(fields["land"])))
        within = [int(c.WITHIN[self.land, province]) for province in range(PROVINCES)]
        self.palaces = [
            [(int(built) & spaces).bit_count() for spaces in within] for built in fields["palaces"]
        ]
        """By owner and province."""
        self.seat = seat
        others = [other for other in range(view.seats) if other != seat]
        points = view.scores()
        self.leader = max(others, key=lambda other: (points[other], -other))
        self.hand: list[int] = fields["hands"][seat].tolist()

    def places(self, plan: Weighed) -> Iterator[tuple[int, int]]:
        """Yield what a plan places, posts left out: the kind and the province of each piece."""
        for action in (plan.first, plan.second):
            kind = c.kind_of(action) if action >= 0 else -1
            if kind in PIECES_PLACED:
                where = c.argument(action, 0)
                yield kind, where if kind == c.EMISSARY else int(c.PROVINCE[self.land, where])

    def built(self, province: int) -> int:
        """Return how many palaces stand in a province."""
        return sum(owned[province] for owned in self.palaces)


# --- What styles like about a plan, in chances of winning ---


def hurries(sight: Sight, plan: Weighed) -> float:
    """Place two pieces in every turn."""
    return 0.05 * (sum(1 for _ in sight.places(plan)) - 1)


def sends(sight: Sight, plan: Weighed) -> float:
    """Send emissaries."""
    return 0.03 * sum(kind == c.EMISSARY for kind, _ in sight.places(plan))


def settles(sight: Sight, plan: Weighed) -> float:
    """Go where nobody is."""
    return 0.03 * sum(sight.built(where) == 0 for _, where in sight.places(plan))


def spoils(sight: Sight, plan: Weighed) -> float:
    """Go where whoever is ahead has most palaces."""
    rival = sight.palaces[sight.leader]
    return 0.02 * sum(rival[where] > 1 for _, where in sight.places(plan))


def follows(sight: Sight, plan: Weighed) -> float:
    """Have one palace, not two, in provinces that others fill."""
    own = sight.palaces[sight.seat]
    return 0.03 * sum(
        kind == c.PALACE and own[where] == 0 and sight.built(where) > 1
        for kind, where in sight.places(plan)
    )


def insists(sight: Sight, plan: Weighed) -> float:
    """Build where it has most already."""
    own = sight.palaces[sight.seat]
    return 0.01 * sum(own[where] for kind, where in sight.places(plan) if kind == c.PALACE)


def hides(_sight: Sight, plan: Weighed) -> float:
    """Draw unseen cards: nobody knows what it holds."""
    return 0.03 if plan.first == c.DECK else 0.0


def pairs(sight: Sight, plan: Weighed) -> float:
    """Take cards that it has already, and exchange rather than place little."""
    if c.kind_of(plan.first) == c.TAKE:
        return 0.02 * sight.hand[c.argument(plan.first, 0)]
    return 0.02 if c.kind_of(plan.first) == c.EXCHANGE else 0.0


LEANINGS = (hurries, sends, settles, spoils, follows, insists, hides, pairs)
PLAYING_STYLES = {
    "rusher": Style(hurries, {"card": 0.5}),
    "diplomat": Style(sends, {"whole": 1.3, "half": 2.0}),
    "settler": Style(settles, {"lead": 1.5}),
    "spoiler": Style(spoils, {"follow": 1.5}),
    "follower": Style(follows, {"follow": 2.0}),
    "landlord": Style(insists, {"place": 1.3, "lead": 1.3}),
    "hider": Style(hides),
    "hoarder": Style(pairs, {"card": 1.5, "pair": 2.0}),
    "builder": Style(taste={"road": 1.5, "longer": 2.0, "three": 2.0, "two": 2.5}),
}


class Stranger(Chancellor):
    """Plays as its style likes."""

    def __init__(self, game: Game, seat: int, seed: int, style: Style) -> None:
        taste = factors(style.taste, WEIGHT_PLACES, WEIGHT_ROWS)
        super().__init__(game, seat, seed, THOUGHT, fitted() * taste[:, None])
        self.style = style

    def weigh(self, view: State, deadline: float | None = None) -> list[Weighed]:
        """Return what each plan is worth to this style, the best first."""
        sight = Sight(view, self.seat)
        liked = [
            replace(plan, chance=plan.chance + self.style.leaning(sight, plan))
            for plan in super().weigh(view, deadline)
        ]
        return sorted(liked, key=lambda plan: -plan.chance)


LEAGUE = League(
    Stranger, PLAYING_STYLES, partial(breed, leanings=LEANINGS, weights=BRED_BY), bred=(5, 3)
)

__getattr__ = LEAGUE.maker
"""Styles' makers by name, as the arena asks for `module:name`."""
