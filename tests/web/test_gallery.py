"""The talk of those who watch: nobody who plays reads it as long as the game lasts."""

from __future__ import annotations

import re
from contextlib import ExitStack
from itertools import count
from types import SimpleNamespace

import pytest

from tests.web.test_accounts import error_of, form, registered
from tests.web.test_safety_pages import met
from tests.web.world import Socket, Visitor, World
from tianxia.web.api_keeping import keeping_of
from tianxia.web.gallery import overheard
from tianxia.web.middleware import scope_needed

NUMBERS = count(1)
SECRET = "The Marshal of Blue stands at e7"


def watching(here: World) -> tuple[Visitor, Visitor, Visitor, str]:
    """Return who plays, and somebody who watches and has said something there."""
    number = next(NUMBERS)
    ann, bob, path = met(here, f"Player {number}", f"Rival {number}")
    eve = here.visitor()
    eve.become()
    said = eve.post(f"/api/v1/tables/{path[3:]}/gallery", {"text": SECRET, "nickname": "Eve"})
    assert said.status_code == 201, said.text
    return ann, bob, eve, path


def test_who_plays_reads_nothing_until_the_end(here: World) -> None:
    ann, bob, eve, path = watching(here)
    api = f"/api/v1/tables/{path[3:]}/gallery"
    assert [(one["name"], one["text"]) for one in eve.get(api).json()] == [("Eve", SECRET)]
    assert SECRET in eve.get(f"{path}/gallery").text
    for who in (ann, bob):
        for address in (api, f"{path}/gallery", f"{path}/gallery/lines"):
            answer = who.get(address)
            assert (answer.status_code, SECRET in answer.text) == (409, False)
        assert error_of(who.post(api, {"text": "Hello"})) == "you-play"
        assert who.post(f"{path}/gallery/say", data=form(who, text="Hello")).status_code == 409
        for address in (path, f"/api/v1/tables/{path[3:]}", f"{path}/talk"):
            assert SECRET not in who.get(address).text
    assert f'href="{path}/gallery"' in eve.get(path).text
    assert f'href="{path}/gallery"' not in ann.get(path).text
    bob.post(f"/api/v1/tables/{path[3:]}/resign")
    assert [one["text"] for one in ann.get(api).json()] == [SECRET]
    assert f'href="{path}/gallery"' in ann.get(path).text


def test_who_watches_talks_on_a_page(here: World) -> None:
    *_, eve, path = watching(here)
    carl = registered(here, "Watchful")
    page = f"{path}/gallery"
    answer = carl.post(f"{page}/say", data=form(carl, text="A <b>bold</b> move"))
    assert answer.headers["location"].startswith(page)
    shown = eve.get(page).text
    assert "A &lt;b&gt;bold&lt;/b&gt; move" in shown
    assert 'href="/@Watchful"' in shown
    news = eve.get(f"{page}/lines").json()
    assert "bold" in news["html"]
    assert eve.get(f"{page}/lines?version={news['version']}").json() == {"version": news["version"]}
    remark = re.search(r'name="remark" value="(\w+)"', shown)
    assert remark
    reported = eve.post(f"{page}/report", data=form(eve, remark=remark[1]))
    assert "Thank you" in eve.get(reported.headers["location"]).text
    (report,) = [one for one in keeping_of(here.app_state).reports() if one.about == "Watchful"]
    assert report.said == [("Eve", SECRET), ("Watchful", "A <b>bold</b> move")]
    eve.post(f"{page}/mute", data=form(eve, remark=remark[1]))
    assert "bold" not in eve.get(page).text
    assert "bold" in here.visitor().get(page).text
    assert carl.post("/account/export", data=form(carl)).json()["said_while_watching"]


def test_what_cannot_be_said_is_refused(here: World) -> None:
    *_, eve, path = watching(here)
    api = f"/api/v1/tables/{path[3:]}/gallery"
    assert error_of(eve.post(api, {"text": " \n"})) == "empty"
    assert error_of(eve.post(api, {"text": "x" * 501})) == "too-long"
    assert eve.post(f"{path}/gallery/say", data=form(eve, text=" ")).status_code == 422
    assert error_of(eve.get("/api/v1/tables/nowhere/gallery")) == "unknown-table"
    assert eve.post(f"{path}/gallery/mute", data=form(eve, remark="none")).status_code == 409
    codes = [eve.post(api, {"text": f"Remark {n}"}).status_code for n in range(5)]
    assert codes == [201, 201, 201, 201, 429]
    waiting = eve.post("/api/v1/tables", {"game": "stratego", "seats": ["me", "open"]}).json()
    answer = here.visitor().get(f"/api/v1/tables/{waiting['table']}/gallery")
    assert error_of(answer) == "not-begun"


def test_what_tokens_of_programs_are_good_for() -> None:
    for path, scope in (
        ("/api/v1/tables/x/gallery", "talk"),
        ("/api/v1/tables/x/talk", "talk"),
        ("/api/v1/tables/x/act", "play"),
        ("/api/v1/accounts/Ada/shun", "play"),
        ("/api/v1/account", ""),
        ("/api/v1/account/password", ""),
    ):
        assert scope_needed("POST", path) == scope


def test_it_is_a_tab_of_the_table_for_whoever_may_read_it(here: World) -> None:
    ann, bob, eve, path = watching(here)
    assert "data-gallery" in eve.get(path).text
    assert SECRET in eve.get(f"{path}/gallery/panel").json()["html"]
    for who in (ann, bob):
        assert "data-gallery" not in who.get(path).text
        answer = who.get(f"{path}/gallery/panel")
        assert (answer.status_code, SECRET in answer.text) == (409, False)
    bob.post(f"/api/v1/tables/{path[3:]}/resign")
    assert "data-gallery" in ann.get(path).text
    assert SECRET in ann.get(f"{path}/gallery/panel").json()["html"]


def test_what_is_said_is_pushed_to_those_who_watch_alone(here: World) -> None:
    ann, bob, eve, path = watching(here)
    table, api = path[3:], f"/api/v1{path.replace('/t/', '/tables/')}/gallery"
    carl = here.visitor(accept_language="fr")
    known = eve.get(f"{path}/gallery/lines").json()["version"]
    with ExitStack() as stack:
        play = [stack.enter_context(who.live(table, "&gallery=")) for who in (ann, bob)]
        has, lacks = (
            stack.enter_context(who.live(table, f"&gallery={version}"))
            for who, version in ((eve, known), (carl, ""))
        )
        assert SECRET in pushed(lacks)["html"]
        eve.post(api, {"text": "Nobody has seen that", "nickname": "Eve"})
        for one in (has, lacks):
            assert "Nobody has seen that" in pushed(one)["html"]
        assert not any("gallery" in message for one in play for message in one.rest())


def pushed(socket: Socket) -> dict[str, str]:
    """Return the next that a page is pushed of this talk."""
    while "gallery" not in (message := socket.receive()):
        pass
    found: dict[str, str] = message["gallery"]
    return found


def test_who_takes_a_seat_back_is_pushed_nothing_more(here: World) -> None:
    *_, eve, path = watching(here)
    context = SimpleNamespace(person=eve.person, who=eve.person, language="en", base="")
    assert SECRET in overheard(here.app_state, context, path[3:])["html"]  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(here.app_state.tables, "seat_of", lambda *_: 0)
        drawn = overheard(here.app_state, context, path[3:])  # type: ignore[arg-type]
    assert drawn == {"version": "", "html": ""}


def test_its_forms_answer_the_tab_in_json(here: World) -> None:
    *_, eve, path = watching(here)
    wish = {
        "data": form(eve, text="Well played", name="Eve"),
        "headers": {"accept": "application/json"},
    }
    assert eve.post(f"{path}/gallery/say", **wish).json() == {"done": "said"}
    panel = eve.get(f"{path}/gallery/panel", headers={"accept": "application/json"}).json()["html"]
    assert 'name="name" maxlength="24" value="Eve"' in panel
    assert 'data-report="Thank you.' in panel
    empty = wish | {"data": form(eve, text=" ", name="Eve")}
    answer = eve.post(f"{path}/gallery/say", **empty)
    assert (answer.status_code, error_of(answer)) == (422, "empty")
