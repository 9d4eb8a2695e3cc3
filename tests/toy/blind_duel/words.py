"""The words: actions as tokens and sentences, positions on one line and as a picture.

A position is ``phase acting plies/sealed played/die deck discard`` and, for every seat,
``points:hand:laid``: ``lay 01 4/4 0/0 ? - 0:13:- 0:??:-`` is a view of seat 0 in the first
round. Cards are their ranks in order, ``?`` one that the viewer does not know, ``-`` none.
"""

from __future__ import annotations

import re
from typing import Any

from blind_duel.rules import (
    BEAT,
    BEATING,
    COPIES,
    DONE,
    DRAW,
    DRAWING,
    HAND,
    LAYING,
    OPEN,
    PASS,
    ROLL,
    drawer,
    leader,
)
from tianxia.kernel.errors import NotationError, ParseError
from tianxia.kernel.record import Pool
from tianxia.kernel.state import State

CARDS = "123"
PHASES = ("draw", "lay", "open", "roll", "beat")
TOKENS = [
    *("lay1", "lay2", "lay3", "done", "open", "roll1", "roll2", "roll3"),
    *("beat1", "beat2", "beat3", "pass", "draw1", "draw2", "draw3"),
]
POSITION = re.compile(
    r"(draw|lay|open|roll|beat) (-|[012]+) (\d+)/(\d+) (\d)/(\d) (\?|-|\d+) (-|\d+)((?: \S+)+)"
)
SEAT = re.compile(r"(\d\d?):(-|\d+|\?+):(-|\d+)")


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token."""
    return TOKENS[action]


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means."""
    if text not in TOKENS:
        raise ParseError(f"{text[:20]!r} is no action; actions are {', '.join(TOKENS)}")
    return TOKENS.index(text)


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action does; this toy speaks English only."""
    if viewer is not None and state.seen(action, seat, viewer) is None:
        return "A card is drawn." if action >= DRAW else f"Seat {seat} lays a card face down."
    if action < DONE:
        return f"Seat {seat} lays a {action + 1} face down."
    if action >= DRAW:
        return f"Seat {drawer(state.fields)} draws a {action - DRAW + 1}."
    if action >= BEAT:
        return (
            f"Seat {seat} passes." if action == PASS else f"Seat {seat} adds a {action - BEAT + 1}."
        )
    if action >= ROLL:
        return f"The round is worth {action - ROLL + 1}."
    return "The cards are opened." if action == OPEN else f"Seat {seat} is ready."


def diagram(state: State, language: str) -> str:
    """Return a line for every seat."""
    lines = (text.split(":") for text in state.notation().split()[-state.seats :])
    return "\n".join(
        f"{seat}: {points} points, hand {hand}, laid {laid}"
        for seat, (points, hand, laid) in enumerate(lines)
    )


def dump(record: Any) -> str:
    """Return a position's record as one line."""
    acting = "".join(str(seat) for seat in range(3) if int(record["acting"]) >> seat & 1)
    known = record["viewer"] == 0 or record["over"] != 0
    seats = [
        f"{record['points'][seat]}:{_cards(record['hand'][seat], int(record['unknown'][seat]))}"
        f":{_cards(record['laid'][seat])}"
        for seat in range(int(record["seats"]))
    ]
    return (
        f"{PHASES[int(record['phase'])]} {acting or '-'} {record['plies']}/{record['sealed']} "
        f"{record['played']}/{record['die']} {_cards(record['deck']) if known else '?'} "
        f"{_cards(record['discard'])} {' '.join(seats)}"
    )


def _cards(counts: Any, unknown: int = 0) -> str:
    return "".join(c * int(n) for c, n in zip(CARDS, counts, strict=True)) + "?" * unknown or "-"


def load(text: str, pool: Pool) -> None:
    """Fill a record from `dump`'s text, refusing whatever could not be a position."""
    match = POSITION.fullmatch(text)
    if not match:
        raise NotationError(f"{text[:60]!r} should be like 'lay 01 4/4 0/0 1223 - 0:13:- 0:12:-'")
    record = pool[0]
    phase, acting, plies, sealed, played, die, deck, discard, seats = match.groups()
    record["phase"] = PHASES.index(phase)
    record["acting"] = sum(1 << int(seat) for seat in acting if seat != "-")
    record["plies"], record["sealed"] = int(plies), int(sealed)
    record["played"], record["die"] = int(played), int(die)
    record["over"] = record["played"] == record["options"]["rounds"]
    _count(deck if deck != "?" else "-", record["deck"])
    _count(discard, record["discard"])
    for seat, part in enumerate(seats.split()):
        fields = SEAT.fullmatch(part)
        if not fields or seat >= record["seats"]:
            raise NotationError(f"{part[:20]!r} should be points:hand:laid of a seat")
        record["points"][seat] = int(fields[1])
        record["unknown"][seat] = fields[2].count("?")
        _count(fields[2].replace("?", "") or "-", record["hand"][seat])
        _count(fields[3], record["laid"][seat])
    wrong = _wrong(record)
    if wrong or dump(record) != text:
        raise NotationError(wrong or f"{text[:60]!r} should be written {dump(record)!r}")


def _count(cards: str, counts: Any) -> None:
    for rank, card in enumerate(CARDS):
        counts[rank] = cards.count(card)


def _wrong(record: Any) -> str | None:
    """Say what is wrong with a record, if anything is."""
    seats, phase, acting = (int(record[name]) for name in ("seats", "phase", "acting"))
    viewer, over = int(record["viewer"]), bool(record["over"])
    known = [record[name].sum(axis=0) for name in ("hand", "laid")]
    left = COPIES - known[0] - known[1] - record["discard"] - record["deck"]
    hidden = int(record["unknown"].sum())
    open_to_viewer = [viewer in (0, seat + 1) or over for seat in range(seats)]
    if (left < 0).any() or left.sum() < hidden or (all(open_to_viewer) and left.any()):
        return f"there are {COPIES} cards of each rank"
    for seat in range(seats):
        hand = int(record["hand"][seat].sum())
        if hand + int(record["unknown"][seat]) + int(record["laid"][seat].sum()) > HAND:
            return f"nobody has more than {HAND} cards"
        if hand if not open_to_viewer[seat] else record["unknown"][seat]:
            return "a hand is known to its owner only"
    return _wrong_turn(record, phase, acting, int(left.sum()) - hidden + int(record["deck"].sum()))


def _wrong_turn(record: Any, phase: int, acting: int, deck: int) -> str | None:
    """Say what is wrong with who may act, and with the numbers."""
    seats = int(record["seats"])
    held = record["hand"].sum(axis=1) + record["unknown"]
    short = deck > 0 and (held + record["laid"].sum(axis=1) < HAND)[:seats].any()
    asked = (int(leader(record)) + 1) % seats
    fits = {
        LAYING: 0 < acting < 1 << seats and not short,
        BEATING: acting == 1 << asked and held[asked] > 0,
        DRAWING: acting == 0 and (short or record["over"]),
    }
    if not fits.get(phase, acting == 0) or (record["over"] and phase != DRAWING):
        return "who may act does not fit the cards"
    if (record["die"] in (1, 2, 3)) != (phase == BEATING) or record["die"] > 3:
        return "the die shows 1, 2 or 3 while the leader may be beaten, else 0"
    rounds, points = int(record["options"]["rounds"]), int(record["points"].sum())
    if not record["played"] <= points <= 3 * int(record["played"]) or record["played"] > rounds:
        return "every round brings 1, 2 or 3 points"
    if not record["sealed"] <= record["plies"] <= 1000:
        return "plies/sealed: the first is the larger number, and at most 1000"
    return None
