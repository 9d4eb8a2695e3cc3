"""Sun Tzu's scene: what clicks mean, what is shown step by step, and who is shown what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import tianxia
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.pictures import house_symbols
from tianxia.draw.scene import Actor, Drawing, Happening, Scene, SceneRequest, Stage
from tianxia.games.suntzu.face.scene import clicks_of
from tianxia.games.suntzu.rules.components import LAY, OPEN, PASS, PAWN, REINFORCE, TURN
from tianxia.games.suntzu.rules.state import LAYING
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import new_rng

VIEWERS = (0, 1, tianxia.SPECTATOR)
GAMES: tuple[dict[str, Any], ...] = (
    {},
    {"events": True, "plague": "spares"},
    {"deck": "beginner", "strategies": False},
)
FIND = Drawing.of(tianxia.game("suntzu").kind)
assert FIND is not None
DRAWING = FIND


def draw(
    state: tianxia.State,
    viewer: int,
    language: str = "en",
    last: tuple[Happening, ...] = (),
) -> Scene:
    view = state if state.viewer is not None or state.over else state.view(viewer)
    return DRAWING(SceneRequest(view, viewer, language, last, "t-"))


def course(seed: int, **options: Any) -> Iterator[tuple[tianxia.State, tuple[Happening, ...]]]:
    """Yield the positions of a random game, each with what a spectator has just seen happen."""
    random, state = Random(seed), tianxia.game("suntzu", **options).new()
    told: list[Happening] = []
    while True:
        yield state, tuple(told[-6:])
        if state.over:
            return
        if state.acting:
            seat = random.choice(state.acting)
            action = random.choice(state.legal_actions(seat))
        else:
            seat, action = CHANCE, random.choice(state.chance_outcomes())[0]
        seen = state.seen(action, seat, tianxia.SPECTATOR)
        sentence = state.describe(action, seat, tianxia.SPECTATOR)
        told.append(Happening(seat, seen, sentence, state.view(tianxia.SPECTATOR)))
        state.apply(action, seat)


def nodes(scene: Scene) -> Iterator[ET.Element]:
    """Yield all that stands on the page: picture and panels."""
    for markup in (scene.svg, *(f"<div>{panel.html}</div>" for panel in scene.panels)):
        yield from ET.fromstring(markup).iter()


def elements(scene: Scene) -> dict[str, ET.Element]:
    return {name: node for node in nodes(scene) if (name := node.get("data-e"))}


# --- Clicks ---


@pytest.mark.parametrize("options", GAMES, ids=str)
@pytest.mark.parametrize("seed", [1])
def test_every_legal_action_can_be_clicked_and_back(options: dict[str, Any], seed: int):
    asked: set[int] = set()
    for state, _ in course(seed, **options):
        for viewer in VIEWERS:
            if viewer >= 0 and viewer in state.acting:
                check_clicks(state, viewer, asked)
            else:
                scene = draw(state, viewer)
                assert scene.gestures == ()
                assert scene.arrangement is None
    assert {LAY, PASS} & asked


def check_clicks(state: tianxia.State, viewer: int, asked: set[int]) -> None:
    scene, view = draw(state, viewer), state.view(viewer)
    legal = state.legal_actions(viewer)
    asked.update(LAY if action < REINFORCE else action for action in legal)
    shown = elements(scene)
    for action in legal:
        clicks = clicks_of(action, viewer)
        assert DRAWING.meant(view, viewer, clicks) == action, state.text(action, viewer)
        assert set(clicks) <= set(shown), state.text(action, viewer)
        assert all(shown[element].get("role") == "button" for element in clicks)
    by_click = [gesture.action for gesture in scene.gestures]
    assert sorted(by_click + arranged(scene)) == legal
    assert len({gesture.label for gesture in scene.gestures}) == len(by_click)
    for gesture in scene.gestures:
        assert tuple(step.elements[0] for step in gesture.steps) == clicks_of(
            gesture.action, viewer
        )


def arranged(scene: Scene) -> list[int]:
    """Return the actions that an arrangement offers."""
    arrangement = scene.arrangement
    if arrangement is None:
        return []
    return [
        kind.action + offset
        for kind in arrangement.kinds
        for slot, offset in enumerate(arrangement.offsets)
        if slot not in kind.barred
    ]


def test_orders_are_sent_as_a_whole():
    state = laying()
    arrangement = draw(state, 0).arrangement
    assert arrangement is not None
    assert arrangement.slots == ("Qin", "Chu", "JinYan", "HanQi", "Wu")
    for action in arrangement.actions([4, 3, 2, 1, 0]):
        state.apply(action, 0)
    assert state.acting == (1,)
    assert state.view(0).fields["laid"][0].tolist() == [5, 4, 3, 2, 1]
    with pytest.raises(ValueError, match="no slot stays empty"):
        arrangement.actions([0, 1, 2, 3, -1])


def laying(seed: int = 0) -> tianxia.State:
    """Return a game whose players lay their first cards."""
    for state, _ in course(seed):
        if state.fields["phase"] == LAYING:
            return state
    raise AssertionError


def test_what_lies_already_is_not_asked_again():
    state = laying()
    state.apply(state.parse("Chu=3", 0), 0)
    arrangement = draw(state, 0).arrangement
    assert arrangement is not None
    assert arrangement.slots == ("Qin", "JinYan", "HanQi", "Wu")
    assert arrangement.offsets == (0, 2, 3, 4)
    assert "card-3" not in {kind.element for kind in arrangement.kinds}


@pytest.mark.parametrize(
    ("clicks", "statement"),
    [
        (("card-10", "Qin"), "SUN-07"),
        (("card-1", "aside"), "SUN-27"),
        (("aside",), "SUN-27"),
        (("pass",), "SUN-11"),
        (("reserve",), "SUN-24"),
        (("S1", "Qin", "Wu"), "SUN-64"),
    ],
)
def test_refused_clicks_name_their_statement(clicks: tuple[str, ...], statement: str):
    state = next(s for s in map(laying, range(50)) if not s.fields["hand"][0][9])
    meant = DRAWING.meant(state.view(0), 0, clicks)
    found = meant if isinstance(meant, str) else state.refusal(meant or 0, 0)
    assert found == statement


def test_clicks_that_mean_nothing():
    view = laying().view(0)
    for clicks in (("Qin",), ("card-1",), ("nowhere",), ("K1",), (), ("Qin", "Wu"), ("S1", "pass")):
        assert DRAWING.meant(view, 0, clicks) is None
    assert DRAWING.meant(view, tianxia.SPECTATOR, ("pass",)) is None


# --- Who knows what ---


def everything(scene: Scene) -> str:
    return repr(scene)


@pytest.mark.parametrize("options", GAMES, ids=str)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_swapping_what_is_hidden_changes_no_byte(viewer: int, options: dict[str, Any]):
    rng = new_rng(5)
    for number, (state, told) in enumerate(course(4, **options)):
        if state.over or number % 7:
            continue
        view = state.view(viewer)
        shown = everything(draw(view, viewer, "en", told))
        for _ in range(2):
            other = view.sample(rng).view(viewer)
            assert everything(draw(other, viewer, "en", told)) == shown


def test_others_learn_only_who_has_laid():
    one, other = laying(), laying()
    for card, province in zip("12345", ("Qin", "Chu", "JinYan", "HanQi", "Wu"), strict=True):
        one.apply(one.parse(f"{province}={card}", 1), 1)
        if card == "3":
            assert everything(draw(one, 0)) == everything(draw(other, 0))
    for card, province in zip("65432", ("Qin", "Chu", "JinYan", "HanQi", "Wu"), strict=True):
        other.apply(other.parse(f"{province}={card}", 1), 1)
    for viewer in (0, tianxia.SPECTATOR):
        assert everything(draw(one, viewer)) == everything(draw(other, viewer))
        assert "suntzu-r-0" in draw(one, viewer).svg
    assert draw(one, 1).svg != draw(other, 1).svg


def test_numbers_of_cards_are_what_everybody_can_count():
    for state, _ in course(6):
        full = state.fields
        for viewer in VIEWERS:
            if state.over or full["phase"] == LAYING or full["drawn"].any():
                continue
            counts = re.findall(r"hand (\d+), deck (\d+)", draw(state, viewer).svg)
            near = (1, 0) if viewer != 1 else (0, 1)
            for seat, (hand, deck) in zip(near, counts, strict=True):
                if int(full["phase"]) not in (11, 12):
                    assert int(hand) == full["hand"][seat].sum()
                    assert int(deck) == full["deck"][seat].sum() + full["tail_length"][seat]


# --- Step by step ---


def test_a_province_that_is_turned_up_is_held_and_marked():
    state = laying()
    for seat, orders in enumerate((("1", "2", "3", "4", "5"), ("2", "3", "4", "5", "6"))):
        for province, card in zip(("Qin", "Chu", "JinYan", "HanQi", "Wu"), orders, strict=True):
            state.apply(state.parse(f"{province}={card}", seat), seat)
    told: list[Happening] = []
    while TURN not in [action for action, _ in state.chance_outcomes()]:
        seat, action = (state.acting[0], PASS) if state.acting else (CHANCE, OPEN)
        told.append(Happening(seat, action, state.describe(action, seat, 0), state.view(0)))
        state.apply(action, seat)
    closed = draw(state, 0, "en", tuple(told))
    told.append(Happening(CHANCE, TURN, state.describe(TURN, CHANCE, 0), state.view(0)))
    state.apply(TURN, CHANCE)
    opened = draw(state, 0, "en", tuple(told))
    assert opened.hold > closed.hold > 0
    assert "t-Qin-r-0" in closed.svg
    assert "t-Qin-r-1" in opened.svg
    assert opened.svg.count("sz-fought") == 1
    assert 'id="t-Qin-r-change"' in opened.svg  # the King has won by 1
    assert opened.status.startswith("Qin: Sun Tzu 1, the King of Chu 2.")
    assert "Qin: King of Chu holds it with 1" in elements(opened)["Qin"].get("aria-label", "")
    assert closed.stage is None
    assert opened.stage == Stage(
        ("Qin",),
        (
            Actor("suntzu-b-1", (0, 0, 100, 140)),
            Actor("suntzu-r-2", (0, 0, 100, 140), note="+1"),
        ),
    )


def test_a_card_that_others_draw_unseen_is_not_held():
    state = tianxia.game("suntzu").new()
    hidden = Happening(CHANCE, None, "Sun Tzu draws a card.", state.view(1))
    assert draw(state, 1, "en", (hidden,)).hold == 0


# --- The end ---


@pytest.mark.parametrize("options", GAMES, ids=str)
@pytest.mark.parametrize("seed", [1, 3, 8])
def test_the_sheet_explains_every_point(seed: int, options: dict[str, Any]):
    end = list(course(seed, **options))[-1][0]
    scene = draw(end, 0)
    sheet = next(panel.html for panel in scene.panels if panel.id == "sheet")
    body = sheet.partition("<tfoot>")[0]
    table = re.findall(r"(Sun Tzu|King of Chu)</span>&#160;\+(\d+)</td>", body)
    sums = [sum(int(n) for side, n in table if side == name) for name in ("Sun Tzu", "King of Chu")]
    opening = 1 if "S3 at the start" in sheet else 0
    if "stopped" not in sheet:
        assert sums[0] - sums[1] + opening == int(end.fields["track"])
    scorings = sum(action == PAWN for _, action in end.history())
    assert sheet.count('scope="col"') == (scorings + 1 if scorings else 0)
    assert scene.status


def test_a_position_that_was_looked_up_has_no_sheet():
    end = list(course(1))[-1][0]
    alone = tianxia.position(end.notation())
    assert "sheet" not in {panel.id for panel in draw(alone, 0).panels}


# --- The picture ---


def test_pictures_are_sound():
    symbols = f"<defs>{house_symbols()}{DRAWING.sprite}</defs>"
    known = set(re.findall(r'id="([^"]+)"', symbols))
    for number, (state, told) in enumerate(course(7, events=True)):
        if number % 9 and not state.over:
            continue
        for viewer in VIEWERS:
            scene = draw(state, viewer, LANGUAGES[number % 2], told)
            found = list(nodes(scene))
            ids = [node.get("id") for node in found if node.get("id")]
            assert len(set(ids)) == len(ids)
            assert all(str(one).startswith("t-") for one in ids)
            for node in found:
                assert node.get("href", "#suntzu-map")[1:] in known
                assert not any(key.startswith("on") for key in node.attrib)
            for element, node in elements(scene).items():
                assert node.get("id") == f"t-e-{element}"
                assert node.get("aria-label")
            stops = [node for node in found if node.get("tabindex") == "0"]
            assert sum("data-e" in node.attrib for node in stops) == 1
            assert all(node.get("aria-label") for node in stops)
            assert len(scene.svg.encode()) < 25_000
            assert scene.text == state.view(viewer).diagram(LANGUAGES[number % 2])


def test_symbols_are_small_whole_and_styled():
    sprite = ET.fromstring(DRAWING.sprite)
    own = [node.get("id") for node in sprite.iter() if node.get("id")]
    assert len(set(own)) == len(own)
    assert len(DRAWING.sprite.encode()) < 45_000
    assert {node.get("href", "")[1:] for node in sprite.iter() if node.get("href")} <= set(own)
    markup = DRAWING.sprite + draw(laying(), 0).svg
    classes = {name for found in re.findall(r'class="([^"]*)"', markup) for name in found.split()}
    styled = set(re.findall(r"\.(sz-[\w-]+)", DRAWING.style))
    plain = {"sz-basic", "sz-middle", "sz-laid", "sz-touch", "sz-eventname"}
    assert {name for name in classes if name.startswith("sz-")} - plain <= styled


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_is_told_whose_turn_it_is(language: str):
    for number, (state, told) in enumerate(course(9, events=True)):
        if state.acting and number % 4 == 0:
            for viewer in VIEWERS:
                assert draw(state, viewer, language, told).status
