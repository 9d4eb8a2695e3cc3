"""Options: declared once, checked, written and read."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import tianxia
from tianxia.kernel.errors import NotationError
from tianxia.kernel.options import Option, Text, check, parse_spec, write_spec

BOARD = Option("board", "A", ("A", "B", "BD"), "which side of the board")
COUNT = Option("count", 3, range(1, 21), "how many")
FAST = Option("fast", False, (False, True), "whether it is fast")
ALL = (BOARD, COUNT, FAST)


def road(text: str) -> str:
    """Read a road: pairs of a letter and a digit."""
    if len(text) % 2:
        raise NotationError("a place is missing")
    return text.lower().replace(" ", "")


ROADS = Option(
    "roads",
    "none",
    ("none", "all"),
    "which roads",
    Text(road, lambda kept: [ord(sign) for sign in kept], "roads_own", "or your own", "a1b2"),
)


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (BOARD, "B", "B"),
        (BOARD, "bd", "BD"),
        (COUNT, 7, 7),
        (COUNT, "7", 7),
        (COUNT, " 7 ", 7),
        (FAST, True, True),
        (FAST, "yes", True),
        (FAST, "No", False),
    ],
)
def test_values_are_read(option: Option, given: object, value: object):
    found = option.parse(given)
    assert found == value
    assert type(found) is type(value)
    assert option.load(option.store(found)) == value


@pytest.mark.parametrize(
    ("option", "given"),
    [
        (BOARD, "C"),
        (BOARD, None),
        (BOARD, 0),
        (COUNT, 0),
        (COUNT, 21),
        (COUNT, 2.0),
        (COUNT, True),
        (COUNT, "many"),
        (COUNT, ""),
        (FAST, 1),
        (FAST, "maybe"),
        (FAST, b"yes"),
    ],
)
def test_other_values_are_refused_with_the_choices(option: Option, given: object):
    with pytest.raises(tianxia.OptionError) as caught:
        option.parse(given)
    assert option.name in str(caught.value)
    assert str(option.choices) in str(caught.value)


def test_choices_are_words():
    assert str(BOARD.choices) == "a, b or bd"
    assert str(COUNT.choices) == "a number from 1 to 20"
    assert str(FAST.choices) == "no or yes"


def test_defaults_fill_up():
    assert check(ALL, {"count": "4"}, "toy") == {"board": "A", "count": 4, "fast": False}


def test_unknown_option_names_the_nearest_and_the_choices():
    with pytest.raises(tianxia.OptionError, match="did you mean count"):
        check(ALL, {"cuont": 3}, "toy")
    with pytest.raises(tianxia.OptionError, match="board, count, fast"):
        check(ALL, {"xyz": 3}, "toy")
    with pytest.raises(tianxia.OptionError, match="none"):
        check((), {"xyz": 3}, "toy")


def test_description_says_what_differs_and_is_read_again():
    chosen = check(ALL, {"board": "BD", "fast": "yes"}, "toy")
    text = write_spec("toy", ALL, chosen)
    assert text == "toy(board=bd,fast=yes)"
    name, given = parse_spec(text)
    assert (name, check(ALL, given, name)) == ("toy", chosen)
    assert write_spec("toy", ALL, check(ALL, {}, "toy")) == "toy"


@pytest.mark.parametrize("text", ["toy()", " toy ( count = 4 , ) ", "toy(board=B)"])
def test_spaces_do_not_matter(text: str):
    assert parse_spec(text)[0] == "toy"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "Toy",
            "1toy",
            "toy(",
            "toy)",
            "toy(a=1",
            "toy a=1",
            "toy(a=1)x",
            "tö",
            "toy\n(x",
        ),
        *("toy(a)", "toy(=1)", "toy(a=)", "toy(a=1,a=2)", "toy(a=1;b=2=)x"),
    ],
)
def test_damaged_descriptions_are_refused(text: str):
    with pytest.raises(tianxia.OptionError, match=r"\S"):
        parse_spec(text)


def test_games_with_equal_options_are_equal():
    one = tianxia.game("stratego", variant="duel")
    assert one == tianxia.game("stratego(variant=DUEL)")
    assert hash(one) == hash(tianxia.game(one.spec))
    assert one != tianxia.game("stratego")
    assert tianxia.game("stratego(variant=duel)", variant="barrage").options["variant"] == "barrage"


# --- Values that people write ---


def test_a_text_of_ones_own_is_a_value_beside_those_with_a_name():
    assert ROADS.parse("All") == "all"
    assert (ROADS.store("none"), ROADS.store("all")) == (0, 1)
    own = ROADS.parse("A1 B2 ")
    assert own == "a1b2"
    assert ROADS.store(own) == 2
    assert (ROADS.is_own(own), ROADS.is_own("all"), BOARD.is_own("A")) == (True, False, False)
    chosen = check((ROADS,), {"roads": "A1 B2 "}, "toy")
    text = write_spec("toy", (ROADS,), chosen)
    assert text == "toy(roads=a1b2)"
    assert check((ROADS,), parse_spec(text)[1], "toy") == chosen


def test_what_is_wrong_with_a_text_is_said_with_the_choices():
    with pytest.raises(
        tianxia.OptionError, match=r"'a1b'.*a place is missing.*none, all or a text"
    ):
        ROADS.parse("a1b")
    with pytest.raises(tianxia.OptionError, match="roads=7 is not possible; roads is none, all or"):
        ROADS.parse(7)


def test_nobody_changes_the_options_of_a_game_that_all_share():
    game = tianxia.game("suntzu(events=yes)")
    assert pickle.loads(pickle.dumps(game)).options == game.options == dict(game.options)
    options: Any = game.options
    with pytest.raises(TypeError):
        options["events"] = "no"
    assert tianxia.game("suntzu(events=yes)").spec == game.spec
