"""Hints on pages and for programs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.world import Table, Visitor, World
from tianxia.bots import advice
from tianxia.bots.advice import prospects
from tianxia.draw.scene import Arrangement, Kind
from tianxia.web.hints import laid

ARMY = ["F", "B", "B", "S", "2", "2", "3", "3", "9", "M"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search a little only: what is found matters less than for whom."""
    monkeypatch.setattr(advice, "ITERATIONS", 40)


def sent(visitor: Visitor, table: Table, *tokens: str) -> dict[str, Any]:
    state = visitor.get(f"/api/v1/tables/{table.id}").json()
    body = {"actions": list(tokens), "decision": state["decision"]}
    answer = visitor.post(f"/api/v1/tables/{table.id}/act", body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_set_up_then_moves_are_hinted_at(here: World) -> None:
    table = here.seated("me", "bot:random", variant="duel")
    page = table.host.get(f"/t/{table.id}/hint").json()
    assert all(len(hint["layout"]["layout"]) == 40 for hint in page["hints"])
    rows = table.host.get(f"/api/v1/tables/{table.id}/hint").json()
    assert [hint["prospects"] for hint in rows["hints"]] == [None] * len(rows["hints"])
    state = sent(table.host, table, *rows["hints"][0]["tokens"])  # a hint can be played as it is
    while not state["your_turn"]:
        state = table.host.get(
            f"/api/v1/tables/{table.id}?wait=5&version={state['version']}"
        ).json()
    assert state["may"]["hint"]
    page = table.host.get(f"/t/{table.id}/hint").json()
    assert page["decision"] == state["decision"]
    legal = {one["action"]: one["token"] for one in state["legal"]}
    assert len(page["hints"]) == 3
    for hint in page["hints"]:
        assert hint["gesture"]["a"] in legal
        assert hint["label"] == hint["gesture"]["l"]
        assert hint["reason"]
        assert 0 <= hint["prospects"] <= 100
    told = table.host.get(f"/api/v1/tables/{table.id}/hint").json()["hints"]
    assert [hint["tokens"] for hint in told] == [
        [legal[hint["gesture"]["a"]]] for hint in page["hints"]
    ]
    french = table.host.get(f"/t/{table.id}/hint", headers={"accept-language": "fr"}).json()
    assert french["hints"][0]["reason"] != page["hints"][0]["reason"]


def test_hints_are_refused_in_words(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    kind = {"accept": "application/json"}
    for visitor in (table.host, guest):
        answer = visitor.get(f"/t/{table.id}/hint", headers=kind)
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "not-alone"
        assert "here others play" in answer.json()["error"]["text"]
        assert 'id="hint-ask"' not in visitor.get(f"/t/{table.id}").text
    eve = here.visitor()
    assert eve.get(f"/t/{table.id}/hint", headers=kind).status_code == 403
    assert eve.get("/t/nowhere/hint", headers=kind).status_code == 404


def test_a_layout_is_what_the_actions_make() -> None:
    kinds = tuple(Kind(name, "", name, 1, 10 * n) for n, name in enumerate("ab", 1))
    arrangement = Arrangement(("x", "y", "z"), kinds, 0, (), ())
    for wanted in ([0, -1, 1], [1, 0, -1]):
        assert laid(arrangement, arrangement.actions(wanted))["layout"] == wanted
    spread = Arrangement(("x", "y"), kinds, None, (), (), (100, 200), spare=True)
    assert laid(spread, spread.actions([1, 0]))["layout"] == [1, 0]
    piled = Arrangement(("x", "y"), kinds, None, (), (), (100, 200), piles=True)
    made = laid(piled, piled.actions([1, 0], [3, 2]))
    assert made == {"layout": [1, 0], "heights": [3, 2]}


def test_prospects_go_from_lost_to_won() -> None:
    assert [prospects(value, 2) for value in (-1.0, 0.0, 0.5, 1.2)] == [0, 50, 75, 100]
    assert [prospects(value, 3) for value in (-1.0, -0.5, 0.0, 1.0)] == [0, 0, 33, 100]
