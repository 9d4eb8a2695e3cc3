"""Of a fragment only the parts travel that have changed; what is put together is the whole."""

from __future__ import annotations

import json
import random
import re
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from gettext import NullTranslations
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jinja2 import meta, nodes

import tianxia
from tests.tables.helpers import PEOPLE, step
from tests.web.world import World
from tianxia.tables import SeatPlan
from tianxia.web import fragment, rendering, templating
from tianxia.web.bits import bits
from tianxia.web.parts import ENDING, LOG, Piece, in_parts
from tianxia.web.rendering import Renderer, Viewer
from tianxia.web.turns import Turn, Voice

BASE = "http://table.test"
LARGEST_MOVE = 5000
"""Bytes to one viewer, packed as a connection packs what it sends."""
GAMES = ("stratego(variant=duel)", "suntzu", "firebulls", "china", "binfa")


def rebuilt(old: Piece, message: dict[str, Any]) -> str:
    """Return the fragment that a page has after a message."""
    if "html" in message:
        return str(message["html"])
    assert message["known"] == old.version
    lines = "".join(old.lines)
    if (log := message.get("log")) is not None:
        lines = "".join(
            run if isinstance(run, str) else "".join(old.lines[run[0] : sum(run)]) for run in log
        )
    parts = [message["parts"].get(name, html) for name, html in old.parts.items()]
    if single := message.get("bits"):
        board = list(old.parts).index("play")
        parts[board] = with_bits(parts[board], single)
    return message["root"].removesuffix(ENDING) + "".join(parts).replace(LOG, lines) + ENDING


def packed(pack: Any, message: dict[str, Any]) -> int:
    """Return how many bytes a message takes after those before it."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return len(pack.compress(text) + pack.flush(zlib.Z_SYNC_FLUSH))


def with_bits(html: str, single: dict[str, Any]) -> str:
    """Return a part after a change of single elements, as the page makes it."""
    root = ET.fromstring(html)
    parents = {child: parent for parent in root.iter() for child in parent}
    at = {node.get("id"): node for node in root.iter()}
    for name in single["gone"]:
        parents[at[name]].remove(at[name])
    for text in single["set"]:
        node = drawn(text)
        old = at[node.get("id")]
        parent = parents[node] = parents[old]
        parent[list(parent).index(old)] = node
        at[node.get("id")] = node
    for name, text, *inside in single["new"]:
        node, anchor = drawn(text), at[name]
        parent = anchor if inside else parents[anchor]
        parent.insert(0 if inside else list(parent).index(anchor) + 1, node)
        at[node.get("id")], parents[node] = node, parent
    return ET.tostring(root, encoding="unicode")


def drawn(text: str) -> ET.Element:
    return ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{text}</svg>')[0]


def bare(html: str) -> str:
    """Return a fragment without the space between its parts, its board as it is read."""
    play = re.search(r'<section class="play".*?</section>', html, re.DOTALL)
    if play:
        html = html.replace(play[0], ET.tostring(ET.fromstring(play[0]), encoding="unicode"))
    return re.sub(r"\s+|xmlns:?\w*=\"[^\"]*\"|ns\d+:", "", html)


def made(plates: str, board: str, *lines: str) -> Piece:
    parts = (
        f'<ul id="plates">{plates}</ul>',
        f'<div id="board">{board}</div>',
        f'<ol id="log">{LOG}</ol>',
    )
    return in_parts('<div id="table" data-version="@version@">', parts, lines)


def test_only_what_has_changed_travels() -> None:
    old = made("2 cards", "a4", "<li>one</li>")
    new = made("2 cards", "a5", "<li>two</li>", "<li>one</li>")
    message = new.since(old)
    assert list(message["parts"]) == ["board"]
    assert message["log"] == ["<li>two</li>", [0, 1]]
    assert rebuilt(old, message) == new.html
    assert old.version in message["known"]
    assert new.since(None) == {"version": new.version, "html": new.html}


def test_single_elements_come_go_and_change() -> None:
    old = '<svg>\n<g id="all">\n<g id="a"><use/></g>\n<g id="b"/>\n<g id="c"/>\n</g>\n</svg>'
    new = old.replace('<g id="a"><use/>', '<g id="d"/>\n<g id="a"><use href="#x"/>')
    new = new.replace('<g id="c"/>', '<g id="e"/>')
    assert bits(old, new) == {
        "set": ['<g id="a"><use href="#x"/></g>'],
        "gone": ["c"],
        "new": [["all", '<g id="d"/>', True], ["b", '<g id="e"/>']],
    }


def test_elements_that_change_where_they_stand_travel_alone() -> None:
    old = '<svg>\n<g id="a"/>\n<g id="b"/>\n<g id="c"/>\n</svg>'
    new = old.replace('"a"/>', '"a"><use/></g>').replace('"c"/>', '"c" class="x"/>')
    changed = ['<g id="a"><use/></g>', '<g id="c" class="x"/>']
    assert bits(old, new) == {"set": changed, "gone": [], "new": []}
    assert bits(old, old.replace('"c"', '"d"')) == {
        "set": [],
        "gone": ["c"],
        "new": [["b", '<g id="d"/>']],
    }


@pytest.mark.parametrize(
    "new",
    [
        '<g id="b"/>\n<g id="a"/>',  # they have changed their places
        '<g id="a"/>\n<g id="b"/><g id="c"/>',  # two on a line
        '<g id="a">\n</g>\n<g id="b"/>',
        '<g id="a"/>\n<path d=""/>\n<g id="b"/>',  # without an id
        '<g id="c"/>\n<g id="a"/>\n<g id="b"/>',  # after nothing that has an id
    ],
)
def test_what_is_more_than_single_elements_travels_as_a_whole(new: str) -> None:
    assert bits('<svg>\n<g id="a"/>\n<g id="b"/>\n</svg>', f"<svg>\n{new}\n</svg>") is None


def test_lines_that_changed_or_went_are_sent_anew() -> None:
    old = made("", "", "<li>two</li>", "<li>one</li>")
    for lines in (("<li>two!</li>", "<li>one</li>"), ("<li>one</li>",), (), ("<li>3</li>",)):
        new = made("", "", *lines)
        assert rebuilt(old, new.since(old)) == new.html


@pytest.mark.parametrize("spec", GAMES)
def test_a_whole_game_in_parts_is_the_same_as_whole(
    spec: str, here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tianxia.kernel.registry import game

    monkeypatch.setattr(rendering, "MOST_LINES", 50)  # so that the log is soon cut
    tables, renderer, dice = here.app_state.tables, Renderer(), random.Random(2)
    played = game(spec)
    plans = [SeatPlan("me"), *[SeatPlan("open")] * (played.seats - 1)]
    table = tables.create(played, plans, person="p0", nickname="A").table_id
    for seat in range(1, played.seats):
        tables.take_seat(table, seat, f"p{seat}", "B")
    viewers = (Viewer(0, "en", BASE, "k"), Viewer(1, "fr", BASE, "k"), Viewer(None, "en", BASE))
    known: dict[Viewer, Piece] = {}
    packs = {viewer: zlib.compressobj(wbits=-15) for viewer in viewers}
    whole = sent = single = 0
    for move in range(80):
        snapshot = tables.snapshot(table)
        if snapshot.status != "playing":
            break
        for viewer in viewers:
            piece = renderer.piece(snapshot, viewer)
            if move % 12 == 5:  # what is kept of other positions and viewers shows nowhere
                fresh = Renderer().piece(snapshot, viewer)
                assert (piece.version, piece.html) == (fresh.version, fresh.html)
            message = piece.since(known.get(viewer))
            size = packed(packs[viewer], message)
            if viewer in known:
                assert size < LARGEST_MOVE
                assert len(piece.lines) < 10 or any(
                    isinstance(run, list) for run in message.get("log", [[0, 1]])
                )
                assert bare(rebuilt(known[viewer], message)) == bare(piece.html)
                whole += len(piece.html)
                sent += len(json.dumps(message))
                single += "bits" in message
            known[viewer] = piece
        seat = snapshot.acting[0]
        action = dice.choice(snapshot.view(seat).legal_actions(seat))
        tables.act(table, f"p{seat}", [action], snapshot.decision(seat))
    assert sent < 0.5 * whole
    assert single > 10


def facts_of(here: World) -> dict[str, Any]:
    """Return what a page shows of a game that has begun, to the first player."""
    table = here.seated("me", "open", variant="duel")
    table.guest(1)
    snapshot, viewer = here.app_state.tables.snapshot(table.id), Viewer(0, "en", BASE, "k")
    return Renderer().facts(snapshot, viewer)


def test_a_part_is_drawn_again_only_when_what_it_shows_has_changed(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts, drawn = facts_of(here), list[str]()
    kept: fragment.Kept = {}

    def render(name: str, language: str, **given: Any) -> str:
        drawn.append(name)
        return templating.render(name, language, **given)

    monkeypatch.setattr(fragment, "render", render)
    first = fragment.fragment(facts, "en", (), kept)
    assert len(drawn) == len(fragment.FACTS)
    drawn.clear()
    assert fragment.fragment(facts, "en", (), kept) == first
    assert drawn == []
    facts |= {"scene": replace(facts["scene"], svg="<svg/>")}
    assert fragment.fragment(facts, "en", (), kept).parts["play"] != first.parts["play"]
    assert drawn == ["table/play"]


def test_two_versions_that_are_drawn_at_once_for_one_viewer_do_not_mix(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = facts_of(here)
    older = newer | {"scene": replace(newer["scene"], svg="<svg/>")}
    alone, kept = fragment.fragment(newer, "en", ()), dict[str, Any]()

    def render(name: str, language: str, **given: Any) -> str:
        if name == "table/dock":  # the picture is drawn, and another thread draws an older one
            monkeypatch.setattr(fragment, "render", templating.render)
            fragment.fragment(older, "en", (), kept)
        return templating.render(name, language, **given)

    monkeypatch.setattr(fragment, "render", render)
    assert fragment.fragment(newer, "en", (), kept) == alone


def test_who_watches_beside_others_has_only_new_turns_drawn(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, renderer, dice, drawn = (
        here.app_state.tables,
        Renderer(),
        random.Random(1),
        list[Turn](),
    )
    plans = [SeatPlan("me"), SeatPlan("open")]
    table = tables.create("stratego(variant=duel)", plans, person=PEOPLE[0]).table_id
    tables.take_seat(table, 1, PEOPLE[1])
    viewers = [Viewer(seat, "en", BASE) for seat in (0, 1, None)]
    draw_turn = rendering._drawn_turn

    def counted(turn: Turn, voice: Voice, armies: tuple[str, ...]) -> str:
        drawn.append(turn)
        return draw_turn(turn, voice, armies)

    monkeypatch.setattr(rendering, "_drawn_turn", counted)
    for _ in range(40):
        snapshot = step(tables, table, dice)
        drawn.clear()
        for viewer in viewers:
            renderer.piece(snapshot, viewer)
    assert 0 < len(drawn) <= 2 * len(viewers)


def test_logs_that_are_drawn_at_once_do_not_forget_the_same_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow(Voice):
        def __hash__(self) -> int:  # so that another thread comes in while one is looked up
            time.sleep(0.001)
            return super().__hash__()

    monkeypatch.setattr(rendering, "MOST_VOICES", 1)
    game = tianxia.game("stratego")
    shelf, voice = rendering._Shelf(game), Slow(game, "en")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda seat: shelf.log([], seat, voice, (), over=False), [0, 1, 2, 3] * 20))
    assert len(shelf.lines) == 1


@pytest.mark.parametrize("part", fragment.FACTS)
def test_a_part_is_given_what_its_template_reads_and_nothing_else(part: str) -> None:
    made = templating.environment("en")

    def parsed(name: str) -> nodes.Template:
        assert made.loader is not None
        return made.parse(made.loader.get_source(made, name)[0])

    trees = [parsed(f"table/{part}.html.jinja")]
    included = trees[0].find_all(nodes.Include)
    trees += [parsed(one.template.as_const()) for one in included]
    free = {name for tree in trees for name in meta.find_undeclared_variables(tree)}
    names = [name for tree in trees for name in tree.find_all(nodes.Name)]
    free -= made.globals.keys() | {name.name for name in names if name.ctx == "store"}
    read = {
        f"{one.node.name}.{one.attr}"
        for tree in trees
        for one in tree.find_all(nodes.Getattr)
        if isinstance(one.node, nodes.Name)
    }
    given = set(fragment.FACTS[part].split())
    assert {name.split(".")[0] for name in given} == free
    dotted = {name.split(".")[0] for name in given if "." in name}
    assert {name for name in given if "." in name} == {
        name for name in read if name.split(".")[0] in dotted
    }


def test_messages_are_translated_when_a_template_is_compiled() -> None:
    made = templating.InOneLanguage(autoescape=True)
    made.words = type("Words", (NullTranslations,), {"gettext": lambda self, text: f"<{text}>"})()
    text = made.from_string("{{ _('a') }} {{ _('{n}').format(n=1) }}").render()
    assert text == "&lt;a&gt; &lt;1&gt;"


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
    old = made("", "", "<li>two</li>", "<li>one</li>")
    new = made("", "", "<li>two and more</li>", "<li>one</li>")
    assert new.since(old)["log"] == ["<li>two and more</li>", [1, 1]]


def test_of_a_log_told_anew_only_the_lines_travel_that_had_hidden_something() -> None:
    old = made("", "", "<li>e</li>", "<li>a card</li>", "<li>c</li>", "<li>b</li>", "<li>?</li>")
    new = made("", "", "<li>f</li>", "<li>e</li>", "<li>The Bull</li>", "<li>c</li>", "<li>b</li>")
    message = new.since(old)
    assert message["log"] == ["<li>f</li>", [0, 1], "<li>The Bull</li>", [2, 2]]
    assert rebuilt(old, message) == new.html
