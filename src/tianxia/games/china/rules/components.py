"""What is in the box: cards, pieces, boards as tables, and what actions are made of.

Sets of spaces are bits of a 64-bit integer. The tables of the boards have the board's
number as their first index, so that the rules have no code for any of them.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tianxia.games.china.rules.boards import (
    BOARDS,
    MAX_ALLIANCES,
    MAX_POSTS,
    MAX_SPACES,
    NAMES,
    OURS,
    PROVINCES,
    Board,
)
from tianxia.kernel.actions import Actions

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
    INFLUENCE = 1  # the Emperor's palaces, for who holds the influence card
    HARBOURS = 2
    ALLIANCES = 3
    ROADS = 4
    TILES = 5


SOURCES = len(Source)
PALACE_POINTS, INFLUENCE_POINTS, HARBOUR_POINTS = 0, 1, 2
ALLIANCE_POINTS, ROAD_POINTS, BONUS_POINTS = 3, 4, 5

# --- The boards ---

TABLE: tuple[Board, ...] = tuple(BOARDS.values())
BOARD_NAMES = tuple(BOARDS)
NUM_BOARDS = len(TABLE)


def _bits(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in numbers)


def _filled(rows: list[list[int]], width: int) -> NDArray[np.int64]:
    """Return rows of different lengths as one array, filled up with zeros."""
    return np.array([row + [0] * (width - len(row)) for row in rows], np.int64)


def _near(board: Board) -> list[int]:
    near = [0] * len(board.spaces)
    for one, other in board.roads:
        near[one] |= 1 << other
        near[other] |= 1 << one
    return near


def _tiled(board: Board, province: int) -> int:
    """Return where the tiles of a province may lie: no posts, no intersections (CHI-79)."""
    places = set(board.spaces_of(province)) - set(board.posts)
    return _bits(tuple(space for space in places if not board.crossing(space)))


SPACES: NDArray[np.int64] = np.array([len(board.spaces) for board in TABLE])
WITHIN: NDArray[np.int64] = np.array(
    [[_bits(board.spaces_of(p)) for p in range(PROVINCES)] for board in TABLE]
)
"""The spaces of each province, border posts included."""
POSTS: NDArray[np.int64] = np.array([_bits(board.posts) for board in TABLE])
HARBOURS: NDArray[np.int64] = np.array([_bits(board.harbours) for board in TABLE])
NEAR: NDArray[np.int64] = _filled([_near(board) for board in TABLE], MAX_SPACES)
"""The spaces to which roads lead from a space."""
COLOUR: NDArray[np.int64] = np.array([board.colours for board in TABLE])
PROVINCE: NDArray[np.int64] = _filled(
    [[space.provinces[0] for space in board.spaces] for board in TABLE], MAX_SPACES
)
"""The province of a space; of a border post, the first one."""
NUM_POSTS: NDArray[np.int64] = np.array([len(board.posts) for board in TABLE])
POST_SPACE: NDArray[np.int64] = _filled([list(board.posts) for board in TABLE], MAX_POSTS)
POST_PROVINCES: NDArray[np.int64] = np.array(
    [
        [*(board.spaces[s].provinces for s in board.posts)]
        + [(0, 0)] * (MAX_POSTS - len(board.posts))
        for board in TABLE
    ]
)
"""The two provinces of each post: shape (boards, posts, 2)."""
TILED: NDArray[np.int64] = np.array(
    [[_tiled(board, p) for p in range(PROVINCES)] for board in TABLE]
)
ALLIANCES: NDArray[np.int64] = np.array([len(board.alliances) for board in TABLE])
ALLIANCE: NDArray[np.int64] = np.array(
    [[*board.alliances, *[(0, 0)] * (MAX_ALLIANCES - len(board.alliances))] for board in TABLE]
)
"""The two provinces of each alliance, number 1 first: shape (boards, alliances, 2)."""
DISPUTED: NDArray[np.int64] = np.array([int(board.disputed) for board in TABLE])


def board_of(choice: str, players: int) -> int:
    """Return the number of the board that a value of the option means."""
    name = choice if choice != NAMES[0] else OURS[0] if players < 4 else OURS[1]
    return BOARD_NAMES.index(name) if name in BOARD_NAMES else 0


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
