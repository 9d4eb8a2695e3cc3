"""Search that goes by a trained net: ``search+net:FILE``, in any game that the net plays.

It is the search of `tianxia.search`, but that the net stands in for what the game says itself: each
iteration ends with the utility that it expects (in place of `evaluate`), and choices follow its
probabilities (in place of `policy`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod

import numpy as np
from numpy.typing import NDArray

from tianxia.bots.nets import PREFIX as NET
from tianxia.bots.nets import Net, loaded
from tianxia.kernel.game import Game
from tianxia.search.bot import Maker
from tianxia.search.guide import Guide
from tianxia.search.thinking import Budget, Searcher

PREFIX = f"search+{NET}"
USUAL = Budget(rollout=0)

Floats = NDArray[np.float32]


def net_in(name: str) -> str:
    """Return ``net:FILE`` of ``search+net:FILE``."""
    return f"{NET}{name.removeprefix(PREFIX)}"


def guided_maker(name: str, game: Game) -> Maker:
    """Return what makes the players of ``search+net:FILE``; raise NetError as `net_maker` does."""
    return guided(loaded(net_in(name)), game)


def guided(net: Net, game: Game, budget: Budget = USUAL) -> Maker:
    """Return what makes players that search by a net; raise NetError where it is for others."""
    return partial(Searcher, budget=replace(budget, guide=guide_of(net, game)))


def guide_of(net: Net, game: Game) -> Guide:
    """Return a net in the form in which a search goes by it.

    Raises
    ------
    NetError
        Where it is for another game.
    """
    board = net.check(game).board
    shape = (0, 0) if board is None else board.shape
    inside = np.zeros(game.features, np.bool_) if board is None else board.inside
    seen = 0 if board is None else board.seen
    nothing = _empty(1, 1)  # of a game without a board
    convs = _stacked(net, "conv", nothing)
    first, layers = _with_bias(net, "layer0"), _stacked(net, "layer", nothing)
    conv0 = nothing if board is None else _with_bias(net, "conv0")
    squares, width, channels = prod(shape), first.shape[1], conv0.shape[1]
    return Guide(
        output_of=np.ascontiguousarray(game.output_of, np.int64),
        inside=np.flatnonzero(inside),
        outside=np.flatnonzero(~inside),
        rows=shape[0],
        columns=shape[1],
        conv0=conv0,
        convs=convs,
        squeeze=nothing if board is None else _with_bias(net, "squeeze"),
        planes=nothing if board is None else _with_bias(net, "planes").T.copy(),
        first=first,
        layers=layers,
        policy=_with_bias(net, "policy").T.copy(),
        value=_with_bias(net, "value")[:, 0].copy(),
        views=np.concatenate([game.blank(), game.blank()]),
        features=_empty(game.features),
        board=_empty(squares, seen),
        squares=_empty(2, squares, channels),
        inputs=_empty(len(first) - 1),
        hidden=_empty(2, width),
        logits=np.zeros(game.max_legal),
    )


def _empty(*shape: int) -> Floats:
    return np.zeros(shape, np.float32)


def _with_bias(net: Net, name: str) -> Floats:
    """Return a matrix with its bias as a row at the end."""
    return np.vstack([net.weights[name], net.weights[f"{name}_bias"]])


def _stacked(net: Net, name: str, like: Floats) -> Floats:
    """Return the matrices of a name behind the first one, which are all of a size."""
    number, found = 1, []
    while f"{name}{number}" in net.weights:
        found.append(_with_bias(net, f"{name}{number}"))
        number += 1
    return np.array(found) if found else _empty(0, *like.shape)
