"""Fire Bulls' scene: gestures and back, what it tells and hides, motion, the score sheet."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import product
from xml.etree import ElementTree as ET

import pytest

import tianxia
from tests.games.firebulls.helpers import by_chance, play, table
from tianxia import CHANCE, SPECTATOR
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.scene import Drawing, Happening, Scene, SceneRequest
from tianxia.games.firebulls.face.gestures import in_reach
from tianxia.games.firebulls.face.scene import card_ids
from tianxia.games.firebulls.face.words import SEAT_ARMIES, seat_name
from tianxia.games.firebulls.rules.components import ATTACK, PLACE
from tianxia.games.firebulls.rules.notation import POINT_SYMBOLS
from tianxia.kernel.rng import new_rng

FIND = Drawing.of(tianxia.game("firebulls").kind)
assert FIND is not None
DRAWING = FIND
PLAYERS = (2, 3, 4, 5)


def draw(
    state: tianxia.State,
    viewer: int,
    language: str = "en",
    last: tuple[Happening, ...] = (),
    prefix: str = "t-",
) -> Scene:
    view = state if state.viewer is not None else state.view(viewer)
    return DRAWING(SceneRequest(view, viewer, language, last, prefix))


class Course:
    """A game in which much is attacked; remembers for each viewer what the page would."""

    def __init__(self, state: tianxia.State, seed: int = 0, language: str = "en") -> None:
        self.state = state
        self.random = random.Random(seed)
        self.language = language
        self.told: dict[int, tuple[Happening, ...]] = dict.fromkeys(
            (*range(state.seats), SPECTATOR), ()
        )

    def step(self, token: str = "") -> None:
        """Take a token, or something at random."""
        state = self.state
        seat = state.acting[0] if state.acting else CHANCE
        action = state.parse(token, seat) if token else self.choice(seat)
        for viewer, told in self.told.items():
            one = Happening(
                seat,
                state.seen(action, seat, viewer),
                state.describe(action, seat, viewer, self.language),
                state.view(viewer),
            )
            self.told[viewer] = (*(() if seat == viewer else told), one)[-12:]
        state.apply(action, seat)

    def choice(self, seat: int) -> int:
        state = self.state
        if seat == CHANCE:
            actions, weights = zip(*state.chance_weights(), strict=True)
            found: int = self.random.choices(actions, weights)[0]
            return found
        legal = state.legal_actions(seat)
        attacks = [action for action in legal if ATTACK <= action < PLACE]
        return self.random.choice(attacks if attacks and self.random.random() < 0.8 else legal)

    def scene(self, viewer: int) -> Scene:
        return draw(self.state, viewer, self.language, self.told[viewer])


def courses(players: int, seed: int, every: int = 1) -> Iterator[Course]:
    """Yield a course whenever somebody decides or the game is over."""
    course = Course(tianxia.game("firebulls", players=players).new(), seed)
    number = 0
    while not course.state.over:
        course.step()
        number += bool(course.state.acting)
        if not course.state.acting and not course.state.over:
            continue
        if number % every == 0 or course.state.over:
            yield course


def elements(scene: Scene) -> dict[str, ET.Element]:
    root = ET.fromstring(f"<x>{scene.svg}{''.join(panel.html for panel in scene.panels)}</x>")
    return {name: node for node in root.iter() if (name := node.get("data-e"))}


def clicked(gesture: object) -> Iterator[tuple[str, ...]]:
    """Yield every way to click a gesture whose sets are clicked in their own order."""
    for way in product(
        *([step.elements] if step.kind == "set" else step.elements for step in gesture.steps)  # type: ignore[attr-defined]
    ):
        yield tuple(name for part in way for name in (part if isinstance(part, tuple) else (part,)))


# --- Clicks ---


@pytest.mark.parametrize("players", PLAYERS)
def test_gestures_and_legal_actions_are_one_to_one(players: int):
    seen = set()
    for course in courses(players, players):
        state = course.state
        seen.add(int(state.fields["phase"]))
        for viewer in (*range(players), SPECTATOR):
            view, scene = state.view(viewer), course.scene(viewer)
            legal = state.legal_actions(viewer) if viewer in state.acting else []
            assert sorted(gesture.action for gesture in scene.gestures) == legal
            shown = elements(scene)
            labels = {gesture.label for gesture in scene.gestures}
            assert len(labels) == len(scene.gestures)
            for gesture in scene.gestures:
                ways = list(clicked(gesture))
                assert DRAWING.meant(view, viewer, ways[0]) == gesture.action
                assert {name for way in ways for name in way} <= set(shown)
                attack = gesture.action >= ATTACK
                assert gesture.preview == (attack or "Give up" in gesture.label)
    assert {4, 5, 6, 7} <= seen


def test_no_two_actions_have_the_same_first_clicks():
    for course in courses(3, 8, every=3):
        if course.state.over:
            continue
        scene = course.scene(course.state.acting[0])
        ways = [tuple(sorted(next(clicked(gesture)))) for gesture in scene.gestures]
        assert len(set(ways)) == len(ways)


def test_a_payment_is_a_set_in_which_a_card_stands_as_often_as_it_is_laid():
    scene = draw(table("b3w1", "y1", pawns="31"), 0)
    labels = {gesture.label: gesture for gesture in scene.gestures if gesture.preview}
    wu = next(g for text, g in labels.items() if "2 × blue Bull" in text and "blue Wu" in text)
    assert wu.steps[0].elements == ("d3", "p1")
    assert wu.steps[1].kind == "set"
    assert wu.steps[1].elements == ("hand-b", "hand-b")


def test_what_an_attack_pays_and_wins_is_said_before_it_is_made():
    state = table("b3w1", "y1", pawns="31", victory=("Sr1",))
    labels = {gesture.label for gesture in draw(state, 0).gestures}
    assert (
        "Attack along direction 3. You lay: 2 × blue Bull. You win: blue Wu, 2 points and 1 for"
        " your colour."
    ) in labels
    assert (
        "Deviate to direction 2. You lay: 1 × Warrior. You win: blue Soldier, 1 point and 1 for"
        " your colour. Each Warrior will cost you a point card won earlier."
    ) in labels
    state = table("b3w1", "y1", pawns="31")
    assert not any("cost you" in gesture.label for gesture in draw(state, 0).gestures)


REFUSED = (
    # clicks, from a pawn on direction 4 with the hand b2y1, and what forbids them
    (("p3",), "FBL-33"),
    (("p7",), "FBL-30"),
    (("p2", "hand-b", "hand-b"), "FBL-25"),
    (("d1",), "FBL-33"),
    (("d3", "hand-b"), "FBL-25"),
    (("d5", "hand-b", "hand-y"), "FBL-25"),
    (("hand-b",), "FBL-25"),
    (("general",), "FBL-44"),
    (("reserve-r",), "FBL-19"),
    (("stop",), "FBL-30"),
    (("use",), "FBL-10"),
    (("won-Sb",), "FBL-38"),
    (("left",), "FBL-23"),
)


@pytest.mark.parametrize(("clicks", "statement"), REFUSED)
def test_refused_clicks_name_the_statement(clicks: tuple[str, ...], statement: str):
    view = table("b2y1", "r1", pawns="41").view(0)
    wish = DRAWING.meant(view, 0, clicks)
    found = wish if isinstance(wish, str) else view.refusal(wish or 0, 0)
    assert found == statement


def test_what_a_hand_cannot_take_names_the_statement_of_the_card():
    view = table("y1", "r1", pawns="31").view(0)
    assert DRAWING.meant(view, 0, ("d3",)) == "FBL-06"
    assert DRAWING.meant(view, 0, ("p1",)) == "FBL-06"
    assert DRAWING.meant(table("y1", "r1", pawns="13").view(0), 0, ("p2",)) == "FBL-35"


def test_an_attack_that_turns_aside_is_refused():
    view = play(table("b3", "y1", pawns="21"), "2:b").view(0)
    assert DRAWING.meant(view, 0, ("p1",)) == "FBL-24"
    wish = DRAWING.meant(view, 0, ("d3", "hand-b"))
    assert isinstance(wish, int)
    assert view.refusal(wish, 0) == "FBL-24"


def test_steps_are_made_on_the_board_too():
    state = play(table("b1", "y1", pawns="34"), "draw", "card:r")
    view = state.view(0)
    assert DRAWING.meant(view, 0, ("d4",)) == state.parse("right", 0)
    assert DRAWING.meant(view, 0, ("d3",)) == state.parse("stay", 0)
    assert DRAWING.meant(view, 0, ("d1",)) == "FBL-20"
    labels = {gesture.label for gesture in draw(state, 0).gestures}
    assert "To 4: swap with Yellow" in labels
    assert "To direction 2" in labels


def test_clicks_of_strangers_mean_nothing():
    view = table("b2y1", "r1").view(SPECTATOR)
    assert DRAWING.meant(view, SPECTATOR, ("deck",)) is None
    assert DRAWING.meant(table("b2", "r1").view(0), 0, ()) is None
    assert DRAWING.meant(table("b2", "r1").view(0), 0, ("nonsense", "p1")) is None


# --- Who knows what ---


def everything(scene: Scene) -> str:
    panels = "".join(panel.title + panel.html for panel in scene.panels)
    return f"{scene!r}{scene.svg}{scene.text}{scene.status}{panels}"


@pytest.mark.parametrize("players", PLAYERS)
def test_swapping_hidden_cards_changes_no_byte(players: int):
    rng = new_rng(5)
    for course in courses(players, players + 10, every=5):
        if course.state.over:
            continue
        for viewer in (*range(players), SPECTATOR):
            view, last = course.state.view(viewer), course.told[viewer]
            shown = everything(draw(view, viewer, "en", last))
            other = view.sample(rng).view(viewer)
            assert everything(draw(other, viewer, "en", last)) == shown


def test_spectators_see_no_hand_before_the_end():
    for course in courses(3, 4, every=4):
        scene = course.scene(SPECTATOR)
        names = set(elements(scene))
        if course.state.over:
            assert "In hand:" in scene.panels[1].html
            assert scene.panels[1].id == "players"
        else:
            assert not any(name.startswith("hand-") for name in names)
            assert "In hand:" not in scene.panels[1].html


def test_a_theft_is_told_to_the_two_concerned_with_the_card_and_to_others_without():
    course = Course(table("b4y3", "r1", "g1", general="aside"))
    for token in ("G:bbbbyyy", "use"):
        course.step(token)
    course.step("steal:r")
    assert "red Bull" in course.scene(1).status
    assert "red Bull" not in course.scene(2).status
    assert "out of Yellow" not in course.scene(2).status


# --- The picture ---


def pictures() -> Iterator[tuple[str, Scene]]:
    for players, language in product((2, 5), LANGUAGES):
        for course in courses(players, 3, every=12):
            course.language = language
            for viewer in (0, players - 1, SPECTATOR):
                yield f"{course.state.plies} {viewer} {language}", course.scene(viewer)


def test_pictures_are_sound():
    known = {node.get("id") for node in ET.fromstring(DRAWING.sprite).iter() if node.get("id")}
    for name, scene in pictures():
        panels = "".join(panel.html for panel in scene.panels)
        root = ET.fromstring(f"<x>{scene.svg}{panels}</x>")
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        assert len(set(ids)) == len(ids), name
        assert all(str(found).startswith("t-") for found in ids), name
        for node in root.iter():
            assert node.get("href", "#card-face")[1:] in known, name
            assert not any(key.startswith("on") for key in node.attrib), name
            assert node.tag not in ("text", "image", "script", "style"), name
        for element, node in elements(scene).items():
            assert node.get("id") == f"t-e-{element}"
            assert node.get("aria-label") or node.tag == "button"
        assert len(scene.svg.encode()) < 16_000, name


def test_symbols_are_small_and_whole():
    sprite = ET.fromstring(DRAWING.sprite)
    listed = [node.get("id") for node in sprite.iter() if node.get("id")]
    assert len(set(listed)) == len(listed)
    assert len(DRAWING.sprite.encode()) < 30_000
    assert {node.get("href", "")[1:] for node in sprite.iter() if node.get("href")} <= set(listed)
    assert {f"firebulls-p-{symbol}" for symbol in POINT_SYMBOLS} <= set(listed)
    classes = {name for node in sprite.iter() for name in (node.get("class") or "").split()}
    styled = set(re.findall(r"\.(fb-[\w-]+)", DRAWING.style))
    assert {name for name in classes if name.startswith("fb-")} <= styled


def test_every_colour_has_a_shape_of_its_own():
    assert len(set(SEAT_ARMIES)) == 5
    for army in SEAT_ARMIES:
        assert f'href="#army-{army}"' in DRAWING.sprite


def test_one_thing_is_where_tab_goes():
    for course in courses(2, 1, every=9):
        scene = course.scene(0)
        first = [name for name, node in elements(scene).items() if node.get("tabindex") == "0"]
        assert len(first) == 1


def where(scene: Scene, name: str) -> str:
    found = re.search(rf'id="t-{name}"[^>]* transform="([^"]*)"', scene.svg)
    return found[1] if found else ""


# --- Motion ---


def test_cards_keep_their_ids_when_the_rows_close_up():
    state = table("b3", "y1", pawns="21")
    before = card_ids(state)
    play(state, "2:b", "stop")
    assert 'id="t-c0Sy0" data-at="p3"' in draw(table("b3", "y1", pawns="21"), 0).svg
    state = by_chance(state)
    after = card_ids(state)
    assert before[3] == after[0] == "0Sy0"
    assert 'id="t-c0Sy0" data-at="p0"' in draw(state, 0).svg


def heights(scene: Scene) -> dict[str, int]:
    """Return how far down each point card is, in the order of the picture."""
    pattern = r'class="piece fb-point[^"]*" id="t-c(\w+)"[^>]*translate\(-?\d+ (-?\d+)\)'
    return {name: int(y) for name, y in re.findall(pattern, scene.svg)}


@pytest.mark.parametrize("players", [2, 5])
def test_cards_that_stay_keep_their_order(players: int):
    compared, wrong = 0, 0
    for seed in range(2):
        before: dict[str, int] = {}
        for course in courses(players, seed):
            after = heights(course.scene(SPECTATOR))
            stayed = {name for name, y in after.items() if name in before and y >= before[name]}
            order = [name for name in before if name in stayed]
            wrong += [name for name in after if name in stayed] != order
            compared += len(order) > 6 and after != before
            before = after
    assert compared > 20
    # A card that has turned up gets the id of an equal one that has just left its row.
    assert wrong <= compared // 20


def test_a_pawn_charges_up_to_the_card_it_has_won_and_comes_back():
    course = Course(table("b3", "y1", pawns="21"))
    home = where(course.scene(0), "w0")
    course.step("2:b")
    charging = where(course.scene(0), "w0")
    assert charging != home
    course.step("stop")
    by_chance(course.state)
    assert where(course.scene(0), "w0") == home


def test_a_card_that_was_won_glides_to_its_winner():
    course = Course(table("b3", "y1", pawns="21"))
    course.step("2:b")
    scene = course.scene(1)
    assert re.search(r'class="piece fb-point is-won" id="t-c0Sb0"', scene.svg)
    assert "fb-last" in scene.svg
    assert scene.svg.count("fb-trace") == 1
    assert "wins a card: blue Soldier" in scene.status


@pytest.mark.parametrize("players", [2, 5])
def test_an_attack_is_staged_with_what_it_has_won(players: int):
    course, staged = Course(tianxia.game("firebulls", players=players).new(), 5), 0
    while not course.state.over:
        acting, before, pages = course.state.acting, course.state.scores(), {}
        if acting and max(course.state.legal_actions(acting[0])) >= ATTACK:
            pages = {viewer: course.scene(viewer) for viewer in course.told}
        course.step()
        gained = max(now - was for now, was in zip(course.state.scores(), before, strict=True))
        for viewer, told in course.told.items():
            last = told[-1]
            stage = draw(course.state, viewer, last=(last,)).stage
            attacked = last.action is not None and ATTACK <= last.action < PLACE
            assert (stage is not None) == attacked
            if stage is None:
                continue
            staged += 1
            bull, card = stage.cast
            assert bull.symbol == f"firebulls-pawn-{SEAT_ARMIES[last.seat]}"
            assert bull.note == (f"+{gained:.0f}" if gained else "")
            assert card.falls
            assert set(stage.on) <= elements(pages[viewer]).keys()
    assert staged > 10


def test_the_general_is_attacked_from_everywhere():
    state = table("b4y3", "r1", general="aside", pawns="15")
    scene = draw(state, 0)
    (attack,) = [g for g in scene.gestures if g.steps[0].elements == ("general",)]
    assert "You win: 12 points" in attack.label
    assert where(scene, "cG")
    assert in_reach(state, 0) == [1, 2]


# --- Prompts ---


def test_each_question_has_a_plain_prompt():
    asked = set()
    for seed in range(4):
        for course in courses(3, seed):
            if not course.state.over:
                status = course.scene(course.state.acting[0]).status
                asked.add(
                    (int(course.state.fields["phase"]), re.split(r"(?<=\.) ", status)[-1][:25])
                )
    phases = {phase for phase, _ in asked}
    assert {4, 5, 6, 7, 8, 9} <= phases
    assert all(len(text) > 10 for _, text in asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_others_are_told_whose_turn_it_is(language: str):
    state = table("b1", "y1", "n1")
    assert seat_name(state, 0, language) in draw(state, 1, language).status
    assert draw(state, 1, language).gestures == ()


def test_the_text_is_the_diagram():
    state = table("b1", "y1")
    for language in LANGUAGES:
        assert draw(state, 0, language).text == state.view(0).diagram(language)


# --- The score sheet ---


@pytest.mark.parametrize("players", PLAYERS)
def test_the_score_sheet_adds_up_to_the_scores(players: int):
    for seed in range(3):
        *_, course = courses(players, seed)
        scene = course.scene(0)
        assert scene.panels[0].id == "sheet"
        root = ET.fromstring(scene.panels[0].html)
        rows = {
            node.findtext("th") or "".join(node.itertext()): [
                "".join(cell.itertext()) for cell in node.iter("td")
            ]
            for node in root.iter("tr")
        }
        totals = [int(text.split()[0]) for text in rows["Total"]]
        assert totals == [int(score) for score in course.state.scores()]
        values = [int(text) for text in rows["Values of the cards"]]
        colour = [int(text[2:]) for text in rows["One point for each card with one’s own colour"]]
        assert [a + b for a, b in zip(values, colour, strict=True)] == totals
        best = max(course.state.utilities())
        for seat, utility in enumerate(course.state.utilities()):
            assert ("has won" in rows["Total"][seat]) == (utility == best)


def test_the_penalty_is_told_card_by_card():
    found = set()
    for seed in range(6):
        *_, course = courses(2, seed)
        if course.state.fields["reason"] == 46:
            html = draw(course.state, 0, "en", course.told[0]).panels[0].html
            found.add("Lost before counting" in html)
            assert "the best card" not in html
            assert "the best card" in draw(course.state, 0).panels[0].html or "nothing" in html
    assert found == {True}
