"""Bin'Fa: armies on a hexagon of triangles, taken by encirclement; supplies; whirlpools.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tianxia.draw.languages import N_
from tianxia.draw.own_boards import OwnBoards
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.binfa.face import words
from tianxia.games.binfa.rules import answers, knowledge
from tianxia.games.binfa.rules.layout import LAYOUT
from tianxia.games.binfa.rules.maps import GENERATED, LIBRARY, NAMES, chart, read_own, wrong_for
from tianxia.games.binfa.rules.notation import NOTATION
from tianxia.games.binfa.rules.state import STATE
from tianxia.games.binfa.rules.statements import STATEMENTS
from tianxia.kernel.colours import Colours
from tianxia.kernel.errors import OptionError
from tianxia.kernel.game import FirstGame, GameType
from tianxia.kernel.options import Option, Text, Value
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge"]

BOOK = Rulebook(f"{__name__}.face")
SEVERAL = ((2, 2), (2, 3), (3, 2))
"""Players, and armies of each, where these are more than one (BIN-47x)."""


SEAT_COLOURS = Colours(words.ARMY_NAMES, drawn=True)


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
    if options["bases"] == "neighbours" and options["colours"] != SEAT_COLOURS.usual:
        return OptionError(N_("bases=neighbours is for colours that are drawn: leave colours out"))
    if level == 1 and options["map"] != "random":
        return OptionError(
            N_("level 1 is played without terrain: choose a higher level, or leave map out")
        )
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
    N_("a map of one’s own"),
)


BOT_NAMES = (N_("quartermaster"),)
"""Names that pages show translated."""
BOT_MANNERS = {
    "quartermaster": N_(
        "keeps its piles safe, surrounds what it can reach, and looks after its supplies"
    )
}
LEVEL_NAMES = {
    1: N_("level 1: armies and dice"),
    2: N_("level 2: terrain as well"),
    3: N_("level 3: supplies as well"),
    4: N_("level 4: everything"),
}
MAP_NAMES = {
    "random": N_("drawn by lot, anywhere"),
    "ranges": N_("drawn by lot, in mountain chains"),
    "placed": N_("placed by the players"),
    "valley": N_("the valley"),
    "citadel": N_("the citadel"),
    "spiral": N_("the spiral"),
    "passes": N_("the passes"),
    "narrows": N_("the narrows"),
    "steppe": N_("the steppe"),
}
ARMIES_EACH = {1: N_("one army each"), 2: N_("two armies each"), 3: N_("three armies each")}

GAME = GameType(
    name="binfa",
    title="Bin'Fa",
    rules_version=1,
    dtype=STATE,
    layout=LAYOUT,
    words=words,
    notation=NOTATION,
    statements=STATEMENTS,
    options=(
        Option("level", 4, (1, 2, 3, 4), N_("how much of the rules"), labels=LEVEL_NAMES),
        Option("players", 2, (2, 3, 4, 5, 6), N_("how many play")),
        Option("armies", 1, (1, 2, 3), N_("armies"), labels=ARMIES_EACH, seldom=True),
        Option(
            "map",
            "random",
            NAMES,
            N_("the land, from level 2"),
            MAP_TEXT,
            labels=MAP_NAMES,
            pictured=tuple(LIBRARY),
        ),
        Option(
            "terrain",
            9,
            range(10),
            N_("how many terrain markers there are"),
            label=N_("terrain markers: {n}"),
            seldom=True,
        ),
        Option(
            "bases",
            "drawn",
            ("drawn", "neighbours"),
            N_("bases of a player with several armies"),
            labels={"drawn": N_("drawn by lot"), "neighbours": N_("beside one another")},
            seldom=True,
        ),
        Option(
            "turns",
            0,
            range(5001),
            N_("turns after which the game ends; 0 is never"),
            labels={0: N_("no limit of turns")},
            label=N_("at most {n} turns"),
            seldom=True,
        ),
        SEAT_COLOURS.option(
            N_("colours"),
            N_(
                "or the colours of the seats in order: red, orange, yellow, green, blue, purple,"
                " any"
            ),
            N_("colours that were chosen"),
        ),
    ),
    pitch=N_("Surround your rivals’ armies, push your luck with the dice, and know when to stop."),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    bots=dict.fromkeys(("quartermaster", *LEVELS), f"{__name__}.bot.levels"),
    manners=BOT_MANNERS,
    formerly={"marshal": "quartermaster"},
    parts=f"{__name__}.bot.warlord",
    advice="tianxia.games.binfa.bot.advice",
    consistent=_consistent,
    armies=words.ARMY_MARKS,
    colours=SEAT_COLOURS,
    scene=Drawing("tianxia.games.binfa.face.scene", "tianxia.games.binfa.face.ask"),
    own_boards=OwnBoards("tianxia.games.binfa.face.own_maps"),
    first_game=FirstGame(
        {"level": 1},
        N_("Begin with level 1: the field, the units and the dice. Each level adds to it."),
    ),
    in_play=words.in_play,
)
