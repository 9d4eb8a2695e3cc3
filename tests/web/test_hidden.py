"""Nobody is sent what he may not know.

The same game is played on two servers. On the second, some ranks of one side are exchanged
which nobody else gets to know; while setting up that side also changes its mind. Every byte
that the other side and a spectator are sent has to be the same, and in the same order.
"""

from __future__ import annotations

import itertools
import json
import random
import secrets
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import tianxia
from tests.web.conftest import Log
from tests.web.world import QUICK, Socket, Visitor, World, chosen, world
from tianxia.kernel.record import SPECTATOR
from tianxia.kernel.state import State
from tianxia.tables import Tables
from tianxia.web import live

PLIES = 40
SPEC = "stratego(variant=duel)"
Play = tuple[int, int]


def played(seed: int) -> State:
    """Return a game in which some ranks are still hidden."""
    dice, state = random.Random(seed), tianxia.game(SPEC).new()
    for seat in (0, 1):
        for action in chosen(state, seat, dice):
            state.apply(action, seat)
    while state.plies < PLIES and not state.over:
        if state.acting:
            seat = state.acting[0]
            state.apply(dice.choice(state.legal_actions(seat)), seat)
        else:
            state.apply(state.chance_weights()[0][0], tianxia.CHANCE)
    return state


def views(plays: list[Play], open_ply: int) -> Iterator[tuple[bytes, bytes, list[int]]]:
    """Yield what Red and a spectator may know of a game, ply by ply."""
    state = tianxia.game(SPEC).new()
    for seat, action in plays:
        state.apply(action, seat)
        if state.plies >= open_ply and not state.over:
            yield (
                state.view(0).to_bytes(),
                state.view(SPECTATOR).to_bytes(),
                state.legal_actions(0) if 0 in state.acting else [],
            )


def exchanged(state: State) -> list[Play] | None:
    """Return the game with two ranks of Blue exchanged, so that nobody else notices."""
    plays = list(state.history())
    mine = [place for place, (seat, action) in enumerate(plays) if seat == 1 and action < 13]
    known = list(views(plays, 2))
    for one, two in itertools.combinations(mine, 2):
        ranks = plays[one][1], plays[two][1]
        if 0 in ranks or ranks[0] == ranks[1]:
            continue
        other = list(plays)
        other[one], other[two] = (1, ranks[1]), (1, ranks[0])
        try:
            if list(views(other, 2)) == known:
                return other
        except tianxia.IllegalAction:
            continue
    return None


def two_worlds() -> tuple[list[Play], list[Play]]:
    for seed in range(200):
        state = played(seed)
        other = None if state.over else exchanged(state)
        if other is not None:
            return list(state.history()), other
    raise AssertionError("no such game was found")


@contextmanager
def same_chance(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let all that is random be the same in both worlds.

    Whoever draws has dice of its own: what threads draw in between changes nothing for others.
    """
    dice: dict[str, random.Random] = {}

    def drawn(n: int) -> bytes:
        frame, callers = sys._getframe(2), []
        for _ in range(4):
            callers.append(frame.f_code.co_qualname)
            frame = frame.f_back or frame
        who = " < ".join(callers)
        return dice.setdefault(who, random.Random(who)).randbytes(n)

    with monkeypatch.context() as patch:
        patch.setattr(secrets, "token_bytes", lambda n=32: drawn(n))
        patch.setattr(secrets, "token_hex", lambda n=32: drawn(n).hex())
        patch.setattr(secrets, "token_urlsafe", lambda n=32: drawn(2 * n).hex()[: -(-4 * n // 3)])
        patch.setattr(uuid, "uuid4", lambda: uuid.UUID(bytes=drawn(16)))
        yield


class Watched:
    """A visitor with an open page, who also asks for all that there is, and for more."""

    def __init__(self, visitor: Visitor, socket: Socket, table: str) -> None:
        self.visitor = visitor
        self.socket = socket
        self.table = table
        self.version = ""

    def catch_up(self) -> None:
        """Read pushes until the page is as new as the server's."""
        newest = self.visitor.get(f"/t/{self.table}/fragment").json()["version"]
        while self.version != newest:
            self.version = self.socket.receive()["version"]

    def ask(self) -> None:
        """Ask for everything that a page or a program can ask for."""
        api, page = f"/api/v1/tables/{self.table}", f"/t/{self.table}"
        for path in (api, f"{api}/picture", f"{api}/transcript", f"{api}/plies/3", page):
            self.visitor.get(path)
        for path in (f"{page}/ply/2", f"{page}/transcript", f"{page}/next-steps?e=a4", "/"):
            self.visitor.get(path)
        self.visitor.get(f"{page}/journeys?origin=a4&target=a6")
        self.visitor.get(f"{page}/marches?e=a4&e=a5")
        for element in ("a1", "c3", "e4", "f7", "j10"):
            self.visitor.get(f"{page}/ask?e={element}&action=777")
            self.visitor.get(f"{api}/ask?element={element}")
        for number in (5, 200, 777, 1500, 10**6):
            self.visitor.post(f"{page}/why", {"action": number})
            self.visitor.post(f"{page}/act", {"actions": [number], "decision": 0})
        for elements in (["a4", "a5"], ["j7"], ["e7", "e6"]):
            self.visitor.post(f"{page}/why", {"elements": elements})


def story(
    plays: list[Play],
    monkeypatch: pytest.MonkeyPatch,
    log: Log,
    change_of_mind: Callable[[World, Visitor, str], None] | None,
) -> tuple[list[bytes], list[bytes], list[dict[str, object]]]:
    """Play a game; return what Red and a spectator were sent, and what was logged."""
    log.clear()
    monkeypatch.setattr(live, "BEAT_SECONDS", 1e6)  # they come by the clock, in between
    tables = Tables("sqlite://", clock=itertools.count(1_000_000.0).__next__)
    tables.clock = lambda: 1_000_000.0
    with same_chance(monkeypatch), world(QUICK, tables) as running:
        table = running.seated("me", "open", variant="duel")
        blue, spectator = table.guest(1), running.visitor(accept_language="fr")
        red = table.host
        spectator.become()
        with red.live(table.id) as one, spectator.live(table.id) as two:
            watching = [Watched(red, one, table.id), Watched(spectator, two, table.id)]
            for who in watching:
                who.catch_up()
            if change_of_mind is not None:
                change_of_mind(running, blue, table.id)
                assert one.silent()
                assert two.silent()
            for number, (seat, batch) in enumerate(batches(plays)):
                visitor = (red, blue)[seat]
                assert table.act(visitor, *batch).status_code == 200
                for who in watching:
                    who.catch_up()
                    if number % 4 < 2:
                        who.ask()
            assert one.silent(0.1)
        lines = [{k: v for k, v in x.items() if k in KEPT} for x in log.lines()]
        return red.received, spectator.received, lines


KEPT = ("level", "message", "status", "code", "rule", "method", "route", "table")


def batches(plays: list[Play]) -> Iterator[tuple[int, list[int]]]:
    """Yield a game as people send it: each set-up together, then move by move."""
    for seat in (0, 1):
        yield seat, [action for who, action in plays if who == seat and action < 13]
    for seat, action in plays:
        if seat != tianxia.CHANCE and action > 13:
            yield seat, [action]


def hesitate(running: World, blue: Visitor, table: str) -> None:
    """Set up in part, look at it, take it back, twice."""
    for number in (2, 3):
        legal = blue.get(f"/api/v1/tables/{table}").json()["legal"]
        decision = blue.get(f"/api/v1/tables/{table}").json()["decision"]
        body = {"actions": [legal[number]["action"]], "decision": decision}
        assert blue.post(f"/t/{table}/act", body).status_code == 200
        assert blue.post(f"/t/{table}/take-back", {}).status_code == 200


@pytest.mark.timeout(200)
def test_swapping_hidden_facts_changes_no_byte_for_others(
    monkeypatch: pytest.MonkeyPatch, log: Log
) -> None:
    plays, others = two_worlds()
    assert plays != others
    first = story(plays, monkeypatch, log, None)
    second = story(others, monkeypatch, log, hesitate)
    for which, who in enumerate(("Red", "spectator", "log")):
        mine, theirs = list[object](first[which]), list[object](second[which])
        assert len(mine) > 100
        for place, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            assert a == b, f"{who}, message {place}: {difference(a, b)}"


def difference(a: object, b: object) -> str:
    one, two = (
        x.decode("utf-8", "replace") if isinstance(x, bytes) else json.dumps(x) for x in (a, b)
    )
    place = next((i for i, (x, y) in enumerate(zip(one, two, strict=False)) if x != y), 0)
    return f"…{one[max(0, place - 200) : place + 100]!r} or …{two[place : place + 100]!r}"


def test_no_rank_of_the_other_side_is_anywhere_on_a_page(here: World) -> None:
    """What is sent before the end is made from the view: all ranks of a view are shown ones."""
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    table.set_up(table.host, 1)
    table.set_up(guest, 2)
    snapshot = here.app_state.tables.snapshot(table.id)
    for visitor, viewer in ((table.host, 0), (guest, 1), (here.visitor(), SPECTATOR)):
        facts = table.facts(visitor)
        assert facts["notation"] == snapshot.state.view(viewer).notation()
        assert facts["chance_secret"] is None
