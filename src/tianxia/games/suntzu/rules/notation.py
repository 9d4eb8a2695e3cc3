"""Sun Tzu on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come fifteen tokens::

    order r 61/60 4 124,143,232,315,432 P/CHL b2 1 b/- -/--- b4:10,-:00,r3:00,-:01,b1:00 0:0
    5?9?M -????? <Blue> <Red>

1. phase, in a fight with its step (``fight.place``); at the end ``end.37.r``: the
   statement that ended it and who won (b, r or = for nobody);
2. who may act: ``b``, ``r``, ``br`` or ``-``;
3. plies / the ply before which nobody may take back on his own;
4. the round; 5. the stands from Qin to Wu, ``-`` for none yet;
6. the open event / those still face down: P Pandemic, C Chariots, M Champion, H Hero,
   L Light infantry; ``-`` for none;
7. the silver pawn: ``b2`` is two steps towards Blue; 8. Plagues played so far;
9. who has the privilege / who has declined in a row;
10. the province in question (Q C J H W) / provinces turned up;
11. effects of strategy cards and marks in it, as a number / armies owed;
12. the provinces: whose armies and how many : marks of Blue and of Red;
13. points of the scoring that goes on, Blue's:Red's;
14. laid cards, Blue's/Red's, ``-`` none, ``?`` unknown;
15. and 16. the players: reserve/aside, hand, cards discarded while laying, gone, drawn,
   wanted/kept/taken, deck, under the deck (``!`` behind a card that all know), strategy
   cards held, how many all know of, spent; with semicolons between.

Cards are 1 to 9, X (10), A B C (+1 +2 +3), M (−1), P (Plague), and ``?`` unknown. In a hand
that is unknown ``?`` stands for each card above 6 that is in it, drawn or face down.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tianxia.games.suntzu.rules.components import (
    ARMIES,
    BASIC,
    CHAMPION,
    COPIES,
    EVENTS,
    HERO,
    INFANTRY,
    K1,
    K5,
    KINDS,
    LAST_ROUND,
    PANDEMIC,
    PROVINCES,
    RED,
    S3,
    S4,
    SIX,
    STANDS,
    TRACK,
)
from tianxia.games.suntzu.rules.state import (
    AFTER,
    BEFORE,
    CHOICE,
    COLLECTING,
    COST_FIRST,
    COUNTED_AS_6,
    COUNTERED,
    DEAL,
    DRAWING,
    END,
    FIGHT,
    FINAL,
    FIRST_EVENT,
    KEEPING,
    LAYING,
    MARK_FIRST,
    NEXT_EVENT,
    NO_STEP,
    ORDER,
    PLACE,
    RECYCLE_FIRST,
    SCORING,
    SECOND_CARD,
    SHOWN,
    TAIL,
    TOLL_FIRST,
    TOLL_SECOND,
    TOP_FIRST,
    TOP_SECOND,
)
from tianxia.games.suntzu.rules.state import STANDS as STANDS_PHASE
from tianxia.kernel.errors import NotationError
from tianxia.kernel.record import Pool

PHASES = (
    *("stands", "event", "choice", "deal", "lay", "before", "order", "fight", "after"),
    *("score", "collect", "draw", "keep", "final", "end"),
)
FIGHT_STEPS = (
    *("", "S2", "K4", "K3", "mark1", "mark2", "cost1", "cost2", "place", "toll1", "toll2"),
    *("second", "event", "recycle1", "top1", "recycle2", "top2"),
)
SEATS = "br"
WINNERS = ("", "b", "r", "=")
REASONS = (36, 37, 38, 40)
EVENT_LETTERS = "PCMHL"
PROVINCE_LETTERS = "QCJHW"
CARD_LETTERS = "123456789XABCMP"
STAND_NAMES = ["".join(map(str, stand)) for stand in STANDS.tolist()]
PROVINCE = re.compile(r"(?:-|([br])([1-9][0-9]?)):([0-9])([0-9])")
TAIL_CARD = re.compile(r"([7-9XABCMP?])(!?)")
MOST_CARDS = 10  # in a deck after the set-up


# --- Writing ---


def dump(record: Any) -> str:
    """Return the tokens of a position's record."""
    tokens = [
        _dump_phase(record),
        _letters(SEATS, int(record["acting"])),
        f"{record['plies']}/{record['sealed']}",
        str(record["turn"]),
        ",".join(STAND_NAMES[int(stand) - 1] if stand else "-" for stand in record["stands"]),
        (
            f"{_letters(EVENT_LETTERS, 1 << int(record['event']) >> 1)}"
            f"/{_letters(EVENT_LETTERS, int(record['events_left']))}"
        ),
        _dump_track(int(record["track"])),
        str(record["plagues"]),
        f"{'-br'[int(record['privilege'])]}/{record['passes']}",
        (
            f"{('-' + PROVINCE_LETTERS + '+')[int(record['province'])]}"
            f"/{_letters(PROVINCE_LETTERS, int(record['done']))}"
        ),
        f"{record['effects']}/{record['owed']}",
        ",".join(_dump_province(record, province) for province in range(PROVINCES)),
        f"{record['tally'][0]}:{record['tally'][1]}",
        "/".join(_dump_laid(record, seat) for seat in range(2)),
        _dump_seat(record, 0),
        _dump_seat(record, 1),
    ]
    return " ".join(tokens)


def _dump_phase(record: Any) -> str:
    phase = int(record["phase"])
    if phase == END:
        return f"end.{record['reason']}.{WINNERS[int(record['winner'])]}"
    if phase == FIGHT:
        return f"fight.{FIGHT_STEPS[int(record['step'])]}"
    return PHASES[phase]


def _letters(names: str, bits: int) -> str:
    return "".join(name for i, name in enumerate(names) if bits >> i & 1) or "-"


def _dump_track(track: int) -> str:
    return "0" if track == 0 else f"b{track}" if track > 0 else f"r{-track}"


def _dump_province(record: Any, province: int) -> str:
    blue, red = (int(record["board"][seat][province]) for seat in range(2))
    armies = f"b{blue}" if blue else f"r{red}" if red else "-"
    return f"{armies}:{record['marks'][0][province]}{record['marks'][1][province]}"


def _is_known(record: Any, seat: int) -> bool:
    return int(record["viewer"]) in (0, seat + 1) or bool(record["over"])


def lies_unseen(record: Any, seat: int, province: int) -> bool:
    """Say whether all know that a card lies in a province, but not which."""
    phase = int(record["phase"])
    if phase == LAYING:
        return not int(record["acting"]) >> seat & 1
    return phase in (BEFORE, ORDER, FIGHT) and not int(record["done"]) >> province & 1


def _dump_laid(record: Any, seat: int) -> str:
    known = _is_known(record, seat)
    return "".join(
        CARD_LETTERS[int(card) - 1]
        if card
        else "?"
        if not known and lies_unseen(record, seat, province)
        else "-"
        for province, card in enumerate(record["laid"][seat])
    )


def _cards(counts: Any, first: int = BASIC) -> str:
    return "".join(CARD_LETTERS[first + kind] * int(n) for kind, n in enumerate(counts)) or "-"


def _dump_seat(record: Any, seat: int) -> str:
    known = _is_known(record, seat)
    hand = _cards(record["hand"][seat], 0) if known else "?" * int(record["hidden"][seat])
    tail = "".join(
        (CARD_LETTERS[(int(card) & ~SHOWN) - 1] if card else "?") + ("!" if card & SHOWN else "")
        for card in record["tail"][seat][: int(record["tail_length"][seat])]
    )
    held = _strategies(int(record["strategy"][seat])) if known else "?"
    parts = [
        f"{record['reserve'][seat]}/{record['aside'][seat]}",
        hand or "-",
        _cards(record["spare"][seat]) if known else "?",
        _cards(record["gone"][seat]),
        _cards(record["drawn"][seat]) if known else "?",
        f"{record['want'][seat]}/{record['keep'][seat]}/{record['taken'][seat]}",
        _cards(record["deck"][seat]) if known else "?",
        tail or "-",
        held,
        str(record["cards"][seat]),
        _strategies(int(record["spent"][seat])),
    ]
    return ";".join(parts)


def _strategies(bits: int) -> str:
    return _letters("12345", bits)


# --- Reading ---


def load(text: str, pool: Pool) -> None:
    """Fill a record from `dump`'s tokens; raise NotationError where they are no position."""
    tokens = text.split(" ")
    if len(tokens) != 16:
        raise NotationError(f"a position of Sun Tzu has 16 parts, not {len(tokens)}")
    record = pool[0]
    _load_phase(record, tokens[0])
    record["acting"] = _bits(tokens[1], SEATS, "who may act")
    record["plies"], record["sealed"] = _numbers(tokens[2], "/", "plies/sealed", 10**9, 2)
    record["turn"] = _number(tokens[3], "the round", LAST_ROUND)
    _load_stands(record, tokens[4])
    _load_events(record, tokens[5])
    _load_track(record, tokens[6])
    record["plagues"] = _number(tokens[7], "Plagues played", 90)
    _load_privilege(record, tokens[8])
    _load_province(record, tokens[9])
    record["effects"], record["owed"] = _numbers(tokens[10], "/", "effects/owed", 31, 2)
    _load_armies(record, tokens[11])
    record["tally"] = _numbers(tokens[12], ":", "points", 25, 2)
    _load_laid(record, tokens[13])
    for seat in range(2):
        _load_seat(record, seat, tokens[14 + seat])
    wrong = _wrong(record)
    if wrong:
        raise NotationError(wrong)
    written = dump(record)
    if written != text:
        pairs = zip(tokens, written.split(" "), strict=True)
        given, better = next((a, b) for a, b in pairs if a != b)
        raise NotationError(f"{given[:60]!r} should be written {better!r}")


def _number(text: str, what: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > most:
        raise NotationError(f"{what}: {text[:20]!r} should be a number up to {most}")
    return int(text)


def _numbers(text: str, sign: str, what: str, most: int, count: int) -> tuple[int, ...]:
    parts = text.split(sign)
    if len(parts) != count:
        raise NotationError(f"{what}: {text[:20]!r} should be {count} numbers with {sign} between")
    return tuple(_number(part, what, most) for part in parts)


def _bits(text: str, names: str, what: str) -> int:
    if text != "-" and (not text or any(letter not in names for letter in text)):
        raise NotationError(f"{what}: {text[:20]!r} should be some of {names}, or -")
    return sum({1 << names.index(letter) for letter in text if letter != "-"})


def _load_phase(record: Any, text: str) -> None:
    word, _, rest = text.partition(".")
    if word not in PHASES:
        raise NotationError(f"{text[:20]!r} is no phase; phases are {', '.join(PHASES)}")
    record["phase"] = PHASES.index(word)
    if word == "fight":
        if rest not in FIGHT_STEPS[1:]:
            raise NotationError(f"{rest[:20]!r} is no step of a fight")
        record["step"] = FIGHT_STEPS.index(rest)
    elif word == "end":
        reason, _, won = rest.partition(".")
        if reason not in map(str, REASONS) or won not in WINNERS[1:]:
            raise NotationError(f"{text[:20]!r} should be like end.37.b")
        record["over"] = 1
        record["reason"] = int(reason)
        record["winner"] = WINNERS.index(won)


def _load_stands(record: Any, text: str) -> None:
    names = text.split(",")
    if len(names) != PROVINCES or any(name not in ("-", *STAND_NAMES) for name in names):
        raise NotationError(f"stands: {text[:40]!r} should be five of {', '.join(STAND_NAMES)}")
    for province, name in enumerate(names):
        record["stands"][province] = 0 if name == "-" else STAND_NAMES.index(name) + 1


def _load_events(record: Any, text: str) -> None:
    opened, _, left = text.partition("/")
    event = _bits(opened, EVENT_LETTERS, "the open event")
    record["event"] = event.bit_length()
    record["events_left"] = _bits(left, EVENT_LETTERS, "events face down")


def _load_track(record: Any, text: str) -> None:
    match = re.fullmatch(r"0|([br])([1-9])", text)
    if not match:
        raise NotationError(f"the silver pawn: {text[:20]!r} should be 0 or like b3")
    record["track"] = int(match[2] or 0) * (-1 if match[1] == "r" else 1)


def _load_privilege(record: Any, text: str) -> None:
    match = re.fullmatch(r"([-br])/([012])", text)
    if not match:
        raise NotationError(f"privilege/passes: {text[:20]!r} should be like b/0")
    record["privilege"] = "-br".index(match[1])
    record["passes"] = int(match[2])


def _load_province(record: Any, text: str) -> None:
    match = re.fullmatch(r"([-QCJHW+])/([-QCJHW]{1,5})", text)
    if not match:
        raise NotationError(f"province/turned up: {text[:20]!r} should be like W/QC")
    record["province"] = ("-" + PROVINCE_LETTERS + "+").index(match[1])
    record["done"] = _bits(match[2], PROVINCE_LETTERS, "provinces turned up")


def _load_armies(record: Any, text: str) -> None:
    parts = [PROVINCE.fullmatch(part) for part in text.split(",")]
    if len(parts) != PROVINCES or not all(parts):
        raise NotationError(f"provinces: {text[:60]!r} should be five like b4:10")
    for province, match in enumerate(parts):
        if match and match[1]:
            record["board"][SEATS.index(match[1])][province] = int(match[2])
        if match:
            record["marks"][0][province] = int(match[3])
            record["marks"][1][province] = int(match[4])


def _load_laid(record: Any, text: str) -> None:
    if not re.fullmatch(rf"[-?{CARD_LETTERS}]{{5}}/[-?{CARD_LETTERS}]{{5}}", text):
        raise NotationError(f"laid cards: {text[:20]!r} should be like 5?9?M/?????")
    for seat, cards in enumerate(text.split("/")):
        for province, card in enumerate(cards):
            known = card not in "-?"
            record["laid"][seat][province] = CARD_LETTERS.index(card) + 1 if known else 0


def _load_seat(record: Any, seat: int, text: str) -> None:
    parts = text.split(";")
    if len(parts) != 11:
        raise NotationError(f"a player of Sun Tzu has 11 parts, not {len(parts)}: {text[:60]!r}")
    armies, hand, spare, gone, drawn, drawing, deck, tail, held, cards, spent = parts
    record["reserve"][seat], record["aside"][seat] = _numbers(armies, "/", "armies", ARMIES, 2)
    record["hidden"][seat] = hand.count("?")
    known = _is_known(record, seat)
    if ("?" in hand) > (not known) or record["hidden"][seat] > KINDS:
        raise NotationError(f"hand of {SEATS[seat]}: {hand[:30]!r} should not be hidden")
    _load_cards(record["hand"][seat], hand.replace("?", "") or "-", 0)
    _load_cards(record["gone"][seat], gone, BASIC)
    for name, part in (("spare", spare), ("drawn", drawn), ("deck", deck)):
        _load_cards(record[name][seat], part if known else part.replace("?", "-"), BASIC)
    numbers = _numbers(drawing, "/", "wanted/kept/taken", 4, 3)
    record["want"][seat], record["keep"][seat], record["taken"][seat] = numbers
    _load_tail(record, seat, tail)
    if known:
        record["strategy"][seat] = _bits(held, "12345", "strategy cards")
    record["cards"][seat] = _number(cards, "number of strategy cards", 2)
    record["spent"][seat] = _bits(spent, "12345", "strategy cards spent")


def _load_cards(counts: Any, text: str, first: int) -> None:
    letters = CARD_LETTERS[first:]
    if text == "-":
        return
    if not text or len(text) > 20 or any(letter not in letters for letter in text):
        raise NotationError(f"cards: {text[:30]!r} should be some of {letters}, or -")
    for kind, letter in enumerate(letters):
        counts[kind] = text.count(letter)


def _load_tail(record: Any, seat: int, text: str) -> None:
    found = [] if text == "-" else TAIL_CARD.findall(text)
    if len(found) > TAIL - 1 or "".join(map("".join, found)) != ("" if text == "-" else text):
        raise NotationError(f"under the deck: {text[:30]!r} should be like M!7? or -")
    record["tail_length"][seat] = len(found)
    for i, (letter, shown) in enumerate(found):
        if letter == "?":
            if shown or _is_known(record, seat):
                raise NotationError(f"under the deck: {text!r}: its owner knows all of it")
            continue
        if not shown and not _is_known(record, seat):
            raise NotationError(f"under the deck: {text!r}: only its owner knows all of it")
        record["tail"][seat][i] = CARD_LETTERS.index(letter) + 1 + (SHOWN if shown else 0)


# --- What cannot be ---


def _wrong(record: Any) -> str | None:
    """Say what is wrong with a record, if anything is."""
    if record["sealed"] > record["plies"]:
        return "plies/sealed: the second number cannot be the larger one"
    for check in (_wrong_box, _wrong_round, _wrong_turn):
        wrong = check(record)
        if wrong:
            return wrong
    for seat in range(2):
        wrong = _wrong_armies(record, seat) or _wrong_cards(record, seat)
        wrong = wrong or _wrong_drawing(record, seat) or _wrong_strategies(record, seat)
        if wrong:
            return f"{('Blue', 'Red')[seat]}: {wrong}"
    return None


def _wrong_box(record: Any) -> str | None:
    """Look at stands and events."""
    stands = [int(stand) for stand in record["stands"]]
    placed = [stand for stand in stands if stand]
    phase = int(record["phase"])
    if len(set(placed)) != len(placed) or stands[: len(placed)] != placed:
        return "stands: each is there once, and they are drawn from Qin on"
    if (len(placed) < PROVINCES) != (phase == STANDS_PHASE):
        return "stands: all five lie there when the game goes on"
    event, left = int(record["event"]), int(record["events_left"])
    if event and left >> (event - 1) & 1:
        return "an event is open or face down, not both"
    if not record["options"]["events"]:
        return "there are no events in this game" if event or left else None
    if phase in (STANDS_PHASE, FIRST_EVENT):
        return None if left == (1 << EVENTS) - 1 else "no event is open yet"
    if phase == END:
        return None
    turning = phase == FIGHT and record["step"] == NEXT_EVENT
    if bool(event) == turning or (turning and not left):
        return "one event is open until the last one has been met"
    return None


def _wrong_round(record: Any) -> str | None:
    """Look at round, pawn, points and the provinces turned up."""
    phase, turn, done = (int(record[name]) for name in ("phase", "turn", "done"))
    if not 1 <= turn <= LAST_ROUND or (phase < LAYING and turn > 1):
        return "the round is 1 to 9, and 1 during the set-up"
    if phase == SCORING and turn % 3:
        return "scores are counted in rounds 3, 6 and 9"
    if phase == FINAL and (turn < LAST_ROUND or record["track"]):
        return "the last reinforcements come after round 9, when the score is level"
    if phase in (COLLECTING, DRAWING, KEEPING) and turn == LAST_ROUND:
        return "nobody draws after round 9"
    if record["privilege"] and turn == 1:
        return "in round 1 nobody has the privilege"
    if phase < ORDER and done:
        return "no province is turned up yet"
    if phase in (AFTER, SCORING, COLLECTING, FINAL) and done != 31:
        return "all provinces are turned up"
    if phase in (DRAWING, KEEPING) and done:
        return "played cards have been collected"
    if phase != SCORING and record["tally"].any():
        return "points are noted during a scoring only"
    if phase == END and not _has_ended(record):
        return "the game has not ended so"
    return _wrong_transient(record, phase, done)


def _has_ended(record: Any) -> bool:
    """Say whether the reason of the end and the winner fit the score and the reserves."""
    track, turn, reason = (int(record[name]) for name in ("track", "turn", "reason"))
    by_track = 0 if track == 0 else 1 if track > 0 else 2
    more = int(record["reserve"][0]) - int(record["reserve"][1])
    by_reserve = 3 if more == 0 else 1 if more > 0 else 2
    fits = {
        36: turn in (3, 6) and abs(track) == TRACK,
        37: turn == LAST_ROUND and track != 0,
        38: turn == LAST_ROUND and track == 0,
        40: record["options"]["events"] and not record["event"] and not record["events_left"],
    }
    return bool(fits[reason]) and record["winner"] == (by_track or by_reserve)


def _wrong_transient(record: Any, phase: int, done: int) -> str | None:
    """Look at what only some phases need."""
    province, owed, passes = (int(record[name]) for name in ("province", "owed", "passes"))
    effects, step = int(record["effects"]), int(record["step"])
    if phase == FIGHT:
        if not 1 <= province <= PROVINCES or not done >> (province - 1) & 1 or step == NO_STEP:
            return "a fight is in a province that is turned up"
        if (owed > 0) != (MARK_FIRST <= step <= TOLL_SECOND):
            return "armies are owed while somebody is asked for them"
        if owed > (2 if step != PLACE else 9) or (owed > 1 and step < COST_FIRST):
            return "so many armies are never owed"
        return None if not passes else "nobody passes in a fight"
    if effects:
        return "effects last as long as a fight"
    window = phase in (BEFORE, AFTER)
    if owed and (not window or owed > 1 or not 1 <= province <= PROVINCES):
        return "an army is owed in a fight, or for S5"
    if passes > 1 or (passes and not window and phase != FINAL):
        return "strategy cards are declined at most twice in a row"
    if owed and (record["reserve"][0] or not record["board"][0][province - 1] or passes):
        return "for S5 an army is owed while the reserve is empty"
    if phase == SCORING:
        return None if province else "a scoring is about a province"
    if phase == ORDER:
        free = province == 0 or not done >> (province - 1) & 1
        return None if free and province <= PROVINCES and done != 31 else "no such province is left"
    return "no province is in question" if province and not owed else None


def _wrong_turn(record: Any) -> str | None:
    """Look at who may act."""
    acting, phase, step = (int(record[name]) for name in ("acting", "phase", "step"))
    allowed: tuple[int, ...]
    if phase in (CHOICE, LAYING):
        allowed = (0, 1, 2, 3)
    elif phase == KEEPING:
        chooses = [int(record["want"][seat] > record["keep"][seat]) for seat in range(2)]
        most = chooses[0] | chooses[1] << 1
        allowed = tuple(bits for bits in range(4) if bits & ~most == 0)
    elif phase == ORDER:
        left = 31 & ~int(record["done"])
        asked = bool(record["privilege"]) and not record["province"] and left & (left - 1)
        allowed = (1 << (int(record["privilege"]) - 1),) if asked else (0,)
    elif phase == FIGHT:
        allowed = _who_fights(record, step)
    elif phase in (BEFORE, AFTER):
        able = int(record["turn"]) <= 6
        allowed = tuple(1 << s for s in range(2) if record["cards"][s] and able)
        allowed = (1,) if record["owed"] else allowed
    elif phase == FINAL:
        second = 1 if record["privilege"] < 2 else 0
        seat = second if record["passes"] else 1 - second
        allowed = (1 << seat,) if record["aside"][seat] else ()
    else:
        allowed = (0,)
    return None if acting in allowed else "who may act does not fit the phase"


def _who_fights(record: Any, step: int) -> tuple[int, ...]:
    """Return the values of `acting` that a step of a fight allows."""
    province = int(record["province"]) - 1
    cards = [int(record["laid"][seat][province]) for seat in range(2)]
    first = max(int(record["privilege"]) - 1, 0)
    holders = [bool(record["cards"][seat]) for seat in range(2)]
    if step in (NEXT_EVENT, TOP_FIRST, TOP_SECOND):
        return (0,)
    if step == SECOND_CARD:
        return _who_chooses(record)
    if step < MARK_FIRST:
        able = holders[0 if step == 1 else 1]
        plague = 15 in cards
        fits = (7 <= cards[0] <= 10 and cards[1] != 15) if step == 1 else plague
        fits = fits and (step != 2 or cards[0] == 15)
        return (1 if step == 1 else 2,) if able and fits else ()
    if step == PLACE:
        won = _margin(record, cards)
        return _if_asked(record, 0 if won > 0 else 1, True) if won else ()
    if step >= RECYCLE_FIRST:
        seat = first if step == RECYCLE_FIRST else 1 - first
        return (1 << seat,) if holders[seat] and cards[seat] == (14, 15)[seat] else ()
    if step >= TOLL_FIRST and record["event"] not in (PANDEMIC, CHAMPION, HERO):
        return ()
    later = (step - MARK_FIRST) % 2 if step < PLACE else (step - TOLL_FIRST) % 2
    strict = step < COST_FIRST or (step > PLACE and record["event"] == PANDEMIC)
    return _if_asked(record, 1 - first if later else first, strict)


def _if_asked(record: Any, seat: int, strict: bool) -> tuple[int, ...]:
    """Return the seat as bits; where the reserve comes first, only if that is empty."""
    return () if strict and record["reserve"][seat] else (1 << seat,)


def _margin(record: Any, cards: list[int]) -> int:
    """Return by how much Blue wins with these cards; negative: Red does."""
    effects = int(record["effects"])
    if 0 in cards or cards[1] == 15 or (cards[0] == 15 and not effects & COUNTERED):
        return 0
    if cards == [1, 1]:
        level = record["event"] != INFANTRY or not record["track"]
        return 0 if level else -1 if record["track"] > 0 else 1
    more = [card - 10 if 11 <= card <= 13 else 0 for card in cards]
    less = [card == 14 for card in cards]
    if any(more):
        return more[0] - more[1]
    if any(less):
        return less[1] - less[0]
    numbers = [0 if card == 15 else card for card in cards]
    return (6 if effects & COUNTED_AS_6 else numbers[0]) - numbers[1]


def _who_chooses(record: Any) -> tuple[int, ...]:
    """Return the values of `acting` while second strategy cards are chosen."""
    if not record["options"]["strategies"] or record["event"] != 2:
        return ()
    most = sum(1 << s for s in range(2) if _takes_second(record, s))
    return tuple(bits for bits in range(4) if bits & ~most == 0) if most else ()


def _takes_second(record: Any, seat: int) -> bool:
    marked = int(record["effects"]) >> (3 + seat) & 1
    return bool(marked) and int(record["marks"][seat].sum()) >= 3


def _wrong_armies(record: Any, seat: int) -> str | None:
    armies = sum(int(record[name][seat].sum()) for name in ("reserve", "aside", "board", "marks"))
    if armies != ARMIES:
        return f"{armies} armies instead of {ARMIES}"
    given = int(record["spare"][seat].sum())
    return "more reinforcements than armies" if given > record["reserve"][seat] else None


def _wrong_cards(record: Any, seat: int) -> str | None:
    """Compare cards with what is in the box, and with what the viewer may know."""
    known, phase = _is_known(record, seat), int(record["phase"])
    laid = np.bincount(record["laid"][seat], minlength=KINDS + 1)[1:]
    tail = record["tail"][seat][: int(record["tail_length"][seat])] & ~SHOWN
    under = np.bincount(tail, minlength=KINDS + 1)[1 + BASIC :]
    here = laid[BASIC:] + record["gone"][seat] + under
    for name in ("spare", "drawn", "deck"):
        here = here + record[name][seat]
    left = COPIES[int(record["options"]["deck"])] - here - record["hand"][seat][BASIC:]
    basics = 1 - laid[:BASIC] - record["hand"][seat][:BASIC]
    if (left < 0).any() or (basics < 0).any() or (known and (left.any() or basics.any())):
        return "these are not the cards of this game"
    unknown = int(left.sum()) - int(record["hidden"][seat]) - int((tail == 0).sum())
    size = (int(record["deck"][seat].sum()) if known else unknown) + len(tail)
    recycling = phase == FIGHT and record["step"] in (TOP_FIRST, TOP_SECOND)
    drawn = int(record["taken"][seat]) if phase in (DRAWING, KEEPING) else 0
    if unknown < 0 or (phase > DEAL and size + drawn > MOST_CARDS + recycling):
        return "the deck cannot have so many cards"
    if record["spare"][seat].any() and phase != LAYING:
        return "reinforcements are hidden while laying only"
    if recycling and size < 1:
        return "there is no card to turn up"
    return _wrong_laid(record, seat, known)


def _wrong_laid(record: Any, seat: int, known: bool) -> str | None:
    """Look at the cards that lie in the provinces."""
    phase, done = int(record["phase"]), int(record["done"])
    lies = [bool(card) for card in record["laid"][seat]]
    if phase < LAYING or phase in (DRAWING, KEEPING):
        return "no card lies in a province now" if any(lies) else None
    if phase == LAYING:
        if not known:
            return "laid cards are hidden" if any(lies) else None
        if all(lies) == bool(int(record["acting"]) >> seat & 1):
            return "who has laid five cards has finished, and nobody else"
    elif phase != END:
        hidden = [not known and lies_unseen(record, seat, p) for p in range(PROVINCES)]
        if any(lay and hide for lay, hide in zip(lies, hidden, strict=True)):
            return "cards that lie face down are hidden"
        recycled = int(record["spent"][seat]) >> (S4, K5)[seat] & 1
        missing = [p for p in range(PROVINCES) if not lies[p] and not hidden[p]]
        if len(missing) > recycled or not all(done >> p & 1 for p in missing):
            return "a card lies in each province"
    for province, card in enumerate(record["laid"][seat]):
        unseen = phase in (LAYING, BEFORE) or not done >> province & 1
        marked = record["marks"][seat][province] and card == SIX + 1 and unseen and phase != END
        if marked and not (seat == RED and int(record["strategy"][RED]) >> K1 & 1):
            return "a 6 lies in a province that is marked"
    return None


def _wrong_drawing(record: Any, seat: int) -> str | None:
    """Look at the cards that are drawn."""
    phase = int(record["phase"])
    want, keep, taken = (int(record[name][seat]) for name in ("want", "keep", "taken"))
    drawn = int(record["drawn"][seat].sum())
    known = _is_known(record, seat)
    size = int(record["deck"][seat].sum()) + int(record["tail_length"][seat])
    if phase <= DEAL:
        if (want, keep) != (4, 0) or drawn or taken > 4 or (taken and phase < DEAL):
            return "four cards are dealt"
        held = int(record["hand"][seat][BASIC:].sum() + record["hidden"][seat])
        other = int(record["taken"][0]) < 4 if seat else int(record["taken"].sum()) == 8
        if held != taken or (taken and seat and other) or (phase == DEAL and not seat and other):
            return "cards are dealt to Blue, then to Red"
        return None
    if phase not in (DRAWING, KEEPING):
        return "nothing is drawn now" if want or keep or taken or drawn else None
    if want > 3 or keep > min(want, 2) or want - keep > 1 or taken > want:
        return "no such number of cards is drawn"
    choice = want > keep
    if phase == KEEPING:
        waits = bool(int(record["acting"]) >> seat & 1)
        expected = 0 if not choice else want if waits else 1
        if taken != want:
            return "all cards are drawn"
    else:
        expected = taken
        if known and size < want - taken:
            return "the deck has not so many cards"
    if (drawn if known else 0) != (expected if known else 0):
        return "these are not the cards drawn"
    if not known and record["hidden"][seat] < expected:
        return "fewer cards than were drawn"
    both = sum(int(record["taken"][s] < record["want"][s]) for s in range(2))
    if phase == DRAWING and (
        both == 0 or (seat and taken and record["taken"][0] < record["want"][0])
    ):
        return "cards are drawn by Blue, then by Red"
    return None


def _wrong_strategies(record: Any, seat: int) -> str | None:
    """Look at the strategy cards."""
    held, spent = int(record["strategy"][seat]), int(record["spent"][seat])
    cards, phase = int(record["cards"][seat]), int(record["phase"])
    if not record["options"]["strategies"]:
        return "there are no strategy cards in this game" if cards or held or spent else None
    if phase < CHOICE or phase == CHOICE:
        if cards or spent:
            return "strategy cards do not count before both have chosen"
    elif not 1 <= cards + spent.bit_count() <= 2:
        return "everybody has chosen one or two strategy cards"
    if held & spent:
        return "a strategy card is held or spent, not both"
    finished = not int(record["acting"]) >> seat & 1
    more = phase == CHOICE and finished
    if phase == FIGHT and record["step"] == SECOND_CARD and _takes_second(record, seat):
        more = finished
        if cards + spent.bit_count() > 1:
            return "nobody has three strategy cards"
    if _is_known(record, seat) and held.bit_count() != cards + more:
        return "not so many strategy cards are known to be held"
    if phase > CHOICE and seat == 0 and held >> S3 & 1:
        return "S3 is shown as soon as both have chosen"
    return None
