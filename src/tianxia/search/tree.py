"""The memory of a tree search: a pool of nodes, and a table that finds them.

Everything is allocated once and used again, so that searching allocates nothing. A node is
found by its parent, by who acted, and by the action as the tree's owner has seen it. The
numbers of nodes begin at 1; 0 is no node. When the pool is full no node is added any more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.jit import entry, rule
from tianxia.kernel.record import MAX_SEATS, Pool, blank

NODE = np.dtype(
    [
        ("key", "i8"),  # parent, actor and action: see `key_of`
        ("visits", "i8"),  # how often its action was taken
        ("available", "i8"),  # how often it was legal when its parent was visited
        ("reward", "f8"),  # what this gave to whoever took it, added up
        ("regret", "f8"),  # of secret choices: what it would have given more; at least 0
        ("taken", "f8"),  # of secret choices: its probabilities, weighed and added up
        ("weight", "i8"),  # how likely a net thinks it to be good; 0: none was asked
    ]
)
DEEPEST = 256
"""Decisions of one simulation that are kept in the tree."""
LONGEST = 1 << 14
"""Secret choices of one simulation, together, that are kept in the tree."""
ACTOR_BIT, NODE_BIT = 32, 36
SPREAD_NODES, SPREAD_ACTIONS, SPREAD_ACTORS = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D


class Tree(NamedTuple):
    """Arrays of a search.

    Attributes
    ----------
    nodes
        The pool.
    table
        Rows of key and node; open addressing, its length is a power of two.
    used
        One element: the nodes in use.
    where
        The node at which each seat's own tree is during a simulation.
    path
        The decisions of a simulation: seat, node, where its choices begin in `choices`
        (−1 where the choice was open) and how many there are.
    choices, chances
        The nodes among which secret choices were made, and with what probabilities.
    actions, weights, utility
        Room for what the game writes.
    """

    nodes: Pool
    table: NDArray[np.int64]
    used: NDArray[np.int64]
    where: NDArray[np.int64]
    path: NDArray[np.int64]
    choices: NDArray[np.int64]
    chances: NDArray[np.float64]
    actions: NDArray[np.int64]
    weights: NDArray[np.int64]
    utility: NDArray[np.float64]


def make_tree(nodes: int, longest: int) -> Tree:
    """Return memory for so many nodes and lists of actions of this length."""
    size = 1 << max(nodes * 2 - 1, 1).bit_length()
    return Tree(
        nodes=blank(NODE, nodes),
        table=np.zeros((size, 2), np.int64),
        used=np.zeros(1, np.int64),
        where=np.zeros(MAX_SEATS + 1, np.int64),
        path=np.zeros((DEEPEST, 4), np.int64),
        choices=np.zeros(LONGEST, np.int64),
        chances=np.zeros(LONGEST, np.float64),
        actions=np.zeros(longest, np.int64),
        weights=np.zeros(longest, np.int64),
        utility=np.zeros(MAX_SEATS + 1, np.float64),
    )


@rule
def plant(tree, seats):
    """Forget everything; give each seat the root of a tree of its own."""
    tree.table[:] = 0
    tree.used[0] = 0
    for _ in range(seats + 1):  # node 0 is no node
        fresh_node(tree)


@rule
def fresh_node(tree):
    """Return a new node, or 0 where the pool is full."""
    number = tree.used[0]
    if number == len(tree.nodes):
        return 0
    node = tree.nodes[number]
    node.key = 0
    node.visits = 0
    node.available = 0
    node.reward = 0.0
    node.regret = 0.0
    node.taken = 0.0
    node.weight = 0
    tree.used[0] = number + 1
    return number


@rule
def key_of(parent, actor, action):
    """Return what a node is found by; never 0, since parents begin at 1."""
    return (int(parent) << NODE_BIT) | (int(actor) << ACTOR_BIT) | int(action)


@rule
def place_of(tree, parent, actor, action):
    """Return the row of the table where a node stands, or where it would."""
    mixed = int(parent) * SPREAD_NODES ^ int(action) * SPREAD_ACTIONS ^ int(actor) * SPREAD_ACTORS
    last = len(tree.table) - 1
    row = (mixed ^ (mixed >> 17)) & last
    key = key_of(parent, actor, action)
    while tree.table[row, 0] != 0 and tree.table[row, 0] != key:
        row = (row + 1) & last
    return row


@rule
def child_of(tree, parent, actor, action):
    """Return the node that an action leads to, or 0."""
    return tree.table[place_of(tree, parent, actor, action), 1]


@rule
def child_made(tree, parent, actor, action):
    """Return the node that an action leads to, added where it is new; 0 where all is full."""
    if parent == 0:
        return 0
    row = place_of(tree, parent, actor, action)
    if tree.table[row, 0] == 0:
        node = fresh_node(tree)
        if node == 0:
            return 0
        tree.table[row, 0] = tree.nodes[node].key = key_of(parent, actor, action)
        tree.table[row, 1] = node
    return tree.table[row, 1]


# --- Going on from an earlier search ---


@rule
def parent_in(key):
    """Return the node below which a node stands."""
    return key >> NODE_BIT


@rule
def actor_in(key):
    """Return who acted."""
    return key >> ACTOR_BIT & ((1 << NODE_BIT - ACTOR_BIT) - 1)


@rule
def action_in(key):
    """Return the action, as the tree's owner has seen it."""
    return key & ((1 << ACTOR_BIT) - 1)


@entry
def transplant(tree, old, moved, seats, actor, known):
    """Plant what an earlier search knew to come after an action.

    Parameters
    ----------
    old
        The nodes of that search; those above 0 are in the order in which they were made, so
        that each stands behind its parent.
    moved
        Zeros, as many as there are old nodes: room for their new numbers.
    actor, known
        Who has acted, and the action as each seat has seen it, −1 where it has not.
    """
    plant(tree, seats)
    for seat in range(seats):
        if known[seat] < 0:
            moved[seat + 1] = seat + 1
    for number in range(seats + 1, len(old)):
        node = old[number]
        parent = parent_in(node.key)
        if parent <= seats and node.key == key_of(parent, actor, known[parent - 1]):
            moved[number] = parent
            continue
        new = child_made(tree, moved[parent], actor_in(node.key), action_in(node.key))
        if new != 0:
            moved[number] = new
            key = tree.nodes[new].key
            tree.nodes[new] = node
            tree.nodes[new].key = key
