"""The five levels of Stratego: the same player, who looks less far and is less exact.

A level is in how many worlds and how many moves ahead it looks, whether it learns from what
opposing pieces do, how much it betters its set-up, and a temperature: how far behind
the best a move may be and still be chosen. So small mistakes are frequent and great ones rare.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tianxia.games.stratego.bot.player import Skirmisher
from tianxia.games.stratego.bot.strategos import Skill, Strategos
from tianxia.search.bot import Maker

SKILLS: Mapping[str, Skill] = {
    "novice": Skill(worlds=1, depth=1, nodes=1_000, temperature=14.0, remembers=False, swaps=0),
    "apprentice": Skill(worlds=2, depth=1, nodes=1_000, temperature=8.0, remembers=False, swaps=0),
    "journeyman": Skill(worlds=4, depth=1, nodes=2_000, temperature=3.0, remembers=False, swaps=0),
    "expert": Skill(worlds=8, depth=2, nodes=6_000, temperature=1.2, swaps=0),
    "master": Skill(),
}
MAKERS: dict[str, Maker] = {
    "skirmisher": Skirmisher,
    **{level: partial(Strategos, skill=skill) for level, skill in SKILLS.items()},
}
