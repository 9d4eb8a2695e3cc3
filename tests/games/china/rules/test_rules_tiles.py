"""CHI-79 to CHI-83: bonus tiles (with the rulebook's example)."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest

import tianxia
from tests.games.china.helpers import (
    LETTERS,
    begin,
    by_chance,
    eligible,
    finished,
    gained,
    hand,
    legal,
    on,
    part,
    phase,
    play,
    refusal,
    table,
)
from tianxia import CHANCE

pytestmark = pytest.mark.rules

TILES = {"tiles": True}


def board_tiles(state: tianxia.State) -> list[str]:
    return [tile for tile in re.split("[,/]", part(state, 7)) if tile != "-"]


def taken(state: tianxia.State) -> list[str]:
    return part(state, 8).split("/")


@pytest.mark.parametrize(
    ("players", "board"),
    [(2, "A"), (3, "A"), (4, "A"), (4, "B"), (5, "B"), (3, "border"), (5, "border")],
)
def test_CHI_79_two_in_each_province_off_the_junctions(players: int, board: str) -> None:
    for seed in range(5):
        tiles = board_tiles(begin(players, seed, board=board, tiles=True))
        assert len(tiles) == 18
        assert {tile[2:] for tile in tiles} == {"?"}
        for letter in LETTERS:
            mine = {tile[:2] for tile in tiles if tile[0] == letter}
            assert len(mine) == 2
            assert mine <= set(eligible(board, letter))


def test_CHI_79_all_pairs_are_equally_likely() -> None:
    """Wei on side A: W1 W2 W6 W7 lie off the junctions."""
    chances: Counter[frozenset[str]] = Counter()
    start = tianxia.game("china", players=3, tiles=True).new()
    for one, weight in start.chance_outcomes():
        state = start.clone()
        name = state.text(one, CHANCE)
        state.apply(one, CHANCE)
        for other, share in state.chance_outcomes():
            chances[frozenset({name, state.text(other, CHANCE)})] += weight * share  # type: ignore[assignment]
    spaces = [f"tile:{x}" for x in ("W1", "W2", "W6", "W7")]
    assert chances == {frozenset(pair): pytest.approx(1 / 6) for pair in combinations(spaces, 2)}


def test_CHI_79_six_of_each_colour() -> None:
    state = play(table("r3", "-", "-", tiles=True), "open:Wei")
    assert dict(state.chance_outcomes()) == {
        state.parse(f"turn:{colour}", CHANCE): pytest.approx(1 / 3) for colour in "yog"
    }
    play(state, "turn:y")
    assert dict(state.chance_outcomes()) == {
        state.parse("turn:y", CHANCE): pytest.approx(5 / 17),
        state.parse("turn:o", CHANCE): pytest.approx(6 / 17),
        state.parse("turn:g", CHANCE): pytest.approx(6 / 17),
    }


def test_CHI_79_no_tiles_unless_chosen() -> None:
    state = table("r3", "-", "-")
    assert part(state, 7) == "-"
    assert refusal(state, "open:Wei") == "CHI-79"


def test_CHI_79_with_everything_else() -> None:
    for options in ({"players": 2}, {"fortifications": True}, {"board": "border"}):
        assert len(board_tiles(begin(**options, tiles=True))) == 18


def test_CHI_80_both_tiles_before_the_space() -> None:
    state = table("g1r2", "-", "-", tiles=True)
    assert refusal(state, "palace:W3:r") == "CHI-80"
    assert legal(state, "palace") == set()
    play(state, "open:Wei")
    assert not state.acting
    play(state, "turn:g", "turn:o")
    assert board_tiles(state)[:2] == ["W1g", "W2o"]  # the lower space first
    assert board_tiles(state.view(2)) == board_tiles(state)
    assert phase(state) == "space"
    assert legal(state) == {f"palace:W{n}:r" for n in range(1, 8)}
    assert hand(state, 0) == "g1r2"  # it is paid for now
    play(state, "palace:W5:r")
    assert (on(state, "W5"), hand(state, 0), phase(state)) == ("0", "g1r1", "take")


def test_CHI_80_a_palace_in_that_province_is_due() -> None:
    state = play(
        table("r3", "-", "-", fortifications=True, tiles=True), "open:Wei", "turn:g", "turn:o"
    )
    assert legal(state) == {f"palace:W{n}:r" for n in range(1, 8)}
    assert refusal(state, "palace:V1:r") == "CHI-80"
    assert refusal(state, "fort:W1:r") == "CHI-80"
    assert refusal(state, "emissary:Wei:r") == "CHI-80"
    assert refusal(state, "exchange:r") == "CHI-80"
    assert refusal(state, "stop") == "CHI-80"
    assert refusal(state, "open:Wu") == "CHI-80"


def test_CHI_80_with_any_payment() -> None:
    state = play(table("y2r1", "-", "-", tiles=True), "open:Wei", "turn:g", "turn:o")
    assert legal(state) == {f"palace:W{n}:{pay}" for n in range(1, 8) for pay in ("r", "yy")}


def test_CHI_80_only_who_can_pay_turns_tiles() -> None:
    state = table("y2r1", "-", "-", tiles=True)
    assert legal(state, "open") == {
        f"open:{name}" for name in ("Wei", "Wu", "Qi", "Chin", "Zhao", "Han", "Lu", "Shu", "Chu")
    }
    state = table("y1r1", "-", "-", tiles=True)
    assert legal(state, "open") == {"open:Wei", "open:Wu", "open:Qi", "open:Chin"}
    assert refusal(state, "open:Chu") == "CHI-13"


def test_CHI_80_the_second_palace_turns_nothing() -> None:
    state = table("r3", "-", "-", palaces={1: "W5"}, turned={"W1": "g", "W2": "o"}, tiles=True)
    assert refusal(state, "open:Wei") == "CHI-80"
    assert refusal(state, "palace:W1:r") is None


def test_CHI_80_forts_turn_nothing() -> None:
    state = play(table("r3", "-", "-", fortifications=True, tiles=True), "fort:W1:r")
    assert board_tiles(state)[:2] == ["W1?", "W2?"]
    state = table("r3", "-", "-", forts="W1", fortifications=True, left="101", tiles=True)
    assert refusal(state, "palace:W1:r") == "CHI-80"
    play(state, "open:Wei", "turn:y", "turn:y", "palace:W1:r")
    assert (on(state, "W1"), taken(state)) == ("a", ["y1", "-", "-"])
    assert phase(state) == "more"  # a piece stood there before


def test_CHI_80_a_fortification_first_and_a_palace_second() -> None:
    state = table("r3", "-", "-", forts="W5", fortifications=True, left="101", tiles=True)
    play(state, "fort:W6:r", "open:Wei", "turn:y", "turn:o")
    assert legal(state) == {f"palace:W{n}:r" for n in range(1, 8)}
    play(state, "palace:W6:r")
    assert phase(state) == "take"
    assert on(state, "W6") == "a"


def test_CHI_81_a_palace_takes_the_tile() -> None:
    state = table("r3", "-", "-", palaces={1: "W5"}, turned={"W1": "g", "W2": "o"}, tiles=True)
    play(state, "palace:W3:r")
    assert taken(state) == ["-", "-", "-"]
    play(state, "palace:W2:r")
    assert taken(state) == ["o1", "-", "-"]
    assert board_tiles(state)[0] == "W1g"
    assert len(board_tiles(state)) == 17
    assert taken(state.view(1)) == ["o1", "-", "-"]  # it was turned up for all


def test_CHI_81_a_fortification_takes_none() -> None:
    state = table(
        "r3",
        "-",
        "-",
        palaces={1: "W5"},
        turned={"W1": "g", "W2": "o"},
        fortifications=True,
        tiles=True,
    )
    play(state, "fort:W2:r")
    assert (taken(state), board_tiles(state)[1]) == (["-", "-", "-"], "W2o")
    play(state, "palace:W2:r")
    assert taken(state) == ["o1", "-", "-"]


def with_tiles(*piles: str, players: int = 3, **position: object) -> tianxia.State:
    """Return the final scoring when owners have taken these tiles."""
    owners, palaces = 3 if players == 2 else players, {}
    board = "AB"[players > 3]
    takes = [sum(int(c) for c in pile if c.isdigit()) for pile in piles]
    left = [eligible(board, letter)[i] for letter in LETTERS for i in (0, 1)]
    for owner in range(owners):
        mine, left = left[: takes[owner]], left[takes[owner] :]
        palaces[owner] = " ".join(mine)
    # Where one tile is gone, the other is turned up.
    turned = {}
    if left and left[0][0] in {x[0] for names in palaces.values() for x in names.split()}:
        total = Counter("yog" * 6) - Counter(
            "".join(
                pile[i] * int(pile[i + 1])
                for pile in piles
                if pile != "-"
                for i in range(0, len(pile), 2)
            )
        )
        turned = {left[0]: max(total, key=lambda c: total[c])}
    return finished(players, palaces=palaces, turned=turned, taken=piles, tiles=True, **position)


@pytest.mark.parametrize(
    ("piles", "points"),
    [
        (("y1", "-", "-"), [6, 0, 0]),
        (("y2", "y1", "y1"), [6, 0, 0]),
        (("y1", "y1", "-"), [6, 6, 0]),
        (("y1", "o1", "g1"), [6, 6, 6]),
        (("y2o2g2", "y1o1g1", "-"), [18, 0, 0]),
        (("-", "-", "-"), [0, 0, 0]),
        (("y2", "y2o1", "y2o1"), [6, 12, 12]),
        (("y3o1", "y1o3", "g1"), [6, 6, 6]),
    ],
)
def test_CHI_82_six_points_a_colour(piles: tuple[str, ...], points: list[int]) -> None:
    state = with_tiles(*piles)
    told = by_chance(state)
    assert gained(state, "tiles") == points
    colours = [c for c in "yog" if any(c in pile for pile in piles)]
    assert sorted(token for token in told if token.startswith("bonus")) == sorted(
        f"bonus:{c}" for c in colours
    )


def test_CHI_82_not_before_the_end() -> None:
    state = with_tiles("y1", "-", "-")
    assert gained(state, "tiles") == [0, 0, 0]


def test_CHI_83_example() -> None:
    """By the rule; the printed totals of the first two are exchanged."""
    state = with_tiles("y1o3g2", "y4o3g2", "y1g2")
    by_chance(state)
    assert gained(state, "tiles") == [12, 18, 6]


def test_CHI_82_the_emperor_counts_but_gets_nothing() -> None:
    keep = {"kept": ("-", "-"), "influence": "-"}
    state = with_tiles("y1o1", "y2g1", "y3o1", players=2, **keep)
    by_chance(state)
    assert gained(state, "tiles") == [6, 6]  # yellow his; orange level with him; green


def test_CHI_80_the_emperor_turns_and_takes_tiles() -> None:
    state = table("r3", "-", emperor="v1o1r1", tiles=True)
    play(state, "exchange:r", "deck")
    by_chance(state)
    assert phase(state) == "emperor"
    assert {"open:Wei", "open:Chu", "decline"} <= legal(state)
    assert refusal(state, "palace:W1:r") == "CHI-80"
    play(state, "open:Wei", "turn:g", "turn:y")
    assert (phase(state), state.acting) == ("space", (0,))
    assert refusal(state, "decline") == "CHI-80"
    play(state, "palace:W2:r")
    assert taken(state) == ["-", "-", "y1"]
    assert on(state, "W2") == "2"


def test_CHI_77_two_provinces_is_spent_by_the_piece() -> None:
    state = table("o1r2", "-", palaces={1: "W5"}, turned={"W1": "g", "W2": "o"}, tiles=True)
    play(state, "palace:W6:r", "open:Zhao", "turn:y", "turn:y")
    assert part(state, 18).split(";")[3] == "ets/ets"
    play(state, "palace:Z1:o")
    assert part(state, 18).split(";")[3] == "es/ets"
    assert taken(state)[0] == "y1"
