"""What holds for the answers of every game: all that is drawn answers, and tells no secret."""

from __future__ import annotations

import re
from random import Random

import pytest

import tianxia
from tests.draw.test_every_scene import DRAWN, course, draw
from tianxia.draw.asking import Answer, Fact, Question, compared
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.scene import Drawing, Scene
from tianxia.kernel.rng import new_rng

ASKABLE = re.compile(r'data-(?:e|ask)="([^"]+)"')


def elements(scene: Scene) -> list[str]:
    drawn = scene.svg + "".join(panel.html for panel in scene.panels)
    return sorted(set(ASKABLE.findall(drawn)))


def ask(
    view: tianxia.State,
    viewer: int,
    element: str,
    language: str = "en",
    action: int | None = None,
    past: tuple[tuple[int, int], ...] = (),
) -> Answer | None:
    drawing = Drawing.of(view.game.kind)
    assert drawing is not None
    return drawing.answer(Question(view, viewer, language, element, action, past))


def seen_by(state: tianxia.State, viewer: int) -> tuple[tuple[int, int], ...]:
    """Return what a viewer has seen of a game."""
    now, found = state.start(), []
    for seat, action in state.history():
        known = now.seen(action, seat, viewer)
        if known is not None:
            found.append((seat, known))
        now.apply(action, seat)
    return tuple(found)


@pytest.mark.parametrize("spec", DRAWN)
def test_all_that_is_drawn_answers_in_every_language_and_names_rules_that_there_are(spec: str):
    dice, told, different = Random(7), 0, 0
    for state, _ in course(spec, 7):
        for viewer in (dice.randrange(state.seats), tianxia.SPECTATOR):
            view, scene = state.view(viewer), draw(state, viewer)
            for element in dice.sample(found := elements(scene), min(30, len(found))):
                legal = state.legal_actions(viewer) if viewer in state.acting else []
                action = dice.choice(legal) if legal else None
                answers = [ask(view, viewer, element, one, action) for one in LANGUAGES]
                for answer in answers:
                    assert answer is not None, element
                    assert answer.title.strip()
                    assert all(fact.name and (fact.text or fact.after) for fact in answer.facts)
                    assert "{" not in repr(answer)
                    for statement in answer.statements:
                        assert state.game.kind.rulebook(statement, "en"), statement
                different += answers[0] != answers[1]
                told += 1
    assert different > told / 2 > 20


@pytest.mark.parametrize("spec", DRAWN)
def test_what_a_viewer_cannot_know_changes_no_answer(spec: str):
    rng, dice = new_rng(8), Random(8)
    for number, (state, _) in enumerate(course(spec, 8)):
        if number % 2:
            continue
        for viewer in (*range(state.seats), tianxia.SPECTATOR):
            view = state.view(viewer)
            other = view.sample(rng).view(viewer)
            legal = state.legal_actions(viewer) if viewer in state.acting else []
            action = dice.choice(legal) if legal else None
            past = seen_by(state, viewer) if number % 8 == 0 else ()
            found = elements(draw(state, viewer))
            for element in dice.sample(found, min(12, len(found))):
                assert ask(view, viewer, element, action=action, past=past) == ask(
                    other, viewer, element, action=action, past=past
                )


@pytest.mark.parametrize("spec", DRAWN)
def test_what_is_drawn_of_others_tells_no_more_than_the_view(spec: str):
    """Elements that only others are shown are asked for by a seat that is not shown them."""
    dice, rng = Random(9), new_rng(9)
    for state, _ in course(spec, 9):
        names = {name for seat in range(state.seats) for name in elements(draw(state, seat))}
        view = state.view(0)
        other = view.sample(rng).view(0)
        for element in dice.sample(sorted(names), min(10, len(names))):
            assert ask(view, 0, element) == ask(other, 0, element)


@pytest.mark.parametrize("spec", DRAWN)
def test_strange_elements_are_answered_by_none(spec: str):
    for state, _ in course(spec, 10):
        for element in ("", "zz9", "card-", "dragon-", "é", "n-999", "n-", "S9", "k11", "move-"):
            assert ask(state.view(0), 0, element) is None, element
        break


def test_what_an_action_changes_stands_beside_what_holds_now():
    now = Answer("Wei", (Fact("Blue", "3"), Fact("Red", "1"), Fact("gone", "x")))
    later = Answer("Wei", (Fact("Blue", "5"), Fact("Red", "1"), Fact("new", "y")))
    assert compared(now, later).facts == (
        Fact("Blue", "3", "5"),
        Fact("Red", "1"),
        Fact("gone", "x", "–"),
        Fact("new", "–", "y"),
    )
    assert compared(now, None) is now
