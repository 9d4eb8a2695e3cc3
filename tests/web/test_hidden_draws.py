"""A game of draws: what two people and a spectator are sent tells nothing of a third one's hand.

The same game of Fire Bulls is played on two servers, with the same chance but for one card: a
card that Blue draws unseen, and keeps, is another one. All that the others are sent has to be
the same to the byte, thefts and refilled rows included.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from operator import eq

import pytest

import tianxia
from tests.web.test_hidden import Play, Watched, difference, same_chance
from tests.web.world import QUICK, Table, World, world
from tianxia import CHANCE, SPECTATOR
from tianxia.games.firebulls.rules.components import ATTACK, CARD, LOSE, PLACE
from tianxia.kernel.state import State
from tianxia.tables import Tables
from tianxia.tables.chance import Chance
from tianxia.web import live

PLAYERS = 3
DECISIONS = 18
SPEC = f"firebulls(players={PLAYERS})"


def played(seed: int) -> State:
    """Return a game of some decisions; attacks are preferred."""
    dice, state = random.Random(seed), tianxia.game(SPEC).new()
    decided = 0
    while decided < DECISIONS and not state.over:
        if not state.acting:
            actions, weights = zip(*state.chance_weights(), strict=True)
            state.apply(dice.choices(actions, weights)[0], CHANCE)
            continue
        legal = state.legal_actions()
        attacks = [action for action in legal if ATTACK <= action < PLACE]
        state.apply(dice.choice(attacks if attacks and dice.random() < 0.5 else legal))
        decided += 1
    while not state.acting and not state.over:
        state.apply(state.chance_weights()[0][0], CHANCE)
    return state


def views(plays: list[Play]) -> Iterator[list[bytes]]:
    """Yield what all but Blue may know of a game, ply by ply."""
    state = tianxia.game(SPEC).new()
    for seat, action in plays:
        state.apply(action, seat)
        yield [state.view(viewer).to_bytes() for viewer in (1, 2, SPECTATOR)]


def exchanged(plays: list[Play]) -> list[Play] | None:
    """Return the game with another card in Blue's hand, which nobody else notices."""
    known = list(views(plays))
    draws = [
        i for i, (seat, action) in enumerate(plays) if seat == CHANCE and CARD <= action < LOSE
    ]
    for place, card in itertools.product(draws, range(CARD, LOSE)):
        other = [*plays[:place], (CHANCE, card), *plays[place + 1 :]]
        try:
            if other != plays and all(map(eq, views(other), known)):
                return other
        except tianxia.IllegalAction:
            continue
    return None


def two_worlds() -> tuple[list[Play], list[Play]]:
    for seed in range(100):
        state = played(seed)
        plays = list(state.history())
        other = None if state.over else exchanged(plays)
        attacks = sum(ATTACK <= action < PLACE for _, action in plays)
        if other is not None and attacks > 2:
            return plays, other
    raise AssertionError("no such game was found")


def rigged(plays: list[Play], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let chance draw what it drew in a game."""
    state, drawn = tianxia.game(SPEC).new(), []
    for seat, action in plays:
        if seat == CHANCE and len(state.chance_weights()) > 1:
            drawn.append(action)
        state.apply(action, seat)

    def draw(self: Chance, weights: list[tuple[int, int]], number: int) -> int:
        return weights[0][0] if len(weights) == 1 else drawn[number - 1]

    monkeypatch.setattr(Chance, "draw", draw)


def quiet_table(running: World) -> Table:
    """Return a new table without talk, whose pushes come in their own time."""
    host = running.visitor()
    host.become()
    wish = {"game": "firebulls", "options": {"players": PLAYERS}, "seats": ["me", "open", "open"]}
    answer = host.post("/api/v1/tables", {**wish, "nickname": "Ada", "talk": False})
    assert answer.status_code == 201, answer.text
    return Table(running, host, answer.json()["table"])


def story(plays: list[Play], monkeypatch: pytest.MonkeyPatch) -> dict[str, list[bytes]]:
    """Play a game; return what everybody was sent."""
    monkeypatch.setattr(live, "BEAT_SECONDS", 1e6)  # they come by the clock, in between
    rigged(plays, monkeypatch)
    tables = Tables("sqlite://", clock=itertools.count(1_000_000.0).__next__)
    tables.clock = lambda: 1_000_000.0
    with same_chance(monkeypatch), world(QUICK, tables) as running:
        table = quiet_table(running)
        people = (table.host, table.guest(1), table.guest(2))
        spectator = running.visitor(accept_language="fr")
        spectator.become()
        others = (people[1], people[2], spectator)
        with (
            others[0].live(table.id) as one,
            others[1].live(table.id) as two,
            others[2].live(table.id) as three,
        ):
            sockets = (one, two, three)
            watching = [
                Watched(who, socket, table.id) for who, socket in zip(others, sockets, strict=True)
            ]
            for who in watching:
                who.catch_up()  # the first push must not wait until after the first action
            for number, (seat, action) in enumerate(play for play in plays if play[0] != CHANCE):
                answer = table.act(people[seat], action)
                assert answer.status_code == 200, answer.text
                for who in watching:
                    who.catch_up()
                    if number % 6 == 0:
                        who.ask()
    names = ("Blue", "Yellow", "Brown", "spectator")
    return {name: one.received for name, one in zip(names, (*people, spectator), strict=True)}


@pytest.mark.timeout(200)
def test_another_card_in_a_hand_changes_no_byte_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    plays, others = two_worlds()
    first, second = story(plays, monkeypatch), story(others, monkeypatch)
    assert first["Blue"] != second["Blue"]
    for name in ("Yellow", "Brown", "spectator"):
        assert len(first[name]) > 20
        for place, (a, b) in enumerate(zip(first[name], second[name], strict=True)):
            assert a == b, f"{name}, message {place}: {difference(a, b)}"
