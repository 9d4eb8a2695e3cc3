"""What each action of a seat leads to: a beam search through a roll, and means over dice.

Displacements of a roll are searched with a beam: of all positions after one displacement
the best few are kept, by `appraisal.appraise`, and continued, until the roll is used up.
One search with five displacements tells what rolls of one to five are worth, so a roll
costs no more than its longest outcome. Attacks are weighed by their outcomes, and whoever
has to retreat does what is best for him one step on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.bot.appraisal import EAGER, FADING, SHEET, appraise, room, set_weights
from tianxia.games.binfa.bot.siege import MISS
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import state as s
from tianxia.games.binfa.rules.supplies import stands_in, store
from tianxia.games.binfa.rules.turns import with_supplies
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.record import CHANCE

MOST_WIDTH = 64
BENCHES = 14
"""Records to work on: 0 holds the position in question, 1 to 5 what is tried from it."""
TRIED, STEPPED, COUNTED, CAME_OUT, DIVIDED, ANSWERING = range(6, 12)
"""`ANSWERING` holds the position of one who answers; the next two are what his attacks lead to."""
LEGAL_LISTS = 7
LIST_STEPS, LIST_COUNTS, LIST_OUTS, LIST_PARTS = range(4)
LIST_OTHERS, LIST_RETREATS, LIST_ATTACKS = range(4, LEGAL_LISTS)
"""A list for each kind of decision, since those of a roll are listed within others."""
DEEPEST = c.SIX - 1
"""No roll gives more displacements."""
WATCHED, HIS = 0, c.SIX
"""In `BENCH`'s `reply`: means over a roll, for the watcher and for whoever rolls."""
NOTHING = -9.0
PRUNED = 0.02
"""How much less an action is worth that the beam has let fall."""
MOST_DEEP = 16
HOPE = 0.01
"""What the first supply is worth that a pawn can expect of its next roll."""
DOUBLE_ONE, SIX_ONE, SIX_SIX = c.ROLLED, c.ROLLED + 15, c.ROLLED + 20
FULL_ATTACKS = 2
"""So many usually are."""


BENCH = np.dtype(
    [
        ("sheet", SHEET),
        ("work", s.STATE, (BENCHES,)),
        ("nodes", s.STATE, (2 * MOST_WIDTH,)),  # two layers, one after the other
        ("value", "f8", (2 * MOST_WIDTH,)),  # by node
        ("origin", "i8", (2 * MOST_WIDTH,)),  # the first action that led there: a place in `listed`
        ("made", "i8"),  # nodes of the layer that is being made
        ("depth", "i8"),  # how deep it lies
        ("last", "i8"),  # where it begins among the nodes
        ("began", "i8"),  # the first action that led to what is being tried
        ("root_phase", "i8"),
        ("watcher", "i8"),  # the seat for which the best of each layer is appraised
        ("attacks", "i8"),  # how many are looked at further than their first step
        ("best", "f8", (DEEPEST + 1,)),  # by number of displacements
        ("first", "f8", (c.MAX_LEGAL,)),  # by first action: the best after one displacement
        ("found", "f8", (c.MAX_LEGAL,)),  # what is legal at the root is worth
        ("inner", "f8", (c.MAX_LEGAL,)),  # the same of a decision further on
        ("quick", "f8", (c.MAX_LEGAL,)),  # by attack: what it is worth at first sight
        ("ends", s.STATE, (MOST_DEEP,)),  # the best ends of a roll, to be looked at further
        ("ends_origin", "i8", (MOST_DEEP,)),
        ("reply", "f8", (c.SIX + 1,)),  # by displacements: what the best is worth to whoever waits
        # Lists of legal actions, in the type of `State`: so they are compiled once.
        ("legal", "i4", (LEGAL_LISTS, c.MAX_LEGAL)),
        ("listed", "i4", (c.MAX_LEGAL,)),  # at the root
    ]
)
"""Room for a search: a record, for the same reason as `appraisal.SHEET`."""


def make_bench(weights: NDArray[np.float64]) -> np.record:
    """Return room for searches with these weights."""
    bench = room(BENCH)
    set_bench(bench, weights)
    return bench


def set_bench(bench: np.record, weights: NDArray[np.float64]) -> None:
    """Begin a bench."""
    set_weights(bench.sheet, weights)
    bench.attacks = FULL_ATTACKS


@entry
def weigh(pool, seat, width, deep, deep_width, bench):
    """Find out what each legal action of a seat is worth to it, from −1 to 1.

    The actions are written to ``bench.listed``, their values to ``bench.found``; the
    number of them is returned. The set-up is no part of this.

    Parameters
    ----------
    pool
        What the seat may know, or a full state.
    width
        Positions that the beam keeps after each displacement, `MOST_WIDTH` at most.
    deep
        Ends of a roll that are looked at through the next roll, `MOST_DEEP` at most.
    deep_width
        The width of the beam in that next roll.
    """
    work = bench.work
    put(bench.work[:], 0, pool[0])
    bench.watcher = seat
    count = kernel.legal_actions(work[0], seat, bench.listed[:])
    phase = int(work[0].phase)
    if s.MOVING <= phase <= s.DIVIDING:
        weigh_displacements(bench, seat, width, count)
        if min(deep, bench.made) > 1:
            kept = min(deep, bench.made)
            least = look_further(bench, seat, kept, deep_width)
            put_below(bench, count, kept, least)
    else:
        weigh_others(bench, phase, seat, width, count)
    return count


@rule
def weigh_others(bench, phase, seat, width, count):
    """Find out what the listed actions are worth from bench 0, where no displacement is due."""
    if phase == s.READY:
        weigh_ready(bench, 0, seat, width, bench.found)
        return
    for i in range(count):
        follow(bench, 1, 0, seat, bench.listed[i])
        bench.found[i] = outlook(bench, phase, seat, width)


@rule
def outlook(bench, phase, seat, width):
    """Return what the position on bench 1 is worth, where a decision of a phase has led to it."""
    if phase == s.CHOOSING:
        if bench.work[1].phase == s.READY:
            # The pawn stays where it is, and may be moved the next time.
            waiting = worth_of_hope(bench, bench.work[1], seat)
            return best_ready(bench, 1, seat, width) + waiting
        return forage_worth(bench, seat)
    if phase in (s.RETREATING, s.SPLITTING):
        return retreat_worth(bench, seat, width)
    if phase == s.STEPPING:
        return pawn_worth(bench, 1, seat)
    return appraise(bench.work[1], bench.sheet, seat)


@rule
def put(records, place, record):
    """Write a record: all do so here, since Numba copies it byte by byte, in much code."""
    records[place] = record


@rule
def follow(bench, place, base, actor, action):
    """Write to a place on the bench what an action leads to from another place."""
    put(bench.work[:], place, bench.work[base])
    kernel.apply_action(bench.work[place], actor, action)


# --- The beam ---


@rule
def weigh_displacements(bench, seat, width, count):
    """Find out what the displacements, or the parts of one, are worth that are due."""
    last = search_roll(bench, 0, seat, width)
    for i in range(count):
        bench.found[i] = bench.first[i] - PRUNED
    lowest_kept = 9.0
    for node in range(last, last + bench.made):
        lowest_kept = min(lowest_kept, bench.value[node])
    for i in range(count):
        bench.found[i] = min(bench.found[i], lowest_kept - PRUNED)
    for node in range(last, last + bench.made):
        i = bench.origin[node]
        bench.found[i] = max(bench.found[i], bench.value[node])


@rule
def in_roll(state, seat):
    """Say whether a seat has a displacement to make, or a part of one."""
    mine = state.over == 0 and int(state.acting) == 1 << seat
    return mine and s.MOVING <= state.phase <= s.DIVIDING


@rule
def search_roll(bench, place, seat, width):
    """Search the displacements of a roll from a position on the bench.

    Returns where the last layer begins among the nodes; ``bench.made`` is its
    length, and ``bench.best`` the best value after each number of displacements.
    """
    put(bench.nodes[:], 0, bench.work[place])
    bench.origin[0] = 0
    bench.root_phase = int(bench.work[place].phase)
    for i in range(c.MAX_LEGAL):
        bench.first[i] = NOTHING
    layer, count = 0, 1
    for depth in range(1, int(bench.work[place].moves) + 1):
        bench.depth = depth
        bench.last = MOST_WIDTH - layer
        bench.made = 0
        for node in range(layer, layer + count):
            bench.began = bench.origin[node]
            if in_roll(bench.nodes[node], seat):
                try_steps(bench, node, seat, width)
            else:
                put(bench.work[:], DIVIDED, bench.nodes[node])
                keep(bench, bench.value[node], width)
        layer, count = bench.last, bench.made
        best = best_end(bench, layer)
        bench.best[depth] = bench.value[best]
        bench.reply[depth] = bench.value[best]
        if bench.watcher != seat:
            bench.reply[depth] = appraise(bench.nodes[best], bench.sheet, bench.watcher)
    return layer


@rule
def best_end(bench, first):
    """Return the best node of the layer that begins with one."""
    best = first
    for node in range(first, first + bench.made):
        if bench.value[node] > bench.value[best]:
            best = node
    return best


# --- The next roll ---


@rule
def look_further(bench, seat, count, width):
    """Weigh the best ends of a roll by the next roll, of the same seat or of the one after.

    The actions that lead to them take their values from it. Returns the least of these.
    """
    first = bench.last
    for i in range(count):
        best = best_end(bench, first)
        put(bench.ends[:], i, bench.nodes[best])
        bench.ends_origin[i] = bench.origin[best]
        bench.value[best] = NOTHING
    for i in range(count):
        bench.found[bench.ends_origin[i]] = NOTHING
    least = 9.0
    for i in range(count):
        origin = bench.ends_origin[i]
        value = prospects(bench, i, seat, width)
        least = min(least, value)
        bench.found[origin] = max(bench.found[origin], value)
    return least


@rule
def put_below(bench, count, kept, least):
    """Rank the first actions that were not looked at further below those that were."""
    highest = NOTHING
    for i in range(count):
        if not looked_at(bench, i, kept):
            highest = max(highest, bench.found[i])
    lower = min(least - PRUNED - highest, 0.0)
    for i in range(count):
        if not looked_at(bench, i, kept):
            bench.found[i] += lower


@rule
def looked_at(bench, origin, kept):
    for i in range(kept):
        if bench.ends_origin[i] == origin:
            return True
    return False


@rule
def prospects(bench, i, seat, width):
    """Return what an end of a roll is worth: to stop, or to roll again."""
    work = bench.work
    put(bench.work[:], 0, bench.ends[i])
    if work[0].over != 0:
        return appraise(work[0], bench.sheet, seat)
    if work[0].acting != 1 << seat or work[0].phase != s.READY:
        return answered(bench, seat, width)
    kernel.apply_action(work[0], seat, c.STOP)
    stopped = answered(bench, seat, width)
    put(bench.work[:], 1, bench.ends[i])
    kernel.apply_action(work[1], seat, c.ROLL)
    follow(bench, 2, 1, CHANCE, SIX_ONE)
    if not in_roll(work[2], seat):
        return max(stopped, appraise(work[2], bench.sheet, seat))
    search_roll(bench, 2, seat, width)
    worth = stopped / c.SIX
    for moves in range(1, c.SIX):
        worth += chance_of(moves) * bench.best[moves]
    put(bench.work[:], ANSWERING, bench.ends[i])
    bench.reply[HIS] = bench.reply[WATCHED] = max(stopped, worth)
    try_attacks(bench, seat, seat)
    return bench.reply[HIS]


@rule
def answered(bench, seat, width):
    """Return what the position on bench 0 is worth to a seat after the next roll of another."""
    work = bench.work
    still = appraise(work[0], bench.sheet, seat)
    if work[0].over != 0 or work[0].acting == 0 or work[0].acting == 1 << seat:
        return still
    actor = lowest(int(work[0].acting))
    bench.watcher = seat
    if work[0].phase == s.READY:
        put(bench.work[:], 5, work[0])
        answer(bench, actor, seat, width)
        return bench.reply[WATCHED]
    best, worth = appraise(work[0], bench.sheet, actor), still  # if he does not roll
    for army in range(c.COLOURS):
        if kernel.refusal(work[0], actor, c.MOVE_ARMY + army) != 0:
            continue
        follow(bench, 5, 0, actor, c.MOVE_ARMY + army)
        answer(bench, actor, seat, width)
        if bench.reply[HIS] > best:
            best, worth = bench.reply[HIS], bench.reply[WATCHED]
    return worth


@rule
def answer(bench, actor, seat, width):
    """Write what the next throw from bench 5 is worth to whoever has it, and to a watching seat.

    He rolls, or attacks if at first sight that is worth more to him.
    """
    work = bench.work
    reply = bench.reply
    put(bench.work[:], ANSWERING, work[5])
    kernel.apply_action(work[5], actor, c.ROLL)
    follow(bench, 4, 5, CHANCE, DOUBLE_ONE)
    his = appraise(work[4], bench.sheet, actor) / c.SIX
    watched = appraise(work[4], bench.sheet, seat) / c.SIX
    follow(bench, 4, 5, CHANCE, SIX_ONE)
    if in_roll(work[4], actor):
        search_roll(bench, 4, actor, width)
        for moves in range(1, c.SIX):
            his += chance_of(moves) * bench.best[moves]
            watched += chance_of(moves) * reply[moves]
    else:
        his += appraise(work[4], bench.sheet, actor) * (c.SIX - 1) / c.SIX
        watched += appraise(work[4], bench.sheet, seat) * (c.SIX - 1) / c.SIX
    reply[HIS], reply[WATCHED] = his, watched
    try_attacks(bench, actor, seat)


@rule
def try_attacks(bench, actor, seat):
    """Put into `reply` the best attack from bench `ANSWERING`, where the actor prefers it."""
    reply = bench.reply
    legal = bench.legal[LIST_ATTACKS]
    count = kernel.legal_actions(bench.work[ANSWERING], actor, legal)
    otherwise = reply[HIS]
    choice = -1
    for i in range(count):
        if c.kind_of(legal[i]) == c.ATTACK:
            worth = attack_worth(bench, ANSWERING, actor, legal[i], 0, otherwise)
            if worth > reply[HIS]:
                reply[HIS], choice = worth, i
    if choice >= 0:
        struck = struck_worth(bench, ANSWERING, actor, seat, legal[choice], 0)
        attempts = attempts_left(bench.work[ANSWERING])
        reply[WATCHED] = after_misses(struck, attempts, reply[WATCHED])


@rule
def note_first(bench, phase, i):
    """Note which action of the root is being tried, where this is the root's decision."""
    if bench.depth == 1 and bench.root_phase == phase:
        bench.began = i


@rule
def try_steps(bench, node, seat, width):
    """Try every displacement from a node; one that has begun goes on with its next part."""
    work = bench.work
    if bench.nodes[node].phase != s.MOVING:
        put(bench.work[:], STEPPED, bench.nodes[node])
        try_counts(bench, seat, width)
        return
    legal = bench.legal[LIST_STEPS]
    count = kernel.legal_actions(bench.nodes[node], seat, legal)
    for i in range(count):
        note_first(bench, s.MOVING, i)
        put(bench.work[:], STEPPED, bench.nodes[node])
        kernel.apply_action(work[STEPPED], seat, legal[i])
        try_counts(bench, seat, width)


@rule
def try_counts(bench, seat, width):
    """Try numbers of units: all at the root, further on the few that matter most."""
    work = bench.work
    if work[STEPPED].over != 0 or work[STEPPED].phase != s.COUNTING:
        put(bench.work[:], COUNTED, work[STEPPED])
        try_exits(bench, seat, width)
        return
    legal = bench.legal[LIST_COUNTS]
    count = kernel.legal_actions(work[STEPPED], seat, legal)
    all_of_them = bench.depth == 1
    for i in range(count):
        if not all_of_them and 2 < i < count - 3 and i != count // 2:
            continue
        note_first(bench, s.COUNTING, i)
        follow(bench, COUNTED, STEPPED, seat, legal[i])
        try_exits(bench, seat, width)


@rule
def try_exits(bench, seat, width):
    """Try the whirlpools at which units can come out, and how they part there."""
    work = bench.work
    if work[COUNTED].over != 0 or work[COUNTED].phase not in (s.LEAVING, s.DIVIDING):
        put(bench.work[:], DIVIDED, work[COUNTED])
        file(bench, seat, width)
        return
    leaving = work[COUNTED].phase == s.LEAVING
    legal = bench.legal[LIST_OUTS]
    count = kernel.legal_actions(work[COUNTED], seat, legal)
    for i in range(count):
        note_first(bench, s.LEAVING if leaving else s.DIVIDING, i)
        follow(bench, DIVIDED, COUNTED, seat, legal[i])
        if work[DIVIDED].over == 0 and work[DIVIDED].phase == s.DIVIDING:
            take_most(bench.work[DIVIDED], bench.legal[LIST_PARTS], seat)
        file(bench, seat, width)


@rule
def take_most(state, legal, seat):
    """Take the largest of the counts to choose from: a pile is not divided."""
    count = kernel.legal_actions(state, seat, legal)
    most = legal[0]
    for i in range(count):
        most = max(most, legal[i])
    kernel.apply_action(state, seat, most)


@rule
def file(bench, seat, width):
    """Appraise what a displacement has led to, and keep it if it is among the best."""
    value = appraise(bench.work[DIVIDED], bench.sheet, seat)
    if bench.depth == 1:
        i = bench.began
        bench.first[i] = max(bench.first[i], value)
    keep(bench, value, width)


@rule
def keep(bench, value, width):
    """Put a position into the layer if there is room, or in the place of the worst one.

    One of exactly the same value is taken for the same position, reached on another way.
    """
    first = bench.last
    count = bench.made
    worst = first
    for node in range(first, first + count):
        if bench.value[node] == value:
            return
        if bench.value[node] < bench.value[worst]:
            worst = node
    if count < width:
        worst = first + count
        bench.made += 1
    elif value <= bench.value[worst]:
        return
    put(bench.nodes[:], worst, bench.work[DIVIDED])
    bench.value[worst] = value
    bench.origin[worst] = bench.began


# --- Rolling, stopping, attacking ---


@rule
def best_ready(bench, base, seat, width):
    """Return the worth of the best that an army can do before a roll."""
    count = weigh_ready(bench, base, seat, width, bench.inner)
    best = NOTHING
    for i in range(count):
        best = max(best, bench.inner[i])
    return best


@rule
def weigh_ready(bench, base, seat, width, found):
    """Find out what it is worth to roll, to stop, and to attack, from a bench."""
    work = bench.work
    legal = bench.legal[LIST_OTHERS]
    count = kernel.legal_actions(work[base], seat, legal)
    otherwise = NOTHING
    rolls, stops = -1, False
    for i in range(count):
        if legal[i] == c.ROLL:
            found[i] = roll_worth(bench, base, seat, width)
            rolls = i
        elif legal[i] == c.STOP:
            stops = True
            follow(bench, base + 1, base, seat, c.STOP)
            found[i] = appraise(work[base + 1], bench.sheet, seat)
        else:
            continue
        otherwise = max(otherwise, found[i])
    for i in range(count):
        if c.kind_of(legal[i]) == c.ATTACK:
            found[i] = attack_worth(bench, base, seat, legal[i], 0, otherwise)
            bench.quick[i] = found[i]
        else:
            bench.quick[i] = NOTHING
    for _ in range(bench.attacks):
        best = 0
        for i in range(count):
            if bench.quick[i] > bench.quick[best]:
                best = i
        if bench.quick[best] > NOTHING:
            found[best] = attack_worth(bench, base, seat, legal[best], width, otherwise)
            bench.quick[best] = NOTHING
    if stops and rolls >= 0:  # what a roll promises is the best of much that is uncertain
        found[rolls] -= bench.sheet.weights[EAGER]
    return count


@rule
def chance_of(moves):
    """Return how likely a roll is to give so many displacements, from 1 to 5."""
    return 2 * (c.SIX - moves) / c.SIX**2


@rule
def roll_worth(bench, base, seat, width):
    """Return what a roll is worth: the mean over the dice of the best that follows."""
    work = bench.work
    follow(bench, base + 1, base, seat, c.ROLL)
    follow(bench, base + 2, base + 1, CHANCE, DOUBLE_ONE)
    worth = appraise(work[base + 2], bench.sheet, seat) / c.SIX
    follow(bench, base + 2, base + 1, CHANCE, SIX_ONE)
    if not in_roll(work[base + 2], seat):
        return worth + appraise(work[base + 2], bench.sheet, seat) * (c.SIX - 1) / c.SIX
    search_roll(bench, base + 2, seat, width)
    for moves in range(1, c.SIX):
        worth += chance_of(moves) * bench.best[moves]
    return worth


@rule
def attack_worth(bench, base, seat, action, width, otherwise):
    """Return what an attack is worth, which is repeated after a miss if that is best.

    `otherwise` is what the best action is worth that is not an attack; `width` as for
    `struck_worth`.
    """
    worth = struck_worth(bench, base, seat, seat, action, width)
    attempts = attempts_left(bench.work[base]) if worth > otherwise * (1 - MISS) else 1
    return after_misses(worth, attempts, otherwise)


@rule
def after_misses(worth, attempts, otherwise):
    """Return what so many attempts are worth together, if all miss what is worth `otherwise`."""
    missed = MISS**attempts
    return worth * (1 - missed) / (1 - MISS) + missed * otherwise


@rule
def struck_worth(bench, base, actor, seat, action, width):
    """Return what an actor's attack is worth to a seat, over the throws that are no miss.

    With a width of 0 the displacements after a success are not searched.
    """
    work = bench.work
    follow(bench, base + 1, base, actor, action)
    follow(bench, base + 2, base + 1, CHANCE, DOUBLE_ONE)
    worth = appraise(work[base + 2], bench.sheet, seat) * 5 / 36
    follow(bench, base + 2, base + 1, CHANCE, SIX_SIX)
    settle_retreat(bench, base + 2)
    worth += appraise(work[base + 2], bench.sheet, seat) / 36
    follow(bench, base + 2, base + 1, CHANCE, SIX_ONE)
    settle_retreat(bench, base + 2)
    if width == 0 or not in_roll(work[base + 2], actor):
        return worth + appraise(work[base + 2], bench.sheet, seat) * 5 / 18
    search_roll(bench, base + 2, actor, width)
    for moves in range(1, c.SIX):
        worth += bench.best[moves] / 18
    return worth


@rule
def attempts_left(state):
    """Return how many attacks the army of this turn can pay for."""
    if not with_supplies(state):
        return 20
    return int(state.supplies[int(state.army) - 1])


# --- Retreats ---


@rule
def settle_retreat(bench, place):
    """Let whoever has to decide about a retreat do what is best for him at once."""
    work = bench.work
    while work[place].over == 0 and work[place].phase in (s.RETREATING, s.SPLITTING, s.OCCUPYING):
        actor = lowest(int(work[place].acting))
        legal = bench.legal[LIST_RETREATS]
        count = kernel.legal_actions(work[place], actor, legal)
        best, choice = NOTHING, legal[0]
        for i in range(count):
            follow(bench, TRIED, place, actor, legal[i])
            if work[TRIED].over == 0 and work[TRIED].phase == s.SPLITTING:
                take_most(bench.work[TRIED], bench.legal[LIST_COUNTS], actor)
            value = appraise(work[TRIED], bench.sheet, actor)
            if value > best:
                best, choice = value, legal[i]
        kernel.apply_action(work[place], actor, choice)


@rule
def retreat_worth(bench, seat, width):
    """Return what a retreat is worth that was begun on bench 1, whichever way it is split."""
    work = bench.work
    if work[1].over != 0 or work[1].phase != s.SPLITTING or int(work[1].acting) != 1 << seat:
        return reply_worth(bench, 1, seat, width)
    legal = bench.legal[LIST_OTHERS]
    count = kernel.legal_actions(work[1], seat, legal)
    best = NOTHING
    for i in range(count):
        follow(bench, 2, 1, seat, legal[i])
        best = max(best, reply_worth(bench, 2, seat, width))
    return best


@rule
def reply_worth(bench, place, seat, width):
    """Return what is left for a seat after the displacements of whoever attacked it."""
    settle_retreat(bench, place)
    state = bench.work[place]
    if state.over != 0 or state.acting == 0:
        return appraise(state, bench.sheet, seat)
    actor = lowest(int(state.acting))
    if actor == seat or not in_roll(state, actor):
        return appraise(state, bench.sheet, seat)
    last = search_roll(bench, place, actor, width)
    return appraise(bench.nodes[best_end(bench, last)], bench.sheet, seat)


# --- Supplies ---


@rule
def forage_worth(bench, seat):
    """Return what it is worth to resupply with the army on bench 1: the mean over the dice."""
    worth = 0.0
    for roll in range(c.ROLLS):
        follow(bench, 2, 1, CHANCE, c.ROLLED + roll)
        weight = 1 if c.DICE[roll, 0] == c.DICE[roll, 1] else 2
        worth += best_distance(bench, seat) * weight / c.SIX**2
    return worth


@rule
def best_distance(bench, seat):
    """Return what the best distance is worth that the pawn can go from bench 2."""
    work = bench.work
    if work[2].over != 0 or work[2].phase != s.STEPPING:
        return appraise(work[2], bench.sheet, seat)
    legal = bench.legal[LIST_STEPS]
    count = kernel.legal_actions(work[2], seat, legal)
    best = NOTHING
    for i in range(count):
        follow(bench, 3, 2, seat, legal[i])
        best = max(best, pawn_worth(bench, 3, seat))
    return best


@rule
def hope(state, army):
    """Return what an army's pawn can expect to bring on its next roll, in supplies."""
    hoped = 0.0
    for roll in range(c.ROLLS):
        high, low = c.DICE[roll, 0], c.DICE[roll, 1]
        best = max(gain(state, army, high), gain(state, army, low))
        best = max(best, gain(state, army, high + low))
        hoped += best * (1 if high == low else 2) / c.SIX**2
    return min(hoped, float(store(state)))


@rule
def worth_of_hope(bench, state, seat):
    """Return what it is worth to a seat where its pawns stand: the less the more it has.

    All of them count, so that actions of several armies can be compared.
    """
    worth = 0.0
    for army in range(c.COLOURS):
        if state.owner[army] == seat + 1 and int(state.alive) >> army & 1 != 0:
            fading = bench.sheet.weights[FADING] ** int(state.supplies[army])
            worth += HOPE * fading * hope(state, army)
    return worth


@rule
def gain(state, army, distance):
    """Return what a pawn would bring that went so far now, from the store or from others."""
    circle = (int(state.pawns[army]) - 1 + distance) % c.CIRCLES
    colour = c.CIRCLE_COLOUR[circle]
    if colour == army:
        return distance
    foreign = state.owner[colour] != state.owner[army]
    if circle % c.SIDE == c.CENTRE and foreign and state.supplies[colour] > 0:
        return min(distance, int(state.supplies[colour]))
    return distance if stands_in(state, army, colour) else 0


@rule
def pawn_worth(bench, place, seat):
    """Return what a pawn's move is worth, with the better of what it may take."""
    return raided_worth(bench, place, seat) + worth_of_hope(bench, bench.work[place], seat)


@rule
def raided_worth(bench, place, seat):
    work = bench.work
    if work[place].over != 0 or work[place].phase != s.RAIDING:
        return appraise(work[place], bench.sheet, seat)
    legal = bench.legal[LIST_COUNTS]
    count = kernel.legal_actions(work[place], seat, legal)
    best = NOTHING
    for i in range(count):
        follow(bench, 4, place, seat, legal[i])
        best = max(best, appraise(work[4], bench.sheet, seat))
    return best
