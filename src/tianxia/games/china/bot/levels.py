"""China's five levels: how carefully the Chancellor weighs its plans.

The weaker ones look less far ahead, try less, and take plans that seem nearly as good:
small mistakes are frequent and big ones rare. None knows more than its view.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tianxia.games.china.bot.chancellor import Chancellor, Skill
from tianxia.games.china.bot.player import Courtier
from tianxia.search.bot import Maker

SKILLS: Mapping[str, Skill] = {
    "novice": Skill(trials=60, plans=56, rounds=0, slack=0.3),
    "apprentice": Skill(trials=60, plans=40, rounds=0, slack=0.06),
    "journeyman": Skill(trials=60, plans=24, rounds=0, slack=0.025),
    "expert": Skill(trials=120, plans=24, rounds=1, slack=0.012),
    "master": Skill(trials=1600),
}
MAKERS: dict[str, Maker] = {
    "courtier": Courtier,
    **{level: partial(Chancellor, skill=skill) for level, skill in SKILLS.items()},
}
