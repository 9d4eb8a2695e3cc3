"""Pictures of rulebooks: each is a legal position, says what it shows, and stands in a chapter."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

import tianxia
from tianxia.draw.illustrations import SVG, Illustration, IllustrationError, illustrations
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing, SceneRequest
from tianxia.kernel.errors import IllegalAction, NotationError

GAMES = ("binfa", "china", "firebulls", "stratego", "suntzu")
LONGEST_CAPTION = 260
MOST_BYTES = 130_000
REACH = next(one for one in illustrations("tianxia.games.stratego.face") if one.name == "scout")


def pictured(game: str) -> tuple[Illustration, ...]:
    return illustrations(f"tianxia.games.{game}.face")


def elements(picture: str, sign: str) -> set[str]:
    """Return the elements of a picture that bear a sign."""
    nodes = ET.fromstring(picture).iter()
    return {str(n.get("data-e")) for n in nodes if sign in n.get("class", "").split()}


@pytest.mark.parametrize("game", GAMES)
def test_every_chapter_has_a_picture_that_exists(game: str) -> None:
    chapters = [section.title for section in Rulebook(f"tianxia.games.{game}.face").sections()]
    shown = [picture.chapter for picture in pictured(game)]
    assert set(shown) == set(chapters)
    assert sorted(shown, key=chapters.index) == shown, "in the order of the rulebook"
    names = [picture.name for picture in pictured(game)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("game", GAMES)
def test_every_picture_is_a_legal_position_and_holds_all_that_it_uses(game: str) -> None:
    for picture in pictured(game):
        assert picture.position.partition("(")[0].partition(" ")[0] == game
        drawn = picture.drawn()  # refuses positions, moves and choices that are not legal
        assert len(drawn.encode()) < MOST_BYTES, picture.name
        root = ET.fromstring(drawn)
        ids = {node.get("id") for node in root.iter()}
        used = [node.get("href", "") for node in root.iter(f"{{{SVG}}}use")]
        assert {href.removeprefix("#") for href in used} <= ids, picture.name


@pytest.mark.parametrize("game", GAMES)
def test_every_picture_says_in_every_language_what_is_to_be_seen(game: str) -> None:
    for picture in pictured(game):
        assert set(picture.captions) == set(LANGUAGES), picture.name
        assert len(set(picture.captions.values())) == len(LANGUAGES), picture.name
        assert all(10 < len(text) <= LONGEST_CAPTION for text in picture.captions.values()), (
            picture.name,
            [len(text) for text in picture.captions.values()],
        )


def test_the_place_of_a_picture_is_known_before_it_is_drawn() -> None:
    for picture in pictured("stratego")[:3]:
        box = str(ET.fromstring(picture.drawn()).get("viewBox"))
        assert [float(number) for number in box.split()[2:]] == list(picture.size())


def test_what_is_lit_is_what_the_rules_allow() -> None:
    assert elements(REACH.drawn(), "is-picked") == {"e4"}
    state = REACH.state()
    legal = {state.text(action, 0) for action in state.legal_actions(0)}
    lit = elements(REACH.drawn(), "is-target")
    assert lit == {word[3:] for word in legal if word.startswith("e4")}
    assert "e8" in lit
    assert "e9" not in lit


def test_a_picture_for_one_seat_shows_only_what_that_seat_may_know() -> None:
    veiled = next(one for one in pictured("stratego") if one.name == "opening")
    assert "#stratego-b0" in veiled.drawn()
    assert "#stratego-b0" not in REACH.drawn()
    drawing = Drawing.of(tianxia.game("stratego").kind)
    assert drawing is not None
    seen = drawing(SceneRequest(veiled.state().view(0), 0)).svg
    assert ET.fromstring(seen).get("viewBox") == "-52 -20 1072 1072"


def test_a_theme_that_was_chosen_is_kept() -> None:
    assert ".picture{color-scheme:dark}" in REACH.drawn(theme="dark")
    assert "color-scheme:dark" not in REACH.drawn()
    assert "color-scheme: light dark" in REACH.drawn(), "as the page, or the system, has it"


def test_what_the_rules_do_not_allow_cannot_be_drawn() -> None:
    with pytest.raises(NotationError):
        replace(REACH, position="stratego * play r 60/59 nonsense").drawn()
    with pytest.raises(IllegalAction, match="STR-06"):
        replace(REACH, moves=("h4-h5",)).drawn()
    with pytest.raises(IllustrationError, match="e1"):
        replace(REACH, chosen=("e1",)).drawn()


def test_a_game_without_pictures_has_none() -> None:
    assert illustrations("tianxia.draw") == ()
