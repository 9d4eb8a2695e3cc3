"""The five levels: the General, who thinks less far and makes mistakes."""

from __future__ import annotations

from tianxia.games.binfa.bot.general import BEST, Skill

SKILLS = {
    "novice": Skill(width=1, deep=0, heat=0.033, fear=0.1),
    "apprentice": Skill(width=2, deep=0, heat=0.0205, fear=0.2),
    "journeyman": Skill(width=3, deep=0, heat=0.014, fear=0.3),
    "expert": Skill(width=4, deep=0, heat=0.005),
    "master": BEST,
}
