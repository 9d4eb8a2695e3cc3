"""What has happened, step by step: each step as its viewer saw it, and only what is new."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.test_hidden_suntzu import ANSWER, ORDERS, send
from tests.web.world import Visitor, World

SPEC = {"deck": "beginner", "strategies": False}


def steps(visitor: Visitor, table: str, after: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = visitor.get(f"/t/{table}/steps?after={after}").json()["steps"]
    return found


@pytest.mark.timeout(200)
def test_a_round_is_told_province_by_province(here: World) -> None:
    table = here.seated("me", "open", game="suntzu", **SPEC)
    blue, red, eve = table.host, table.guest(1), here.visitor()
    assert "Qin is worth" in steps(blue, table.id)[0]["status"]  # so it began
    send(table, blue, *ORDERS)
    seen = int(re.findall(r'id="log-(\d+)"', red.get(f"/t/{table.id}").text)[0])
    send(table, red, *ANSWER)
    for visitor in (blue, red, eve):
        told = steps(visitor, table.id, seen)
        turned = [step for step in told if re.match(r"[\w-]+: Sun Tzu", step["status"])]
        assert [step["status"].partition(":")[0] for step in turned] == [
            *("Qin", "Chu", "Jin-Yan", "Han-Qi", "Wu")
        ]
        lines = [step["line"] for step in told]
        assert lines == sorted(set(lines))
        assert min(lines) > seen
        assert all(step["hold"] > 0 for step in told)
        faces = [len(re.findall(r'href="#suntzu-[br]-[1-6]"', step["svg"])) for step in turned]
        # A player sees his own five all the time, whoever watches sees two more each time.
        own, new = (0, 2) if visitor is eve else (5, 1)
        assert faces == [own + new * number for number in range(1, 6)]
        assert [step["line"] for step in steps(visitor, table.id, lines[2])] == lines[3:]


@pytest.mark.parametrize("after", ["x", "1.5", "9" * 40, ""])
def test_a_wrong_line_is_refused_in_words(here: World, after: str) -> None:
    table = here.seated("me", "open", game="suntzu", **SPEC)
    address, kind = f"/t/{table.id}/steps?after={after}", {"accept": "application/json"}
    answer = table.host.get(address, headers=kind)
    assert answer.status_code in (200, 400, 422)
    assert answer.status_code == 200 or answer.json()["error"]["text"]
