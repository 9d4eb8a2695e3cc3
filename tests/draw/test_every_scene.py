"""What holds for the pictures of every game: gestures, secrets, languages, well-formed SVG.

`tianxia.testing.check_face` looks at names, roles and ids, too.
Games that ask for more have tests of their own beside their rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from xml.etree import ElementTree as ET

import pytest

import tianxia
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.scene import Drawing, Happening, Scene, SceneRequest
from tianxia.kernel import registry
from tianxia.kernel.rng import new_rng
from tianxia.testing.face import USED, Page, clicks

SPECS = [
    "stratego(variant=barrage)",
    "suntzu",
    "firebulls(players=4)",
    "china(players=2,fortifications=yes,tiles=yes)",
    "china(players=4,fortifications=yes)",
    "china(players=3,board=border,tiles=yes)",
    "binfa(level=1)",
    "binfa(players=3)",
    "binfa(armies=2,map=placed)",
]
DRAWN = [
    spec
    for spec in SPECS
    if spec.partition("(")[0] in tianxia.games()
    and Drawing.of(registry.kind(spec.partition("(")[0])) is not None
]
EVERY = 17
"""One position in so many is drawn; a prime, so that all phases come up."""


def course(spec: str, seed: int) -> Iterator[tuple[tianxia.State, list[Happening]]]:
    """Yield some positions of a random game, with what each seat last saw happen (seat 0's)."""
    random, state = Random(seed), tianxia.game(spec).new()
    last: list[Happening] = []
    for number in range(700):
        if number % EVERY == 0 or state.over:
            yield state, last
        if state.over:
            return
        if state.acting:
            seat = random.choice(state.acting)
            action = random.choice(state.legal_actions(seat))
        else:
            outcomes = state.chance_outcomes()
            seat = tianxia.CHANCE
            action = random.choices([a for a, _ in outcomes], [w for _, w in outcomes])[0]
        known = state.seen(action, seat, 0)
        told = Happening(seat, known, state.describe(action, seat, 0), state.view(0))
        last = [*last, told] if seat != 0 else [told]
        state.apply(action, seat)


def draw(
    state: tianxia.State, viewer: int, language: str = "en", last: tuple[Happening, ...] = ()
) -> Scene:
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    view = state if state.viewer is not None else state.view(viewer)
    return drawing(SceneRequest(view, viewer, language, last, "t-"))


@pytest.mark.parametrize("spec", DRAWN)
def test_what_is_legal_can_be_clicked_and_nothing_else(spec: str):
    """And what a gesture says that it puts on the board is drawn."""
    met, puts, symbols = 0, set[str](), sprite_ids(spec.partition("(")[0])
    for state, last in course(spec, 1):
        for viewer in range(state.seats):
            scene = draw(state, viewer, last=tuple(last) if viewer == 0 else ())
            legal = set(state.legal_actions(viewer)) if viewer in state.acting else set()
            made = {gesture.action for gesture in scene.gestures}
            if scene.arrangement is None and not scene.steps_only:
                assert made == legal
            met += len(made)
            page = Page(scene)
            ways: dict[tuple[str, ...], int] = {}
            for gesture in scene.gestures:
                assert gesture.label.strip()
                way = clicks(gesture)
                assert way, gesture
                assert set(way) <= set(page.elements)
                assert ways.setdefault(way, gesture.action) == gesture.action or gesture.label
                name = gesture.puts.removeprefix("#")
                if name != gesture.puts:
                    assert f'class="piece" id="{name}"' in scene.svg
                elif name:
                    assert name in symbols
                puts.add(gesture.puts)
            assert len(set(page.ids)) == len(page.ids)
            assert all(name.startswith("t-") for name in page.ids)
    assert met > 10
    if spec.startswith("china"):
        assert len(puts) > 2


@pytest.mark.parametrize(("spec", "pawn"), [("firebulls", "w"), ("binfa", "w-")])
def test_a_pawn_that_is_to_go_is_named(spec: str, pawn: str):
    state, random = tianxia.game(spec).new(), Random(1)
    for _ in range(300):
        if state.acting:
            seat = random.choice(state.acting)
            scene = draw(state, seat)
            puts = {gesture.puts for gesture in scene.gestures} - {""}
            if puts:
                (name,) = puts
                assert name.startswith(f"#t-{pawn}")
                assert f'class="piece" id="{name[1:]}"' in scene.svg
                return
            state.apply(random.choice(state.legal_actions(seat)), seat)
        else:
            state.apply(random.choice(state.chance_outcomes())[0], tianxia.CHANCE)
    pytest.fail("no pawn was to go")


@cache
def sprite_ids(name: str) -> set[str]:
    drawing = Drawing.of(registry.kind(name))
    assert drawing is not None
    return set(re.findall(r'id="([\w-]+)"', drawing.sprite))


@pytest.mark.parametrize("spec", DRAWN)
def test_a_scene_tells_what_its_viewer_knows_and_no_more(spec: str):
    rng = new_rng(3)
    for state, last in course(spec, 3):
        for viewer in (*range(state.seats), tianxia.SPECTATOR):
            seen = state.view(viewer)
            told = tuple(last) if viewer == 0 else ()
            other = seen.sample(rng).view(viewer)
            assert draw(seen, viewer, last=told) == draw(other, viewer, last=told)


@pytest.mark.parametrize("spec", DRAWN)
def test_pictures_are_well_formed_and_use_symbols_that_there_are(spec: str):
    drawing = Drawing.of(tianxia.game(spec).kind)
    assert drawing is not None
    there = {name for node in ET.fromstring(drawing.sprite).iter() if (name := node.get("id"))}
    assert set(USED.findall(drawing.sprite)) <= there
    for state, last in course(spec, 4):
        scene = draw(state, 0, last=tuple(last))
        own = {name for node in ET.fromstring(scene.svg).iter() if (name := node.get("id"))}
        panels = "".join(panel.html for panel in scene.panels)
        assert set(USED.findall(scene.svg + panels)) <= there | own
        if scene.stage:
            assert {one.symbol for one in scene.stage.cast} <= there
            before = draw(last[-1].before, 0)  # what is still on the page meanwhile
            assert set(scene.stage.on) <= Page(before).elements.keys()
        assert "<style" not in scene.svg
        assert "<script" not in scene.svg + panels
        assert ">None<" not in scene.svg + panels  # Python's, as a template would write it


@pytest.mark.parametrize("spec", DRAWN)
def test_every_position_is_told_in_words_in_both_languages(spec: str):
    met = different = 0
    for state, last in course(spec, 5):
        if not state.acting and not state.over:
            continue
        texts = []
        for language in LANGUAGES:
            scene = draw(state, 0, language, tuple(last))
            assert scene.text.strip()
            assert "{" not in scene.status
            if state.acting:
                assert scene.status.strip()
            texts.append(scene.status)
        met += 1
        different += texts[0] != texts[1]
    assert different == met > 0


@pytest.mark.parametrize("spec", DRAWN)
def test_strange_clicks_have_a_meaning_or_none_but_never_fail(spec: str):
    random = Random(6)
    drawing = Drawing.of(tianxia.game(spec).kind)
    assert drawing is not None
    for state, _ in course(spec, 6):
        view = state.view(0)
        names = [*Page(draw(state, 0)).elements, "", "zz9", "card-", "é", "n-999", "dragon-"]
        for count in (1, 2, 3, 4):
            tried = tuple(random.choice(names) for _ in range(count))
            meaning = drawing.meant(view, 0, tried)
            if isinstance(meaning, int):
                assert 0 <= meaning < state.game.num_actions
                view.refusal(meaning, 0)
            elif meaning is not None:
                assert meaning in state.game.kind.statements.values()
