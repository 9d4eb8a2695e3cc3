"""Games as Parquet: what is in the files, and that it does not depend on how they were made."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import tianxia
from tests.arena.helpers import BARRAGE, HERE, match
from tests.tables.helpers import against_bot, people, play_out
from tianxia.arena import Archive, Plan
from tianxia.arena.data import KEY, Data, DataError, games_file, write_archive
from tianxia.cli import app
from tianxia.kernel import batches, mode
from tianxia.search.bot import BotError
from tianxia.search.opinions import Opinion, opinion
from tianxia.tables import Tables

TOY = "blind-duel"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANG", "en")
    monkeypatch.setattr(mode, "interpret", lambda: None)  # this process has settled that


def run(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [str(word) for word in words])
    return found.exit_code, " ".join(found.output.split())


def selfplay(file: Path, *words: object) -> None:
    status, said = run("selfplay", TOY, "--out", file, "-j", 1, "--seed", 3, *words)
    assert status == 0, said


def test_a_row_is_what_a_seat_decided_from_what_it_knew(tmp_path: Path) -> None:
    selfplay(tmp_path / "a.parquet", f"{HERE}:Thoughtful", "random", "-n", 4)
    data = Data(tmp_path / "a.parquet")
    rows, games = data.decisions().to_pylist(), data.games().to_pylist()
    assert [one["game"] for one in games] == [0, 1, 2, 3]
    assert [one["players"][0] for one in games] == [f"{HERE}:Thoughtful", "random"] * 2
    assert len({one["seed"] for one in games}) == 4
    assert sum(one["decisions"] for one in games) == len(rows)
    views = data.views()
    assert len(views) == len(rows)
    masks = batches.mask(data.game, views, np.array([row["seat"] for row in rows]))
    for row, view, mask in zip(rows, views, masks, strict=True):
        game = games[row["game"]]
        thoughtful = game["players"][row["seat"]] != "random"
        assert mask[row["action"]] == 1
        assert mask.sum() == row["legal"]
        assert int(view["viewer"]) == row["seat"] + 1
        assert row["result"] == game["utilities"][row["seat"]]
        assert row["value"] == (0.25 if thoughtful else None)
        assert (row["policy"] is not None) == thoughtful
        if thoughtful:
            assert len(row["policy"]) == row["legal"]
    assert data.views(data.decisions()["view"].slice(5, 2)).tobytes() == views[5:7].tobytes()
    about = data.about
    assert (about["source"], about["plan"]["seed"]) == ("selfplay", 3)
    assert about["rules_version"] == data.game.rules_version
    assert about["versions"]["tianxia"] == tianxia.__version__
    assert set(about["made"]["bots"]) == {f"{HERE}:Thoughtful", "random"}


def test_interrupted_it_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.parquet", tmp_path / "cut.parquet"
    selfplay(whole, "search", "-n", 3, "--longest", 12)
    plan = Plan(
        tianxia.game(TOY).spec, ("search", "search"), 3, 3, longest=12, paired=False
    )  # what a run leaves that was killed after its last game but one
    archive = Archive(cut.with_name("cut.parquet.part"), plan)
    from tianxia.arena.table import Table

    table = Table(plan, archive.folder)
    for fixture in reversed(list(plan.fixtures())[1:]):  # another worker was faster
        archive.keep(table.play(fixture))
    selfplay(cut, "search", "-n", 3, "--longest", 12)
    assert not archive.folder.exists()
    assert whole.read_bytes() == cut.read_bytes()
    assert games_file(whole).read_bytes() == games_file(cut).read_bytes()
    policies = Data(whole).decisions().to_pylist()
    searched = [row for row in policies if row["legal"] > 1]
    assert all(sum(row["policy"]) == pytest.approx(1) for row in searched)
    assert all(sum(row["visits"]) >= 2000 for row in searched)
    status, said = run("selfplay", TOY, "search", "-n", 3, "--seed", 3, "--longest", 12,
                       "--out", whole)  # fmt: skip
    assert (status, "there already" in said) == (0, True)
    status, said = run("selfplay", TOY, "search", "-n", 4, "--seed", 3, "--out", whole)
    assert (status, "holds other games" in said) == (2, True)


def test_the_arena_writes_its_games_too(tmp_path: Path) -> None:
    outcomes = match(tmp_path / "match", f"{HERE}:Cheat", "random")
    plan = Plan(BARRAGE, (f"{HERE}:Cheat", "random"), 2, longest=60)
    file = tmp_path / "match.parquet"
    assert write_archive(file, Archive(tmp_path / "match", plan)) == len(outcomes)
    games = pl.read_parquet(games_file(file))
    assert games["end"].to_list() == ["illegal", "illegal"]
    assert games["utilities"].to_list() == [[-1, 1], [1, -1]]
    status, said = run("arena", BARRAGE, "random", "random", "-n", 2, "-j", 1, "--longest", 20,
                       "--data", tmp_path / "arena.parquet")  # fmt: skip
    assert (status, Data(tmp_path / "arena.parquet").games().num_rows) == (0, 2), said


def test_the_arena_writes_over_nothing_but_its_own_games(tmp_path: Path) -> None:
    own, folder = tmp_path / "own.parquet", tmp_path / "match"
    words = ("arena", TOY, "random", "random", "-j", 1, "--folder", folder, "--data")
    for count in (2, 4):
        status, said = run(*words, own, "-n", count)
        assert (status, Data(own).games().num_rows) == (0, count), said
    selfplay(tmp_path / "other.parquet", "random", "-n", 1)
    (tmp_path / "text.parquet").write_text("text")
    for name, said in (
        ("other.parquet", "holds other games"),
        ("text.parquet", "not a Parquet"),
        ("none/a.parquet", "there is no folder"),
    ):
        before = {file: file.read_bytes() for file in tmp_path.glob("*.parquet")}
        status, told = run(*words, tmp_path / name, "-n", 6)
        assert (status, said in told) == (2, True), told
        assert {file: file.read_bytes() for file in tmp_path.glob("*.parquet")} == before
    assert (folder / "results.jsonl").read_text(encoding="utf-8").count("\n") == 4


def test_a_seed_is_no_larger_than_files_hold(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    status, said = run("selfplay", TOY, "random", "-n", 1, "--seed", 10**18, "--out", file)
    assert (status, "100000000000" in said) == (2, True), said
    status, said = run("selfplay", TOY, "random", "-n", 1, "-j", 1, "--seed", 10**11, "--out", file)
    assert (status, Data(file).games()["seed"][0].as_py() > 10**17) == (0, True), said


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"rules_version": 99}, "was played under version 99"),
        ({"record_bytes": 3}, "has records of 3 bytes"),
        ({"format": 9}, "is of format 9"),
        ({"rows": "games"}, "is one of games"),
    ],
)
def test_what_cannot_be_read_says_so(tmp_path: Path, change: dict[str, Any], text: str) -> None:
    selfplay(tmp_path / "a.parquet", "random", "-n", 1, "--longest", 10)
    table = pq.read_table(tmp_path / "a.parquet")
    facts = {**json.loads(table.schema.metadata[KEY]), **change}
    table = table.replace_schema_metadata({KEY: json.dumps(facts)})
    pq.write_table(table, tmp_path / "b.parquet")
    with pytest.raises(DataError, match=text):
        Data(tmp_path / "b.parquet")


def test_other_peoples_files_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("text")
    for name, text in (
        ("other", "no games of Tianxia"),
        ("text", "not a Parquet"),
        ("x", "no file"),
    ):
        with pytest.raises(DataError, match=text):
            Data(tmp_path / f"{name}.parquet")


def test_without_pyarrow_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, said = run("selfplay", TOY, "random", "--out", tmp_path / "a.parquet")
    assert (status, 'pip install ".[lab]" in a clone' in said) == (2, True)


def test_what_is_asked_for_is_there_or_told(tmp_path: Path) -> None:
    status, said = run("selfplay", TOY, "random", "--out", tmp_path / "none" / "a.parquet")
    assert (status, "there is no folder" in said) == (2, True), said
    assert not (tmp_path / "none").exists()
    selfplay(tmp_path / "a.parquet", "random", "-n", 1)
    data = Data(tmp_path / "a.parquet")
    assert data.decisions(["seat", "action"]).column_names == ["seat", "action"]
    with pytest.raises(DataError, match="'acton' is not a column; there are game, ply, seat"):
        data.decisions(["seat", "acton"])
    with pytest.raises(DataError, match="'seat' is not a list of columns"):
        data.decisions("seat")
    views, column = data.views(), data.decisions(["view"])["view"]
    for some in (pl.read_parquet(data.file)["view"], column, column.combine_chunks()):
        assert data.views(some[2:4]).tobytes() == views[2:4].tobytes()
    assert len(data.views(column[:0])) == 0
    wrong: list[Any] = ["view", column.to_numpy(), pa.array([None], column.type), pa.array([b"no"])]
    for one in wrong:
        with pytest.raises(DataError, match=f"has {views.itemsize} bytes in each row"):
            data.views(one)


@pytest.mark.learn  # where pandas is installed
def test_rows_chosen_with_pandas_are_views(tmp_path: Path) -> None:
    import pandas as pd

    selfplay(tmp_path / "a.parquet", "random", "-n", 1)
    data = Data(tmp_path / "a.parquet")
    views = data.views()
    for wish in ({}, {"dtype_backend": "pyarrow"}):
        frame = pd.read_parquet(data.file, **wish)
        some = frame[frame["seat"] == 1]
        assert data.views(some["view"]).tobytes() == views[some.index].tobytes()
        assert len(data.views(some["view"][:0])) == 0
        for wrong in (frame, frame["seat"], frame["view"].where(frame["seat"] == 1)):
            with pytest.raises(DataError, match="bytes in each row"):
                data.views(wrong)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    selfplay(tmp_path / "a.parquet", "random", "-n", 1)
    data = Data(tmp_path / "a.parquet")
    for file, read in ((data.file, data.decisions), (games_file(str(data.file)), data.games)):
        content = file.read_bytes()
        foot = int.from_bytes(content[-8:-4], "little") + 8
        file.write_bytes(b"PAR1" + bytes(len(content) - foot - 4) + content[-foot:])
        with pytest.raises(DataError, match=f"{file.name} is damaged"):
            read()


def test_public_games_are_exported_without_people(tmp_path: Path) -> None:
    with Tables() as tables:
        status, said = run("export", TOY, "--out", tmp_path / "public.parquet")
        assert (status, "nothing to write" in said) == (1, True), said
        assert not list(tmp_path.glob("*.parquet"))
        shown = people(tables, TOY)
        hidden = people(tables, TOY)
        left = against_bot(tables, TOY)
        with tables.store.writing() as connection:
            for table_id in (shown, left):
                connection.exec_driver_sql("UPDATE tables SET public = 1 WHERE id = ?", (table_id,))
        for table_id in (shown, hidden):
            play_out(tables, table_id)
        tables.resign(left, "ann")
    status, said = run("export", TOY, "--out", tmp_path / "public.parquet")
    assert (status, "Games: 2." in said) == (0, True), said
    data = Data(tmp_path / "public.parquet")
    games = sorted(data.games().to_pylist(), key=lambda one: one["end"])
    assert [(one["end"], one["fault"]) for one in games] == [("resignation", 0), ("rules", -1)]
    assert [one["players"] for one in games] == [["person", "random"], ["person", "person"]]
    assert games[0]["utilities"] == [-1, 1]
    both = (tmp_path / "public.parquet").read_bytes() + games_file(data.file).read_bytes()
    for secret in (shown, left, "ann", "Ann", "bob"):
        assert secret.encode() not in both
    status, said = run("export", TOY, "--out", tmp_path / "public.parquet")
    assert (status, "there already" in said) == (2, True)


def test_a_table_that_cannot_be_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIANXIA_DATABASE", f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    with Tables(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as tables:
        first, _ = (against_bot(tables, TOY) for _ in range(2))
        with tables.store.writing() as connection:
            connection.exec_driver_sql("UPDATE tables SET public = 1")
        for table_id in tables.store.ids():
            tables.resign(table_id, "ann")
        with tables.store.writing() as connection:
            connection.exec_driver_sql("UPDATE tables SET sources = '[' WHERE id = ?", (first,))
        status, said = run("export", TOY, "--out", tmp_path / "public.parquet")
    assert (status, "Games: 1." in said, "not to be read here: 1." in said) == (0, True, True), said


@pytest.mark.parametrize(
    "words",
    [("ratings",), ("export", TOY, "--out"), ("puzzles", TOY, "--stored", "--out")],
)
def test_no_command_makes_a_database_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("TIANXIA_DATABASE", f"sqlite:///{tmp_path / 'misspelt.sqlite3'}")
    file = [tmp_path / "out.parquet"] if words[-1] == "--out" else []
    status, said = run(*words, *file)
    assert (status, "There is no file" in said) == (2, True), said
    assert not list(tmp_path.iterdir())


def test_a_bot_that_says_nothing_has_no_opinion() -> None:
    game = tianxia.game(TOY)
    assert opinion(tianxia.bots.make("random", game, 0, 1), game.new()) is None
    assert Opinion().policy is None


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"policy": 1}, "is a tianxia.search.opinions.Opinion or None, not a dict"),
        (Opinion(policy=[1.0]), "has a probability for each of the"),
        (Opinion(visits=[]), "has a whole number for each of the"),
        (Opinion(policy=5), "has a probability for each of the"),  # type: ignore[arg-type]
        (Opinion(value=17.0), "from −1 to 1, not 17.0"),
        (Opinion(value=float("nan")), "from −1 to 1, not nan"),
        (Opinion(value="much"), "from −1 to 1, not much"),  # type: ignore[arg-type]
    ],
)
def test_an_opinion_that_does_not_fit_is_its_bots_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Any, said: str
) -> None:
    monkeypatch.setattr(f"{HERE}.Thoughtful.opinion", lambda *_: found)
    (first, _) = match(tmp_path, f"{HERE}:Thoughtful", "random")
    assert (first.end, first.fault) == ("failed", 0)
    assert said in first.note


def test_probabilities_make_one() -> None:
    view = tianxia.game(BARRAGE).new().view(0)
    legal = len(view.legal_actions(0))
    bot: Any = SimpleNamespace(opinion=lambda _: Opinion(policy=[0.9 / legal] * legal))
    with pytest.raises(BotError, match=r"make 0\.9"):
        opinion(bot, view)
    bot.opinion = lambda _: Opinion([1 / legal] * legal, -1.0, [3] * legal)
    assert opinion(bot, view) == bot.opinion(view)


def test_numbers_of_numpy_are_as_good_as_others_and_none_is_unknown() -> None:
    view = tianxia.game(BARRAGE).new().view(0)
    legal = len(view.legal_actions(0))
    shares: Any = np.full(legal, 1 / legal)
    half: Any = np.float32(0.5)
    visits: Any = np.arange(legal)
    bot: Any = SimpleNamespace(opinion=lambda _: Opinion(shares, half, visits))
    found = opinion(bot, view)
    assert found == Opinion(shares.tolist(), 0.5, visits.tolist())
    assert json.loads(json.dumps(vars(found))) == vars(found)
    shares[0] = np.nan
    with pytest.raises(BotError, match="has a probability for each"):
        opinion(bot, view)
    bot.opinion = lambda _: Opinion(visits=[0.5] * legal)  # type: ignore[list-item]
    with pytest.raises(BotError, match="has a whole number for each"):
        opinion(bot, view)
