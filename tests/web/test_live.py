"""Live tables: what is pushed to whom, and when nothing is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.tables.helpers import wait_for
from tests.web.conftest import Log
from tests.web.test_accounts import registered
from tests.web.world import QUICK, Socket, World, world
from tianxia.tables import Tables, Unavailable
from tianxia.web import api_events, live
from tianxia.web.api_events import Listener, Presence, _lines


def test_a_page_is_pushed_what_has_changed_for_it(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    spectator = here.visitor(accept_language="fr")
    with table.host.live(table.id) as mine, spectator.live(table.id) as theirs:
        first, seen = mine.receive(), theirs.receive()
        assert first["version"] != seen["version"]
        guest = table.guest(1)
        assert mine.receive()["version"] != first["version"]
        assert theirs.receive()["version"] != seen["version"]
        with guest.live(table.id) as hers:
            hers.receive()
            table.set_up(guest, 1)
            assert "parts" in hers.receive()
            assert mine.receive()["parts"]  # that she has finished is known to all
            theirs.receive()


def test_what_others_do_in_secret_is_not_pushed(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    spectator = here.visitor()
    with table.host.live(table.id) as mine, spectator.live(table.id) as theirs:
        mine.receive()
        theirs.receive()
        before = mine.visitor.get(f"/t/{table.id}").text
        legal = table.facts(guest)["legal"][-1]["action"]
        assert table.act(guest, legal).status_code == 200
        assert guest.post(f"/t/{table.id}/take-back", {}).status_code == 200
        assert mine.silent()
        assert theirs.silent()
        assert mine.visitor.get(f"/t/{table.id}").text == before


def test_whoever_has_the_newest_is_sent_nothing(here: World) -> None:
    table = here.seated("me", "open")
    version = table.host.get(f"/t/{table.id}/fragment").json()["version"]
    with table.host.live(table.id, version) as socket:
        assert socket.silent()


def test_a_reconnected_page_gets_what_it_missed(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    with table.host.live(table.id) as socket:
        old = socket.receive()["version"]
    table.guest(1)
    with table.host.live(table.id) as socket:
        assert socket.receive()["version"] != old


def test_signs_of_life(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.05)
    table = here.seated("me", "open")
    with table.host.live(table.id) as socket:
        assert "html" in socket.receive()
        assert socket.receive() == {"beat": 1}
        assert socket.receive() == {"beat": 1}


def test_a_page_that_was_opened_before_the_game_counts_as_there(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else others could soon claim that whoever thinks there has gone."""
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.05)
    table, guest = here.seated("me", "open", variant="duel"), here.visitor()
    guest.become()
    seen = here.app_state.tables.store.seen
    with table.host.live(table.id), guest.live(table.id):
        assert not seen(table.id)
        wish = {"seat": 1, "name": "Bo", "seed": "a seed of Bo"}
        assert guest.post(f"/t/{table.id}/sit", wish).status_code == 200
        wait_for(lambda: set(seen(table.id)) == {0, 1})


def test_closing_a_page_ends_its_subscription(here: World) -> None:
    table = here.seated("me", "open")
    with table.host.live(table.id) as socket:
        socket.receive()
        assert table.id in here.app_state.tables.hub.watched()
    assert table.id not in here.app_state.tables.hub.watched()


def test_taking_a_seat_changes_what_an_open_page_is_sent(here: World) -> None:
    table = here.seated("open", "open", variant="duel")
    guest = here.visitor()
    guest.become()
    with guest.live(table.id) as socket:
        assert 'data-viewer=""' in socket.receive()["html"]
        guest.post(f"/t/{table.id}/sit", {"seat": 1, "name": "Bo"})
        assert 'data-viewer="1"' in socket.receive()["root"]


def test_the_private_link_works_on_another_device(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    key = table.host.get(f"/api/v1/tables/{table.id}/seat").json()["key"]
    assert f"/t/{table.id}/seat/{key}" in table.host.get(f"/t/{table.id}").text
    phone = here.visitor()
    page = phone.get(f"/t/{table.id}/seat/{key}")
    assert page.status_code == 200
    assert table.facts(phone)["seat"] is None  # to look takes nothing
    answer = phone.post(f"/t/{table.id}/seat/{key}", data={"token": phone.token()})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/t/{table.id}"
    assert table.facts(phone)["seat"] == 0
    table.guest(1)
    assert table.act(phone, table.facts(phone)["legal"][-1]["action"]).status_code == 200


def test_bots_move_and_are_seen(here: World) -> None:
    table = here.seated("me", "bot:random", variant="duel")
    with table.host.live(table.id) as socket:
        socket.receive()
        table.set_up(table.host, 3)
        for _ in range(20):
            if table.facts()["your_turn"] and table.facts()["decision"] > 1:
                break
            socket.receive()
        assert table.act(table.host, table.facts()["legal"][0]["action"]).status_code == 200


def test_a_whole_course_of_offers(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    here.app_state.tables.add_seed(table.id, table.host.person, "a seed of Ada")
    guest = table.guest(1)
    base = f"/t/{table.id}"
    table.set_up(table.host, 1)
    assert "Take back</span>" in table.host.get(base).text  # the other still sets up
    table.set_up(guest, 2)
    for who in (table.host, guest):
        assert "Ask to set up anew</span>" in who.get(base).text  # there was no move yet
    assert table.act(table.host, table.facts()["legal"][0]["action"]).status_code == 200
    assert table.host.post(f"{base}/take-back", {}).status_code == 200
    assert table.act(table.host, table.facts()["legal"][0]["action"]).status_code == 200
    assert table.act(guest, table.facts(guest)["legal"][0]["action"]).status_code == 200
    assert "Ask to take back</span>" in table.host.get(base).text
    assert "Take back</span>" in guest.get(base).text
    assert table.host.post(f"{base}/take-back", {}).status_code == 200  # now she is asked
    assert "You have asked to take back" not in guest.get(base).text
    assert "You have asked to take back and wait" in table.host.get(base).text
    assert "has asked to take back." in here.visitor().get(base).text
    assert table.facts(guest)["may"]["answer_take_back"]
    assert guest.post(f"{base}/answer-take-back", {"accept": True}).status_code == 200
    assert table.host.post(f"{base}/offer-draw", {}).status_code == 200
    assert table.facts(guest)["may"]["answer_draw"]
    assert "You have offered a draw and wait" in table.host.get(base).text
    assert table.host.get(f"{base}/ply/1").status_code == 409
    assert guest.post(f"{base}/answer-draw", {"accept": True}).status_code == 200
    facts = table.facts()
    assert (facts["status"], facts["ending"]) == ("over", "agreement")
    assert "A draw was agreed." in table.host.get(base).text
    plies = len(facts["log"])
    for ply in (0, 1, 5, plies, 10_000):
        answer = here.visitor().get(f"{base}/ply/{ply}")
        assert answer.status_code == 200
        assert "html" in answer.json()
    text = table.host.get(f"{base}/transcript")
    assert "attachment" in text.headers["content-disposition"]
    from tianxia.tables.verify import verify

    assert verify(text.text).ok
    one = table.host.post(f"{base}/rematch", {}).json()["next"].removeprefix("/t/")
    two = guest.post(f"{base}/rematch", {}).json()["next"].removeprefix("/t/")
    assert one == two
    assert guest.get(f"/api/v1/tables/{one}").json()["seat"] == 0


def test_without_the_module_forms_do_it(here: World) -> None:
    table = here.seated("me", "open")
    data = {"token": table.host.token(), "name": "Zoë"}
    answer = table.host.ask("POST", f"/t/{table.id}/rename", data=data)
    assert answer.status_code == 303
    assert table.facts()["seats"][0]["name"] == "Zoë"


def test_names_are_no_markup(here: World) -> None:
    table = here.seated("me", "open")
    table.host.post(f"/t/{table.id}/rename", {"name": "<b>@version@</b>"})
    page = here.visitor().get(f"/t/{table.id}").text
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


# --- The database ---


def test_a_locked_database_refuses_and_changes_nothing(tmp_path: Path, log: Log) -> None:
    import sqlite3

    file = tmp_path / "tables.sqlite"
    with world(tables=Tables(f"sqlite:///{file}", busy_seconds=0.2)) as running:
        table = running.seated("me", "open", variant="duel")
        table.guest(1)
        before = table.state()
        action = table.facts()["legal"][-1]["action"]
        with sqlite3.connect(file, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            log.clear()
            answer = table.act(table.host, action, decision=0)
            assert answer.status_code == 503
            assert answer.json()["error"]["code"] == "unavailable"
            assert int(answer.headers["retry-after"]) > 0
            assert len(log.lines()) == 1
            form = {"token": table.host.token(), "name": "Eve"}
            page = table.host.ask("POST", f"/t/{table.id}/rename", data=form)
            assert page.status_code == 503
            assert "<h1>" in page.text
            other.execute("ROLLBACK")
        assert table.state() == before
        assert table.act(table.host, action).status_code == 200


def test_a_database_that_is_away_is_a_page_and_a_sign(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise Unavailable

    for name in ("version", "of_person", "waiting"):
        monkeypatch.setattr(here.app_state.tables.store, name, away)
    visitor = here.visitor(accept_language="fr")
    for path in ("/", "/t/sometable"):
        answer = visitor.get(path)
        assert answer.status_code == 503
        assert "<h1>" in answer.text
    health = visitor.get("/healthz")
    assert health.status_code == 503
    assert health.json()["database"] == "unavailable"
    with visitor.live("sometable") as socket:
        assert socket.status == 503


def test_a_stopping_server_ends_open_pages() -> None:
    with world(QUICK) as running:
        table = running.seated("me", "open")
        with table.host.live(table.id) as socket:
            socket.receive()
            running.wait(asyncio.sleep(0))
            for news in list(running.app_state.tables.hub._watching[table.id]):
                news.close()
            running.wait(asyncio.wait_for(asyncio.shield(socket._task), 5))


def test_an_answer_is_not_pushed_as_well(here: World) -> None:
    """Not to the page that gets it; to every other page it is."""
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    table.set_up(guest, 1)
    table.set_up(table.host, 0)
    with (
        table.host.live(table.id, "&page=one") as one,
        table.host.live(table.id, "&page=two") as two,
        guest.live(table.id, "&page=hers") as hers,
    ):
        version = [*one.rest()][-1]["version"]
        [*two.rest(), *hers.rest()]
        facts = table.facts()
        body = {"actions": [facts["legal"][0]["action"]], "decision": facts["decision"]}
        answer = table.host.post(f"/t/{table.id}/act?known={version}&page=one", body).json()
        assert answer["known"] == version
        assert answer["version"] in [message.get("version") for message in two.rest()]
        assert one.silent()
        facts = table.facts(guest)
        body = {"actions": [facts["legal"][0]["action"]], "decision": facts["decision"]}
        # Whoever names another's page changes nothing there.
        assert guest.post(f"/t/{table.id}/act?page=one", body).status_code == 200
        assert one.receive()["known"] == answer["version"]
        assert [*hers.rest()]


def test_an_open_page_is_told_who_is_there(here: World) -> None:
    table = here.seated("me", "open", variant="barrage")
    guest = table.guest(1)
    watcher = registered(here, "Watcher")
    with table.host.live(table.id, "&company=") as host:
        assert company_of(host) == {"seats": [0], "names": [], "guests": 0}
        with guest.live(table.id, "&company="):
            assert company_of(host)["seats"] == [0, 1]
            with watcher.live(table.id, "&company="), here.visitor().live(table.id, "&company="):
                told = company_of(host)
                while told["guests"] == 0 or not told["names"]:  # one after the other
                    told = company_of(host)
                assert told == {"seats": [0, 1], "names": ["Watcher"], "guests": 1}
                answer = table.host.get(f"/api/v1/tables/{table.id}/company")
                assert answer.json() == told
        while company_of(host) != {"seats": [0], "names": [], "guests": 0}:
            pass


def company_of(socket: Socket) -> dict[str, Any]:
    """Return who a page is told next to be at its table."""
    while "company" not in (message := socket.receive()):
        pass
    return {name: message["company"][name] for name in ("seats", "names", "guests")}


def test_a_program_is_there_as_long_as_it_listens(here: World) -> None:
    table = here.seated("me", "open", variant="barrage")
    presence = Presence(here.app_state, table.host.person)
    company = f"/api/v1/tables/{table.id}/company"
    presence.note({table.id: {"status": "waiting"}})
    assert table.host.get(company).json()["seats"] == [0]
    presence.note({table.id: {"status": "over"}})
    assert table.host.get(company).json()["seats"] == []
    presence.note({table.id: {"status": "playing"}})
    presence.end()
    wait_for(lambda: table.host.get(company).json()["seats"] == [])


def test_of_a_program_that_listens_nobody_can_claim_that_it_has_gone(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    table.guest(1)

    async def begun() -> AsyncIterator[str]:
        return _lines(here.app_state, Listener(table.host.person, ""), once=False)

    async def listen() -> None:
        await anext(lines)
        with suppress(TimeoutError):  # it goes on when there is more to tell
            await asyncio.wait_for(anext(lines), 0.1)

    lines = here.wait(begun())
    here.wait(listen())
    wait_for(lambda: set(here.app_state.tables.store.seen(table.id)) == {0})


def test_a_program_that_reads_slowly_misses_nothing(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_events, "BEAT_SECONDS", 0.2)
    table = here.seated("me", "open", variant="duel")

    async def begun() -> AsyncIterator[str]:
        return _lines(here.app_state, Listener(table.host.person, ""), once=False)

    async def line() -> str:
        return await anext(lines)

    lines = here.wait(begun())
    assert '"waiting"' in here.wait(line())
    for number in range(2000):  # while it does not read
        here.app_state.tables.hub.publish(f"other{number}", 1)
    table.guest(1)
    assert any('"playing"' in here.wait(line()) for _ in range(100))
    here.wait(lines.aclose())  # type: ignore[attr-defined]
