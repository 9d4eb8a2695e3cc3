"""What a browser needs to check every draw of a finished game, and nothing of it before."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest

from tests.tables.helpers import DUEL
from tests.web.world import Table, Visitor, World
from tianxia.tables.verify import verify

API = "/api/v1/tables"
SEEDS = ("“Zoë” 🎲", "\\ / <seed>")


def begun(here: World) -> tuple[Table, Visitor]:
    """Return a game of dice and draws with seeds of both players."""
    table = here.seated("me", "open", game=DUEL, rounds=3)
    here.app_state.tables.add_seed(table.id, table.host.person, SEEDS[0])
    guest = here.visitor()
    guest.become()
    here.app_state.tables.take_seat(table.id, 1, guest.person, seed=SEEDS[1])
    return table, guest


def played(here: World) -> Table:
    """Return a finished game."""
    table, guest = begun(here)
    tables = here.app_state.tables
    while not (snapshot := tables.snapshot(table.id)).open_to_all:
        seat = snapshot.acting[0]
        person = (table.host, guest)[seat].person
        actions = snapshot.view(seat).legal_actions(seat)
        tables.act(table.id, person, [actions[-1]], snapshot.decision(seat))
    return table


def drawn(chance: dict[str, Any], outcomes: list[list[str]], number: int) -> str:
    """Draw as the docs describe it, from what was sent alone."""
    total = sum(int(weight) for _, weight in outcomes)
    message = json.dumps([chance["table"], number, 0, chance["seeds"]], separators=(",", ":"))
    digest = hmac.digest(bytes.fromhex(chance["secret"]), message.encode(), "sha256")
    first = int.from_bytes(digest[:8], "big")
    assert first < 2**64 - 2**64 % total  # else the next eight bytes; as good as never
    ticket = first % total
    for token, weight in outcomes:
        ticket -= int(weight)
        if ticket < 0:
            return token
    raise AssertionError


def test_every_draw_can_be_worked_out_from_what_is_sent(here: World) -> None:
    table = played(here)
    chance = here.visitor().get(f"{API}/{table.id}/chance").json()
    assert hashlib.sha256(bytes.fromhex(chance["secret"])).hexdigest() == chance["hash"]
    assert chance["seeds"] == list(SEEDS)
    report = verify(here.visitor().get(f"{API}/{table.id}/transcript").text)
    assert report.ok
    real = [one for one in chance["actions"] if len(one["outcomes"]) > 1]
    assert len(real) == report.draws > 10
    assert len(chance["actions"]) - len(real) == report.steps > 0
    for number, one in enumerate(real, 1):
        assert drawn(chance, one["outcomes"], number) == one["token"]
    other = chance | {"secret": "00" * 32}
    assert any(drawn(other, one["outcomes"], n) != one["token"] for n, one in enumerate(real, 1))


def test_nothing_is_told_before_the_end(here: World) -> None:
    table, _ = begun(here)
    for who in (table.host, here.visitor()):
        answer = who.get(f"{API}/{table.id}/chance")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not-over")
        page = who.get(f"/t/{table.id}").text
        assert f'data-seal="{table.facts()["chance_hash"]}"' in page
        assert "data-dice" not in page
    assert here.visitor().get(f"{API}/nothing/chance").status_code == 404


def test_other_rules_cannot_say_what_was_possible(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tianxia.tables.game_log import GameLog

    table = played(here)
    game_log = here.app_state.tables.live(table.id).game_log
    assert isinstance(game_log, GameLog)
    monkeypatch.setattr(game_log, "playable", False)
    answer = here.visitor().get(f"{API}/{table.id}/chance")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "other-rules")
