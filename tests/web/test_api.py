"""The JSON API: everything that pages can do, documented, with the same refusals."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import booleans
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.world import BASE, QUICK, Table, World, world
from tianxia.draw.languages import unbroken
from tianxia.kernel import registry
from tianxia.tables.verify import verify

API = "/api/v1"
EXAMPLES = 6
"""For each operation and way of making cases."""
ENDLESS = f"{API}/events"
"""A stream that goes on for as long as somebody listens; `test_telling` reads it."""


class Program:
    """A program with a token."""

    def __init__(self, here: World, language: str = "en") -> None:
        self.visitor = here.visitor(accept_language=language)
        self.visitor.client.headers["accept"] = "*/*"
        self.visitor.client.headers.pop("sec-fetch-site")
        token = self.post("/people").json()["token"]
        self.visitor.client.headers["authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        return self.visitor.get(API + path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.visitor.post(API + path, body)


@pytest.fixture
def program(here: World) -> Program:
    return Program(here)


def test_games_are_described(program: Program) -> None:
    (game,) = [one for one in program.get("/games").json() if one["name"] == "stratego"]
    assert game == program.get("/games/stratego").json()
    assert game["seats"] == [2]
    assert "skirmisher" in game["bots"]
    variant, _, draw = game["options"]
    assert variant["values"] == ["classic", "duel", "barrage"]
    assert (draw["least"], draw["most"], draw["default"]) == (0, 1000, "200")
    rules = program.get("/games/stratego/rules").json()
    assert set(rules["statements"]) == set(registry.kind("stratego").statements.values())
    assert program.get("/games/chess").status_code == 404


def test_a_whole_game_by_programs(here: World) -> None:
    one, two = Program(here), Program(here, "fr")
    wish: dict[str, Any] = {
        "game": "stratego",
        "options": {"variant": "duel"},
        "seats": ["me", "open"],
    }
    promise = one.post("/promise").json()["promise"]
    wish |= {"nickname": "One", "public": True, "promise": promise, "seed": "one"}
    made = one.post("/tables", wish)
    assert made.status_code == 201
    table = f"/tables/{made.json()['table']}"
    again = one.post("/tables", wish)  # as if the answer had been lost
    assert (again.status_code, again.json()["table"]) == (201, promise)
    for other, wanted in ((two, wish), (one, {**wish, "options": {"variant": "barrage"}})):
        assert other.post("/tables", wanted).json()["error"]["code"] == "no-promise"
    assert made.json()["table"] in [t["id"] for t in two.get("/tables").json()["waiting"]]
    sat = two.post(f"{table}/sit", {"seat": 1, "nickname": "Two", "seed": "two"})
    assert sat.json()["seat"] == 1
    army = ["F", "B", "B", "S", "2", "2", "3", "3", "9", "M"]
    for player in (one, two):
        decision = player.get(table).json()["decision"]
        sent = player.post(f"{table}/act", {"actions": army, "decision": decision})
        assert sent.status_code == 200, sent.text
    facts = one.get(table).json()
    assert facts["your_turn"]
    assert facts["seats"][1]["name"] == "Two"
    why = one.post(f"{table}/why", {"action": "a1-a2"}).json()
    assert why["statement"].startswith("STR-")
    refused = one.post(f"{table}/act", {"actions": ["a1-a2"], "decision": facts["decision"]})
    assert refused.status_code == 422
    assert refused.json()["error"]["statement"] == why["statement"]
    move = facts["legal"][0]["token"]
    moved = one.post(f"{table}/act", {"actions": [move], "decision": facts["decision"]}).json()
    assert moved["version"] != facts["version"]
    assert moved["log"][-1]["text"] != facts["log"][-1]["text"]
    assert one.post(f"{table}/rename", {"nickname": "Uno"}).json()["seats"][0]["name"] == "Uno"
    picture = one.get(f"{table}/picture").json()
    assert picture["svg"].startswith("<svg")
    assert one.get(f"{table}/plies/0").status_code == 409
    assert one.post(f"{table}/resign").json()["ending"] == "resignation 0"
    assert two.get(f"{table}/plies/3").json()["plies"] == 22
    assert verify(two.get(f"{table}/transcript").text).ok
    assert one.post(f"{table}/rematch").json() == two.post(f"{table}/rematch").json()


def test_waiting_for_what_is_new(here: World, program: Program) -> None:
    made = program.post("/tables", {"game": "stratego", "seats": ["me", "open"]}).json()
    table = f"/tables/{made['table']}"
    version = program.get(table).json()["version"]
    begun = time.monotonic()
    assert program.get(f"{table}?version={version}&wait=0.3").json()["version"] == version
    assert time.monotonic() - begun >= 0.3
    assert program.get(f"{table}?version=other&wait=20").json()["version"] == version
    guest = Program(here)
    later = threading.Timer(0.2, guest.post, (f"{table}/sit", {"seat": 1}))
    later.start()
    assert program.get(f"{table}?version={version}&wait=20").json()["version"] != version


def test_bots_hurry_for_programs_that_play_alone() -> None:
    with world(replace(QUICK, bot_seconds=50)) as slow:
        one = Program(slow)
        wish = {"game": "firebulls", "seats": ["bot:random", "me"]}
        table = f"/tables/{one.post('/tables', wish).json()['table']}"
        facts = one.get(table).json()
        while facts["your_turn"]:
            sent = {"actions": [facts["legal"][0]["token"]], "decision": facts["decision"]}
            facts = one.post(f"{table}/act", sent).json()
        begun = time.monotonic()
        assert facts["may"]["hurry"]
        answer = one.post(f"{table}/hurry")
        assert (answer.status_code, answer.json()["seat"]) == (200, 1)
        while not facts["your_turn"]:
            facts = one.get(f"{table}?wait=5&version={facts['version']}").json()
        assert time.monotonic() - begun < 25
        assert not facts["may"]["hurry"]
        assert Program(slow).post(f"{table}/hurry").status_code == 403
        sent = {"actions": [facts["legal"][0]["token"], 2**30], "decision": facts["decision"]}
        refused = one.post(f"{table}/act", sent).json()["error"]
        assert (refused["code"], refused["text"][:8]) == ("no-action", "Number 2")
        assert one.post(f"{table}/resign").status_code == 200
        for refused in (
            one.post(f"{table}/hurry"),
            one.get(f"{table}/hint"),
        ):
            assert (refused.status_code, refused.json()["error"]["code"]) == (409, "over")
        told = one.post(f"{table}/why", {"action": 1}).json()
        assert told["text"] == "This game is over."
        wish = {"game": "stratego", "seats": ["me", "open"]}
        other = one.post("/tables", wish).json()["table"]
        refused = one.post(f"/tables/{other}/hurry")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not-alone")


def test_the_key_of_a_seat_opens_it_elsewhere(here: World, program: Program) -> None:
    made = program.post("/tables", {"game": "stratego", "seats": ["open", "me"]}).json()
    table = f"/tables/{made['table']}"
    other = Program(here)
    assert other.get(f"{table}/seat").status_code == 403
    assert other.post(f"{table}/enter", {"key": "wrong"}).status_code == 403
    assert other.post(f"{table}/enter", {"key": made["keys"]["1"]}).json()["seat"] == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/tables", {"game": "stratego", "seats": ["me"]}, 422),
        ("/tables", {"game": "stratego", "seats": ["me", "you"]}, 400),
        ("/tables", {"game": "chess", "seats": ["me", "open"]}, 404),
        ("/tables", {"game": "stratego", "seats": ["me", "open"], "options": {"x": 1}}, 422),
        ("/tables", {"game": "stratego", "seats": ["me", "open"], "colour": "red"}, 400),
        ("/tables", {"game": "stratego", "seats": "me"}, 400),
        ("/tables/nosuchtable/act", {"actions": [1], "decision": 0}, 404),
        ("/tables/nosuchtable/act", {"actions": [], "decision": 0}, 400),
        ("/tables/nosuchtable/act", {"actions": [1], "decision": True}, 400),
        ("/tables/nosuchtable/act", {"actions": [1], "decision": -1}, 400),
        ("/tables/nosuchtable/resign", [], 400),
        ("/nothing", {}, 404),
    ],
)
def test_refusals_have_one_form(
    program: Program, path: str, body: dict[str, Any], status: int
) -> None:
    answer = program.post(path, body)
    assert answer.status_code == status, answer.text
    assert set(answer.json()["error"]) == {"code", "text", "statement", "link"}


def test_what_changes_something_needs_a_token(here: World) -> None:
    visitor = here.visitor()
    for path in ("/tables", "/tables/x/act", "/tables/x/resign"):
        answer = visitor.post(API + path, {"game": "stratego", "seats": ["me", "open"]})
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "no-token"
    headers = {"authorization": "Bearer forged.token"}
    assert visitor.post(f"{API}/tables/x/resign", {}, headers=headers).status_code == 401


def test_every_route_is_described_with_its_refusals(here: World) -> None:
    schema = here.visitor().get("/api/openapi.json").json()
    assert schema["info"]["title"] == "Tianxia"
    assert all(path.startswith(API) for path in schema["paths"])
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            assert route["description"], f"{method} {path}"
            error = route["responses"]["422"]["content"]["application/json"]["schema"]
            assert error == {"$ref": "#/components/schemas/Error"}
            if "requestBody" in route:
                name = route["requestBody"]["content"]["application/json"]["schema"]["$ref"]
                fields = schema["components"]["schemas"][name.rpartition("/")[2]]["properties"]
                assert any("examples" in field for field in fields.values()), path
    titles = [route["summary"] for path in schema["paths"].values() for route in path.values()]
    assert "Act" not in titles
    assert len(set(titles)) == len(titles)
    page = here.visitor().get("/api/docs").text.replace('http-equiv="', "")
    assert "http" not in page.replace(BASE, "")  # nothing but addresses of ours


# --- Fuzzing ---

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_fuzzing_finds_no_failure(here: World) -> None:
    """Whatever a program sends, the answer is one that is described, and never a 5xx."""
    table = here.seated("me", "open", variant="duel")
    table.guest(1)
    schema = schemathesis.openapi.from_dict(here.app.openapi())
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 20
    operations = [one for one in operations if one.path != ENDLESS]
    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            _fuzz(table, operation.as_strategy(generation_mode=mode))


def _fuzz(table: Table, cases: Any) -> None:
    visitor = table.host
    token = table.world.app_state.people.sign(visitor.person)
    headers = {"authorization": f"Bearer {token}", "accept": "*/*"}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(cases, booleans())
    def attempt(case: Any, real: bool) -> None:
        if real and "table_id" in case.path_parameters:
            case.path_parameters["table_id"] = table.id
        sent = case.as_transport_kwargs(base_url=BASE, headers=headers)
        if isinstance(sent.get("data"), (bytes, str)):
            sent["content"] = sent.pop("data")
        request = requests.Request(**_known(sent)).prepare()
        answer = visitor.ask(
            request.method or "",
            request.url or "",
            content=request.body,
            headers={**request.headers, **headers},
        )
        case.validate_response(answer, checks=CHECKS)

    with suppress(Unsatisfiable):  # what takes nothing can be sent nothing wrong
        attempt()


def _known(sent: dict[str, Any]) -> dict[str, Any]:
    names = ("method", "url", "headers", "params", "data", "json")
    found = {name: sent[name] for name in names if name in sent}
    return found | ({"data": sent["content"]} if "content" in sent else {})


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"level": 4, "map": "r6,o6"}, "carte : le niveau 4 a 3 tourbillons, après la barre"),
        ({"map": "q6"}, "'q6' n’est pas un triangle ; ce sont r1 à r16, … p16"),
        ({"map": "q6"}, "map doit être random, ranges,"),
        ({"players": 9}, "players=9 n’est pas possible ; players doit être 2, 3, 4, 5 ou 6"),
        ({"weather": "red"}, "binfa n’a pas d’option 'weather' ; ses options : level, players"),
    ],
)
def test_what_is_wrong_with_options_is_said_in_the_language_of_the_page(
    here: World, options: dict[str, object], why: str
) -> None:
    wish = {"game": "binfa", "options": options, "seats": ["me", "open"]}
    answer = Program(here, "fr").post("/tables", wish)
    assert answer.status_code == 422
    assert unbroken(why, "fr") in answer.json()["error"]["text"]


def test_colours_are_chosen_and_shown(program: Program, here: World) -> None:
    wish = {"game": "firebulls", "options": {"colours": "red"}, "seats": ["me", "open"]}
    table = f"/tables/{program.post('/tables', wish).json()['table']}"
    bob = Program(here, "fr")
    seen = bob.get(table).json()
    assert [seat["colour"] for seat in seen["seats"]] == ["red", "yellow"]
    free = {(one["seat"], one["colour"]) for one in seen["free_colours"]}
    assert free == {(1, name) for name in ("yellow", "blue", "brown", "green")}
    mine = program.get(table).json()["free_colours"]  # she may still have another one
    assert {(one["seat"], one["colour"]) for one in mine} == {(0, name) for _, name in free}
    seen = program.post(f"{table}/colour", {"colour": "brown"}).json()
    assert [seat["colour"] for seat in seen["seats"]] == ["brown", "yellow"]
    refused = bob.post(f"{table}/colour", {"colour": "blue"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not-your-seat")
    assert program.post(f"{table}/colour", {"colour": "red"}).status_code == 200
    refused = bob.post(f"{table}/sit", {"seat": 1, "colour": "red"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "colour-taken")
    refused = bob.post(f"{table}/sit", {"seat": 1, "colour": "pink"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "colour")
    assert bob.post(f"{table}/sit", {"seat": 1, "colour": "green"}).status_code == 200
    seen = bob.get(table).json()
    assert seen["game"] == "firebulls(colours=red-green)"
    assert [(seat["colour"], seat["side"]) for seat in seen["seats"]] == [
        ("red", "Rouge"),
        ("green", "Vert"),
    ]
    wish = {"game": "firebulls", "options": {"colours": "red-red"}, "seats": ["me", "open"]}
    refused = program.post("/tables", wish)
    assert refused.status_code == 422
    assert "two seats cannot both be red" in refused.json()["error"]["text"]
