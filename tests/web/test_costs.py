"""What somebody costs is counted, and nobody waits behind him."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from jinja2 import Environment
from pydantic import TypeAdapter

from tests.web.world import QUICK, World, world
from tianxia.draw.languages import LANGUAGES
from tianxia.kernel import registry
from tianxia.kernel.errors import OptionError
from tianxia.kernel.options import LONGEST_SPEC
from tianxia.web import app_state, middleware
from tianxia.web.api_events import Listener, _lines
from tianxia.web.request_context import RequestContext, asking
from tianxia.web.rules import rules_page
from tianxia.web.security import Buckets, Crowd
from tianxia.web.templating import KEPT, Ahead, keep, packed

ADDRESS = "192.0.2.1"
LIMITED = dataclasses.replace(QUICK, rate=1000)


def test_work_is_owed_and_comes_back() -> None:
    now = [0.0]
    work = Buckets(0.5, 4.0, clock=lambda: now[0])
    assert work.owed("a") == 0.0
    work.spend("a", 3.0)
    assert work.owed("a") == 0.0  # that was still there
    work.spend("a", 2.0)
    assert work.owed("a") == pytest.approx(2.0)
    assert work.owed("b") == 0.0
    now[0] = 2.0
    assert work.owed("a") == 0.0
    work.spend("a", 1e9)
    assert work.owed("a") == pytest.approx(8.0)  # never longer than that
    free = Buckets(0, 0)
    free.spend("a", 1e9)
    assert free.owed("a") == 0.0


def test_a_crowd_is_counted_while_it_is_there() -> None:
    crowd = Crowd(2, 3)
    with ExitStack() as stack:
        for key in "aab":
            stack.enter_context(crowd.one_more(key))
        assert crowd.full("a")
        assert not crowd.full("b")
        assert crowd.all_full()
    assert len(crowd) == 0
    assert not Crowd(0).full("a")


def test_whoever_comes_first_does_not_wait_for_what_is_made_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first page of somebody took 264 ms of processor time, later ones 8."""
    come_ahead()
    assert all(packed(language) for language in LANGUAGES)
    made: list[str] = []

    def noted(usual: Callable[..., Any], *given: Any, **named: Any) -> Any:
        made.append(usual.__qualname__)
        return usual(*given, **named)

    with world(LIMITED, awake=False) as running:
        for kind, name in ((TypeAdapter, "__init__"), (Environment, "compile")):
            usual = getattr(kind, name)
            monkeypatch.setattr(kind, name, lambda *a, usual=usual, **n: noted(usual, *a, **n))
        for path in ("/@Nobody", "/lobby", "/api/v1/tournaments"):
            running.visitor().get(path)
    assert made == []


def come_ahead() -> Ahead:
    """Compile all templates, or read what was compiled."""
    ahead = Ahead()
    ahead.reader.join()
    ahead.close()
    return ahead


def forget_templates() -> None:
    """Let this process know no compiled template."""
    for language in LANGUAGES:
        packed(language).clear()


def test_templates_are_compiled_at_the_first_start_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes as long as all else that a start takes."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    forget_templates()
    first = come_ahead()
    assert first.process
    codes = [dict(packed(language)) for language in LANGUAGES]
    forget_templates()
    assert come_ahead().process is None
    assert [packed(language) for language in LANGUAGES] == codes

    first.kept.write_text(first.kept.read_text()[:9999])  # whoever wrote it was cut off
    forget_templates()
    come_ahead()
    assert not any(packed(language) for language in LANGUAGES)
    with world(LIMITED, awake=False) as running:
        assert running.visitor().get("/lobby").status_code == 200


def test_of_old_versions_few_templates_are_kept(tmp_path: Path) -> None:
    for number in range(KEPT + 3):
        keep(["[]"], tmp_path / f"{number}.jsonl")
        os.utime(tmp_path / f"{number}.jsonl", (number, number))
    assert len(list(tmp_path.iterdir())) == KEPT
    keep(["[]"], tmp_path / f"{KEPT}.jsonl" / "none")  # where nothing can be kept, nothing is


def test_what_an_address_costs_is_charged_to_it() -> None:
    with world(LIMITED) as running:
        work = running.app_state.limits.work
        assert running.visitor().get("/rules/stratego").status_code == 200
        level, _ = work._levels[ADDRESS]
        assert level < work.burst
        work.spend(ADDRESS, 2 * work.burst)
        work.rate = 1e-9
        answer = running.visitor().get("/about")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert running.visitor("192.0.2.2").get("/about").status_code == 200


def test_options_that_leave_out_the_same_rules_are_drawn_once() -> None:
    first = rules_page("binfa(turns=11)", "en")
    assert first is not None
    assert first.partly
    assert all(rules_page(f"binfa(turns={turns})", "en") is first for turns in range(12, 30))
    assert rules_page("binfa", "en") is not first
    assert rules_page("binfa(turns=11)", "fr") is not first


def test_nobody_is_let_in_behind_a_long_queue(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_state, "MOST_WAITING", 0)
    answer = here.visitor(accept="application/json").get("/rules")
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "busy"
    assert int(answer.headers["retry-after"]) > 0


def test_an_open_page_waits_its_turn_instead(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that were sent away would all come again, and coming costs more than staying."""
    table = here.seated("me", "open", variant="duel")
    monkeypatch.setattr(app_state, "MOST_WAITING", 0)
    with table.host.live(table.id, "&company=") as mine:
        assert {*mine.receive(), *mine.receive()} >= {"version", "company"}


def test_one_address_waits_for_so_much_at_once() -> None:
    with world(LIMITED) as running, running.app_state.limits.calls.one_more(ADDRESS):
        running.app_state.limits.calls.each = 1
        assert running.visitor().get("/rules").status_code == 429
        assert running.visitor("192.0.2.2").get("/rules").status_code == 200


def test_a_program_that_listens_waits_its_turn_too(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = here.seated("me", "open", variant="duel")
    listener = Listener(table.host.person, "")

    async def listen() -> list[str]:
        asking.set(cast(RequestContext, SimpleNamespace(reads=True, address=ADDRESS)))
        stream = _lines(here.app_state, listener, once=False)
        first = await anext(stream)
        monkeypatch.setattr(app_state, "MOST_WAITING", 0)
        following = asyncio.ensure_future(anext(stream))
        await asyncio.to_thread(here.app_state.tables.take_seat, table.id, 1, "somebody else")
        return [first, await following]

    first, following = map(json.loads, here.wait(listen()))
    assert (first["status"], following["status"]) == ("waiting", "playing")


def test_clicks_do_not_wait_for_those_who_only_look(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    table.guest(1)
    reading = here.app_state._reading
    readers = [object() for _ in range(int(reading.total_tokens))]
    for one in readers:
        here.wait(reading.acquire_on_behalf_of(one))
    state = here.app_state.tables.snapshot(table.id).state
    body = {"actions": [state.legal_actions(0)[0]], "decision": 0}
    assert table.host.post(f"/t/{table.id}/act", body).status_code == 200
    for one in readers:
        reading.release_on_behalf_of(one)
    assert table.host.get("/rules").status_code == 200


def test_whoever_opens_too_many_pages_waits_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "REFUSED_SECONDS", 0.3)
    with world(LIMITED) as running:
        table = running.seated("me", "open")
        running.app_state.limits.connections = Buckets(0.001, 1)
        with table.host.live(table.id) as first:
            assert first.accepted
        begun = time.monotonic()
        with table.host.live(table.id) as second:
            assert second.status == 429
        assert time.monotonic() - begun >= 0.3


def test_open_pages_are_limited_by_address_and_in_all() -> None:
    with world(LIMITED) as running:
        pages = running.app_state.limits.open_pages
        table = running.seated("me", "open")
        pages.each = 1
        with table.host.live(table.id) as first:
            first.receive()
            with table.host.live(table.id) as second:
                assert second.status == 429
            with running.visitor("192.0.2.2").live(table.id) as other:
                assert other.accepted
            pages.most = 1
            with running.visitor("192.0.2.3").live(table.id) as late:
                assert late.status == 503
        assert len(pages) == 0


# --- Errors repeat little ---

LONG = "x" * 12_000


@pytest.mark.parametrize(
    "spec",
    [
        f"stratego(variant={LONG})",
        f"stratego(variant={LONG[:1500]})",
        f"stratego({LONG[:900]}=1)",
        f"stratego({LONG[:900]})",
        f"stratego({LONG[:900]}=1,{LONG[:900]}=1)",
        f"binfa(map={LONG[:900]})",
        "stratego" + " " * 20_000 + "x",
        LONG,
    ],
)
def test_a_long_description_is_not_repeated(spec: str) -> None:
    with pytest.raises(OptionError) as refused:
        registry.game(spec)
    assert len(str(refused.value)) < 400
    assert "x" * 70 not in str(refused.value)


def test_answers_repeat_little_of_what_was_sent(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    usual = len(visitor.get("/new/binfa").text)
    wrong = {f"option-{name}": LONG for name in ("map", "turns")} | {"own-map": LONG}
    fields = {"game": "binfa", "nickname": LONG, "token": visitor.token(), **wrong}
    page = visitor.ask("POST", "/tables", data=fields)
    assert page.status_code == 422
    assert len(page.text) < usual + 2 * LONGEST_SPEC + 4000  # a map of one's own, as it was typed
    wish = {"game": "binfa", "seats": ["me", "open"], "options": {"map": LONG}}
    assert len(visitor.post("/api/v1/tables", wish).text) < 600
    assert len(visitor.get("/rules/binfa", params={"for": f"binfa(map={LONG})"}).text) < 6000
    assert len(visitor.get(f"/new/{LONG}").text) < 6000
