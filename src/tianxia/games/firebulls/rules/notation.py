"""Fire Bulls on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come eighteen tokens, for example::

    turn 0 37/36 24 Sb,X,F/Wy,Wy,Sg/B,F,C 15/15/15 piles -/- - b9y8… b10y10… b1g2 - \
b2r1/y1w2 b2r1/y1w2 -/-,=,= 0 -

1. what is being decided or drawn: one of `PHASE_CODES`; an end has its statement, ``end:46``;
2. the active player's seat; 3. plies / the ply before which nobody may take back;
4. the direction of each pawn, 0 where it has none yet;
5. the three rows, each from the pawns away, with ``-`` on an empty place;
6. cards in the piles; 7. where the General is: ``piles``, ``aside`` or ``won``;
8. Victory piles by seat; 9. point cards out of the game;
10. the deck, in a view ``?`` and its number of cards; 11. the deck at its last shuffle
without what came openly from it; 12. the Reserve; 13. the discard;
14. hands by seat, ``?5`` where a view hides them; 15. what each drew unseen since the last
shuffle, in the same way;
16. cards that are surely in hands, by holder, as everybody knows and then as each seat
knows: ``=`` where that is the same, ``?`` where a view does not tell;
17. how often the deck ran out;
18. the rest of an unfinished turn: direction (``d3``, ``dG``), cards won (``+Sb``), Warriors
without fee (``w1``), draws owed (``o2``), what follows the draws (``>step``, ``>line``,
``>end``), the seat robbed next (``v1``); ``-`` if there is nothing of it.

Attack cards are ``b y n r g`` (blue, yellow, brown, red, green) and ``w`` (Warrior), each
with its number. Point cards: ``Sb`` Soldier, ``Wb`` Wu, ``Ww`` white Wu, ``X`` Xi, ``B`` Bo,
``C`` Colonel, ``G`` General, ``F`` Fortification.
"""

from __future__ import annotations

import re

import numpy as np

from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules import state as s
from tianxia.games.firebulls.rules import statements as because
from tianxia.games.firebulls.rules.invariants import INVARIANTS
from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields, everybody, is_open, knows
from tianxia.kernel.notation import Notation
from tianxia.kernel.tokens import (
    PLIES,
    SEAT,
    Token,
    choice,
    found,
    mapped,
    maybe,
    multiset,
    number,
    row,
    split,
    through,
    token,
    veiled,
    word,
)

LETTERS = "bynrgw"
POINT_SYMBOLS = (
    *(f"S{letter}" for letter in LETTERS[: c.COLOURS]),
    *(f"W{letter}" for letter in LETTERS),
    *"XBCGF",
)
PHASE_NAMES = (
    *("place", "rows", "deal", "first", "turn", "step", "more", "power", "fee", "limit"),
    *("draw", "reserve", "shuffle", "colonel", "theft", "slide", "refill", "penalty"),
)
PHASE_CODES = {name: (phase, 0, 0) for phase, name in enumerate(PHASE_NAMES)} | {
    f"end:{reason}": (s.ENDED, reason, 1)
    for reason in (because.TWO_EMPTY_PILES, because.THIRD_EXHAUSTION)
}
GENERALS = ("piles", "aside", "won")
RESUMES = ("", ">step", ">line", ">end")
DIRECTION_LETTERS = "-12345G"
DETAIL = re.compile(
    r"(?:d([1-5G]))?((?:\+[A-Za-z]{1,2}){0,3})(?:w(\d))?(?:o(\d))?(>step|>line|>end)?(?:v(\d))?"
)
ATTACK_SET = multiset(LETTERS, c.ATTACK_CARDS.tolist())
POINT_SET = multiset(POINT_SYMBOLS, c.POINT_CARDS.tolist())
IN_ROWS = mapped({name: i for i, name in enumerate(POINT_SYMBOLS) if i != c.GENERAL})
HOLDERS = row(ATTACK_SET)
ROW_CARDS = through(
    row(row(maybe(IN_ROWS), ",", c.PLACES // c.PILES), "/", c.PILES),
    lambda places: places.reshape(-1, c.PILES).T,
    lambda rows: np.transpose(rows).ravel(),
)
"""The rows: their places are numbered across them."""


def _write_memory(p: Fields) -> str:
    common = HOLDERS.write(p, p.known[s.PUBLIC])
    rows = [HOLDERS.write(p, p.known[seat]) for seat in everybody(p)]
    own = (("=" if text == common else text) for text in rows)
    return ",".join([common, *(t if knows(p, i) else "?" for i, t in enumerate(own))])


def _read_memory(p: Fields, text: str) -> None:
    parts = split(text, ",", p.seats + 1)
    known = np.zeros_like(p.known)
    for who, part in zip((s.PUBLIC, *everybody(p)), parts, strict=True):
        if who != s.PUBLIC and (part == "?") == knows(p, who):
            raise NotationError(f"{part[:20]!r} does not fit what the viewer may know")
        if part != "?":
            held = HOLDERS.read(p, parts[0] if part == "=" else part)
            known[who, : p.seats] = held
    p.known = known


def _write_detail(p: Fields) -> str:
    parts = [
        f"d{DIRECTION_LETTERS[p.direction]}" if p.direction else "",
        *(f"+{POINT_SYMBOLS[kind - 1]}" for kind in p.won if kind),
        f"w{p.warriors}" if p.warriors else "",
        f"o{p.owed}" if p.owed else "",
        RESUMES[p.resume],
        f"v{p.victim - 1}" if p.victim else "",
    ]
    return "".join(parts) or "-"


def _read_detail(p: Fields, text: str) -> None:
    parts = found("" if text == "-" else text, DETAIL, "like d3+Sbw1o1>line, or -")
    direction, won, warriors, owed, resume, victim = parts
    p.direction = DIRECTION_LETTERS.index(direction or "-")
    p.won = [1 + word(POINT_SYMBOLS).read(p, card) for card in won.split("+")[1:]]
    p.warriors = int(warriors or 0)
    p.owed = int(owed or 0)
    p.resume = RESUMES.index(resume)
    p.victim = 1 + SEAT.read(p, victim) if victim else 0


def _complete(p: Fields) -> None:
    """Work out who may act, and which point cards are in the piles."""
    p.acting = 1 << p.active if s.TURN <= p.phase <= s.LIMIT else 0
    unseen = c.POINT_CARDS - p.removed - p.victory.sum(axis=0)
    for kind in p.rows[p.rows > 0]:
        unseen[kind - 1] -= 1
    unseen[c.GENERAL] -= p.general == s.ASIDE
    p.unseen = unseen


NOTATION = Notation(
    s.STATE,
    tokens=(
        choice("phase", ("phase", "reason", "over"), PHASE_CODES),
        token("active player", "active", SEAT),
        PLIES,
        token("pawns", "pawns", row(number(c.DIRECTIONS), "")),
        token("rows", "rows", ROW_CARDS),
        token("piles", "piles", row(number(c.PILE), "/", c.PILES)),
        token("where the General is", "general", word(GENERALS)),
        token("Victory piles", "victory", row(POINT_SET)),
        token("point cards out of the game", "removed", POINT_SET),
        veiled("deck", "deck", "deck_size", ATTACK_SET, is_open, by_seat=False),
        token("deck at its last shuffle", "fresh", ATTACK_SET),
        token("Reserve", "reserve", ATTACK_SET),
        token("discard", "discard", ATTACK_SET),
        veiled("hands", "hands", "hand_sizes", ATTACK_SET, knows),
        veiled("cards drawn", "drawn", "draws", ATTACK_SET, knows),
        Token("cards surely in hands", ("known",), _write_memory, _read_memory),
        token("times the deck ran out", "exhausted", number(c.LAST_EXHAUSTION)),
        Token(
            "rest of the turn",
            ("direction", "won", "warriors", "owed", "resume", "victim"),
            _write_detail,
            _read_detail,
        ),
    ),
    derived=("unseen",),
    complete=_complete,
    invariants=INVARIANTS,
)
