"""China on one line: exact, checked, and readable with a little patience.

``docs/games/china.md`` tells what the twenty parts are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tianxia.games.china.rules.boards import PROVINCES, Board
from tianxia.games.china.rules.components import (
    BOARD_OF,
    CARDS,
    COLOUR,
    COLOURS,
    DISPLAY,
    EMISSARIES,
    EMPEROR,
    HAND,
    LAST_EXHAUSTION,
    MAX_PLAYERS,
    PALACES,
    SCORE,
    SCORE_ALLIANCE,
    SCORE_HARBOURS,
    SCORE_ROADS,
    SCORE_TILES,
    SOURCES,
    STEPS,
    TABLE,
    TILE_COLOURS,
    TILED,
    TILES_IN_PROVINCE,
    TILES_OF_COLOUR,
    WITHIN,
)
from tianxia.games.china.rules.state import (
    ALL_SPECIAL,
    BEGINNING,
    BEGUN,
    DEALING,
    DISPLAYING,
    DRAWING,
    EMPEROR_DRAW,
    EMPEROR_TURN,
    EMPERORS,
    ENDED,
    FINAL,
    KEEPING,
    MORE,
    PLAYED_FIRST,
    SCORING,
    SHUFFLING,
    SINGLE,
    SPACE,
    TAKING,
    TILING,
    TURN,
    TURNING,
)
from tianxia.kernel.errors import NotationError
from tianxia.kernel.record import Pool
from tianxia.kernel.tokens import read_number, read_word, write_set

LETTERS = "vyogr"
TILE_LETTERS = "yog"
SPECIALS = "ets"
PHASE_NAMES = (
    *("tiles", "first", "deal", "turn", "more", "space", "keep", "take", "emperor"),
    *("turning", "scoring", "draw", "display", "imperial", "shuffle", "final", "end"),
)
PARTS = 20
REASONS = ("48", "49")
MOST_POINTS = 999
CARD_SET = re.compile(r"-|(?:[vyogr]\d{1,2})+")
DETAIL = re.compile(
    r"(b?)(e?)(f?)(?:p([12]))?(?:@([A-Za-z]+))?(!?)(?:>([A-Za-z]+))?(?:o([123]))?"
    r"(?:\+((?:[vyogr]\d)+))?(?:s(\d{1,2}))?(?:/(48|49))?"
)
ASKING = (TURN, MORE, SPACE, KEEPING, TAKING, EMPEROR_TURN)


# --- Writing ---


def dump(record: Any) -> str:
    """Return the tokens of a position's record."""
    seats = range(int(record["seats"]))
    people = range(_owners(record))
    board = TABLE[int(record["land"])]
    tiles, phase = bool(record["options"]["tiles"]), int(record["phase"])
    tokens = [
        PHASE_NAMES[phase] + (f":{record['reason']}" if record["over"] else ""),
        f"{record['active']}/{record['first']}",
        f"{record['plies']}/{record['sealed']}",
        _dump_spaces(record, board),
        "/".join(_dump_emissaries(record, province) for province in range(PROVINCES)),
        "".join(".x"[int(record["scored"]) >> p & 1] for p in range(PROVINCES)),
        "/".join(_dump_tiles(record, board, p) for p in range(PROVINCES)) if tiles else "-",
        _join(record["tiles_taken"], people, TILE_LETTERS) if tiles else "-",
        dump_set(record["deck"]) if _is_open(record) else f"?{record['deck_size']}",
        *(dump_set(record[name]) for name in ("fresh", "display", "discard")),
        _dump_hidden(record, "hands", "hand_sizes"),
        _dump_hidden(record, "drawn", "draws"),
        _join(record["known"], seats, LETTERS),
        "/".join(",".join(str(points) for points in record["points"][seat]) for seat in seats),
        str(record["exhausted"]),
        _dump_court(record) if len(seats) == 2 else "-",
        _dump_forts(record),
        _dump_detail(record, board),
    ]
    return " ".join(tokens)


def _owners(record: Any) -> int:
    return 3 if record["seats"] == 2 else int(record["seats"])


def _knows(record: Any, seat: int) -> bool:
    """Say whether the record tells what a seat has and remembers."""
    return bool(record["viewer"] in (0, seat + 1) or record["over"])


def _is_open(record: Any) -> bool:
    return bool(record["viewer"] == 0 or record["over"])


def dump_set(cards: Any, letters: str = LETTERS) -> str:
    """Return a set of cards, or of tiles."""
    return write_set(cards, letters)


def _join(table: Any, rows: Iterable[int], letters: str) -> str:
    return "/".join(dump_set(table[row], letters) for row in rows)


def groups(board: Board) -> list[list[int]]:
    """Return the spaces in groups: those of each province, then the border posts."""
    posts = set(board.posts)
    found = [
        [space for space in board.spaces_of(province) if space not in posts]
        for province in range(PROVINCES)
    ]
    return [*found, list(board.posts)] if posts else found


def _dump_spaces(record: Any, board: Board) -> str:
    return "/".join(
        "".join(_dump_space(record, space) for space in group) for group in groups(board)
    )


def _dump_space(record: Any, space: int) -> str:
    fort = int(record["forts"]) >> space & 1
    for owner in range(_owners(record)):
        if int(record["palaces"][owner]) >> space & 1:
            return "abcde"[owner] if fort else str(owner)
    return "#" if fort else "."


def _dump_emissaries(record: Any, province: int) -> str:
    people = range(_owners(record))
    return "".join(str(o) * int(record["emissaries"][o][province]) for o in people) or "-"


def _dump_tiles(record: Any, board: Board, province: int) -> str:
    found = []
    for i in range(TILES_IN_PROVINCE):
        space = int(record["tile_space"][province][i]) - 1
        colour = int(record["tile_colour"][province][i])
        if space >= 0:
            found.append(board.spaces[space].name + ("?" + TILE_LETTERS)[colour])
    return ",".join(found) or "-"


def _dump_hidden(record: Any, name: str, number: str) -> str:
    return "/".join(
        dump_set(record[name][seat]) if _knows(record, seat) else f"?{record[number][seat]}"
        for seat in range(int(record["seats"]))
    )


def _dump_court(record: Any) -> str:
    holders = "".join(
        f"{letter}{int(holder) - 1}"
        for letter, holder in zip(LETTERS, record["influence"], strict=True)
        if holder
    )
    special = "/".join(
        "".join(s for i, s in enumerate(SPECIALS) if int(bits) >> i & 1) or "-"
        for bits in record["special"]
    )
    parts = (dump_set(record["imperial"]), _join(record["kept"], range(2), LETTERS))
    return ";".join([*parts, holders or "-", special])


def _dump_forts(record: Any) -> str:
    if not record["options"]["fortifications"]:
        return "-"
    return "".join(str(record["forts_left"][seat]) for seat in range(int(record["seats"])))


def _dump_detail(record: Any, board: Board) -> str:
    course, final = int(record["course"]), record["phase"] == FINAL
    province, target = int(record["province"]), int(record["target"])
    played = dump_set(record["played"])
    parts = [
        "b" if course & BEGUN else "",
        "e" if course & EMPERORS else "",
        "f" if course & PLAYED_FIRST else "",
        f"p{record['placed']}" if record["placed"] else "",
        f"@{board.keys[province - 1]}" if province else "",
        "!" if course & SINGLE else "",
        f">{board.keys[target - 1]}" if target else "",
        f"o{record['owed']}" if record["owed"] else "",
        f"+{played}" if played != "-" else "",
        f"s{record['step']}/{record['reason']}" if final else "",
    ]
    return "".join(parts) or "-"


# --- Reading ---


def load(text: str, pool: Pool) -> None:
    """Fill a record from `dump`'s tokens; raise NotationError where they are no position."""
    tokens = text.split()
    if len(tokens) != PARTS:
        raise NotationError(f"a position of China has {PARTS} parts, not {len(tokens)}")
    record = pool[0]
    record["land"] = BOARD_OF[int(record["options"]["board"]), int(record["seats"])]
    board = TABLE[int(record["land"])]
    _load_phase(record, tokens[0], tokens[1])
    record["plies"], record["sealed"] = _numbers(tokens[2], "plies/sealed", 2, 10**9)
    _load_spaces(record, board, tokens[3])
    _load_emissaries(record, tokens[4])
    _load_scored(record, tokens[5])
    _load_tiles(record, board, tokens[6], tokens[7])
    _load_cards(record, tokens[8:12])
    _load_hidden(record, tokens[12], "hands", "hand_sizes")
    _load_hidden(record, tokens[13], "drawn", "draws")
    seats = range(int(record["seats"]))
    for seat, part in zip(seats, _split(tokens[14], "/", len(seats), "known cards"), strict=True):
        _load_set(part, record["known"][seat], "known cards")
    for seat, part in zip(seats, _split(tokens[15], "/", len(seats), "points"), strict=True):
        numbers = _split(part, ",", SOURCES, "points")
        record["points"][seat] = [read_number(n, "points", MOST_POINTS) for n in numbers]
    record["exhausted"] = read_number(tokens[16], "times the deck ran out", LAST_EXHAUSTION)
    _load_court(record, tokens[17])
    _load_forts(record, tokens[18])
    _load_detail(record, board, tokens[19])
    if ASKING[0] <= record["phase"] <= ASKING[-1]:
        record["acting"] = 1 << int(record["active"])
    wrong = _wrong_cards(record) or _wrong_pieces(record) or _wrong_course(record)
    if wrong:
        raise NotationError(wrong)
    if dump(record) != " ".join(tokens):
        raise NotationError(f"this position should be written {dump(record)!r}")


def _numbers(text: str, what: str, count: int, most: int) -> list[int]:
    return [read_number(part, what, most) for part in _split(text, "/", count, what)]


def _split(text: str, mark: str, count: int, what: str) -> list[str]:
    parts = text.split(mark)
    if len(parts) != count:
        raise NotationError(f"{what}: {text[:40]!r} should be {count} parts with {mark} between")
    return parts


def _load_phase(record: Any, phase: str, turn: str) -> None:
    name, colon, reason = phase.partition(":")
    record["phase"] = read_word(name, PHASE_NAMES, "phase")
    most = int(record["seats"]) - 1
    record["active"], record["first"] = _numbers(turn, "active seat / first player", 2, most)
    if record["phase"] == ENDED:
        record["over"] = 1
        record["reason"] = REASONS[read_word(reason, REASONS, "what ended the game")]
    elif colon:
        raise NotationError(f"{phase[:20]!r}: only an end has a statement")


def _load_spaces(record: Any, board: Board, text: str) -> None:
    wanted = groups(board)
    parts = _split(text, "/", len(wanted), "spaces")
    people = _owners(record)
    free = ".#" + "01234"[:people] + "abcde"[:people]
    for group, part in zip(wanted, parts, strict=True):
        if len(part) != len(group):
            raise NotationError(f"spaces: {part[:20]!r} should be {len(group)} spaces")
        for space, letter in zip(group, part, strict=True):
            if letter not in free:
                raise NotationError(f"spaces: {letter!r} should be one of {' '.join(free)}")
            if letter in "#abcde":
                record["forts"] |= 1 << space
            if letter in "01234abcde":
                owner = "01234".find(letter) if letter.isdecimal() else "abcde".find(letter)
                record["palaces"][owner] |= 1 << space


def _load_emissaries(record: Any, text: str) -> None:
    people = "01234"[: _owners(record)]
    for province, part in enumerate(_split(text, "/", PROVINCES, "emissaries")):
        if part == "-":
            continue
        if set(part) - set(people) or len(part) > EMISSARIES * MAX_PLAYERS:
            raise NotationError(f"emissaries: {part[:20]!r} should be owners, such as 001, or -")
        for owner, letter in enumerate(people):
            if part.count(letter) > EMISSARIES:
                raise NotationError(
                    f"emissaries: {part[:20]!r}: an owner has {EMISSARIES} (CHI-05)"
                )
            record["emissaries"][owner][province] = part.count(letter)


def _load_scored(record: Any, text: str) -> None:
    if not re.fullmatch(rf"[.x]{{{PROVINCES}}}", text):
        raise NotationError(f"score tokens: {text[:20]!r} should be nine letters . or x")
    record["scored"] = sum(1 << p for p, letter in enumerate(text) if letter == "x")


def _load_tiles(record: Any, board: Board, lying: str, taken: str) -> None:
    if not record["options"]["tiles"]:
        if (lying, taken) != ("-", "-"):
            raise NotationError("tiles: - and - in a game without them")
        return
    names = [space.name for space in board.spaces]
    down = np.full(TILE_COLOURS, TILES_OF_COLOUR)
    for province, part in enumerate(_split(lying, "/", PROVINCES, "tiles")):
        for i, tile in enumerate([] if part == "-" else part.split(",")):
            if i >= TILES_IN_PROVINCE or tile[-1:] not in ("?", *TILE_LETTERS):
                raise NotationError(f"tiles: {part[:20]!r} should be like W1?,W6y or -")
            space = read_word(tile[:-1], names, "the space of a tile")
            record["tile_space"][province][i] = space + 1
            colour = ("?" + TILE_LETTERS).index(tile[-1])
            record["tile_colour"][province][i] = colour
            if colour:
                down[colour - 1] -= 1
    people = _owners(record)
    for owner, part in enumerate(_split(taken, "/", people, "tiles taken")):
        if not re.fullmatch(r"-|(?:[yog][1-6])+", part):
            raise NotationError(f"tiles taken: {part[:20]!r} should be like y1o2 or -")
        for letter, count in re.findall(r"([yog])(\d)", part):
            record["tiles_taken"][owner][TILE_LETTERS.index(letter)] = int(count)
            down[TILE_LETTERS.index(letter)] -= int(count)
    if (down < 0).any():
        raise NotationError("tiles: there are six of each colour (CHI-79)")
    record["tiles_down"] = down


def _load_set(text: str, cards: Any, what: str) -> None:
    if not CARD_SET.fullmatch(text):
        raise NotationError(f"{what}: {text[:30]!r} should be like v2r1 or -")
    for letter, count in re.findall(r"([a-z])(\d+)", text):
        cards[LETTERS.index(letter)] = int(count)


def _load_cards(record: Any, tokens: Sequence[str]) -> None:
    """Read deck, deck at its last shuffle, display and discard."""
    most = int(CARDS[int(record["seats"])].sum())
    if tokens[0].startswith("?"):
        record["deck_size"] = read_number(tokens[0][1:], "deck", most)
    else:
        _load_set(tokens[0], record["deck"], "deck")
        record["deck_size"] = min(int(record["deck"].sum()), most)
    if tokens[0].startswith("?") == _is_open(record):
        raise NotationError(f"deck: {tokens[0][:20]!r} does not fit what the viewer may know")
    for token, name in zip(tokens[1:], ("fresh", "display", "discard"), strict=True):
        _load_set(token, record[name], name)


def _load_hidden(record: Any, text: str, name: str, number: str) -> None:
    seats = int(record["seats"])
    most = int(CARDS[seats].sum())
    for seat, part in enumerate(_split(text, "/", seats, name)):
        if part.startswith("?") == _knows(record, seat):
            raise NotationError(f"{name}: {part[:20]!r} does not fit what the viewer may know")
        if part.startswith("?"):
            record[number][seat] = read_number(part[1:], name, most)
        else:
            _load_set(part, record[name][seat], name)
            record[number][seat] = min(int(record[name][seat].sum()), most)


def _load_court(record: Any, text: str) -> None:
    if record["seats"] != 2:
        if text != "-":
            raise NotationError(f"{text[:20]!r} should be -, with more than two players")
        return
    imperial, kept, holders, special = _split(text, ";", 4, "cards of two players")
    _load_set(imperial, record["imperial"], "the Emperor's cards")
    for seat, part in enumerate(_split(kept, "/", 2, "kept cards")):
        _load_set(part, record["kept"][seat], "kept cards")
    if not re.fullmatch(r"-|(?:[vyogr][01])+", holders):
        raise NotationError(f"influence: {holders[:20]!r} should be like v0r1 or -")
    for letter, seat_number in re.findall(r"([a-z])(\d)", holders):
        record["influence"][LETTERS.index(letter)] = int(seat_number) + 1
    for seat, part in enumerate(_split(special, "/", 2, "special cards")):
        if not re.fullmatch(r"-|e?t?s?", part):
            raise NotationError(f"special cards: {part[:20]!r} should be like ets or -")
        record["special"][seat] = sum(1 << i for i, s in enumerate(SPECIALS) if s in part)


def _load_forts(record: Any, text: str) -> None:
    if not record["options"]["fortifications"]:
        if text != "-":
            raise NotationError(f"fortifications: {text[:20]!r} should be - in this game")
        return
    seats = int(record["seats"])
    if not re.fullmatch(rf"[01]{{{seats}}}", text):
        raise NotationError(f"fortifications: {text[:20]!r} should be 0 or 1 for each seat")
    record["forts_left"][:seats] = [int(number) for number in text]


def _load_detail(record: Any, board: Board, text: str) -> None:
    match = DETAIL.fullmatch("" if text == "-" else text)
    if not match:
        raise NotationError(f"{text[:30]!r} should be like bp1@Wei!o2, or -")
    begun, emperors, first, placed, province, single, target, owed, played, step, why = (
        match.groups()
    )
    bits = ((begun, BEGUN), (emperors, EMPERORS), (first, PLAYED_FIRST), (single, SINGLE))
    record["course"] = sum(bit for letter, bit in bits if letter)
    record["placed"] = int(placed or 0)
    if province:
        record["province"] = 1 + read_word(province, board.keys, "the province of the turn")
    if target:
        record["target"] = 1 + read_word(target, board.keys, "the province committed to")
    record["owed"] = int(owed or 0)
    _load_set(played or "-", record["played"], "cards played")
    record["step"] = int(step or 0)
    if (record["phase"] == FINAL) != bool(why and step) or bool(why) != bool(step):
        raise NotationError(f"{text[:30]!r}: a step of the final scoring is like s12/48")
    if why:
        record["reason"] = int(why)


# --- What cannot be ---


def _wrong_cards(record: Any) -> str | None:
    """Say what is wrong with the province cards, if anything is."""
    seats = range(int(record["seats"]))
    total = CARDS[len(seats)]
    left = _unseen(record) - record["deck"]
    opened = _is_open(record)
    hidden = sum(int(record["hand_sizes"][s]) for s in seats if not _knows(record, s))
    hidden += 0 if opened else int(record["deck_size"])
    if (left < 0).any() or left.sum() != hidden:
        return f"there are {total.sum()} province cards: {dump_set(total)} (CHI-02, CHI-06)"
    if not opened and record["deck"].any():
        return "a view does not show the deck"
    fresh = record["fresh"].astype(int) - record["drawn"].sum(axis=0) - record["deck"]
    drawn = sum(int(record["draws"][s]) for s in seats if not _knows(record, s))
    drawn += 0 if opened else int(record["deck_size"])
    if (fresh < 0).any() or fresh.sum() != drawn:
        return "the deck at its last shuffle is what is in it and what was drawn from it"
    if any(int(size) > HAND for size in record["hand_sizes"]):
        return f"a hand has {HAND} cards at most (CHI-12)"
    if record["display"].sum() > DISPLAY or record["imperial"].sum() > HAND:
        return f"{DISPLAY} cards lie open, and {HAND} before the Emperor (CHI-07, CHI-68)"
    return _wrong_memory(record, left)


def _unseen(record: Any) -> Any:
    """Return the cards by colour that are neither open nor in a hand that is known."""
    names = ("display", "discard", "imperial", "played")
    used = sum(record[name].astype(int) for name in names) + record["kept"].sum(axis=0)
    return CARDS[int(record["seats"])] - used - record["hands"].sum(axis=0)


def _wrong_memory(record: Any, left: Any) -> str | None:
    """Say what is wrong with the cards that are surely in hands."""
    seats = range(int(record["seats"]))
    for seat in seats:
        known = record["known"][seat].astype(int)
        if known.sum() > record["hand_sizes"][seat]:
            return "more cards are surely in a hand than it has"
        if _knows(record, seat) and (known > record["hands"][seat]).any():
            return "cards are surely in a hand that does not have them"
    if _is_open(record):
        return None
    others = [seat for seat in seats if not _knows(record, seat)]
    left = left - record["known"][others].sum(axis=0)
    fresh = record["fresh"].astype(int) - record["drawn"].sum(axis=0)
    if (left < 0).any() or np.minimum(left, fresh).sum() < record["deck_size"]:
        return "these cards cannot all be where they are said to be"
    return None


def _wrong_pieces(record: Any) -> str | None:
    """Say what is wrong with what stands on the board."""
    people, land = range(_owners(record)), int(record["land"])
    palaces = [int(record["palaces"][owner]) for owner in people]
    if any(spaces.bit_count() > PALACES for spaces in palaces):
        return f"there are {PALACES} palaces of each colour (CHI-02)"
    if any(record["emissaries"][owner].sum() > EMISSARIES for owner in people):
        return f"there are {EMISSARIES} emissaries to place of each colour (CHI-05)"
    if record["options"]["fortifications"]:
        standing = int(record["forts"]).bit_count()
        if standing + record["forts_left"].sum() != record["seats"]:
            return "each player has one fortification, in supply or on the board (CHI-10)"
    elif record["forts"]:
        return "this game has no fortifications (CHI-10)"
    for province in range(PROVINCES):
        within = int(WITHIN[land, province])
        cap = max((spaces & within).bit_count() for spaces in palaces)
        if record["emissaries"][:, province].sum() > cap:
            return "a province has as many emissaries as its leader has palaces at most (CHI-28)"
        full = within & ~_occupied(record) == 0
        scored = int(record["scored"]) >> province & 1
        late = record["phase"] in (SCORING, FINAL, ENDED)
        if (full and not scored and not late) or (scored and not full and not late):
            return "a province is scored when it is full, and not before (CHI-34)"
    return _wrong_tiles(record, land)


def _occupied(record: Any) -> int:
    spaces = 0
    for owner in range(MAX_PLAYERS):
        spaces |= int(record["palaces"][owner])
    return spaces


def _wrong_tiles(record: Any, land: int) -> str | None:
    """Say what is wrong with the bonus tiles."""
    if not record["options"]["tiles"]:
        return None
    phase, built = int(record["phase"]), _occupied(record)
    total = TILES_OF_COLOUR * TILE_COLOURS
    lying = int((record["tile_space"] > 0).sum())
    if phase != TILING and lying + record["tiles_taken"].sum() != total:
        return f"there are {total} tiles, two for each province (CHI-79)"
    for province in range(PROVINCES):
        spaces = [int(space) - 1 for space in record["tile_space"][province] if space]
        colours = [bool(c) for s, c in _tile_pairs(record, province) if s]
        if any(not int(TILED[land, province]) >> space & 1 for space in spaces):
            return "tiles lie in their province, on no post and no intersection (CHI-79)"
        if spaces != sorted(set(spaces)):
            return "the tiles of a province are written in the order of their spaces"
        if any(built >> space & 1 for space in spaces):
            return "a palace on a tile takes it (CHI-81)"
        entered = bool(built & int(WITHIN[land, province]))
        here = record["target"] == province + 1
        if here and phase == TURNING:
            if colours != sorted(colours, reverse=True) or all(colours):
                return "the tiles of a province are turned one by one"
        elif phase == TILING:
            if entered or any(colours):
                return "tiles are laid out before the game"
        elif all(colours) != any(colours) and colours:
            return "both tiles of a province are turned at once (CHI-80)"
        elif len(spaces) < TILES_IN_PROVINCE and not entered:
            return "tiles are taken by palaces (CHI-81)"
        elif any(colours) and not entered and not (here and phase == SPACE):
            return "tiles are turned for the first palace of a province (CHI-80)"
        elif entered and colours and not all(colours) and not _may_wait(record, phase):
            return "tiles are turned with the first palace of a province (CHI-80)"
    return None


def _tile_pairs(record: Any, province: int) -> list[tuple[int, int]]:
    spaces, colours = record["tile_space"][province], record["tile_colour"][province]
    return [(int(s), int(c)) for s, c in zip(spaces, colours, strict=True)]


def _may_wait(record: Any, phase: int) -> bool:
    """Say whether a first palace by a border post may still have its tiles face down."""
    disputed = TABLE[int(record["land"])].disputed
    return disputed and phase in (SCORING, TURNING, FINAL, ENDED)


def _wrong_course(record: Any) -> str | None:
    """Say what is wrong with the course of the game, if anything is."""
    phase, course = int(record["phase"]), int(record["course"])
    if record["sealed"] > record["plies"]:
        return "plies/sealed: the second number cannot be the larger one"
    chosen = int(record["options"]["first"])
    if chosen and phase > BEGINNING and record["first"] != chosen - 1:
        return "the first player was chosen"
    if record["seats"] == 2 and record["options"]["light"]:
        if record["kept"].any() or record["influence"].any() or record["played"].any():
            return "without influence cards no card is kept (CHI-78)"
    if record["seats"] == 2 and not record["options"]["light"]:
        for colour in range(COLOURS):
            if bool(record["influence"][colour]) != record["kept"][:, colour].any():
                return "the first kept card of a colour takes its influence card (CHI-70)"
    if phase < TURN:
        return _wrong_setup(record, phase)
    if phase in (FINAL, ENDED):
        return _wrong_final(record, phase)
    if bool(course & BEGUN) == (phase == TURN and not course):
        return "b is written as soon as something was done in a turn"
    return _wrong_turn(record, phase) or _wrong_supplies(record, phase)


def _wrong_setup(record: Any, phase: int) -> str | None:
    """Say what is wrong with a set-up in progress."""
    seats = int(record["seats"])
    if _occupied(record) or record["forts"] or record["scored"] or record["points"].any():
        return "during the set-up nothing stands on the board"
    if _dump_detail(record, TABLE[int(record["land"])]) != "-" or record["exhausted"]:
        return "during the set-up nobody has done anything yet"
    idle = not (record["discard"].any() or record["known"].any() or record["kept"].any())
    if not idle or (seats == 2 and (record["special"] != ALL_SPECIAL).any()):
        return "during the set-up no card was played"
    if record["active"] != record["first"] or (phase < DEALING and record["active"]):
        return "the first player begins, and is 0 until he is drawn"
    tiles = [sum(bool(s) for s, _ in _tile_pairs(record, p)) for p in range(PROVINCES)]
    if record["options"]["tiles"] and tiles != sorted(tiles, reverse=True):
        return "tiles are laid out province by province"
    if phase == TILING and (not record["options"]["tiles"] or tiles[-1] == TILES_IN_PROVINCE):
        return "all tiles lie out already"
    if phase != TILING and record["options"]["tiles"] and tiles[-1] < TILES_IN_PROVINCE:
        return "tiles are laid out first"
    return _wrong_deal(record, phase, seats)


def _wrong_deal(record: Any, phase: int, seats: int) -> str | None:
    """Say what is wrong with the cards during the set-up."""
    sizes = [int(size) for size in record["hand_sizes"][:seats]]
    dealt = sum(sizes)
    wanted = [min(max(dealt - HAND * seat, 0), HAND) for seat in range(seats)]
    imperial, display = int(record["imperial"].sum()), int(record["display"].sum())
    need = HAND if seats == 2 else 0
    early = (imperial and dealt < HAND * seats) or (display and imperial < need)
    early = early or (display and dealt < HAND * seats)
    if sizes != wanted or early or imperial > need or display >= DISPLAY:
        return "three cards are dealt to each seat, then the Emperor's, then the display (CHI-07)"
    if phase < DEALING and dealt:
        return "cards are dealt when the first player is known"
    if [int(draws) for draws in record["draws"][:seats]] != sizes:
        return "all hands come from the deck"
    return None


def _wrong_final(record: Any, phase: int) -> str | None:
    """Say what is wrong with a final scoring, or an end."""
    if record["course"] or record["placed"] or record["province"] or record["target"]:
        return "the final scoring belongs to no turn"
    if record["owed"] or record["played"].any():
        return "at the end no card is owed and none lies played"
    if phase == FINAL and record["step"] >= STEPS:
        return f"the final scoring has {STEPS} steps"
    if phase == FINAL and not _step_counts(record):
        return "this step of the final scoring brings nothing and is left out"
    return None


def _step_counts(record: Any) -> bool:
    """Say whether there is anything to score in a step, as far as a look at it tells."""
    step, built = int(record["step"]), _occupied(record)
    board = TABLE[int(record["land"])]
    if step < PROVINCES:
        palaces = built & int(WITHIN[int(record["land"]), step])
        return bool(palaces) and not int(record["scored"]) >> step & 1
    action = SCORE + step
    if action == SCORE_HARBOURS:
        return any(built >> space & 1 for space in board.harbours)
    if action < SCORE_ROADS:
        return action - SCORE_ALLIANCE < len(board.alliances)
    if action < SCORE_TILES:
        return bool(action - SCORE_ROADS < record["seats"])
    return bool(record["tiles_taken"][:, action - SCORE_TILES].any())


def _wrong_turn(record: Any, phase: int) -> str | None:
    """Say what is wrong with an unfinished turn."""
    course, placed, target = (int(record[name]) for name in ("course", "placed", "target"))
    two, emperors = record["seats"] == 2, bool(course & EMPERORS)
    active = int(record["active"])
    if (placed > 0) != bool(record["province"]) or (course & SINGLE and not placed):
        return "the province of a turn is that of its first piece"
    if (course & (EMPERORS | PLAYED_FIRST) or phase == EMPEROR_DRAW) and not two:
        return "only two players move the Emperor (CHI-67)"
    if (course & PLAYED_FIRST) and int(record["special"][active]) & 1:
        return "the Emperor came first without the special card for it (CHI-77)"
    if emperors and placed and course & PLAYED_FIRST:
        return "the Emperor moves once in a turn (CHI-77)"
    if phase in (EMPEROR_TURN, EMPEROR_DRAW) and not emperors:
        return "the Emperor's piece is e in the last part"
    if emperors and phase in (TURN, MORE, KEEPING, TAKING, DRAWING, DISPLAYING):
        return "the Emperor's piece is not under way in this phase"
    if (phase in (SPACE, TURNING)) != bool(target):
        return "a province is committed to, or its tiles are turned"
    if target and not record["options"]["tiles"]:
        return "there are no tiles to be turned (CHI-79)"
    return _wrong_pieces_of_turn(record, phase, course, placed)


def _wrong_pieces_of_turn(record: Any, phase: int, course: int, placed: int) -> str | None:
    single = bool(course & SINGLE)
    active = int(record["active"])
    roams = record["seats"] == 2 and int(record["special"][active]) & 2
    if phase == TURN and placed:
        return "a turn begins without pieces"
    if phase == MORE:
        if placed != 1 or not record["hand_sizes"][active] or (single and not roams):
            return "a second piece needs a card, and a province that was not empty (CHI-15)"
    if phase == KEEPING:
        if (record["played"] > 0).sum() < 2 or record["options"]["keep"]:
            return "a card is chosen if cards of two colours were played (CHI-69)"
    elif record["played"].any() and phase not in (MORE, SPACE, TURNING, SCORING):
        return "cards played were kept or discarded by then (CHI-69)"
    if record["played"].any() and (record["seats"] != 2 or not placed or course & EMPERORS):
        return "cards lie played during a turn of two players only"
    if record["played"].sum() + record["hand_sizes"][active] > HAND:
        return "three cards are played and held at most (CHI-19)"
    if single and placed == 2 and record["seats"] != 2:
        return "into an empty province goes one piece (CHI-15)"
    if phase == SPACE and placed == 2 and not course & EMPERORS:
        return "two pieces are placed at most (CHI-16)"
    if phase == SPACE:
        target = int(WITHIN[int(record["land"]), int(record["target"]) - 1])
        if target & _occupied(record):
            return "only the first palace of a province is committed to (CHI-80)"
    if _is_committed(record) and not _can_build(record, active):
        return "who commits to a palace has one, and can pay for it (CHI-80)"
    if phase == EMPEROR_TURN and not any(_can_enter(record, p) for p in range(PROVINCES)):
        return "the Emperor is moved if he can place something (CHI-72)"
    if phase == SCORING and not _complete(record):
        return "no province is complete"
    return None


def _is_committed(record: Any) -> bool:
    """Say whether the first palace of a province is to follow."""
    target = int(record["target"])
    built = target and _occupied(record) & int(WITHIN[int(record["land"]), target - 1])
    return bool(target and not built)


def _can_build(record: Any, seat: int) -> bool:
    """Say whether who is committed to a palace has one and may have the cards for it."""
    emperors = bool(int(record["course"]) & EMPERORS)
    owner = EMPEROR if emperors else seat
    if int(record["palaces"][owner]).bit_count() >= PALACES:
        return False
    own = int(COLOUR[int(record["land"]), int(record["target"]) - 1])
    if emperors or _knows(record, seat):
        cards = record["imperial"] if emperors else record["hands"][seat]
        return bool(cards[own] > 0 or (cards >= 2).any())
    return any(_may_hold(record, seat, cards) for cards in _payments(own))


def _payments(own: int) -> list[list[int]]:
    """Return the sets of cards that pay for a piece in a province of a colour."""
    pairs = [[2 * (colour == c) for c in range(COLOURS)] for colour in range(COLOURS)]
    return [[int(c == own) for c in range(COLOURS)], *pairs]


def _may_hold(record: Any, seat: int, cards: list[int]) -> bool:
    """Say whether a hand that is not seen may have some cards."""
    seats = range(int(record["seats"]))
    unknown = [other for other in seats if not _knows(record, other)]
    lacking = np.maximum(np.array(cards) - record["known"][seat], 0)
    if lacking.sum() + record["known"][seat].sum() > record["hand_sizes"][seat]:
        return False
    left = _unseen(record) - record["known"][unknown].sum(axis=0) - lacking
    fresh = record["fresh"].astype(int) - record["drawn"].sum(axis=0)
    return bool((left >= 0).all() and np.minimum(left, fresh).sum() >= record["deck_size"])


def _can_enter(record: Any, province: int) -> bool:
    """Say whether the Emperor has cards, a piece and room for a province."""
    cards, land = record["imperial"], int(record["land"])
    if not (cards[int(COLOUR[land, province])] > 0 or (cards >= 2).any()):
        return False
    within = int(WITHIN[land, province])
    palaces = [int(spaces).bit_count() for spaces in record["palaces"]]
    if within & ~_occupied(record) and palaces[EMPEROR] < PALACES:
        return True
    cap = max((int(spaces) & within).bit_count() for spaces in record["palaces"])
    room = int(record["emissaries"][:, province].sum()) < cap
    return bool(room and record["emissaries"][EMPEROR].sum() < EMISSARIES)


def _complete(record: Any) -> bool:
    built, scored = _occupied(record), int(record["scored"])
    land = int(record["land"])
    return any(not int(WITHIN[land, p]) & ~built and not scored >> p & 1 for p in range(PROVINCES))


def _wrong_supplies(record: Any, phase: int) -> str | None:
    """Say what is wrong with deck, display and what is owed in this phase."""
    deck, exhausted, owed = (int(record[n]) for n in ("deck_size", "exhausted", "owed"))
    display, active = int(record["display"].sum()), int(record["active"])
    if (deck == 0 and exhausted < LAST_EXHAUSTION) != (phase == SHUFFLING):
        return "an empty deck is shuffled anew at once, but for the second time (CHI-43, CHI-45)"
    if exhausted == LAST_EXHAUSTION and deck:
        return "after the second exhaustion the deck is empty (CHI-45)"
    if phase == SHUFFLING and not record["discard"].any():
        return "without a discard there is nothing to shuffle"
    if phase in (DRAWING, DISPLAYING, EMPEROR_DRAW) and not deck:
        return "nothing is drawn from an empty deck"
    if phase == DISPLAYING and display >= DISPLAY:
        return f"the display has {DISPLAY} cards already (CHI-07)"
    if phase == EMPEROR_DRAW and record["imperial"].sum() >= HAND:
        return f"the Emperor has {HAND} cards already (CHI-72)"
    if phase in (TAKING, DRAWING):
        if not owed or owed + record["hand_sizes"][active] > HAND:
            return "as many cards are owed as the hand lacks (CHI-12)"
        if phase == TAKING and not deck and not display:
            return "there is no card to take"
        if not record["placed"] and owed != 1:
            return "one card is taken for the one exchanged (CHI-46)"
    elif phase == SHUFFLING:
        if owed + record["hand_sizes"][active] > HAND:
            return "as many cards are owed as the hand lacks (CHI-12)"
    elif owed:
        return "no card is owed in this phase"
    return None
