"""The protocol that public Stratego bots speak, on both sides.

It is that of the "strategoevaluator" manager, first written for the programming
competition of the University Computer Club of Western Australia in 2012. The manager
writes ``RED opponent 10 10``; the bot answers its set-up in four lines. Every turn the bot
reads the last move with its outcome (``START`` on the very first) and ten lines of the
board, answers ``x y DIRECTION [n]``, and reads its own move back with the outcome;
``QUIT`` ends. Red is at the top; x and y count from the top left corner.

`Evaluated` drives such a program as a bot in our arena; `play_evaluated` lets one of our
bots be such a program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

import tianxia
from tianxia.bots.lines import ProtocolError
from tianxia.bots.program import (
    PATIENCE,
    STARTING,
    Connection,
    IllegalAnswer,
    ProgramError,
    Resigned,
)
from tianxia.bots.registry import command_maker, make
from tianxia.games.stratego.rules.components import (
    ACTIONS,
    BOMB,
    COUNTS,
    FLAG,
    LAKES,
    MARSHAL,
    OPEN,
    RANK_SYMBOLS,
    RANKS,
    SCOUT,
    SIDE,
    SLOTS,
    SPY,
    SQUARES,
    move,
    squares_of,
)
from tianxia.games.stratego.rules.notation import PIECE_TEXT
from tianxia.games.stratego.rules.state import MOVED, RAN, SETUP, SHOWN
from tianxia.kernel.errors import IllegalAction
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State
from tianxia.search.bot import Bot, now, tell

COLOURS = ("RED", "BLUE")
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
MOVE = re.compile(r"(\d) (\d) (UP|DOWN|LEFT|RIGHT)(?: (\d))?")
REPORT = re.compile(MOVE.pattern + r" ([A-Z_]+)(?: (\S) (\S))?")
KILLS, DIES, BOTHDIE, OK, VICTORY = "KILLS", "DIES", "BOTHDIE", "OK", "VICTORY_FLAG"
ILLEGAL, START, QUIT, SURRENDER = "ILLEGAL", "START", "QUIT", "SURRENDER"
RULES = "stratego(two_squares=0,draw_after=0)"
"""What the manager plays: it knows no rules of repetition, and ends long games by itself."""


# --- Pieces and moves as the protocol writes them ---


def letter(rank: int) -> str:
    """Return how a rank is written: 1 is the Marshal, 9 the Scout.

    >>> [letter(rank) for rank in (10, 2, 1, 11, 12)]
    ['1', '9', 's', 'B', 'F']
    """
    return {SPY: "s", BOMB: "B", FLAG: "F"}.get(rank) or str(MARSHAL + 1 - rank)


LETTERS = {letter(rank): rank for rank in range(SPY, RANKS)}


def written(action: int) -> str:
    """Return a move: where it begins, its direction, and how far if it is more than one."""
    origin, target = squares_of(action)
    (y, x), (to_y, to_x) = divmod(origin, SIDE), divmod(target, SIDE)
    length = abs(to_x - x) + abs(to_y - y)
    step = ((to_x > x) - (to_x < x), (to_y > y) - (to_y < y))
    direction = next(name for name, way in STEPS.items() if way == step)
    return f"{x} {y} {direction}" + (f" {length}" if length > 1 else "")


def read_move(text: str) -> int:
    """Return the action that a move means; raise ProtocolError for anything else."""
    match = MOVE.fullmatch(" ".join(text.split()))
    if match is None:
        raise ProtocolError(f"{text[:40]!r} is not a move: write it like '0 3 DOWN' or '9 6 UP 3'")
    x, y, length = int(match[1]), int(match[2]), int(match[4] or 1)
    step_x, step_y = STEPS[match[3]]
    to_x, to_y = x + length * step_x, y + length * step_y
    if not (0 <= to_x < SIDE and 0 <= to_y < SIDE and length):
        raise ProtocolError(f"{text[:40]!r} ends beside the board")
    return move(y * SIDE + x, to_y * SIDE + to_x)


def board_lines(view: State, seat: int) -> Iterator[str]:
    """Yield the board from the top: own ranks, ``#`` enemies, ``+`` lakes, ``.`` the rest."""
    board, rank = view.fields["board"].tolist(), view.fields["rank"].tolist()
    cells = ["+" if square in LAKES else "." for square in range(SQUARES)]
    for square, number in enumerate(board):
        if number:
            cells[square] = letter(rank[number - 1]) if (number - 1) // SLOTS == seat else "#"
    for row in range(0, SQUARES, SIDE):
        yield "".join(cells[row : row + SIDE])


def setup_squares(seat: int) -> list[int]:
    """Return the squares of a side's four lines, from the top and the left."""
    first = 0 if seat == 0 else SQUARES - SLOTS
    return list(range(first, first + SLOTS))


def slot_of(square: int, seat: int) -> int:
    """Return which place of the set-up a square is."""
    return square if seat == 0 else SQUARES - 1 - square


# --- Driving such a program ---


def demand_classic(game: Game) -> None:
    """Raise ProgramError for any other game than the one of this protocol."""
    if game.name != "stratego" or game.options["variant"] != "classic":
        raise ProgramError(f"this protocol is for classic Stratego only, not for {game.spec}")


class Evaluated:
    """A program that speaks this protocol, as a bot; one game, then it ends.

    Raises
    ------
    ProgramError
        Where the program does not do its part.
    """

    def __init__(
        self, connection: Connection, game: Game, seat: int, seed: int, patience: float = PATIENCE
    ) -> None:
        demand_classic(game)
        self.connection = connection
        self.seat = seat
        self.patience = patience
        self.last = START
        self.before: State | None = None  # the view in which the last move was made
        connection.farewell = QUIT
        connection.write(f"{COLOURS[seat]} tianxia {SIDE} {SIDE}")
        self.setup = self._read_setup()

    def _read_setup(self) -> list[int]:
        """Return the ranks by place of the set-up, as the four lines say."""
        lines = [self.connection.read(STARTING if i == 0 else self.patience) for i in range(4)]
        text = "".join(lines)
        squares = setup_squares(self.seat)
        if any(len(line) != SIDE for line in lines) or not set(text) <= set(LETTERS):
            raise IllegalAnswer(f"its set-up is not four lines of ten pieces: {lines}")
        setup = [0] * SLOTS
        for square, piece in zip(squares, text, strict=True):
            setup[slot_of(square, self.seat)] = LETTERS[piece]
        for rank in range(SPY, RANKS):
            if setup.count(rank) != COUNTS[0, rank]:
                raise IllegalAnswer(f"its set-up has {setup.count(rank)} of {letter(rank)}")
        return setup

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Tell it of a move and its outcome: its own at once, the other's with the board."""
        if action is not None and action in ACTIONS.of("move") and self.before is not None:
            self.last = f"{written(action)} {outcome(self.before, view, action)}"
            if actor == self.seat and not view.over:
                self.connection.write(self.last)
        self.before = view

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the next rank of its set-up, or ask for its move."""
        if view.fields["phase"] == SETUP:
            return self.setup[int(view.fields["placed"][self.seat])]
        for line in (self.last, *board_lines(view, self.seat)):
            self.connection.write(line)
        seconds = 0.0 if deadline is None else max(deadline - now(), 0.0)
        answer = self.connection.read(seconds + self.patience)
        if answer == SURRENDER:
            raise Resigned("it has surrendered")
        try:
            action = read_move(answer)
        except ProtocolError as error:
            raise IllegalAnswer(str(error)) from error
        statement = view.refusal(action, self.seat)
        if statement is not None:
            self.connection.write(f"{answer} {ILLEGAL}")
            raise IllegalAnswer(f"{answer!r} is refused by {statement}")
        return action

    def over(self, end: str, utilities: Sequence[float]) -> None:
        """Let it end: the protocol knows one game only."""
        self.connection.close()


def outcome(before: State, after: State, action: int) -> str:
    """Return what came of a move: ``OK``, or a fight with both ranks."""
    origin, target = squares_of(action)
    attacker, defender = (int(before.fields["board"][square]) - 1 for square in (origin, target))
    if defender < 0:
        return OK
    ranks = [int(after.fields["rank"][piece]) for piece in (attacker, defender)]
    stands = [bool(after.fields["square"][piece]) for piece in (attacker, defender)]
    if ranks[1] == FLAG:
        return VICTORY
    word = KILLS if stands[0] else DIES if stands[1] else BOTHDIE
    return f"{word} {letter(ranks[0])} {letter(ranks[1])}"


# --- Being such a program ---


class Guest:
    """One of our bots at a table of that manager.

    It keeps a whole position in which the ranks that it does not know are guessed, and
    guesses anew when a fight or a run shows one. The bot sees views of it, which do not
    depend on the guess.
    """

    def __init__(self, name: str, seat: int, seed: int, seconds: float | None) -> None:
        self.seat = seat
        self.seconds = seconds
        self.state = tianxia.game(RULES).new()
        game = self.state.game
        self.bot: Bot = make(command_maker(name, game), game, seat, seed)

    def set_up(self) -> list[str]:
        """Return the set-up as four lines; the other army stands anyhow."""
        ranks: dict[int, int] = {}
        while self.seat in self.state.acting:
            action = self.ask()
            ranks[len(ranks)] = action
            self.tell(action, self.seat)
        other = [rank for rank in range(SPY, RANKS) for _ in range(int(COUNTS[0, rank]))]
        for rank in reversed(other):  # Flag and Bombs behind
            self.tell(rank, 1 - self.seat)
        self.tell(OPEN, CHANCE)
        line = [letter(ranks[slot_of(square, self.seat)]) for square in setup_squares(self.seat)]
        return ["".join(line[row : row + SIDE]) for row in range(0, SLOTS, SIDE)]

    def ask(self) -> int:
        """Return what the bot decides."""
        deadline = None if self.seconds is None else now() + self.seconds
        return self.bot.choose(self.state.view(self.seat), deadline)

    def tell(self, action: int, actor: int) -> None:
        """Let something happen."""
        tell(self.state, action, actor, [(self.seat, self.bot)])

    def happen(self, report: str) -> int:
        """Take note of a move and its outcome; return who made it.

        Raises
        ------
        ProtocolError
            Where it makes no sense.
        """
        match = REPORT.fullmatch(" ".join(report.split()))
        if match is None:
            text = f"{report[:40]!r} is not a move with its outcome, like '0 3 DOWN OK'"
            raise ProtocolError(text)
        action = read_move(match[0][: match.start(5)])
        origin, target = squares_of(action)
        board = self.state.fields["board"]
        attacker, defender = int(board[origin]) - 1, int(board[target]) - 1
        if attacker < 0:
            raise ProtocolError(f"{report[:40]!r}: nobody stands there")
        if match[5] == ILLEGAL:  # a manager that goes on after it: the turn is lost
            return attacker // SLOTS
        known = {attacker: _shown_by(match, origin, target)}
        if match[6]:
            known[defender] = _rank(match[7])
        elif match[5] == VICTORY:
            known[defender] = FLAG
        self._learn({piece: rank for piece, rank in known.items() if rank}, attacker)
        self.tell(action, attacker // SLOTS)
        return attacker // SLOTS

    def _learn(self, known: dict[int, int], mover: int) -> None:
        """Guess the other army anew, where what is shown is not what was guessed."""
        other, ranks = 1 - self.seat, self.state.fields["rank"].tolist()
        known = {piece: rank for piece, rank in known.items() if piece // SLOTS == other}
        fixed = mover // SLOTS == other and ranks[mover] >= BOMB
        if fixed or any(ranks[piece] != rank for piece, rank in known.items()):
            self.state = self._with_army(guess(self.state, other, known, mover))

    def _with_army(self, ranks: dict[int, int]) -> State:
        """Return the position with other ranks in the other army."""
        words = self.state.notation().split()
        place = 5 + (1 - self.seat)  # behind the game, the viewer, the phase, who is to move, plies
        pieces = [match[0] for match in PIECE_TEXT.finditer(words[place])]
        first = (1 - self.seat) * SLOTS
        for piece, rank in ranks.items():
            old = pieces[piece - first]
            pieces[piece - first] = RANK_SYMBOLS[rank] + old[1:]
        words[place] = "".join(pieces)
        return tianxia.position(" ".join(words))


def _shown_by(match: re.Match[str], origin: int, target: int) -> int:
    """Return the rank that a move shows of who makes it; 0 for none."""
    if match[6]:
        return _rank(match[6])
    return SCOUT if abs(origin - target) not in (1, SIDE) else 0


def _rank(text: str) -> int:
    if text not in LETTERS:
        raise ProtocolError(f"{text!r} is not a piece; pieces are {' '.join(sorted(LETTERS))}")
    return LETTERS[text]


def guess(state: State, seat: int, known: dict[int, int], mover: int) -> dict[int, int]:
    """Return ranks for the pieces of an army that are hidden, but for those now `known`.

    Flag and Bombs go to pieces that have not moved, nor move now; else the order does not
    matter, since views do not show it.
    """
    ranks, marks, squares = (state.fields[name].tolist() for name in ("rank", "marks", "square"))
    army = range(seat * SLOTS, (seat + 1) * SLOTS)
    hidden = [piece for piece in army if squares[piece] and not marks[piece] & (RAN | SHOWN)]
    left = [ranks[piece] for piece in hidden]
    for piece, rank in known.items():
        if piece in hidden:
            if rank not in left:
                raise ProtocolError(f"there is no hidden {letter(rank)} any more")
            left.remove(rank)
            hidden.remove(piece)
    left.sort(reverse=True)  # Flag and Bombs first …
    hidden.sort(key=lambda piece: piece == mover or marks[piece] & MOVED)  # … to those at rest
    return {**known, **dict(zip(hidden, left, strict=True))}


def play_evaluated(
    name: str, lines: Iterator[str], out: TextIO, seed: int = 0, seconds: float | None = None
) -> int:
    """Play one game as a program of that protocol; return the exit status.

    What goes wrong is told in one line, ``# error …``, which managers take for an illegal
    answer; so a mistake is not silent.
    """
    try:
        _converse(name, lines, out, seed, seconds)
    except (ProtocolError, IllegalAction) as error:
        _say(out, f"# error: {' '.join(str(error).split())}")
        return 2
    return 0


def _say(out: TextIO, *lines: str) -> None:
    for line in lines:
        out.write(line + "\n")
    out.flush()


def _converse(
    name: str, lines: Iterator[str], out: TextIO, seed: int, seconds: float | None
) -> None:
    words = next(lines, QUIT).split()
    if words[:1] == [QUIT]:
        return
    if len(words) != 4 or words[0] not in COLOURS or words[2:] != ["10", "10"]:
        raise ProtocolError(f"a game begins like 'RED opponent 10 10', not {' '.join(words)!r}")
    guest = Guest(name, COLOURS.index(words[0]), seed, seconds)
    _say(out, *guest.set_up())
    for line in lines:
        if line.split()[:1] == [QUIT]:
            return
        if line.strip() != START and guest.happen(line) == guest.seat:
            continue
        for _ in range(SIDE):  # the board: it tells nothing new
            if next(lines, QUIT).split()[:1] == [QUIT]:
                return
        can_move = guest.seat in guest.state.acting
        _say(out, written(guest.ask()) if can_move else SURRENDER)
