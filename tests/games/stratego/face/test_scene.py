"""Stratego's scene: what it shows, what clicks mean, and that it tells nobody too much."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from xml.etree import ElementTree as ET

import pytest

import tianxia
from tests.games.stratego.board import board, finish_setup, play
from tests.games.stratego.helpers import place
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.scene import Drawing, Happening, Scene, SceneRequest
from tianxia.games.stratego.face.deployment import faults
from tianxia.games.stratego.face.presets import PRESETS
from tianxia.games.stratego.face.words import rank_name, seat_name
from tianxia.games.stratego.rules.components import (
    COUNTS,
    LAKES,
    OPEN,
    RANK_SYMBOLS,
    SLOTS,
    VARIANTS,
)
from tianxia.kernel.rng import new_rng

VIEWERS = (0, 1, tianxia.SPECTATOR)
FIND = Drawing.of(tianxia.game("stratego").kind)
assert FIND is not None
DRAWING = FIND
PIECE = re.compile(r'<g class="piece"[^>]*><use href="#stratego-(\w+)"/>')


def draw(
    state: tianxia.State,
    viewer: int,
    language: str = "en",
    last: tuple[Happening, ...] = (),
    prefix: str = "t-",
) -> Scene:
    view = state if state.viewer is not None else state.view(viewer)
    return DRAWING(SceneRequest(view, viewer, language, last, prefix))


def opened(variant: str = "classic", red: int = 0, blue: int = 1) -> tianxia.State:
    presets = PRESETS[VARIANTS.index(variant)]
    game = tianxia.game("stratego", variant=variant)
    armies = []
    for number in (red, blue):
        setup = [*presets[number].setup]
        while setup[-1] == 0:
            setup.pop()
        armies.append(["-" if rank == 0 else RANK_SYMBOLS[rank] for rank in setup])
    return finish_setup(game, *armies)


def course(seed: int, variant: str = "classic") -> Iterator[tuple[tianxia.State, list[Happening]]]:
    """Yield positions of a game in which much is attacked, each with what has just happened."""
    random, state = Random(seed), opened(variant, seed % 6, (seed + 2) % 6)
    told: list[Happening] = []
    yield state, told
    while not state.over:
        (seat,) = state.acting
        legal = state.legal_actions(seat)
        fights = [action for action in legal if "x" in state.text(action, seat)]
        action = random.choice(fights if fights and random.random() < 0.5 else legal)
        told = [Happening(seat, action, state.describe(action, seat, -1), state.view(-1))]
        state.apply(action)
        yield state, told


def elements(scene: Scene) -> dict[str, ET.Element]:
    root = ET.fromstring(scene.svg)
    return {name: node for node in root.iter() if (name := node.get("data-e"))}


# --- Clicks ---


@pytest.mark.parametrize("variant", VARIANTS)
def test_gestures_and_legal_actions_are_one_to_one(variant: str):
    for number, (state, _) in enumerate(course(3, variant)):
        if number % 9 or state.over:
            continue
        for viewer in VIEWERS:
            scene = draw(state, viewer)
            legal = state.legal_actions(viewer) if viewer in state.acting else []
            assert sorted(gesture.action for gesture in scene.gestures) == legal
            clicks = [tuple(step.elements[0] for step in g.steps) for g in scene.gestures]
            assert len(set(clicks)) == len(clicks)
            shown = elements(scene)
            for gesture, clicked in zip(scene.gestures, clicks, strict=True):
                assert all(step.kind == "one" and len(step.elements) == 1 for step in gesture.steps)
                assert set(clicked) <= set(shown)
                assert DRAWING.meant(state.view(viewer), viewer, clicked) == gesture.action
                assert gesture.final == ("x" in state.text(gesture.action, viewer))
            assert len({gesture.label for gesture in scene.gestures}) == len(scene.gestures)


def test_what_will_be_legal_can_be_set_in_advance_and_only_while_one_waits():
    for number, (state, _) in enumerate(course(5)):
        if number % 7 or state.over:
            continue
        (mover,) = state.acting
        waiting = 1 - mover
        early = dict(draw(state, waiting).premoves)
        assert not draw(state, mover).premoves
        assert not draw(state, tianxia.SPECTATOR).premoves
        for action in state.legal_actions(mover)[:12]:
            later = state.clone()
            later.apply(action)
            for gesture in draw(later, waiting).gestures:
                (origin,), (target,) = (step.elements for step in gesture.steps)
                assert target in early[origin]
    assert not draw(tianxia.game("stratego").new(), 0).premoves


def test_what_can_be_set_in_advance_tells_of_ones_own_pieces_only():
    state = opened()
    told = draw(state, 1).premoves
    assert all(name.endswith(("7", "8", "9", "10")) for name, _ in told)
    for seed in range(5):
        assert draw(state.view(1).sample(new_rng(seed)), 1).premoves == told


def test_clicks_that_are_refused_have_a_meaning_too():
    state = opened()
    view = state.view(0)
    action = DRAWING.meant(view, 0, ("a1", "a2"))
    assert isinstance(action, int)
    assert state.refusal(action, 0) == "STR-29"
    assert DRAWING.meant(view, 0, ("a1", "b6")) == "STR-05"
    assert DRAWING.meant(view, 0, ("a10",)) == "STR-04"
    assert DRAWING.meant(view, 0, ("a1", "k9")) is None
    begun = tianxia.game("stratego").new()
    for seat, own, other in ((0, "a4", "a7"), (1, "j7", "j4")):
        assert DRAWING.meant(begun.view(seat), seat, (own,)) is None
        assert DRAWING.meant(begun.view(seat), seat, (other,)) == "STR-03"
        assert DRAWING.meant(begun.view(seat), seat, ("a5",)) == "STR-03"


def test_the_first_thing_to_click_is_where_tab_goes():
    for viewer in VIEWERS:
        scene = draw(opened(), viewer)
        first = [name for name, node in elements(scene).items() if node.get("tabindex") == "0"]
        assert len(first) == 1
        if scene.gestures:
            assert first == [scene.gestures[0].steps[0].elements[0]]


def test_attacks_are_told_apart_from_steps():
    state = board("""
        bF .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
        .  .  ~  ~  .  .  ~  ~  .  .
        b5 .  ~  ~  .  .  ~  ~  .  .
        r6 .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .
        rF .  .  .  .  .  .  .  .  .
    """)
    scene = draw(state, 0)
    labels = {gesture.label: gesture.final for gesture in scene.gestures}
    assert labels["Captain from a4 attacks a5: unknown piece"]
    assert not labels["Captain from a4 to b4"]
    held = {name for name, node in elements(scene).items() if "is-held" in node.get("class", "")}
    assert held == {"a5", "a10"}
    french = {gesture.label for gesture in draw(state, 0, "fr").gestures}
    assert "Capitaine en a4 attaque a5\u00a0: pièce inconnue" in french


# --- Set-up ---


@pytest.mark.parametrize(("variant", "seat"), list(product(VARIANTS, (0, 1))))
def test_every_preset_can_be_sent(variant: str, seat: int):
    game = tianxia.game("stratego", variant=variant)
    for number in range(len(PRESETS[VARIANTS.index(variant)])):
        state = game.new()
        arrangement = draw(state, seat).arrangement
        assert arrangement is not None
        preset = arrangement.presets[number]
        assert len(preset.layout) == len(arrangement.slots) == SLOTS
        for action in arrangement.actions(preset.layout):
            state.apply(action, seat)
        assert seat not in state.acting
        shown = elements(draw(state, seat))
        for slot, kind in zip(arrangement.slots, preset.layout, strict=True):
            label = "empty" if kind < 0 else arrangement.kinds[kind].label
            assert label in shown[slot].get("aria-label", "")


@pytest.mark.parametrize("variant", VARIANTS)
def test_presets_are_sensible_and_different(variant: str):
    presets = PRESETS[VARIANTS.index(variant)]
    assert len(presets) >= 6
    assert len({preset.id for preset in presets}) == len(presets)
    assert len({tuple(preset.setup) for preset in presets}) == len(presets)
    for preset in presets:
        assert faults(preset.setup) == [], preset.name


@pytest.mark.parametrize(("variant", "seat"), list(product(VARIANTS, (0, 1))))
def test_an_arrangement_holds_what_may_be_done(variant: str, seat: int):
    state = tianxia.game("stratego", variant=variant).new()
    scene = draw(state, seat)
    arrangement = scene.arrangement
    assert arrangement is not None
    assert scene.gestures == ()
    actions = [kind.action for kind in arrangement.kinds]
    actions += [] if arrangement.empty is None else [arrangement.empty]
    assert sorted(actions) == state.legal_actions(seat)
    counts = COUNTS[VARIANTS.index(variant)]
    assert {k.action: k.count for k in arrangement.kinds} == {
        rank: int(count) for rank, count in enumerate(counts) if count
    }
    assert set(arrangement.slots) <= set(elements(scene))
    for kind in arrangement.kinds:
        assert f'id="{kind.symbol}"' in DRAWING.sprite


def test_mirrors_exchange_left_and_right():
    arrangement = draw(tianxia.game("stratego").new(), 1).arrangement
    assert arrangement is not None
    for slot, other in enumerate(arrangement.mirror):
        assert arrangement.mirror[other] == slot
        here, there = arrangement.slots[slot], arrangement.slots[other]
        assert here[1:] == there[1:]
        assert "abcdefghij".index(here[0]) + "abcdefghij".index(there[0]) == 9


def test_what_is_placed_already_is_not_asked_again():
    state = tianxia.game("stratego").new()
    for token in ("F", "B", "B"):
        state.apply(state.parse(token, 0), 0)
    arrangement = draw(state, 0).arrangement
    assert arrangement is not None
    assert arrangement.slots[0] == "d1"
    assert len(arrangement.slots) == SLOTS - 3 == len(arrangement.mirror)
    assert {kind.id: kind.count for kind in arrangement.kinds}["B"] == 4
    assert arrangement.presets == ()
    assert draw(state, 1).arrangement != arrangement
    assert draw(state, tianxia.SPECTATOR).arrangement is None


# --- Who knows what ---


def everything(scene: Scene) -> str:
    panels = "".join(panel.title + panel.html for panel in scene.panels)
    return f"{scene!r}{scene.svg}{scene.text}{scene.status}{panels}"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_swapping_hidden_ranks_changes_no_byte(viewer: int):
    rng = new_rng(11)
    for number, (state, told) in enumerate(course(2)):
        if number % 11 or state.over:
            continue
        view = state.view(viewer)
        seen = tuple(told)
        shown = everything(draw(view, viewer, "en", seen))
        for _ in range(3):
            assert everything(draw(view.sample(rng).view(viewer), viewer, "en", seen)) == shown


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_set_up_in_secret_shows_only_who_is_ready(viewer: int):
    game = tianxia.game("stratego")
    other = 1 if viewer != 1 else 0
    nothing, begun, done, alike = (game.new() for _ in range(4))
    begun.apply(begun.parse("F", other), other)
    for state, preset in ((done, 0), (alike, 2)):
        for rank in PRESETS[0][preset].setup:
            state.apply(rank, other)
    assert everything(draw(nothing, viewer)) == everything(draw(begun, viewer))
    assert everything(draw(done, viewer)) == everything(draw(alike, viewer))
    assert everything(draw(done, viewer)) != everything(draw(nothing, viewer))


def test_spectators_see_no_rank_before_the_end_and_all_after_it():
    states = list(course(4))
    opening = draw(opened(), tianxia.SPECTATOR).svg
    assert set(PIECE.findall(opening)) == {"r0", "b0"}
    end = states[-1][0]
    assert end.over
    for viewer in VIEWERS:
        shown = Counter(symbol[1:] for symbol in PIECE.findall(draw(end, viewer).svg))
        assert "0" not in shown
        assert sum(shown.values()) == sum(1 for square in end.fields["board"] if square)


def test_marks_tell_what_everybody_has_noticed():
    state = play(opened(), "a4-a5 a7-a6 b4-b5")
    assert 'id="t-p3' in draw(state, 1).svg
    seen = elements(draw(state, 1))
    assert seen["a5"].get("aria-label") == "a5: Red, unknown piece, has moved"
    assert seen["c4"].get("aria-label") == "c4: Red, unknown piece"
    assert elements(draw(state, 0))["a5"].get("aria-label", "").startswith("a5: Red, ")
    state = play(state, "a6xa5")
    names = {node.get("aria-label") for node in elements(draw(state, 0)).values()}
    names |= {node.get("aria-label") for node in elements(draw(state, 1)).values()}
    assert any("known to the other side" in (name or "") for name in names)


# --- The picture ---


def pictures() -> Iterator[tuple[str, Scene]]:
    start = tianxia.game("stratego").new()
    for viewer, language in product(VIEWERS, LANGUAGES):
        yield f"set-up {viewer} {language}", draw(start, viewer, language)
        for number, (state, told) in enumerate(course(6)):
            if number % 60 == 0 or state.over:
                yield f"{number} {viewer} {language}", draw(state, viewer, language, tuple(told))


def test_pictures_are_sound():
    sprite = ET.fromstring(DRAWING.sprite)
    known = [node.get("id") for node in sprite.iter() if node.get("id")]
    assert len(set(known)) == len(known)
    for name, scene in pictures():
        root = ET.fromstring(scene.svg)
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        assert len(set(ids)) == len(ids), name
        assert all(str(found).startswith("t-") for found in ids), name
        for node in root.iter():
            assert node.get("href", "#stratego-board")[1:] in known, name
            assert not any(key.startswith("on") for key in node.attrib), name
        for element, node in elements(scene).items():
            assert node.get("id") == f"t-e-{element}"
            assert node.get("role") in ("button", "img")
            assert (node.get("aria-label") or "").startswith(element)
        assert len(scene.svg.encode()) < 40_000, name


def test_symbols_are_small_and_whole():
    assert len(DRAWING.sprite.encode()) < 30_000
    sprite = ET.fromstring(DRAWING.sprite)
    ids = {node.get("id") for node in sprite.iter()}
    assert {node.get("href", "")[1:] for node in sprite.iter() if node.get("href")} <= ids
    used = set(re.findall(r"url\(#([\w-]+)\)", DRAWING.sprite))
    assert used <= ids
    classes = {name for node in sprite.iter() for name in (node.get("class") or "").split()}
    styled = set(re.findall(r"\.(st-[\w-]+)", DRAWING.style))
    assert {name for name in classes if name.startswith("st-")} <= styled


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_sees_the_board_from_his_side(viewer: int):
    shown = elements(draw(opened(), viewer))
    assert len(shown) == 100 - len(LAKES)
    assert "c5" not in shown
    near = "j10" if viewer == 1 else "a1"
    assert shown[near].get("transform") == "translate(0 900)"
    assert next(iter(shown)) == ("a10" if viewer != 1 else "j1")


def test_pieces_keep_their_ids_when_they_move():
    before, after = opened(), play(opened(), "a4-a5")
    ids = [re.findall(r'id="t-(p\d+)"', draw(state, 0).svg) for state in (before, after)]
    assert ids[0] == ids[1]
    assert 'id="t-p30" data-at="a5" transform="translate(0 500)"' in draw(after, 0).svg


def test_the_last_move_and_the_last_fight_are_drawn_and_told():
    state = play(opened(), "a4-a5 a7-a6")
    view = state.view(1)
    action = state.parse("a5xa6")
    sentence = state.describe(action, 0, 1)
    state.apply(action)
    scene = draw(state, 1, "en", (Happening(0, action, sentence, view),))
    assert scene.status == f"{sentence} Your turn: move a piece."
    assert scene.svg.count("#stratego-trace") == 2
    assert "st-way" in scene.svg
    assert "#stratego-burst" in scene.svg
    fallen = re.search(r'id="t-fallen".*', scene.svg)
    assert fallen
    assert "#stratego-" in fallen[0]


def test_the_position_remembers_the_last_move_where_nobody_tells_it():
    scene = draw(play(opened(), "a4-a5"), 1)
    assert scene.svg.count("#stratego-trace") == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_the_diagram(language: str):
    for viewer in VIEWERS:
        state = opened()
        assert draw(state, viewer, language).text == state.view(viewer).diagram(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_the_viewers(language: str):
    state = opened()
    scene = draw(state, 0, language)
    assert rank_name(9, language) in scene.panels[0].html
    assert seat_name(1, language) in scene.panels[0].html
    assert any(rank_name(2, language) in gesture.label for gesture in scene.gestures)
    other = draw(state, 1, language)
    assert scene.status != other.status
    assert seat_name(0, language) in other.status


def test_the_armies_are_counted():
    for state, _ in course(8):
        if state.over:
            html = draw(state, tianxia.SPECTATOR).panels[0].html
    standing = [int(n) for n in re.findall(r'class="st-count">(\d+)<', html)]
    assert sum(standing) == sum(1 for square in state.fields["board"] if square)


def test_the_end_is_told():
    for seed in range(3):
        *_, (state, _) = course(seed, "barrage")
        for language in LANGUAGES:
            status = draw(state, 0, language).status
            winner = int(state.fields["winner"])
            if winner in (1, 2):
                assert seat_name(winner - 1, language) in status
            assert draw(state, 0, language).gestures == ()


def test_a_full_state_is_shown_whole_but_cannot_be_clicked():
    state = opened()
    scene = DRAWING(SceneRequest(state, 1, "en", (), "t-"))
    assert scene.gestures == ()
    assert "#stratego-r0" not in scene.svg
    assert 'role="button"' not in scene.svg
    start = tianxia.game("stratego").new()
    assert DRAWING(SceneRequest(start, 0)).arrangement is None


def test_a_prefix_cannot_break_out():
    scene = draw(opened(), 0, prefix='"><script>')
    assert "<script>" not in scene.svg


def test_moves_before_the_first_have_no_arrow():
    assert "st-way" not in draw(opened(), 0).svg
    opening = Happening(tianxia.CHANCE, OPEN, "The game begins.", opened().view(0))
    assert draw(opened(), 0, last=(opening,)).status.startswith("The game begins.")


def test_a_fight_is_staged_with_both_ranks_and_who_falls():
    state = place("a4=rM b5=r3 a5=b5 j10=bF j1=rF")
    other = place("a6=r2 a7=bB j10=bF j1=rF b5=r2")
    for before, move, ranks, falls in (
        (state, "a4xa5", ["r10", "b5"], [0, 1]),
        (other, "a6xa7", ["r2", "bB"], [1, 0]),
    ):
        for viewer in VIEWERS:
            after, action = before.clone(), before.parse(move)
            told = Happening(0, action, "", before.view(viewer))
            after.apply(action)
            stage = draw(after, viewer, last=(told,)).stage
            assert stage is not None
            assert stage.on == (move[-2:],)
            assert [one.symbol for one in stage.cast] == [f"stratego-{rank}" for rank in ranks]
            assert [one.falls for one in stage.cast] == falls


def test_a_step_without_a_fight_is_not_staged():
    before = place("a4=rM a6=b5 j10=bF j1=rF")
    after, action = before.clone(), before.parse("a4-a5")
    after.apply(action)
    assert draw(after, 1, last=(Happening(0, action, "", before.view(1)),)).stage is None
    assert draw(after, 1).stage is None
