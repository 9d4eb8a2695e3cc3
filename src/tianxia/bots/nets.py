"""Trained nets as bots: `net:FILE` plays by a net in a file, evaluated with NumPy alone.

A net is a perceptron with residual layers: ``h = relu(W x + b)``, then ``h += relu(W h + b)`` a
few times, then linear heads for the policy (a logit for each output, see `Game.outputs`) and the
value (the utility that the acting seat expects). Where outputs have planes over a board, all that
is known of the board, and on each square the features that are of none, go through convolutions of
3 × 3 first, ``x = relu(K x)``, then ``x += relu(K x)``; the planes of the policy are read off their
result square by square, and a few channels of it (`squeeze`) are what the perceptron sees, beside
the features that are of no square.

The file is a NumPy archive (``.npz``, float32): the weights ``layer0``, ``layer1``, …, ``policy``
and ``value``, of the shape (inputs, outputs), each with its ``…_bias``; over a board ``conv0``,
``conv1``, …, whose inputs are those of a channel by rows of its 3 × 3 squares, ``planes`` and
``squeeze``; and ``about``, a JSON text that says for which game they are. `tianxia.envs.learning`
makes such files, and so may anybody's program, with `Net.save`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import takewhile
from math import prod
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from tianxia.kernel.cache import home
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Maker
from tianxia.search.opinions import Opinion

PREFIX = "net:"
SUFFIX = ".npz"
FORMAT = 1
HEADS = ("policy", "value")
PLANES, WINDOW = 3, 9
"""Dimensions of planes over a board; squares that a convolution looks at."""
RARE = 0.1
"""Actions less likely than this part of the likeliest are what exploring left over; `Net.about` may
name another part (``rare``)."""
TICKETS = 1 << 30
ALONE, SMALL, MANY = 1 << 18, 1 << 15, 200
"""Multiplications that OpenBLAS does without threads, at most; above so many numbers of a matrix,
or so many rows, its threads are worth their while."""
NAME = re.compile(r"[\w.-]{1,40}")

Weights = dict[str, NDArray[np.float32]]
Parts = Sequence[tuple[str, Sequence[int]]]


class NetError(TianxiaError, ValueError):
    """A file that holds no net, or one for another game."""


@dataclass(frozen=True, eq=False)
class Net:
    """A net for one game with its options.

    Attributes
    ----------
    about
        For which game it is (``game``, ``rules_version``, ``layout``, ``outputs``), and whatever
        else whoever trained it wrote down.
    weights
        By name, see the module.
    """

    about: Mapping[str, Any]
    weights: Weights = field(repr=False)

    @classmethod
    def load(cls, file: str | Path) -> Net:
        """Read a file.

        Raises
        ------
        NetError
            Saying in one sentence what is wrong with it.
        """
        try:
            with Path(file).open("rb") as raw, NpzFile(raw, allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
        except FileNotFoundError:
            raise NetError(f"there is no net {str(file)!r}") from None
        except (OSError, ValueError, EOFError, AttributeError, BadZipFile) as error:
            raise NetError(f"{str(file)!r} is not a net: it is not a whole .npz file") from error
        return cls(_about(str(file), arrays.pop("about", None)), _sound(str(file), arrays))

    def save(self, file: str | Path) -> None:
        """Write a file; what was there is replaced as a whole."""
        file = Path(file)
        beside = file.with_name(f"{file.name}.part")
        with beside.open("wb") as out:
            arrays: dict[str, Any] = {**self.weights, "about": json.dumps(dict(self.about))}
            np.savez(out, **arrays)
        beside.replace(file)

    def check(self, game: Game) -> Net:
        """Return this net if it plays a game; raise NetError with the difference if not."""
        for key, wanted in meant(game).items():
            if self.about.get(key) != wanted:
                if key == "game":
                    raise NetError(f"the net plays {self.about.get(key)}, not {game.spec}")
                what = key.replace("_", " ")
                raise NetError(f"the net was trained for another {what} of {game.spec}")
        w, board, inputs = self.weights, self.board, game.features
        found, wanted = [w["policy"].shape[1]], [sum(prod(shape) for _, shape in game.outputs)]
        if ("conv0" in w) != (board is not None):
            raise NetError(f"the net is not made for the board of {game.spec}")
        if board is not None:
            found += [w["conv0"].shape[0], w["planes"].shape[1]]
            wanted = [board.flat_outputs, WINDOW * board.seen, board.planes_out]
            inputs = (~board.inside).sum() + w["squeeze"].shape[1] * prod(board.shape)
        if [*found, w["layer0"].shape[0]] != [*wanted, inputs]:
            raise NetError(f"the net has not as many inputs and outputs as {game.spec}")
        return self

    @cached_property
    def rare(self) -> float:
        """Actions less likely than this part of the likeliest are not taken."""
        return float(self.about.get("rare", RARE))

    @cached_property
    def board(self) -> Board | None:
        """What is known of a board, if the game has one."""
        return board_of(self.about["layout"], self.about["outputs"])

    def evaluate(
        self, features: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return what it says of positions.

        Parameters
        ----------
        features
            What `State.encode` or `VectorEnv` give, shape (n, features).

        Returns
        -------
        tuple
            Logits of all outputs, shape (n, outputs), of legal actions or not, see
            `Game.outputs`; and the expected utility of who acts, shape (n,), from −1 to 1.
        """
        planes = None
        if self.board is not None:
            features, planes = self._look(self.board, features)
        hidden = self._residual("layer", features)
        logits = self._linear("policy", hidden)
        if planes is not None:
            logits = np.concatenate([logits, planes], axis=1)
        return logits, np.tanh(self._linear("value", hidden))[:, 0]

    def _look(self, board: Board, features: NDArray[np.float32]) -> tuple[Any, Any]:
        """Return what the perceptron sees of a board, and the planes of the policy."""
        n, (rows, columns) = len(features), board.shape
        seen = features[:, board.inside].reshape(n, board.planes, rows, columns)
        rest = features[:, ~board.inside]
        everywhere = np.broadcast_to(rest[:, None, None], (n, rows, columns, rest.shape[1]))
        seen = np.concatenate([seen.transpose(0, 2, 3, 1), everywhere], axis=3)
        squares = self._residual("conv", seen, around)
        planes = self._linear("planes", squares).reshape(n, rows, columns, -1)
        squeezed = np.maximum(self._linear("squeeze", squares), 0).reshape(n, -1)
        planes = planes.transpose(0, 3, 1, 2).reshape(n, -1)
        return np.concatenate([squeezed, rest], axis=1), planes

    def _residual(self, name: str, found: Any, spread: Callable[[Any], Any] = lambda x: x) -> Any:
        """Return what layers of a name make of rows, or of the squares of boards."""
        number = 0
        while f"{name}{number}" in self.weights:
            more = np.maximum(self._linear(f"{name}{number}", spread(found)), 0)
            more = more.reshape(*found.shape[:-1], -1)
            found = found + more if number else more
            number += 1
        return found

    def _linear(self, name: str, rows: Any) -> Any:
        flat = rows.reshape(-1, rows.shape[-1])
        return times(flat, self.weights[name]) + self.weights[f"{name}_bias"]

    def odds(self, view: State, legal: list[int]) -> tuple[NDArray[np.float64], float]:
        """Return the probability of each legal action, and the expected utility."""
        logits, value = self.evaluate(view.encode()[None])
        wanted = logits[0, view.game.output_of[view.viewer, legal]].astype(np.float64)
        odds = np.exp(wanted - wanted.max())
        return odds / odds.sum(), float(value[0])


def times(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a product of matrices, without BLAS's threads where there is little to do.

    To wait for one another cost them twenty times as much as the product of a single row, and on
    a busy machine as much again as that of all squares of a board; OpenBLAS takes no threads for
    products that are small enough.
    """
    if len(rows) > 1:
        if len(rows) > MANY or matrix.size > SMALL:
            return rows @ matrix
        part = ALONE // matrix.size
        parts = [rows[first : first + part] @ matrix for first in range(0, len(rows), part)]
        return np.concatenate(parts)
    there = np.flatnonzero(rows[0])
    return np.einsum("i,ij->j", rows[0, there], matrix[there])[None]


def around(squares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return for each square of boards what is on the nine around it; (n, rows, columns, 9 c)."""
    padded = np.pad(squares, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    return windows.reshape(*squares.shape[:-1], -1)


@dataclass(frozen=True)
class Board:
    """What of features and outputs is a plane over a board.

    Attributes
    ----------
    shape
        Rows and columns.
    inside
        Which features are; the others belong to no square.
    planes, planes_out
        How many planes go in, and come out.
    flat_outputs
        How many outputs belong to no square; they come first.
    """

    shape: tuple[int, int]
    inside: NDArray[np.bool_]
    planes: int
    planes_out: int
    flat_outputs: int

    @property
    def seen(self) -> int:
        """Return how many numbers the first convolution sees of a square, those of none too."""
        return self.planes + int((~self.inside).sum())


def board_of(layout: Parts, outputs: Parts) -> Board | None:
    """Return the board of a game, None where its outputs have no planes."""
    *flat, (_, last) = outputs
    if len(last) != PLANES:
        return None
    planes_out, *shape = last
    parts = [np.full(prod(part), tuple(part[-2:]) == tuple(shape)) for _, part in layout]
    inside = np.concatenate(parts)
    return Board(
        shape=(shape[0], shape[1]),
        inside=inside,
        planes=int(inside.sum()) // prod(shape),
        planes_out=planes_out,
        flat_outputs=sum(prod(part) for _, part in flat),
    )


def meant(game: Game) -> dict[str, Any]:
    """Return what a net for a game says in `Net.about`."""
    return {
        "game": game.uncoloured.spec,  # whoever plays which colour
        "rules_version": game.rules_version,
        "layout": [[name, list(shape)] for name, shape in game.layout],
        "outputs": [[name, list(shape)] for name, shape in game.outputs],
    }


def _about(file: str, text: Any) -> dict[str, Any]:
    try:
        about = json.loads(str(text))
    except ValueError:
        about = None
    if not isinstance(about, dict) or "format" not in about:
        raise NetError(f"{file!r} is not a net of Tianxia: it does not say for which game it is")
    if about["format"] != FORMAT:
        raise NetError(f"{file!r} has the format {about['format']}; this Tianxia reads {FORMAT}")
    rare = about.get("rare", RARE)
    if not isinstance(rare, int | float) or not 0 < rare <= 1:
        raise NetError(f"{file!r} has rare={rare!r}, which should be above 0, at most 1")
    return about


def _sound(file: str, arrays: dict[str, NDArray[Any]]) -> Weights:
    """Return weights that fit together."""
    convs, layers = (_row(name, arrays) for name in ("conv", "layer"))
    heads = (("planes", "squeeze") if convs else ()) + HEADS
    wanted = {part for name in (*convs, *layers, *heads) for part in (name, f"{name}_bias")}
    if not layers or set(arrays) != wanted:
        raise NetError(f"{file!r} is not a net: its arrays are not layers, policy and value")
    for name in (*convs, *layers, *heads):
        array, bias = arrays[name], arrays[f"{name}_bias"]
        if array.ndim != 2 or bias.shape != array.shape[1:]:
            raise NetError(f"{file!r} is not a net: {name} does not fit the layers beside it")
        if not all(one.dtype == np.float32 and np.isfinite(one).all() for one in (array, bias)):
            text = f"{file!r} is not a net: {name} holds something else than finite float32"
            raise NetError(text)
    width, channels = (arrays[row[0]].shape[1] if row else 0 for row in (layers, convs))
    sizes = dict.fromkeys(convs[1:], (WINDOW * channels, channels))
    sizes |= dict.fromkeys(layers[1:], (width, width))
    sizes |= {"policy": (width, arrays["policy"].shape[1]), "value": (width, 1)}
    sizes |= {name: (channels, arrays[name].shape[1]) for name in heads[:-2]}
    for name, size in sizes.items():
        if arrays[name].shape != size:
            raise NetError(f"{file!r} is not a net: {name} does not fit the layers beside it")
    return arrays


def _row(name: str, arrays: Mapping[str, Any]) -> list[str]:
    """Return ``layer0``, ``layer1``, … as far as there are such."""
    return list(takewhile(arrays.__contains__, (f"{name}{i}" for i in range(len(arrays)))))


class NetPlayer:
    """Plays by a net: draws an action by its probabilities, without the rare ones."""

    def __init__(self, net: Net, game: Game, seat: int, seed: int) -> None:
        self.net = net.check(game)
        self.seat, self.seed, self.decided = seat, seed, 0

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Count one's own actions: what is remembered is in the view."""
        self.decided += actor == self.seat

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return an action, drawn from the seed."""
        legal = view.legal_actions(self.seat)
        chances = np.cumsum(self._chances(view, legal)[0])
        ticket = below(new_rng(self.seed, self.decided), TICKETS) / TICKETS
        place = np.searchsorted(chances, ticket * chances[-1], side="right")
        return legal[min(int(place), len(legal) - 1)]

    def opinion(self, view: State) -> Opinion:
        """Return the probabilities that it draws by, and the value of its net."""
        chances, value = self._chances(view, view.legal_actions(self.seat))
        return Opinion(policy=chances.tolist(), value=value)

    def _chances(self, view: State, legal: list[int]) -> tuple[NDArray[np.float64], float]:
        odds, value = self.net.odds(view, legal)
        odds[odds < self.net.rare * odds.max()] = 0
        return odds / odds.sum(), value


# --- By name ---


def file_of(name: str) -> Path:
    """Return the file that `net:…` means: a name without a suffix is one of the nets' folder."""
    said = name.removeprefix(PREFIX)
    bare = NAME.fullmatch(said) and not said.endswith(SUFFIX)
    return folder() / f"{said}{SUFFIX}" if bare else Path(said)


def folder() -> Path:
    """Return where nets lie that play at this server's tables."""
    return home() / "nets"


def net_maker(name: str, game: Game) -> Maker:
    """Return what makes the players of `net:FILE`; raise NetError where it is for other games."""
    return partial(NetPlayer, loaded(name).check(game))


def loaded(name: str) -> Net:
    """Return the net of `net:FILE`, read once as long as the file stays as it is."""
    file = file_of(name)
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        raise NetError(f"there is no net {str(file)!r}") from None
    return _loaded(file, changed)


@lru_cache(maxsize=16)
def _loaded(file: Path, changed: int) -> Net:
    return Net.load(file)


def nets(game: Game) -> list[str]:
    """Return the names of the nets in `folder` that play a game; others are passed over."""
    found = []
    for name, spec in placed(game.name).items():
        with suppress(NetError):
            if spec == game.uncoloured.spec:
                loaded(name).check(game)
                found.append(name)
    return found


def placed(game: str) -> dict[str, str]:
    """Return the nets in `folder` for a game with any options: names, and what each plays."""
    found = {}
    for file in sorted(folder().glob(f"*{SUFFIX}")):
        with suppress(NetError):
            if NAME.fullmatch(file.stem):
                name = f"{PREFIX}{file.stem}"
                found[name] = str(loaded(name).about.get("game"))
    return {name: spec for name, spec in found.items() if spec.partition("(")[0] == game}
