"""Bin'Fa: armies on a hexagon of triangles, taken by encirclement; supplies; whirlpools.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tianxia.draw.languages import N_
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.binfa.face import words
from tianxia.games.binfa.rules import answers, knowledge
from tianxia.games.binfa.rules.components import STATEMENTS
from tianxia.games.binfa.rules.maps import GENERATED, NAMES, chart, read_own, wrong_for
from tianxia.games.binfa.rules.state import STATE
from tianxia.kernel.errors import OptionError
from tianxia.kernel.game import FirstGame, GameType
from tianxia.kernel.options import Option, Text, Value
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge"]

BOOK = Rulebook(f"{__name__}.face")
SEVERAL = ((2, 2), (2, 3), (3, 2))
"""Players, and armies of each, where these are more than one (BIN-47x)."""


def _consistent(options: Mapping[str, Value]) -> OptionError | None:
    """Say what is wrong with a combination of options."""
    level, players, armies = (int(options[name]) for name in ("level", "players", "armies"))
    if armies > 1 and (level < 4 or (players, armies) not in SEVERAL):
        return OptionError(
            N_(
                "several armies each are for level 4, and for 2 players with 2 or 3 armies or"
                " 3 players with 2"
            )
        )
    if options["bases"] == "neighbours" and armies == 1:
        return OptionError(N_("bases=neighbours is for players with several armies"))
    if level == 1 and options["map"] != "random":
        return OptionError(N_("level 1 is played without terrain: leave map out"))
    if options["terrain"] != 9 and level < 4:
        return OptionError(
            N_("fewer than 9 terrain markers are for level 4 (BIN-38b): leave terrain out")
        )
    if options["terrain"] != 9 and options["map"] not in GENERATED:
        return OptionError(
            N_("a map that is given says how many terrain markers it has: leave terrain out")
        )
    return None if options["map"] in NAMES else wrong_for(level, str(options["map"]))


MAP_TEXT = Text(
    read_own,
    chart,
    "chart",
    N_("or a map of your own: terrain, a stroke, whirlpools"),
    "r6o6/r13y13b13",
)


SHOWN = (
    *(N_("random"), N_("ranges"), N_("placed"), N_("valley"), N_("citadel"), N_("spiral")),
    *(N_("passes"), N_("narrows"), N_("steppe"), N_("drawn"), N_("neighbours")),
    N_("marshal"),
)
"""Values of options and names of bots, which pages show in their language."""

GAME = GameType(
    name="binfa",
    title="Bin'Fa",
    rules_version=1,
    dtype=STATE,
    words=words,
    statements=STATEMENTS,
    options=(
        Option("level", 4, (1, 2, 3, 4), N_("which rules: 1 field, 2 terrain, 3 supplies, 4 all")),
        Option("players", 2, (2, 3, 4, 5, 6), N_("how many play")),
        Option("armies", 1, (1, 2, 3), N_("armies of each player")),
        Option("map", "random", NAMES, N_("where terrain and whirlpools lie"), MAP_TEXT),
        Option("terrain", 9, range(10), N_("how many terrain markers there are")),
        Option("bases", "drawn", ("drawn", "neighbours"), N_("where a player's bases lie")),
        Option("turns", 0, range(5001), N_("turns after which the game ends; 0 is never")),
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    bots=dict.fromkeys(("marshal", *LEVELS), f"{__name__}.bot.levels"),
    parts=f"{__name__}.bot.general",
    advice="tianxia.games.binfa.bot.advice",
    consistent=_consistent,
    armies=words.ARMY_MARKS,
    scene=Drawing("tianxia.games.binfa.face.scene", "tianxia.games.binfa.face.ask"),
    first_game=FirstGame(
        {"level": 1},
        N_("Begin with level 1: the field, the units and the dice. Each level adds to it."),
    ),
    in_play=words.in_play,
)
