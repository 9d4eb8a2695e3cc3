"""What is in the box: cards, pieces, boards as tables, and what actions are made of.

Sets of spaces are bits of a 64-bit integer. The tables of the boards have a row for each, so
that the rules have no code for any of them; a board that somebody has drawn gets one when it
is first read, which compiled code reads at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import product
from threading import Lock
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from tianxia.games.china.rules import boards
from tianxia.games.china.rules.boards import (
    BOARDS,
    MAX_ALLIANCES,
    MAX_POSTS,
    MAX_SPACES,
    NAMES,
    OURS,
    PROVINCES,
    Board,
    number_of,
)
from tianxia.kernel.actions import Actions
from tianxia.kernel.errors import N_, OptionError
from tianxia.kernel.jit import rule, shared

MAX_PLAYERS = 5
EMPEROR = 2  # the owner of the Emperor's pieces, with two players (CHI-67)
PALACES = 20  # of each owner
EMISSARIES = 8  # besides the one on the score track (CHI-05)
HAND = 3
DISPLAY = 4
LAST_EXHAUSTION = 2
LEAST_CHAIN = 4  # palaces of a road that pays (CHI-56)

# --- Cards and tiles ---


class Card(IntEnum):
    """Province cards by colour."""

    VIOLET = 0
    YELLOW = 1
    ORANGE = 2
    GREEN = 3
    RED = 4


COLOURS = len(Card)
BOX: NDArray[np.int64] = np.array([10, 11, 11, 12, 13])
"""Province cards by colour; the rulebook gives their sum, 57, and Web of Power's heirs the rest."""
REMOVED = (0, 0, 2, 2, 1, 0)  # of each colour, by the number of players (CHI-06)
CARDS: NDArray[np.int64] = np.array([BOX - removed for removed in REMOVED])
"""The cards of a game: shape (players + 1, colours)."""

TILE_COLOURS = 3  # yellow, orange, green
TILES_OF_COLOUR = 6
TILES_IN_PROVINCE = 2
TILE_POINTS = 6

# --- Points by their source ---


class Source(IntEnum):
    """What brings points."""

    PALACES = 0
    INFLUENCE = 1  # the Emperor's palaces, for whoever holds the influence card
    HARBOURS = 2
    ALLIANCES = 3
    ROADS = 4
    TILES = 5


SOURCES = len(Source)
PALACE_POINTS, INFLUENCE_POINTS, HARBOUR_POINTS = 0, 1, 2
ALLIANCE_POINTS, ROAD_POINTS, BONUS_POINTS = 3, 4, 5

# --- The boards ---

TABLE: tuple[Board, ...] = tuple(BOARDS.values())
"""Ours, by their numbers."""
BOARD_NAMES = tuple(BOARDS)
NUM_BOARDS = len(TABLE)
SETS, WAYS_IN = 512, 8
ROWS = NUM_BOARDS + SETS * WAYS_IN
"""Rows of the tables: one for each of ours, then room for those that people have drawn."""

SPACES = shared("china.spaces", (ROWS,))
WITHIN = shared("china.within", (ROWS, PROVINCES))
"""The spaces of each province, border posts included."""
POSTS = shared("china.posts", (ROWS,))
HARBOURS = shared("china.harbours", (ROWS,))
NEAR = shared("china.near", (ROWS, MAX_SPACES))
"""The spaces to which roads lead from a space."""
COLOUR = shared("china.colour", (ROWS, PROVINCES))
PROVINCE = shared("china.province", (ROWS, MAX_SPACES))
"""The province of a space; of a border post, the first one."""
NUM_POSTS = shared("china.num_posts", (ROWS,))
POST_SPACE = shared("china.post_space", (ROWS, MAX_POSTS))
POST_PROVINCES = shared("china.post_provinces", (ROWS, MAX_POSTS, 2))
"""The two provinces of each post."""
TILED = shared("china.tiled", (ROWS, PROVINCES))
"""Where the tiles of a province may lie: no posts, no intersections (CHI-79)."""
ALLIANCES = shared("china.alliances", (ROWS,))
ALLIANCE = shared("china.alliance", (ROWS, MAX_ALLIANCES, 2))
"""The two provinces of each alliance, number 1 first."""
ALLIED = shared("china.allied", (ROWS, PROVINCES, MAX_ALLIANCES + 1))
"""By province: the numbers of its alliances, closed by −1."""
TOUCHED = shared("china.touched", (ROWS, PROVINCES))
"""By province: those that a road or an alliance joins with it, and itself where a road is in it."""
DISPUTED = shared("china.disputed", (ROWS,))
WHOSE = shared("china.whose", (ROWS,))
"""Which board is in a row, as `state.land` names it; 0: none, or one of ours."""


def _bits(numbers: Iterable[int]) -> int:
    return sum({1 << number for number in numbers})


def _joined(board: Board) -> Iterator[tuple[int, int]]:
    """Yield the provinces that roads and alliances join."""
    yield from board.alliances
    for one, other in board.roads:
        ends = board.spaces[one].provinces + board.spaces[other].provinces
        yield from product(ends, ends)


def _fill(row: int, board: Board) -> None:
    """Write a board into a row of the tables."""
    spaces, posts = range(len(board.spaces)), board.posts
    for table in (NEAR, PROVINCE, POST_SPACE, POST_PROVINCES, ALLIANCE, TOUCHED):
        table[row] = 0
    SPACES[row], NUM_POSTS[row] = len(spaces), len(posts)
    POSTS[row], HARBOURS[row] = _bits(posts), _bits(board.harbours)
    COLOUR[row], DISPUTED[row] = board.colours, board.disputed
    PROVINCE[row, : len(spaces)] = [space.provinces[0] for space in board.spaces]
    for one, other in board.roads:
        NEAR[row, one] |= 1 << other
        NEAR[row, other] |= 1 << one
    for number, post in enumerate(posts):
        POST_SPACE[row, number] = post
        POST_PROVINCES[row, number] = board.spaces[post].provinces
    ALLIANCES[row], ALLIED[row] = len(board.alliances), -1
    for number, pair in enumerate(board.alliances):
        ALLIANCE[row, number] = pair
    for province in range(PROVINCES):
        inside = board.spaces_of(province)
        WITHIN[row, province] = _bits(inside)
        TILED[row, province] = _bits(
            space for space in inside if space not in posts and not board.crossing(space)
        )
        allied = [number for number, pair in enumerate(board.alliances) if province in pair]
        ALLIED[row, province, : len(allied)] = allied
    for one, other in _joined(board):
        TOUCHED[row, one] |= 1 << other
        TOUCHED[row, other] |= 1 << one


for _number, _board in enumerate(TABLE):
    _fill(_number, _board)


@rule
def row(land):
    """Return the row of the tables in which a board is."""
    if land < NUM_BOARDS:
        return land
    number = NUM_BOARDS + land % SETS * WAYS_IN
    for _ in range(WAYS_IN - 1):
        number += WHOSE[number] != land
    return number


@rule
def row_of(state):
    """Return the row of the tables in which the board of a position is."""
    return row(int(state.land))


_there: WeakValueDictionary[int, Board] = WeakValueDictionary()
_filling = Lock()


def board(land: int) -> Board:
    """Return a board by what `state.land` holds."""
    return TABLE[land] if land < NUM_BOARDS else _there[land]


def install(text: str) -> tuple[int, Board]:
    """Return a board that somebody has drawn, and the number that `state.land` has for it.

    Rules know it for as long as what is returned is kept.

    Raises
    ------
    OptionError
        Where there is no room for it beside those that are in play.
    BoardError
    """
    land = number_of(text)
    with _filling:
        kept = _there.get(land)
        if kept is not None:
            return land, kept
        made = boards.from_text(text)
        first = NUM_BOARDS + land % SETS * WAYS_IN
        rows = range(first, first + WAYS_IN)
        free = [number for number in rows if int(WHOSE[number]) not in _there]
        if not free:
            raise OptionError(N_("too many boards are in play here; try again later"))
        if land not in WHOSE[free]:
            WHOSE[free[0]] = 0
            _fill(free[0], made)
            WHOSE[free[0]] = land
        _there[land] = made
        return land, made


def board_of(choice: str, players: int) -> int:
    """Return the number of the board that a named value of the option means."""
    name = choice if choice != NAMES[0] else OURS[0] if players < 4 else OURS[1]
    return BOARD_NAMES.index(name)


BOARD_OF: NDArray[np.int64] = np.array(
    [[board_of(choice, players) for players in range(MAX_PLAYERS + 1)] for choice in NAMES]
)
"""The board by the option's number and the number of players."""

# --- Actions of players ---

WAYS = 3  # to pay for a post: one card of each of its provinces, two of the first, of the second

ACTIONS = Actions()
PALACE = ACTIONS.add("palace", MAX_SPACES, COLOURS)
"""With the colour that pays: its province's, one card; another, two cards. So for the next two."""
FORT = ACTIONS.add("fort", MAX_SPACES, COLOURS)
EMISSARY = ACTIONS.add("emissary", PROVINCES, COLOURS)
POST = ACTIONS.add("post", MAX_POSTS, 2, WAYS)  # which of its provinces is declared; payment
OPEN = ACTIONS.add("open", PROVINCES)  # commit to a province, whose tiles are turned
STOP = ACTIONS.add("stop")
PASS = ACTIONS.add("pass")
EXCHANGE = ACTIONS.add("exchange", COLOURS)
TAKE = ACTIONS.add("take", COLOURS)
DECK = ACTIONS.add("deck")
KEEP = ACTIONS.add("keep", COLOURS)
DECLINE = ACTIONS.add("decline")
EMPEROR_FIRST = ACTIONS.add("emperor")
SWAP = ACTIONS.add("swap", COLOURS, COLOURS)  # a card of the hand, one of the display

# --- Actions of chance ---

TILE = ACTIONS.add("tile", MAX_SPACES)
TURN_TILE = ACTIONS.add("turn", TILE_COLOURS)
FIRST = ACTIONS.add("first", MAX_PLAYERS)
CARD = ACTIONS.add("card", COLOURS)  # into a hand
SHOW = ACTIONS.add("show", COLOURS)  # face up
SHUFFLE = ACTIONS.add("shuffle")  # and what nobody decides, with one outcome
SCORE = ACTIONS.add("score", PROVINCES)
SCORE_HARBOURS = ACTIONS.add("harbours")
SCORE_ALLIANCE = ACTIONS.add("alliance", MAX_ALLIANCES)
SCORE_ROADS = ACTIONS.add("roads", MAX_PLAYERS)
SCORE_TILES = ACTIONS.add("bonus", TILE_COLOURS)

NUM_ACTIONS = len(ACTIONS)
STEPS = NUM_ACTIONS - SCORE
"""The steps of the final scoring, in their order: action `SCORE` + step."""
kind_of, argument = ACTIONS.rules()
palace, fort, emissary, post, swap = map(
    ACTIONS.packer, ("palace", "fort", "emissary", "post", "swap")
)

# A space is paid for with a card of its colour, or with the only pair that three cards can
# hold: two ways at most, for a palace or a fortification each.
MAX_LEGAL = 2 * (2 * MAX_SPACES + PROVINCES) + 2 * WAYS * MAX_POSTS + 40
MAX_CHANCE = MAX_SPACES
