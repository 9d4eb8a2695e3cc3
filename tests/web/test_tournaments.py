"""Tournaments over the web: made, entered and played on pages and by programs; what is refused."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.web.test_accounts import error_of, form, registered
from tests.web.world import Visitor, World, world
from tianxia.accounts import passwords
from tianxia.tournaments import Director
from tianxia.tournaments.games import missing
from tianxia.web.tournaments import tournaments_of

NAMES = ("Ada", "Bea", "Cid", "Dan", "Eve", "Fay")
WISH = {
    "name": "Cup of tests",
    "pace": "600+10",
    "system": "swiss",
    "rounds": "3",
    "starts": "0",
    "option-variant": "barrage",
    "rated": "yes",
}
API = "/api/v1/tournaments"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody signs in again here: passwords need not be hashed slowly."""
    monkeypatch.setattr(passwords, "hashed", lambda _: "none")


def made(one: Visitor, **other: str) -> str:
    answer = one.post("/tournaments/new/stratego", data=form(one, **{**WISH, **other}))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).rpartition("/")[2]


def done(one: Visitor, cup: str, deed: str) -> Any:
    return one.post(f"/tournaments/{cup}/{deed}", data=form(one))


def state(one: Visitor, cup: str, query: str = "") -> Any:
    answer = one.get(f"{API}/{cup}{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def come(one: Visitor, table: str) -> None:
    assert one.post(f"/t/{table}/seed", {"seed": "ab" * 16}).status_code == 200


def test_a_tournament_of_six_finishes_by_itself() -> None:
    """People make and enter it on pages; the server's thread begins each round."""
    with world() as here:
        people = {name: registered(here, name) for name in NAMES}
        ada = people["Ada"]
        cup = made(ada)
        assert "Cup of tests" in here.visitor().get("/tournaments").text
        for one in people.values():
            assert done(one, cup, "enter").status_code == 303
        page = ada.get(f"/tournaments/{cup}").text
        assert "6 people have entered." in page
        assert done(people["Bea"], cup, "begin").status_code == 403
        assert done(ada, cup, "begin").status_code == 303
        director = Director(tournaments_of(here.app_state)).start()
        for number in (1, 2, 3):
            found = play_round(people, cup, number)
        director.close()
        assert (found["status"], found["round"]) == ("over", 3)
        assert sum(one["points"] for one in found["standings"]) == 9
        assert found["standings"][0]["place"] == 1
        page = here.visitor().get(f"/tournaments/{cup}?round=1").text
        assert page.count("/t/") == 3
        assert "This tournament is over." in page
        assert "Cup of tests" in here.visitor().get("/tournaments").text


def play_round(people: dict[str, Visitor], cup: str, number: int) -> Any:
    """Let the first seat of each table resign; return how all stands when it has been counted."""
    found = state(people["Ada"], cup)
    names = {one["number"]: one["name"] for one in found["standings"]}
    for game in [one for one in found["pairings"] if one["round"] == number]:
        players = [people[names[who]] for who in game["players"]]
        for one in players:
            assert state(one, cup)["table"] == game["table"]
            assert "data-go" in one.get(f"/tournaments/{cup}").text
            come(one, game["table"])
        assert players[0].post(f"/t/{game['table']}/resign").status_code < 400
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = state(people["Ada"], cup, f"?known={found['version']}&wait=5")
        if found["round"] > number or found["status"] == "over":
            open_tables = [one for one in found["pairings"] if one["table"] is None]
            if not open_tables:
                return found
    raise AssertionError("the round did not end")


def test_programs_make_and_enter_them(here: World) -> None:
    one, two = registered(here, "Program"), registered(here, "Other")
    wish = {"name": "By program", "game": "stratego", "options": {"variant": "duel"}, "pace": "3d"}
    answer = one.post(API, wish)
    assert answer.status_code == 201, answer.text
    cup = answer.json()["id"]
    facts = answer.json()
    assert (facts["status"], facts["system"], facts["entrants"]) == ("open", "swiss", 0)
    assert [found["id"] for found in one.get(f"{API}?status=mine").json()] == [cup]
    assert cup in [found["id"] for found in here.visitor().get(API).json()]
    version = one.post(f"{API}/{cup}/enter").json()["version"]
    assert two.post(f"{API}/{cup}/enter").json()["entrants"] == 2
    assert state(one, cup, f"?known={version}&wait=20")["entrants"] == 2
    assert error_of(one.post(f"{API}/{cup}/begin")) == "too-few"
    assert error_of(two.post(f"{API}/{cup}/begin")) == "not-your-tournament"
    assert two.post(f"{API}/{cup}/withdraw").json()["entrants"] == 1
    assert error_of(two.post(f"{API}/{cup}/withdraw")) == "not-in"
    assert one.post(f"{API}/{cup}/end").json()["status"] == "off"
    assert error_of(two.post(f"{API}/{cup}/enter")) == "over"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": ""}, "name"),
        ({"pace": ""}, "pace"),
        ({"pace": "soon"}, "pace"),
        ({"system": "knock-out"}, "system"),
        ({"rounds": 99}, "rounds"),
        ({"starts": 1.0}, "starts"),
        ({"options": {"variant": "chess"}}, "options"),
        ({"game": "chess"}, "unknown-game"),
        ({"rounds": "many"}, "malformed"),
    ],
)
def test_what_programs_are_refused(here: World, wrong: dict[str, Any], code: str) -> None:
    name = f"Refused {code}"[:20]
    one = here.visitor()
    if here.app_state.accounts.named(name) is None:
        one = registered(here, name)
        wish = {"name": "Cup", "game": "stratego", "pace": "3d", **wrong}
        answer = one.post(API, wish)
        assert answer.status_code in (400, 404, 422)
        assert error_of(answer) == code
        assert one.get(f"{API}?status=mine").json() == []


def test_the_rules_of_a_tournament_say_what_a_round_off_is_worth(here: World) -> None:
    one = registered(here, "Resting")
    page = one.get(f"/tournaments/{made(one)}").text
    assert "sits out; that is worth 1." in page
    assert "Macro" not in page


def test_what_is_wrong_with_the_form_is_said_in_it(here: World) -> None:
    one = registered(here, "Former")
    answer = one.post(
        "/tournaments/new/stratego", data=form(one, **{**WISH, "name": "\u200b", "rounds": "7"})
    )
    assert answer.status_code == 422
    assert "Give the tournament a name." in answer.text
    assert re.search(r'name="rounds"[^>]*value="7"', answer.text)
    assert re.search(r'<option value="barrage" selected', answer.text)


def test_guests_look_and_are_asked_to_sign_in(here: World) -> None:
    cup = made(registered(here, "Maker"))
    guest = here.visitor()
    guest.become()
    page = guest.get(f"/tournaments/{cup}").text
    assert f"/sign-in?next=/tournaments/{cup}" in page
    assert done(guest, cup, "enter").status_code == 401
    assert error_of(guest.post(f"{API}/{cup}/enter")) == "no-account"
    assert "Sign in" in guest.get("/tournaments/new/stratego").text
    for path in ("/tournaments/nothing", f"{API}/nothing", "/tournaments/new/chess"):
        assert guest.get(path).status_code == 404
    assert done(registered(here, "Doer"), cup, "destroy").status_code == 404


def test_private_ones_are_seen_by_who_has_the_link(here: World) -> None:
    maker = registered(here, "Private")
    cup = made(maker, public="no", name="Behind the door")
    assert '<a class="on-wide" href="/tournaments">' in here.visitor().get("/").text
    assert "Behind the door" not in here.visitor().get("/tournaments").text
    assert "Behind the door" in maker.get("/tournaments").text
    assert "Behind the door" in here.visitor().get(f"/tournaments/{cup}").text


def test_lists_are_sent_where_they_have_changed(here: World) -> None:
    one = registered(here, "Looker")
    cup = made(one, name="Changing")
    for path, deed in ((f"/tournaments/{cup}/lists", "enter"), ("/tournaments/lists", "withdraw")):
        first = one.get(path).json()
        assert "html" not in one.get(f"{path}?version={first['version']}").json()
        done(one, cup, deed)
        assert "html" in one.get(f"{path}?version={first['version']}").json()


def test_the_table_leads_to_the_tournament_and_back(here: World) -> None:
    people = {name: registered(here, name) for name in ("Gil", "Hal", "Ida")}
    gil = people["Gil"]
    cup = made(gil, rounds="1")
    for one in people.values():
        done(one, cup, "enter")
    where = done(gil, cup, "begin").headers["location"]
    facts = state(gil, cup)
    (table,) = [one["table"] for one in facts["pairings"] if one["table"]]
    assert where == (f"/t/{table}" if facts["table"] else f"/tournaments/{cup}")
    names = {one["number"]: one["name"] for one in facts["standings"]}
    pair = next(one["players"] for one in facts["pairings"] if one["table"])
    first, second = (names[number] for number in pair)
    page = people[first].get(f"/t/{table}").text
    assert "Before the game" in page
    assert f"Still to come: {first}, {second}." in page
    assert f'href="/tournaments/{cup}"' in page
    assert "To the tournament" not in page
    assert "Whoever does not come in time loses this game" in page
    assert 'id="round-call" role="alert" data-cup="/tournaments/' in page
    for name in (first, second):
        come(people[name], table)
    assert people[first].post(f"/t/{table}/resign").status_code < 400
    page = people[second].get(f"/t/{table}").text
    assert "To the tournament" in page
    assert 'data-post="rematch"' not in page


def test_who_waited_in_vain_reads_that_it_is_a_win(here: World) -> None:
    people = {name: registered(here, name) for name in ("Waits", "Never", "Rests")}
    cup = made(people["Waits"], rounds="1")
    for one in people.values():
        done(one, cup, "enter")
    done(people["Waits"], cup, "begin")
    facts = state(people["Waits"], cup)
    pairing = next(one for one in facts["pairings"] if one["table"])
    names = {one["number"]: one["name"] for one in facts["standings"]}
    comes, absent = (names[number] for number in pairing["players"])
    come(people[comes], pairing["table"])
    missing(here.app_state.tables, pairing["table"], [1])
    page = people[comes].get(f"/t/{pairing['table']}").text
    assert "Not played" in page
    assert f"Not there in time: {absent}. In the tournament this is a loss for them" in page
    assert "The table was closed" not in re.sub(r'(?s)<ol id="log".*?</ol>', "", page)


def test_people_are_invited_by_a_link_and_a_code(here: World) -> None:
    one = registered(here, "Host of it")
    cup = made(one, rounds="1")
    page = one.get(f"/tournaments/{cup}").text
    assert re.search(rf'id="link-cup"[^>]* value="https?://[^"]+/tournaments/{cup}"', page)
    code = one.get(f"/tournaments/{cup}/code.svg")
    assert code.headers["content-type"] == "image/svg+xml"
    assert one.get("/tournaments/nothing/code.svg").status_code == 404
    late = registered(here, "Late to it")
    assert "Entries are closed." not in late.get(f"/tournaments/{cup}").text
    for name in ("Host of it", "Second there", "Third there"):
        done(one if name == "Host of it" else registered(here, name), cup, "enter")
    done(one, cup, "begin")
    page = late.get(f"/tournaments/{cup}").text
    assert "link-cup" not in page
    assert "Entries are closed." in page
    assert "Entries are closed." not in one.get(f"/tournaments/{cup}").text
