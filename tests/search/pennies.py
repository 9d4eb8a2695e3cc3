"""The smallest game of secret choices: matching pennies with a bias, for tests of search.

Both choose 0 or 1 in secret; then chance opens them. Seat 0 wins where both chose 0, loses
where they differ, and draws where both chose 1. The one right way to play is to take 0 one
time out of three, for both; seat 0 then loses a third of a game.
"""

from __future__ import annotations

from tianxia.kernel import functions as kernel
from tianxia.kernel.errors import ParseError
from tianxia.kernel.functions import answers
from tianxia.kernel.game import GameType
from tianxia.kernel.record import SPECTATOR, SPECTATOR_VIEW, record
from tianxia.kernel.rng import below
from tianxia.kernel.state import State

OPEN = 2
UNKNOWN = 0  # a choice is kept as 1 + its number
PENNIES = record(
    options={}, fields=[("chosen", "i2", (2,)), ("opened", "i1"), ("spare", "i1", (3,))]
)


@answers(kernel.setup, PENNIES)
def setup(state):
    state.acting = 3


@answers(kernel.refusal, PENNIES)
def refusal(state, seat, action):
    if seat < 0:
        return 0 if state.acting == 0 and state.over == 0 and action == OPEN else 1
    return 0 if int(state.acting) >> seat & 1 and action < OPEN else 1


@answers(kernel.legal_actions, PENNIES)
def legal_actions(state, seat, out):
    if int(state.acting) >> seat & 1 == 0:
        return 0
    out[0], out[1] = 0, 1
    return 2


@answers(kernel.apply_action, PENNIES)
def apply_action(state, seat, action):
    state.plies += 1
    if seat >= 0:
        state.chosen[seat] = action + 1
        state.acting = int(state.acting) & ~(1 << seat)
    else:
        state.opened = 1
        state.over = 1


@answers(kernel.chance_outcomes, PENNIES)
def chance_outcomes(state, actions, weights):
    actions[0], weights[0] = OPEN, 1
    return 1


@answers(kernel.seen, PENNIES)
def seen(state, seat, action, viewer):
    return action if seat < 0 or seat == viewer else -1


@answers(kernel.view, PENNIES)
def view(state, seat, out):
    out.acting = state.acting
    out.over = state.over
    out.seats = state.seats
    out.plies = state.plies
    out.opened = state.opened
    out.viewer = SPECTATOR_VIEW if seat == SPECTATOR else seat + 1
    for owner in range(2):
        if owner == seat or state.over != 0:
            out.chosen[owner] = state.chosen[owner]


@answers(kernel.sample, PENNIES)
def sample(state, rng):
    for owner in range(2):
        if int(state.acting) >> owner & 1 == 0 and state.chosen[owner] == UNKNOWN:
            state.chosen[owner] = 1 + below(rng, 2)
    state.viewer = 0


@answers(kernel.utilities, PENNIES)
def utilities(state, out):
    gain = 0.0
    if state.chosen[0] != state.chosen[1]:
        gain = -1.0
    elif state.chosen[0] == 1:
        gain = 1.0
    out[0], out[1] = gain, -gain


@answers(kernel.scores, PENNIES)
def scores(state, out):
    kernel.utilities(state, out)


@answers(kernel.evaluate, PENNIES)
def evaluate(state, out):
    out[0], out[1] = 0.0, 0.0


@answers(kernel.encode, PENNIES)
def encode(state, out):
    out[0] = state.opened


@answers(kernel.limits, PENNIES)
def limits(state):
    return 3, 2, 1, 1


class Words:
    """Just enough words to be a game."""

    def write(self, state: State, action: int, seat: int) -> str:
        return ("heads", "tails", "open")[action]

    def read(self, state: State, text: str, seat: int) -> int:
        raise ParseError("nobody types here")

    def describe(
        self, state: State, action: int, seat: int, viewer: int | None, language: str
    ) -> str:
        return self.write(state, action, seat)

    def diagram(self, state: State, language: str) -> str:
        return ""


GAME = GameType(
    name="pennies",
    title="Matching pennies",
    rules_version=1,
    dtype=PENNIES,
    words=Words(),
    statements={1: "P-1"},
)
