"""Stratego on a page: the board as a picture, moves as clicks, set-ups as arrangements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import escape

from tianxia.draw.languages import N_, translator
from tianxia.draw.pictures import read, template
from tianxia.draw.scene import (
    Actor,
    Arrangement,
    Gesture,
    Kind,
    Panel,
    Preset,
    Scene,
    SceneRequest,
    Stage,
    Step,
)
from tianxia.games.stratego.face.plates import plates
from tianxia.games.stratego.face.premoves import premoves
from tianxia.games.stratego.face.presets import PRESETS
from tianxia.games.stratego.face.words import SEAT_ARMIES, rank_name, seat_name
from tianxia.games.stratego.rules.components import (
    ARMY,
    BLUE,
    BOMB,
    COUNTS,
    FLAG,
    LAKES,
    MOVE,
    PIECES,
    RANK,
    RANKS,
    RED,
    SIDE,
    SLOTS,
    SQUARES,
    kind_of,
    move,
    squares_of,
    start_square,
)
from tianxia.games.stratego.rules.notation import square_name, square_number
from tianxia.games.stratego.rules.state import DRAW, MOVED, RAN, SETUP, SHOWN
from tianxia.kernel.errors import TianxiaError

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
LAND = tuple(square for square in range(SQUARES) if square not in LAKES)
NAMES = tuple(square_name(square) for square in range(SQUARES))
STEPS = tuple(Step("one", (name,)) for name in NAMES)
ARMY_LETTERS = "rb"
SIGNS = ("0", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "F")
"""What stands on a piece, by rank; in symbols an unknown piece is 0."""
HIGHEST_FIRST = (*range(RANKS - 3, 0, -1), RANKS - 2, RANKS - 1)
ENDS = {
    30: N_("{side} has won: the Flag is taken."),
    31: N_("{side} has won: the other side cannot move."),
    32: N_("A draw: neither side can move."),
    42: N_("A draw: too many moves without an attack."),
}


# --- Symbols ---


def _grid() -> str:
    """Return the lines between the squares, drawn by a hand that is not quite steady."""
    lines = []
    for line in range(1, SIDE):
        place, bow = 100 * line, (3 * line) % 5 - 2
        lines.append(f"M0 {place}C300 {place + bow} 700 {place - bow} 1000 {place}")
        lines.append(f"M{place} 0C{place - bow} 300 {place + bow} 700 {place} 1000")
    return "".join(lines)


def _burst(points: int = 15) -> str:
    """Return the sign of a fight: a star with uneven rays."""
    corners = []
    for corner in range(2 * points):
        radius = 42 if corner % 2 else 60 - 5 * (corner // 2 % 3)
        angle = pi * corner / points
        corners.append(f"{50 + radius * cos(angle):.0f} {50 + radius * sin(angle):.0f}")
    return f"M{'L'.join(corners)}Z"


SYMBOLS = template(PACKAGE, "symbols.svg.jinja").render(grid=_grid(), burst=_burst())
STYLE = read(PACKAGE, "board.css")


# --- What is to be drawn ---


@dataclass(frozen=True)
class Facts:
    """What the view knows, as lists of plain numbers."""

    viewer: int
    setup: bool
    board: list[int]
    square: list[int]
    rank: list[int]
    marks: list[int]

    @classmethod
    def of(cls, request: SceneRequest) -> Facts:
        """Read a view."""
        fields = request.view.fields
        columns = (fields[name].tolist() for name in ("board", "square", "rank", "marks"))
        return cls(request.viewer, bool(fields["phase"] == SETUP), *columns)

    def owns(self, piece: int) -> bool:
        """Say whether a piece is the viewer's."""
        return piece // SLOTS == self.viewer


@dataclass(frozen=True)
class Trace:
    """A move that has just been made: where, and in a fight the two pieces."""

    origin: int
    target: int
    pieces: tuple[int, ...] = ()


class Fight(NamedTuple):
    """Where something fell, and what."""

    x: int
    y: int
    fallen: tuple[str, ...]


class Camp(NamedTuple):
    """An army that is set up behind a curtain."""

    side: str
    open: bool
    below: bool


def scene(request: SceneRequest) -> Scene:
    """Draw a position for a viewer."""
    facts = Facts.of(request)
    gestures = tuple(_gestures(request, facts))
    arrangement = _arrangement(request, facts)
    return Scene(
        svg=_board(request, facts, gestures),
        gestures=gestures,
        arrangement=arrangement,
        panels=() if facts.setup else (_armies(request, facts),),
        text=request.view.diagram(request.language),
        status=_status(request, facts),
        told="" if facts.setup or request.view.over else " ".join(_told(request)),
        plates=plates(request),
        premoves=_premoves(request, facts),
        stage=_stage(request, facts),
    )


def _premoves(request: SceneRequest, facts: Facts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what the viewer may set in advance: while the other side is to move."""
    if facts.setup or not request.plays or request.acts:
        return ()
    return tuple(premoves(facts.viewer, facts.square, facts.rank))


def meant(view: State, viewer: int, elements: tuple[str, ...]) -> int | str | None:
    """Return the action that clicking these elements would mean, legal or not.

    Where no action is like that, the statement that forbids it; None where nothing is meant.
    """
    try:
        squares = [square_number(element) for element in elements]
    except (TianxiaError, ValueError):
        return None
    if viewer < 0 or not 1 <= len(squares) <= 2:
        return None
    if view.fields["phase"] == SETUP:
        first = 0 if viewer == RED else SQUARES - SLOTS
        own = range(first, first + SLOTS)
        return None if all(square in own for square in squares) else "STR-03"
    if len(squares) == 1:
        return _why_not_chosen(view, viewer, squares[0])
    (column, row), (to_column, to_row) = ((s % SIDE, s // SIDE) for s in squares)
    if squares[0] == squares[1] or (column != to_column and row != to_row):
        return "STR-05"
    return move(*squares)


def _is_own(view: State, viewer: int, square: int) -> bool:
    return (int(view.fields["board"][square]) - 1) // SLOTS == viewer


def _why_not_chosen(view: State, viewer: int, square: int) -> int | str:
    """Return what forbids to move what stands on a square, best by a move that shows it."""
    if not _is_own(view, viewer, square):
        return "STR-04"
    if view.fields["rank"][int(view.fields["board"][square]) - 1] in (BOMB, FLAG):
        return "STR-12"
    beside = [
        square + step
        for step in (SIDE, -1, 1, -SIDE)
        if 0 <= square + step < SQUARES
        and (abs(step) == SIDE or square // SIDE == (square + step) // SIDE)
    ]
    moves = [move(square, target) for target in beside]
    # Water and one's own pieces are plain to see; the rules on repetition are not.
    telling = [
        action for action in moves if view.refusal(action, viewer) not in ("STR-06", "STR-07")
    ]
    return (telling or moves)[0]


# --- The picture ---


@cache
def _places(viewer: int) -> tuple[tuple[int, int], ...]:
    """Return where the corner of each square is, from the viewer's side."""
    places = [(100 * (square % SIDE), 900 - 100 * (square // SIDE)) for square in range(SQUARES)]
    return tuple((900 - x, 900 - y) for x, y in places) if viewer == BLUE else tuple(places)


@cache
def _piece_attributes(viewer: int) -> tuple[str, ...]:
    """Return by square what is written into a piece that stands there."""
    return tuple(
        f'data-at="{NAMES[square]}" transform="translate({x} {y})"'
        for square, (x, y) in enumerate(_places(viewer))
    )


@cache
def _square_attributes(viewer: int) -> tuple[str, ...]:
    """Return by square what is written into it."""
    return tuple(
        f'data-e="{NAMES[square]}" transform="translate({x} {y})"'
        for square, (x, y) in enumerate(_places(viewer))
    )


@cache
def _in_order(viewer: int) -> tuple[int, ...]:
    """Return the squares as the viewer reads them: from the far row, left to right."""
    places = _places(viewer)
    return tuple(sorted(LAND, key=lambda square: places[square][::-1]))


def _board(request: SceneRequest, facts: Facts, gestures: tuple[Gesture, ...]) -> str:
    places = _places(facts.viewer)
    traces = _traces(request)
    last = traces[-1:]
    squares = list(_squares(request, facts))
    return template(PACKAGE, "board.svg.jinja").render(
        prefix=request.prefix,
        title=_title(facts.viewer, request.language),
        side=1 if facts.viewer == BLUE else 0,
        camps=_camps(request, facts),
        traces=[places[square] for trace in last for square in (trace.origin, trace.target)],
        way=_way(last[0], places) if last else "",
        fights=list(_fights(facts, traces)),
        pieces=list(_pieces(request, facts)),
        squares=squares,
        role="button" if request.plays else "img",
        first=gestures[0].steps[0].elements[0] if gestures else squares[-1][0] if squares else "",
    )


@cache
def _title(viewer: int, language: str) -> str:
    text = translator(language, PACKAGE).gettext(N_("The board, seen from the side of {side}"))
    return text.format(side=seat_name(max(viewer, RED), language))


def _camps(request: SceneRequest, facts: Facts) -> list[Camp]:
    """Return the armies that are being set up and that the viewer cannot see."""
    if not facts.setup or request.view.viewer is None:
        return []
    acting = request.view.acting
    below = BLUE if facts.viewer == BLUE else RED
    return [
        Camp(ARMY_LETTERS[side], side in acting, side == below)
        for side in (RED, BLUE)
        if side != facts.viewer
    ]


def _pieces(request: SceneRequest, facts: Facts) -> Iterator[tuple[int, str, str, str]]:
    """Yield the pieces: number, where, symbol, sign on it."""
    attributes, over = _piece_attributes(facts.viewer), request.view.over
    for piece in range(PIECES):
        square = facts.square[piece] - 1
        if square >= 0:
            symbol = f"{ARMY_LETTERS[piece // SLOTS]}{SIGNS[facts.rank[piece]]}"
            yield piece, attributes[square], symbol, "" if over else _sign(facts, piece)


def _sign(facts: Facts, piece: int) -> str:
    """Return the sign on a piece: what those who do not own it have noticed."""
    marks = facts.marks[piece]
    if facts.owns(piece):
        return "known" if marks & (SHOWN | RAN) else ""
    if marks & RAN and not marks & SHOWN:
        return "ran"
    return "moved" if marks & MOVED and not facts.rank[piece] else ""


def _squares(request: SceneRequest, facts: Facts) -> Iterator[tuple[str, str, str, str]]:
    """Yield the squares that can be clicked or read: name, where, further class, label."""
    attributes = _square_attributes(facts.viewer)
    language, over = request.language, request.view.over
    for square in _in_order(facts.viewer):
        if facts.setup and not _own_ground(facts.viewer, square):
            continue
        piece = facts.board[square] - 1
        if piece < 0:
            label, kind = _empty_label(square, language), " is-slot" if facts.setup else ""
        else:
            sign = "" if over else _sign(facts, piece)
            label = _piece_label(square, piece // SLOTS, facts.rank[piece], sign, language)
            kind = " is-held" if facts.viewer >= 0 and not facts.owns(piece) else ""
        yield NAMES[square], attributes[square], kind, label


def _own_ground(viewer: int, square: int) -> bool:
    """Say whether a square is one of the viewer's own four rows."""
    return (square < SLOTS and viewer == RED) or (square >= SQUARES - SLOTS and viewer == BLUE)


@cache
def _empty_label(square: int, language: str) -> str:
    """Return what an empty square is called, ready to stand in an attribute."""
    _ = translator(language, PACKAGE).gettext
    return str(escape(_("{square}: empty").format(square=NAMES[square])))


@cache
def _piece_label(square: int, side: int, rank: int, sign: str, language: str) -> str:
    """Return what a square with a piece is called, ready to stand in an attribute."""
    _ = translator(language, PACKAGE).gettext
    note = {
        "": "",
        "known": _("known to the other side"),
        "ran": _("has run"),
        "moved": _("has moved"),
    }[sign]
    words = _("{square}: {side}, {rank}, {note}") if note else _("{square}: {side}, {rank}")
    label = words.format(
        square=NAMES[square],
        side=seat_name(side, language),
        rank=rank_name(rank, language),
        note=note,
    )
    return str(escape(label))


# --- What has happened ---


def _traces(request: SceneRequest) -> list[Trace]:
    """Return the moves since the viewer's own last decision, newest last."""
    traces = []
    for happening in request.last:
        if happening.action is not None and kind_of(happening.action) == MOVE:
            origin, target = squares_of(happening.action)
            board = happening.before.fields["board"]
            pieces = (int(board[origin]) - 1, int(board[target]) - 1)
            traces.append(Trace(origin, target, pieces if pieces[1] >= 0 else ()))
    return traces or list(_remembered(request))


def _remembered(request: SceneRequest) -> Iterator[Trace]:
    """Yield the last move as the position itself remembers it, where it does."""
    fields = request.view.fields
    last = int(fields["last_target"])
    for seat in (RED, BLUE):
        paced = [int(square) for square in fields["pacing_squares"][seat] if square]
        if last and len(paced) > 1 and paced[-1] == last and seat not in request.view.acting:
            yield Trace(paced[-2] - 1, last - 1)
            return


def _way(trace: Trace, places: tuple[tuple[int, int], ...]) -> str:
    """Return an arrow from the middle of one square to the edge of another."""
    (x, y), (to_x, to_y) = (tuple(c + 50 for c in places[s]) for s in (trace.origin, trace.target))
    along, across = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    tip_x, tip_y = to_x - 54 * along, to_y - 54 * across
    wings = [
        (tip_x - 20 * along + side * 18 * across, tip_y - 20 * across + side * 18 * along)
        for side in (1, -1)
    ]
    (a, b), (c, d) = wings
    return f"M{x} {y}L{tip_x} {tip_y}M{a} {b}L{tip_x} {tip_y}L{c} {d}"


def _fights(facts: Facts, traces: list[Trace]) -> Iterator[Fight]:
    places = _places(facts.viewer)
    for trace in traces:
        fallen = tuple(
            f"{ARMY_LETTERS[piece // SLOTS]}{SIGNS[facts.rank[piece]]}"
            for piece in trace.pieces
            if facts.square[piece] == 0
        )
        if trace.pieces:
            yield Fight(*places[trace.target], fallen)


def _stage(request: SceneRequest, facts: Facts) -> Stage | None:
    """Return the fight that has just been, with the ranks that the viewer knows now."""
    newest = request.newest
    if newest is None or newest.action is None or not _is_fight(newest.action, newest.before):
        return None
    squares = squares_of(newest.action)
    fighting = [int(newest.before.fields["board"][square]) - 1 for square in squares]
    cast = tuple(
        Actor(
            f"stratego-{ARMY_LETTERS[piece // SLOTS]}{SIGNS[facts.rank[piece]]}",
            falls=facts.square[piece] == 0,
        )
        for piece in fighting
    )
    return Stage((NAMES[squares[1]],), cast)


# --- Gestures ---


def touched_by(action: int) -> tuple[str, ...]:
    """Return the squares that an action is about."""
    return tuple(NAMES[square] for square in squares_of(action)) if action >= MOVE else ()


def _gestures(request: SceneRequest, facts: Facts) -> Iterator[Gesture]:
    view, seat = request.view, facts.viewer
    if facts.setup or not request.acts:
        return
    for action in view.legal_actions(seat):
        origin, target = squares_of(action)
        other = facts.board[target] - 1
        rank = facts.rank[facts.board[origin] - 1]
        if other < 0:
            label = _step_label(rank, origin, target, request.language)
        else:
            label = _attack_label(rank, origin, target, facts.rank[other], request.language)
        yield Gesture(action, (STEPS[origin], STEPS[target]), label, final=other >= 0)


@lru_cache(20_000)
def _step_label(rank: int, origin: int, target: int, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    return _("{rank} from {origin} to {target}").format(
        rank=rank_name(rank, language), origin=NAMES[origin], target=NAMES[target]
    )


@lru_cache(20_000)
def _attack_label(rank: int, origin: int, target: int, other: int, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    return _("{rank} from {origin} attacks {target}: {other}").format(
        rank=rank_name(rank, language),
        origin=NAMES[origin],
        target=NAMES[target],
        other=rank_name(other, language),
    )


# --- Set-up ---


def _arrangement(request: SceneRequest, facts: Facts) -> Arrangement | None:
    """Return what the viewer has still to place, and where."""
    view, seat = request.view, facts.viewer
    if not facts.setup or not request.acts:
        return None
    fields = view.fields
    variant, placed = int(fields["options"]["variant"]), int(fields["placed"][seat])
    return _whole(seat, variant, placed, tuple(fields["reserve"][seat].tolist()), request.language)


@lru_cache(200)
def _whole(
    seat: int, variant: int, placed: int, reserve: tuple[int, ...], language: str
) -> Arrangement:
    slots = range(placed, SLOTS)
    ranks = [rank for rank in HIGHEST_FIRST if reserve[rank]]
    spare = len(slots) > reserve[0]
    return Arrangement(
        slots=tuple(NAMES[start_square(seat * SLOTS + slot)] for slot in slots),
        kinds=tuple(
            Kind(
                id=SIGNS[rank],
                symbol=f"stratego-{ARMY_LETTERS[seat]}{SIGNS[rank]}",
                label=rank_name(rank, language),
                count=reserve[rank],
                action=rank,
            )
            for rank in ranks
        ),
        empty=0 if spare else None,
        presets=() if placed else _presets(variant, tuple(ranks), language),
        mirror=tuple(
            max(0, slot - slot % SIDE + SIDE - 1 - slot % SIDE - placed) for slot in slots
        ),
    )


def _presets(variant: int, ranks: tuple[int, ...], language: str) -> tuple[Preset, ...]:
    _ = translator(language, PACKAGE).gettext
    return tuple(
        Preset(
            preset.id,
            _(preset.name),
            tuple(ranks.index(rank) if rank else -1 for rank in preset.setup),
        )
        for preset in PRESETS[variant]
    )


# --- Beside the board ---


def _armies(request: SceneRequest, facts: Facts) -> Panel:
    """Return how many of each rank each side has left; what has fallen everybody saw."""
    fallen = [[0] * RANKS, [0] * RANKS]
    for piece in range(PIECES):
        if facts.square[piece] == 0 and facts.marks[piece] & SHOWN:
            fallen[piece // SLOTS][facts.rank[piece]] += 1
    variant = int(request.view.fields["options"]["variant"])
    _ = translator(request.language, PACKAGE).gettext
    html = _armies_table(variant, tuple(fallen[RED]), tuple(fallen[BLUE]), request.language)
    return Panel("armies", _("Pieces still standing"), html, "side")


@lru_cache(500)
def _armies_table(variant: int, red: tuple[int, ...], blue: tuple[int, ...], language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    counts = COUNTS[variant].tolist()
    rows = [
        {
            "sign": SIGNS[rank],
            "name": rank_name(rank, language),
            "sides": [(counts[rank] - fallen[rank], fallen[rank]) for fallen in (red, blue)],
        }
        for rank in HIGHEST_FIRST
        if counts[rank]
    ]
    return template(PACKAGE, "armies.html.jinja").render(
        rank_title=_("Rank"),
        names=[seat_name(seat, language) for seat in (RED, BLUE)],
        armies=SEAT_ARMIES,
        rows=rows,
    )


# --- Whose turn it is ---


def _status(request: SceneRequest, facts: Facts) -> str:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    if view.over:
        return _end(view, request.language)
    if facts.setup:
        return _setup_status(request)
    told = " ".join(_told(request))
    if not view.acting:
        turn = ""
    elif view.acting[0] == facts.viewer:
        turn = _("Your turn: move a piece.")
    else:
        turn = _("{side} is to move.").format(side=seat_name(view.acting[0], request.language))
    return f"{told} {turn}".strip()


def _told(request: SceneRequest) -> list[str]:
    """Return the sentences about fights, and about the last thing that happened."""
    moves = [h for h in request.last if h.action is not None and kind_of(h.action) != RANK]
    return [
        happening.sentence
        for happening in moves
        if happening is moves[-1] or _is_fight(happening.action, happening.before)
    ]


def _is_fight(action: int | None, before: State) -> bool:
    if action is None or kind_of(action) != MOVE:
        return False
    return bool(before.fields["board"][squares_of(action)[1]])


def _setup_status(request: SceneRequest) -> str:
    _ = translator(request.language, PACKAGE).gettext
    acting, viewer = request.view.acting, request.viewer
    if not acting:
        return _("Both armies stand; the game begins.")
    if viewer in acting:
        count = int(ARMY[int(request.view.fields["options"]["variant"])])
        text = _("Set up your {count} pieces on your four rows; the other side does not see them.")
        return text.format(count=count)
    if len(acting) > 1:
        return _("Both sides set up in secret.")
    waiting = seat_name(acting[0], request.language)
    if viewer >= 0:
        return _("Your army stands. {side} is still setting up.").format(side=waiting)
    return _("{side} is still setting up.").format(side=waiting)


def _end(view: State, language: str) -> str:
    winner = int(view.fields["winner"])
    text = translator(language, PACKAGE).gettext(ENDS[int(view.fields["reason"])])
    return text.format(side="" if winner == DRAW else seat_name(winner - 1, language))
