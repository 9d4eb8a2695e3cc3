"""China: two to five houses build palaces and send emissaries to nine provinces.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tianxia.draw.languages import N_
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.china.face import words
from tianxia.games.china.rules import answers, knowledge
from tianxia.games.china.rules.boards import BOARDS, BROKEN, NAMES
from tianxia.games.china.rules.components import BOARD_NAMES, board_of
from tianxia.games.china.rules.state import STATE
from tianxia.kernel.errors import OptionError
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option, Value
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge"]

BOOK = Rulebook(f"{__name__}.face")
STATEMENTS = {number: f"CHI-{number:02d}" for number in range(1, 91)}
FIRST = ("random", "blue", "green", "violet", "red", "yellow")


def _consistent(options: Mapping[str, Value]) -> OptionError | None:
    """Say what is wrong with a combination of options."""
    players, name = int(options["players"]), str(options["board"])
    if name in BROKEN:
        return OptionError(BROKEN[name])
    board = BOARDS[BOARD_NAMES[board_of(name, players)]]
    if players not in board.players:
        return OptionError(
            N_("players={players}: the board {board} is for {able} players ({rule})"),
            players=players,
            board=name,
            able=" / ".join(map(str, board.players)),
            rule="CHI-84" if board.disputed else "CHI-04",
        )
    if board.disputed and options["fortifications"]:
        return OptionError(
            N_("fortifications=yes: border disputes ({board}) are played without them (CHI-84)"),
            board=name,
        )
    return _wrong_for_two(options) or _wrong_first(str(options["first"]), players)


def _wrong_for_two(options: Mapping[str, Value]) -> OptionError | None:
    """Say what is wrong with options that are for two players."""
    if options["players"] != 2 and options["light"]:
        return OptionError(
            N_("light=yes: only two players can do without influence cards (CHI-78): players=2")
        )
    if options["players"] != 2 and options["keep"] == "all":
        return OptionError(
            N_("keep=all: only two players keep cards that they have played (CHI-69): players=2")
        )
    if options["light"] and options["keep"] == "all":
        return OptionError(
            N_("keep=all: without influence cards (light=yes) no card is kept (CHI-78)")
        )
    return None


def _wrong_first(first: str, players: int) -> OptionError | None:
    """Say why nobody of that colour can begin."""
    if FIRST.index(first) <= players:
        return None
    return OptionError(
        N_("first={first}: with {players} players, {seats} have a seat"),
        first=first,
        players=players,
        seats=_seats(players),
    )


def _seats(players: int) -> str:
    return ", ".join(FIRST[1 : players + 1])


SHOWN = (
    *(N_("auto"), N_("border"), N_("one"), N_("all"), N_("random")),
    *(N_("blue"), N_("green"), N_("violet"), N_("red"), N_("yellow")),
    N_("envoy"),
)
"""Values of options and names of bots, marked for translation."""

GAME = GameType(
    name="china",
    title="China",
    rules_version=1,
    dtype=STATE,
    words=words,
    statements=STATEMENTS,
    options=(
        Option("players", 3, (2, 3, 4, 5), N_("how many play")),
        Option("board", "auto", NAMES, N_("side A, side B or border disputes")),
        Option("fortifications", False, (False, True), N_("each player has a fortification")),
        Option("tiles", False, (False, True), N_("bonus tiles lie on the board")),
        Option("light", False, (False, True), N_("two players: without influence cards")),
        Option("keep", "one", ("one", "all"), N_("two players: played cards that are kept")),
        Option("first", "random", FIRST, N_("who begins")),
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    armies=words.SEAT_ARMIES,
    bots=dict.fromkeys(("envoy", *LEVELS), f"{__name__}.bot.levels"),
    consistent=_consistent,
    scene=Drawing("tianxia.games.china.face.scene", "tianxia.games.china.face.ask"),
    parts=f"{__name__}.bot.chancellor",
    advice="tianxia.games.china.bot.advice",
)
