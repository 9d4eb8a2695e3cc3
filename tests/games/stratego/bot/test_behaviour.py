"""What a move tells of the pieces of an army, and what the weights are fitted to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import tianxia
from tests.games.stratego.helpers import place
from tianxia.bots import play
from tianxia.games.stratego.bot.behaviour import (
    LIKINGS,
    THINGS,
    Scene,
    fitted,
    list_moves,
    make_scene,
    weigh_move,
)
from tianxia.games.stratego.bot.strategos import Strategos
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.components import Rank
from tianxia.games.stratego.rules.state import MOVED, SETUP
from tianxia.kernel.jit import entry
from tianxia.kernel.record import Pool
from tianxia.search.bot import tell

FLAGS = "a1=rF b1=rB a2=rB j10=bF i10=bB j9=bB "
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOTHING = np.array([-1, -1, 0])


@entry
def weighed(
    view: Pool, seat: int, origin: int, target: int, chances: Floats, scene: Scene, past: Ints
) -> None:
    weigh_move(view[0], seat, origin, target, chances, scene, past)


def believed(pieces: str, square: str, ranks: Sequence[Rank], *tokens: str) -> float:
    """Return what Red believes of a Blue piece after moves of both sides, Red's first."""
    state = place(FLAGS + pieces, 0)
    bot = Strategos(state.game, 0, 0)
    for token in tokens:
        (seat,) = state.acting
        tell(state, state.parse(token, seat), seat, [(0, bot)])
    at = (int(square[1:]) - 1) * c.SIDE + "abcdefghij".index(square[0])
    piece = int(state.fields["board"][at]) - 1
    return float(bot.beliefs(state.view(0))[piece, list(ranks)].sum())


WAIT = ("c3-c4", "h8-h7")
"""A move of Red's and one of Blue's, far from all others."""
FAR_OFF = "c3=r5 h8=b5 "


# --- What tells ---


def test_who_flees_from_a_captain_is_hardly_stronger() -> None:
    pieces = "e5=r6! f6=b3 h9=b9 h2=r4 c3=r5 e6=b7"
    stays = believed(pieces, "e6", (Rank.MAJOR, Rank.GENERAL), "c3-c4", "f6-f7")
    flees = believed(pieces, "e7", (Rank.MAJOR, Rank.GENERAL), "c3-c4", "e6-e7")
    assert flees < 0.75 * stays


def test_who_lets_a_known_bomb_be_is_hardly_a_miner() -> None:
    pieces = FAR_OFF + "e4=rB! e5=b9 g9=b3 a9=b4 g2=r4"
    before = believed(pieces, "e5", [Rank.MINER])
    assert believed(pieces, "e5", [Rank.MINER], *WAIT, "c4-b4", "h7-g7") < 0.9 * before


def test_who_comes_beside_a_known_colonel_rather_beats_him() -> None:
    pieces = "e4=r8! e6=b9 g9=b3 g2=r4 c3=r5"
    stronger = Rank.GENERAL, Rank.MARSHAL
    assert believed(pieces, "e5", stronger, "c3-c4", "e6-e5") > 1.3 * believed(
        pieces, "e6", stronger
    )


def test_whoever_comes_into_touch_has_made_up_its_mind() -> None:
    """One such move tells more than a habit that leads a piece for many moves."""
    pieces = "e4=r8! e6=b9 g9=b3 a9=b4 a8=b5 b8=b6 g2=r4 c3=r5"
    stronger = Rank.GENERAL, Rank.MARSHAL
    before = believed(pieces, "e6", stronger)
    after = believed(pieces, "e5", stronger, "c3-c4", "e6-e5")
    assert after / (1 - after) > 8 * before / (1 - before)


def test_a_friend_left_hanging_tells_of_who_stands_behind() -> None:
    """A known Captain stays before a known Colonel: whoever stands beside it takes back."""
    stronger = Rank.GENERAL, Rank.MARSHAL
    bait = FAR_OFF + "e5=r8! e6=b6! e7=b9 g9=b3 a7=b4 g2=r4"
    free = bait.replace("e5=r8!", "d2=r8!")
    assert believed(bait, "e7", stronger, *WAIT) > 1.5 * believed(free, "e7", stronger, *WAIT)


def test_what_rests_for_long_is_likelier_a_bomb_in_front_than_at_the_back() -> None:
    game = tianxia.game("stratego")
    end = play(game, ["skirmisher", "skirmisher"], 5)
    state, bot, found = end.start(), Strategos(game, 0, 0), []
    for number, (seat, action) in enumerate(end.history()):
        if number in (83, 200):
            rows = bot.beliefs(state.view(0))[c.SLOTS :, c.BOMB].reshape(4, 10)
            hidden = state.view(0).fields["rank"][c.SLOTS :].reshape(4, 10) == 0
            rest = hidden & (state.fields["marks"][c.SLOTS :].reshape(4, 10) & MOVED == 0)
            found.append([rows[row][rest[row]].mean() for row in (0, 3)])
        tell(state, action, seat, [(0, bot)])
    (back, front), (back_later, front_later) = found
    assert front < 0.1
    assert front_later > 1.5 * front
    assert back_later < 1.2 * back
    assert abs(back_later - back) < 0.1 < back


# --- What weights are fitted to ---


def test_each_rank_has_a_weight_for_everything() -> None:
    weights = fitted()
    assert weights.shape == (c.RANKS, len(LIKINGS)) == (c.RANKS, THINGS)
    assert np.isfinite(weights).all()
    movers = weights[Rank.SPY : Rank.BOMB]
    assert (movers[:, LIKINGS.index("takes")] > 0).all()
    assert (movers[:, LIKINGS.index("falls")] < 0).all()
    assert not weights[[0, Rank.BOMB, Rank.FLAG]].any()


@pytest.mark.parametrize("seat", [0, 1])
def test_its_moves_are_the_legal_ones_and_what_is_told_is_their_softmax(seat: int) -> None:
    """With true ranks, each move is as likely as the weights say of it among all that there are."""
    game = tianxia.game("stratego", two_squares=0)
    state, scene = game.new(), make_scene()
    end = play(game, ["skirmisher", "skirmisher"], 3 + seat)
    table, ranks = np.zeros((c.MAX_LEGAL, THINGS)), np.zeros(c.MAX_LEGAL, np.int64)
    looked = 0
    for actor, action in end.history():
        if actor == 1 - seat and state.fields["phase"] != SETUP and state.plies % 3 == 0:
            truth = np.eye(c.RANKS)[state.fields["rank"]]
            view = state.view(seat)
            count, made = list_moves(view.record, seat, action, truth, scene, NOTHING, table, ranks)
            assert count == len(state.legal_actions(actor))
            liked = np.exp((fitted()[ranks[:count]] * table[:count]).sum(1))
            origin, target = c.squares_of(action)
            weighed(view.record, seat, origin, target, truth, scene, NOTHING)
            mover = int(state.fields["board"][origin]) - 1
            if view.fields["rank"][mover] == 0:
                looked += 1
                assert ranks[made] == state.fields["rank"][mover]
                told = scene.told[mover, int(state.fields["rank"][mover])]
                assert told == pytest.approx(np.log(liked[made] / liked.sum()))
        state.apply(action, actor)
    assert looked > 5
