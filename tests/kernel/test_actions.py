"""The table of actions: numbers, arguments and tokens follow from what is declared once."""

from __future__ import annotations

import pytest
from numba import njit

from tianxia.kernel.actions import Actions

ACTIONS = Actions()
TAKE = ACTIONS.add("take", 3)
DRAW = ACTIONS.add("draw")
SWAP = ACTIONS.add("swap", 3, range(1, 5))
POST = ACTIONS.add("post", 2, range(5, 7), 3)
kind_of, argument = ACTIONS.rules()
swap, post, take = (ACTIONS.packer(name) for name in ("swap", "post", "take"))


def test_kinds_follow_one_another() -> None:
    assert [TAKE, DRAW, SWAP, POST] == [0, 3, 4, 16]
    assert len(ACTIONS) == 28
    assert list(ACTIONS.of("take")) == [0, 1, 2]
    assert ACTIONS.of("draw", "swap") == range(3, 16)


def test_what_is_split_is_joined_again() -> None:
    assert ACTIONS.split(SWAP + 5) == ("swap", 1, 2)
    assert [ACTIONS.join(*ACTIONS.split(action)) for action in range(28)] == list(range(28))


def test_arguments_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="5 is not in range"):
        ACTIONS.join("swap", 0, 5)
    with pytest.raises(ValueError, match="zip"):
        ACTIONS.join("swap", 0)


def test_a_kind_is_declared_once() -> None:
    with pytest.raises(ValueError, match="'take' is declared twice"):
        ACTIONS.add("take")


def test_compiled_code_takes_apart_and_packs() -> None:
    @njit
    def again(action):
        if kind_of(action) == SWAP:
            return swap(argument(action, 0), argument(action, 1))
        if kind_of(action) == POST:
            return post(argument(action, 0), argument(action, 1), argument(action, 2))
        return take(argument(action, 0)) if kind_of(action) == TAKE else DRAW

    assert [again(action) for action in range(28)] == list(range(28))


def test_python_packs_as_compiled_code_does() -> None:
    assert post(1, 6, 2) == ACTIONS.join("post", 1, 6, 2)
    assert kind_of(post(1, 6, 2)) == POST
    assert [argument(post(1, 6, 2), i) for i in range(3)] == [1, 6, 2]


def test_a_table_has_a_value_for_each_action() -> None:
    table = ACTIONS.table({"take draw": 7, "post": 9})
    assert table[TAKE + 2] == table[DRAW] == 7
    assert table[SWAP] == 0
    assert table[POST + 11] == 9
    with pytest.raises(ValueError, match="no such kinds: tak"):
        ACTIONS.table({"tak": 1})


def test_tokens_are_made_of_the_words_for_each_argument() -> None:
    tokens = ACTIONS.tokens(
        {"take": ("{}!", "abc"), "swap": ("{}>{}", "abc", "1234"), "post": "{}{}{}".format}
    )
    assert tokens[:4] == ["a!", "b!", "c!", "draw"]
    assert tokens[swap(2, 1)] == "c>1"
    assert tokens[post(1, 5, 0)] == "150"
