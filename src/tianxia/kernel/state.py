"""The Python face, second half: one position and its history."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel import compiled, functions
from tianxia.kernel.compiled import ACTING_BIT, LEGAL_MASK, OVER_BIT
from tianxia.kernel.errors import IllegalAction, ParseError, SeatError, ViewError
from tianxia.kernel.record import CHANCE, SPECTATOR, SPECTATOR_VIEW, Pool, twin, viewer_code
from tianxia.kernel.rng import Rng, check_rng

if TYPE_CHECKING:
    from tianxia.kernel.game import Game

NO_ACTION = "no-action"
"""What `State.refusal` says of a number that is not an action of the game at all."""

_SETS = [tuple(seat for seat in range(8) if mask >> seat & 1) for mask in range(256)]
_ALONE = [CHANCE, *(seats[0] if len(seats) == 1 else -9 for seats in _SETS[1:])]
"""The seat that acts alone, by who may act."""

History = tuple["History", int, int] | bytes
"""The last action, its seat and what was before: so a copy costs nothing; or all as bytes."""


class State:
    """One position of a game: a full state, or what one seat may know of it (a view).

    Made by `Game.new`, `Game.from_bytes`, `tianxia.position`, `tianxia.replay`, `view`.
    Positions compare equal when their records are equal to the byte.
    """

    __slots__ = ("_history", "_legal", "_pool", "_start", "_status", "_viewer", "game")

    game: Game
    _pool: Pool
    _history: History
    _start: bytes | None

    def __init__(self, game: Game, pool: Pool) -> None:
        """Take over a record that is a valid position of the game."""
        legal, code = game.list_room(), int(pool["viewer"][0])
        viewer = None if code == 0 else SPECTATOR if code == SPECTATOR_VIEW else code - 1
        self._fill(game, pool, legal, game.ply(pool, 0, compiled.LOOK, legal), viewer)
        self._start = pool.tobytes()

    @classmethod
    def begin(cls, game: Game) -> State:
        """Return the usual start of a game."""
        state = cls.__new__(cls)
        pool, legal = game.blank(), game.list_room()
        state._fill(game, pool, legal, game.ply(pool, 0, compiled.START, legal), None)
        return state

    def _fill(
        self, game: Game, pool: Pool, legal: NDArray[np.int32], status: int, viewer: int | None
    ) -> None:
        self.game = game
        self._pool = pool
        self._legal = legal
        self._status = status
        self._viewer = viewer
        self._history = b""
        self._start = None

    # --- Whose turn it is ---

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._status >> OVER_BIT != 0

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act; empty and not `over`: chance acts."""
        return _SETS[self._status >> ACTING_BIT & 0xFF]

    @property
    def seats(self) -> int:
        """How many seats the game has."""
        return self.game.seats

    @property
    def plies(self) -> int:
        """How many actions were taken openly; a secret phase counts who has finished."""
        return int(self._pool["plies"][0])

    @property
    def sealed(self) -> int:
        """The ply before which nobody may take back an action on his own."""
        return int(self._pool["sealed"][0])

    def has_shown(self, sealed: int) -> bool:
        """Say whether the last action has drawn, rolled or shown something.

        Parameters
        ----------
        sealed
            What `sealed` was before it.
        """
        return self.sealed > sealed and self.sealed >= self.plies

    @property
    def viewer(self) -> int | None:
        """None for a full state, else the seat (or SPECTATOR) whose view this is."""
        return self._viewer

    @property
    def record(self) -> Pool:
        """The record, as a structured array of one element that is yours to change."""
        return twin(self._pool)

    @property
    def pool(self) -> Pool:
        """The record itself, an array of one, for compiled functions that only read it."""
        return self._pool

    @property
    def fields(self) -> Any:
        """The record itself, to read by field name; changing it breaks the position."""
        return self._pool[0]

    # --- What can be done ---

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Return what a seat may do now, sorted; nothing for a seat that may not act.

        Raises
        ------
        ViewError
            In a view, for a seat other than the viewer's.
        """
        if seat is None:
            seat = self._only_actor()
        mask = self._status >> ACTING_BIT & 0xFF
        if seat == _ALONE[mask] and (self._viewer is None or self._viewer == seat):
            return self._legal[: self._status & LEGAL_MASK].tolist()
        if seat == CHANCE:
            return [action for action, _ in self.chance_weights()]
        seat = self._own_seat(seat)
        if not mask >> seat & 1:
            return []
        out = np.empty(self.game.max_legal, np.int32)
        count = functions.legal_actions(self._pool, seat, out)
        return sorted(out[:count].tolist())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return chance's actions and their probabilities; empty where chance does not act."""
        weights = self.chance_weights()
        total = sum(weight for _, weight in weights)
        return [(action, weight / total) for action, weight in weights]

    def chance_weights(self) -> list[tuple[int, int]]:
        """Return chance's actions and their integer weights, sorted by action."""
        if self.over or self.acting:
            return []
        self._need_full("what chance can do depends on hidden facts")
        listed, count = self._legal, self._status & LEGAL_MASK
        half = len(listed) // 2
        weights = listed[half : half + count].tolist()
        return list(zip(listed[:count].tolist(), weights, strict=True))

    def draw_chance(self, rng: Rng) -> int:
        """Return what chance does now, drawn by weight; what is certain draws nothing from `rng`.

        Raises
        ------
        SeatError
            Where a seat has to act, or nobody.
        """
        self._need_full("what chance can do depends on hidden facts")
        if self._status >> ACTING_BIT:
            raise SeatError("chance does not act now")
        return int(compiled.draw_listed(self._legal, self._status & LEGAL_MASK, check_rng(rng)))

    def refusal(self, action: int, seat: int | None = None) -> str | None:
        """Return None if the action is legal, else the id of the statement that forbids it.

        A number that is not an action of the game at all gives ``"no-action"``.
        """
        if seat is None:
            seat = self._only_actor()
        if seat == CHANCE:
            self._need_full("what chance can do depends on hidden facts")
        else:
            seat = self._own_seat(seat)
        try:
            action = index(action)
        except TypeError:
            return NO_ACTION
        if not 0 <= action < self.game.num_actions:
            return NO_ACTION
        code = functions.refusal(self._pool, seat, action)
        return self.game.kind.statement(code) if code else None

    def apply(self, action: int, seat: int | None = None) -> None:
        """Take an action; `seat` may be left out where only one seat, or chance, may act.

        Raises
        ------
        IllegalAction
            Naming the statement that forbids it; the state is unchanged.
        SeatError
            For a seat that this game does not have, or where it must be said which.
        """
        if seat is None:
            seat = self._only_actor()
        if type(action) is not int or type(seat) is not int:
            try:
                seat, action = index(seat), index(action)
            except TypeError:
                self._misuse(action, seat)
        game = self.game
        if self._viewer is not None or seat not in game.actors:
            self._misuse(action, seat)
        if not 0 <= action < game.num_actions:
            self._refuse(action, seat, NO_ACTION)
        status = game.ply(self._pool, seat, action, self._legal)
        if status < 0:
            self._refuse(action, seat, game.kind.statement(-status))
        self._status = status
        self._history = (self._history, seat, action)

    def _misuse(self, action: Any, seat: Any) -> NoReturn:
        """Say what is wrong with the arguments of `apply`."""
        if self._viewer is not None:
            text = "a view cannot be played on: apply the action to the full state"
            raise ViewError(f"{text}, or to one that view.sample(rng) draws")
        if seat != CHANCE:
            self.game.check_seat(seat)
        self._refuse(action, seat, NO_ACTION)

    def _only_actor(self) -> int:
        """Return the seat (or CHANCE) that acts where nobody said which."""
        seats = self.acting
        if len(seats) == 1:
            return seats[0]
        if len(seats) > 1:
            raise SeatError(f"seats {seats} may all act now: say which one is meant")
        return CHANCE if not self.over else 0

    def _own_seat(self, seat: int) -> int:
        """Check a seat; in a view only the viewer's own seat can be asked about."""
        seat = self.game.check_seat(seat)
        if self._viewer is not None and self._viewer != seat:
            raise ViewError(f"this is the view of {self._viewer_name()}, not of seat {seat}")
        return seat

    def _viewer_name(self) -> str:
        return "a spectator" if self._viewer == SPECTATOR else f"seat {self._viewer}"

    def _need_full(self, reason: str) -> None:
        if self._viewer is not None:
            raise ViewError(f"{reason}; ask the full state, not a view")

    def _refuse(self, action: int, seat: int, statement: str) -> NoReturn:
        game = self.game
        who = "chance" if seat == CHANCE else f"seat {seat}"
        if statement == NO_ACTION:
            text = f"{action!r} is not an action of {game.spec}; "
            text += f"actions are 0 to {game.num_actions - 1}"
            if isinstance(action, str):
                text += "; State.parse reads one that is written as text"
            raise IllegalAction(text, action, seat, statement)
        try:
            what = f"{game.kind.words.write(self, action, seat)} ({action})"
        except (ValueError, LookupError):
            what = f"action {action}"
        rule = game.kind.rulebook(statement, "en")
        text = f"{what} of {who} is refused by {statement}{': ' + rule if rule else ''}"
        raise IllegalAction(f"{text} {self._what_is_legal(seat)}", action, seat, statement)

    def _what_is_legal(self, seat: int) -> str:
        if self.over:
            return "The game is over."
        legal = self.legal_actions(seat) if seat in self.acting else []
        if not legal:
            acting = ", ".join(f"seat {other}" for other in self.acting) or "chance"
            return f"Now {acting} may act."
        names = [self.game.kind.words.write(self, action, seat) for action in legal[:6]]
        more = f" and {len(legal) - 6} more" if len(legal) > 6 else ""
        return f"Legal now: {', '.join(names)}{more}."

    # --- Words ---

    def text(self, action: int, seat: int, viewer: int | None = None) -> str:
        """Return an action as a token that `parse` reads; ``?`` if the viewer cannot know it."""
        action, seat = self._taken(action, seat)
        if viewer is not None:
            known = self.seen(action, seat, viewer)
            if known is None:
                return "?"
            action = known
        return self.game.kind.words.write(self, action, seat)

    def describe(
        self, action: int, seat: int, viewer: int | None = None, language: str = "en"
    ) -> str:
        """Return a sentence for the log, as the viewer may read it; ask before applying."""
        action, seat = self._taken(action, seat)
        viewer = None if viewer is None else self.game.check_seat(viewer, SPECTATOR)
        return self.game.kind.words.describe(self, action, seat, viewer, language)

    def parse(self, text: str, seat: int | None = None) -> int:
        """Return the action that a token means; raise ParseError with a hint."""
        seat = self._only_actor() if seat is None else self.game.check_seat(seat, CHANCE)
        if not isinstance(text, str):
            raise ParseError(f"an action is read from a text, not from {type(text).__name__}")
        return self.game.kind.words.read(self, text.strip(), seat)

    def _taken(self, action: int, seat: int) -> tuple[int, int]:
        """Return an action and its actor as ints; raise where there are no such ones."""
        seat = self.game.check_seat(seat, CHANCE)
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.game.num_actions:
            self._refuse(action, seat, NO_ACTION)
        return number, seat

    def diagram(self, language: str = "en") -> str:
        """Return the position as lines of plain text, for terminals and screen readers."""
        return self.game.kind.words.diagram(self, language)

    def notation(self) -> str:
        """Return the position on one line; `tianxia.position` reads it back exactly."""
        code = int(self._pool["viewer"][0])
        viewer = "*" if code == 0 else "-" if code == SPECTATOR_VIEW else str(code - 1)
        return f"{self.game.spec} {viewer} {self.game.notation.dump(self._pool[0])}"

    def __repr__(self) -> str:
        return f"<{self.notation()}>"

    def __str__(self) -> str:
        return self.diagram()

    def _repr_svg_(self) -> str | None:
        """Return a picture that stands alone, for notebooks; None where the game has none."""
        alone = getattr(self.game.kind.scene, "alone", None)
        return None if alone is None else alone(self)

    # --- Knowledge ---

    def seen(self, action: int, seat: int, viewer: int) -> int | None:
        """Return the action as the viewer may know it, or None. Ask before applying it."""
        self._need_full("what others see of an action")
        action, seat = self._taken(action, seat)
        viewer = self.game.check_seat(viewer, SPECTATOR)
        known = functions.seen(self._pool, seat, action, viewer)
        return None if known < 0 else int(known)

    def view(self, seat: int) -> State:
        """Return what a seat, or SPECTATOR, may know now."""
        seat = self.game.check_seat(seat, SPECTATOR)
        self._need_full("a view is taken of a full state")
        game = self.game
        out, legal = game.blank(viewer_code(seat)), game.list_room()
        view = State.__new__(State)
        view._fill(game, out, legal, game.look_as(self._pool, seat, out, legal), seat)
        view._start = out.tobytes()
        return view

    def sample(self, rng: Rng) -> State:
        """Return a full state that agrees with all that this view's viewer may know.

        Raises
        ------
        RngError
            For a generator that `tianxia.new_rng` has not made.
        """
        if self._viewer is None:
            raise ViewError("samples are drawn from a view; take one with state.view(seat)")
        pool = twin(self._pool)
        functions.sample(pool, check_rng(rng))
        return State(self.game, pool)

    def encode(self, seat: int | None = None) -> NDArray[np.float32]:
        """Return the features of the position as a seat sees it; shape (features,)."""
        if self._viewer is not None:
            pool = self._pool if seat is None else self._view_of(seat)._pool
        else:
            seat = self._only_actor() if seat is None else seat
            if seat == CHANCE:
                raise SeatError("chance acts, and sees nothing: say whose features, encode(seat)")
            pool = self.view(seat)._pool
        out = np.zeros(self.game.features, np.float32)
        functions.encode(pool, out)
        return out

    def _view_of(self, seat: int) -> State:
        self._own_seat(seat)
        return self

    # --- Value ---

    def scores(self) -> list[float]:
        """Return each seat's points as they stand on the score track."""
        return self._values(functions.scores)

    def utilities(self) -> list[float]:
        """Return each seat's utility: (n·share − 1)/(n − 1), share 1/k for k joint winners.

        Zeros while the game lasts.
        """
        return self._values(functions.utilities) if self.over else [0.0] * self.seats

    def evaluate(self) -> list[float]:
        """Return the game's own rough guess of each seat's utility."""
        self._need_full("a guess needs all ranks and hands")
        return self._values(functions.evaluate)

    def _values(self, function: Any) -> list[float]:
        out = np.zeros(self.seats)
        function(self._pool, out)
        return [float(value) for value in out]

    # --- Copies ---

    def clone(self) -> State:
        """Return an independent copy; it shares the past, which nobody changes."""
        copy = State.__new__(State)
        copy.game = self.game
        copy._pool = twin(self._pool)
        copy._legal = self._legal.copy()
        copy._status = self._status
        copy._viewer = self._viewer
        copy._history = self._history
        copy._start = self._start
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def to_bytes(self) -> bytes:
        """Return the record as bytes; equal positions give equal bytes."""
        return self._pool.tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]  # states change

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, self.to_bytes(), self._start, self._packed())

    # --- The past ---

    def history(self) -> Iterator[tuple[int, int]]:
        """Yield (seat, action) for all actions since the start, CHANCE's included."""
        past = array("i", self._packed()).tolist()
        yield from zip(past[::2], past[1::2], strict=True)

    def _packed(self) -> bytes:
        """Return the past as bytes: a seat and an action a ply."""
        recent: list[int] = []
        node = self._history
        while isinstance(node, tuple):
            node, seat, action = node
            recent += (action, seat)
        recent.reverse()
        packed = node + array("i", recent).tobytes()
        self._history = packed
        return packed

    def start(self) -> State:
        """Return the position in which this state's history begins."""
        if self._start is None:
            return State.begin(self.game)
        return self.game.from_bytes(self._start)

    def transcript(self, viewer: int | None = None) -> str:
        """Return the game so far as text: all of it, or what one viewer has seen of it."""
        from tianxia.kernel.transcript import Transcript

        return Transcript.of(self, viewer).write()


def _restore(game: Game, data: bytes, start: bytes | None, past: bytes) -> State:
    """Unpickle a state; who unpickles trusts the bytes."""
    state = State(game, np.ndarray(1, game.blank().dtype, bytearray(data)))
    state._start = start
    state._history = past
    return state
