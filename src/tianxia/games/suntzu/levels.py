"""Five levels of the General: from few rough ideas, loosely chosen among, to the best there is.

A lower level makes up fewer orders that stray further from what is good, thinks of fewer hands
that the other may hold, and chooses by a softmax over chances of winning, so that small
mistakes are frequent and big ones rare.
"""

from __future__ import annotations

from tianxia.games.suntzu.general import Skill

SKILLS: dict[str, Skill] = {
    "novice": Skill(1, 2, 24, 4, 1, 20, spread=6.0, temperature=0.25),
    "apprentice": Skill(1, 3, 24, 6, 1, 30, spread=4.0, temperature=0.10),
    "journeyman": Skill(2, 4, 24, 8, 2, 40, spread=2.5, temperature=0.05),
    "expert": Skill(3, 6, 32, 10, 2, 60, spread=2.0, temperature=0.02),
    "master": Skill(),
}
