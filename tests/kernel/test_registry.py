"""Games by name, and positions by their notation."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import tianxia
from tests.battery.games import BLIND_DUEL
from tianxia.kernel import registry

TOY = tianxia.game(BLIND_DUEL[0]).kind


def test_names_are_sorted():
    assert tianxia.games() == sorted(tianxia.games())
    assert {"stratego", "blind-duel"} <= set(tianxia.games())


@pytest.mark.parametrize(
    ("name", "hint"),
    [("stratgo", "did you mean stratego"), ("chess", "there are: "), ("blind", "blind-duel")],
)
def test_unknown_game_names_those_there_are(name: str, hint: str):
    with pytest.raises(tianxia.UnknownGame, match=hint) as caught:
        tianxia.game(name)
    assert name in str(caught.value)
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize("spec", ["", "Stratego", "strategó", "a b", "stratego(", None, 7, b"x"])
def test_what_is_no_name_is_refused(spec: object):
    with pytest.raises(tianxia.TianxiaError, match=r"\S"):
        tianxia.game(spec)  # type: ignore[arg-type]


def test_registering_twice_does_nothing():
    tianxia.register(TOY)
    tianxia.register(TOY)


def test_a_name_is_taken_once():
    with pytest.raises(tianxia.TianxiaError, match="another name"):
        tianxia.register(dataclasses.replace(TOY, title="Another"))
    with pytest.raises(tianxia.TianxiaError, match="another name"):
        tianxia.register(dataclasses.replace(TOY, name="stratego"))


@pytest.mark.parametrize("name", ["Blind", "blind duel", "", "blind(duel)", "1blind"])
def test_a_name_can_be_written_in_notation(name: str):
    with pytest.raises(tianxia.TianxiaError, match="name"):
        tianxia.register(dataclasses.replace(TOY, name=name))
    assert name not in tianxia.games()


def test_games_are_pickled_by_name():
    game = tianxia.game("blind-duel", players=3)
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_wrong_combination_of_options_is_refused():
    def consistent(options: object) -> tianxia.OptionError:
        return tianxia.OptionError("three players need five rounds")

    kind = dataclasses.replace(TOY, consistent=consistent)
    with pytest.raises(tianxia.OptionError, match="five rounds"):
        kind(players=3)


@pytest.mark.parametrize(
    "text",
    ["", " ", "stratego", "stratego *", "stratego 2 play", "stratego ? play", "stratego -- x"],
)
def test_what_is_no_position_is_refused(text: str):
    with pytest.raises(tianxia.TianxiaError, match=r"\S"):
        tianxia.position(text)


@pytest.mark.parametrize("value", [None, 3, b"stratego"])
def test_only_texts_are_read(value: object):
    readers: list[Callable[[Any], object]] = [tianxia.position, tianxia.replay]
    for read in readers:
        with pytest.raises(tianxia.TianxiaError, match="text"):
            read(value)


def test_entry_points_are_known_by_their_group():
    assert {"firebulls", "stratego"} <= set(registry._points())
