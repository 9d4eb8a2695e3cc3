"""Leaving a game of three on the page: the button, what is said, and who watches then."""

from __future__ import annotations

from tests.battery import games
from tests.web.world import World

assert games.BLIND_DUEL, "registers the toy"


def test_who_leaves_watches_and_a_bot_plays_on(here: World) -> None:
    table = here.seated("me", "open", "open", game="blind-duel", players=3)
    bo, cy = table.guest(1), table.guest(2)
    page = bo.get(f"/t/{table.id}").text
    assert 'data-sure="leave-dialog"' in page
    assert 'data-sure="resign-dialog"' not in page
    answer = bo.post(f"/t/{table.id}/resign", {})
    assert answer.status_code == 200
    left = answer.json()["html"]
    assert 'data-viewer=""' in left
    assert "leaves the game; a bot plays on." in left
    assert " for Bo" in left
    assert bo.post(f"/t/{table.id}/resign", {}).status_code == 403
    facts = table.facts(cy)
    assert facts["status"] == "playing"
    assert facts["seats"][1]["kind"] == "bot"
    assert facts["may"]["leave"]
    assert not facts["may"]["resign"]


def test_the_last_person_resigns(here: World) -> None:
    table = here.seated("me", "bot:random", "bot:random", game="blind-duel", players=3)
    page = table.host.get(f"/t/{table.id}").text
    assert 'data-sure="resign-dialog"' in page
    assert 'data-sure="leave-dialog"' not in page
    assert table.host.post(f"/t/{table.id}/resign", {}).status_code == 200
    assert table.facts()["ending"] == "resignation 0"


def test_a_game_without_a_rulebook_has_no_link_to_one(here: World) -> None:
    for game, has in (("blind-duel", False), ("stratego", True)):
        table = here.seated("me", "open", game=game)
        assert (f'href="/rules/{game}"' in table.host.get(f"/t/{table.id}").text) is has
