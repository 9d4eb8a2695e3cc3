"""Five levels of the Tactician: from few rough ideas, loosely chosen among, to the best there is.

A lower level makes up fewer orders that stray further from what is good, thinks of fewer hands
that the other may hold, and chooses by a softmax over chances of winning, so that small
mistakes are frequent and big ones rare.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tianxia.games.suntzu.bot.player import Strategist
from tianxia.games.suntzu.bot.tactician import BEST, Skill, Tactician
from tianxia.search.bot import Maker

SKILLS: Mapping[str, Skill] = {
    "novice": Skill(1, 2, 16, 4, 1, 20, replies=0, spread=30.0, temperature=5.0),
    "apprentice": Skill(1, 3, 24, 6, 1, 30, replies=0, spread=9.0, temperature=0.52),
    "journeyman": Skill(2, 4, 24, 8, 2, 40, replies=0, spread=3.5, temperature=0.22),
    "expert": Skill(4, 8, 32, 12, 2, 80, replies=0, spread=2.0, temperature=0.06),
    "master": BEST,
}
MAKERS: dict[str, Maker] = {
    "strategist": Strategist,
    **{level: partial(Tactician, skill=skill) for level, skill in SKILLS.items()},
}
