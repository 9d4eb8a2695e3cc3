"""The boards: ours, and those that people draw, or an owner puts into ``TIANXIA_HOME/boards``.

A board is a JSON object, see ``boards.json``: nine provinces with their colours, palace
spaces with their place on a canvas of 1000 × 750 (y downwards), roads, alliances, and a
dragon for each province. A space of two provinces is a border post. Ours are a
reconstruction: no list of the published roads is known.

Whoever plays on a board of their own names it by a text that is all of it: so a stored game needs
no file, and goes on whatever becomes of one. This module reads and checks; `components` makes
the tables of the compiled rules.
"""

from __future__ import annotations

import json
import logging
import re
import struct
from base64 import b32decode, b32encode
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from struct import calcsize, pack, unpack
from typing import Any, NoReturn

from tianxia.kernel.cache import home
from tianxia.kernel.errors import N_, Worded

log = logging.getLogger("tianxia")

WIDTH, HEIGHT = 1000, 750
PROVINCES = 9
COLOUR_NAMES = ("violet", "yellow", "orange", "green", "red")
MAX_SPACES = 60
MAX_POSTS = 8
MAX_ALLIANCES = 15
MAX_ROADS = 6  # at one space
OURS = ("A", "B", "border")
RESERVED = {"auto", *(name.lower() for name in OURS)}
NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
SPACE_NAME = re.compile(r"[A-Z][A-Za-z]?[0-9]{1,2}")
LONGEST_NAME = 20
"""Of a province."""
FORM = 1
"""How a board is written as a text; another number would be another way."""
TOO_FEW_ROADS = N_("roads: {name} should have one to {most}, it has {n}")
NO_ROOM = N_("roads: {name} has no two spaces for tiles without an intersection (CHI-79)")
KEYS = ("players", "provinces", "alliances", "dragons", "spaces", "roads")


class BoardError(Worded, ValueError):
    """What is wrong with a board's file.

    Attributes
    ----------
    spaces
        The names of the spaces that it is about.
    """

    def __init__(self, template: str, spaces: Iterable[str] = (), **values: object) -> None:
        super().__init__(template, **values)
        self.spaces = tuple(spaces)


@dataclass(frozen=True)
class Space:
    """A palace space.

    Attributes
    ----------
    name
        Such as W1.
    x, y
        Its place on the canvas.
    provinces
        The number of its province; two numbers for a border post.
    harbour
        Whether it is scored once more among the harbours (CHI-90).
    """

    name: str
    x: float
    y: float
    provinces: tuple[int, ...]
    harbour: bool

    @property
    def is_post(self) -> bool:
        """Whether it is a border post."""
        return len(self.provinces) == 2


@dataclass(frozen=True)
class Board:
    """A board whose file keeps every constraint.

    Attributes
    ----------
    players
        With how many it can be played.
    provinces, keys
        Names of the nine provinces, and how they are written in tokens.
    colours
        The number of each province's colour, by `COLOUR_NAMES`.
    spaces
        By province, border posts last.
    roads
        Pairs of numbers of spaces.
    alliances
        Pairs of numbers of provinces, in order.
    dragons
        Where emissaries stand, by province.
    """

    title: str
    players: tuple[int, ...]
    provinces: tuple[str, ...]
    keys: tuple[str, ...]
    colours: tuple[int, ...]
    spaces: tuple[Space, ...]
    roads: tuple[tuple[int, int], ...]
    alliances: tuple[tuple[int, int], ...]
    dragons: tuple[tuple[float, float], ...]

    @property
    def posts(self) -> tuple[int, ...]:
        """The numbers of the border posts."""
        return tuple(i for i, space in enumerate(self.spaces) if space.is_post)

    @cached_property
    def groups(self) -> list[list[int]]:
        """The spaces in groups: those of each province, then the border posts."""
        posts = self.posts
        inner = [
            [space for space in self.spaces_of(province) if space not in posts]
            for province in range(PROVINCES)
        ]
        return [*inner, list(posts)] if posts else inner

    @property
    def harbours(self) -> tuple[int, ...]:
        """The numbers of the harbours."""
        return tuple(i for i, space in enumerate(self.spaces) if space.harbour)

    @property
    def disputed(self) -> bool:
        """Whether the rules of border disputes hold on it (CHI-84)."""
        return bool(self.posts or self.harbours)

    def spaces_of(self, province: int) -> tuple[int, ...]:
        """Return the numbers of a province's spaces, its border posts last."""
        return tuple(i for i, space in enumerate(self.spaces) if province in space.provinces)

    def crossing(self, space: int) -> bool:
        """Say whether a space is an intersection: more than two roads meet there."""
        return sum(space in road for road in self.roads) > 2


def key_of(name: str) -> str:
    """Return a province's name as tokens write it: letters only."""
    return "".join(filter(str.isalpha, name))


def read(data: Any) -> Board:
    """Return the board that a file describes.

    Raises
    ------
    BoardError
        Naming the constraint that is broken.
    """
    board = draft(data)
    for fault in faults(board):
        raise fault
    return board


def draft(data: Any) -> Board:
    """Return the board that a file describes, which need not be finished: see `faults`.

    Raises
    ------
    BoardError
        Where it is not a board, whatever is added to it.
    """
    if not isinstance(data, dict):
        _refuse(N_("it should be an object with {keys}"), keys=", ".join(KEYS))
    missing = [key for key in KEYS if not isinstance(data.get(key), list | dict)]
    if missing:
        text = N_("{keys}: missing, or neither a list nor an object")
        _refuse(text, keys=", ".join(missing))
    provinces = _provinces(data["provinces"])
    spaces = _spaces(data["spaces"], provinces)
    return Board(
        str(data.get("title", "")),
        _players(data["players"]),
        provinces,
        tuple(map(key_of, provinces)),
        tuple(COLOUR_NAMES.index(data["provinces"][name]) for name in provinces),
        spaces,
        _roads(data["roads"], [space.name for space in spaces]),
        _alliances(data["alliances"], provinces),
        tuple(_dragon(data["dragons"], name) for name in provinces),
    )


def faults(board: Board) -> Iterator[BoardError]:
    """Yield what keeps a board from being played on, as the sentences that say so."""
    found = Counter(board.colours)
    if any(found[n] != (1 if colour == "violet" else 2) for n, colour in enumerate(COLOUR_NAMES)):
        yield BoardError(
            N_("provinces: one should be violet, and two of each other colour (CHI-03)")
        )
    if not board.players:
        yield BoardError(N_("players: should be a list of numbers from 2 to 5"))
    if not board.spaces:
        yield BoardError(N_("spaces: there are none yet"))
    if len(board.spaces) > MAX_SPACES:
        yield BoardError(N_("spaces: there should be {most} at most"), most=MAX_SPACES)
    yield from _faults_of_places(board)
    yield from _faults_of_roads(board)
    if len(board.alliances) > MAX_ALLIANCES:
        text = N_("alliances: there should be {most} at most (CHI-51)")
        yield BoardError(text, most=MAX_ALLIANCES)
    yield from _faults_of_posts(board)
    yield from _faults_of_provinces(board)


def _faults_of_places(board: Board) -> Iterator[BoardError]:
    taken = {(round(x), round(y)) for x, y in board.dragons}
    if len(taken) < PROVINCES:
        yield BoardError(N_("dragons: two stand on the same place"))
    for space in board.spaces:
        place = (round(space.x), round(space.y))
        if place in taken:
            text = N_("spaces: {name} lies on another, or on a dragon")
            yield BoardError(text, [space.name], name=space.name)
        taken.add(place)


def _faults_of_roads(board: Board) -> Iterator[BoardError]:
    ends = Counter(space for road in board.roads for space in road)
    for number, space in enumerate(board.spaces):
        if not 1 <= ends[number] <= MAX_ROADS:
            yield BoardError(
                TOO_FEW_ROADS, [space.name], name=space.name, most=MAX_ROADS, n=ends[number]
            )


def _faults_of_posts(board: Board) -> Iterator[BoardError]:
    posts = [board.spaces[number] for number in board.posts]
    if len(posts) > MAX_POSTS:
        text = N_("spaces: there should be {most} border posts at most")
        yield BoardError(text, [post.name for post in posts], most=MAX_POSTS)
    for post in posts:
        one, other = post.provinces
        if board.colours[one] == board.colours[other]:
            text = N_("spaces: {name} joins provinces of one colour (CHI-85)")
            yield BoardError(text, [post.name], name=post.name)
    if board.disputed and 2 in board.players:
        yield BoardError(
            N_("players: border posts and harbours are for three to five (CHI-84)"),
            [board.spaces[number].name for number in (*board.posts, *board.harbours)],
        )


def _faults_of_provinces(board: Board) -> Iterator[BoardError]:
    posts = set(board.posts)
    for province, name in enumerate(board.provinces):
        inner = set(board.spaces_of(province)) - posts
        if sum(not board.crossing(space) for space in inner) < 2:
            yield BoardError(NO_ROOM, [board.spaces[n].name for n in inner], name=name)


def _refuse(reason: str, **values: object) -> NoReturn:
    raise BoardError(reason, (), **values)


def _provinces(colours: Any) -> tuple[str, ...]:
    if not isinstance(colours, dict) or len(colours) != PROVINCES:
        text = N_("provinces: there should be {n}, each with its colour (CHI-03)")
        _refuse(text, n=PROVINCES)
    for name, colour in colours.items():
        if colour not in COLOUR_NAMES:
            text = N_("provinces: the colour of {name} should be one of {colours}")
            _refuse(text, name=name[:20], colours=", ".join(COLOUR_NAMES))
        if len(name) > LONGEST_NAME:
            text = N_("provinces: {name} is longer than {most} characters")
            _refuse(text, name=f"{name[:20]}…", most=LONGEST_NAME)
    keys = {key_of(name).casefold() for name in colours}
    if len(keys) != PROVINCES or "" in keys:
        _refuse(N_("provinces: their names should differ in their letters"))
    return tuple(colours)


def _players(players: Any) -> tuple[int, ...]:
    if any(type(n) is not int or not 2 <= n <= 5 for n in players):
        _refuse(N_("players: should be a list of numbers from 2 to 5"))
    return tuple(sorted(set(players)))


def _is_place(place: Any) -> bool:
    """Say whether something is a place on the canvas."""
    return (
        isinstance(place, list | tuple)
        and len(place) == 2
        and all(type(number) in (int, float) for number in place)
        and 0 <= place[0] <= WIDTH
        and 0 <= place[1] <= HEIGHT
    )


def _dragon(dragons: Any, province: str) -> tuple[float, float]:
    place: Any = dragons.get(province) if isinstance(dragons, dict) else None
    if not _is_place(place):
        text = N_(
            "the dragon of {name}: should have a place x, y on a canvas of {width} × {height}"
        )
        _refuse(text, name=province[:20], width=WIDTH, height=HEIGHT)
    return place[0], place[1]


def _spaces(spaces: Any, provinces: tuple[str, ...]) -> tuple[Space, ...]:
    if not isinstance(spaces, dict) or len(spaces) > 2 * MAX_SPACES:
        _refuse(N_("spaces: there should be {most} at most"), most=MAX_SPACES)
    if len({name.casefold() for name in spaces}) != len(spaces):
        _refuse(N_("spaces: two have the same name"))
    found = [_space(name, facts, provinces) for name, facts in spaces.items()]
    return tuple(sorted(found, key=lambda space: (space.is_post, space.provinces[0])))


def _space(name: str, facts: Any, provinces: tuple[str, ...]) -> Space:
    if not SPACE_NAME.fullmatch(name):
        text = N_("spaces: {name} should be a letter or two and a number, such as W1")
        _refuse(text, name=f"{name[:20]!r}")
    if not isinstance(facts, dict):
        _refuse(N_("spaces: {name} should be an object with x, y and provinces"), name=name)
    own = facts.get("provinces")
    wrong = N_("spaces: {name} should lie in one province, or in two as a border post")
    if not isinstance(own, list) or len(own) not in (1, 2) or not all(map(_is_text, own)):
        _refuse(wrong, name=name)
    if len(set(own)) != len(own):
        _refuse(wrong, name=name)
    for province in own:
        if province not in provinces:
            text = N_("spaces: {name} lies in {province}, which is not a province")
            _refuse(text, name=name, province=f"{province[:20]!r}")
    place: list[Any] = [facts.get("x"), facts.get("y")]
    if not _is_place(place):
        text = N_("space {name}: should have a place x, y on a canvas of {width} × {height}")
        _refuse(text, name=name, width=WIDTH, height=HEIGHT)
    harbour = facts.get("harbour", False)
    if type(harbour) is not bool or (harbour and len(own) == 2):
        text = N_("spaces: harbour of {name} should be true or false, and false for a post")
        _refuse(text, name=name)
    x, y = place
    return Space(name, x, y, tuple(provinces.index(province) for province in own), harbour)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _roads(roads: Any, names: list[str]) -> tuple[tuple[int, int], ...]:
    if not isinstance(roads, list) or len(roads) > 2 * MAX_SPACES * MAX_ROADS:
        _refuse(N_("roads: should be a list of pairs of spaces"))
    found = []
    for road in roads:
        if not isinstance(road, list) or len(road) != 2 or road[0] == road[1]:
            _refuse(N_("roads: {road} should join two spaces"), road=str(road)[:40])
        for name in road:
            if name not in names:
                _refuse(N_("roads: {name} is no space"), name=f"{str(name)[:20]!r}")
        found.append((names.index(road[0]), names.index(road[1])))
    if len({frozenset(road) for road in found}) != len(found):
        _refuse(N_("roads: two join the same spaces"))
    return tuple(found)


def _alliances(alliances: Any, provinces: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    numbers = [str(number) for number in range(1, len(alliances) + 1)]
    if not isinstance(alliances, dict) or sorted(alliances) != sorted(numbers):
        _refuse(N_("alliances: should be numbered from 1 on"))
    found = []
    for number in numbers:
        pair = alliances[number]
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            _refuse(N_("alliances: number {n} should join two provinces"), n=number)
        for province in pair:
            if province not in provinces:
                text = N_("alliances: {name} of number {n} is not a province")
                _refuse(text, name=f"{str(province)[:20]!r}", n=number)
        found.append((provinces.index(pair[0]), provinces.index(pair[1])))
    if len({frozenset(pair) for pair in found}) != len(found):
        _refuse(N_("alliances: two join the same provinces"))
    return tuple(found)


# --- Boards as texts: what the option `board` takes, and what stored games keep ---


def text_of(board: Board) -> str:
    """Return a board as a text of small letters and digits, without its title.

    Places are rounded to whole numbers. What is read from it is written to the same text.
    """
    body = bytearray([FORM, sum(1 << n for n in board.players)])
    for name, colour, (x, y) in zip(board.provinces, board.colours, board.dragons, strict=True):
        body += pack(">BHHB", colour, round(x), round(y), len(name.encode())) + name.encode()
    body.append(len(board.spaces))
    for space in board.spaces:
        one, other = (*space.provinces, PROVINCES)[:2]
        where = pack(">HHB", round(space.x), round(space.y), one << 4 | other)
        body += where + bytes([space.harbour, len(space.name)]) + space.name.encode()
    body += pack(">H", len(board.roads)) + bytes(end for road in board.roads for end in road)
    body += bytes(one << 4 | other for one, other in board.alliances)
    return b32encode(bytes(body)).decode().rstrip("=").lower()


def from_text(text: str) -> Board:
    """Return the board of which `text_of` is this.

    Raises
    ------
    BoardError
    """
    try:
        body = _Bytes(b32decode(text.upper() + "=" * (-len(text) % 8)))
        found = read(_written(body))
        if text_of(found) == text:
            return found
    except BoardError:
        raise
    except (ValueError, LookupError, struct.error):
        pass
    _refuse(N_("this is not a board: copy all of it, or draw one"))


class _Bytes:
    """What is left of some bytes."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    def take(self, kind: str) -> tuple[Any, ...]:
        """Return the next numbers."""
        size = calcsize(kind)
        found = unpack(kind, self.body[:size])
        self.body = self.body[size:]
        return found

    def word(self) -> str:
        """Return the next text, which its length precedes."""
        (size,) = self.take("B")
        return bytes(self.take(f"{size}B")).decode()


def _written(body: _Bytes) -> dict[str, Any]:
    """Return a board's file, read from the bytes behind a text."""
    form, players = body.take("BB")
    if form != FORM:
        raise ValueError
    provinces, dragons, spaces = {}, {}, {}
    for _ in range(PROVINCES):
        colour, x, y = body.take(">BHH")
        name = body.word()
        provinces[name], dragons[name] = COLOUR_NAMES[colour], [x, y]
    names = list(provinces)
    for _ in range(*body.take("B")):
        x, y, within, harbour = body.take(">HHBB")
        own = [names[n] for n in (within >> 4, within & 15) if n != PROVINCES]
        spaces[body.word()] = {"x": x, "y": y, "provinces": own, "harbour": bool(harbour)}
    places = list(spaces)
    roads = [[places[n] for n in body.take("BB")] for _ in range(*body.take(">H"))]
    pairs = [[names[n >> 4], names[n & 15]] for n in body.body]
    return {
        "players": [n for n in range(8) if players >> n & 1],
        "provinces": provinces,
        "dragons": dragons,
        "spaces": spaces,
        "roads": roads,
        "alliances": {str(number): pair for number, pair in enumerate(pairs, 1)},
    }


def number_of(text: str) -> int:
    """Return the number that a record has for the board of a text; ours have small ones."""
    digest = blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2 | 1 << 61


# --- Which boards there are ---


def _ours() -> dict[str, Board]:
    data = json.loads(Path(__file__).with_name("boards.json").read_text(encoding="utf-8"))
    return {name: read(data[name]) for name in OURS}


BOARDS: dict[str, Board] = _ours()
"""Ours by the value of the option that chooses them, in the order of their numbers."""
NAMES = ("auto", *BOARDS)
"""The values of the option that have a name."""


def folder() -> Path:
    """Return where an owner's boards are, by name; whatever else lies there is left alone."""
    return home() / "boards"


def owners() -> dict[str, Board]:
    """Return an owner's boards by name; a broken one is left out, and the log says so."""
    found = {}
    for file in sorted(folder().glob("*.json")):
        name = file.stem.lower()
        try:
            board = _owners(file)
        except BoardError as error:
            log.warning("The board %s cannot be used: %s", file, error)
            continue
        if board is not None and is_name(name):
            found[name] = board
    return found


def named(name: str) -> Board | None:
    """Return an owner's board.

    Raises
    ------
    BoardError
        Saying what is wrong with its file.
    """
    files = [file for file in folder().glob("*.json") if file.stem.lower() == name]
    return _owners(files[0]) if is_name(name) and files else None


def is_name(name: str) -> bool:
    """Say whether an owner's board can be called so."""
    return bool(NAME.fullmatch(name)) and name not in RESERVED


def _owners(file: Path) -> Board | None:
    """Return the board of a file, or None where it is another game's."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        other = not isinstance(data, dict) or data.get("game") != "china"
        return None if other else read(data)
    except (OSError, ValueError) as error:  # BoardError and broken JSON, too
        _refuse(N_("the board {file} cannot be used: {why}"), file=file.name, why=error)
