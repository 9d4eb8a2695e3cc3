"""Bad input: a clear refusal with the right status, the state unchanged, one line in the log."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.conftest import Log
from tests.web.world import Table, Visitor, World

Send = Callable[[Table, Visitor, Visitor], Any]


@pytest.fixture(scope="module")
def table(here: World) -> Table:
    return here.seated("me", "open", variant="duel")


@pytest.fixture(scope="module")
def players(table: Table) -> tuple[Visitor, Visitor]:
    guest = table.guest(1)
    table.set_up(table.host, 1)
    table.set_up(guest, 2)
    return table.host, guest


@pytest.fixture
def unchanged(table: Table, players: tuple[Visitor, Visitor], log: Log) -> Iterator[None]:
    """Check that the table is the same afterwards, and that one line was logged."""
    before = table.state()
    log.clear()
    yield
    assert table.state() == before
    assert len(log.lines()) == 1, log.lines()
    assert "trace" not in log.lines()[0]


def refused(
    answer: Any, status: int, code: str | None = None, place: int | None = None
) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert "Traceback" not in answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert set(error) == {"code", "text", "statement", "link"} | ({"place"} if place else set())
    assert error.get("place") == place
    assert error["text"]
    assert code is None or error["code"] == code
    return error


def illegal_move(table: Table) -> int:
    view = table.world.app_state.tables.snapshot(table.id).state.view(0)
    return next(a for a in range(13, view.game.num_actions) if view.refusal(a, 0))


@pytest.mark.usefixtures("unchanged")
class TestAct:
    def test_illegal(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        answer = table.act(players[0], illegal_move(table))
        error = refused(answer, 422, "refused")
        assert error["statement"].startswith("STR-")
        assert error["link"] == f"/rules/stratego#{error['statement']}"

    def test_the_first_of_two(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        illegal = illegal_move(table)
        refused(table.act(players[0], illegal, illegal), 422, "refused", 1)

    def test_illegal_in_french(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        number = illegal_move(table)
        decision = table.facts(players[0])["decision"]
        body = {"actions": [number], "decision": decision}
        headers = {"accept-language": "fr"}
        answer = players[0].post(f"/t/{table.id}/act", body, headers=headers)
        error = refused(answer, 422)
        book = table.world.visitor(accept_language="fr").get("/api/v1/games/stratego/rules").json()
        assert error["text"] == book["statements"][error["statement"]]

    def test_stale(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        legal = table.facts(players[0])["legal"][0]["action"]
        refused(table.act(players[0], legal, decision=0), 409, "stale")

    def test_not_the_turn(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        refused(table.act(players[1], 100), 409)

    def test_a_spectator(self, table: Table) -> None:
        spectator = table.world.visitor()
        spectator.become()
        refused(table.act(spectator, 100, decision=0), 403, "not-your-seat")

    def test_nobody(self, table: Table) -> None:
        refused(table.act(table.world.visitor(), 100, decision=0), 403, "not-your-seat")

    def test_a_forged_cookie(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        forger = table.world.visitor()
        forger.client.cookies.set("tianxia_person", players[0].person + ".AAAAAAAAAAAAAAAA")
        refused(table.act(forger, 100, decision=1), 403)

    def test_legal_then_illegal_is_all_or_nothing(
        self, table: Table, players: tuple[Visitor, Visitor]
    ) -> None:
        legal = table.facts(players[0])["legal"][0]["action"]
        refused(table.act(players[0], legal, legal), 422, "not-together", 2)

    @pytest.mark.parametrize(
        ("second", "code", "place"), [(False, "not-together", 2), (True, "refused", 1)]
    )
    def test_tokens_after_what_ends_a_turn_are_not_read(
        self, table: Table, players: tuple[Visitor, Visitor], second: bool, code: str, place: int
    ) -> None:
        """Else what they are taken for would tell what the first one has shown."""
        facts = table.facts(players[0])
        legal = facts["legal"][0]["token"]
        sent = ["a1-a10", legal] if second else [legal, "nonsense"]
        wish = {"actions": sent, "decision": facts["decision"]}
        answer = players[0].post(f"/api/v1/tables/{table.id}/act", wish)
        error = refused(answer, 422, code, place)
        assert bool(error["statement"]) == second

    @pytest.mark.parametrize("number", [-1, 10**6, 2**31 - 1])
    def test_no_action_at_all(
        self, table: Table, players: tuple[Visitor, Visitor], number: int
    ) -> None:
        refused(table.act(players[0], number), 422, "no-action")

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b"\xff\xfe",
            b'{"actions": 5, "decision": 1}',
            b'{"actions": ["5"], "decision": 1}',
            b'{"actions": [true], "decision": 1}',
            b'{"actions": [1.5], "decision": 1}',
            b'{"actions": [5]}',
            b'{"actions": [5], "decision": "x"}',
            b'{"actions": [5], "decision": 1e400}',
            b'{"actions": [99999999999999999999999], "decision": 1}',
            b'{"actions": ' + b"[" * 20000 + b"]" * 20000 + b"}",
            b'{"actions": [' + b"1," * 1000 + b'1], "decision": 1}',
        ],
        ids=lambda content: content[:40].decode("latin-1"),
    )
    def test_malformed(
        self, table: Table, players: tuple[Visitor, Visitor], content: bytes
    ) -> None:
        headers = {"content-type": "application/json"}
        answer = players[0].ask("POST", f"/t/{table.id}/act", content=content, headers=headers)
        refused(answer, 400, "malformed")

    def test_oversized(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        body = {"actions": [1], "decision": 1, "more": "x" * 70_000}
        refused(players[0].post(f"/t/{table.id}/act", body), 413, "too-large")

    def test_oversized_without_saying_so(
        self, table: Table, players: tuple[Visitor, Visitor]
    ) -> None:
        async def endless() -> Any:
            for _ in range(100):
                yield b" " * 1000

        headers = {"content-type": "application/json", "accept": "application/json"}
        answer = players[0].ask("POST", f"/t/{table.id}/act", content=endless(), headers=headers)
        refused(answer, 413)

    @pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "x"])
    def test_another_media_type(
        self, table: Table, players: tuple[Visitor, Visitor], kind: str
    ) -> None:
        content = json.dumps({"actions": [1], "decision": 1}).encode()
        headers = {"content-type": kind, "accept": "application/json"}
        answer = players[0].ask("POST", f"/t/{table.id}/act", content=content, headers=headers)
        refused(answer, 415)

    def test_an_unknown_table(self, table: Table, players: tuple[Visitor, Visitor]) -> None:
        body = {"actions": [1], "decision": 1}
        refused(players[0].post("/t/nosuchtable/act", body), 404, "unknown-table")


def test_doubled(here: World) -> None:
    """The same request twice: the second changes nothing and says so."""
    table = here.seated("me", "open", variant="duel")
    state = here.app_state.tables.snapshot(table.id).state
    assert table.act(table.host, 2, decision=0).status_code in (200, 409)
    guest = table.guest(1)
    actions = state.legal_actions(0)[:1]
    assert table.act(table.host, *actions, decision=0).status_code == 200
    before = table.state()
    refused(table.act(table.host, *actions, decision=0), 409, "stale")
    assert table.state() == before
    assert table.facts(guest)["decision"] == 0


OTHERS: dict[str, Send] = {
    "take-back": lambda table, _, who: who.post(f"/t/{table.id}/take-back", {}),
    "resign": lambda table, _, who: who.post(f"/t/{table.id}/resign", {}),
    "offer-draw": lambda table, _, who: who.post(f"/t/{table.id}/offer-draw", {}),
    "answer-draw": lambda table, _, who: who.post(f"/t/{table.id}/answer-draw", {"accept": True}),
    "answer-take-back": lambda table, _, who: who.post(
        f"/t/{table.id}/answer-take-back", {"accept": True}
    ),
    "rematch": lambda table, _, who: who.post(f"/t/{table.id}/rematch", {}),
    "rename": lambda table, _, who: who.post(f"/t/{table.id}/rename", {"name": "Eve"}),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.usefixtures("unchanged")
def test_spectators_change_nothing(
    table: Table, players: tuple[Visitor, Visitor], name: str
) -> None:
    spectator = table.world.visitor()
    spectator.become()
    refused(OTHERS[name](table, players[0], spectator), 403)


@pytest.mark.parametrize("body", [{}, {"accept": "perhaps"}, {"accept": 1}])
@pytest.mark.usefixtures("unchanged")
def test_answers_are_yes_or_no(
    table: Table, players: tuple[Visitor, Visitor], body: dict[str, Any]
) -> None:
    refused(players[0].post(f"/t/{table.id}/answer-draw", body), 400)


@pytest.mark.usefixtures("unchanged")
def test_a_wrong_private_link(table: Table) -> None:
    answer = table.world.visitor().get(f"/t/{table.id}/seat/wrongkey")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.usefixtures("unchanged")
def test_a_taken_seat(table: Table) -> None:
    guest = table.world.visitor()
    guest.become()
    refused(guest.post(f"/t/{table.id}/sit", {"seat": 1, "name": "Eve"}), 409, "seat-taken")


def test_the_log_tells_no_secrets(table: Table, players: tuple[Visitor, Visitor], log: Log) -> None:
    key = players[0].get(f"/api/v1/tables/{table.id}/seat").json()["key"]
    players[0].get(f"/t/{table.id}/seat/{key}/nothing")
    players[0].get(f"/t/{table.id}x/seat/{key}")
    table.act(players[0], 1234567)
    written = json.dumps(log.lines())
    assert len(log.lines()) == 3
    assert key not in written
    assert "1234567" not in written
    assert players[0].person not in written


# --- WebSockets ---

FRAMES: list[tuple[str | bytes, int]] = [
    ("x" * 5000, 1009),
    ("é" * 2100, 1009),
    ("no json", 1008),
    ("[]", 1008),
    ("[" * 4000, 1008),
    (b"\x00\xff", 1003),
]


@pytest.mark.parametrize(("frame", "code"), FRAMES)
def test_bad_frames_end_the_connection(
    table: Table,
    players: tuple[Visitor, Visitor],
    log: Log,
    frame: str | bytes,
    code: int,
) -> None:
    before = table.state()
    with players[0].live(table.id) as socket:
        socket.receive()
        log.clear()
        socket.send(frame)
        assert socket.end() == code
    assert len(log.lines()) == 1
    assert table.state() == before


def test_good_frames_are_taken(table: Table, players: tuple[Visitor, Visitor], log: Log) -> None:
    with players[0].live(table.id) as socket:
        socket.receive()
        socket.send('{"have": "abc"}')
        assert socket.silent()
    assert not log.lines()


def test_random_frames(here: World, table: Table, players: tuple[Visitor, Visitor]) -> None:
    before, dice = table.state(), random.Random(7)
    for _ in range(60):
        with players[0].live(table.id) as socket:
            socket.receive()
            for _ in range(dice.randrange(1, 5)):
                content = dice.randbytes(dice.randrange(200))
                socket.send(content if dice.random() < 0.5 else content.decode("latin-1"))
            assert socket.end() in (1003, 1008, 1009)
    assert table.state() == before


def test_an_unknown_table_has_no_socket(here: World, log: Log) -> None:
    with here.visitor().live("nosuchtable") as socket:
        assert socket.status == 404
        assert not socket.accepted
    assert [line["status"] for line in log.lines()] == [404]
    assert log.lines()[0]["method"] == "WS"


def test_sockets_are_nowhere_else(here: World, log: Log) -> None:
    with here.visitor().live("a/b") as socket:
        assert not socket.accepted
    assert [line["status"] for line in log.lines()] == [404]


def test_sockets_of_other_sites_are_refused(table: Table, log: Log) -> None:
    for origin in ("https://evil.example", "null", "http://table.test.evil.example"):
        with table.host.live(table.id, origin=origin) as socket:
            assert socket.status == 403, origin
    with table.host.live(table.id, origin="") as socket:  # a program
        assert socket.accepted
    assert len(log.lines()) == 3
