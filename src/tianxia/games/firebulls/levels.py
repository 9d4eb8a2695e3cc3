"""The five levels: the Chief with fewer trials, a shorter memory, and mistakes."""

from __future__ import annotations

from functools import partial

from tianxia.games.firebulls.chief import BEST, Chief, Skill
from tianxia.search.bot import Maker

SKILLS = {
    "novice": Skill(trials=60, turns=0, temperature=0.30, forgetful=True),
    "apprentice": Skill(trials=100, turns=0, temperature=0.12, forgetful=True),
    "journeyman": Skill(trials=200, turns=2, temperature=0.06, forgetful=True),
    "expert": Skill(trials=400, turns=4, temperature=0.03),
    "master": BEST,
}
MAKERS: dict[str, Maker] = {name: partial(Chief, skill=skill) for name, skill in SKILLS.items()}
