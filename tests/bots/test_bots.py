"""What holds for every bot of every game that is installed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import tianxia
from tests.bots.rebuilding import check_rebuilt
from tianxia.bots import Bot, bots, make, play, present_name, rebuild, tell
from tianxia.bots.registry import UnknownBot, maker
from tianxia.kernel.registry import games, kind
from tianxia.kernel.sources import PACKAGE
from tianxia.search import thinking
from tianxia.search.levels import LEVELS
from tianxia.search.thinking import Budget

LONGEST = 260  # actions of a game that are looked at


def entries() -> Iterator[tuple[str, str]]:
    for name in games():
        game = tianxia.game(name)
        variants = [o.values for o in game.kind.options if o.name == "variant"]
        specs = [f"{name}(variant={value})" for value in variants[0]] if variants else [name]
        for spec in specs:
            for bot in bots(game):
                if bot not in LEVELS or bot == "novice":  # the others are made the same way
                    yield spec, bot


ENTRIES = list(entries())


@pytest.fixture(autouse=True)
def searching_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the searching bots decide quickly; what holds for them does not depend on it."""
    monkeypatch.setattr(thinking, "USUAL", Budget(iterations=12, rollout=8))


def longest(name: str) -> int:
    return 60 if name in ("search", "novice") else LONGEST


def watched(name: str, game: tianxia.Game, seat: int, seed: int, views: list) -> Bot:
    """Make a bot that keeps what it was shown."""
    bot = make(name, game, seat, seed)
    observe, choose = bot.observe, bot.choose

    def observed(actor: int, action: int | None, view: tianxia.State) -> None:
        views.append(view)
        observe(actor, action, view)

    def chosen(view: tianxia.State, deadline: float | None = None) -> int:
        views.append(view)
        return choose(view, deadline)

    bot.observe, bot.choose = observed, chosen  # type: ignore[method-assign]
    return bot


@pytest.mark.parametrize(("spec", "name"), ENTRIES)
def test_it_is_deterministic_and_its_games_are_legal(spec: str, name: str) -> None:
    game = tianxia.game(spec)
    one, two = (play(game, [name] * game.seats, 7, longest(name)) for _ in range(2))
    assert one == two
    assert list(one.history()) == list(two.history())
    assert list(one.history()) != list(play(game, [name] * game.seats, 8, longest(name)).history())


@pytest.mark.parametrize(("spec", "name"), ENTRIES)
def test_it_gets_views_of_its_own_seat_only(spec: str, name: str) -> None:
    game = tianxia.game(spec)
    shown: dict[int, list] = {seat: [] for seat in range(game.seats)}

    def make_watched(game: tianxia.Game, seat: int, seed: int) -> Bot:
        return watched(name, game, seat, seed, shown[seat])

    play(game, [make_watched] * game.seats, 3, 80)
    for seat, views in shown.items():
        assert len(views) > 30
        assert {view.viewer for view in views} == {seat}


@pytest.mark.parametrize(("spec", "name"), ENTRIES)
def test_hidden_facts_do_not_change_its_choice(spec: str, name: str) -> None:
    """Swap all that a seat cannot know: it sees the same and decides the same."""
    game = tianxia.game(spec)
    rng = tianxia.new_rng(5)
    swapped = 0

    def make_doubtful(game: tianxia.Game, seat: int, seed: int) -> Bot:
        bot = make(name, game, seat, seed)
        choose = bot.choose

        def chosen(view: tianxia.State, deadline: float | None = None) -> int:
            nonlocal swapped
            action = choose(view, deadline)
            for _ in range(2):
                world = view.sample(rng)
                again = world.view(seat)
                assert again == view
                assert choose(again) == action
                swapped += 1
            return action

        bot.choose = chosen  # type: ignore[method-assign]
        return bot

    play(game, [make_doubtful] * game.seats, 11, longest(name))
    assert swapped > 30


@pytest.mark.parametrize(
    ("spec", "name"),
    # It begins in secret. That somebody has finished is known to all, and search may use it.
    [(spec, bot) for spec, bot in ENTRIES if spec.startswith("stratego") and bot != "search"],
)
def test_what_others_do_in_secret_does_not_change_its_choice(spec: str, name: str) -> None:
    """In a secret phase the order in which seats act tells nothing."""
    game = tianxia.game(spec)
    courses = []
    for first in (min, max):
        state = game.new()
        ready = [(seat, make(name, game, seat, seat)) for seat in range(game.seats)]
        while len(state.acting) > 1 or (state.acting and state.plies < game.seats):
            seat = first(state.acting)
            tell(state, ready[seat][1].choose(state.view(seat)), seat, ready)
        courses.append(state.to_bytes())
    assert courses[0] == courses[1]


@pytest.mark.parametrize(("spec", "name"), ENTRIES)
def test_rebuilt_it_decides_as_if_never_stopped(spec: str, name: str) -> None:
    check_rebuilt(name, tianxia.game(spec), longest(name), every=17)


def test_a_rebuilt_bot_may_begin_in_any_position() -> None:
    state = play(tianxia.game("stratego(variant=duel)"), ["random", "random"], 2, 40)
    later = tianxia.position(state.notation())
    (seat,) = later.acting
    bot = rebuild("skirmisher", later, seat, 4)
    assert bot.choose(later.view(seat)) in later.legal_actions(seat)


def own_bots() -> list[tuple[str, str]]:
    return [(game, bot) for game in games() for bot in kind(game).bots if bot not in LEVELS]


def test_no_two_bots_share_a_name_and_none_has_that_of_a_piece() -> None:
    names = [bot for _, bot in own_bots()]
    assert len(set(names)) == len(names)
    texts = [(PACKAGE / "games" / game / "face/rulebook.en.md") for game in games()]
    words = {
        word
        for file in texts
        if file.exists()
        for word in re.findall(r"\w+", file.read_text(encoding="utf-8").lower())
    }
    assert {"marshal", "sergeant", "emissary", "bull"} <= words
    assert words.isdisjoint(names)


def test_former_names_mean_the_bots_of_today() -> None:
    """Each is found by its former name, and never hides another one."""
    former = [(game, old, new) for game in games() for old, new in kind(game).formerly.items()]
    assert {old for _, old, _ in former} == {"sergeant", "marshal", "envoy"}
    for name, old, new in former:
        game = tianxia.game(name)
        assert old not in bots(game)
        assert new in bots(game)
        assert maker(old, game) is maker(new, game)
        assert (present_name(old, name), present_name(new, name)) == (new, new)
    assert present_name("sergeant", "china") == "sergeant"
    assert present_name("sergeant", "chess") == "sergeant", "of a game that is not installed"


def test_names() -> None:
    game = tianxia.game("stratego")
    assert bots(game) == ["random", "search", "skirmisher", *LEVELS]
    with pytest.raises(UnknownBot, match=r"no bot called 'skirmsher'; did you mean skirmisher\?"):
        make("skirmsher", game, 0, 0)
    with pytest.raises(tianxia.TianxiaError, match="there are: random, search, skirmisher"):
        make("zzz", game, 0, 0)
    with pytest.raises(tianxia.SeatError):
        make("random", game, 2, 0)
    with pytest.raises(tianxia.TianxiaError, match="needs 2 bots, not 1"):
        play(game, ["random"])
    assert maker("random", game)(game, 1, 0).choose(game.new().view(1)) >= 0
    assert bots(game.spec) == bots(game)
    assert make("random", game.spec, 1, 0).choose(game.new().view(1)) >= 0
    with pytest.raises(tianxia.TianxiaError, match="seed should be a whole number, not None"):
        make("random", game, 1, None)  # type: ignore[arg-type]


class Deaf:
    """Hears nothing."""

    def __init__(self, *_: object) -> None:
        """Take no note of anything."""

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        return -5


class Cheat(Deaf):
    """Does what there is not."""

    def observe(self, *_: object) -> None:
        """Forget it."""


class Broken(Cheat):
    """Has an error."""

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("makers", "said"),
    [
        (["random", Deaf], "Deaf is not a bot: it lacks observe"),
        (["random", Cheat(0)], "neither a bot's name nor what makes one"),
        (["random", None], "None is neither a bot's name nor what makes one"),
        (["random", "tests.bots:Cheat"], "MODULE:NAME and exec:COMMAND are for the command line"),
        ({"random"}, "needs 2 bots, by name or as what makes them"),
        (["random", Cheat], "-5 is not an action of suntzu"),
        (["random", Broken], "bot of seat 1, Broken"),
    ],
)
def test_a_bots_error_says_whose_it_is(makers: Any, said: str) -> None:
    with pytest.raises((tianxia.TianxiaError, ZeroDivisionError), match=said) as told:
        play("suntzu", makers)
    if isinstance(makers, list):
        name = makers[1] if isinstance(makers[1], str) else type(makers[1]).__name__
        name = makers[1].__name__ if isinstance(makers[1], type) else name
        assert told.value.__notes__ == [f"This is an error of the bot of seat 1, {name}."]


def test_one_bot_may_take_all_seats() -> None:
    one, each = play("suntzu", "random", 3), play("suntzu", ["random"] * 2, 3)
    assert one.history() == each.history() or list(one.history()) == list(each.history())
    with pytest.raises(tianxia.OptionError, match="longest should be"):
        play("suntzu", "random", longest=-1)


def test_random_takes_every_legal_action() -> None:
    game = tianxia.game("stratego", variant="barrage")
    view = game.new().view(0)
    taken = {make("random", game, 0, seed).choose(view) for seed in range(200)}
    assert taken == set(view.legal_actions(0))
