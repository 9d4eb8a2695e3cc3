"""The five levels: the General, who thinks less far and makes mistakes."""

from __future__ import annotations

from tianxia.games.binfa.general import BEST, Skill

SKILLS = {
    "novice": Skill(width=1, deep=0, heat=0.30),
    "apprentice": Skill(width=2, deep=0, heat=0.12),
    "journeyman": Skill(width=4, deep=0, heat=0.05),
    "expert": Skill(width=8, deep=0, heat=0.02),
    "master": BEST,
}
