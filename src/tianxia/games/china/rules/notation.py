"""China on one line: exact, checked, and readable with a little patience.

``docs/games/china.md`` tells what the twenty parts are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules import state as s
from tianxia.games.china.rules import statements as because
from tianxia.games.china.rules.boards import PROVINCES, Board
from tianxia.games.china.rules.invariants import INVARIANTS
from tianxia.games.china.rules.pieces import owners
from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields, is_open, knows
from tianxia.kernel.notation import Notation
from tianxia.kernel.tokens import (
    PLIES,
    SEAT,
    Codec,
    Token,
    bits,
    found,
    heap,
    maybe,
    multiset,
    number,
    row,
    several,
    split,
    through,
    token,
    veiled,
    word,
    write_set,
    wrong,
)

LETTERS = "vyogr"
TILE_LETTERS = "yog"
SPECIALS = "ets"
PHASE_NAMES = (
    *("tiles", "first", "deal", "turn", "more", "space", "keep", "take", "emperor"),
    *("turning", "scoring", "draw", "display", "imperial", "shuffle", "final"),
)
REASONS = (because.DECK_OUT_TWICE, because.NOTHING_CAN_BE_PLACED)
PHASE = word((*PHASE_NAMES, *(f"end:{reason}" for reason in REASONS)))
MOST_POINTS = 999
DETAIL = re.compile(
    r"(b?)(e?)(f?)(?:p([12]))?(?:@([A-Za-z]+))?(!?)(?:>([A-Za-z]+))?(?:o([123]))?"
    r"(?:\+((?:[vyogr]\d)+))?(?:s(\d{1,2})/(48|49))?"
)
HOLDER = re.compile(rf"([{LETTERS}])([01])")
COURSE_LETTERS = {"b": s.BEGUN, "e": s.EMPERORS, "f": s.PLAYED_FIRST, "!": s.SINGLE}
SET = multiset(LETTERS, c.CARDS.max(axis=0).tolist())
OWNERS = "01234"
SCORED = through(
    row(word(".x"), "", PROVINCES),
    lambda scored: [scored >> province & 1 for province in range(PROVINCES)],
    lambda tokens: sum(token << province for province, token in enumerate(tokens)),
)
EMISSARIES_BY_PROVINCE = through(
    row(heap(OWNERS, c.EMISSARIES * c.MAX_PLAYERS), "/", PROVINCES), np.transpose, np.transpose
)


def dump_set(cards: Any, letters: str = LETTERS) -> str:
    """Return a set of cards, or of tiles."""
    return write_set(cards, letters)


def _land(p: Fields) -> int:
    return p.options.own or int(c.BOARD_OF[p.options.board, p.seats])


def _board(p: Fields) -> Board:
    return c.board(_land(p))


def _only(needed: Callable[[Fields], bool], inner: Token) -> Token:
    """Return a token that is ``-`` in games without what it is about."""

    def read(p: Fields, text: str) -> None:
        if needed(p):
            inner.read(p, text)
        elif text != "-":
            raise wrong(text, "- in this game")

    return replace(inner, write=lambda p: inner.write(p) if needed(p) else "-", read=read)


# --- The board ---


def _write_phase(p: Fields) -> str:
    return f"end:{p.reason}" if p.phase == s.ENDED else PHASE.write(p, p.phase)


def _read_phase(p: Fields, text: str) -> None:
    value = PHASE.read(p, text)
    p.phase, p.over = min(value, s.ENDED), value >= s.ENDED
    p.reason = REASONS[value - s.ENDED] if p.over else 0


def _write_spaces(p: Fields) -> str:
    return "/".join(
        "".join(_write_space(p, space) for space in group) for group in _board(p).groups
    )


def _write_space(p: Fields, space: int) -> str:
    fort = p.forts >> space & 1
    for owner in range(owners(p)):
        if p.palaces[owner] >> space & 1:
            return ("abcde" if fort else OWNERS)[owner]
    return "#" if fort else "."


def _read_spaces(p: Fields, text: str) -> None:
    people, wanted = owners(p), _board(p).groups
    free = ".#" + OWNERS[:people] + "abcde"[:people]
    forts, palaces = 0, [0] * people
    for group, part in zip(wanted, split(text, "/", len(wanted)), strict=True):
        for space, letter in zip(group, split(part, "", len(group)), strict=True):
            if letter not in free:
                raise wrong(letter, f"one of {' '.join(free)}")
            forts |= (letter in "#abcde") << space
            if letter in OWNERS + "abcde":
                palaces[(OWNERS + "abcde").index(letter) % 5] |= 1 << space
    p.forts, p.palaces = forts, palaces


def _write_tiles(p: Fields) -> str:
    names = [space.name for space in _board(p).spaces]
    return "/".join(
        ",".join(
            names[space - 1] + ("?" + TILE_LETTERS)[colour]
            for space, colour in zip(spaces, colours, strict=True)
            if space
        )
        or "-"
        for spaces, colours in zip(p.tile_space, p.tile_colour, strict=True)
    )


def _read_tiles(p: Fields, text: str) -> None:
    names = word([space.name for space in _board(p).spaces], first=1)
    spaces, colours = p.tile_space, p.tile_colour
    for province, part in enumerate(split(text, "/", PROVINCES)):
        tiles = [] if part == "-" else part.split(",")
        if len(tiles) > c.TILES_IN_PROVINCE:
            raise wrong(part, "like W1?,W6y or -")
        for i, tile in enumerate(tiles):
            spaces[province, i] = names.read(p, tile[:-1])
            colours[province, i] = word("?" + TILE_LETTERS).read(p, tile[-1:])
    p.tile_space, p.tile_colour = spaces, colours


# --- Cards of two players, and the turn ---


def _write_holders(p: Fields, influence: Any) -> str:
    held = zip(LETTERS, influence, strict=True)
    return "".join(f"{letter}{holder - 1}" for letter, holder in held if holder) or "-"


def _read_holders(p: Fields, text: str) -> list[int]:
    holders = dict(HOLDER.findall(text))
    if "".join(map("".join, HOLDER.findall(text))) != text.replace("-", ""):
        raise wrong(text, "like v0r1 or -")
    return [1 + int(holders[letter]) if letter in holders else 0 for letter in LETTERS]


COURT_CARDS = several(
    "cards of two players",
    ("imperial", "kept", "influence", "special"),
    *(SET, row(SET, "/", 2), Codec(_write_holders, _read_holders), row(bits(SPECIALS), "/", 2)),
    sign=";",
)


def _write_detail(p: Fields) -> str:
    keys, played = _board(p).keys, SET.write(p, p.played)
    course = {letter: letter if p.course & bit else "" for letter, bit in COURSE_LETTERS.items()}
    parts = [
        *(course[letter] for letter in "bef"),
        f"p{p.placed}" if p.placed else "",
        f"@{keys[p.province - 1]}" if p.province else "",
        course["!"],
        f">{keys[p.target - 1]}" if p.target else "",
        f"o{p.owed}" if p.owed else "",
        f"+{played}" if played != "-" else "",
        f"s{p.step}/{p.reason}" if p.phase == s.FINAL else "",
    ]
    return "".join(parts) or "-"


def _read_detail(p: Fields, text: str) -> None:
    begun, emperors, first, placed, province, single, target, owed, played, step, why = found(
        "" if text == "-" else text, DETAIL, "like bp1@Wei!o2, or -"
    )
    key = maybe(word(_board(p).keys), none="")
    p.course = sum(COURSE_LETTERS[letter] for letter in begun + emperors + first + single)
    p.placed, p.owed, p.step = int(placed or 0), int(owed or 0), int(step or 0)
    p.province, p.target = key.read(p, province), key.read(p, target)
    p.played = SET.read(p, played or "-")
    if (p.phase == s.FINAL) != bool(why):
        raise NotationError(f"{text[:30]!r}: a step of the final scoring is like s12/48")
    if why:
        p.reason = int(why)


def _complete(p: Fields) -> None:
    """Work out the board, who may act, and which tiles lie face down."""
    p.land = _land(p)
    p.acting = 1 << p.active if s.TURN <= p.phase <= s.EMPEROR_TURN else 0
    turned = np.bincount(p.tile_colour.ravel(), minlength=c.TILE_COLOURS + 1)[1:]
    down = c.TILES_OF_COLOUR - turned - p.tiles_taken.sum(axis=0)
    p.tiles_down = down if p.options.tiles else 0 * down


def _with_tiles(p: Fields) -> bool:
    return bool(p.options.tiles)


TAKEN = multiset(TILE_LETTERS, [c.TILES_OF_COLOUR] * c.TILE_COLOURS)

NOTATION = Notation(
    s.STATE,
    tokens=(
        Token("phase", ("phase", "over", "reason"), _write_phase, _read_phase),
        several("active seat / first player", ("active", "first"), SEAT),
        PLIES,
        Token("spaces", ("forts", "palaces"), _write_spaces, _read_spaces),
        token("emissaries", "emissaries", EMISSARIES_BY_PROVINCE),
        token("score tokens", "scored", SCORED),
        _only(
            _with_tiles, Token("tiles", ("tile_space", "tile_colour"), _write_tiles, _read_tiles)
        ),
        _only(_with_tiles, token("tiles taken", "tiles_taken", row(TAKEN, "/", owners))),
        veiled("deck", "deck", "deck_size", SET, is_open, by_seat=False),
        token("deck at its last shuffle", "fresh", SET),
        token("display", "display", SET),
        token("discard", "discard", SET),
        veiled("hands", "hands", "hand_sizes", SET, knows),
        veiled("cards drawn", "drawn", "draws", SET, knows),
        token("known cards", "known", row(SET)),
        token("points", "points", row(row(number(MOST_POINTS), ",", c.SOURCES))),
        token("times the deck ran out", "exhausted", number(c.LAST_EXHAUSTION)),
        _only(lambda p: p.seats == 2, COURT_CARDS),
        _only(
            lambda p: bool(p.options.fortifications),
            token("fortifications", "forts_left", row(number(1), "")),
        ),
        Token(
            "rest of the turn",
            ("course", "placed", "province", "target", "owed", "played", "step"),
            _write_detail,
            _read_detail,
        ),
    ),
    derived=("land", "tiles_down"),
    complete=_complete,
    invariants=INVARIANTS,
)
