"""Of a fragment only the parts travel that have changed; what is put together is the whole."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from tests.web.world import World
from tianxia.web.parts import ENDING, LOG, MARK, Piece, in_parts
from tianxia.web.rendering import Renderer, Viewer

BASE = "http://table.test"
GAMES = ("stratego(variant=duel)", "suntzu", "firebulls", "china", "binfa")


def rebuilt(old: Piece, message: dict[str, Any]) -> str:
    """Return the fragment that a page has after a message."""
    if "html" in message:
        return str(message["html"])
    assert message["known"] == old.version
    lines = "".join(old.lines)
    if log := message.get("log"):
        lines = log["new"] + "".join(old.lines[log["gone"] : log["gone"] + log["kept"]])
    parts = [message["parts"].get(name, html) for name, html in old.parts.items()]
    return message["root"].removesuffix(ENDING) + "".join(parts).replace(LOG, lines) + ENDING


def bare(html: str) -> str:
    """Return a fragment without the space between its parts."""
    return re.sub(r"\s+", "", html)


def fragment(plates: str, board: str) -> str:
    return (
        f'<div id="table" data-version="@version@">{MARK}<ul id="plates">{plates}</ul>'
        f'{MARK}<div id="board">{board}</div>{MARK}<ol id="log">{LOG}</ol></div>'
    )


def test_only_what_has_changed_travels() -> None:
    old = in_parts(fragment("2 cards", "a4"), ("<li>one</li>",))
    new = in_parts(fragment("2 cards", "a5"), ("<li>two</li>", "<li>one</li>"))
    message = new.since(old)
    assert list(message["parts"]) == ["board"]
    assert message["log"] == {"new": "<li>two</li>", "gone": 0, "kept": 1}
    assert rebuilt(old, message) == new.html
    assert old.version in message["known"]
    assert new.since(None) == {"version": new.version, "html": new.html}


def test_lines_that_changed_or_went_are_sent_anew() -> None:
    old = in_parts(fragment("", ""), ("<li>two</li>", "<li>one</li>"))
    for lines in (("<li>two!</li>", "<li>one</li>"), ("<li>one</li>",), (), ("<li>3</li>",)):
        new = in_parts(fragment("", ""), lines)
        assert rebuilt(old, new.since(old)) == new.html


@pytest.mark.parametrize("spec", GAMES)
def test_a_whole_game_in_parts_is_the_same_as_whole(spec: str, here: World) -> None:
    from tianxia.kernel.registry import game
    from tianxia.tables import SeatPlan

    tables, renderer, dice = here.app_state.tables, Renderer(), random.Random(2)
    played = game(spec)
    plans = [SeatPlan("me"), *[SeatPlan("open")] * (played.seats - 1)]
    table = tables.create(played, plans, person="p0", nickname="A").table_id
    for seat in range(1, played.seats):
        tables.take_seat(table, seat, f"p{seat}", "B")
    viewers = (Viewer(0, "en", BASE, "k"), Viewer(1, "fr", BASE, "k"), Viewer(None, "en", BASE))
    known: dict[Viewer, Piece] = {}
    whole = sent = 0
    for _ in range(70):
        snapshot = tables.snapshot(table)
        if snapshot.status != "playing":
            break
        for viewer in viewers:
            piece = renderer.piece(snapshot, viewer)
            message = piece.since(known.get(viewer))
            if viewer in known:
                assert bare(rebuilt(known[viewer], message)) == bare(piece.html)
                whole += len(piece.html)
                sent += len(json.dumps(message))
            known[viewer] = piece
        seat = snapshot.acting[0]
        action = dice.choice(snapshot.view(seat).legal_actions(seat))
        tables.act(table, f"p{seat}", [action], snapshot.decision(seat))
    assert sent < 0.7 * whole


def test_who_acts_is_answered_with_parts(here: World) -> None:
    table = here.seated("me", "open", variant="duel")
    table.guest(1)
    facts = table.facts()
    known = table.host.get(f"/t/{table.id}/fragment").json()["version"]
    body = {"actions": [facts["legal"][-1]["action"]], "decision": facts["decision"]}
    answer = table.host.post(f"/t/{table.id}/act?known={known}", body).json()
    assert answer["known"] == known
    assert "html" not in answer
    facts = table.facts()
    body = {"actions": [facts["legal"][-1]["action"]], "decision": facts["decision"]}
    assert "html" in table.host.post(f"/t/{table.id}/act?known=other", body).json()


def test_a_turn_to_which_something_is_added_goes_and_the_older_ones_stay() -> None:
    html = f'<div id="table">{MARK}<ol id="log">{LOG}</ol></div>'
    old = in_parts(html, ("<li>two</li>", "<li>one</li>"))
    new = in_parts(html, ("<li>two and more</li>", "<li>one</li>"))
    assert new.since(old)["log"] == {"new": "<li>two and more</li>", "gone": 1, "kept": 1}
