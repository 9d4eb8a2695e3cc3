"""A small open game whose turns are two actions long, for tests of search.

A heap of stones; whoever's turn it is takes 1 to 3 of them, and then 1 to 3 again; who takes
the last one wins. With `news` the first half of a turn tells the mood of the turn, which nobody
knew before, and which changes nothing else. `guide` is what `policy` says of the
actions. 0: nothing; 1:
take one stone, nothing else; 2: take three, less likely something else.
"""

from __future__ import annotations

from tests.search.pennies import Words
from tianxia.kernel import functions as kernel
from tianxia.kernel.functions import answers
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option
from tianxia.kernel.record import record
from tianxia.kernel.rng import below
from tianxia.kernel.views import open_fields

MOST = 3
MOODS = 3
UNKNOWN = 0  # a mood is kept as its number from 1 on
HEAP = record(
    options={"stones": "i2", "guide": "i1", "news": "i1"},
    fields=[("left", "i2"), ("turn", "i1"), ("half", "i1"), ("mood", "i1"), ("told", "i1")],
)


@answers(kernel.setup, HEAP)
def setup(state):
    state.left = state.options.stones
    state.acting = 1
    state.mood = 1


@answers(kernel.refusal, HEAP)
def refusal(state, seat, action):
    if seat < 0 or int(state.acting) >> seat & 1 == 0:
        return 1
    return 0 if 0 <= action < MOST and action < state.left else 1


@answers(kernel.legal_actions, HEAP)
def legal_actions(state, seat, out):
    count = 0
    if int(state.acting) >> seat & 1:
        count = min(MOST, int(state.left))
        for i in range(count):
            out[i] = i
    return count


@answers(kernel.apply_action, HEAP)
def apply_action(state, seat, action):
    """Take stones; the second half of a turn ends it. A first half may tell a mood."""
    state.plies += 1
    state.left -= action + 1
    if state.left == 0:
        state.over = 1
        state.acting = 0
        return
    if state.half == 0:
        state.half = 1
        state.told = state.options.news
        return
    state.half = 0
    state.told = 0
    state.turn = 1 - state.turn
    state.acting = 1 << int(state.turn)


@answers(kernel.chance_outcomes, HEAP)
def chance_outcomes(state, actions, weights):
    return 0


@answers(kernel.seen, HEAP)
def seen(state, seat, action, viewer):
    return action


see_open = open_fields(HEAP, "left turn half told")


@answers(kernel.view, HEAP)
def view(state, seat, out):
    see_open(state, seat, out)
    if state.told != 0 or state.over != 0:
        out.mood = state.mood


@answers(kernel.sample, HEAP)
def sample(state, rng):
    if state.mood == UNKNOWN:
        state.mood = 1 + below(rng, MOODS)
    state.viewer = 0


@answers(kernel.utilities, HEAP)
def utilities(state, out):
    out[state.turn], out[1 - state.turn] = 1.0, -1.0


@answers(kernel.scores, HEAP)
def scores(state, out):
    out[0], out[1] = 0.0, 0.0


@answers(kernel.evaluate, HEAP)
def evaluate(state, out):
    out[0], out[1] = 0.0, 0.0


@answers(kernel.policy, HEAP)
def policy(state, seat, actions, count, weights):
    guide = int(state.options.guide)
    for i in range(count):
        weights[i] = int(i == 0) if guide == 1 else 1 + 8 * int(i == MOST - 1)
    return guide != 0


@answers(kernel.encode, HEAP)
def encode(state, out):
    out[0] = state.left


@answers(kernel.limits, HEAP)
def limits(state):
    return MOST, MOST, 1, 1


GAME = GameType(
    name="heap",
    title="Heap",
    rules_version=1,
    dtype=HEAP,
    words=Words(),
    statements={1: "H-1"},
    options=(
        Option("stones", 20, range(1, 1000), "stones at the start"),
        Option("guide", 0, (0, 1, 2), "what is said of actions"),
        Option("news", 0, (0, 1), "whether something is told"),
    ),
)
