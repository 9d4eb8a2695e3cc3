"""Stratego in words: tokens of actions, sentences for the log, the board as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tianxia.draw.languages import N_, translator
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS, TIE, WIN, remains
from tianxia.games.stratego.rules.components import ACTIONS, RANK_SYMBOLS, SIDE
from tianxia.games.stratego.rules.notation import square_name, square_number
from tianxia.games.stratego.rules.state import PLAY, RAN, SHOWN
from tianxia.kernel.errors import ParseError
from tianxia.kernel.state import State

__all__ = ["ACTIONS", "describe", "diagram", "read", "write"]

EMPTY = "-"
OPENING = "open"
SEAT_NAMES = (N_("Red"), N_("Blue"))
SEAT_ARMIES = ("cinnabar", "indigo")
RANK_NAMES = (
    N_("unknown piece"),
    N_("Spy"),
    N_("Scout"),
    N_("Miner"),
    N_("Sergeant"),
    N_("Lieutenant"),
    N_("Captain"),
    N_("Major"),
    N_("Colonel"),
    N_("General"),
    N_("Marshal"),
    N_("Bomb"),
    N_("Flag"),
)
MOVE_TEXT = re.compile(r"([a-j](?:10|[1-9]))\s*([-x:]?)\s*([a-j](?:10|[1-9]))", re.IGNORECASE)

Translate = Callable[[str], str]


# --- Tokens ---


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token: a rank's symbol, ``-``, ``open``, a4-a5 or a4xa5."""
    kind = c.kind_of(action)
    if kind != c.MOVE:
        return OPENING if kind == c.OPEN else RANK_SYMBOLS[action] if action else EMPTY
    origin, target = c.squares_of(action)
    standing = int(state.fields["board"][target]) - 1
    sign = "x" if standing >= 0 and standing // c.SLOTS != seat else "-"
    return f"{square_name(origin)}{sign}{square_name(target)}"


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means: a rank while setting up, else a move."""
    if text.lower() == OPENING:
        return c.OPEN
    match = MOVE_TEXT.fullmatch(text)
    if match:
        return _read_move(state, match)
    if state.fields["phase"] == PLAY:
        raise ParseError(f"{text[:20]!r} is not a move; write it like a4-a5, a fight like a4xa5")
    return _read_rank(text)


def _read_move(state: State, match: re.Match[str]) -> int:
    origin, target = square_number(match[1].lower()), square_number(match[3].lower())
    if origin == target:
        raise ParseError(f"{match[0]}: a move ends on another square (STR-04)")
    if origin // SIDE != target // SIDE and origin % SIDE != target % SIDE:
        raise ParseError(
            f"{match[0]}: pieces move along a row or a column, never slantwise (STR-05)"
        )
    occupied = bool(state.fields["board"][target])
    if match[2] in ("x", "X", ":") and not occupied:
        raise ParseError(f"{match[0]}: nobody stands on {match[3]}; write {match[1]}-{match[3]}")
    return c.move(origin, target)


def _read_rank(text: str) -> int:
    word = text.strip().casefold()
    if word in (EMPTY, "0"):
        return 0
    if word in ("1", "10"):
        return c.Rank.SPY if word == "1" else c.Rank.MARSHAL
    if len(word) == 1 and word.upper() in RANK_SYMBOLS[1:]:
        return RANK_SYMBOLS.index(word.upper())
    for language in ("en", "fr"):
        names = [rank_name(rank, language).casefold() for rank in range(c.RANKS)]
        if word in names[1:]:
            return names.index(word)
    raise ParseError(
        f"{text[:20]!r} is not a rank; ranks are S 2 3 4 5 6 7 8 9 M B F, an empty square is -"
    )


# --- Sentences ---


def rank_name(rank: int, language: str) -> str:
    """Return the name of a rank."""
    return translator(language, __package__).gettext(RANK_NAMES[rank])


def seat_name(seat: int, language: str) -> str:
    """Return the name of a side."""
    return translator(language, __package__).gettext(SEAT_NAMES[seat])


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action does, as the viewer may read it; asked before it is applied."""
    _ = translator(language, __package__).gettext
    kind = c.kind_of(action)
    if kind == c.OPEN:
        return _("Both armies stand; the game begins.")
    side = seat_name(seat, language)
    if kind == c.RANK:
        return _describe_setup(state, action, seat, viewer, language)
    origin, target = c.squares_of(action)
    piece, other = (int(state.fields["board"][square]) - 1 for square in (origin, target))
    if other >= 0:
        return _describe_fight(state, (piece, other), (origin, target), seat, language)
    rank = rank_name(_known_rank(state, piece, viewer), language)
    text = _("{side}: {rank} {origin} to {target}.")
    return text.format(side=side, rank=rank, origin=square_name(origin), target=square_name(target))


def _describe_setup(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    side = seat_name(seat, language)
    if viewer not in (None, seat):
        return _("{side} has set up in secret.").format(side=side)
    slot = int(state.fields["placed"][seat])
    square = square_name(slot if seat == 0 else c.SQUARES - 1 - slot)
    if action == 0:
        return _("{side} leaves {square} empty.").format(side=side, square=square)
    rank = rank_name(action, language)
    return _("{side} sets up {rank} on {square}.").format(side=side, rank=rank, square=square)


def _known_rank(state: State, piece: int, viewer: int | None) -> int:
    """Return a piece's rank as the viewer knows it, 0 if he does not."""
    open_to_all = int(state.fields["marks"][piece]) & (SHOWN | RAN)
    if viewer in (None, piece // c.SLOTS) or open_to_all:
        return int(state.fields["rank"][piece])
    return 0


def _describe_fight(
    state: State, pieces: tuple[int, int], squares: tuple[int, int], seat: int, language: str
) -> str:
    """Tell a fight; both ranks are shown in it, so every viewer reads the same."""
    _ = translator(language, __package__).gettext
    attacker, defender = (int(state.fields["rank"][piece]) for piece in pieces)
    text = _("{side}: {attacker} {origin} attacks {other} {defender} on {target}: {outcome}.")
    return text.format(
        side=seat_name(seat, language),
        other=seat_name(1 - seat, language),
        attacker=rank_name(attacker, language),
        defender=rank_name(defender, language),
        origin=square_name(squares[0]),
        target=square_name(squares[1]),
        outcome=_outcome(attacker, defender, _),
    )


def _outcome(attacker: int, defender: int, _: Translate) -> str:
    if attacker == 0 or defender == 0:
        return _("both ranks are shown")
    if defender == c.FLAG:
        return _("the Flag is taken, the game is won")
    if defender == c.BOMB:
        return _("the Bomb is defused") if attacker == c.MINER else _("the Bomb destroys it")
    if attacker == c.SPY and defender == c.MARSHAL:
        return _("the Spy takes the Marshal")
    return {
        WIN: _("the attacker wins"),
        TIE: _("both fall"),
        LOSS: _("the defender wins"),
    }[int(remains(attacker, defender))]


# --- The board as text ---


def diagram(state: State, language: str) -> str:
    """Return the board as ten lines, seen from the viewer's side (else from Red's).

    A piece is its side's letter and its rank's symbol (``?`` unknown), ``~`` a lake.
    """
    cells = list(_cells(state))
    rows = [range(first, first + SIDE) for first in range(0, c.SQUARES, SIDE)]
    ordered = [row[::-1] for row in rows] if state.viewer == 1 else rows[::-1]
    header = "     " + "  ".join("abcdefghij"[square % SIDE] for square in ordered[0])
    lines = [
        f"{row[0] // SIDE + 1:>2}  " + " ".join(cells[square] for square in row) for row in ordered
    ]
    return "\n".join([header, *lines])


def _cells(state: State) -> Iterator[str]:
    """Yield what stands on each square."""
    board, ranks = (state.fields[name].tolist() for name in ("board", "rank"))
    for square, held in enumerate(board):
        if held:
            yield "rb"[(held - 1) // c.SLOTS] + RANK_SYMBOLS[ranks[held - 1]]
        else:
            yield " ~" if square in c.LAKES else " ."
