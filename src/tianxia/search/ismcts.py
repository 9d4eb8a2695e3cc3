"""Information-set Monte Carlo tree search over the functions that every game answers.

After Cowling, Powley and Whitehouse, *Information Set Monte Carlo Tree Search* (2012), in
its form with several observers (MO-ISMCTS). One iteration:

1. *Determinize*: sample a world that agrees with the view of the thinking seat.
2. *Select*: each seat has a tree of its own, whose nodes are what that seat has seen done
   since the root; what it has not seen does not move it. Whoever acts chooses in his own
   tree among the actions that are legal in this world.
3. *Expand*: an action that was never taken becomes a node.
4. *Simulate*: some random actions, then the game's own guess, `evaluate`.
5. *Backpropagate*: each decision on the way gets its own seat's utility (max^n).

Open choices follow UCB1, counting how often an action was available, as in the paper. Where
the game tells beforehand what is likely to be good, `policy`, they follow PUCT instead (Rosin
2011, in the form of Silver et al. 2017), and simulations draw their actions by it.
Secret ones, which another seat does not see or makes at the same time, follow regret
matching (Hart and Mas-Colell 2000; with regrets never below 0 and later strategies
weighing more, as in CFR+, Tammelin 2014), each seat for itself: the answer is then the
average of the strategies, which is mixed where one has to mix.

A trained net can stand in for `evaluate` and `policy` (`guide`): see `judged` and `weigh`.

Chance is open-loop: its outcomes are drawn anew each time and make no nodes, so a node
stands for all that chance may have done on the way there.

Compiled once for each game; runs without the interpreter's lock.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tianxia.kernel import functions as f
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import below, drawn, fraction
from tianxia.search import guide as nets
from tianxia.search.tree import child_made, child_of

OPEN = -1
"""In a path: the choice was an open one."""
SEAT, NODE, FIRST, COUNT = range(4)
VISITS, VALUE, SHARE, FOUND = range(4)
"""Columns of what is found: visits, mean utility, share, and columns."""
PRIOR = 0.5
"""What a secret choice is thought to give, from 0 to 1, before anything is known."""
BEGINNING = 1.0
"""What all secret choices together are thought to be regretted by, at first, where there are
weights: as one whole win. With nothing they would count until the first iteration only."""


class Manner(NamedTuple):
    """How a search goes about it.

    Attributes
    ----------
    rollout
        Actions of a simulation after the tree, those of chance included.
    exploration
        The constant of UCB1, for utilities scaled to 0…1 (the paper takes 0.7).
    trust
        The constant of PUCT, for the same scale: how far `policy` is followed.
    mixing
        The share of secret choices that are made at random, to learn about all.
    """

    rollout: int
    exploration: float
    trust: float
    mixing: float


@entry
def search(view, world, tree, seat, iterations, manner, rng, found, guide):
    """Search for the best action of a seat, and write down what was found.

    Parameters
    ----------
    view, world
        Pools of one record: what the seat may know, and room for sampled worlds.
    tree
        A `tree.Tree`, planted; the search goes on from what it holds.
    seat
        The seat that thinks; it may act.
    iterations
        How many.
    manner
        A `Manner`.
    found
        Array (actions, `FOUND`): for each legal action in the order of `legal_actions`
        its visits, its mean utility, and its share of the answer: 1 for the most
        visited, or its probability where choices are secret.
    guide
        A `guide.Guide`, to go by a net; None goes by the game's own `evaluate` and `policy`, and
        the compiler leaves out all that is here for nets.
    """
    for _ in range(iterations):
        world[0] = view[0]
        f.sample(world[0], rng)
        steps = descend(world[0], tree, seat, manner, rng, guide)
        simulate(world[0], tree, manner.rollout, rng)
        value(world[0], tree, seat, rng, guide)
        for step in range(steps):
            learn(tree, tree.path[step])
    return answer(view[0], tree, seat, found)


@rule
def value(state, tree, thinker, rng, guide):
    """Write each seat's utility, or a guess of it where the game goes on."""
    if guide is None:
        if state.over != 0:
            f.utilities(state, tree.utility)
        else:
            f.evaluate(state, tree.utility)
    else:
        judged(state, tree, thinker, rng, guide)


@rule
def judged(state, tree, thinker, rng, guide):
    """Write what a net expects for whoever decides next; the others share what that leaves.

    The net has learnt to judge what a seat sees that is to decide, so chance acts first.
    """
    while state.acting == 0 and state.over == 0:
        let_chance_act(state, tree, rng)
    if state.over != 0:
        f.utilities(state, tree.utility)
        return
    seat = actor_of(int(state.acting), thinker)
    expected = nets.look(guide, state, seat)
    for other in range(int(state.seats)):
        tree.utility[other] = expected if other == seat else -expected / (int(state.seats) - 1)
    count = f.legal_actions(state, seat, tree.actions)
    if count > 1:
        note_weights(tree, seat, count, guide)


# --- Selection and expansion ---


@rule
def descend(state, tree, thinker, manner, rng, guide):
    """Play down the trees until an action is new; return the number of decisions made."""
    for seat in range(int(state.seats)):
        tree.where[seat] = seat + 1
    steps = listed = 0
    while state.over == 0 and steps < len(tree.path):
        acting = int(state.acting)
        if acting == 0:
            let_chance_act(state, tree, rng)
            continue
        seat = actor_of(acting, thinker)
        count = f.legal_actions(state, seat, tree.actions)
        if count == 1:
            follow(state, tree, seat, tree.actions[0])
            f.apply_action(state, seat, tree.actions[0])
            continue
        if listed + count > len(tree.choices):
            break
        step = tree.path[steps]
        weights = weigh(state, tree, seat, count, guide)
        if is_secret(state, acting, seat, tree.actions[0]):
            chosen = choose_secretly(tree, seat, count, weights, listed, manner.mixing, rng)
            step[FIRST], step[COUNT] = listed, count
            listed += count
        else:
            if weights == 0:
                chosen = choose_openly(tree, seat, count, manner.exploration, rng)
            else:
                chosen = choose_by_policy(tree, seat, count, weights, listed, manner.trust)
            step[FIRST], step[COUNT] = OPEN, 0
        action = tree.actions[chosen]
        node = child_made(tree, tree.where[seat], seat, action)
        if node == 0:
            break
        step[SEAT], step[NODE] = seat, node
        steps += 1
        is_new = tree.nodes[node].visits == 0
        follow(state, tree, seat, action)
        f.apply_action(state, seat, action)
        if is_new:
            break
    return steps


@rule
def let_chance_act(state, tree, rng):
    """Draw what chance does."""
    f.apply_action(state, CHANCE, f.random_outcome(state, tree.actions, tree.weights, rng))


@rule
def actor_of(acting, thinker):
    """Return who decides next: of several the thinking seat, so that it knows of no other."""
    return thinker if acting >> thinker & 1 else lowest(acting)


@rule
def is_secret(state, acting, seat, action):
    """Say whether a choice is made at the same time as another's, or hidden from a seat."""
    if acting & (acting - 1) != 0:
        return True
    for other in range(int(state.seats)):
        if other != seat and f.seen(state, seat, action, other) < 0:
            return True
    return False


@rule
def follow(state, tree, seat, action):
    """Move each seat's tree by what that seat sees of an action; what is unseen moves none."""
    for other in range(int(state.seats)):
        known = action if other == seat else f.seen(state, seat, action, other)
        if known >= 0:
            tree.where[other] = child_made(tree, tree.where[other], seat, known)


@rule
def weigh(state, tree, seat, count, guide):
    """Write weights of the legal actions; return their sum, 0 without any.

    Of a game that gives none the compiler knows it, and leaves out all that follows from them.
    """
    if guide is None:
        if not f.policy(state, seat, tree.actions, count, tree.weights):
            return 0
    elif not are_noted(tree, seat, count):
        nets.look(guide, state, seat)
        note_weights(tree, seat, count, guide)
    total = 0
    for i in range(count):
        total += int(tree.weights[i])
    return total


@rule
def are_noted(tree, seat, count):
    """Write what a net has said of the legal actions; say whether it has of all of them."""
    for i in range(count):
        tree.weights[i] = tree.nodes[child_of(tree, tree.where[seat], seat, tree.actions[i])].weight
        if tree.weights[i] == 0:
            return False
    return True


@rule
def note_weights(tree, seat, count, guide):
    """Write what a net says of the legal actions, and keep it in the tree.

    So a net looks once at what comes after an action, unless chance makes other actions legal.
    """
    nets.weigh(guide, seat, tree.actions, count, tree.weights)
    for i in range(count):
        node = child_made(tree, tree.where[seat], seat, tree.actions[i])
        if node != 0:
            tree.nodes[node].weight = tree.weights[i]


@rule
def choose_openly(tree, seat, count, exploration, rng):
    """Return which legal action to take: one that is new, else the best by UCB1."""
    best, highest, new = 0, -1.0, 0
    for i in range(count):
        node = child_of(tree, tree.where[seat], seat, tree.actions[i])
        if node == 0 or tree.nodes[node].visits == 0:
            new += 1
            if below(rng, new) == 0:
                best = i
            continue
        tree.nodes[node].available += 1
        if new == 0:
            score = upper_bound(tree.nodes[node], exploration)
            if score > highest:
                best, highest = i, score
    return best


@rule
def upper_bound(node, exploration):
    """Return UCB1's score of an action that was not always available."""
    visits = float(node.visits)
    return node.reward / visits + exploration * math.sqrt(math.log(float(node.available)) / visits)


@rule
def choose_by_policy(tree, seat, count, weights, first, trust):
    """Return which legal action to take: the best by PUCT; `weights` is their sum.

    A new one is thought to give what the others gave.
    """
    visits, reward = 0, 0.0
    for i in range(count):
        number = child_of(tree, tree.where[seat], seat, tree.actions[i])
        tree.choices[first + i] = number
        visits += tree.nodes[number].visits
        reward += tree.nodes[number].reward
    usual = (reward + PRIOR) / (visits + 1)
    best, highest = 0, -1.0
    for i in range(count):
        node = tree.nodes[tree.choices[first + i]]
        mean = node.reward / node.visits if node.visits > 0 else usual
        wide = trust * tree.weights[i] / weights * math.sqrt(visits + 1.0)
        score = mean + wide / (1 + node.visits)
        if score > highest:
            best, highest = i, score
    return best


@rule
def choose_secretly(tree, seat, count, weights, first, mixing, rng):
    """Return which legal action to take, by regret matching; note the probabilities.

    It begins with the given weights, of the sum `weights`, or with all alike where there are
    none; so it does again where nothing is regretted.
    """
    total = 0.0
    for i in range(count):
        node = child_made(tree, tree.where[seat], seat, tree.actions[i])
        tree.choices[first + i] = node
        if weights > 0 and tree.nodes[node].available == 0:
            tree.nodes[node].regret = BEGINNING * tree.weights[i] / weights
        tree.chances[first + i] = tree.nodes[node].regret
        total += tree.chances[first + i]
    ticket, reached, chosen = fraction(rng), 0.0, count - 1
    for i in range(count):
        node = tree.nodes[tree.choices[first + i]]
        share = 1 / count
        if total > 0:
            share = tree.chances[first + i] / total
        elif weights > 0:
            share = tree.weights[i] / weights
        node.available += 1
        node.taken += share * node.available  # later strategies are better ones
        chance = (1 - mixing) * share + mixing / count
        tree.chances[first + i] = chance
        reached += chance
        if ticket < reached and i < chosen:
            chosen = i
    return chosen


# --- Simulation ---


@rule
def simulate(state, tree, longest, rng):
    """Play on for some actions, those of chance included."""
    for _ in range(longest):
        if state.over != 0:
            return
        acting = int(state.acting)
        if acting == 0:
            let_chance_act(state, tree, rng)
            continue
        seat = lowest(acting)
        f.apply_action(state, seat, simulated(state, tree, seat, rng))


@rule
def simulated(state, tree, seat, rng):
    """Return what a seat does in a simulation: by the game's own weights where it gives any."""
    if not f.has_policy(state):
        return f.random_action(state, seat, tree.actions, rng)
    count = f.legal_actions(state, seat, tree.actions)
    if count > 1 and f.policy(state, seat, tree.actions, count, tree.weights):
        return drawn(tree.actions, tree.weights, count, rng)
    return tree.actions[below(rng, count)]


# --- Backpropagation ---


@rule
def learn(tree, step):
    """Add a simulation's utility to a decision of it."""
    node = tree.nodes[step[NODE]]
    reward = (tree.utility[step[SEAT]] + 1) / 2
    if step[FIRST] != OPEN:
        regret(tree, step, reward)
    node.visits += 1
    node.reward += reward


@rule
def expected(node):
    """Return what an action is thought to give, from 0 to 1."""
    return (node.reward + PRIOR) / (node.visits + 1)


@rule
def regret(tree, step, reward):
    """Add what each action of a secret choice would have given more than the strategy did.

    Only one was tried: the others count as what they have given so far, and this one's
    surprise is weighed by how seldom it is tried (a control variate; Schmid et al. 2019).
    """
    first, last = step[FIRST], step[FIRST] + step[COUNT]
    mean = surprise = 0.0
    for i in range(first, last):
        node = tree.nodes[tree.choices[i]]
        mean += tree.chances[i] * expected(node)
        if tree.choices[i] == step[NODE]:
            surprise = reward - expected(node)
    for i in range(first, last):
        node = tree.nodes[tree.choices[i]]
        more = expected(node) - mean - surprise
        if tree.choices[i] == step[NODE]:
            more += surprise / tree.chances[i]
        node.regret = max(node.regret + more, 0.0)


# --- The answer ---


@rule
def answer(state, tree, seat, found):
    """Write down what is known of each legal action; return how many there are."""
    count = f.legal_actions(state, seat, tree.actions)
    best, total = 0, 0.0
    for i in range(count):
        number = child_of(tree, seat + 1, seat, tree.actions[i])
        node = tree.nodes[number]
        visits = int(node.visits) if number != 0 else 0
        found[i, VISITS] = visits
        found[i, VALUE] = 2 * node.reward / visits - 1 if visits > 0 else -1.0
        found[i, SHARE] = node.taken if number != 0 else 0.0  # open choices have none
        total += found[i, SHARE]
        if found[i, VISITS] > found[best, VISITS]:
            best = i
    for i in range(count):
        if total > 0:
            found[i, SHARE] /= total
        else:
            found[i, SHARE] = 1.0 if i == best else 0.0
    return count
