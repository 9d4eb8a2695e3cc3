"""The five levels: the Chief with fewer trials, a shorter memory, and mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tianxia.games.firebulls.bot.chief import BEST, Chief, Skill
from tianxia.games.firebulls.bot.player import Drover
from tianxia.search.bot import Maker

SKILLS: Mapping[str, Skill] = {
    "novice": Skill(trials=40, turns=0, temperature=0.4, forgetful=True),
    "apprentice": Skill(trials=60, turns=0, temperature=0.15, forgetful=True),
    "journeyman": Skill(trials=100, turns=1, temperature=0.07, forgetful=True),
    "expert": Skill(trials=200, turns=3, temperature=0.03),
    "master": BEST,
}
MAKERS: dict[str, Maker] = {
    "drover": Drover,
    **{level: partial(Chief, skill=skill) for level, skill in SKILLS.items()},
}
