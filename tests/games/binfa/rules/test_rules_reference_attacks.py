"""Dislodgements compared with a plain reading of the rules (BIN-14a to 20, 43b, 45, 46c)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import tianxia
from tests.games.binfa.helpers import FIELD, attacks, legal, phase, play
from tests.games.binfa.rules.test_rules_reference import (
    after_captures,
    after_roll,
    melee,
    piles_of,
    roll_of,
    without_fallen,
)

pytestmark = pytest.mark.rules


class Dislodgement:
    """An attack that is carried out beside the game, which is asked for every decision."""

    def __init__(self, state: tianxia.State, token: str, rng: random.Random) -> None:
        self.state, self.rng = state, rng
        self.origin, self.target = token.split("x")
        roll = roll_of(state)
        inside = {n for n in roll.pools if roll.piles.get(n, "?")[-1] == roll.army}
        self.roll = replace(roll, due=inside)
        self.piles = dict(roll.piles)
        self.army = roll.army
        self.carried_out = True
        self.foe = self.piles[self.target][-1]

    def stopped(self) -> bool:
        """Say whether the game is over, or the active army has fallen."""
        everybody = set("".join(self.piles.values()))
        return len(everybody) < 2 or self.army not in everybody

    def lose(self, *names: str) -> None:
        for name in names:
            del self.piles[name]
        self.piles = without_fallen(self.piles)

    def shift(self, origin: str, target: str, count: int) -> None:
        pile = self.piles.pop(origin)
        if count < len(pile):
            self.piles[origin] = pile[:-count]
        self.piles[target] = self.piles.get(target, "") + pile[-count:]

    def choose(self, options: set[str]) -> str:
        """Check what the game asks; with one option it asks nothing."""
        if len(options) == 1:
            return next(iter(options))
        assert legal(self.state) == options
        token = self.rng.choice(sorted(options))
        play(self.state, token)
        return token

    def fall_back(self, here: str, closed: str) -> list[str] | None:
        """Let a pile retreat; return where to, or None if it is lost in a whirlpool."""
        colour, height = self.piles[here][-1], len(self.piles[here])
        ways = set()
        for name in FIELD[here] - self.roll.terrain - self.roll.pools - {closed}:
            pile = self.piles.get(name, "")
            if len(pile) < 2 or pile[-1] == colour:
                ways.add(name)
        if not ways:
            self.lose(here)
            return None if (FIELD[here] - {closed}) & self.roll.pools else []
        first = self.choose({f"{here}-{name}" for name in ways}).split("-")[1]
        count = height
        if len(ways) == 2:
            above = {n for n in range(1, height) if self.piles[here][-n - 1] == colour}
            count = int(self.choose({str(n) for n in above | {height}}))
        self.shift(here, first, count)
        if count < height:
            (other,) = ways - {first}
            self.shift(here, other, height - count)
            return [first, other]
        return [first]

    def advance(self, origin: str, target: str) -> None:
        self.shift(origin, target, len(self.piles[origin]))

    def one_six(self) -> None:
        self.fall_back(self.target, self.origin)
        if not self.stopped():
            self.advance(self.origin, self.target)

    def two_sixes(self) -> None:
        self.lose(*self.roll.due)
        ours, theirs = self.piles.get(self.origin, "?"), self.piles.get(self.target, "?")
        if (ours[-1], theirs[-1]) != (self.army, self.foe) or len(ours) <= len(theirs):
            self.carried_out = False
            return
        groups = self.fall_back(self.target, self.origin)
        if self.stopped():
            return
        self.advance(self.origin, self.target)
        if groups is None:
            self.follow()
        elif groups:
            self.second_retreat(groups)

    def follow(self) -> None:
        """After the defenders into the whirlpool, but for a pile of their own beside them."""
        for name in FIELD[self.target] - {self.origin} - self.roll.pools:
            pile = self.piles.get(name, "")
            if len(pile) > 1 and pile[-1] == self.army:
                self.advance(self.target, name)
                return
        self.lose(self.target)

    def second_retreat(self, groups: list[str]) -> None:
        for name in groups:
            if self.piles.get(name, "?")[-1] == self.foe:
                self.fall_back(name, self.target)
                if self.stopped():
                    return
        empty = {f"{self.target}-{name}" for name in groups if name not in self.piles}
        if empty:
            self.advance(self.target, self.choose(empty).split("-")[1])


@pytest.mark.parametrize("dice", ["6-6", "6-3"])
@pytest.mark.parametrize("seed", range(80))
def test_BIN_18a_dislodgements_as_the_rules_say(seed: int, dice: str) -> None:
    rng = random.Random(seed)
    state = melee(rng)
    while not attacks(state):
        state = melee(rng)
    for token in sorted(attacks(state)):
        start = state.clone()
        attack = Dislodgement(start, token, rng)
        play(start, f"{token} {dice}")
        if dice == "6-6":
            attack.two_sixes()
        else:
            attack.one_six()
        wanted = attack.piles
        if attack.carried_out and not attack.stopped():
            wanted = after_captures(wanted, attack.roll)
        if dice == "6-3" and phase(start) != "moving":
            wanted = after_roll(wanted, attack.roll)
        assert piles_of(start) == wanted, (state.notation(), token)
