"""Learning from games of others, with torch: `.ci/learn` runs these."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

import tianxia
from tests.envs.test_learning import SMALL, learner, weights_of
from tianxia.arena.data import Data, DataError
from tianxia.bots.nets import Net
from tianxia.cli import app
from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.opinions import Opinion

if TYPE_CHECKING:
    from tianxia.envs.imitation import Examples

pytestmark = [
    pytest.mark.learn,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
GAME = "firebulls(players=2)"


class Last:
    """Always does the last thing that it may, or where it is `unsure` anything."""

    unsure = False

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.seat, self.rng = seat, new_rng(seed)

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Remember nothing."""

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return it."""
        legal = view.legal_actions(self.seat)
        return legal[below(self.rng, len(legal)) if self.unsure else -1]


class Pupil(Last):
    """Does anything, and says that it should have done the last thing."""

    unsure = True

    def opinion(self, view: State) -> Opinion:
        """Return what is to be learnt from it."""
        legal = view.legal_actions(self.seat)
        return Opinion(policy=[0.0] * (len(legal) - 1) + [1.0])


def played(bots: str, file: Path, game: str = GAME, games: int = 40) -> Path:
    command = ["selfplay", game, *bots.split(), "--games", str(games), "--out", str(file)]
    result = CliRunner().invoke(app, [*command, "--workers", "1"])
    assert result.exit_code == 0, result.output
    return file


def examples(*files: Path, game: str = GAME, player: str = "") -> Examples:
    from tianxia.envs.imitation import Examples

    return Examples(files, tianxia.game(game), player)


@pytest.mark.parametrize("bot", ["Last", "Pupil"])
def test_a_net_learns_what_was_done_or_should_have_been(bot: str, tmp_path: Path) -> None:
    found = examples(played(f"{__name__}:{bot}", tmp_path / "games.parquet"))
    one = learner(GAME, rate=1e-2)
    *_, last = one.imitate(found, passes=6)
    assert last["unseen_as_done"] > 0.8
    assert one.imitated == 6 * found.known


def test_forced_decisions_and_one_game_of_twenty_are_left_out(tmp_path: Path) -> None:
    file = played("random", tmp_path / "games.parquet")
    found, table = examples(file), Data(file).decisions(["game", "legal"])
    free = table["game"].to_numpy()[table["legal"].to_numpy() > 1]
    assert found.known == (free % 20 != 0).sum()
    assert len(found.views) == len(free) < len(table)
    assert len(examples(file, file).views) == 2 * len(free)


def test_one_player_alone_may_be_imitated(tmp_path: Path) -> None:
    last = f"{__name__}:Last"
    found = examples(played(f"{last} random", tmp_path / "games.parquet"), player=last)
    for view, seat, action in zip(found.views, found.seats, found.actions, strict=True):
        legal = found.game.from_record(view.reshape(1)).legal_actions(int(seat))
        assert action == legal[-1]
    with pytest.raises(DataError, match=r"novice is not in .*games.parquet: random, tests"):
        examples(tmp_path / "games.parquet", player="novice")


def test_results_are_learnt_too(tmp_path: Path) -> None:
    """Who is bound to win by the last decision expects to."""
    found = examples(played("random", tmp_path / "games.parquet", games=100))
    one = learner(GAME, rate=1e-2, width=32)
    list(one.imitate(found, passes=4))
    _, value = one.net().evaluate(np.array([game_end(found, place) for place in range(200)]))
    assert np.corrcoef(value, found.results[-200:])[0, 1] > 0.3


def game_end(found: Examples, place: int) -> Any:
    from tianxia.kernel import batches

    return batches.encode(found.game, found.views[-200 + place :][:1])[0]


def test_games_of_another_kind_are_refused(tmp_path: Path) -> None:
    file = played("random", tmp_path / "games.parquet", "suntzu", 1)
    with pytest.raises(DataError, match="holds games of suntzu, not of firebulls"):
        examples(file)
    with pytest.raises(DataError, match="too few games"):
        examples(file, game="suntzu")
    with pytest.raises(DataError, match="there is no file"):
        examples(tmp_path / "nothing.parquet")


def command(folder: Path, *more: str) -> Any:
    words = ["learn", GAME, "--folder", str(folder), "--games", "2", *more]
    words += [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
    return CliRunner().invoke(app, words)


def test_the_command_imitates_and_then_plays_by_itself(tmp_path: Path) -> None:
    file, folder = played("random", tmp_path / "games.parquet"), tmp_path / "trained"
    result = command(folder, "--decisions", "0")
    assert result.exit_code == 2
    assert "--imitate" in result.output
    imitating = ("--imitate", str(file), "--passes", "2")
    assert command(folder, *imitating, "--decisions", "0").exit_code == 0
    net = Net.load(folder / "net.npz")
    assert net.about["imitated"] == 2 * examples(file).known
    assert net.about["decisions"] == 0
    again = command(folder, *imitating, "--decisions", "0")  # nothing is left to do
    assert again.exit_code == 0
    assert Net.load(folder / "net.npz").about["imitated"] == net.about["imitated"]
    assert command(folder, *imitating, "--decisions", "256").exit_code == 0
    after = Net.load(folder / "net.npz")
    assert (after.about["decisions"], after.about["imitated"]) == (256, net.about["imitated"])
    assert (after.weights["policy"] != net.weights["policy"]).any()
    assert command(tmp_path / "own", "--decisions", "256").exit_code == 0
    late = command(tmp_path / "own", *imitating)
    assert late.exit_code == 2
    assert "has begun without examples" in " ".join(late.output.split())
    of = command(tmp_path / "own", "--of", "random", "--decisions", "256")
    assert (of.exit_code, "name their files by --imitate" in of.output) == (2, True), of.output


def test_imitation_that_is_broken_off_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tianxia.envs import learning
    from tianxia.envs.learning import Run

    found = examples(played("random", tmp_path / "games.parquet"))
    monkeypatch.setattr("tianxia.envs.imitation.TOLD", 1)
    first = Run(learner(GAME, decisions=0), tmp_path / "trained", examples=found, passes=1)
    next(iter(first))
    assert first.imitating
    assert not (tmp_path / "trained" / learning.CHECKPOINT).exists()
    one, other = learner(GAME, decisions=0), learner(GAME, decisions=0)
    list(Run(one, tmp_path / "trained", games=2, examples=found, passes=1))
    list(other.imitate(found, passes=1))
    assert weights_of(one) == weights_of(other)
