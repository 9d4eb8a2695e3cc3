"""Strangers to measure the Chief by: styles of play, of which it knows nothing.

A style is a Chief that tries less, likes some actions better than trying says, and imagines
everybody with habits of its own. The arena finds them as
``tianxia.games.firebulls.bot.league:rusher`` and so on; see `search.leaning`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tianxia.games.firebulls.bot.chief import Chief, Skill
from tianxia.games.firebulls.bot.greed import HABITS, OF_COLOURS, OF_COUNT, OF_WARRIOR
from tianxia.games.firebulls.bot.learned import SCALARS
from tianxia.games.firebulls.rules import components as c
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.leaning import League, Place, Style, breed, factors
from tianxia.search.thinking import Finding

WEIGHT_PLACES: dict[str, Place] = {
    "bulls": slice(OF_COUNT, OF_COLOURS),
    "colours": slice(OF_COLOURS, OF_WARRIOR),
    **{name: SCALARS[name] for name in ("warrior", "hope", "last_draws", "bonus", "unseen")},
    "powers": slice(SCALARS["bo"], SCALARS["general"] + 1),
}
"""Which habits a style may have otherwise."""
THOUGHT = Skill(trials=240)
BIG, GREAT = 3, 5
"""How many cards are laid for a card that is worth some waiting, and for one worth much."""
HANDFUL = 7
"""Cards in hand with which a hoarder attacks."""


class Sight:
    """A view, as a style looks at it."""

    def __init__(self, view: State, seat: int) -> None:
        fields = view.fields
        seats = int(fields["seats"])
        self.others = [other for other in range(seats) if other != seat]
        self.hand: list[int] = fields["hands"][seat].tolist()
        self.pawn = int(fields["pawns"][seat])
        self.pawns: list[int] = fields["pawns"].tolist()
        self.known: list[int] = fields["known"][seat][self.others].max(axis=0).tolist()
        """By kind: how many cards some other is known to hold."""
        self.early = int(fields["exhausted"]) == 0
        points = view.scores()
        self.leader = max(self.others, key=lambda other: (points[other], -other))


def laid(action: int) -> int:
    """Return how many cards an attack lays; 0 for anything else."""
    if c.kind_of(action) != c.ATTACK:
        return 0
    return int(c.PAYMENT_SIZE[c.argument(action, 1)])


# --- What styles like about an action, in utility ---


def rushes(_sight: Sight, action: int) -> float:
    """Attack as soon as anything can be won."""
    return 0.1 if laid(action) else 0.0


def hoards(sight: Sight, action: int) -> float:
    """Attack with a full hand only, or for a card that is worth it."""
    return -0.2 if 0 < laid(action) < BIG and sum(sight.hand) < HANDFUL else 0.0


def hunts(_sight: Sight, action: int) -> float:
    """Go for Bo, Colonels and the General; leave Soldiers and Wu to others."""
    if laid(action) >= GREAT:
        return 0.2
    return -0.08 if 0 < laid(action) < BIG else 0.0


def gambles(_sight: Sight, action: int) -> float:
    """Draw unseen: nobody knows what it holds."""
    return 0.08 if action == c.DRAW else 0.0


def recruits(_sight: Sight, action: int) -> float:
    """Take Warriors wherever they lie."""
    return 0.15 if action == c.TAKE + c.WARRIOR else 0.0


def denies(sight: Sight, action: int) -> float:
    """Take what others are known to gather."""
    if c.kind_of(action) != c.TAKE:
        return 0.0
    return 0.05 * min(sight.known[c.argument(action, 0)], 3)


def dislodges(sight: Sight, action: int) -> float:
    """Step into the others' places, and take cards before whoever is ahead."""
    if action in (c.LEFT, c.RIGHT):
        goal = sight.pawn + (1 if action == c.RIGHT else -1)
        return 0.12 if goal in [sight.pawns[other] for other in sight.others] else 0.0
    mine = c.kind_of(action) == c.ATTACK and c.argument(action, 0) == sight.pawns[sight.leader]
    return 0.08 if mine else 0.0


def delays(sight: Sight, action: int) -> float:
    """Attack hardly at all before the deck has run out once."""
    return -0.15 if sight.early and laid(action) else 0.0


def matches(sight: Sight, action: int) -> float:
    """Gather one colour, for Colonel and General."""
    if c.kind_of(action) != c.TAKE or c.argument(action, 0) == c.WARRIOR:
        return 0.0
    return 0.03 * sight.hand[c.argument(action, 0)]


LEANINGS = (rushes, hoards, hunts, gambles, recruits, denies, dislodges, delays, matches)
PLAYING_STYLES = {
    "rusher": Style(rushes, {"hope": 0.8}),
    "hoarder": Style(hoards, {"bulls": 1.2}),
    "hunter": Style(hunts, {"powers": 1.5}),
    "gambler": Style(gambles, {"unseen": 1.5}),
    "recruiter": Style(recruits, {"warrior": 1.5}),
    "denier": Style(denies),
    "spoiler": Style(dislodges),
    "latecomer": Style(delays, {"hope": 1.2}),
    "purist": Style(matches, {"colours": 0.5}),
}


class Stranger(Chief):
    """Plays as its style likes."""

    def __init__(self, game: Game, seat: int, seed: int, style: Style) -> None:
        super().__init__(game, seat, seed, THOUGHT)
        self.style = style
        habits = self.learned.habits * factors(style.taste, WEIGHT_PLACES, HABITS)
        self.learned = self.learned._replace(habits=habits)

    def weigh(self, view: State, deadline: float | None = None) -> list[Finding]:
        """Return what each candidate is worth to this style, which takes the best."""
        sight = Sight(view, self.seat)
        liked = [
            replace(one, value=one.value + self.style.leaning(sight, one.action), share=0.0)
            for one in super().weigh(view, deadline)
        ]
        liked.sort(key=lambda one: (-one.value, one.action))
        liked[0] = replace(liked[0], share=1.0)
        return liked


LEAGUE = League(
    Stranger, PLAYING_STYLES, partial(breed, leanings=LEANINGS, weights=WEIGHT_PLACES), bred=(5, 9)
)

__getattr__ = LEAGUE.maker
"""Styles' makers by name, as the arena asks for `module:name`."""
