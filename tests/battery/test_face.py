"""The battery looks at what is shown of a game: at the picture of the toy, right and wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

import tianxia
from tests.battery import games, toy_scene
from tianxia.draw import terminal
from tianxia.draw.asking import Answer
from tianxia.draw.rulebook import Rulebook, RulebookError
from tianxia.draw.scene import Drawing, Panel
from tianxia.testing import CheckFailed, check_face

assert games.MODULES  # the toy is known
RIGHT = toy_scene.scene
LEFT = Panel("a", "A", "", "left")  # type: ignore[arg-type]


@pytest.fixture
def game(monkeypatch):
    """Return the toy with a picture."""
    game = tianxia.game("blind-duel")
    drawing = Drawing("tests.battery.toy_scene", "tests.battery.toy_scene")
    monkeypatch.setitem(vars(game.kind), "scene", drawing)
    return game


def changed(**parts):
    """Return a scene some of whose parts are made otherwise of the right ones."""

    def scene(request):
        right = RIGHT(request)
        return replace(right, **{name: make(right, request) for name, make in parts.items()})

    return scene


def drawn(old, new):
    return changed(svg=lambda right, request: right.svg.replace(old, new))


def test_a_picture_passes(game):
    check_face(game, 0, 60)
    check_face(game, 1, 60)


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        (changed(gestures=lambda right, _: right.gestures[:-1]), "legal without a gesture"),
        (changed(status=lambda right, _: "{name} acts."), "status '{name} acts.'"),
        (changed(status=lambda right, _: ""), "no status for seat"),
        (
            changed(gestures=lambda right, _: tuple(replace(g, label="") for g in right.gestures)),
            "the gesture of .* has no label",
        ),
        (drawn('data-e="', 'data-e="x'), "clicks .*: not drawn"),
        (drawn("</svg>", "</g>"), "ParseError"),
        (drawn("#blind-duel-card", "#blind-duel-cart"), "symbols that there are not: blind-duel-"),
        (drawn("<title>", '<title style="x">'), "pages forbid style="),
        (drawn("<title>", '<g id="bare"/><title>'), "without the request's prefix: bare"),
        (drawn("<title>", '<g id="t-a"/><g id="t-a"/><title>'), "ids that stand twice: t-a"),
        (drawn('tabindex="0"', ""), "no label or tabindex"),
        (drawn('role="button"', ""), "has no role"),
        (changed(armies=lambda *_: ("pink",)), "no army is called pink"),
        (changed(panels=lambda *_: (LEFT,)), "no place .* called 'left'"),
        (
            changed(text=lambda right, request: f"{right.text}{id(request.view)}"),
            "what seat 0 cannot know changes its picture",
        ),
    ],
)
def test_a_wrong_picture_is_noticed(game, monkeypatch, scene, text):
    monkeypatch.setattr(toy_scene, "scene", scene)
    with pytest.raises(CheckFailed, match=re.compile(text)):
        check_face(game, 0, 60)


@pytest.mark.parametrize(
    ("name", "wrong", "text"),
    [
        ("meant", lambda view, viewer, elements: 99, "clicks on .* mean 99, no action"),
        ("answer", lambda question: None, "answers None"),
        ("answer", lambda question: Answer("a card"), "no-such-element answers Answer"),
        (
            "answer",
            lambda question: Answer("a", (), ("BD-9",)) if "-" not in question.element else None,
            "names BD-9: no such rule",
        ),
    ],
)
def test_wrong_answers_are_noticed(game, monkeypatch, name, wrong, text):
    right = game.kind.rulebook
    known = lambda rule, language: "" if rule == "BD-9" else right(rule, language)  # noqa: E731
    monkeypatch.setitem(vars(game.kind), "rulebook", known)
    monkeypatch.setattr(toy_scene, name, wrong)
    with pytest.raises(CheckFailed, match=re.compile(text)):
        check_face(game, 0, 60)


def test_a_terminal_that_leaves_something_out_is_noticed(monkeypatch):
    right = terminal.PLAIN.groups
    monkeypatch.setattr(terminal.PLAIN, "groups", lambda *asked: right(*asked)[1:])
    with pytest.raises(CheckFailed, match="the terminal lists"):
        check_face("blind-duel", 0, 60)


def test_rulebooks_that_differ_are_noticed(monkeypatch):
    book = Rulebook("tianxia.games.stratego.face")
    monkeypatch.setitem(vars(tianxia.game("blind-duel").kind), "rulebook", book.text)
    read = {"en": [SimpleNamespace(statements=("A-1",))], "fr": [SimpleNamespace(statements=())]}
    monkeypatch.setattr(Rulebook, "sections", lambda self, language="en": read[language])
    with pytest.raises(CheckFailed, match=RulebookError.__name__):
        check_face("blind-duel", 0, 60)
