"""Trained nets as bots: `net:FILE` plays by a net in a file, evaluated with NumPy alone.

A net is a perceptron with residual layers: ``h = relu(W x + b)``, then ``h += relu(W h + b)`` a
few times, then linear heads for the policy (a logit for each action) and the value (the utility
that the acting seat expects). The file is a NumPy archive (``.npz``, float32): the weights
``layer0``, ``layer1``, …, ``policy`` and ``value``, of the shape (inputs, outputs), each with its
``…_bias``; and ``about``, a JSON text that says for which game they are. `tianxia.envs.learning`
makes such files, and so may anybody's program, with `Net.save`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
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
RARE = 0.1
"""Actions less likely than this part of the likeliest are what exploring left over."""
TICKETS = 1 << 30
NAME = re.compile(r"[\w.-]{1,40}")

Weights = dict[str, NDArray[np.float32]]


class NetError(TianxiaError, ValueError):
    """A file that holds no net, or one for another game."""


@dataclass(frozen=True, eq=False)
class Net:
    """A net for one game with its options.

    Attributes
    ----------
    about
        For which game it is (``game``, ``rules_version``, ``layout``, ``actions``), and whatever
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
            raise NetError(f"{str(file)!r} is no net: it is not a whole .npz file") from error
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
        shapes = self.weights["layer0"].shape[0], self.weights["policy"].shape[1]
        if shapes != (game.features, game.num_actions):
            raise NetError(
                f"the net has {shapes[0]} inputs and {shapes[1]} actions; {game.spec} has "
                f"{game.features} and {game.num_actions}"
            )
        return self

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
            Logits of all actions, shape (n, actions), legal or not, as `Game.turned` numbers
            them; and the expected utility of who acts, shape (n,), from −1 to 1.
        """
        weights, layer = self.weights, 1
        hidden = np.maximum(times(features, weights["layer0"]) + weights["layer0_bias"], 0)
        while (name := f"layer{layer}") in weights:
            hidden = hidden + np.maximum(times(hidden, weights[name]) + weights[f"{name}_bias"], 0)
            layer += 1
        logits = times(hidden, weights["policy"]) + weights["policy_bias"]
        value = np.tanh(times(hidden, weights["value"]) + weights["value_bias"])
        return logits, value[:, 0]

    def odds(self, view: State, legal: list[int]) -> tuple[NDArray[np.float64], float]:
        """Return the probability of each legal action, and the expected utility."""
        logits, value = self.evaluate(view.encode()[None])
        wanted = logits[0, view.game.turned[view.viewer, legal]].astype(np.float64)
        odds = np.exp(wanted - wanted.max())
        return odds / odds.sum(), float(value[0])


def times(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a product of matrices; that of a single row without threads.

    To wait for one another cost BLAS's threads twenty times as much as the product.
    """
    if len(rows) > 1:
        return rows @ matrix
    there = np.flatnonzero(rows[0])
    return np.einsum("i,ij->j", rows[0, there], matrix[there])[None]


def meant(game: Game) -> dict[str, Any]:
    """Return what a net for a game says in `Net.about`."""
    return {
        "game": game.spec,
        "rules_version": game.rules_version,
        "layout": [[name, list(shape)] for name, shape in game.layout],
        "actions": game.num_actions,
    }


def _about(file: str, text: Any) -> dict[str, Any]:
    try:
        about = json.loads(str(text))
    except ValueError:
        about = None
    if not isinstance(about, dict) or "format" not in about:
        raise NetError(f"{file!r} is no net of Tianxia: it does not say for which game it is")
    if about["format"] != FORMAT:
        raise NetError(f"{file!r} has the format {about['format']}; this Tianxia reads {FORMAT}")
    return about


def _sound(file: str, arrays: dict[str, NDArray[Any]]) -> Weights:
    """Return weights that fit together."""
    layers = [f"layer{i}" for i in range((len(arrays) - 2 * len(HEADS)) // 2)]
    wanted = {part for name in (*layers, *HEADS) for part in (name, f"{name}_bias")}
    if not layers or set(arrays) != wanted:
        raise NetError(f"{file!r} is no net: its arrays are not layers, policy and value")
    width = arrays["layer0"].shape[-1] if arrays["layer0"].ndim else 0
    for name in (*layers, *HEADS):
        array, bias = arrays[name], arrays[f"{name}_bias"]
        inputs = array.shape[0] if name == "layer0" and array.ndim else width
        outputs = width if name in layers else 1 if name == "value" else array.shape[-1:]
        shape = (inputs, *np.atleast_1d(outputs))
        if array.shape != shape or bias.shape != shape[1:]:
            raise NetError(f"{file!r} is no net: {name} does not fit the layers beside it")
        if not all(one.dtype == np.float32 and np.isfinite(one).all() for one in (array, bias)):
            raise NetError(f"{file!r} is no net: {name} holds something else than finite float32")
    return arrays


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
        odds[odds < RARE * odds.max()] = 0
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
            if spec == game.spec:
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
