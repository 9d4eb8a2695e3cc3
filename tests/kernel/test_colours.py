"""Colours that seats choose: how they are written, completed, stored and refused."""

from __future__ import annotations

from itertools import permutations

import pytest

import tianxia
from tianxia.kernel.colours import Colours
from tianxia.kernel.errors import OptionError

FIVE = Colours(("Blue", "Yellow", "Brown", "Red", "Green"))
LOTS = Colours(("Red", "Orange", "Yellow"), drawn=True)


@pytest.mark.parametrize(
    ("text", "kept", "colours"),
    [
        ("red", "red", (3, 1, 2, 0, 4)),
        ("any-red", "blue-red", (0, 3, 2, 1, 4)),
        (" Yellow-BLUE ", "yellow", (1, 0, 2, 3, 4)),
        ("blue-yellow-brown", "usual", (0, 1, 2, 3, 4)),
        ("any-any-blue", "brown", (2, 1, 0, 3, 4)),
        ("green-red-any-any-any", "green-red", (4, 3, 2, 0, 1)),
    ],
)
def test_who_has_not_chosen_has_the_usual_colour_or_the_first_that_is_free(
    text: str, kept: str, colours: tuple[int, ...]
) -> None:
    option = FIVE.option("colours", "or", "")
    assert option.parse(text) == kept
    assert tuple(FIVE.of(kept).values()) == colours


def test_every_choice_has_one_text_that_gives_it_back() -> None:
    texts = {FIVE.written(dict(enumerate(order))): order for order in permutations(range(5))}
    assert len(texts) == 120
    for text, order in texts.items():
        assert tuple(FIVE.of(text).values()) == order
        assert FIVE.option("", "", "").parse(text) == text


def test_where_colours_are_drawn_who_has_not_chosen_has_none() -> None:
    option = LOTS.option("colours", "or", "")
    assert option.parse("any-red") == "any-red"
    assert option.parse("red-any-any") == "red"
    assert option.parse("any-any") == option.default == "drawn"
    assert LOTS.of("any-red") == {1: 0}


@pytest.mark.parametrize("colours", [FIVE, LOTS])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("red-red", "two seats cannot both be red"),
        ("pink", "no colour is called 'pink'; there are: "),
        ("red--", "no colour is called ''"),
        ("any-" * 6 + "red", "colours"),
    ],
)
def test_what_nobody_can_have_is_refused(colours: Colours, text: str, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        colours.option("colours", "or", "").parse(text)


def test_a_game_names_its_seats_by_their_colours() -> None:
    game = tianxia.game("firebulls(players=3,colours=red-any-blue)")
    assert game.spec == "firebulls(players=3,colours=red-yellow-blue)"
    assert game.seat_names == ("Red", "Yellow", "Blue")
    assert game.armies[:3] == ("cinnabar", "ochre", "indigo")
    assert game.coloured({}) == tianxia.game("firebulls(players=3)")
    usual = tianxia.game("stratego")
    assert (usual.seat_names, usual.armies) == (("Red", "Blue"), ("cinnabar", "indigo"))
