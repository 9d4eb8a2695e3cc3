"""The five levels of Stratego: the same player, who looks less far and is less exact.

A level is in how many worlds and how many moves ahead it looks, whether it learns from what
opposing pieces do, whether it takes the best of many set-ups, and a temperature: how far behind
the best a move may be and still be chosen. So small mistakes are frequent and great ones rare.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tianxia.games.stratego.bot.player import Skirmisher
from tianxia.games.stratego.bot.strategos import Skill, Strategos
from tianxia.search.bot import Maker

SKILLS: Mapping[str, Skill] = {
    "novice": Skill(worlds=1, depth=1, nodes=1_000, temperature=14.0, remembers=False, setups=1),
    "apprentice": Skill(worlds=2, depth=1, nodes=1_000, temperature=8.0, remembers=False, setups=1),
    "journeyman": Skill(worlds=4, depth=1, nodes=2_000, temperature=3.0, remembers=False, setups=1),
    "expert": Skill(worlds=8, depth=2, nodes=6_000, temperature=1.2, setups=1),
    "master": Skill(),
}
MAKERS: dict[str, Maker] = {
    "skirmisher": Skirmisher,
    **{level: partial(Strategos, skill=skill) for level, skill in SKILLS.items()},
}
