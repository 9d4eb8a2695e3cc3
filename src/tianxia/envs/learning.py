"""A reference learner: one net learns any game by playing all its seats against itself.

It begins with nothing, or with what it has learnt from games of others (`tianxia.envs.imitation`).

What it is: proximal policy optimisation over `tianxia.envs.vector.VectorEnv`, with a term that
draws the policy towards all legal actions alike, strong at first and weaker as it goes on.

What was taken, and why. *Reevaluating Policy Gradient Methods for Imperfect-Information Games*
(Rudolph et al., 2025) trained thousands of agents and measured how exploitable each was: plain
policy gradient with enough regularisation, PPO with entropy and magnetic mirror descent, did as
well as, or better than, the methods built on fictitious play, double oracle and counterfactual
regret. So there is no population of opponents, no average policy and no tree here, only:

- *the magnet* (Sokota et al., *A Unified Approach to Reinforcement Learning, Quantal Response
  Equilibria, and Two-Player Zero-Sum Games*, 2023): a penalty on the divergence from the uniform
  policy, which is minus the entropy and a constant. Without one, self-play goes in circles;
  damped, it settles, and weakening the magnet moves where it settles towards an equilibrium;
- *PPO's clipping*, in place of mirror descent's divergence from the last policy: the study found
  them alike, and it needs no copy of the net;
- *generalised advantages* by seat (`tianxia.envs.returns`): a seat's next decision follows its
  last one;
- *a guess to lean on*, of our own: the critic learns what is missing from the game's own guess of
  the full state, `evaluate`, which any game answers. It is potential-based shaping (Ng et al.,
  1999), so no policy becomes better or worse by it, but captured pieces are noticed long before
  the end of a game is. Hidden information goes into the baseline only, never into the policy.

From *Superhuman AI for Stratego* (2025) nothing was taken: its net of beliefs and its search
while playing need machines of another size. Damping its updates is what the magnet does here.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import tianxia
from tianxia.bots.match import play
from tianxia.bots.nets import FORMAT, RARE, Net, NetPlayer, meant
from tianxia.envs.imitation import Examples, imitate
from tianxia.envs.perceptron import Perceptron, Rows, improve, legal_table, sparse
from tianxia.envs.returns import advantages
from tianxia.envs.vector import VectorEnv
from tianxia.kernel import batches
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.registry import game as game_of
from tianxia.search.bot import Maker

COUNTS = ("envs", "steps", "epochs", "minibatches", "longest")
FREE = ("decisions", "rare")
"""Settings that may be others when training goes on."""
SIZES = ("width", "channels", "convolutions")
PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
CHECKPOINT, NET, CURVE, ONNX = "checkpoint.pt", "net.npz", "curve.jsonl", "net.onnx"
"""What a folder of training holds: see `Run`."""
SAVED = {"settings", "policy", "optimizer", "counts"}
"""What every checkpoint holds."""
SOON = 60.0
"""Seconds after which what was learnt is kept, however long it is until the next measure."""


@dataclass(frozen=True)
class Settings:
    """How a net learns.

    Attributes
    ----------
    game
        The game with its options, as text.
    decisions
        After how many decisions of its own it is done; rate and magnet weaken until then.
    envs, steps
        Games at once, and decisions in each between two updates.
    width, layers
        Of the net: units of a layer, and residual layers after the first.
    channels, convolutions
        Of the net, where a game has planes over a board.
    precision
        Of the convolutions while it learns: ``float32``, or ``bfloat16``, which takes half the
        time where a processor has units for it (AMX), or a graphics card.
    rate
        Of Adam, at the beginning; at the end it is a tenth.
    epochs, minibatches
        How often each decision is learnt from, and in how many parts at a time.
    clip
        How far the probability of an action may move by an update: PPO's ε.
    magnet, magnet_end
        Weight of the divergence from the uniform policy, in the first update and in the last;
        advantages have a variance of one.
    discount, trace
        See `tianxia.envs.returns.advantages`.
    guess
        How much of the game's own guess the critic leans on; 0 leaves it out.
    longest
        Decisions after which a game is broken off, as a draw.
    rare
        When the net plays: actions less likely than this part of the likeliest are left out.
    seed
        The same seed, machine and versions make the same net, where it learns on a processor.
    """

    game: str
    decisions: int = 2_000_000
    envs: int = 128
    steps: int = 128
    width: int = 256
    layers: int = 2
    channels: int = 32
    convolutions: int = 3
    precision: str = "float32"
    rate: float = 5e-4
    epochs: int = 2
    minibatches: int = 8
    clip: float = 0.2
    magnet: float = 0.05
    magnet_end: float = 0.005
    discount: float = 1.0
    trace: float = 0.95
    guess: float = 1.0
    longest: int = 2000
    rare: float = RARE
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        for name in COUNTS + SIZES:
            if getattr(self, name) < 1:
                raise TianxiaError(f"{name}={getattr(self, name)} should be at least 1")
        for name in ("decisions", "layers", "magnet", "magnet_end", "guess", "seed"):
            if not 0 <= getattr(self, name) < inf:
                raise TianxiaError(f"{name}={getattr(self, name)} should be a number from 0 on")
        for name in ("rate", "clip", "discount", "trace", "rare"):
            if not 0 < getattr(self, name) <= 1:
                raise TianxiaError(f"{name}={getattr(self, name)} should be above 0, at most 1")
        if self.precision not in PRECISIONS:
            raise TianxiaError(f"precision={self.precision} should be {' or '.join(PRECISIONS)}")
        if self.minibatches > self.envs * self.steps:
            raise TianxiaError("there are fewer decisions in an update than minibatches")


@dataclass
class Rollout:
    """Decisions of all games, one row after another.

    Attributes
    ----------
    seen, legal
        What was seen, and what could be done.
    taken
        Which of the legal actions was, counted from the row's first.
    chances
        The log-probability that it had.
    gains, returns, guesses
        How much better it was than expected, what came of it, and the game's own guess.
    known
        The rows of which that is known.
    """

    seen: Rows
    legal: Rows
    taken: Tensor
    chances: Tensor
    gains: Tensor
    returns: Tensor
    guesses: Tensor
    known: Tensor


class Learner:
    """Learns a game by playing it against itself.

    Parameters
    ----------
    settings
        How.
    device
        Where torch computes, such as ``cpu`` or ``cuda``; games are played by the processor.
    threads
        For torch on a processor, and for the games.
    """

    def __init__(self, settings: Settings, device: str = "cpu", threads: int = 1) -> None:
        torch.set_num_threads(threads)
        torch.manual_seed(settings.seed)
        self.settings, self.device = settings, torch.device(device)
        self.game: Game = game_of(settings.game)
        self.env = VectorEnv(
            self.game, settings.envs, settings.seed, threads, max_actions=settings.longest
        )
        self.policy = Perceptron(
            self.game, settings.width, settings.layers, settings.channels, settings.convolutions
        ).to(self.device)
        self.policy.compute_in(PRECISIONS[settings.precision])
        self.optimizer = torch.optim.Adam(self.policy.parameters(), settings.rate, eps=1e-5)
        self.decided, self.imitated, self.updates, self.seconds = 0, 0, 0, 0.0
        self.env.reset()

    @property
    def done(self) -> bool:
        """Whether it has decided as often as it was to."""
        return self.decided >= self.settings.decisions

    def update(self) -> dict[str, float]:
        """Play on in all games, learn from it, and return what can be measured of it."""
        begun, decided = time.process_time(), self.decided
        chance = np.random.default_rng((self.settings.seed, self.updates))
        rollout, measured = self._play(chance)
        measured |= self._learn(rollout, chance)
        took = time.process_time() - begun
        self.updates += 1
        self.seconds += took
        measured["speed"] = (self.decided - decided) / took
        return measured

    def imitate(self, examples: Examples, passes: int) -> Iterator[dict[str, float]]:
        """Learn from examples, all of them so many times; yield what was measured."""
        s, begun = self.settings, time.process_time()
        for measured in imitate(self.policy, examples, passes, s.rate, s.seed):
            took, learnt = time.process_time() - begun, measured.pop("learnt")
            self.seconds += took
            self.imitated += int(learnt)
            yield measured | {"speed": learnt / took}
            begun = time.process_time()

    # --- Playing ---

    def _play(self, chance: np.random.Generator) -> tuple[Rollout, dict[str, float]]:
        s, env, all_seen, all_legal = self.settings, self.env, [], []
        shape = (s.steps, s.envs)
        taken, seats = np.empty(shape, np.int64), np.empty(shape, np.int8)
        chances, values, guesses = (np.empty(shape, np.float32) for _ in range(3))
        rewards = np.empty((*shape, self.game.seats), np.float32)
        ended = np.empty(shape, np.bool_)
        for step in range(s.steps):
            seen = sparse(env.observations)
            actions, legal = legal_table(self.game, env.seats, env.masks)
            all_seen.append(seen)
            all_legal.append(legal)
            seats[step], guesses[step] = env.seats, self._guess()
            place, chances[step], values[step] = self._decide(seen, legal, chance)
            taken[step] = place - (np.cumsum(legal[2]) - legal[2])
            _, rewards[step], terminated, truncated = env.step(actions[place])
            ended[step] = terminated | truncated
        self.decided += s.steps * s.envs
        gains, known = advantages(seats, values + guesses, rewards, ended, s.discount, s.trace)
        returns = gains + values + guesses
        told = (
            torch.from_numpy(one.reshape(-1)).to(self.device)
            for one in (taken, chances, gains, returns, guesses, np.flatnonzero(known))
        )
        over = max(int(ended.sum()), 1)
        rows = (Rows.of(all_seen, self.device), Rows.of(all_legal, self.device))
        return Rollout(*rows, *told), {
            "games": float(ended.sum()),
            "length": s.steps * s.envs / over,
            "first_seat": float(rewards[..., 0].sum()) / over,
            "explained": _explained(returns[known], gains[known]),
        }

    def _guess(self) -> NDArray[np.float32]:
        """Return what the game itself expects for each acting seat."""
        if not self.settings.guess:
            return np.zeros(self.env.num_envs, np.float32)
        guessed = batches.evaluate(self.game, self.env.pool, threads=self.env.threads)
        own = guessed[np.arange(self.env.num_envs), self.env.seats]
        return (self.settings.guess * own).astype(np.float32)

    @torch.no_grad()
    def _decide(
        self, seen: Any, legal: Any, chance: np.random.Generator
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Draw an action for each game: its place in `legal`, its log-probability, the value."""
        tables = Rows.of([seen], self.device), Rows.of([legal], self.device)
        chances, _, correction = (one.cpu().numpy() for one in self.policy.think(*tables))
        last = np.cumsum(legal[2])
        first = last - legal[2]
        sums = np.concatenate(([0.0], np.cumsum(np.exp(chances, dtype=np.float64))))
        tickets = sums[first] + chance.random(len(first)) * (sums[last] - sums[first])
        place = np.clip(np.searchsorted(sums, tickets, side="right") - 1, first, last - 1)
        return place, chances[place], correction

    # --- Learning ---

    def _learn(self, rollout: Rollout, chance: np.random.Generator) -> dict[str, float]:
        s = self.settings
        left = max(0.0, 1 - self.decided / max(s.decisions, 1))
        magnet = s.magnet_end + (s.magnet - s.magnet_end) * left
        gains = rollout.gains[rollout.known]
        rollout.gains = (rollout.gains - gains.mean()) / (gains.std() + 1e-6)
        totals: list[Tensor] = []
        for _ in range(s.epochs):
            order = torch.from_numpy(chance.permutation(len(gains))).to(self.device)
            for part in rollout.known[order].tensor_split(s.minibatches):
                loss, found = self._loss(rollout, part, magnet)
                improve(self.optimizer, loss, s.rate * (0.1 + 0.9 * left))
                totals.append(found)
        names = ("policy_loss", "value_loss", "entropy", "moved", "clipped")
        means = torch.stack(totals).mean(0).tolist()
        return dict(zip(names, means, strict=True)) | {"magnet": magnet}

    def _loss(self, rollout: Rollout, part: Tensor, magnet: float) -> tuple[Tensor, Tensor]:
        s, legal = self.settings, rollout.legal.take(part)
        chances, value, correction = self.policy.think(rollout.seen.take(part), legal)
        moved = chances[legal.starts + rollout.taken[part]] - rollout.chances[part]
        ratio, gains = moved.exp(), rollout.gains[part]
        clipped = ratio.clamp(1 - s.clip, 1 + s.clip)
        policy_loss = -torch.min(ratio * gains, clipped * gains).mean()
        returns = rollout.returns[part]
        value_loss = (correction + rollout.guesses[part] - returns).square().mean()
        value_loss = value_loss + (value - returns).square().mean()
        entropy = -(chances.exp() * chances).sum() / len(part)
        loss = policy_loss + 0.5 * value_loss - magnet * entropy
        apart = (ratio - 1 - moved).mean()  # the divergence from the last policy, estimated
        far = ((ratio - 1).abs() > s.clip).float().mean()
        return loss, torch.stack([policy_loss, value_loss, entropy, apart, far]).detach()

    # --- Keeping ---

    def net(self) -> Net:
        """Return the net as it is now, to play or to be saved."""
        weights = {
            name: np.array(array.detach().cpu().numpy(), order="C")
            for name, array in self.policy.weights().items()
        }
        about = {
            "format": FORMAT,
            **meant(self.game),
            "tianxia": tianxia.__version__,
            "decisions": self.decided,
            "imitated": self.imitated,
            "cpu_seconds": round(self.seconds),
            "rare": self.settings.rare,
            "settings": asdict(self.settings),
        }
        return Net(about, weights)

    def save(self, file: Path) -> None:
        """Write all that training needs to go on; what was there is replaced as a whole."""
        beside = file.with_name(f"{file.name}.part")
        torch.save(
            {
                "settings": asdict(self.settings),
                "policy": self.policy.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "counts": (self.decided, self.updates, self.seconds),
                "imitated": self.imitated,
            },
            beside,
        )
        beside.replace(file)

    def resume(self, file: Path) -> None:
        """Go on where `save` was called; the games that went on then begin anew.

        Raises
        ------
        TianxiaError
            Where it was trained with other settings, those in `FREE` aside.
        """
        kept = self._kept(file)
        for name, value in asdict(Settings(**kept["settings"])).items():
            if name not in FREE and value != (now := getattr(self.settings, name)):
                raise TianxiaError(f"{str(file)!r} was trained with {name}={value}, not {now}")
        try:
            self.policy.load_state_dict(kept["policy"])
        except RuntimeError as error:
            raise TianxiaError(f"{str(file)!r} is of a net that sees other features") from error
        self.optimizer.load_state_dict(kept["optimizer"])
        self.decided, self.updates, self.seconds = kept["counts"]
        self.imitated = kept.get("imitated", 0)
        self.env.reset(self.settings.seed + self.updates)

    def _kept(self, file: Path) -> dict[str, Any]:
        """Return what `save` wrote; raise TianxiaError for what it did not, or a newer one did."""
        try:
            kept = torch.load(file, map_location=self.device, weights_only=True)
        except OSError:
            raise
        except Exception as error:  # torch takes any bytes for instructions, and stumbles anywhere
            raise TianxiaError(f"{str(file)!r} is not a checkpoint of the learner") from error
        if not isinstance(kept, dict) or not kept.keys() >= SAVED:
            raise TianxiaError(f"{str(file)!r} is not a checkpoint of the learner")
        if unknown := sorted(kept["settings"].keys() - asdict(self.settings).keys()):
            text = f"{str(file)!r} was trained with {unknown[0]}, which this Tianxia does not know"
            raise TianxiaError(text)
        return kept

    def export(self, file: Path) -> None:
        """Write the net as ONNX: ``features`` (n, features) to ``logits`` and ``value``."""
        example = torch.zeros(2, self.game.features, device=self.device)
        self.policy.compute_in(torch.float32)
        torch.onnx.export(
            self.policy.eval(),
            (example,),
            str(file),
            input_names=["features"],
            output_names=["logits", "value"],
            dynamic_shapes=({0: torch.export.Dim("n")},),
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def _explained(returns: NDArray[np.float32], gains: NDArray[np.float32]) -> float:
    """Return which part of what came was foreseen; 1 is all of it."""
    return float(1 - gains.var() / max(float(returns.var()), 1e-8))


# --- How good it is ---


def trial(net: Net, game: Game, other: str | Maker, games: int, seed: int = 0) -> float:
    """Return a net's share of the win against another bot; it changes seats from game to game.

    As in the arena, a win together with k others counts as 1/k.
    """
    total = 0.0

    def ours(game: Game, seat: int, seed: int) -> NetPlayer:
        return NetPlayer(net, game, seat, seed)

    for number in range(games):
        seat = number % game.seats
        makers: list[str | Maker] = [other] * game.seats
        makers[seat] = ours
        utilities = play(game, makers, seed * games + number // game.seats).utilities()
        best = [one == max(utilities) for one in utilities]
        total += best[seat] / sum(best)
    return total / games


@dataclass
class Run:
    """Training in a folder, which goes on where it was stopped.

    The folder holds ``net.npz``, the net to play by; ``checkpoint.pt``, to go on from;
    ``curve.jsonl``, a line for each time that it was measured; and what TensorBoard shows.

    Parameters
    ----------
    learner
        What learns.
    folder
        Where it is kept.
    others
        Bots that the net is measured against.
    every
        Decisions between two measures.
    games
        Games of a measure, against each of `others`.
    examples
        What it learns from before it plays by itself, if anything.
    passes
        How many times.
    """

    learner: Learner
    folder: Path
    others: tuple[str, ...] = ("random",)
    every: int = 200_000
    games: int = 40
    examples: Examples | None = None
    passes: int = 2

    @property
    def imitating(self) -> bool:
        """Whether examples are still learnt from; nothing is kept before that is done."""
        return self.examples is not None and not (self.folder / CHECKPOINT).exists()

    def __iter__(self) -> Iterator[dict[str, float]]:
        """Learn until all is done; yield what was measured after each update, or some examples."""
        from torch.utils.tensorboard import SummaryWriter

        learner, checkpoint = self.learner, self.folder / CHECKPOINT
        self.folder.mkdir(parents=True, exist_ok=True)
        if checkpoint.exists():
            learner.resume(checkpoint)
            if self.examples is not None and not learner.imitated:
                text = f"{str(checkpoint)!r} has begun without examples: name another folder"
                raise TianxiaError(text)
        board = SummaryWriter(str(self.folder))  # begins a file of its own
        kept = time.monotonic()
        try:
            if self.imitating and self.examples is not None:
                yield from self._imitate(self.examples, board)
            while not learner.done:
                before = learner.decided // self.every
                measured = learner.update()
                if learner.decided // self.every > before or learner.done:
                    measured |= self.measure()
                elif time.monotonic() - kept > SOON:
                    self.keep()
                    kept = time.monotonic()
                for name, value in measured.items():
                    board.add_scalar(name, value, learner.decided)
                yield measured
        finally:
            board.close()

    def _imitate(self, examples: Examples, board: Any) -> Iterator[dict[str, float]]:
        """Learn from examples; what was learnt is measured, and kept, at the end."""
        for measured in self.learner.imitate(examples, self.passes):
            found = measured | (self.measure() if "unseen_as_done" in measured else {})
            for name, value in found.items():
                board.add_scalar(name, value, self.learner.imitated)
            yield found

    def keep(self) -> Net:
        """Write the net as it is, and what it takes to go on."""
        net = self.learner.net()
        self.learner.save(self.folder / CHECKPOINT)
        net.save(self.folder / NET)
        return net

    def measure(self) -> dict[str, float]:
        """Keep the net as it is, and let it play against the others."""
        learner, net = self.learner, self.keep()
        found = {f"against_{one}": trial(net, learner.game, one, self.games) for one in self.others}
        line = {"decisions": learner.decided, "cpu_seconds": round(learner.seconds), **found}
        with (self.folder / CURVE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return found
