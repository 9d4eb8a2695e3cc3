"""Searched responses: no better than the best, nearly as good; and how the best is chosen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tianxia
from tests.arena.helpers import HERE, Stubborn
from tests.battery.games import GAMES  # registers the toy game
from tianxia.arena import Archive, Outcome, Plan, run
from tianxia.arena.exploiting import exploit
from tianxia.arena.made import version_of
from tianxia.arena.players import Response, maker_of
from tianxia.arena.responses import Wish, folder_of, is_hopeless, search_response
from tianxia.cli import app
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import new_rng
from tianxia.search.believing import Beliefs
from tianxia.search.bot import Bot, tell
from tianxia.search.responding import Effort, Responder

TOY = "blind-duel(rounds=1)"
STUBBORN = f"{HERE}:Stubborn"
assert "blind-duel" in GAMES


@pytest.mark.parametrize("seat", [0, 1])
def test_a_searched_response_is_nearly_the_best(seat: int) -> None:
    """Its exact value, in the whole tree, is at most the best response's, and close to it."""
    effort = Effort(iterations=32, horizon=100, worlds=32, caution=1.0)

    def making(game: tianxia.Game, place: int, seed: int) -> Bot:
        if place != seat:
            return Stubborn(game, place, seed)
        return Responder(game, place, seed, Stubborn, Stubborn, effort)

    found = exploit(tianxia.game(TOY), making, (0, 1))
    as_the_bot = exploit(tianxia.game(TOY), Stubborn, (0, 1)).values[seat]
    assert found.values[seat] <= found.best[seat] + 1e-12
    assert found.values[seat] > as_the_bot + 0.95 * (found.best[seat] - as_the_bot)


def test_worlds_are_those_to_which_the_bot_leads() -> None:
    """Who lays the last of its choices is one with an odd seed, and lays but one card."""
    game, state = tianxia.game(TOY), tianxia.game(TOY).new()
    beliefs = Beliefs(game, 0, [Stubborn, Stubborn], 400, new_rng(1))
    bots: list[tuple[int, Bot]] = [(1, Stubborn(game, 1, 1))]
    rng = new_rng(2)
    while not state.over:
        actor = state.acting[-1] if state.acting else CHANCE
        if actor == CHANCE:
            action = state.chance_weights()[0][0]
        elif actor == 1:
            action = bots[0][1].choose(state.view(1))
        else:
            action = state.legal_actions(0)[0]
        tell(state, action, actor, [*bots, (0, beliefs)])  # type: ignore[list-item]
        assert beliefs.worlds, "a world that is the true one's like was given up"
        if 0 in state.acting:
            world = beliefs.draw(state.view(0), rng)
            assert world.state.view(0) == state.view(0)
    assert all(world.seed % 2 == 0 for world in beliefs.worlds)  # and that in seat 1 is odd


def test_names_of_responses_mean_them() -> None:
    response = Response("novice", "master", "", Effort(horizon=12))
    assert response.name == "response(to=novice,guide=master,horizon=12)"
    assert Response.read(response.name) == response
    own = replace(response, own="expert")
    assert Response.read(own.name) == own
    game = tianxia.game(TOY)
    versions = {version_of(f"response(to={to},guide=random)", game) for to in ("random", STUBBORN)}
    assert len(versions) == 2
    for name, said in (
        ("response(to=random)", "is not a response"),
        ("response(to=random,guide=random,depth=3)", "horizon"),
        ("response(to=random,guide=random,horizon=far)", "is not a response"),
        ("response(to=exec:./bot,guide=random)", "cannot be imitated"),
        ("response(to=nobody,guide=random)", "has no bot called"),
    ):
        with pytest.raises(TianxiaError, match=said):
            maker_of(name, game)


def test_the_best_candidate_plays_fresh_games(tmp_path: Path) -> None:
    played: list[Plan] = []

    def play(plan: Plan) -> list[Outcome]:
        played.append(plan)
        archive = Archive(folder_of(tmp_path, plan), plan)
        assert all(outcome.fault < 0 for outcome in run(archive, workers=1))
        return archive.outcomes()

    wish = Wish(TOY, "random", 8, 2, 3, ("random", STUBBORN, "novice"), iterations=4)
    found = search_response(wish, play)
    *trials, last = played
    assert [plan.games for plan in trials] == [2, 2, 2, 4, 4, 4, 4, 4, 8, 8]
    assert {plan.seed for plan in trials} == {7}
    assert (last.seed, last.games, last.players) == (6, 8, (found.response, "random"))
    assert found.standing.games == 8
    assert found.standing.name == found.response == found.trials[0].name
    shares = {one.name: one.share for one in found.trials}
    assert shares[found.response] == max(one.share for one in found.trials if one.games == 8)
    again = search_response(wish, play)
    assert (again.response, again.standing.share) == (found.response, found.standing.share)


def test_far_too_large_games_are_known_at_once() -> None:
    assert not is_hopeless(tianxia.game(TOY), 200_000)
    assert is_hopeless(tianxia.game("blind-duel(rounds=5)"), 200_000)
    assert is_hopeless(tianxia.game("stratego(variant=barrage)"), 10**12)


def test_the_command_searches_in_large_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "en")

    def run_it(*words: object) -> tuple[int, str]:
        wishes = ["exploit", *words, "--trials", 2, "--games", 6, "-j", 1, "-d", tmp_path]
        found = CliRunner().invoke(app, [str(word) for word in wishes])
        return found.exit_code, " ".join(found.output.split())

    candidates = ("-r", STUBBORN, "-r", "random", "--iterations", 4)
    status, said = run_it("blind-duel(rounds=5)", "random", *candidates)
    assert status == 0, said
    assert "Searching for a response" in said
    assert "this is a lower bound" in said
    assert "The bot itself would win 50.0 %" in said
    status, said = run_it(TOY, "random", "--search", "-r", "random", "--iterations", 0)
    assert status == 0, said
    assert "Nothing was found that surely gains" in said
    assert "of these games by illegal answers" not in said
    status, said = run_it(TOY, f"{HERE}:Broken", "--search", "-r", "random", "--iterations", 0)
    assert "The bot lost 6 of these games by illegal answers" in said
    status, said = run_it("blind-duel(rounds=5)", "random", "-r", "nobody")
    assert (status, "has no bot called" in said) == (2, True)
