"""The strangers of the league: their set-ups, what they lean towards; what is counted."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.stratego.board import play as played
from tests.games.stratego.helpers import place
from tianxia.bots import play
from tianxia.games.stratego.bot.appraisal import OF_CALM, OF_RISK, USUAL
from tianxia.games.stratego.bot.calibration import Counts, Reader
from tianxia.games.stratego.bot.league import FITTING, LEAGUE, MEASURING, PLAYING_STYLES, Sight
from tianxia.games.stratego.bot.strategos import Strategos
from tianxia.games.stratego.face.deployment import LANES
from tianxia.games.stratego.rules import components as c
from tianxia.kernel.rng import new_rng

FLAGS = "a1=rF j10=bF "
GAME = tianxia.game("stratego")


def liked(style: str, pieces: str, token: str, decided: int = 0) -> float:
    """Return what Red's style likes about a move."""
    state = place(FLAGS + pieces, 0)
    sight = Sight(state.view(0), 0, decided)
    return PLAYING_STYLES[style].leaning(sight, sight.step(state.parse(token, 0)))


def rows_of(style: str, rank: int) -> list[int]:
    """Return on which rows a style has a rank in a hundred set-ups."""
    setups = [PLAYING_STYLES[style].ground.draw(new_rng(seed)) for seed in range(100)]
    return [slot // c.SIDE for setup in setups for slot in range(c.SLOTS) if setup[slot] == rank]


# --- Set-ups ---


@pytest.mark.parametrize("style", PLAYING_STYLES)
def test_set_ups_are_whole_and_never_the_same(style: str) -> None:
    setups = [tuple(PLAYING_STYLES[style].ground.draw(new_rng(seed))) for seed in range(30)]
    assert len(set(setups)) == len(setups)
    for setup in setups:
        assert [setup.count(rank) for rank in range(1, c.RANKS)] == c.COUNTS[0, 1:].tolist()
        doors = [setup[c.SLOTS - c.SIDE + column] for column in LANES]
        assert sum(rank < c.BOMB for rank in doors) >= 3


def test_set_ups_are_those_of_the_style() -> None:
    assert set(rows_of("turtle", c.FLAG)) == {0}
    assert set(rows_of("bluffer", c.FLAG)) == {0, 1, 2}
    mines, others = rows_of("minelayer", c.BOMB), rows_of("rusher", c.BOMB)
    assert sum(row > 1 for row in mines) > len(mines) / 2 > 4 * sum(row > 1 for row in others)


def test_who_counts_is_not_measured() -> None:
    assert sorted(FITTING + MEASURING) == sorted(PLAYING_STYLES) == sorted(LEAGUE.names)


@pytest.mark.parametrize("style", PLAYING_STYLES)
def test_strangers_stay_as_they_were(style: str) -> None:
    """What `master` has learnt against them would make each of them another stranger."""
    stranger = LEAGUE.maker(style)(GAME, 0, 0)
    assert isinstance(stranger, Strategos)
    assert stranger.taste[OF_RISK] == 0.0 < USUAL[OF_RISK]
    assert stranger.taste[OF_CALM] == pytest.approx(20.0)


# --- Leanings ---


def test_the_baiter_leaves_bait_before_an_avenger() -> None:
    pieces = "e6=b8! e4=r4 f3=rM h2=r5 "
    assert liked("baiter", pieces, "f3-e3") > 0
    assert liked("baiter", pieces + "d4=r9", "h2-h3") == 0
    assert liked("baiter", "e6=b8! e4=r4 e3=rM", "e3-f3") < 0
    assert liked("baiter", pieces.replace("rM", "rM!"), "f3-e3") == 0  # it sees that one
    assert liked("baiter", pieces.replace("b8!", "b8"), "f3-e3") == 0  # who would come?


def test_the_bluffer_walks_up_with_weak_pieces() -> None:
    assert liked("bluffer", "e6=bM! e4=r4", "e4-e5") > 0 > liked("bluffer", "e6=bM! e4=r4", "e4-e3")
    assert liked("bluffer", "e6=bM! e4=r4!", "e4-e5") == 0
    assert liked("bluffer", "e6=bM! e4=r9", "e4-e5") == 0


def test_the_hunter_stalks_what_it_takes_and_spares_the_rest() -> None:
    assert liked("hunter", "e7=b8! e4=rM", "e4-e5") > 0
    assert liked("hunter", "e7=bM! e4=r9", "e4-e5") == 0
    assert liked("hunter", "e5=b4! e4=rM", "e4xe5") < 0 == liked("hunter", "e5=b8! e4=rM", "e4xe5")


def test_the_minelayer_leaves_a_wing_alone() -> None:
    assert liked("minelayer", "b4=r6", "b4-b5") < 0 < liked("minelayer", "h4=r6", "h4-i4")


def test_the_miser_hides_its_best_for_long() -> None:
    assert liked("miser", "e5=b4 e4=rM", "e4xe5") < 0
    assert liked("miser", "e5=b4 e4=rM", "e4xe5", decided=200) == 0
    assert liked("miser", "e5=b4 e4=r6", "e4xe5") == 0


def test_the_raider_sends_miners_along_a_wing() -> None:
    assert liked("raider", "b4=r3", "b4-b5") > liked("raider", "b4=r6", "b4-b5") > 0
    assert liked("raider", "f3=r3", "f3-f4") == 0


def test_the_rusher_attacks_what_stands_in_the_way() -> None:
    assert liked("rusher", "e5=b4 e4=r7", "e4xe5") > liked("rusher", "e4=r7", "e4-e5") > 0
    assert liked("rusher", "e4=rS", "e4-e5") == 0


def test_the_spymaster_keeps_the_spy_beside_its_general() -> None:
    assert (
        liked("spymaster", "e4=r9 e1=rS", "e1-e2") > 0 > liked("spymaster", "e4=r9 e2=rS", "e2-e1")
    )


def test_the_turtle_stays_at_home() -> None:
    assert liked("turtle", "b5=r6 h9=b4", "b5-b6") < liked("turtle", "b3=r6", "b3-b4") < 0
    assert liked("turtle", "b5=b6 b4=r6", "b4xb5") > 0 > liked("turtle", "b6=b6 b5=r6", "b5xb6")


# --- Play ---


@pytest.mark.parametrize("style", PLAYING_STYLES)
def test_it_plays_as_the_rules_allow_and_always_the_same(style: str) -> None:
    first, again = (play(GAME, [LEAGUE.maker(style), "random"], 3, 160) for _ in range(2))
    assert list(first.history()) == list(again.history())


def test_small_armies_set_up_as_everybody() -> None:
    barrage = tianxia.game("stratego", variant="barrage")
    assert play(barrage, [LEAGUE.maker("baiter"), LEAGUE.maker("turtle")], 1, 120).fields["phase"]


# --- What is counted ---


def counts(pieces: str, tokens: str) -> Counts:
    return Reader(played(place(FLAGS + pieces, 0), tokens), 0).read()


def test_a_capture_beside_what_takes_it_is_covered_and_lost() -> None:
    found = counts("e4=r8 e5=b4! e6=b9 h9=b5 h2=r4", "e4xe5 e6xe5")
    assert (found.cover.cases, found.cover.true, found.lost) == (1, 1, 1)
    assert 0 < found.cover.believed < 1
    found = counts("e4=r8 e5=b4! e6=b9 h9=b5 h2=r4", "e4xe5 h9-h8")
    assert (found.cover.cases, found.cover.true, found.lost) == (1, 1, 0)


def test_a_capture_beside_weaker_or_known_pieces_is_not() -> None:
    found = counts("e4=r8 e5=b4! e6=b5 h9=b9 h2=r4", "e4xe5 e6xe5")
    assert (found.cover.cases, found.cover.true, found.lost) == (1, 0, 0)
    assert counts("e4=r8 e5=b4! e6=b9! h9=b5 h2=r4", "e4xe5").cover.cases == 0
    assert counts("e4=r6 e5=b4! e6=b9 h9=b5 h2=r4", "e4xe5").cover.cases == 0


def test_an_attack_that_is_known_to_fail_is_a_sure_loss() -> None:
    assert counts("e4=r4 e5=b8! h2=r4", "e4xe5").sure == 1
    assert counts("e4=r4 e5=b8 h2=r4", "e4xe5").sure == 0


def test_cells_compare_what_was_believed_with_what_is_there() -> None:
    found = counts("e4=r4 e6=b8 i9=b5 h2=r4", "h2-h3 e6-f6 h3-h4")
    cell = found.cells["Colonel, Major", "moved", "to ply 100"]
    assert (cell.cases, cell.true) == (1, 1)
    assert 0 < cell.believed < 1
