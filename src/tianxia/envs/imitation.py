"""What a net learns from games of others, before it plays by itself: behaviour cloning.

Self-play alone finds slowly what players who know a game do from the first move. Whatever plays
may be imitated, and each decision says what to learn from it: the policy that its player said,
where there is one (the visits of a search, or what a teacher would have done), else what was done.
The value learns how the games ended. The critic learns nothing: files of games hold views, and it
leans on full states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tianxia.arena.data import Data, DataError
from tianxia.envs.perceptron import Perceptron, Rows, improve, legal_table, sparse
from tianxia.kernel import batches
from tianxia.kernel.game import Game

KEPT_APART = 20
"""One game of so many is not learnt from; what the net makes of these tells what it has learnt."""
TRIED = 20_000
"""Decisions of the games kept apart that are looked at, at most."""
PART = 1024
"""Decisions that are learnt from at a time."""
TOLD = 100
"""Parts between two reports."""
SLOWEST = 0.02
"""What is left of the rate at the end."""


class Examples:
    """Decisions of others, to be learnt from; forced ones are left out.

    `known` counts those that are learnt from.

    Parameters
    ----------
    files
        Files of decisions, as `tianxia selfplay` and the arena write them.
    game
        The game to be learnt.
    player
        Whose decisions, by the name that the files call it; everybody's where it is empty.

    Raises
    ------
    DataError
        Where a file holds something else, or another game.
    """

    def __init__(self, files: Sequence[Path], game: Game, player: str = "") -> None:
        found = [_read(file, game, player) for file in files]
        self.game = game
        self.views = np.concatenate([views for views, *_ in found])
        columns = zip(*(columns for _, columns, _ in found), strict=True)
        self.seats, self.actions, self.results, self.apart = map(np.concatenate, columns)
        self.policies = [policy for *_, policies in found for policy in policies]
        self.known = int((~self.apart).sum())
        if not self.known:
            raise DataError("there are too few games to learn from")

    def rows(self, chosen: NDArray[np.int64], device: Any) -> tuple[Rows, Rows, Tensor, Tensor]:
        """Return some: what was seen, what could be done and how likely it is, what came of it."""
        views, seats = self.views[chosen], self.seats[chosen]
        seen = sparse(batches.encode(self.game, views))
        masks = batches.mask(self.game, views, seats)
        actions, legal = legal_table(self.game, seats, masks)
        lengths = legal[2]
        row = np.repeat(np.arange(len(chosen)), lengths)
        wanted = (actions == self.actions[chosen][row]).astype(np.float32)
        starts = np.cumsum(lengths) - lengths
        for place, one in enumerate(chosen):
            if (policy := self.policies[one]) is not None:
                view = self.game.from_record(views[place : place + 1])
                order = np.argsort(view.legal_actions(int(seats[place])))
                span = slice(starts[place], starts[place] + lengths[place])
                wanted[span] = np.array(policy, np.float32)[order]
        told = (torch.from_numpy(one).to(device) for one in (wanted, self.results[chosen]))
        return Rows.of([seen], device), Rows.of([legal], device), *told


def _read(file: Path, game: Game, player: str) -> tuple[Any, tuple[Any, ...], list[Any]]:
    """Return views, columns and policies of the decisions that were free."""
    data = Data(file)
    if data.game.uncoloured.spec != game.uncoloured.spec:
        raise DataError(f"{file} holds games of {data.game.spec}, not of {game.spec}")
    table = data.decisions(["game", "seat", "action", "legal", "policy", "view", "result"])
    wanted = table["legal"].to_numpy() > 1
    if player:
        wanted &= _decided_by(player, data, table)
    table = table.filter(wanted)
    seats, actions, results = (table[name].to_numpy() for name in ("seat", "action", "result"))
    apart = table["game"].to_numpy() % KEPT_APART == 0
    policies = table["policy"].to_pylist()
    columns = seats.astype(np.int64), actions, results.astype(np.float32), apart
    return data.views(table["view"]), columns, policies


def _decided_by(player: str, data: Data, table: Any) -> NDArray[np.bool_]:
    """Say of each decision whether a player took it."""
    games = data.games()
    numbers, players = games["game"].to_numpy(), np.array(games["players"].to_pylist())
    if player not in players:
        raise DataError(f"{player} is not in {data.file}: {', '.join(np.unique(players))}")
    rows = np.searchsorted(numbers, table["game"].to_numpy())
    decided: NDArray[np.bool_] = (players == player)[rows, table["seat"].to_numpy()]
    return decided


def imitate(
    policy: Perceptron, examples: Examples, passes: int, rate: float, seed: int
) -> Iterator[dict[str, float]]:
    """Learn from examples, all of them so many times; yield what was measured, some at a time.

    ``learnt`` counts the decisions since the last report, ``as_done`` is how likely the net finds
    what was done in them, on average; at the end ``unseen_as_done``, the same in games kept apart.
    """
    known, unseen = np.flatnonzero(~examples.apart), np.flatnonzero(examples.apart)[:TRIED]
    chance, device = np.random.default_rng(seed), policy.first.device
    optimizer = torch.optim.AdamW(policy.parameters(), rate)
    parts = -(-len(known) // PART)
    found: list[Tensor] = []
    learnt = 0
    for number in range(parts * passes):
        if number % parts == 0:
            order = np.array_split(chance.permutation(known), parts)
        part = np.sort(order[number % parts])
        loss, as_done = _loss(policy, examples.rows(part, device))
        improve(optimizer, loss, rate * max(SLOWEST, 1 - number / (parts * passes)))
        learnt += len(part)
        found.append(as_done.mean())
        if (number + 1) % TOLD == 0:
            yield {"learnt": learnt, "as_done": float(torch.stack(found).mean())}
            learnt, found = 0, []
    with torch.no_grad():
        tried = [
            _loss(policy, examples.rows(part, device))[1]
            for part in np.array_split(unseen, -(-len(unseen) // PART) or 1)
        ]
    yield {"learnt": learnt, "unseen_as_done": float(torch.cat(tried).mean())}


def _loss(policy: Perceptron, rows: tuple[Rows, Rows, Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Return what is to be made small, and how likely each decision was to be done as it was."""
    seen, legal, wanted, results = rows
    chances, value, _ = policy.think(seen, legal)
    likely = (wanted * chances.exp()).detach()
    row = torch.repeat_interleave(legal.lengths)
    as_done = likely.new_zeros(len(results)).index_add(0, row, likely)
    policy_loss = -(wanted * chances).sum() / len(results)
    return policy_loss + 0.5 * (value - results).square().mean(), as_done
