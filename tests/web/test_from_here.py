"""Playing on from a position of a finished game, by the page and by the API."""

from __future__ import annotations

import re

import pytest

from tests.tables.helpers import DUEL
from tests.web.world import Table, Visitor, World
from tianxia.tables.verify import verify

API = "/api/v1/tables"


def finished(here: World, game: str = "firebulls") -> Table:
    """Return a game of a host against a bot that was given up at its beginning."""
    table = here.seated("me", "bot:random", game=game)
    here.app_state.tables.resign(table.id, table.host.person)
    return table


def last_ply(here: World, table: Table) -> int:
    return len(here.app_state.tables.snapshot(table.id).plies_notations) - 1


def somebody(here: World) -> Visitor:
    one = here.visitor()
    one.become()
    return one


def test_the_page_shows_the_position_and_asks_for_seat_and_bot(here: World) -> None:
    table = finished(here)
    ply = last_ply(here, table)
    text = somebody(here).get(f"/t/{table.id}/from?ply={ply}").text
    assert f"/t/{table.id}/picture.svg?ply={ply}" in text
    assert f'name="ply" value="{ply}"' in text
    assert text.count("(to move)") == 1
    french = here.visitor(accept_language="fr").get(f"/t/{table.id}/from").text
    assert "Continuer à partir d’ici" in french


def test_the_page_counts_positions_as_the_table_does(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    for player in (table.host, guest):
        table.set_up(player)
    table.host.post(f"/t/{table.id}/resign", {})
    led = re.search(r'data-led="([^"]*)"', table.host.get(f"/t/{table.id}").text)
    assert led
    stops = sum(one != "0" for one in led[1].split())
    for ply, at in ((0, 0), (last_ply(here, table), stops)):
        text = table.host.get(f"/t/{table.id}/from?ply={ply}").text
        assert f"<small>Position {at} of {stops}</small>" in text


def test_the_form_leads_to_the_new_table(here: World) -> None:
    table, one = finished(here), somebody(here)
    ply = last_ply(here, table)
    form = {"ply": str(ply), "seat": "1", "bot": "bot:random", "token": one.token()}
    answer = one.post(f"/t/{table.id}/play-on", None, data=form)
    assert answer.status_code == 303
    new = answer.headers["location"].removeprefix("/t/")
    snapshot = here.app_state.tables.snapshot(new)
    assert [(source.table, source.actions) for source in snapshot.sources] == [(table.id, ply)]
    assert here.app_state.tables.seat_of(new, one.person) == 1
    page = one.get(f"/t/{new}").text
    assert re.search(f'href="/t/{table.id}#ply-{ply}"', page)


def test_programs_play_on_and_the_transcript_verifies(here: World) -> None:
    table, one = finished(here), somebody(here)
    promise = one.post("/api/v1/promise").json()["promise"]
    wish = {
        "ply": last_ply(here, table),
        "seat": 0,
        "bot": "random",
        "promise": promise,
        "seed": "s",
    }
    made = one.post(f"{API}/{table.id}/play-on", wish)
    assert made.status_code == 201
    assert (made.json()["table"], list(made.json()["keys"])) == (promise, ["0"])
    facts = one.get(f"{API}/{promise}").json()
    assert facts["sources"] == [{"table": table.id, "actions": wish["ply"]}]
    here.app_state.tables.resign(promise, one.person)
    report = verify(one.get(f"{API}/{promise}/transcript").text)
    assert (report.ok, report.draws > 0) == (True, True)


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        ({"ply": 9999}, 422, "positions 0 to"),
        ({"seat": 7}, 422, "no such seat"),
        ({"bot": "nobody"}, 422, "No bot of"),
        ({"ply": -1}, 400, "ply"),
        ({"seat": "0"}, 400, "seat"),
    ],
)
def test_bad_input_is_named(here: World, change: dict[str, object], status: int, told: str) -> None:
    table, one = finished(here), somebody(here)
    wish = {"ply": 0, "seat": 0, "bot": "random"} | change
    answer = one.post(f"{API}/{table.id}/play-on", wish)
    assert answer.status_code == status
    assert told in answer.text


def test_a_form_that_is_refused_comes_back_filled_in(here: World) -> None:
    table, one = finished(here), somebody(here)
    form = {"ply": "9999", "seat": "1", "bot": "bot:random", "token": one.token()}
    answer = one.post(f"/t/{table.id}/play-on", None, data=form)
    assert answer.status_code == 422
    assert "positions 0 to" in answer.text
    assert '<option value="1" selected' in answer.text


def test_nothing_of_it_while_the_game_lasts(here: World) -> None:
    table = here.seated("me", "open", game=DUEL)
    one = somebody(here)
    assert one.get(f"/t/{table.id}/from?ply=0").status_code == 409
    wish = {"ply": 0, "seat": 0, "bot": "random"}
    assert one.post(f"{API}/{table.id}/play-on", wish).status_code == 409
    assert 'id="from-here"' not in table.host.get(f"/t/{table.id}").text


def test_programs_look_at_it_together(here: World) -> None:
    table, one, other = finished(here), somebody(here), somebody(here)
    api = f"{API}/{table.id}/together"
    made = one.post(api, {"ply": 3})
    assert made.status_code == 201
    look = f"{api}/{made.json()['look']}"
    found = other.get(look).json()
    assert (found["ply"], found["number"]) == (3, 1)
    stepped = other.post(look, {"ply": 5}).json()
    waited = one.get(f"{look}?version={found['version']}&wait=20").json()
    assert waited == stepped == found | {"ply": 5, "number": 2, "version": "2"}
    assert one.get(f"{api}/nothing").status_code == 409
    assert one.post(f"{api}/nothing", {"ply": 1}).status_code == 409
    assert one.post(look, {"ply": "1"}).status_code == 400
    running = here.seated("me", "open", game=DUEL)
    assert one.post(f"{API}/{running.id}/together", {"ply": 0}).status_code == 409
