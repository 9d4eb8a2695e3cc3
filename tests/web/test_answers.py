"""Elements that answer, over the page's route and the API: from the asker's own view alone."""

from __future__ import annotations

import pytest

from tests.web.world import Table, Visitor, World


@pytest.fixture(scope="module")
def table(here: World) -> Table:
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    table.set_up(table.host, 1)
    table.set_up(guest, 2)
    return table


def pieces(table: Table, seat: int) -> list[str]:
    """Return the squares on which a side's pieces stand."""
    diagram = table.world.app_state.tables.snapshot(table.id).state.diagram().splitlines()
    rows = [line.split() for line in diagram[1:]]
    return [
        "abcdefghij"[column] + row[0]
        for row in rows
        for column, cell in enumerate(row[1:])
        if cell.startswith("rb"[seat])
    ]


def test_a_seat_learns_its_own_pieces_and_counts_the_others(table: Table) -> None:
    own, other = pieces(table, 0)[0], pieces(table, 1)[0]
    mine = table.host.get(f"/t/{table.id}/ask?e={own}").json()
    theirs = table.host.get(f"/t/{table.id}/ask?e={other}").json()
    assert "unknown" not in mine["title"]
    assert theirs["title"] == f"{other}: unknown piece of Blue"
    names = [fact["name"] for fact in theirs["facts"]]
    assert "May still be" in names
    assert theirs["rules"][0]["link"] == "/rules/stratego#STR-35"
    assert theirs["rules"][0]["text"]


def test_watching_and_in_french_it_answers_too(table: Table) -> None:
    other = pieces(table, 1)[0]
    spectator = table.world.visitor(accept_language="fr")
    told = spectator.get(f"/t/{table.id}/ask?e={other}").json()
    assert told["title"].startswith(f"{other}\N{NO-BREAK SPACE}:")
    assert "Peut encore être" in [fact["name"] for fact in told["facts"]]


def test_a_switch_for_answers_in_advance_says_what_it_does(here: World) -> None:
    table = here.seated("me", "open", game="suntzu")
    guest = table.guest(1, accept_language="fr")
    path = f"/t/{table.id}/ask?e=standing-keep-in-fights"
    told = table.host.get(path).json()
    assert told["title"] == "Keep my strategy card in the fights"
    assert [fact["name"] for fact in told["facts"]] == ["On", "Off"]
    assert [rule["statement"] for rule in told["rules"]] == ["SUN-87"]
    assert "on ne vous demande pas" in guest.get(path).json()["facts"][0]["text"]
    assert 'data-ask="standing-keep-in-fights"' in table.host.get(f"/t/{table.id}").text
    for wrong in (here.visitor().get(path), table.host.get(path.replace("standing-", ""))):
        assert wrong.status_code == 404


def test_an_action_that_is_not_legal_now_changes_nothing(table: Table) -> None:
    other = pieces(table, 1)[0]
    plain = table.host.get(f"/t/{table.id}/ask?e={other}")
    wished = table.host.get(f"/t/{table.id}/ask?e={other}&action=999")
    assert plain.json() == wished.json()


def test_the_api_says_the_same(table: Table) -> None:
    own = pieces(table, 0)[0]
    page = table.host.get(f"/t/{table.id}/ask?e={own}").json()
    assert table.host.get(f"/api/v1/tables/{table.id}/ask?element={own}").json() == page


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        ("?e=", 400),
        (f"?e={'x' * 50}", 400),
        ("?e=zz9", 404),
        ("?e=a1&action=-1", 400),
        ("?e=a1&action=many", 400),
        ("?e=a1&ply=3", 409),
    ],
)
def test_what_cannot_be_answered_is_refused(table: Table, query: str, status: int) -> None:
    before = table.state()
    answer = table.host.get(f"/t/{table.id}/ask{query}", headers={"accept": "application/json"})
    assert answer.status_code == status
    assert answer.json()["error"]["text"]
    assert table.state() == before


def test_a_finished_game_answers_for_each_of_its_positions(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    guest: Visitor = table.guest(1)
    table.set_up(table.host, 1)
    table.set_up(guest, 2)
    other = pieces(table, 1)[0]
    assert table.host.post(f"/t/{table.id}/resign", {}).status_code == 200
    told = table.host.get(f"/t/{table.id}/ask?e={other}").json()
    assert "unknown" not in told["title"]
    early = table.host.get(f"/t/{table.id}/ask?e={other}&ply=0").json()
    assert early["title"] == f"{other}: empty"
