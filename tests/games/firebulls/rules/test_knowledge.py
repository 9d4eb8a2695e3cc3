"""Who knows what: draws, the Reserve, the theft, the last shuffle; sampled worlds."""

from __future__ import annotations

from typing import Any

import pytest

import tianxia
from tests.games.firebulls.helpers import (
    ATTACK_CARDS,
    by_chance,
    cards,
    hand,
    part,
    play,
    random_game,
    table,
)
from tianxia import CHANCE, SPECTATOR, new_rng

pytestmark = pytest.mark.rules


def worlds(view: tianxia.State, count: int = 30) -> list[tianxia.State]:
    rng = new_rng(7)
    return [view.sample(rng) for _ in range(count)]


def seen(state: tianxia.State, token: str, viewers: tuple[int, ...]) -> list[bool]:
    action = state.parse(token, CHANCE)
    return [state.seen(action, CHANCE, viewer) is not None for viewer in viewers]


def test_a_drawn_card_is_seen_by_its_drawer_only() -> None:
    state = play(table("-", "-", "-"), "draw")
    assert seen(state, "card:r", (0, 1, 2, SPECTATOR)) == [True, False, False, False]
    assert "red" in state.describe(state.parse("card:r"), CHANCE, 0)
    assert "red" not in state.describe(state.parse("card:r"), CHANCE, 1)
    assert "rouge" in state.describe(state.parse("card:r"), CHANCE, None, "fr")
    state = play(table("-", "-", "-"), "take:b")
    assert all(seen(state, "card:r", (0, 1, 2, SPECTATOR)))


def test_hands_and_deck_are_hidden() -> None:
    state = table("b1y1", "r2", "g3")
    assert part(state.view(1), 14) == "?2/r2/?3"
    assert part(state.view(SPECTATOR), 14) == "?2/?2/?3"
    assert part(state.view(1), 10).startswith("?")


def test_what_was_taken_openly_is_remembered_until_it_may_be_gone() -> None:
    state = table("b1", "-", "-", rows="Sb,Sy,Sn/Sb,X,X/X,X,X", reserve="b2y1")
    by_chance(play(state, "take:b", "card:w", "draw", "card:r", "stay", "draw", "card:r", "stay"))
    view = state.view(1)
    assert all(cards(hand(world, 0))["b"] >= 1 for world in worlds(view))
    # He has two blue Bulls and lays one: it may be the one that all have seen.
    play(state, "2:b", "stop")
    by_chance(state)
    assert part(state, 16).startswith("-/-/-")
    assert any(cards(hand(world, 0))["b"] == 0 for world in worlds(state.view(1), 60))


def test_the_theft_is_known_to_two() -> None:
    state = play(table("b7", "y2r1", "n1g2", general="aside"), "G:bbbbbbb", "use")
    assert seen(state, "steal:r", (0, 1, 2, SPECTATOR)) == [True, True, False, False]
    assert "red" not in state.describe(state.parse("steal:r"), CHANCE, 2)
    assert "red" in state.describe(state.parse("steal:r"), CHANCE, 1)
    play(state, "steal:r")
    assert seen(state, "steal:g", (0, 1, 2, SPECTATOR)) == [True, False, True, False]
    play(state, "steal:g")
    assert all(cards(hand(world, 0))["r"] >= 1 for world in worlds(state.view(1)))
    assert all(cards(hand(world, 0))["g"] >= 1 for world in worlds(state.view(2)))
    other = [hand(world, 0) for world in worlds(state.view(1), 60)]
    assert len(set(other)) > 1
    watching = [hand(world, 0) for world in worlds(state.view(SPECTATOR), 60)]
    assert any("r" not in cards(found) for found in watching)


def test_a_theft_may_have_taken_what_was_known() -> None:
    state = table("b7", "r1", "-", reserve="b1y1n1", general="aside", active=1)
    play(state, "take:y", "card:g", "draw", "card:g", "stay")
    assert part(state, 16).split(",")[0] == "-/y1/-"
    play(state, "G:bbbbbbb", "use", "steal:r", "steal:g")
    # The robber knows that it was another card; who was not there does not.
    memory = [row.split("/")[1] for row in part(state, 16).split(",")]
    assert memory == ["-", "y1", "y1", "-"]  # everybody, then each seat


def test_the_deck_of_the_last_shuffle_is_remembered() -> None:
    """With two players who knows his own draws knows the other's hand at a shuffle."""
    state = table("b2", "y1r1", deck="g1")
    play(state, "draw", "card:g", "shuffle", "stay")
    for world in worlds(state.view(0)):
        assert hand(world, 1) == "y1r1"
        assert part(world, 10) == part(state, 10)
    # What the other then draws comes out of that deck.
    play(state, "draw", "card:g", "stay")
    for world in worlds(state.view(0)):
        held = cards(hand(world, 1))
        assert held["y"] >= 1
        assert held["r"] >= 1
        assert sum(held.values()) == 3


def test_ones_own_draws_are_not_in_the_deck_any_more() -> None:
    state = table("b9".replace("9", "2"), "y1r1", deck="g1", reserve="b8y9n9r9g8w4")
    play(state, "draw", "card:g", "shuffle", "stay")
    deck = cards(part(state, 10))
    assert deck == cards("n1g1") or sum(deck.values()) <= 2
    play(state, "draw", "card:g", "stay")
    play(state, "draw", "card:n", "shuffle" if not part(state, 10).strip("-") else "stay")
    assert all(world.view(0) == state.view(0) for world in worlds(state.view(0)))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_samples_agree_with_views_and_hold_all_cards(players: int) -> None:
    game = tianxia.game("firebulls", players=players)
    for state in random_game(players, seed=players + 20)[20::25]:
        for viewer in (*range(players), SPECTATOR):
            view = state.view(viewer)
            pool: Any = game.samples(view, 10, seed=3)
            for i in range(10):
                world = game.from_bytes(pool[i : i + 1].tobytes())
                assert world.view(viewer) == view
                held = cards(part(world, 10)) + cards(part(world, 12)) + cards(part(world, 13))
                for seat in range(players):
                    held += cards(hand(world, seat))
                assert held == ATTACK_CARDS


def test_a_view_shows_everything_when_the_game_is_over() -> None:
    state = random_game(3, seed=1)[-1]
    assert state.over
    for viewer in (0, 2, SPECTATOR):
        assert part(state.view(viewer), 14) == part(state, 14)
        assert part(state.view(viewer), 10) == part(state, 10)


def test_who_may_act_depends_on_public_facts_only() -> None:
    """Worlds of a view that differ in hidden cards only ask the same player next."""
    for state in random_game(3, seed=5)[20::10]:
        for world in worlds(state.view(SPECTATOR), 3):
            assert world.acting == state.acting
            assert part(world, 1) == part(state, 1)
