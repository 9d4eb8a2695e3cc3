"""The course of a round: what follows what, and where somebody is asked."""

from __future__ import annotations

from tianxia.games.suntzu.rules import combat, scoring, strategies
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules import statements as because
from tianxia.games.suntzu.rules.cards import begin_laying, first, put_drawn_away, put_under
from tianxia.games.suntzu.rules.events import choosers, is_met, toll
from tianxia.games.suntzu.rules.payments import may_reinforce, settle
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import pour

# --- Around the fights ---


# Rules call no function in a circle: Numba would keep such code so that it crashes when it
# is loaded again.
@rule
def go_on_after(state, seat):
    """Ask for strategy cards after the fights, from this seat on; then score or collect."""
    if strategies.ask_in_turn(state, seat):
        if scoring.is_scored(state):
            state.phase = s.SCORING
            state.province = 1
        else:
            state.phase = s.COLLECTING


@rule
def count_armies(state):
    """From round 2 on, who has fewer armies on the board decides the order."""
    fewer = combat.has_fewer_armies(state)
    if state.turn > 1 and fewer >= 0:
        state.privilege = 1 + fewer


@rule
def provinces_left(state):
    """Return the provinces that are not turned up yet, as bits."""
    return c.ALL_PROVINCES & ~int(state.done)


@rule
def begin_province(state):
    """Ask for the next province where somebody may choose, or go on after the fifth."""
    state.phase = s.ORDER
    state.acting = 0
    left = provinces_left(state)
    if left == 0:
        state.phase = s.AFTER
        go_on_after(state, first(state))
    elif state.privilege != 0 and left & (left - 1) != 0:
        state.acting = 1 << first(state)


@rule
def go_on_before(state, seat):
    """Ask for strategy cards before the fights, from this seat on; then begin them."""
    if strategies.ask_in_turn(state, seat):
        count_armies(state)
        begin_province(state)


@rule
def go_on_in_turn(state, seat):
    """Ask for strategy cards, from this seat on; when both pass, go on."""
    if state.phase == s.BEFORE:
        go_on_before(state, seat)
    else:
        go_on_after(state, seat)


@rule
def open_laid(state):
    """Let all know that both have laid their cards, and which were given for armies."""
    for seat in range(2):
        pour(state.spare[seat], state.gone[seat])
    state.phase = s.BEFORE
    go_on_before(state, first(state))


@rule
def next_province(state):
    """Return the province that is turned up next: the one named, else in the usual order."""
    if state.province != 0:
        return int(state.province) - 1
    return lowest(provinces_left(state))


@rule
def after_scoring(state):
    """Move the pawn, and look whether that ends the game."""
    scoring.move_pawn(state)
    state.phase = s.COLLECTING
    scoring.end_by_track(state)
    if state.over == 0 and state.turn == 9:
        state.phase = s.FINAL
        ask_finally(state)


@rule
def ask_finally(state):
    """Ask for the last reinforcements, each player until he declines; then compare."""
    state.acting = 0
    while state.passes < 2:
        seat = first(state) if state.passes == 0 else 1 - first(state)
        if may_reinforce(state, seat):
            state.acting = 1 << seat
            return
        state.passes += 1
    scoring.end_by_reserve(state, because.MOST_IN_RESERVE)


@rule
def begin_round(state):
    """Put away what was not kept, advance the marker, let both lay."""
    put_drawn_away(state)
    state.turn += 1
    begin_laying(state)


# --- A fight, step by step ---


@rule
def enter(state, step):
    """Begin a step: note how many armies are owed in it."""
    state.step = step
    later = step in (s.MARK_SECOND, s.COST_SECOND, s.TOLL_SECOND)
    seat = 1 - first(state) if later else first(state)
    if step in (s.MARK_FIRST, s.MARK_SECOND):
        if step == s.MARK_FIRST and combat.plague_strikes(state):
            combat.destroy(state)
        state.owed = 1 if combat.card(state, seat) == c.SIX and not combat.annuls(state) else 0
    elif step in (s.COST_FIRST, s.COST_SECOND):
        state.owed = combat.cost(state, seat)
    elif step == s.PLACE:
        state.owed = combat.drive_out(state)
    elif step == s.TOLL_FIRST and not is_met(state):
        state.step = s.RECYCLE_FIRST
    elif step in (s.TOLL_FIRST, s.TOLL_SECOND):
        state.owed = toll(state, later)


@rule
def go_on(state):
    """Go through a province, until somebody is asked, chance is to act, or it is done.

    Who is asked has answered when the step has been left.
    """
    while state.step != s.NO_STEP and state.over == 0 and state.acting == 0:
        step = int(state.step)
        if s.MARK_FIRST <= step <= s.TOLL_SECOND:
            if settle(state):
                enter(state, step + 1)
        elif step == s.SECOND_CARD:
            state.acting = choosers(state)
            if state.acting == 0:
                open_next_event(state)
                return
        elif step in (s.RECYCLE_FIRST, s.RECYCLE_SECOND):
            seat = first(state) if step == s.RECYCLE_FIRST else 1 - first(state)
            if strategies.asks_recycling(state, seat):
                state.acting = 1 << seat
            else:
                leave(state, step + 2)
        else:
            ask_reaction(state, step)
    if state.phase == s.FIGHT and state.step == s.NO_STEP and state.over == 0:
        begin_province(state)


@rule
def ask_reaction(state, step):
    """Ask for S2, K4 or K3 where that is to be asked."""
    counters = step == s.ASK_K4 and strategies.asks_k4(state)
    if step == s.ASK_S2 and strategies.asks_s2(state):
        state.acting = 1 << c.BLUE
    elif counters or (step == s.ASK_K3 and strategies.asks_k3(state)):
        state.acting = 1 << c.RED
    else:
        enter(state, step + 1)


@rule
def leave(state, step):
    """Go to a step after the events; after the last one the province is done."""
    state.step = step
    if step > s.TOP_SECOND:
        state.step = s.NO_STEP
        state.province = 0
        state.effects = 0


@rule
def open_next_event(state):
    """Take the event away; the next one is turned up, or the game is over."""
    state.step = s.NEXT_EVENT
    state.event = 0
    if state.events_left == 0:
        scoring.end_by_reserve(state, because.LAST_EVENT)


@rule
def recycle(state, seat):
    """Put the card just played under the deck, for all to see."""
    put_under(state, seat, combat.card(state, seat) - c.BASIC, True)
    state.laid[seat, int(state.province) - 1] = 0
    state.step = s.TOP_FIRST if state.step == s.RECYCLE_FIRST else s.TOP_SECOND
