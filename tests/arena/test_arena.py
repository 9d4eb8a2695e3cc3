"""Matches: seats, dice, faults, what is kept, what is counted."""

from __future__ import annotations

import html
import io
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import tianxia
from tests.arena.helpers import (
    BARRAGE,
    HERE,
    ROOT,
    Busy,
    Slow,
    SlowAtFirst,
    Witness,
    match,
    program,
)
from tests.battery.games import GAMES  # registers the toy game
from tianxia.arena import (
    Archive,
    Outcome,
    Plan,
    pack,
    ratings,
    run,
    standings,
    unpacked,
)
from tianxia.arena.archive import PLAN, RESULTS, ArchiveError, transcript_file
from tianxia.arena.plan import WALL
from tianxia.arena.report import command, named, page, rows
from tianxia.arena.standings import interval
from tianxia.arena.table import CLOCKS
from tianxia.bots.program import tells_cpu
from tianxia.cli.arena import _as_table
from tianxia.kernel.record import CHANCE

TOY = "blind-duel"
assert TOY in GAMES


# --- The plan ---


def test_every_player_sits_in_every_seat_with_the_same_dice() -> None:
    plan = Plan("firebulls(players=3)", ("drover", "random", "random"), games=7, seed=2)
    fixtures = list(plan.fixtures())
    assert [fixture.number for fixture in fixtures] == list(range(9))
    for first in range(0, 9, 3):
        one = fixtures[first : first + 3]
        assert len({fixture.seed for fixture in one}) == 1
        assert {fixture.seats for fixture in one} == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}
    assert len({fixture.seed for fixture in fixtures}) == 3
    seeds = {plan.bot_seed(fixture, player) for fixture in fixtures for player in range(3)}
    assert len(seeds) == 9


def test_more_players_than_seats_all_meet() -> None:
    plan = Plan(BARRAGE, ("skirmisher", "random", "random"), games=4)
    pairs = Counter(frozenset(fixture.seats) for fixture in plan.fixtures())
    assert pairs == {frozenset(pair): 4 for pair in ((0, 1), (0, 2), (1, 2))}
    longer = Plan(BARRAGE, plan.players, games=8)
    assert list(longer.fixtures())[:12] == list(plan.fixtures())


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    with pytest.raises(tianxia.TianxiaError, match="needs at least 2 players, not 1"):
        Plan(BARRAGE, ("random",))
    with pytest.raises(tianxia.TianxiaError, match="should be names, such as"):
        Plan(BARRAGE, "random")  # type: ignore[arg-type]
    wrong: list[dict[str, Any]]
    wrong = [{"games": 1.5}, {"games": 0}, {"longest": 0}, {"seconds": -1}, {"patience": math.nan}]
    for given in [*wrong, {"seed": 0.5}, {"seed": 10**12}]:
        (name,) = given
        with pytest.raises(tianxia.TianxiaError, match=f"^{name}.* should be "):
            Plan(BARRAGE, ("random", "random"), **given)
    for player, text in (
        ("skirmsher", "did you mean skirmisher"),
        ("no.module:Bot", "there is no bot 'no.module:Bot'"),
        (":Bot", "there is no bot ':Bot'"),
        ("..up:Bot", "there is no bot '..up:Bot'"),
        (f"{HERE}:ROOT", "makes no bots"),
        ("exec: ", "needs a command"),
    ):
        with pytest.raises(tianxia.TianxiaError, match=text):
            match(tmp_path / "x", player, "random")


def test_draws_fall_the_same_way_in_all_games_of_a_round(tmp_path: Path) -> None:
    """Cards are drawn alike as long as the players do the same: here until the first lay."""
    match(tmp_path, "random", "random", spec=f"{TOY}(rounds=5)", games=4, longest=500)
    drawn = []
    for number in range(4):
        text = transcript_file(tmp_path, number).read_text(encoding="utf-8")
        drawn.append(text.partition("\n\n")[2].splitlines()[0])
        assert tianxia.replay(text).over
    assert drawn[0] == drawn[1]
    assert drawn[2] == drawn[3]
    assert drawn[0] != drawn[2]


# --- Games ---


def test_same_seed_same_games(tmp_path: Path) -> None:
    one = match(tmp_path / "one", "skirmisher", "random", seed=4)
    two = match(tmp_path / "two", "skirmisher", "random", seed=4)
    for number in range(2):
        texts = [transcript_file(tmp_path / name, number).read_text() for name in ("one", "two")]
        assert texts[0] == texts[1]
    assert [outcome.actions for outcome in one] == [outcome.actions for outcome in two]


def test_a_bot_is_not_told_of_what_others_choose_in_secret(tmp_path: Path) -> None:
    Witness.told.clear()
    match(tmp_path, f"{HERE}:Witness", "random", spec=TOY, longest=500)
    heard = {
        "own": [told for told in Witness.told if told[1] == told[0]],
        "chance": [told for told in Witness.told if told[1] == CHANCE],
        "other": [told for told in Witness.told if told[1] not in (told[0], CHANCE)],
    }
    assert all(heard.values())
    assert all(action is not None for _, _, action in heard["other"] + heard["own"])
    assert any(action is None for _, _, action in heard["chance"])  # draws of the other's cards


def test_faults_lose_the_game_and_are_counted_apart(tmp_path: Path) -> None:
    cheated = match(tmp_path / "a", f"{HERE}:Cheat", "random")
    assert [(one.end, one.fault, one.shares) for one in cheated] == [
        ("illegal", 0, [0.0, 1.0]),
        ("illegal", 1, [1.0, 0.0]),
    ]
    assert "1000000 is not an action; actions are 0 to" in cheated[0].note
    assert cheated[0].stood == 0  # it had hardly begun
    text = transcript_file(tmp_path / "a", 1).read_text(encoding="utf-8")
    assert "end: resignation 1" in text
    broken = match(tmp_path / "b", f"{HERE}:Broken", "random")
    assert [one.end for one in broken] == ["failed", "failed"]
    assert "ZeroDivisionError at helpers.py" in broken[0].note
    left = match(tmp_path / "c", f"{HERE}:Leaving", "random")
    assert left[0].end == "failed"
    assert "SystemExit at helpers.py" in left[0].note
    hasty = match(tmp_path / "d", f"{HERE}:Hasty", "random")
    assert hasty[0].note.startswith("TypeError: Hasty.choose() takes 2 positional arguments")
    table = {one.name: one for one in standings((f"{HERE}:Cheat", "random"), cheated)}
    assert (table[f"{HERE}:Cheat"].illegal, table["random"].illegal) == (2, 0)
    assert (table["random"].wins, table["random"].losses) == (2, 0)


def test_late_answers_count_but_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What else a busy machine does makes nobody late here: only who sleeps takes time.
    monkeypatch.setitem(CLOCKS, WALL, lambda: Slow.slept)
    played = match(tmp_path, f"{HERE}:Slow", "random", seconds=0.02)
    for outcome in played:
        slow = outcome.seats.index(0)
        assert outcome.end == "cut"
        assert outcome.late[slow] == 3
        assert outcome.late[1 - slow] == 0
        assert outcome.slowest[slow] > 0.07
        assert outcome.shares == [0.5, 0.5]


def test_observing_is_on_the_clock(tmp_path: Path) -> None:
    for outcome in match(tmp_path, f"{HERE}:Brooding", "random", seconds=0.02):
        brooding = outcome.seats.index(0)
        assert outcome.late[brooding] >= 2
        assert outcome.slowest[brooding] >= 0.08
        assert outcome.seconds[brooding] >= 0.16
        cpu = outcome.cpu[brooding]
        assert cpu is not None
        assert 0 < cpu < 0.16  # asleep, it takes none


def test_by_the_processors_clock_sleep_costs_nothing_and_work_does(tmp_path: Path) -> None:
    """What else a machine does takes no time from a bot: as here, where it sleeps."""
    wishes: dict[str, Any] = {"seconds": 0.02, "clock": "processor"}
    for outcome in match(tmp_path / "a", f"{HERE}:Slow", "random", **wishes):
        assert outcome.late == [0, 0]
        assert max(outcome.slowest) < 0.07
        assert outcome.seconds == pytest.approx(outcome.cpu, abs=0.05)
    Busy.worked.clear()
    match(tmp_path / "b", f"{HERE}:Busy", "random", longest=4, **wishes)
    assert len(Busy.worked) == 4  # two of its own in each game
    assert min(Busy.worked) > 0.01
    plan = Plan(BARRAGE, (f"{HERE}:Slow", "random"), 2, longest=60, **wishes)
    text = page(plan, Archive(tmp_path / "a", plan).outcomes(), "fr")
    assert "Tous les temps sont ceux du processeur." in html.unescape(text)
    assert "--clock processor" in text
    with pytest.raises(tianxia.TianxiaError, match="no clock is called 'sun'"):
        Plan(BARRAGE, ("random", "random"), clock="sun")


SLEEPER = """
import sys, time
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "game":
        print("ready sleeper", flush=True)
    elif word == "choose":
        time.sleep(0.1)
        print("action", rest.split()[1], flush=True)
"""


@pytest.mark.skipif(not tells_cpu(), reason="only Linux tells what a program has worked")
def test_a_program_outside_is_timed_by_what_it_has_worked(tmp_path: Path) -> None:
    sleeper = program(tmp_path, SLEEPER)
    wishes: dict[str, Any] = {"seconds": 0.02, "longest": 12, "games": 1}
    by_wall = match(tmp_path / "wall", sleeper, "random", **wishes)
    assert max(by_wall[0].late) >= 1
    by_work = match(tmp_path / "work", sleeper, "random", clock="processor", **wishes)
    assert by_work[0].late == [0, 0]
    assert by_work[0].end == "cut"


def test_with_several_seats_a_fault_is_shared_by_the_others(tmp_path: Path) -> None:
    spec = f"{TOY}(players=3)"
    (first, *_) = match(tmp_path, f"{HERE}:Cheat", "random", "random", spec=spec, games=1)
    assert first.end == "illegal"
    assert first.shares == [0.0, 0.5, 0.5]


# --- What is kept ---


def test_it_goes_on_after_a_half_written_line(tmp_path: Path) -> None:
    whole = match(tmp_path / "whole", "skirmisher", "random", games=6)
    match(tmp_path / "cut", "skirmisher", "random", games=4)
    file = tmp_path / "cut" / RESULTS
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:3]) + lines[3][:40], encoding="utf-8")
    added = match(tmp_path / "cut", "skirmisher", "random", games=6)
    assert [outcome.number for outcome in added] == [3, 4, 5]
    kept = Archive(tmp_path / "cut", Plan(BARRAGE, ("skirmisher", "random"), 6, longest=60))
    assert [o.shares for o in kept.outcomes()] == [o.shares for o in whole]
    for number in range(6):
        one, two = (transcript_file(tmp_path / name, number) for name in ("whole", "cut"))
        assert one.read_bytes() == two.read_bytes()


def test_a_folder_from_before_a_bot_was_renamed_is_the_same_match(tmp_path: Path) -> None:
    match(tmp_path, "skirmisher", "random")
    file = tmp_path / PLAN
    file.write_text(file.read_text(encoding="utf-8").replace("skirmisher", "sergeant"), "utf-8")
    for name in ("skirmisher", "sergeant"):
        archive = Archive(tmp_path, Plan(BARRAGE, (name, "random"), 2, longest=60))
        archive.check_generation()
        assert archive.plan.players == ("skirmisher", "random")
    assert "sergeant" not in file.read_text(encoding="utf-8")


def test_a_folder_holds_one_match(tmp_path: Path) -> None:
    match(tmp_path, "random", "random")
    with pytest.raises(ArchiveError, match=r"another match: seed was 0, not 1"):
        match(tmp_path, "random", "random", seed=1)
    plan = Plan(BARRAGE, ("random", "random"), 2, longest=60)
    with Archive(tmp_path, plan).lock(), pytest.raises(ArchiveError, match="another arena"):
        list(run(Archive(tmp_path, Plan(BARRAGE, ("random", "random"), 4, longest=60)), 1))
    (tmp_path / RESULTS).write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(ArchiveError, match="line 1, is not a result"):
        Archive(tmp_path, plan).outcomes()
    (tmp_path / PLAN).write_text("{}", encoding="utf-8")
    with pytest.raises(ArchiveError, match="is not a plan"):
        Archive(tmp_path, plan)


def test_results_can_be_published_packed(tmp_path: Path) -> None:
    players = ("random", "random")
    played = {name: match(tmp_path / name, *players, games=2) for name in ("one", "two")}
    for name in ("a", "b"):
        pack([tmp_path / "two", tmp_path / "one"], tmp_path / f"{name}.tar.xz")
    assert (tmp_path / "a.tar.xz").read_bytes() == (tmp_path / "b.tar.xz").read_bytes()
    with unpacked(tmp_path / "a.tar.xz") as folder:
        for name, outcomes in played.items():
            plan = Archive.known_plan(folder / name)
            assert plan == Plan(BARRAGE, players, 2, longest=60)
            assert Archive(folder / name, plan).outcomes() == outcomes
    assert not folder.exists()
    whole, broken = (tmp_path / "a.tar.xz").read_bytes(), tmp_path / "c.tar.xz"
    for wrong in (b"nothing", whole[:-100], whole[:40]):
        broken.write_bytes(wrong)
        with pytest.raises(ArchiveError, match="holds no packed arenas"), unpacked(broken):
            pass


def test_games_of_another_generation_are_refused(tmp_path: Path) -> None:
    match(tmp_path, "random", f"{HERE}:Witness")
    file = tmp_path / PLAN
    plan = json.loads(file.read_text(encoding="utf-8"))
    made = plan["made"]
    assert made["version"] == tianxia.__version__
    assert sorted(made["bots"]) == ["random", f"{HERE}:Witness"]
    other = {**made, "commit": "abc", "bots": {**made["bots"], "random": "0"}}
    for changed, text in (
        ({"made": other}, r"random was 0, now [0-9a-f]{12}: choose another folder.*commit abc"),
        ({"made": {**made, "version": "0.0.9"}}, "Tianxia was 0.0.9, now"),
        ({"made": None}, "noted no versions"),
    ):
        file.write_text(json.dumps({**plan, **changed}), encoding="utf-8")
        assert match(tmp_path, "random", f"{HERE}:Witness") == []  # nothing is to be played
        with pytest.raises(ArchiveError, match=text):
            match(tmp_path, "random", f"{HERE}:Witness", games=4)


def test_without_ray_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    archive = Archive(tmp_path, Plan(BARRAGE, ("random", "random"), 2, longest=60))
    with pytest.raises(tianxia.TianxiaError, match=r'pip install "\.\[ray\]" in a clone'):
        list(run(archive, ray="auto"))


@pytest.mark.slow
def test_killed_it_goes_on_with_all_cores(tmp_path: Path) -> None:
    def command(games: int) -> list[str]:
        words = ["arena", BARRAGE, "skirmisher", "random", "-n", str(games), "-j", "2"]
        words += ["--longest", "400", "--folder", str(tmp_path)]
        return [sys.executable, "-m", "tianxia", *words]

    results = tmp_path / RESULTS
    with subprocess.Popen(command(1000), cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not (results.exists() and results.stat().st_size > 0):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)

    def played() -> list[int]:
        lines = results.read_text(encoding="utf-8").splitlines()
        return sorted(json.loads(line)["number"] for line in lines)

    assert 0 < len(played()) < 1000
    more = played()[-1] // 2 * 2 + 4  # whole pairs of games are played
    subprocess.run(command(more), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    assert played() == list(range(more))
    assert (tmp_path / "report.html").exists()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are listed in /proc")
def test_killed_it_leaves_no_process_behind(tmp_path: Path) -> None:
    words = ["arena", BARRAGE, "skirmisher", "random", "-n", "500", "-j", "2", "--longest", "400"]
    command = [sys.executable, "-m", "tianxia", *words, "--folder", str(tmp_path)]
    results = tmp_path / RESULTS
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        while process.poll() is None and not (results.exists() and results.stat().st_size > 0):
            time.sleep(0.05)
        assert len(living(process.pid)) >= 3
        process.kill()
    end = time.monotonic() + 30
    while living(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert living(process.pid) == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are listed in /proc")
def test_broken_off_at_once_it_says_no_more_than_that(tmp_path: Path) -> None:
    words = ["arena", BARRAGE, "skirmisher", "random", "-n", "500", "-j", "2"]
    command = [sys.executable, "-m", "tianxia", *words, "--folder", str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        while process.poll() is None and len(living(process.pid)) < 4:  # two play, one looks on
            time.sleep(0.01)
        time.sleep(0.3)  # they import
        os.killpg(process.pid, signal.SIGINT)
        try:
            said = process.communicate(timeout=60)[0].decode()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, "Broken off" in said) == (130, True), said
    assert "Traceback" not in said, said


def living(group: int) -> list[int]:
    """Return the processes of a group that run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
        except OSError:  # it has ended meanwhile
            continue
        state, _, its_group = rest.split()[:3]
        if int(its_group) == group and state != "Z":
            found.append(int(name.split()[0]))
    return found


# --- Numbers ---


def outcome(number: int, seats: list[int], shares: list[float], turn: int | None = None) -> Outcome:
    round_ = number // 2 if turn is None else turn
    zeros = [0] * len(seats)
    floats = [0.0] * len(seats)
    return Outcome(
        number, round_, seats, "rules", -1, shares, floats, 9, zeros, floats, floats, zeros
    )


def test_the_interval_covers_the_share_as_often_as_it_says() -> None:
    """Pairs of games: independent, split by luck of the seat, or decided alike by the dice."""
    rng = np.random.default_rng(5)
    pairs, runs = 50, 400
    for chance, together, alike in ((0.5, 0, 0), (0.7, 0.5, 0), (0.5, 0.6, 0), (0.9, 0, 0.5)):
        won = rng.random((runs, pairs, 2)) < chance
        won[..., 1] = np.where(rng.random((runs, pairs)) < together, ~won[..., 0], won[..., 1])
        won[..., 1] = np.where(rng.random((runs, pairs)) < alike, won[..., 0], won[..., 1])
        share = chance + together * (0.5 - chance)
        found = np.array([interval(one.astype(float).tolist()) for one in won])
        covered = ((found[:, 0] <= share) & (share <= found[:, 1])).mean()
        assert 0.935 <= covered <= 0.985, (chance, together, alike)
        # Where seats decide, pairs tell more than as many independent games would.
        independent = 2 * 1.96 * (share * (1 - share) / (2 * pairs)) ** 0.5
        narrower = bool((found[:, 1] - found[:, 0]).mean() < 0.85 * independent)
        assert narrower == (together > 0)


def test_few_rounds_and_rounds_that_came_out_alike_promise_little() -> None:
    assert interval([]) == (0, 1)
    assert interval([[1.0, 1.0]]) == (0, 1)
    low, high = interval([[1.0, 0.0]] * 50)
    assert (round(low, 3), round(high, 3)) == (0.472, 0.528)
    assert interval([[1.0, 1.0]] * 50)[1] == 1


def test_names_that_stand_twice_are_counted_together() -> None:
    played = [outcome(0, [0, 1, 2], [0.0, 0.5, 0.5]), outcome(1, [1, 2, 0], [0.0, 0.0, 1.0])]
    table = {one.name: one for one in standings(("master", "greedy", "greedy"), played)}
    assert (table["greedy"].places, table["greedy"].games, table["greedy"].joint) == (2, 4, 2)
    assert table["master"].share == 0.5
    assert table["greedy"].share == 0.25


def test_ratings_give_back_the_odds() -> None:
    """A beats B three times out of four: about 191 points; C, who never wins, stays finite."""
    played = []
    for number in range(400):
        win = float(number % 4 != 0)
        played.append(outcome(3 * number, [0, 1], [win, 1 - win], number))
        played.append(outcome(3 * number + 1, [2, 0], [0.0, 1.0], number))
        played.append(outcome(3 * number + 2, [1, 2], [1.0, 0.0], number))
    found = {one.name: one for one in ratings(("a", "b", "c"), played)}
    assert found["a"].points - found["b"].points == pytest.approx(191, abs=8)
    assert sum(one.points for one in found.values()) == pytest.approx(0, abs=1e-6)
    assert found["c"].points < -500
    for one in found.values():
        assert one.low < one.points < one.high
    fewer = {one.name: one for one in ratings(("a", "b", "c"), played[:120])}
    assert fewer["a"].high - fewer["a"].low > found["a"].high - found["a"].low


# --- The report ---


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_report_stands_alone(tmp_path: Path, language: str) -> None:
    players = ("skirmisher", "random", f"{HERE}:Cheat")
    played = match(tmp_path, *players, games=4)
    plan = Plan(BARRAGE, players, 4, longest=60)
    text = page(plan, played, language)
    assert text.count("<svg") == 4
    for foreign in ("<script", "http://", "https://", "<link", "@import"):
        assert foreign not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "is not an action" in text
    assert command(plan) in text.replace("&#39;", "'")
    assert 'href="games/000000.txt"' in text
    assert ("Joueur" in text) == (language == "fr")
    table = rows(plan, played, language)
    assert len(table.rows) == 3
    assert {len(row) for row in table.rows} == {len(table.heads)}


def test_programs_go_by_what_they_call_themselves(tmp_path: Path) -> None:
    ready = "import sys\nprint('ready {}', flush=True)\nsys.stdin.readline()\n"
    players = [program(tmp_path, ready.format(name) + end) for name, end in
               (("Deep Sea", ""), ("Deep Sea", "\n"), ("random", ""))]  # fmt: skip
    players.append("random")
    played = match(tmp_path / "match", *players, games=1)
    plan = Plan(BARRAGE, tuple(players), 1, longest=60)
    names = named(plan, played)
    assert names == ("Deep Sea", "Deep Sea (2)", "random (2)", "random")
    assert {row[0] for row in rows(plan, played, "en").rows} == set(names)
    text = page(plan, played, "en")
    assert text.count(str(tmp_path)) == len(players) - 1  # in the command to play it again
    old = [outcome(0, [0, 1], [1.0, 0.0])]  # noted neither names nor the processor's time
    assert named(plan, old)[0] == players[0]
    assert rows(plan, old, "en").rows[0][8] == "–"


@pytest.mark.parametrize(
    ("stood", "told"),
    [(0.97, "already won"), (-0.97, "already lost"), (0.4, ""), (None, "")],
)
def test_the_report_says_how_a_silent_side_stood(stood: float | None, told: str) -> None:
    silent = replace(
        outcome(0, [0, 1], [0.0, 1.0]), end="silent", fault=0, note="no answer", stood=stood
    )
    text = page(Plan(BARRAGE, ("skirmisher", "random"), 2), [silent], "en")
    assert "skirmisher: no answer" in text
    assert ("already" in text) == bool(told)
    assert told in text


def test_a_narrow_terminal_shows_every_name(tmp_path: Path) -> None:
    played = [outcome(0, [0, 1], [1.0, 0.0]), outcome(1, [1, 0], [0.0, 1.0])]
    found = rows(Plan(BARRAGE, ("skirmisher", "journeyman"), 2), played, "fr")
    for width in (30, 50, 80, 200):
        console = Console(width=width, file=io.StringIO(), color_system=None)
        console.print(_as_table(found, width))
        text = console.file.getvalue()  # type: ignore[attr-defined]
        assert "skirmisher" in text
        assert "journeyman" in text
        assert "100.0 %" in text
        assert max(map(len, text.splitlines())) <= width


def test_names_are_escaped_in_the_report() -> None:
    players = ("exec:<b>&", "random")
    played = [outcome(0, [0, 1], [1.0, 0.0]), outcome(1, [1, 0], [0.0, 1.0])]
    text = page(Plan(BARRAGE, players, 2), played, "en")
    assert "<b>" not in text
    assert "exec:&lt;b&gt;&amp;" in text


def test_what_a_bot_compiles_at_first_is_not_on_its_clock(tmp_path: Path) -> None:
    SlowAtFirst.done = False
    played = match(tmp_path, f"{HERE}:SlowAtFirst", "random", seconds=0.2)
    assert SlowAtFirst.done
    assert [outcome.late for outcome in played] == [[0, 0], [0, 0]]
