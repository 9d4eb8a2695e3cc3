"""The net of `tianxia.bots.nets` in torch, to be trained, and tables that are mostly zero."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tianxia.bots.nets import Board, board_of
from tianxia.kernel.game import Game

NEVER = -1e9
"""Below any logit."""
SQUEEZED = 4
"""Channels of a board that the perceptron sees."""


class Tower(nn.Module):
    """Convolutions over a board, in front of a perceptron: see `tianxia.bots.nets`."""

    def __init__(self, board: Board, channels: int, convolutions: int) -> None:
        super().__init__()
        self.board, self.precision = board, torch.float32
        sizes = [board.seen, *[channels] * (convolutions - 1)]
        self.convs = nn.ModuleList(nn.Conv2d(size, channels, 3, padding=1) for size in sizes)
        self.planes = nn.Conv2d(channels, board.planes_out, 1)
        self.squeeze = nn.Conv2d(channels, SQUEEZED, 1)
        inside = torch.from_numpy(board.inside)
        self.register_buffer("inside", inside.nonzero()[:, 0], persistent=False)
        self.register_buffer("outside", (~inside).nonzero()[:, 0], persistent=False)
        self.width = SQUEEZED * board.shape[0] * board.shape[1] + len(self.outside)
        for layer, gain in [
            *((one, 2**0.5) for one in (*self.convs, self.squeeze)),
            (self.planes, 0.01),
        ]:
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)
        self.to(memory_format=torch.channels_last)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the perceptron sees, and the planes of the policy, flat."""
        seen = features[:, self.inside].unflatten(1, (self.board.planes, *self.board.shape))
        rest = features[:, self.outside]
        everywhere = rest[:, :, None, None].expand(-1, -1, *self.board.shape)
        seen = torch.cat([seen, everywhere], 1)
        seen = seen.contiguous(memory_format=torch.channels_last)  # convolutions are quicker so
        first, *others = self.convs
        short = self.precision != torch.float32
        with torch.autocast(features.device.type, self.precision, enabled=short):
            squares = torch.relu(first(seen))
            for conv in others:
                squares = squares + torch.relu(conv(squares))
        squares = squares.float()
        squeezed = torch.relu(self.squeeze(squares)).permute(0, 2, 3, 1).flatten(1)
        return torch.cat([squeezed, rest], 1), self.planes(squares).flatten(1)


class Perceptron(nn.Module):
    """The net of `tianxia.bots.nets`, and a critic's head that stays behind when it is exported.

    Most features are zero, and most actions are not legal. Without a board, only the rest is
    looked at while it learns.
    """

    def __init__(
        self, game: Game, width: int, layers: int, channels: int, convolutions: int
    ) -> None:
        super().__init__()
        board = board_of(game.layout, game.outputs)
        self.features, outputs = game.features, sum(prod(shape) for _, shape in game.outputs)
        self.tower = None if board is None else Tower(board, channels, convolutions)
        inputs = self.features if self.tower is None else self.tower.width
        self.first = nn.Parameter(nn.init.orthogonal_(torch.empty(inputs, width), 2**0.5))
        self.bias = nn.Parameter(torch.zeros(width))
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.policy = nn.Linear(width, outputs if board is None else board.flat_outputs)
        self.value, self.critic = nn.Linear(width, 1), nn.Linear(width, 1)
        hidden = [(layer, 2**0.5) for layer in self.layers]
        heads = [(self.policy, 0.01), (self.value, 0.1), (self.critic, 0.1)]
        for layer, gain in hidden + heads:
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def compute_in(self, precision: torch.dtype) -> None:
        """Let convolutions be computed in another precision from now on."""
        if self.tower is not None:
            self.tower.precision = precision

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of all outputs, and the expected utility: what is exported."""
        logits, hidden = self._all(features)
        return logits, torch.tanh(self.value(hidden))[:, 0]

    def _all(self, features: Tensor) -> tuple[Tensor, Tensor]:
        planes = []
        if self.tower is not None:
            features, found = self.tower(features)
            planes = [found]
        hidden = self._hidden(features @ self.first + self.bias)
        return torch.cat([self.policy(hidden), *planes], 1), hidden

    def think(self, seen: Rows, legal: Rows) -> tuple[Tensor, Tensor, Tensor]:
        """Return log-probabilities of legal actions, the value, and the critic's correction."""
        row = torch.repeat_interleave(legal.lengths)
        if self.tower is None:
            hidden = self._hidden(seen.times(self.first) + self.bias)
            weight = functional.embedding(legal.places, self.policy.weight)
            logits = (weight * hidden[row]).sum(1) + self.policy.bias[legal.places]
        else:
            everything, hidden = self._all(seen.dense(self.features))
            logits = everything[row, legal.places]
        highest = logits.detach().new_full((len(hidden),), NEVER)
        logits = logits - highest.scatter_reduce(0, row, logits.detach(), "amax")[row]
        sums = logits.new_zeros(len(hidden)).index_add(0, row, logits.exp())
        value = torch.tanh(self.value(hidden))[:, 0]
        return logits - sums.log()[row], value, self.critic(hidden)[:, 0]

    def _hidden(self, first: Tensor) -> Tensor:
        found = torch.relu(first)
        for layer in self.layers:
            found = found + torch.relu(layer(found))
        return found

    def weights(self) -> dict[str, Tensor]:
        """Return what is exported, by the names of `tianxia.bots.nets`."""
        found = {"layer0": self.first, "layer0_bias": self.bias}
        named = [(f"layer{i}", one) for i, one in enumerate(self.layers, 1)]
        named += [("policy", self.policy), ("value", self.value)]
        if self.tower is not None:
            named += [(f"conv{i}", one) for i, one in enumerate(self.tower.convs)]
            named += [("planes", self.tower.planes), ("squeeze", self.tower.squeeze)]
        for name, layer in named:
            found |= {name: layer.weight.flatten(1).T, f"{name}_bias": layer.bias}
        return found


@dataclass
class Rows:
    """What is not zero in the rows of a table.

    Attributes
    ----------
    places, numbers
        In which column each stands, and what it is; one row after another.
    starts, lengths
        Where each row begins, and how many it has.
    """

    places: Tensor
    numbers: Tensor
    starts: Tensor
    lengths: Tensor

    @classmethod
    def of(cls, tables: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]], to: Any) -> Rows:
        """Return tables below one another, each as `sparse` returns it, on a device."""
        places, numbers, lengths = (
            torch.from_numpy(np.concatenate(parts)).to(to) for parts in zip(*tables, strict=True)
        )
        return cls(places, numbers, _starts(lengths), lengths)

    def times(self, matrix: Tensor) -> Tensor:
        """Return the product of the table and a matrix."""
        return functional.embedding_bag(
            self.places, matrix, self.starts, mode="sum", per_sample_weights=self.numbers
        )

    def dense(self, columns: int) -> Tensor:
        """Return the table."""
        row = torch.repeat_interleave(self.lengths)
        table = self.numbers.new_zeros(len(self.lengths), columns)
        table[row, self.places] = self.numbers
        return table

    def take(self, rows: Tensor) -> Rows:
        """Return some of the rows."""
        lengths = self.lengths[rows]
        starts = _starts(lengths)
        inside = torch.arange(int(lengths.sum()), device=lengths.device, dtype=torch.int32)
        where = inside + torch.repeat_interleave(self.starts[rows] - starts, lengths)
        return Rows(self.places[where], self.numbers[where], starts, lengths)


def _starts(lengths: Tensor) -> Tensor:
    return lengths.cumsum(0, dtype=lengths.dtype) - lengths


def sparse(table: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return what is not zero in a table: columns, numbers, and how many in each row."""
    rows, columns = np.nonzero(table)
    numbers, lengths = table[rows, columns], np.bincount(rows, minlength=len(table))
    return columns.astype(np.int32), numbers, lengths.astype(np.int32)


def legal_table(
    game: Game, seats: NDArray[Any], masks: NDArray[Any]
) -> tuple[NDArray[Any], tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
    """Return the legal actions of all rows, and as `sparse` the outputs that are of them."""
    actions, ones, lengths = sparse(masks)
    return actions, (game.output_of[np.repeat(seats, lengths), actions], ones, lengths)


def improve(optimizer: torch.optim.Optimizer, loss: Tensor, rate: float) -> None:
    """Take a step against a loss, its gradient no longer than 0.5."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(
        [one for group in optimizer.param_groups for one in group["params"]], 0.5
    )
    optimizer.step()
