"""Ways over several places at once, as the page asks for them."""

from __future__ import annotations

import pytest

from tests.web.world import World


def test_nobody_is_told_a_way_who_may_not_go_it(here: World):
    table = here.seated("me", "open", game="binfa", level=1)
    ask = f"/t/{table.id}/journeys?origin=r2&target=r7"
    assert table.host.get(ask).json()["journeys"] == []  # not yet
    assert here.visitor().get(ask).json() == {"decision": 0, "journeys": []}


@pytest.mark.parametrize("query", ["", "origin=r2", f"origin=r2&target={'r' * 500}"])
def test_what_is_no_element_is_refused(here: World, query: str):
    table = here.seated("me", "open", game="binfa", level=1)
    assert table.host.get(f"/t/{table.id}/journeys?{query}").status_code in (400, 422)


def test_a_game_without_journeys_has_none(here: World):
    table = here.seated("me", "open")
    answer = table.host.get(f"/t/{table.id}/journeys?origin=a4&target=a6")
    assert answer.json()["journeys"] == []


def test_nobody_is_told_where_to_march_who_may_not(here: World):
    table = here.seated("me", "open", game="binfa", level=1)
    ask = f"/t/{table.id}/marches?e=r2&e=r7"
    assert table.host.get(ask).json()["marches"] == []  # not yet
    assert here.visitor().get(ask).json() == {"decision": 0, "marches": []}
    stratego = here.seated("me", "open")
    assert stratego.host.get(f"/t/{stratego.id}/marches?e=a4&e=a5").json()["marches"] == []


@pytest.mark.parametrize("query", ["", "e=r2", f"e=r2&e={'r' * 500}", "&".join(["e=r2"] * 13)])
def test_one_element_or_very_many_do_not_march(here: World, query: str):
    table = here.seated("me", "open", game="binfa", level=1)
    assert table.host.get(f"/t/{table.id}/marches?{query}").status_code == 400
