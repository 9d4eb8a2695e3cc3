"""The lobby over the web: two clicks to a stranger, challenges, lists; and what is refused."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
import sqlalchemy as sa

from tests.web.test_accounts import error_of, form, registered
from tests.web.world import World, world
from tianxia.lobby import service
from tianxia.tables import schema


def test_two_strangers_meet_by_one_click_each(here: World) -> None:
    ann, bob = here.visitor(), here.visitor()
    for one in (ann, bob):
        one.become()
    assert ann.get("/lobby").status_code == 200
    fields = {"game": "stratego", "pace": "300+5", "nickname": "Ann"}
    answer = ann.post("/lobby/seeks", data=form(ann, **fields))
    waiting = answer.headers["location"]
    assert waiting.startswith("/lobby/wait/")
    assert "data-seek" in ann.get(waiting).text
    page = bob.get("/lobby").text
    assert "<strong>Ann</strong>" in page
    answer = bob.post("/lobby/seeks", data=form(bob, **{**fields, "nickname": "Bob"}))
    table = str(answer.headers["location"])
    assert table.startswith("/t/")
    assert ann.get(waiting).headers["location"] == table
    for one in (ann, bob):
        assert f'data-wants-seed="{table[3:]}"' in one.get(table).text
        assert one.post(f"{table}/seed", {"seed": "ab" * 16}).status_code == 200
        assert "data-wants-seed" not in one.get(table).text
    facts = [one.get(f"/api/v1/tables/{table[3:]}").json() for one in (ann, bob)]
    assert {fact["seat"] for fact in facts} == {0, 1}
    assert {seat["name"] for seat in facts[0]["seats"]} == {"Ann", "Bob"}
    assert (facts[0]["status"], facts[0]["pace"]) == ("playing", "300+5")
    assert table in here.visitor().get("/lobby").text  # it can be watched


def links(html: str) -> set[str]:
    """Return where one click on a page leads."""
    return set(re.findall(r'<a\b[^>]*\bhref="([^"]+)"', html))


def buttons(html: str, action: str) -> list[dict[str, str]]:
    """Return what each form of a page with this address sends when one clicks its button."""
    forms = re.findall(rf'<form method="post" action="{action}">(.*?)</form>', html, re.DOTALL)
    named = r'<input type="hidden" name="(\w+)" value="([^"]*)">'
    return [{name: unescape(value) for name, value in re.findall(named, one)} for one in forms]


def test_a_stranger_who_waits_is_two_clicks_from_the_first_page(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "ALIVE", 3600.0)  # rules may have to be compiled meanwhile
    waits, comes = here.visitor(), here.visitor()
    waits.become()
    wish = {"game": "suntzu", "options": {}, "pace": "600+10", "nickname": "Waits here"}
    seek = waits.post("/api/v1/lobby/seeks", wish).json()["id"]
    assert "/lobby" in links(comes.get("/").text)
    page = comes.get("/lobby").text  # the first click
    row = next(row for row in re.findall(r"<li\b.*?</li>", page, re.DOTALL) if "Waits here" in row)
    (sent,) = buttons(row, "/lobby/seeks")
    table = comes.post("/lobby/seeks", data=sent).headers["location"]  # and the second
    assert table.startswith("/t/")
    assert waits.get(f"/api/v1/lobby/seeks/{seek}").json()["table"] == table[3:]
    facts = [one.get(f"/api/v1/tables/{table[3:]}").json() for one in (waits, comes)]
    assert {fact["seat"] for fact in facts} == {0, 1}


def test_who_has_an_account_meets_others_for_rated_games(here: World) -> None:
    ann, bob = registered(here, "Rated Ann"), registered(here, "Rated Bob")
    assert 'name="rated"' in ann.get("/lobby").text
    assert 'name="rated"' not in here.visitor().get("/lobby").text
    ann.post("/lobby/seeks", data=form(ann, game="stratego", pace="1200+20", rated="yes"))
    rows = re.findall(r"<li\b.*?</li>", bob.get("/lobby").text, re.DOTALL)
    row = next(row for row in rows if "Rated Ann" in row and "/lobby/seeks" in row)
    assert "rated game" in row
    (sent,) = buttons(row, "/lobby/seeks")
    assert sent["rated"] == "yes"
    assert 'id="unrated"' not in bob.get("/lobby").text
    stranger = here.visitor().get("/lobby").text
    assert "the game will count for nobody" in stranger
    row = next(row for row in re.findall(r"<li\b.*?</li>", stranger, re.DOTALL) if "Ann" in row)
    assert "rated game, but not against a guest" in row
    assert 'aria-describedby="unrated"' in row
    table = bob.post("/lobby/seeks", data=sent).headers["location"]
    assert bob.get(f"/api/v1{table.replace('/t/', '/tables/')}").json()["rated"]
    assert "rated game" in bob.get(table).text
    wish = {"game": "stratego", "rated": "perhaps"}
    assert bob.post("/api/v1/lobby/seeks", wish).status_code == 400
    guest = here.visitor()
    guest.become()
    challenge = {"to": "Rated Ann", "game": "stratego", "rated": True}
    assert error_of(guest.post("/api/v1/challenges", challenge)) == "accounts-only"


def test_programs_meet_too_and_are_called() -> None:
    with world() as here:
        one, two = here.visitor(), here.visitor()
        one.become()
        two.become()
        wish = {"game": "stratego", "options": {"variant": "duel"}}
        seek = one.post("/api/v1/lobby/seeks", {**wish, "nickname": "One"})
        assert (seek.status_code, seek.json()["table"]) == (201, None)
        lobby = two.get("/api/v1/lobby").json()
        assert [(row["name"], row["game"]) for row in lobby["seeks"]] == [
            ("One", "stratego(variant=duel)")
        ]
        assert lobby["count"] == 1
        for query in ("game=china", "pace=3d", "players=3"):
            assert two.get(f"/api/v1/lobby?{query}").json()["seeks"] == []
        assert two.get("/api/v1/lobby?game=stratego&pace=&players=2").json()["seeks"] != []
        for query in ("game=stratego&option-variant=duel", "option-variant=barrage"):
            assert two.get(f"/api/v1/lobby?{query}").json()["seeks"] != []  # of no game: no option
        for option in ("variant=barrage", "variant=nonsense", "nonsense=duel"):
            query = f"game=stratego&option-{option}"
            assert two.get(f"/api/v1/lobby?{query}").json()["seeks"] == []
        table = two.post("/api/v1/lobby/seeks", wish).json()["table"]
        path = f"/api/v1/lobby/seeks/{seek.json()['id']}"
        assert one.get(f"{path}?wait=20").json()["table"] == table
        assert error_of(two.get(path)) == "no-seek"
        again = one.post("/api/v1/lobby/seeks", wish).json()["id"]
        assert one.ask("DELETE", f"/api/v1/lobby/seeks/{again}").json() == {"done": True}
        assert two.get("/api/v1/lobby").json()["seeks"] == []
        refused = one.post("/api/v1/lobby/seeks", {**wish, "pace": "soon"})
        assert (refused.status_code, error_of(refused)) == (422, "pace")


CHALLENGER = "Challenger"


def test_a_challenge_is_accepted_or_declined(here: World) -> None:
    ann, bob = registered(here, CHALLENGER), registered(here, "Challenged")
    body = {"to": "CHALLENGED", "game": "stratego", "pace": "3d"}
    tables = [
        ann.post("/api/v1/challenges", body | {"rated": rated}).json()["table"]
        for rated in (True, False)
    ]
    told = bob.get("/api/v1/events?once=true").text.splitlines()
    assert [json.loads(line) for line in told] == [
        {
            "type": "challenge",
            "table": table,
            "game": "stratego",
            "pace": "3d",
            "rated": table == tables[0],
            "from": [CHALLENGER],
        }
        for table in tables
    ]
    assert ann.get("/api/v1/events?once=true").text.count("challenge") == 0
    page = bob.get("/lobby").text
    assert "You are challenged" in page
    assert page.count("3 days for each decision · rated game") == 1
    assert all(table in page for table in tables)
    stranger = registered(here, "Stranger")
    assert error_of(stranger.post(f"/api/v1/tables/{tables[0]}/accept")) == "not-asked"
    assert stranger.post(f"/api/v1/tables/{tables[0]}/decline").status_code == 403
    for _ in range(2):  # the button may be pressed twice
        answer = bob.post(f"/t/{tables[0]}/accept", data=form(bob))
        assert answer.headers["location"] == f"/t/{tables[0]}"
    awaited = [[True, True], [False, True]]
    for one in (ann, bob):  # it begins when both have added their seeds
        facts = bob.get(f"/api/v1/tables/{tables[0]}").json()
        assert facts["status"] == "waiting"
        assert [seat["awaits_seed"] for seat in facts["seats"]] == awaited.pop(0)
        one.post(f"/t/{tables[0]}/seed", {"seed": "ab" * 16})
    facts = bob.get(f"/api/v1/tables/{tables[0]}").json()
    assert facts["status"] == "playing"
    assert not any(seat["awaits_seed"] for seat in facts["seats"])
    bob.post(f"/t/{tables[1]}/decline", data=form(bob))
    assert "You are challenged" not in bob.get("/lobby").text
    assert (
        error_of(ann.post("/api/v1/challenges", {**body, "to": "Nobody Here"})) == "unknown-account"
    )
    assert error_of(ann.post("/api/v1/challenges", {**body, "to": "challenger"})) == "yourself"


def test_an_open_lobby_gets_what_is_new_and_nothing_else(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    first = visitor.get("/lobby/lists").json()
    assert "html" in first
    assert visitor.get(f"/lobby/lists?version={first['version']}").json() == {
        "version": first["version"]
    }
    other = here.visitor()
    other.become()
    other.post("/api/v1/lobby/seeks", {"game": "stratego", "nickname": "New <b>"})
    news = visitor.get(f"/lobby/lists?version={first['version']}").json()
    assert "New &lt;b&gt;" in news["html"]
    assert re.search(r'name="token" value="\w+"', news["html"])


def test_the_lobby_is_filtered_by_rating(here: World) -> None:
    strong, weak, guest = registered(here, "Strongest"), registered(here, "Weakest"), here.visitor()
    guest.become()
    for name, mu in (("Strongest", 40.0), ("Weakest", 10.0)):
        account = here.app_state.accounts.named(name)
        assert account
        row = {"account": account.id, "game": "stratego", "pace": "quick", "games": 30}
        with here.app_state.tables.store.writing() as connection:
            numbers = {"mu": mu, "sigma": 1.0, "points": mu}
            connection.execute(sa.insert(schema.ratings), {**row, **numbers})
    wish = {"game": "stratego", "seats": ["me", "open"], "public": True, "pace": "300+5"}
    made = {}
    for name, one in (("strong", strong), ("weak", weak), ("guest", guest)):
        made[one.post("/api/v1/tables", wish).json()["table"]] = name
    strong.post("/api/v1/lobby/seeks", {"game": "stratego", "pace": "600+5"})

    def shown(query: str) -> tuple[list[str], list[str]]:
        found = here.visitor().get(f"/api/v1/lobby?{query}").json()
        names = sorted(made[one["id"]] for one in found["waiting"] if one["id"] in made)
        return names, [one["name"] for one in found["seeks"] if one["pace"] == "600+5"]

    assert shown("") == (["guest", "strong", "weak"], ["Strongest"])
    assert shown("least=1500")[0] == ["strong"]
    assert shown("most=1600")[0] == ["weak"]
    assert shown("least=1200&most=1800")[0] == []
    assert shown("least=1500")[1] == shown("")[1]
    page = here.visitor().get("/lobby?least=1500&game=stratego&option-variant=duel").text
    assert 'name="least" type="number" min="0" max="9999" value="1500"' in page
    assert re.search(r'<option value="duel" selected>', page)
    assert "option-variant" not in here.visitor().get("/lobby").text
    assert here.visitor().get("/api/v1/lobby?least=best").status_code == 400
    assert here.visitor().get("/lobby?least=best&players=x").status_code == 200


def test_an_unknown_game_is_no_filter(here: World) -> None:
    answer = here.visitor().get("/api/v1/lobby?game=nothing")
    assert (answer.status_code, error_of(answer)) == (404, "unknown-game")
    assert here.visitor().get("/api/v1/lobby?game=stratego").status_code == 200


def test_who_is_challenged_is_told_on_the_first_page_and_answers_at_the_table(
    here: World,
) -> None:
    ann, eve = registered(here, "Asks Eve"), registered(here, "Asked Eve")
    body = {"to": "Asked Eve", "game": "stratego", "pace": "3d", "rated": "yes"}
    where = [
        ann.post("/lobby/challenges", data=form(ann, **body)).headers["location"] for _ in range(2)
    ]
    home = eve.get("/").text
    assert "You are challenged" in home
    assert buttons(home, f"{where[0]}/accept") != []
    assert "You are challenged" not in ann.get("/").text
    page = eve.get(where[0]).text
    assert "Asks Eve wants to play Stratego with you" in page
    assert "3 days for each decision · rated game" in page
    assert 'data-post="accept"' not in here.visitor().get(where[0]).text
    assert 'data-post="accept"' not in ann.get(where[0]).text
    answers = [eve.post(f"{where[0]}/accept", {}), eve.post(f"{where[1]}/decline", {})]
    assert [one.json() for one in answers] == [{"next": where[0]}, {"next": "/lobby"}]
    assert 'data-viewer="1"' in eve.get(where[0]).text
    waits = ann.get(where[1]).text
    assert "Asked Eve has declined." in waits
    assert "declined" not in here.visitor().get(where[1]).text
    eve.post("/account/name", data=form(eve, name="Other Eve"))
    assert "Other Eve has declined." in ann.get(where[1]).text


def test_a_challenge_that_is_refused_keeps_what_was_filled_in(here: World) -> None:
    ann = registered(here, "Types Fast")
    for to, said in (("Nobdy Here", "Nobody has an account"), ("Types Fast", "That is you.")):
        wish = form(ann, to=to, game="china", pace="3d")
        answer = ann.post("/lobby/challenges", data=wish)
        assert answer.status_code in (404, 409)
        assert f'value="{to}"' in answer.text
        assert f'role="alert">{said}' in answer.text
        assert '<option value="china" selected>' in answer.text
        assert '<option value="3d" selected>' in answer.text


def test_a_challenge_is_for_two(here: World) -> None:
    ann, bob = registered(here, "One of Two"), registered(here, "Two of Two")
    wish = form(ann, to="Two of Two", game="china", pace="")
    table = ann.post("/lobby/challenges", data=wish).headers["location"][3:]
    assert len(bob.get(f"/api/v1/tables/{table}").json()["seats"]) == 2
