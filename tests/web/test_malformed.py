"""What is wrong with a request is said in plain words, and by the name of the field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.world import Visitor, World

TABLE = {"game": "stratego", "seats": ["me", "open"]}
ACT = "/api/v1/tables/sometable/act"
JSON = {"content-type": "application/json"}


@pytest.fixture
def somebody(here: World) -> Visitor:
    visitor = here.visitor()
    visitor.become()
    return visitor


def said(answer: Any, status: int = 400) -> str:
    assert answer.status_code == status, answer.text
    return str(answer.json()["error"]["text"])


@pytest.mark.parametrize(
    ("path", "body", "text"),
    [
        (ACT, {"decision": 1}, "“actions” is missing."),
        (ACT, {}, "“actions” is missing. “decision” is missing."),
        (ACT, {"actions": [-1], "decision": 1}, "“actions[0]” must not be less than 0."),
        (ACT, {"actions": [2**31], "decision": 1}, "“actions[0]” must not be more than 2147483647"),
        (ACT, {"actions": [1, None], "decision": 1}, "“actions[1]” must be a whole number or a te"),
        (ACT, {"actions": ["x" * 41], "decision": 1}, "“actions[0]” is too long: the limit is 40 "),
        (ACT, {"actions": [], "decision": 1}, "“actions” must not be empty."),
        (ACT, {"actions": [""], "decision": 1}, "“actions[0]” must not be empty."),
        (
            ACT,
            {"actions": [1] * 1001, "decision": 1},
            "“actions” is too long: the limit is 1000 en",
        ),
        (ACT, {"actions": [1], "decision": "1"}, "“decision” must be a whole number."),
        (ACT, {"actions": [1], "decision": 1, "seat": 0}, "“seat” is not a field of this request."),
        (ACT, [], "The body must be a JSON object."),
        (
            "/api/v1/tables/sometable/claim",
            {"wish": "x"},
            "must be one of these: claim, bot, abort.",
        ),
        (
            "/api/v1/tables",
            TABLE | {"options": {"a": [1]}},
            "“options.a” must be a text or a whole n",
        ),
        (
            "/api/v1/tables",
            TABLE | {"seats": ["me", "you"]},
            "“seats[1]” must be me, open or bot:NA",
        ),
        (
            "/api/v1/tables",
            TABLE | {"seats": ["me", "bot:"]},
            "“seats[1]” must be me, open or bot:N",
        ),
        ("/api/v1/tables", TABLE | {"seats": "me"}, "“seats” must be a list."),
        ("/api/v1/tables", TABLE | {"public": 1}, "“public” must be true or false."),
        ("/api/v1/tables", TABLE | {"x" * 999: 1}, "“" + "x" * 60 + "…” is not a field"),
    ],
)
def test_the_field_and_its_fault_are_named(
    somebody: Visitor, path: str, body: Any, text: str
) -> None:
    found = said(somebody.post(path, body))
    assert text in found
    assert "constrained" not in found


def test_faults_of_addresses_name_the_limit(somebody: Visitor) -> None:
    wait = said(somebody.get("/api/v1/tables/sometable?wait=999"))
    assert wait == "“wait” must not be more than 25."
    assert said(somebody.get("/api/v1/tables/sometable?wait=x")) == "“wait” must be a number."
    ask = said(somebody.get("/api/v1/tables/sometable/ask"))
    assert ask == "“element” is missing."


def test_broken_json_is_told_by_line_and_column(somebody: Visitor) -> None:
    for path in (ACT, "/api/v1/tables/sometable/resign"):
        answer = somebody.ask("POST", path, content=b'{"actions":\n  [1,,2]}', headers=JSON)
        assert said(answer) == "The body is not valid JSON: line 2, column 6."
    answer = somebody.ask("POST", ACT, content=b"{}x", headers=JSON | {"accept-language": "fr"})
    assert "colonne 3" in said(answer)
    assert (
        said(somebody.ask("POST", ACT, headers=JSON)) == "The body is missing: send a JSON object."
    )


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("path", ["/api/v1/tables", "/api/v1/tables/sometable/resign"])
def test_json_that_does_not_say_so_is_refused_with_the_header(
    somebody: Visitor, path: str, kind: str
) -> None:
    headers = {"content-type": kind} if kind else {}
    answer = somebody.ask("POST", path, content=json.dumps(TABLE).encode(), headers=headers)
    assert "Content-Type: application/json" in said(answer, 415)


def test_an_option_that_there_is_with_a_value_that_there_is_not(somebody: Visitor) -> None:
    found = said(somebody.post("/api/v1/tables", TABLE | {"options": {"variant": "x"}}), 422)
    assert found.startswith("These options are not possible: variant='x' is not possible")


def test_a_promise_that_is_none_is_not_only_told_to_pages(somebody: Visitor) -> None:
    found = said(somebody.post("/api/v1/tables", TABLE | {"promise": "none"}), 409)
    assert "asks for another promise" in found


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "named"),
    [
        ("GET", "/api/v1/finished?before=1_%00", None, 400, "%00"),
        ("GET", "/api/v1/tournaments/%00", None, 404, ""),
        ("DELETE", "/api/v1/lobby/seeks/%00", None, 404, ""),
        ("POST", "/shunned/forgive", {"other": "\0"}, 400, "other"),
        ("POST", "/api/v1/sign-in", {"name": "Ada\0", "password": "a horse"}, 400, "name"),
    ],
)
def test_what_no_text_of_a_database_holds_is_refused(
    somebody: Visitor, method: str, path: str, body: Any, status: int, named: str
) -> None:
    """PostgreSQL knows no U+0000: whoever sent one seemed to find the database away (503)."""
    answer = somebody.ask(method, path, **({} if body is None else {"json": body}))
    assert answer.status_code == status
    assert named in answer.json()["error"]["text"]
