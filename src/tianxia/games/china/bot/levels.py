"""China's five levels: how carefully the Chancellor weighs his plans.

The weaker ones look less far ahead, try less, and take plans that seem nearly as good:
small mistakes are frequent and big ones rare. None knows more than its view.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tianxia.games.china.bot.chancellor import Care, Chancellor
from tianxia.search.bot import Maker

CARES: Mapping[str, Care] = {
    "novice": Care(trials=60, plans=56, rounds=0, slack=0.3),
    "apprentice": Care(trials=60, plans=40, rounds=0, slack=0.06),
    "journeyman": Care(trials=60, plans=24, rounds=0, slack=0.025),
    "expert": Care(trials=120, plans=24, rounds=1, slack=0.012),
    "master": Care(trials=1600),
}

MAKERS: Mapping[str, Maker] = {name: partial(Chancellor, care=care) for name, care in CARES.items()}
