"""The games as OpenSpiel's: importing this module registers ``tianxia_stratego`` and so on.

>>> import pyspiel
>>> import tianxia.envs.openspiel
>>> game = pyspiel.load_game("tianxia_stratego(variant=barrage)")
>>> state = game.new_initial_state()

Where several seats choose at once, they do so one after another here; what a player knows
tells nothing of what another has chosen. Options that are texts of one's own are not taken.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from tianxia.kernel.game import Game, GameType
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.registry import games, kind
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State

PREFIX = "tianxia_"
LONGEST = 20_000
"""Decisions after which a game is over without a winner, since OpenSpiel's games are bounded."""
MOST_CHANCE = 10 * LONGEST
SEEDS = 1 << 53


def _type(rules: GameType) -> pyspiel.GameType:
    seats = [rules.seats]
    for option in rules.options:
        if option.name == "players":
            seats = [int(value) for value in option.values]
    return pyspiel.GameType(
        short_name=short_name(rules.name),
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: option.default for option in rules.options},
    )


def short_name(name: str) -> str:
    """Return what OpenSpiel calls a game."""
    return PREFIX + name.replace("-", "_")


def _info(game: Game) -> pyspiel.GameInfo:
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=game.num_actions,
        num_players=game.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )


class SpielGame(pyspiel.Game):
    """A game with its options."""

    rules: GameType
    type: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.inner = game_of(self.rules.name, **given)
        super().__init__(self.type, _info(self.inner), given)

    def new_initial_state(self) -> SpielState:
        """Return the start of a game."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound of chance's actions in a game."""
        return MOST_CHANCE

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return what writes what a player knows."""
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self.inner, iig_obs_type or usual, params)


class SpielState(pyspiel.State):
    """A position, and all that each player has seen on the way to it.

    Attributes
    ----------
    inner
        The position in our own terms.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.inner: State = game.inner.new()
        self._seen = (b"",) * game.inner.seats
        self._taken = 0

    def current_player(self) -> int:
        """Return who acts next."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        acting = self.inner.acting
        return acting[0] if acting else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.inner.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return chance's actions and their probabilities."""
        return self.inner.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        state = self.inner
        actor = state.acting[0] if state.acting else CHANCE
        seen = []
        for seat, past in enumerate(self._seen):
            known = state.seen(action, actor, seat)
            if known is None:  # a draw that is not seen, or another's secret choice
                seen.append(past if actor != CHANCE else past + array("i", (actor, -1)).tobytes())
            else:
                seen.append(past + array("i", (actor, known)).tobytes())
        self._seen = tuple(seen)
        state.apply(action, actor)
        self._taken += actor != CHANCE

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a position that agrees with all that a player knows, as `State.sample` draws it.

        Of what the other players have seen it holds only what this one has seen, too. The
        history that OpenSpiel keeps is the true one still.

        Parameters
        ----------
        sampler
            Gives numbers from 0 to below 1.
        """
        world: SpielState = self.clone()
        rng = new_rng(int(sampler() * SEEDS))
        world.inner = self.inner.view(player).sample(rng)
        world._seen = (self._seen[player],) * len(self._seen)
        return world

    def _action_to_string(self, player: int, action: int) -> str:
        seat = CHANCE if player == pyspiel.PlayerId.CHANCE else player
        try:
            return self.inner.text(action, seat)
        except (ValueError, LookupError):
            return str(action)

    def is_terminal(self) -> bool:
        """Say whether the game is over."""
        return self.inner.over or self._taken >= LONGEST

    def returns(self) -> list[float]:
        """Return each player's utility."""
        return self.inner.utilities()

    def past(self, player: int) -> str:
        """Return all that a player has seen: actor and action, one after another."""
        numbers = array("i", self._seen[player]).tolist()
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return " ".join(f"{actor}:{action}" for actor, action in pairs)

    def __str__(self) -> str:
        """Return the position on one line."""
        return self.inner.notation()


class SpielObserver:
    """Writes what a player knows: as a tensor in named parts, and as text.

    With perfect recall the text also holds all that the player has seen. What is public only
    is what a spectator sees.
    """

    def __init__(self, game: Game, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observer of {game.name} takes no parameters, not {params}")
        self._private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = iig_obs_type.perfect_recall
        self.tensor = np.zeros(game.features, np.float32)
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        first = 0
        for name, shape in game.layout:
            size = math.prod(shape)
            self.dict[name] = self.tensor[first : first + size].reshape(shape)
            first += size

    def _view(self, state: SpielState, player: int) -> State:
        return state.inner.view(player if self._private else SPECTATOR)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player knows into the tensor."""
        self.tensor[:] = self._view(state, player).encode()

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player knows as text."""
        view = self._view(state, player).notation()
        return f"{view} | {state.past(player)}" if self._recalls and self._private else view


def register() -> None:
    """Register all games that are installed."""
    known = set(pyspiel.registered_names())
    for name in games():
        if short_name(name) not in known:
            rules = kind(name)
            known_as = _type(rules)
            made = type(f"Spiel_{name}", (SpielGame,), {"rules": rules, "type": known_as})
            pyspiel.register_game(known_as, made)
            globals()[made.__name__] = made  # pickle looks for it here


register()
