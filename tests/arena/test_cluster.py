"""Matches on a Ray cluster of two machines, which are processes here: `.ci/learn` installs Ray."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import tianxia
from tests.arena.helpers import BARRAGE, HERE, match
from tianxia.arena import Archive, Outcome, Plan, run
from tianxia.arena.archive import GAMES
from tianxia.arena.made import Made
from tianxia.cli import app
from tianxia.kernel import mode
from tianxia.search.uniform import Uniform

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

pytestmark = [
    pytest.mark.learn,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
MARKS = "TIANXIA_TEST_MARKS"
"""Where bots leave word of what they did, for the test to read."""
PLACED, MORTAL = f"{__name__}:Placed", f"{__name__}:Mortal"


class Placed(Uniform):
    """Leaves word of the machine that it plays on."""

    def __init__(self, *seated: Any) -> None:
        import ray

        super().__init__(*seated)
        Path(os.environ[MARKS], ray.get_runtime_context().get_node_id()).touch()


class Mortal(Uniform):
    """Takes its process with it, once in all."""

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        mark = Path(os.environ[MARKS], "died")
        if self.decided == 3 and "RAY_RAYLET_PID" in os.environ and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view, deadline)


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("marks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARKS, str(folder))
        yield folder


@pytest.fixture(scope="module")
def cluster(marks: Path) -> Iterator[Cluster]:
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    found.add_node(num_cpus=1)
    yield found
    found.shutdown()


def played_on(
    cluster: Cluster, folder: Path, *players: str, games: int, **wishes: Any
) -> Iterator[Outcome]:
    plan = Plan(BARRAGE, players, games, longest=60, **wishes)
    return run(Archive(folder, plan), ray=cluster.address)


def kept(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in (folder / GAMES).iterdir()}


def without_times(outcomes: list[Outcome]) -> list[Outcome]:
    none: dict[str, Any] = {"seconds": [], "slowest": [], "cpu": []}
    return [replace(one, **none) for one in sorted(outcomes, key=lambda one: one.number)]


def test_it_plays_the_same_games_on_all_machines(
    cluster: Cluster, marks: Path, tmp_path: Path
) -> None:
    here = match(tmp_path / "here", f"{HERE}:Thoughtful", "skirmisher", games=8)
    there = list(
        played_on(cluster, tmp_path / "there", f"{HERE}:Thoughtful", "skirmisher", games=8)
    )
    assert without_times(there) == without_times(here)
    assert kept(tmp_path / "there") == kept(tmp_path / "here")
    assert any(name.endswith(".json") for name in kept(tmp_path / "there"))  # what bots thought
    list(played_on(cluster, tmp_path / "placed", PLACED, "random", games=12))
    assert {one.name for one in marks.iterdir()} == {
        node.node_id for node in cluster.list_all_nodes()
    }


def test_a_process_that_dies_costs_nothing(cluster: Cluster, marks: Path, tmp_path: Path) -> None:
    whole = match(tmp_path / "whole", MORTAL, "random", games=6)
    died = list(played_on(cluster, tmp_path / "died", MORTAL, "random", games=6))
    assert (marks / "died").exists()
    assert without_times(died) == without_times(whole)
    assert kept(tmp_path / "died") == kept(tmp_path / "whole")


def test_broken_off_it_goes_on_with_fewer_machines(cluster: Cluster, tmp_path: Path) -> None:
    here = match(tmp_path / "here", "sergeant", "random", games=16)
    lost = cluster.add_node(num_cpus=1)
    begun = played_on(cluster, tmp_path / "there", "sergeant", "random", games=16)
    first = [next(begun) for _ in range(3)]
    cluster.remove_node(lost, allow_graceful=False)
    first.append(next(begun))
    begun.close()  # type: ignore[attr-defined]  # as by Ctrl-C
    rest = list(played_on(cluster, tmp_path / "there", "sergeant", "random", games=16))
    assert len(rest) == 12
    assert without_times(first + rest) == without_times(here)
    assert kept(tmp_path / "there") == kept(tmp_path / "here")


def test_the_commands_play_on_a_cluster(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mode, "interpret", lambda: None)  # this process has settled that
    command = ["selfplay", "suntzu", "random", "-n", "4", "--seed", "3"]
    for name, where in (("here", ["-j", "1"]), ("there", ["--ray", cluster.address])):
        file = str(tmp_path / f"{name}.parquet")
        result = CliRunner().invoke(app, [*command, *where, "--out", file])
        assert result.exit_code == 0, result.output
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()
    folder = str(tmp_path / "match")
    command = ["arena", BARRAGE, "random", "random", "-n", "2", "--longest", "30"]
    result = CliRunner().invoke(app, [*command, "--folder", folder, "--ray", cluster.address])
    assert result.exit_code == 0, result.output
    assert "50" in result.output


def test_what_is_wrong_is_said(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(BARRAGE, ("random", "random"), 2, longest=30)
    with pytest.raises(tianxia.TianxiaError, match="no Ray cluster answers at nowhere"):
        list(run(Archive(tmp_path / "a", plan), ray="nowhere"))
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"):  # at once
        with pytest.raises(tianxia.TianxiaError, match=f"no Ray cluster answers at {address}: "):
            list(run(Archive(tmp_path / "a", plan), ray=address))
    made = Made.now(tianxia.game(BARRAGE), plan.players)
    other = dict.fromkeys(made.bots, "0")
    monkeypatch.setattr(Made, "now", lambda *_: replace(made, bots=other))
    with pytest.raises(tianxia.TianxiaError, match="something else installed: random was 0, now"):
        list(run(Archive(tmp_path / "b", plan), ray=cluster.address))
