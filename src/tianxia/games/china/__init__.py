"""China: two to five houses build palaces and send emissaries to nine provinces.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tianxia.draw.languages import N_
from tianxia.draw.own_boards import OwnBoards
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.china.face import words
from tianxia.games.china.rules import answers, knowledge, playing
from tianxia.games.china.rules.boards import BOARDS, NAMES, Board, is_name, named, text_of
from tianxia.games.china.rules.components import TABLE, board_of, install
from tianxia.games.china.rules.layout import LAYOUT
from tianxia.games.china.rules.notation import NOTATION
from tianxia.games.china.rules.state import STATE
from tianxia.kernel.colours import Colours
from tianxia.kernel.errors import OptionError, Worded
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option, Text, Value
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge", "playing"]

BOOK = Rulebook(f"{__name__}.face")
STATEMENTS = {number: f"CHI-{number:02d}" for number in range(1, 91)}
SEAT_COLOURS = Colours(words.SEAT_NAMES)
WHO_BEGINS = ("random", *SEAT_COLOURS.names)


OWN_BOARD = N_("a board of one’s own")


class OwnText(str):
    """A board that somebody has drawn, as a text; the rules know it as long as this is kept."""

    board: Board


def read_own(text: str) -> OwnText:
    """Return a board of one's own: its text, or that of the board of this name in the folder."""
    kept = named(text) if is_name(text) else None
    if is_name(text) and kept is None:
        raise OptionError(N_("there is no board of this name here"))
    found = OwnText(text_of(kept) if kept else text)
    _, found.board = install(found)
    return found


BOARD_TEXT = Text(
    read_own,
    lambda text: [install(text)[0]],
    "own",
    N_("a board that somebody has drawn"),
    "",
    OWN_BOARD,
)


def _consistent(options: Mapping[str, Value]) -> OptionError | None:
    """Say what is wrong with a combination of options."""
    players, value = int(options["players"]), options["board"]
    if isinstance(value, OwnText):
        board, name = value.board, Worded(OWN_BOARD)
    else:
        board, name = TABLE[board_of(str(value), players)], Worded(str(value))
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
    return _wrong_for_two(options) or _wrong_first(options, players)


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


def _wrong_first(options: Mapping[str, Value], players: int) -> OptionError | None:
    """Say why nobody of that colour can begin."""
    first, colours = str(options["first"]), SEAT_COLOURS.of(options["colours"])
    seats = [SEAT_COLOURS.names[colours[seat]] for seat in range(players)]
    if first in ("random", *seats):
        return None
    return OptionError(
        N_("first={first}: with {players} players, {seats} have a seat"),
        first=first,
        players=players,
        seats=", ".join(seats),
    )


BOT_NAMES = (N_("courtier"),)
"""Names that pages show translated."""
BOT_MANNERS = {
    "courtier": N_("adds up the points that each turn is likely to bring, and looks no further")
}
SIDES = {
    "auto": N_("the side for this number of players"),
    "A": N_("side A"),
    "B": N_("side B"),
    "border": N_("border disputes"),
}
BEGINS = {
    "random": N_("drawn by lot"),
    "blue": N_("Blue begins"),
    "green": N_("Green begins"),
    "violet": N_("Violet begins"),
    "red": N_("Red begins"),
    "yellow": N_("Yellow begins"),
}

GAME = GameType(
    name="china",
    title="China",
    rules_version=1,
    dtype=STATE,
    layout=LAYOUT,
    words=words,
    notation=NOTATION,
    statements=STATEMENTS,
    options=(
        Option("players", 3, (2, 3, 4, 5), N_("how many play")),
        Option(
            "board",
            "auto",
            NAMES,
            N_("the board"),
            BOARD_TEXT,
            labels=SIDES,
            pictured=tuple(BOARDS),
        ),
        Option(
            "fortifications",
            False,
            (False, True),
            N_("fortifications"),
            labels={False: N_("no fortifications"), True: N_("a fortification each")},
        ),
        Option(
            "tiles",
            False,
            (False, True),
            N_("bonus tiles"),
            labels={False: N_("no bonus tiles"), True: N_("bonus tiles on the board")},
        ),
        Option(
            "light",
            False,
            (False, True),
            N_("influence cards, where two play"),
            labels={False: N_("with influence cards"), True: N_("without influence cards")},
            seldom=True,
        ),
        Option(
            "keep",
            "one",
            ("one", "all"),
            N_("cards that were played, where two play"),
            labels={"one": N_("one of them is kept"), "all": N_("all of them are kept")},
            seldom=True,
        ),
        Option("first", "random", WHO_BEGINS, N_("who begins"), labels=BEGINS, seldom=True),
        SEAT_COLOURS.option(
            N_("colours"),
            N_("or the colours of the seats in order: blue, green, violet, red, yellow, any"),
            N_("colours that were chosen"),
        ),
    ),
    pitch=N_(
        "Win provinces with palaces, bind them with emissaries, and make every card count twice."
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    armies=words.SEAT_ARMIES,
    colours=SEAT_COLOURS,
    bots=dict.fromkeys(("courtier", *LEVELS), f"{__name__}.bot.levels"),
    manners=BOT_MANNERS,
    formerly={"envoy": "courtier"},
    consistent=_consistent,
    scene=Drawing("tianxia.games.china.face.scene", "tianxia.games.china.face.ask"),
    own_boards=OwnBoards("tianxia.games.china.face.own_boards"),
    parts=f"{__name__}.bot.chancellor",
    advice="tianxia.games.china.bot.advice",
)
