"""The boards: ours, and those that an owner puts into ``TIANXIA_HOME/boards``.

A board is a JSON object, see ``boards.json``: nine provinces with their colours, palace
spaces with their place on a canvas of 1000 × 750 (y downwards), roads, alliances, and a
dragon for each province. A space of two provinces is a border post. Ours are a
reconstruction: no list of the published roads is known.

This module reads and checks; `components` makes the tables of the compiled rules.
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from tianxia.kernel.cache import home

log = logging.getLogger("tianxia")

WIDTH, HEIGHT = 1000, 750
PROVINCES = 9
COLOURS = ("violet", "yellow", "orange", "green", "red")
MAX_SPACES = 60
MAX_POSTS = 8
MAX_ALLIANCES = 15
MAX_ROADS = 6  # at one space
OURS = ("A", "B", "border")
RESERVED = {"auto", *(name.lower() for name in OURS)}
NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
SPACE_NAME = re.compile(r"[A-Z][A-Za-z]?[0-9]{1,2}")
KEYS = ("players", "provinces", "alliances", "dragons", "spaces", "roads")


class BoardError(ValueError):
    """What is wrong with a board's file."""


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
        The number of each province's colour, by `COLOURS`.
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
    if not isinstance(data, dict):
        _refuse("it should be an object with " + ", ".join(KEYS))
    missing = [key for key in KEYS if not isinstance(data.get(key), list | dict)]
    if missing:
        _refuse(f"{', '.join(missing)}: missing, or neither a list nor an object")
    provinces = _provinces(data["provinces"])
    spaces = _spaces(data["spaces"], provinces)
    board = Board(
        str(data.get("title", "")),
        _players(data["players"]),
        provinces,
        tuple(map(key_of, provinces)),
        tuple(COLOURS.index(data["provinces"][name]) for name in provinces),
        spaces,
        _roads(data["roads"], [space.name for space in spaces]),
        _alliances(data["alliances"], provinces),
        tuple(_place(data["dragons"].get(name), f"the dragon of {name}") for name in provinces),
    )
    _check_whole(board)
    return board


def _refuse(reason: str) -> NoReturn:
    raise BoardError(reason)


def _provinces(colours: Any) -> tuple[str, ...]:
    if not isinstance(colours, dict) or len(colours) != PROVINCES:
        _refuse(f"provinces: there should be {PROVINCES}, each with its colour (CHI-03)")
    for name, colour in colours.items():
        if colour not in COLOURS:
            _refuse(f"provinces: the colour of {name} should be one of {', '.join(COLOURS)}")
    found = Counter(colours.values())
    if found != {colour: 1 if colour == "violet" else 2 for colour in COLOURS}:
        _refuse("provinces: one should be violet, and two of each other colour (CHI-03)")
    keys = {key_of(name).casefold() for name in colours}
    if len(keys) != PROVINCES or "" in keys:
        _refuse("provinces: their names should differ in their letters")
    return tuple(colours)


def _players(players: Any) -> tuple[int, ...]:
    if not players or any(type(n) is not int or not 2 <= n <= 5 for n in players):
        _refuse("players: should be a list of numbers from 2 to 5")
    return tuple(sorted(set(players)))


def _place(place: Any, what: str) -> tuple[float, float]:
    """Return a place on the canvas."""
    if (
        not isinstance(place, list | tuple)
        or len(place) != 2
        or not all(type(number) in (int, float) for number in place)
        or not (0 <= place[0] <= WIDTH and 0 <= place[1] <= HEIGHT)
    ):
        _refuse(f"{what}: should have a place x, y on a canvas of {WIDTH} × {HEIGHT}")
    return place[0], place[1]


def _spaces(spaces: Any, provinces: tuple[str, ...]) -> tuple[Space, ...]:
    if not isinstance(spaces, dict) or not 1 <= len(spaces) <= MAX_SPACES:
        _refuse(f"spaces: there should be {MAX_SPACES} at most")
    if len({name.casefold() for name in spaces}) != len(spaces):
        _refuse("spaces: two have the same name")
    found = [_space(name, facts, provinces) for name, facts in spaces.items()]
    return tuple(sorted(found, key=lambda space: (space.is_post, space.provinces[0])))


def _space(name: str, facts: Any, provinces: tuple[str, ...]) -> Space:
    if not SPACE_NAME.fullmatch(name):
        _refuse(f"spaces: {name[:20]!r} should be a letter or two and a number, such as W1")
    if not isinstance(facts, dict):
        _refuse(f"spaces: {name} should be an object with x, y and provinces")
    own = facts.get("provinces")
    if not isinstance(own, list) or len(own) not in (1, 2) or len(set(own)) != len(own):
        _refuse(f"spaces: {name} should lie in one province, or in two as a border post")
    for province in own:
        if province not in provinces:
            _refuse(f"spaces: {name} lies in {str(province)[:20]!r}, which is no province")
    x, y = _place([facts.get("x"), facts.get("y")], f"space {name}")
    harbour = facts.get("harbour", False)
    if type(harbour) is not bool or (harbour and len(own) == 2):
        _refuse(f"spaces: harbour of {name} should be true or false, and false for a post")
    return Space(name, x, y, tuple(provinces.index(province) for province in own), harbour)


def _roads(roads: Any, names: list[str]) -> tuple[tuple[int, int], ...]:
    found = []
    for road in roads:
        if not isinstance(road, list) or len(road) != 2 or road[0] == road[1]:
            _refuse(f"roads: {str(road)[:40]} should join two spaces")
        for name in road:
            if name not in names:
                _refuse(f"roads: {str(name)[:20]!r} is no space")
        found.append((names.index(road[0]), names.index(road[1])))
    if len({frozenset(road) for road in found}) != len(found):
        _refuse("roads: two join the same spaces")
    ends = Counter(space for road in found for space in road)
    for number, name in enumerate(names):
        if not 1 <= ends[number] <= MAX_ROADS:
            _refuse(f"roads: {name} should have one to {MAX_ROADS}, it has {ends[number]}")
    return tuple(found)


def _alliances(alliances: Any, provinces: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    numbers = [str(number) for number in range(1, len(alliances) + 1)]
    if not isinstance(alliances, dict) or sorted(alliances) != sorted(numbers):
        _refuse("alliances: should be numbered from 1 on")
    if len(numbers) > MAX_ALLIANCES:
        _refuse(f"alliances: there should be {MAX_ALLIANCES} at most (CHI-51)")
    found = []
    for number in numbers:
        pair = alliances[number]
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            _refuse(f"alliances: number {number} should join two provinces")
        for province in pair:
            if province not in provinces:
                _refuse(f"alliances: {str(province)[:20]!r} of number {number} is no province")
        found.append((provinces.index(pair[0]), provinces.index(pair[1])))
    if len({frozenset(pair) for pair in found}) != len(found):
        _refuse("alliances: two join the same provinces")
    return tuple(found)


def _check_whole(board: Board) -> None:
    """Refuse what is wrong between the parts of a board."""
    posts = board.posts
    if len(posts) > MAX_POSTS:
        _refuse(f"spaces: there should be {MAX_POSTS} border posts at most")
    for number in posts:
        one, other = board.spaces[number].provinces
        if board.colours[one] == board.colours[other]:
            _refuse(f"spaces: {board.spaces[number].name} joins provinces of one colour (CHI-85)")
    if board.disputed and 2 in board.players:
        _refuse("players: border posts and harbours are for three to five (CHI-84)")
    for province, name in enumerate(board.provinces):
        inner = set(board.spaces_of(province)) - set(posts)
        if sum(not board.crossing(space) for space in inner) < 2:
            _refuse(f"roads: {name} has no two spaces for tiles without an intersection (CHI-79)")


# --- Which boards there are ---


def _ours() -> dict[str, Board]:
    data = json.loads(Path(__file__).with_name("boards.json").read_text(encoding="utf-8"))
    return {name: read(data[name]) for name in OURS}


def _owners(folder: Path) -> tuple[dict[str, Board], dict[str, str]]:
    """Return an owner's boards by name, and what is wrong with those that are broken.

    Files of other games (``"game"``) are left alone.
    """
    boards: dict[str, Board] = {}
    broken: dict[str, str] = {}
    for file in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        name = file.stem.lower()
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            if not isinstance(data, dict) or data.get("game") != "china":
                continue
            if not NAME.fullmatch(name) or name in RESERVED or name in boards:
                _refuse("its name should be small letters, digits, - and _, and not taken")
            boards[name] = read(data)
        except (OSError, ValueError) as error:  # BoardError and broken JSON, too
            log.warning("The board %s cannot be used: %s", file, error)
            if NAME.fullmatch(name) and name not in RESERVED and name not in boards:
                broken[name] = f"the board {file.name} cannot be used: {error}"
    return boards, broken


_OWN, BROKEN = _owners(home() / "boards")
"""What is wrong with an owner's boards that cannot be used, by name."""
BOARDS: dict[str, Board] = {**_ours(), **_OWN}
"""All boards by the value of the option that chooses them, in the order of their numbers."""
NAMES = ("auto", *BOARDS, *BROKEN)
"""The values of the option; a broken board is one, so that asking for it says why."""
