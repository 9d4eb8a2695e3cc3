"""Sun Tzu on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come sixteen tokens::

    order r 61/60 4 124,143,232,315,432 P/CHL b2 1 b/- -/--- b4:10,-:00,r3:00,-:01,b1:00 0/0
    0:0 5?9?M/????? <Blue> <Red>

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

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules import statements as because
from tianxia.games.suntzu.rules.cards import lies_unseen
from tianxia.games.suntzu.rules.invariants import INVARIANTS
from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields, Part, knows
from tianxia.kernel.notation import Notation
from tianxia.kernel.tokens import (
    PLIES,
    Codec,
    Token,
    bits,
    choice,
    found,
    heap,
    mapped,
    maybe,
    number,
    row,
    several,
    split,
    token,
    word,
    wrong,
)

ENDS = (
    *(because.PAWN_AT_ITS_GOAL, because.AHEAD_AFTER_NINE_ROUNDS),
    *(because.MOST_IN_RESERVE, because.LAST_EVENT),
)
PHASE_NAMES = (
    *("stands", "event", "choice", "deal", "lay", "before", "order", "fight", "after"),
    *("score", "collect", "draw", "keep", "final"),
)
FIGHT_STEPS = (
    *("S2", "K4", "K3", "mark1", "mark2", "cost1", "cost2", "place", "toll1", "toll2"),
    *("second", "event", "recycle1", "top1", "recycle2", "top2"),
)
PHASE_CODES = {
    **{name: (i, 0, 0, 0, 0) for i, name in enumerate(PHASE_NAMES) if i != s.FIGHT},
    **{f"fight.{name}": (s.FIGHT, i, 0, 0, 0) for i, name in enumerate(FIGHT_STEPS, 1)},
    **{
        f"end.{reason}.{name}": (s.END, 0, reason, winner, 1)
        for reason in ENDS
        for winner, name in enumerate("br=", 1)
    },
}
SEATS = "br"
EVENT_LETTERS = "PCMHL"
PROVINCE_LETTERS = "QCJHW"
CARD_LETTERS = "123456789XABCMP"
STAND_NAMES = ["".join(map(str, stand)) for stand in c.STANDS.tolist()]
TRACK_CODES = {"0": 0} | {
    f"{name}{steps}": way * steps for name, way in (("b", 1), ("r", -1)) for steps in range(1, 10)
}
PROVINCE = re.compile(r"(?:-|([br])([1-9][0-9]?)):([0-9])([0-9])")
TAIL_CARD = re.compile(r"([7-9XABCMP?])(!?)")
HAND_TEXT = heap(CARD_LETTERS, 20)
ABOVE_6 = heap(CARD_LETTERS[c.BASIC :], 20)
STRATEGY_TEXT = bits("12345")

# --- The board ---


def _write_provinces(p: Fields) -> str:
    armies = (
        next((f"{name}{n[i]}" for name, n in zip(SEATS, p.board, strict=True) if n[i]), "-")
        for i in range(c.PROVINCES)
    )
    return ",".join(f"{a}:{p.marks[0][i]}{p.marks[1][i]}" for i, a in enumerate(armies))


def _read_provinces(p: Fields, text: str) -> None:
    board, marks = p.board, p.marks
    for i, part in enumerate(split(text, ",", c.PROVINCES)):
        owner, armies, blue, red = found(part, PROVINCE, "like b4:10 or -:00")
        board[:, i] = [int(armies) if name == owner else 0 for name in SEATS]
        marks[:, i] = int(blue), int(red)
    p.board, p.marks = board, marks


def _write_laid(p: Fields) -> str:
    return "/".join(
        "".join(_write_lying(p, seat, i, int(card)) for i, card in enumerate(cards))
        for seat, cards in enumerate(p.laid)
    )


def _write_lying(p: Fields, seat: int, province: int, card: int) -> str:
    if card:
        return CARD_LETTERS[card - 1]
    return "?" if not knows(p, seat) and lies_unseen(p, seat, province) else "-"


def _read_laid(p: Fields, text: str) -> None:
    lying = row(word("-?" + CARD_LETTERS, first=-1), "", c.PROVINCES)
    rows = [lying.read(p, cards) for cards in split(text, "/", 2)]
    p.laid = [[max(card, 0) for card in cards] for cards in rows]


# --- The players: each is written by the tokens below, on the fields of his seat ---


def _secret(what: str, field: str, codec: Codec) -> Token:
    """Return the token of what only its owner knows, elsewhere ``?``."""
    inner = token(what, field, codec)

    def read(p: Fields, text: str) -> None:
        inner.read(p, "-" if text == "?" else text)

    return Token(what, (field,), lambda p: inner.write(p) if knows(p, p.seat) else "?", read)


def _write_hand(p: Fields) -> str:
    return HAND_TEXT.write(p, p.hand) if knows(p, p.seat) else "?" * p.hidden or "-"


def _read_hand(p: Fields, text: str) -> None:
    p.hidden = text.count("?")
    p.hand = HAND_TEXT.read(p, text.replace("?", "") or "-")


def _write_tail(p: Fields) -> str:
    cards = p.tail[: p.tail_length].tolist()
    return "".join(map(_write_under, cards)) or "-"


def _write_under(card: int) -> str:
    return ("?" + CARD_LETTERS)[card & ~s.SHOWN] + ("!" if card & s.SHOWN else "")


def _read_tail(p: Fields, text: str) -> None:
    cards = [] if text == "-" else TAIL_CARD.findall(text)
    if len(cards) >= s.TAIL or "".join(map("".join, cards)) != text.replace("-", ""):
        raise wrong(text, "like M!7? or -")
    own = knows(p, p.seat)
    if any((letter == "?") == bool(own or shown) for letter, shown in cards):
        raise NotationError(f"{text!r}: its owner knows all of it, others what was shown")
    p.tail_length = len(cards)
    p.tail = [
        ("?" + CARD_LETTERS).index(letter) + (s.SHOWN if shown else 0) for letter, shown in cards
    ]


PLAYER = (
    several("reserve/aside", ("reserve", "aside"), number(c.ARMIES)),
    Token("hand", ("hand", "hidden"), _write_hand, _read_hand),
    _secret("discarded while laying", "spare", ABOVE_6),
    token("out of the game", "gone", ABOVE_6),
    _secret("drawn", "drawn", ABOVE_6),
    several("wanted/kept/taken", ("want", "keep", "taken"), number(4)),
    _secret("deck", "deck", ABOVE_6),
    Token("under the deck", ("tail", "tail_length"), _write_tail, _read_tail),
    _secret("strategy cards held", "strategy", STRATEGY_TEXT),
    token("number of strategy cards", "cards", number(2)),
    token("strategy cards spent", "spent", STRATEGY_TEXT),
)


def _player(seat: int) -> Token:
    def write(p: Fields) -> str:
        return ";".join(part.write(Part(p, seat)) for part in PLAYER)

    def read(p: Fields, text: str) -> None:
        for part, own in zip(PLAYER, split(text, ";", len(PLAYER)), strict=True):
            try:
                part.read(Part(p, seat), own)
            except NotationError as error:
                raise NotationError(f"{part.what}: {error}") from error

    fields = tuple(name for part in PLAYER for name in part.fields)
    return Token(("Blue", "Red")[seat], fields, write, read)


NOTATION = Notation(
    s.STATE,
    tokens=(
        choice("phase", ("phase", "step", "reason", "winner", "over"), PHASE_CODES),
        token("who may act", "acting", bits(SEATS)),
        PLIES,
        token("the round", "turn", number(c.LAST_ROUND)),
        token("stands", "stands", row(maybe(word(STAND_NAMES)), ",", c.PROVINCES)),
        several(
            "events", ("event", "events_left"), maybe(word(EVENT_LETTERS)), bits(EVENT_LETTERS)
        ),
        token("the silver pawn", "track", mapped(TRACK_CODES)),
        token("Plagues played", "plagues", number(90)),
        several("privilege/passes", ("privilege", "passes"), word("-br"), number(2)),
        several(
            "province/turned up",
            ("province", "done"),
            word(f"-{PROVINCE_LETTERS}+"),
            bits(PROVINCE_LETTERS),
        ),
        several("effects/owed", ("effects", "owed"), number(31)),
        Token("provinces", ("board", "marks"), _write_provinces, _read_provinces),
        token("points", "tally", row(number(25), ":", 2)),
        Token("laid cards", ("laid",), _write_laid, _read_laid),
        _player(c.BLUE),
        _player(c.RED),
    ),
    invariants=INVARIANTS,
)
