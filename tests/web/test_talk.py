"""Talk on pages: who is sent what, and that nobody else can notice anything of it."""

from __future__ import annotations

import itertools
import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.tables.helpers import DUEL
from tests.web.conftest import Log
from tests.web.test_hidden import difference, same_chance
from tests.web.world import QUICK, Socket, Table, Visitor, World, world
from tianxia.tables import Tables
from tianxia.tables.talk import BURST, LONGEST
from tianxia.web import live

SECRET = "meet me by the old well"
API = "/api/v1/tables"


def three(here: World, **options: object) -> tuple[Table, Visitor, Visitor]:
    """Return a table of three people, and the two guests."""
    table = here.seated("me", "open", "open", game=DUEL, players=3, **options)
    return table, table.guest(1), table.guest(2)


def say(table: Table, who: Visitor, text: str, *to: int, pact: bool = False) -> None:
    body = {"text": text, "to": list(to) or None, "pact": pact}
    answer = who.post(f"/t/{table.id}/say", body)
    assert answer.status_code == 200, answer.text


def talk(table: Table, who: Visitor) -> str:
    html: str = who.get(f"/t/{table.id}/talk").json()["html"]
    return html


# --- Who is sent what ---


def test_those_addressed_are_pushed_it_at_once(here: World) -> None:
    table, bob, cat = three(here)
    watcher = here.visitor()
    with ExitStack() as stack:
        ann, b, c, w = (
            stack.enter_context(one.live(table.id)) for one in (table.host, bob, cat, watcher)
        )
        for socket in (ann, b, c, w):
            assert {tuple(socket.receive()), tuple(socket.receive())} == {
                ("version", "html"),
                ("talk",),
            }
        say(table, table.host, SECRET, 1)
        assert SECRET in ann.receive()["talk"]["html"]
        assert SECRET in b.receive()["talk"]["html"]
        assert c.silent()
        assert w.silent()
        say(table, bob, "for everybody here")
        for socket in (ann, b, c):
            assert "for everybody here" in socket.receive()["talk"]["html"]
        assert w.silent()
    for who, knows in ((table.host, True), (bob, True), (cat, False), (watcher, False)):
        for path in (f"/t/{table.id}", f"/t/{table.id}/talk", f"{API}/{table.id}/talk"):
            assert (SECRET in who.get(path).text) is knows, path
        for path in (f"/t/{table.id}/fragment", f"/t/{table.id}/transcript", f"{API}/{table.id}"):
            assert SECRET not in who.get(path).text


def test_a_page_that_has_it_is_sent_nothing(here: World) -> None:
    table, bob, _ = three(here)
    say(table, table.host, "hello")
    page = bob.get(f"/t/{table.id}").text
    versions = dict(re.findall(r'<(div|section) id="ta(?:ble|lk)"[^>]* data-version="(\w+)"', page))
    with bob.live(table.id, f"{versions['div']}&talk={versions['section']}") as socket:
        assert socket.silent()


def test_who_takes_a_seat_hears_what_is_said_to_it(here: World) -> None:
    table = here.seated("me", "open", "open", game=DUEL, players=3)
    guest = here.visitor()
    guest.become()
    with guest.live(table.id) as socket:
        socket.receive(), socket.receive()
        say(table, table.host, "to all who sit here")
        assert socket.silent()
        guest.post(f"/t/{table.id}/sit", {"seat": 1, "name": "Bo"})
        pushed = [socket.receive(), socket.receive()]
        assert "to all who sit here" in str(pushed)
        say(table, table.host, SECRET, 1)
        assert SECRET in socket.receive()["talk"]["html"]


def test_a_table_without_talk_has_none(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    page = table.host.get(f"/t/{table.id}").text
    assert 'id="talk' not in page
    assert "<kbd>T</kbd>" not in page
    other = three(here)[0]
    assert "<kbd>T</kbd>" in other.host.get(f"/t/{other.id}").text
    answer = guest.post(f"/t/{table.id}/say", {"text": "hello"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no-talk")
    with guest.live(table.id) as socket:
        assert "html" in socket.receive()
        assert socket.silent()


def test_the_form_of_a_new_table_offers_talk(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    for game, usual in (("stratego", "no"), (DUEL, "usual")):
        page = visitor.get(f"/new/{game}").text
        (choices,) = re.findall(r'<select id="talk".*?</select>', page, re.DOTALL)
        assert re.findall(r'value="(\w+)"', choices)[0] == usual
    for wish, on in (("yes", True), ("no", False), ("usual", False)):
        form = {"game": "stratego", "seat0": "me", "seat1": "open", "talk": wish}
        form |= {"token": visitor.token(), "nickname": "Ada"}
        made = visitor.ask("POST", "/tables", data=form)
        path = made.headers["location"]
        assert visitor.get(f"/api/v1/tables/{path[3:]}").json()["talk"] is on


def test_what_players_write_is_text(here: World) -> None:
    table, bob, _ = three(here)
    nasty = "<script>alert(1)</script> {{ 7*1234567 }} @version@ \" ' </section>"
    say(table, table.host, nasty)
    say(table, table.host, nasty, pact=True)
    page = bob.get(f"/t/{table.id}").text
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt; {{ 7*1234567 }}") == 3
    assert "8641969" not in page


def test_people_are_called_by_their_names_as_in_the_log(here: World) -> None:
    table = here.seated("me", "open", "open", game=DUEL, players=3)
    for seat, name in ((1, "Bea"), (2, "Cid")):
        guest = here.visitor()
        guest.become()
        guest.post(f"/t/{table.id}/sit", {"seat": seat, "name": name, "seed": "ab" * 16})
    say(table, table.host, "hello", 1)
    html = talk(table, table.host)
    assert "You to Bea" in html
    assert re.findall(r'chip-name">(\w+)<', html) == ["Bea", "Cid"]


def test_who_looks_back_at_the_game_changes_no_mark_in_the_talk(here: World) -> None:
    host = here.visitor()
    host.become()
    wish = {"game": "binfa", "options": {"level": 1}, "seats": ["me", "open"], "talk": True}
    table = Table(here, host, host.post(API, wish).json()["table"])
    table.guest(1)
    say(table, host, "Good luck!")
    host.post(f"/t/{table.id}/resign", {})
    host.get(f"/t/{table.id}")
    before = talk(table, host)
    assert re.search(r"#army-\w+", before)
    assert host.get(f"/t/{table.id}/ply/0").status_code == 200  # nobody had an army yet
    assert talk(table, host) == before


def test_words_of_both_languages(here: World) -> None:
    table, bob, cat = three(here)
    bob.client.headers["accept-language"] = "fr"
    say(table, table.host, "hello")
    say(table, table.host, "hello", 1)
    say(table, table.host, "peace", 1, 2, pact=True)
    english, french = talk(table, cat), talk(table, bob)
    assert "Ada to all" in english
    assert "Ada à tous" in french
    assert "Ada à vous" in french
    assert "Ada proposes a pact to all" in english
    assert "Ada propose un pacte à tous" in french
    assert "A pact binds nobody" in english
    assert "Un pacte n’engage personne" in french


# --- Refusals ---


def test_too_long_and_too_fast_are_said_plainly(here: World) -> None:
    table, _, _ = three(here)
    path = f"/t/{table.id}/say"
    answer = table.host.post(path, {"text": "é" * (LONGEST + 1)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "too-long")
    assert f"{LONGEST + 1} characters" in answer.json()["error"]["text"]
    for _ in range(BURST):
        say(table, table.host, "é" * LONGEST, 1)
    answer = table.host.post(path, {"text": "x"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-fast")
    seconds = int(answer.headers["retry-after"])
    assert 1 <= seconds <= 20
    assert f"wait {seconds} s" in answer.json()["error"]["text"]


def test_bad_input_is_refused_by_name(here: World) -> None:
    table, bob, cat = three(here)
    say(table, bob, SECRET, 0, pact=True)
    pact = table.host.get(f"{API}/{table.id}/talk").json()["pacts"][0]["id"]
    base = f"/t/{table.id}"
    eve = here.visitor()
    eve.become()
    before = [talk(table, who) for who in (table.host, bob, cat)]
    for who, path, body, status in (
        (table.host, "say", {}, 400),
        (table.host, "say", {"text": 7}, 400),
        (table.host, "say", {"text": "x", "to": "all"}, 400),
        (table.host, "say", {"text": "x", "to": ["1"]}, 400),
        (table.host, "say", {"text": "x", "to": [99]}, 422),
        (table.host, "say", {"text": "\u200b", "to": [-1]}, 422),
        (table.host, "say", {"text": " \u202e "}, 422),
        (table.host, "mute", {"seat": 0, "off": True}, 422),
        (table.host, "mute", {"seat": 1}, 400),
        (table.host, "mark-pact", {"pact": pact, "kept": True}, 409),
        (table.host, "open-talk", {}, 409),
        (cat, "answer-pact", {"pact": pact, "accept": True}, 404),
        (cat, "answer-pact", {"pact": "nothing", "accept": True}, 404),
        (eve, "say", {"text": "x"}, 403),
        (here.visitor(), "say", {"text": "x"}, 403),
    ):
        answer = who.post(f"{base}/{path}", body)
        assert answer.status_code == status, (path, body, answer.text)
        assert answer.json()["error"]["text"]
    one, two = (
        cat.post(f"{base}/answer-pact", {"pact": which, "accept": True}).content
        for which in (pact, "nothing")
    )
    assert one == two
    assert [talk(table, who) for who in (table.host, bob, cat)] == before


# --- By programs ---


def test_programs_talk_too(here: World) -> None:
    table, bob, cat = three(here)
    api = f"{API}/{table.id}"
    heard = table.host.get(f"{api}/talk").json()
    assert (heard["on"], heard["seat"], heard["lines"]) == (True, 0, [])
    said = table.host.post(f"{api}/talk", {"text": SECRET, "to": [1]}).json()
    (line,) = said["lines"]
    assert (line["text"], line["to"], line["open"]) == (SECRET, [0, 1], False)
    (pact,) = bob.post(f"{api}/pacts", {"text": "peace", "to": [0]}).json()["pacts"]
    answered = table.host.post(f"{api}/pacts/{pact['id']}/answer", {"accept": True}).json()
    assert answered["pacts"][0]["state"] == "agreed"
    marked = bob.post(f"{api}/pacts/{pact['id']}/mark", {"kept": False}).json()
    assert marked["pacts"][0]["marks"] == {"1": "broken"}
    assert bob.post(f"{api}/mute", {"seat": 0, "off": True}).json()["muted"] == [0]
    assert cat.get(f"{api}/talk").json()["lines"] == []
    version = table.host.get(f"{api}/talk").json()["version"]
    table.host.post(f"/t/{table.id}/offer-draw", {})
    for who in (bob, cat):
        who.post(f"/t/{table.id}/answer-draw", {"accept": True})
    for who in (table.host, bob, cat):
        assert who.post(f"{api}/open-talk").status_code == 200
    watcher = here.visitor().get(f"{api}/talk?version={version}&wait=5").json()
    assert [line["kind"] for line in watcher["lines"]] == ["say", "pact", "agree", "broken"]
    assert SECRET in here.visitor().get(f"/t/{table.id}").text


# --- Nobody else notices ---


class Bystander:
    """Somebody with an open page, who also asks for all that there is."""

    def __init__(self, visitor: Visitor, socket: Socket, table: str) -> None:
        self.visitor = visitor
        self.socket = socket
        self.table = table

    def ask(self) -> None:
        page, api = f"/t/{self.table}", f"{API}/{self.table}"
        for path in (page, f"{page}/fragment", f"{page}/talk", f"{page}/transcript", "/"):
            self.visitor.get(path)
        for path in (api, f"{api}/talk", f"{api}/picture", f"{api}/transcript"):
            self.visitor.get(path)
        for what in ("answer-pact", "mark-pact"):
            body = {"pact": "0123456789ab", "accept": True, "kept": True}
            self.visitor.post(f"{page}/{what}", body)

    def pushes(self, count: int) -> None:
        for _ in range(count):
            self.socket.receive()
        assert self.socket.silent(0.15)


def course(
    monkeypatch: pytest.MonkeyPatch, log: Log, whisper: Callable[[Table, Visitor], object]
) -> tuple[list[bytes], list[bytes], list[dict[str, object]]]:
    """Play and talk; return what one addressed by nobody and a spectator were sent."""
    log.clear()
    monkeypatch.setattr(live, "BEAT_SECONDS", 1e6)  # they come by the clock, in between
    tables = Tables("sqlite://", clock=itertools.count(1_000_000.0).__next__)
    tables.clock = lambda: 1_000_000.0
    with same_chance(monkeypatch), world(QUICK, tables) as running:
        table, bob, cat = three(running)
        watcher = running.visitor(accept_language="fr")
        watcher.become()
        with cat.live(table.id) as one, watcher.live(table.id) as two:
            outsiders = [Bystander(cat, one, table.id), Bystander(watcher, two, table.id)]
            for other in outsiders:
                other.pushes(2)
                other.ask()
            # What all hear is drawn from the same dice as what two hear: said before.
            say(table, table.host, "to all")
            outsiders[0].pushes(1)
            outsiders[1].pushes(0)
            before = random.Random(5)
            for _ in range(6):
                whisper(table, bob)
                for other in outsiders:
                    other.pushes(0)
                    other.ask()
                state = tables.snapshot(table.id)
                seat = state.acting[0]
                action = before.choice(state.view(seat).legal_actions(seat))
                versions = [running_version(table, other.visitor) for other in outsiders]
                assert table.act((table.host, bob, cat)[seat], action).status_code == 200
                for other, known in zip(outsiders, versions, strict=True):
                    other.pushes(running_version(table, other.visitor) != known)
    # Nobody is sent the log, and lines of requests at the same time come in any order.
    kept = ("status", "code", "route", "method")
    lines = [{k: x[k] for k in kept if k in x} for x in log.lines() if "status" in x]
    return cat.received, watcher.received, sorted(lines, key=str)


def running_version(table: Table, visitor: Visitor) -> str:
    version: str = visitor.get(f"/t/{table.id}/fragment").json()["version"]
    return version


def nothing(table: Table, bob: Visitor) -> None:
    """Say nothing to anybody."""


def intrigue() -> Callable[[Table, Visitor], object]:
    """Return what lets Ann and Bob do all that two can do without a third."""
    steps: Iterator[Callable[[Table, Visitor], object]] = iter(
        [
            lambda table, bob: say(table, table.host, SECRET, 1),
            lambda table, bob: say(table, bob, "agreed", 0),
            lambda table, bob: say(table, bob, SECRET, 0, pact=True),
            lambda table, bob: answer(table, table.host),
            lambda table, bob: mark(table, bob),
            lambda table, bob: [
                x.post(f"/t/{table.id}/mute", {"seat": 2, "off": True}) for x in (table.host, bob)
            ],
        ]
    )
    return lambda table, bob: next(steps)(table, bob)


def pact_of(table: Table, who: Visitor) -> str:
    found: str = who.get(f"{API}/{table.id}/talk").json()["pacts"][0]["id"]
    return found


def answer(table: Table, who: Visitor) -> None:
    body = {"pact": pact_of(table, who), "accept": True}
    assert who.post(f"/t/{table.id}/answer-pact", body).status_code == 200


def mark(table: Table, who: Visitor) -> None:
    body = {"pact": pact_of(table, who), "kept": False}
    assert who.post(f"/t/{table.id}/mark-pact", body).status_code == 200


def test_private_talk_changes_no_byte_and_no_push_for_others(
    monkeypatch: pytest.MonkeyPatch, log: Log
) -> None:
    first = course(monkeypatch, log, nothing)
    second = course(monkeypatch, log, intrigue())
    for which, who in enumerate(("the third player", "a spectator", "the log")):
        mine, theirs = list[object](first[which]), list[object](second[which])
        assert which == 2 or len(mine) > 50
        for place, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            assert a == b, f"{who}, message {place}: {difference(a, b)}"


def test_signs_of_life_come_whatever_others_say(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign of life that waited for silence would tell that something was done in secret."""
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.5)
    table, bob, cat = three(here)
    heard = threading.Event()

    def talk() -> None:
        say(table, bob, SECRET, 0)
        while not heard.wait(0.02):
            here.app_state.tables.hub.publish(table.id, 10**6)

    with cat.live(table.id) as socket:
        socket.receive(), socket.receive()
        talking = threading.Thread(target=talk)
        talking.start()
        try:
            assert socket.receive() == {"beat": 1}
        finally:
            heard.set()
            talking.join()
