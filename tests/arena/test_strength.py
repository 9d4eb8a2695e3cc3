"""The published figures of strength and of learning follow from the results that are kept."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.arena.helpers import ROOT, match
from tests.arena.scripts import loaded
from tianxia.arena import Archive, standings, unpacked
from tianxia.arena.report import percent

PAGE = ROOT / "docs" / "strength.md"


@pytest.fixture(scope="module")
def strength() -> ModuleType:
    return loaded("strength")


def figures(page: Path, what: str) -> str:
    _, _, rest = page.read_text(encoding="utf-8").partition(f"<!-- {what} -->\n")
    return rest.partition(f"<!-- /{what} -->\n")[0].strip()


def test_the_curves_of_nets_are_those_that_were_measured() -> None:
    curves = loaded("curves")
    shown = {what: "\n".join(getattr(curves, what)(curves.kept(what))) for what in curves.TABLES}
    assert {what: figures(curves.PAGE, what) for what in curves.TABLES} == shown
    assert shown[curves.CURVES].count("\n| `novice` |") == 1
    assert shown[curves.CURVES].count(" min |") >= 3
    assert shown[curves.LESSONS].count(" min |") == len(curves.kept(curves.LESSONS))


def test_the_page_shows_what_its_results_say(strength: ModuleType) -> None:
    """Each line follows from results, or is marked as having none."""
    text = PAGE.read_text(encoding="utf-8")
    with unpacked(PAGE.with_suffix(".tar.xz")) as folder:
        shown = strength.tables(strength.MATCHES, folder, strength.unkept(text))
        names = {one.name for one in folder.iterdir()}
    assert figures(PAGE, "figures") == shown.strip()
    assert names <= {one.name for one in strength.MATCHES}
    lines = re.findall(r"^\| [a-z]+.* against .*$", shown, re.MULTILINE)
    assert len(lines) == len(strength.MATCHES)
    assert len([line for line in lines if strength.UNKEPT not in line]) == len(names)


def test_the_shares_against_styles_are_those_of_the_results_that_are_kept() -> None:
    league = loaded("league")
    with unpacked(PAGE.with_name(league.PACKED)) as folder:
        shown = "\n".join(league.shares(league.kept(folder)))
        matches = len(list(folder.iterdir()))
    assert figures(PAGE, "league") == shown
    styles = [int(line.split(" | ")[2]) for line in shown.splitlines()[2:]]
    assert sum(styles) == matches > 30


def test_the_shares_against_strangers_are_those_of_the_results_that_are_kept() -> None:
    with unpacked(PAGE.with_name("stranger.tar.xz")) as folder:
        shown = [row_of(place) for place in sorted(folder.iterdir())]
    assert len(shown) == 4
    assert figures(PAGE, "stranger").splitlines()[2:] == shown


def row_of(place: Path) -> str:
    """Return the row of a table that tells how `master` did in an archive of games."""
    plan = Archive.known_plan(place)
    assert plan is not None
    (first,) = (
        one
        for one in standings(plan.players, Archive(place, plan).outcomes())
        if one.name == "master"
    )
    share, low, high = map(percent, (first.share, first.low, first.high))
    name = place.name.removeprefix("stratego-master-")
    return f"| {name} | {first.games} | {share} | {low} to {high} | 80 % |"


def test_what_is_played_anew_goes_into_page_and_results(
    strength: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other matches keep their results, or their lines, marked."""
    one, two, three = (
        strength.Match("stratego(variant=barrage)", ("random", other), 0.5)
        for other in ("random", "sergeant", "novice")
    )
    monkeypatch.setattr(strength, "MATCHES", (one, two, three))
    monkeypatch.setattr(strength, "TABLES", {"Matches": (one, two, three)})
    old = f"| {' | '.join(three.cells)} | 200 | 1.0 % | 0 % to 2 % | 50 % | 1 ms | 2 ms | – |\n"
    page = tmp_path / "page.md"
    page.write_text(f"before\n{strength.BEGIN}{old}{strength.END}after\n", encoding="utf-8")
    for number, played in enumerate((one, two)):
        match(tmp_path / str(number) / played.name, *played.players, games=2)
        strength.publish(page, tmp_path / str(number))
    lines = figures(page, "figures").splitlines()[-3:]
    assert lines[2] == old.replace("200", "200 †").strip()
    assert [line.count(" | 2 | ") for line in lines] == [1, 1, 0]
    with unpacked(page.with_suffix(".tar.xz")) as folder:
        assert {place.name for place in folder.iterdir()} == {one.name, two.name}
        assert not list(folder.rglob("games"))
    assert page.read_text(encoding="utf-8").startswith("before\n")
    assert page.read_text(encoding="utf-8").endswith("after\n")
