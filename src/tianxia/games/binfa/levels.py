"""The five levels: the General, who thinks less far and makes mistakes."""

from __future__ import annotations

from tianxia.games.binfa.general import BEST, Skill

SKILLS = {
    "novice": Skill(width=1, deep=0, heat=0.03),
    "apprentice": Skill(width=2, deep=0, heat=0.014),
    "journeyman": Skill(width=3, deep=0, heat=0.006),
    "expert": Skill(width=6, deep=0, heat=0.002),
    "master": BEST,
}
