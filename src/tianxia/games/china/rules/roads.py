"""Roads: the best set of disjoint chains of an owner's palaces (CHI-56 to 59, CHI-65).

A chain is a path along roads over palaces of one owner, four at least; it may pass each
palace once, and no palace is in two chains. It pays its length, twice that if one of its
palaces stands on a fortification. The value is the best total that any choice of chains
gives: exact, by search with bounds, one connected group of palaces after the other.

The search is written as a loop over a stack, since compiled rules call nothing in a
circle. A level of the stack is a choice: where a chain goes on at one of its ends, or
ends there. A chain is begun at the palace with the fewest neighbours, which the next
chain has to contain or nothing can; first it grows in one direction, then in the other.
"""

from __future__ import annotations

import numpy as np

from tianxia.games.china.rules.components import LEAST_CHAIN, NEAR
from tianxia.kernel.bits import count_bits, lowest
from tianxia.kernel.jit import allocates, rule

MOST_CHAINS = 8
_DEPTH = 64
_BEGIN, _FRONT, _BACK = 0, 1, 2
_END = 1 << 62  # in a set of ways to go on: to end here instead


@rule
def group_of(land, spaces):
    """Return all spaces that hang together with the lowest one."""
    group = spaces & -spaces
    edge = group
    while edge != 0:
        space = lowest(edge)
        edge &= edge - 1
        found = NEAR[land, space] & spaces & ~group
        group |= found
        edge |= found
    return group


@rule
def is_line(land, group):
    """Say whether nowhere more than two roads of a group meet: one chain takes all of it."""
    rest = group
    while rest != 0:
        space = lowest(rest)
        rest &= rest - 1
        if count_bits(NEAR[land, space] & group) > 2:
            return False
    return True


@rule
def loneliest(land, spaces):
    """Return the space with the fewest neighbours within a set."""
    best, fewest = -1, 99
    rest = spaces
    while rest != 0:
        space = lowest(rest)
        rest &= rest - 1
        neighbours = count_bits(NEAR[land, space] & spaces)
        if neighbours < fewest:
            best, fewest = space, neighbours
            if fewest <= 1:
                break
    return best


@rule
def trimmed(land, spaces):
    """Return a set without the parts that are too small for any chain."""
    kept, rest = 0, spaces
    while rest != 0:
        group = group_of(land, rest)
        rest &= ~group
        if count_bits(group) >= LEAST_CHAIN:
            kept |= group
    return kept


@rule
def worth(chain, forts):
    """Return what a chain pays (CHI-56, CHI-59, CHI-65)."""
    length = count_bits(chain)
    if length < LEAST_CHAIN:
        return 0
    return 2 * length if chain & forts != 0 else length


@rule
def most(land, spaces, forts):
    """Return a bound of what chains on some spaces can pay together."""
    total, rest = 0, spaces
    while rest != 0:
        group = group_of(land, rest)
        rest &= ~group
        total += worth(group, forts)
    return total


@rule
def best_of_group(land, group, forts, stack, closed, out):
    """Return the best total of a group of palaces; write its chains into `out`.

    `stack` (`_DEPTH` × 8) and `closed` are scratch. A level of the stack holds: the kind of
    choice, free spaces, points of the chains closed before, their number, the chain that
    grows, its end, the first step of its front, and the ways that are still to be tried.
    """
    best, found = 0, 0
    limit = most(land, group, forts)
    depth = 0
    stack[0, 0] = _BEGIN
    stack[0, 1] = group
    stack[0, 2] = 0
    stack[0, 3] = 0
    stack[0, 7] = 0
    while depth >= 0 and best < limit:
        kind, free, points, chains, chain, _end, first, ways = stack[depth]
        if kind == _BEGIN:
            if ways != 0:  # the chain through this space was tried: now leave the space out
                free &= ~ways
            if points > best:
                best, found = points, chains
                for i in range(chains):
                    out[i] = closed[i]
            free = trimmed(land, free)
            if points + most(land, free, forts) <= best:
                depth -= 1
                continue
            space = loneliest(land, free)
            start = 1 << space
            stack[depth, 1] = free
            stack[depth, 7] = start
            depth += 1
            _push(stack, depth, _FRONT, free & ~start, points, chains, start, space, 0)
            stack[depth, 7] = NEAR[land, space] & free
            continue
        reach = chain | free
        bound = count_bits(reach) * (2 if reach & forts != 0 else 1)
        if ways == 0 or points + bound <= best:
            depth -= 1
            continue
        way = ways & -ways
        stack[depth, 7] = ways & ~way
        depth += 1
        if way != _END:
            space = lowest(way)
            step = first if first != 0 else way
            _push(stack, depth, kind, free & ~way, points, chains, chain | way, space, step)
            stack[depth, 7] = (NEAR[land, space] & free & ~way) | _END
        elif kind == _FRONT:
            # The chain's start is its lowest level's; ways beyond the first step of the
            # front only, or each chain would be met twice.
            start = stack[depth - count_bits(chain), 5]
            _push(stack, depth, _BACK, free, points, chains, chain, start, first)
            stack[depth, 7] = (NEAR[land, start] & free & ~((first << 1) - 1)) | _END
        elif count_bits(chain) >= LEAST_CHAIN:
            closed[chains] = chain
            _push(stack, depth, _BEGIN, free, points + worth(chain, forts), chains + 1, 0, 0, 0)
        else:
            depth -= 1
    out[found:] = 0
    return best


@rule
def _push(stack, depth, kind, free, points, chains, chain, end, first):
    """Write a level of the stack, without ways to go on."""
    stack[depth, 0] = kind
    stack[depth, 1] = free
    stack[depth, 2] = points
    stack[depth, 3] = chains
    stack[depth, 4] = chain
    stack[depth, 5] = end
    stack[depth, 6] = first
    stack[depth, 7] = 0


@rule
@allocates
def road_points(land, palaces, forts):
    """Return what an owner's roads pay."""
    return best_chains(land, palaces, forts, np.empty(MOST_CHAINS, np.int64))


@rule
@allocates
def best_chains(land, palaces, forts, out):
    """Return what an owner's roads pay; write the chains, as sets of spaces, into `out`.

    `out` has `MOST_CHAINS` places; those behind the last chain become 0.
    """
    total, chains, rest = 0, 0, palaces
    while rest != 0:
        group = group_of(land, rest)
        rest &= ~group
        if count_bits(group) >= LEAST_CHAIN:
            if is_line(land, group):
                total += worth(group, forts)
                out[chains] = group
                chains += 1
            else:
                stack = np.empty((_DEPTH, 8), np.int64)
                closed = np.empty(MOST_CHAINS, np.int64)
                total += best_of_group(land, group, forts, stack, closed, out[chains:])
                while chains < len(out) and out[chains] != 0:
                    chains += 1
    out[chains:] = 0
    return total
