"""Styles: their tastes, and those that are bred."""

from __future__ import annotations

import pytest

from tianxia.search.leaning import League, Place, Style, breed, factors, mixed

WEIGHTS = ("palaces", "roads", "tiles")
LEANINGS = (lambda _sight, deed: deed, lambda sight, _deed: sight, lambda _sight, _deed: 1000.0)


def test_a_taste_multiplies_the_weights_that_it_names() -> None:
    places: dict[str, Place] = {"first": 0, "last": slice(2, 4)}
    assert factors({"first": 3.0, "last": 0.5}, places, 4).tolist() == [3.0, 1.0, 0.5, 0.5]
    assert factors({1: 2.0}, range(2), 2).tolist() == [1.0, 2.0]


def test_a_mixture_likes_what_its_parts_like() -> None:
    assert mixed([(2.0, LEANINGS[0]), (0.5, LEANINGS[1])])(10.0, 1.0) == 7.0


def test_a_number_is_always_the_same_style_and_another_number_another() -> None:
    styles = [breed(number, LEANINGS, WEIGHTS) for number in range(20)]
    again = [breed(number, LEANINGS, WEIGHTS) for number in range(20)]
    liked = [style.leaning(10.0, 1.0) for style in styles]
    assert liked == [style.leaning(10.0, 1.0) for style in again]
    assert [style.taste for style in styles] == [style.taste for style in again]
    assert len(set(liked)) == 20
    assert all(0.5 <= factor <= 2 for style in styles for factor in style.taste.values())
    changed = sum(len(style.taste) for style in styles)
    assert 0 < changed < 20 * len(WEIGHTS)


def test_a_league_knows_any_number_and_no_other_name() -> None:
    def player(game: object, seat: int, seed: int, style: Style) -> Style:
        return style

    own = Style(taste={"roads": 2.0})
    league: League[Style] = League(
        player,  # type: ignore[arg-type]  # its bots are the styles themselves
        {"builder": own},
        lambda number: Style(taste={"roads": number}),
        bred=(7,),
    )
    assert league.names == ["builder", "bred_7"]
    assert league.style("builder") is own
    assert league.style("bred_12").taste == {"roads": 12}
    for name in ("turtle", "bred_", "bred_x"):
        with pytest.raises(AttributeError, match=rf"no style '{name}'.*builder, bred_7"):
            league.maker(name)
