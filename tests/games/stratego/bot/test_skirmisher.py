"""The Skirmisher: its set-ups, its habits, its results, its time."""

from __future__ import annotations

import time

import pytest

import tianxia
from tests.games.stratego.helpers import place
from tianxia.bots import Bot, make, play
from tianxia.games.stratego.bot.beliefs import Beliefs
from tianxia.games.stratego.face import deployment
from tianxia.games.stratego.rules.components import BOMB, COUNTS, FLAG, RANKS, VARIANTS, Rank

# --- Results ---


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_it_beats_random(variant: str, seat: int) -> None:
    """From both sides, and surely in the classic game; a small one is more of a gamble."""
    game = tianxia.game("stratego", variant=variant)
    names = ["random", "random"]
    names[seat] = "skirmisher"
    won = sum(play(game, names, seed).scores()[seat] == 1 for seed in range(20))
    assert won >= (20 if variant == "classic" else 19)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("two_squares", [3, 5])
def test_two_of_them_come_to_a_decision(variant: str, two_squares: int) -> None:
    game = tianxia.game("stratego", variant=variant, two_squares=two_squares, draw_after=0)
    ends = [play(game, ["skirmisher"] * 2, seed, 4000) for seed in range(4)]
    assert all(end.over for end in ends)
    assert sum(end.scores()[0] == 0.5 for end in ends) <= 1


def test_it_is_quick() -> None:
    game = tianxia.game("stratego")
    times = []

    def timed(game: tianxia.Game, seat: int, seed: int) -> Bot:
        bot = make("skirmisher", game, seat, seed)
        choose = bot.choose

        def chosen(view: tianxia.State, deadline: float | None = None) -> int:
            begun = time.perf_counter()
            action = choose(view, deadline)
            times.append(time.perf_counter() - begun)
            return action

        bot.choose = chosen  # type: ignore[method-assign]
        return bot

    for seed in range(3):
        play(game, [timed, timed], seed)
    times.sort()
    assert len(times) > 300
    assert times[int(0.95 * len(times))] < 0.05


# --- Set-ups ---


@pytest.mark.parametrize("variant", range(3))
def test_the_patterns_are_sensible(variant: int) -> None:
    for setup in deployment.PATTERNS[variant]:
        assert [setup.count(rank) for rank in range(1, RANKS)] == COUNTS[variant].tolist()[1:]
        assert deployment.faults(setup) == []
        assert deployment.faults(deployment.mirrored(setup)) == []


@pytest.mark.parametrize("variant", range(3))
def test_set_ups_are_sensible_and_hardly_ever_the_same(variant: int) -> None:
    setups = [deployment.deploy(variant, tianxia.new_rng(seed)) for seed in range(400)]
    assert all(deployment.faults(setup) == [] for setup in setups)
    assert len({tuple(setup) for setup in setups}) > 390
    assert len({setup.index(FLAG) for setup in setups}) >= 6
    assert len({setup.index(Rank.MARSHAL) for setup in setups}) >= 12
    in_front = [sum(setup[i] >= BOMB for i in deployment.FRONT) for setup in setups]
    assert max(in_front) == (2 if variant == 0 else 0)
    assert 80 < in_front.count(1) < 160 if variant == 0 else in_front.count(1) == 0


def test_faults_are_found() -> None:
    setup = list(deployment.PATTERNS[0][0])
    flag = setup.index(FLAG)
    setup[flag], setup[35] = setup[35], setup[flag]
    assert "the Flag is not on the back row" in deployment.faults(setup)
    bombs = [i for i in range(40) if setup[i] == BOMB]
    for bomb, front, too_many in zip(bombs, (33, 36, 38), (False, False, True), strict=False):
        setup[bomb], setup[front] = setup[front], BOMB
        assert ("too many Bombs are in front" in deployment.faults(setup)) == too_many


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_sets_up_by_legal_actions(variant: str) -> None:
    game = tianxia.game("stratego", variant=variant)
    state = play(game, ["skirmisher", "skirmisher"], 5, 2 * 40)
    for seat in (0, 1):
        ranks = state.fields["rank"][40 * seat : 40 * seat + 40].tolist()
        planned = deployment.deploy(VARIANTS.index(variant), tianxia.new_rng(10 + seat))
        assert ranks == planned


def test_it_completes_a_set_up_that_another_began() -> None:
    game = tianxia.game("stratego")
    state = game.new()
    for _ in range(6):
        state.apply(state.parse("B", 0), 0)
    bot = make("skirmisher", game, 0, 1)
    while 0 in state.acting:
        state.apply(bot.choose(state.view(0)), 0)
    assert state.acting == (1,)


# --- Beliefs ---


@pytest.mark.parametrize("variant", VARIANTS)
def test_beliefs_add_up(variant: str) -> None:
    """Every piece has one rank, every rank as many pieces as are left, at every ply."""
    game = tianxia.game("stratego", variant=variant)
    state = game.new()
    bots = [make("skirmisher", game, seat, seat) for seat in (0, 1)]
    while not state.over:
        seat = min(state.acting, default=tianxia.CHANCE)
        action = bots[seat].choose(state.view(seat)) if seat >= 0 else state.legal_actions(-2)[0]
        state.apply(action, seat)
        if state.fields["phase"] and not state.over:
            check_beliefs(state, VARIANTS.index(variant))


def check_beliefs(state: tianxia.State, variant: int) -> None:
    seat = state.acting[0]
    fields = state.view(seat).fields
    lists = (fields[name].tolist() for name in ("square", "rank", "marks"))
    beliefs = Beliefs(variant, 1 - seat, *lists)
    assert beliefs.chances.min() >= 0
    assert beliefs.chances.sum(axis=1) == pytest.approx(1)
    assert beliefs.chances.sum(axis=0) == pytest.approx(beliefs.left)
    truth = state.fields["rank"]
    for piece, chances in zip(beliefs.pieces, beliefs.chances, strict=True):
        assert chances[truth[piece]] > 0


# --- Habits ---


def chosen(pieces: str, seat: int = 0, seed: int = 0) -> str:
    """Return the move that it chooses in a position where all lost ranks are known."""
    state = place(pieces, seat)
    action = make("skirmisher", state.game, seat, seed).choose(state.view(seat))
    return state.text(action, seat)


SAFE = "a1=rF j10=bF b1=rB i10=bB a2=rB j9=bB "


@pytest.mark.parametrize("seed", range(3))
def test_it_takes_the_flag(seed: int) -> None:
    assert chosen("a1=rF j10=bF i10=r4 e5=b5", seed=seed) == "i10xj10"


@pytest.mark.parametrize("seed", range(3))
def test_it_takes_what_he_beats_for_certain(seed: int) -> None:
    # Only a Captain of theirs can have moved: the counts tell it without a fight.
    assert chosen(SAFE + "e5=r7 e6=b6 h4=r4", seed=seed) == "e5xe6"


@pytest.mark.parametrize("seed", range(3))
def test_it_runs_from_what_beats_him(seed: int) -> None:
    move = chosen(SAFE + "e5=r6 e6=bM h4=r4", seed=seed)
    assert move.startswith("e5-")


@pytest.mark.parametrize("seed", range(3))
def test_his_spy_takes_the_marshal(seed: int) -> None:
    assert chosen(SAFE + "e5=rS e6=bM h4=r4", seed=seed) == "e5xe6"


@pytest.mark.parametrize("seed", range(3))
def test_his_miner_takes_bombs(seed: int) -> None:
    # Nothing of theirs is left but what never moved: Bombs, and the Flag behind them.
    assert chosen(SAFE + "e5=b5 i9=r3 h4=r4", seed=seed) in {"i9xj9", "i9xi10"}


@pytest.mark.parametrize("seed", range(3))
def test_his_marshal_leaves_alone_what_may_well_be_a_bomb(seed: int) -> None:
    heap = "g10=bB h10=bB g9=bB h9=bB "  # with those of SAFE six Bombs, and the Flag
    assert "x" not in chosen(SAFE + heap + "e5=b5 i9=rM h4=r4", seed=seed)


def test_it_does_not_pace_up_and_down() -> None:
    """Between two attacks its army does not stand the same way time and again."""
    game = tianxia.game("stratego")
    for seed in range(4):
        state = play(game, ["skirmisher", "skirmisher"], seed)
        position = state.start()
        seen: dict[tuple[int, bytes], int] = {}
        for seat, action in state.history():
            position.apply(action, seat)
            army = (seat, position.fields["square"][40 * seat : 40 * seat + 40].tobytes())
            if position.fields["quiet"] == 0:
                seen.clear()
            seen[army] = seen.get(army, 0) + 1
            assert seen[army] <= 4 or not position.fields["phase"]
