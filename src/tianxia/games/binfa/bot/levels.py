"""The five levels: the Warlord, who thinks less far and makes mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tianxia.games.binfa.bot.player import Quartermaster
from tianxia.games.binfa.bot.warlord import BEST, Skill, Warlord
from tianxia.search.bot import Maker

SKILLS: Mapping[str, Skill] = {
    "novice": Skill(width=1, deep=0, heat=0.033, fear=0.1),
    "apprentice": Skill(width=2, deep=0, heat=0.0205, fear=0.2),
    "journeyman": Skill(width=3, deep=0, heat=0.014, fear=0.3),
    "expert": Skill(width=4, deep=0, heat=0.005),
    "master": BEST,
}
MAKERS: dict[str, Maker] = {
    "quartermaster": Quartermaster,
    **{level: partial(Warlord, skill=skill) for level, skill in SKILLS.items()},
}
