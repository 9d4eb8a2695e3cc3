"""The learner, with torch: `.ci/learn` runs these, in an environment of their own.

    python -m tests.envs.test_learning

writes the small net that tests/bots/test_nets.py reads, and what torch says of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

import tianxia
from tianxia.bots import play
from tianxia.bots.nets import Net
from tianxia.cli import app
from tianxia.envs.vector import VectorEnv

if TYPE_CHECKING:
    from tianxia.envs.learning import Learner

pytestmark = [
    pytest.mark.learn,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of torch's export, in itself
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
SMALL: dict[str, Any] = {"envs": 16, "steps": 16, "width": 8, "layers": 1, "minibatches": 2}
STORED = Path(__file__).parents[1] / "bots" / "suntzu.npz"


def learner(game: str = "suntzu", **settings: Any) -> Learner:
    from tianxia.envs.learning import Learner, Settings

    return Learner(Settings(game, **{**SMALL, **settings}))


def some_features(count: int = 6, game: str = "suntzu") -> np.ndarray:
    env, chooser = VectorEnv(game, count, seed=9), np.random.default_rng(9)
    env.reset()
    for _ in range(25):
        env.step(env.sample_actions(chooser))
    return env.observations.copy()


def said_by_torch(learning: Learner, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    import torch

    with torch.no_grad():
        logits, value = learning.policy(torch.from_numpy(features))
    return logits.numpy(), value.numpy()


def weights_of(learning: Learner) -> bytes:
    return b"".join(array.tobytes() for array in learning.net().weights.values())


@pytest.mark.parametrize("game", ["suntzu", "stratego(variant=barrage)"])
def test_numpy_and_onnx_say_what_torch_says(game: str, tmp_path: Path) -> None:
    import onnxruntime

    one = learner(game, channels=4)
    one.update()
    features = some_features(6, game)
    logits, value = said_by_torch(one, features)
    one.net().save(tmp_path / "net.npz")
    found = Net.load(tmp_path / "net.npz").evaluate(features)
    one.export(tmp_path / "net.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    for rows in (len(features), 1):
        told = session.run(["logits", "value"], {"features": features[:rows]})
        for other in (found, told):
            assert np.allclose(other[0][:rows], logits[:rows], atol=1e-5)
            assert np.allclose(other[1][:rows], value[:rows], atol=1e-5)


def test_convolutions_may_be_learnt_in_half_the_precision() -> None:
    import torch

    game = "stratego(variant=barrage)"
    one = learner(game, channels=4, precision="bfloat16")
    assert 0 < one.update()["entropy"] < 4
    features = some_features(6, game)
    rough, _ = said_by_torch(one, features)
    exact, _ = one.net().evaluate(features)
    assert not (rough == exact).all()
    assert np.allclose(rough, exact, atol=0.05)
    one.policy.compute_in(torch.float32)
    assert np.allclose(said_by_torch(one, features)[0], exact, atol=1e-5)
    with pytest.raises(tianxia.TianxiaError, match="float32 or bfloat16"):
        learner(precision="half")


def test_it_learns() -> None:
    """A few seconds of self-play beat random play, which an untrained net does not."""
    from tianxia.envs.learning import trial

    one = learner(decisions=100_000, envs=64, steps=64, width=64, minibatches=4)
    game = tianxia.game("suntzu")
    before = trial(one.net(), game, "random", 60)
    first = one.update()
    while not one.done:
        last = one.update()
    after = trial(one.net(), game, "random", 60)
    assert before < 0.65
    assert after > 0.75
    assert last["entropy"] < first["entropy"]
    assert last["magnet"] < first["magnet"]


def test_the_same_seed_makes_the_same_net() -> None:
    one, again, other = learner(seed=3), learner(seed=3), learner(seed=4)
    for each in (one, again, other):
        each.update()
    assert weights_of(one) == weights_of(again) != weights_of(other)


def test_training_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from tianxia.envs import learning
    from tianxia.envs.learning import CHECKPOINT, CURVE, NET, Run

    first = learner(decisions=600)
    list(Run(first, tmp_path, every=10**9, games=2))
    assert first.done
    kept = Net.load(tmp_path / NET).about["decisions"]
    assert kept == first.decided == 768
    second = learner(decisions=1200)
    second.resume(tmp_path / CHECKPOINT)
    assert weights_of(second) == weights_of(first)
    measured = list(Run(learner(decisions=1200), tmp_path, every=10**9, games=2))
    assert len(measured) == 2
    monkeypatch.setattr(learning, "SOON", 0.0)
    third = iter(Run(learner(decisions=2400), tmp_path / "soon", every=10**9, games=2))
    next(third)
    assert (tmp_path / "soon" / CHECKPOINT).exists()  # before anything is measured
    curve = [json.loads(line) for line in (tmp_path / CURVE).read_text().splitlines()]
    assert [line["decisions"] for line in curve] == [768, 1280]
    assert all(0 <= line["against_random"] <= 1 for line in curve)
    logs = list(tmp_path.glob("events.out.tfevents.*"))
    assert logs
    with pytest.raises(tianxia.TianxiaError, match=r"was trained with rate=0\.0005, not"):
        learner(rate=0.01).resume(tmp_path / CHECKPOINT)
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    kept["policy"]["first"] = kept["policy"]["first"][1:]  # as if there had been other features
    torch.save(kept, tmp_path / "other.pt")
    with pytest.raises(tianxia.TianxiaError, match="sees other features"):
        learner().resume(tmp_path / "other.pt")
    kept["settings"]["unheard_of"] = 1
    torch.save(kept, tmp_path / "other.pt")
    with pytest.raises(tianxia.TianxiaError, match="unheard_of, which this Tianxia does not know"):
        learner().resume(tmp_path / "other.pt")
    torch.save([1, 2], tmp_path / "other.pt")
    for content in (b"nothing", b"hello\n", b"", (tmp_path / "other.pt").read_bytes()):
        (tmp_path / CHECKPOINT).write_bytes(content)
        with pytest.raises(tianxia.TianxiaError, match="is not a checkpoint"):
            next(iter(Run(learner(), tmp_path)))
    assert list(tmp_path.glob("events.out.tfevents.*")) == logs  # what is refused leaves no log


def test_every_game_is_learnt_by_the_same_code() -> None:
    for spec in ("china(players=3)", "stratego"):
        one = learner(spec, envs=4, steps=8)
        assert np.isfinite(list(one.update().values())).all()
        one.net().check(tianxia.game(spec))


def test_settings_that_make_no_sense_are_refused() -> None:
    wrong: dict[str, Any] = {"envs": 0, "rate": 2.0, "magnet": -1, "minibatches": 1000}
    wrong["guess"] = float("nan")
    for name, value in {**wrong, "magnet_end": float("inf")}.items():
        with pytest.raises(tianxia.TianxiaError):
            learner(**{name: value})


def test_the_command_trains_a_net_that_plays(tmp_path: Path) -> None:
    words = ["learn", "suntzu", "--folder", str(tmp_path), "--decisions", "500", "--games", "2"]
    words += [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
    result = CliRunner().invoke(app, [*words, "--onnx"])
    assert result.exit_code == 0, result.output
    assert "against random" in result.output
    assert (tmp_path / "net.onnx").exists()
    assert play(tianxia.game("suntzu"), [f"net:{tmp_path}/net.npz", "random"]).over
    result = CliRunner().invoke(app, [*words, "--set", "width=16"])
    assert result.exit_code == 2
    assert "was trained with width=8, not 16" in " ".join(result.output.split())


def test_a_device_that_there_is_not_is_told(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a graphics card")
    words = ["learn", "suntzu", "--folder", str(tmp_path), "--decisions", "500", "--device", "cuda"]
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, "--device cuda: " in result.output) == (2, True), result.output


def write_stored() -> None:
    one, features = learner(width=4), some_features(4)
    for _ in range(8):
        one.update()
    one.net().save(STORED)
    logits, value = said_by_torch(one, features)
    said = {"features": features, "logits": logits, "value": value}
    np.savez_compressed(STORED.with_name("suntzu-said.npz"), **said)  # type: ignore[arg-type]


if __name__ == "__main__":
    write_stored()
