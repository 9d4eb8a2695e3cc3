"""The end of a game: who stands where, where points came from, and nothing before the end."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

import tianxia
from tests.web.world import World
from tianxia.bots.review import Point, Review
from tianxia.draw.scene import Drawing, SceneRequest
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State
from tianxia.tables import Looked
from tianxia.web.ending import places
from tianxia.web.rendering import ending
from tianxia.web.result import headline, score_of, scores


def ended(how: str, won: tuple[int, ...], seats: int) -> Any:
    return SimpleNamespace(ending=how, winners=won, game=SimpleNamespace(seats=seats))


@pytest.mark.parametrize(
    ("how", "won", "points", "expected"),
    [
        ("rules", (2,), [30, 41, 41, 12], [3, 2, 1, 4]),  # a tie broken by the rules
        ("rules", (0, 1), [40, 40, 30, 30], [1, 1, 3, 3]),
        ("rules", (), [20, 20], [1, 1]),
        ("rules", (1,), [], [2, 1, 2]),
        ("resignation 0", (1,), [50, 3], [2, 1]),
        ("agreement", (), [9, 8], [1, 1]),
        ("called-off", (), [9, 8], []),
        ("clocks", (), [9, 8], []),
    ],
)
def test_places_go_by_the_rules_then_by_points(
    how: str, won: tuple[int, ...], points: list[int], expected: list[int]
) -> None:
    assert places(ended(how, won, len(expected) or 2), points) == expected


def test_a_result_that_calls_people_by_name_is_left_as_it_is() -> None:
    seats = [SimpleNamespace(kind="person", name=name) for name in ("Blue", "Red")]  # nicknames
    table: Any = SimpleNamespace(
        ending="rules", winners=(1,), seats=seats, game=tianxia.game("stratego")
    )
    viewer: Any = SimpleNamespace(language="en")
    assert ending(table, viewer, "Red has won.") == "Red has won."


@pytest.mark.parametrize(
    ("how", "won", "points", "seat", "language", "said"),
    [
        ("rules", (1,), [30, 42, 41], 1, "en", "You have won by 1 point!"),
        ("rules", (1,), [30, 42, 41], 0, "en", "You have lost this time, by 12 points"),
        ("rules", (1,), [30, 42, 41], 0, "fr", "Cette fois, vous perdez de 12 points"),
        ("rules", (1,), [30, 42, 40], None, "fr", "B gagne de 2 points"),
        ("rules", (1,), [42, 42, 40], 1, "fr", "Vous avez gagné\xa0!"),  # equal points
        ("rules", (1,), [42, 42, 40], 0, "en", "You have lost this time"),
        ("rules", (0, 1), [42, 42, 40], 1, "en", "You share the victory!"),
        ("rules", (0, 1), [42, 42, 40], 2, "en", "You have lost this time, by 2 points"),
        ("rules", (0, 1), [42, 42, 40], None, "en", "A and B have won together"),
        ("resignation 0", (1,), [30, 42], 1, "en", "You have won!"),
        ("rules", (1,), [], 0, "en", "You have lost this time"),
        ("rules", (), [9, 9], 0, "en", "A draw"),
        ("called-off", (), [9, 8], 0, "en", "No result"),
    ],
)
def test_a_result_is_told_to_whoever_reads_it(
    how: str, won: tuple[int, ...], points: list[int], seat: int | None, language: str, said: str
) -> None:
    viewer: Any = SimpleNamespace(seat=seat, language=language)
    assert headline(ended(how, won, 3), viewer, "ABC", points) == said


def finished(spec: str) -> State:
    state, dice = tianxia.game(spec).new(), random.Random(7)
    while not state.over:
        if state.acting:
            seat = state.acting[0]
            state.apply(dice.choice(state.legal_actions(seat)), seat)
        else:
            state.apply(dice.choice(state.chance_weights())[0], CHANCE)
    return state


@pytest.mark.parametrize("spec", ["china(players=3)", "china", "firebulls(players=3)", "suntzu"])
def test_sources_lead_to_the_score(spec: str) -> None:
    state = finished(spec)
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    request = SceneRequest(state, 0)
    plates = drawing(request).plates
    found = drawing.sources(request)
    score = [count.value for count in map(score_of, plates) if count]
    assert scores(plates) == (score if spec != "suntzu" else [])  # nobody wins there by points
    sums = [sum(source.points[seat] for source in found) for seat in range(state.seats)]
    assert len({source.name for source in found}) == len(found)
    if spec == "suntzu":  # the pawn goes by the difference, and stops at the end of its track
        assert (sums[0] > sums[1]) == (score[0] > score[1])
    else:
        assert sums == score


def test_whoever_has_drawn_an_army_is_called_by_it_in_all_that_follows(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = here.seated("me", "bot:random", game="binfa", level=1)
    table.host.post(f"/t/{table.id}/resign", {})
    looked = Looked("done", 100, Review(9, (Point(1, 0, 0.0), Point(2, 1, 0.0)), ()))
    monkeypatch.setattr(here.app_state.reviews, "look", lambda snapshot: looked)
    guest = here.visitor()
    page = guest.get(f"/t/{table.id}").text
    armies = re.findall(r'class="seat-side">(\w+)<', page)
    assert len(armies) == 2
    end = guest.get(f"/t/{table.id}/end").json()["html"]
    assert re.search(rf"<h2[^>]*>{armies[1]} has won</h2>", end)
    assert re.findall(r"<tr><td>\d+</td><td>(\w+)</td>", page) == armies
    onward = guest.get(f"/t/{table.id}/from?ply=0").text
    assert re.findall(r'<option value="\d"[^>]*>(\w+)', onward) == armies


def test_the_end_is_told_when_it_is_there(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    address = f"/t/{table.id}/end"
    refused = guest.get(address, headers={"accept": "application/json"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not-over")
    assert "end-open" not in guest.get(f"/t/{table.id}").text
    for player in (table.host, guest):
        table.set_up(player)
    table.host.post(f"/t/{table.id}/resign", {})
    assert 'id="end-open"' in guest.get(f"/t/{table.id}").text
    won, lost = guest.get(address).json()["html"], table.host.get(address).json()["html"]
    assert "You have won!" in won
    assert "You have lost this time<" in lost
    assert '<p class="result">You have lost this time</p>' in table.host.get(f"/t/{table.id}").text
    assert "You have resigned." in lost
    assert "Ada has resigned." in won
    for one in (guest, here.visitor()):  # a set-up that was secret is told as the own one was
        shown = one.get(f"/t/{table.id}").text
        assert set(re.findall(r"(\w+) sets up [^<]* … and 12 more", shown)) >= {"Ada", "Bo"}
    log = guest.get(f"/t/{table.id}").text
    assert "Ada resigns." in log  # by the name that she has in the lines about her moves
    assert won.index("Place 1") < won.index("Place 2")
    assert 'data-post="rematch"' in won
    watcher = here.visitor(accept_language="fr").get(address).json()["html"]
    assert "Bo a gagné" in watcher
    assert "rematch" not in watcher
