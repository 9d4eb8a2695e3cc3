"""The rules of Sun Tzu as the kernel asks for them; the rules themselves are by topic.

`cards`, `combat`, `payments`, `events`, `strategies` and `scoring` each state one topic,
`flow` puts them in order. Refusals and reasons are numbers of statements (8 is SUN-08).
"""

from __future__ import annotations

from tianxia.games.suntzu.rules import cards, flow, payments, strategies
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules import statements as because
from tianxia.games.suntzu.rules.combat import spend, turn_up
from tianxia.games.suntzu.rules.events import choosers
from tianxia.games.suntzu.rules.scoring import score_province
from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import write_actions
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import nonzero
from tianxia.kernel.record import CHANCE


@answers(kernel.setup, s.STATE)
def setup(state):
    aside = 0 if state.options.deck == c.BEGINNER else c.ASIDE
    state.turn = 1
    if state.options.events != 0:
        state.events_left = (1 << c.EVENTS) - 1
    state.aside[:] = aside
    state.reserve[:] = c.ARMIES - aside
    state.want[:] = c.DEALT
    for seat in range(2):
        state.hand[seat, : c.BASIC] = 1
        copy_into(state.deck[seat], c.COPIES[int(state.options.deck)])


# --- What is forbidden ---


@rule
def statement_of_phase(state):
    """Return the statement that says who has to do what now."""
    phase = int(state.phase)
    if phase == s.LAYING:
        return because.SECRET_UNTIL_ALL_LIE
    if phase in (s.BEFORE, s.AFTER):
        return because.BEFORE_OR_AFTER
    if phase == s.ORDER:
        return because.WHO_NAMES_PROVINCES
    if phase == s.FIGHT:
        return because.CHARIOTS_EVENT if state.step == s.SECOND_CARD else because.FIVE_PHASES
    if phase in (s.DRAWING, s.KEEPING):
        return because.TWO_DRAWN_ONE_KEPT
    if phase == s.SETTING_STANDS:
        return because.STANDS_DRAWN
    if phase == s.FIRST_EVENT:
        return because.EVENT_TURNED_UP
    if phase == s.CHOICE:
        return because.STRATEGY_CHOSEN
    if phase == s.DEAL:
        return because.HAND_OF_TEN
    if phase == s.SCORING:
        return because.PROVINCES_SCORED
    return because.CARDS_COLLECTED if phase == s.COLLECTING else because.MOST_IN_RESERVE


@answers(kernel.refusal, s.STATE)
def refusal(state, seat, action):
    if state.over != 0:
        return int(state.reason)
    if seat == CHANCE or action >= c.STAND:
        possible = seat == CHANCE and weight(state, action) > 0
        return 0 if possible else statement_of_phase(state)
    kind = c.kind_of(action)
    if int(state.acting) >> seat & 1 == 0:
        laid = state.phase == s.LAYING and kind == c.LAY
        return because.ONE_CARD_A_PROVINCE if laid else statement_of_phase(state)
    one = c.argument(action, 0)
    if kind == c.LAY:
        if state.phase != s.LAYING:
            return because.FIVE_PHASES
        return cards.lay_refusal(state, seat, one, c.argument(action, 1))
    if kind == c.REINFORCE:
        if state.phase not in (s.LAYING, s.FINAL) and state.owed == 0:
            return because.REINFORCEMENT
        return payments.reinforce_refusal(state, seat, one)
    if kind == c.PASS:
        return pass_refusal(state, seat)
    if kind == c.NAME:
        return name_refusal(state, one)
    if kind == c.RESERVE:
        return payments.reserve_refusal(state, seat)
    if kind == c.ARMY:
        return payments.source_refusal(state, seat, one)
    return choice_refusal(state, seat, kind, one)


@rule
def choice_refusal(state, seat, kind, one):
    """Say what forbids to use a strategy card, or to choose a card."""
    if kind == c.USE:
        return strategies.use_refusal(state, seat, one)
    if kind in (c.REMOVE, c.ADD, c.MOVE):
        return strategies.window_refusal(state, seat, kind, one)
    if kind == c.CHOOSE:
        return strategies.choose_refusal(state, seat, one)
    able = state.phase == s.KEEPING and nonzero(state.drawn[seat]) >> one & 1 != 0
    return 0 if able else because.TWO_DRAWN_ONE_KEPT


@rule
def pass_refusal(state, seat):
    if state.owed > 0:
        return payments.default_refusal(state, seat)
    if strategies.in_window(state) or state.phase == s.FINAL or strategies.asked_card(state) >= 0:
        return 0
    return because.ONE_CARD_A_PROVINCE if state.phase == s.LAYING else statement_of_phase(state)


@rule
def name_refusal(state, province):
    if state.phase != s.ORDER:
        return because.FIRST_ROUND_IN_ORDER if state.privilege == 0 else because.WHO_NAMES_PROVINCES
    return 0 if flow.provinces_left(state) >> province & 1 != 0 else because.WHO_NAMES_PROVINCES


# --- What is legal: the sets of bits that refusals look into ---


@answers(kernel.legal_actions, s.STATE)
def legal_actions(state, seat, out):
    if state.over != 0 or int(state.acting) >> seat & 1 == 0:
        return 0
    phase = int(state.phase)
    if state.owed > 0:
        return list_payments(state, seat, out)
    if phase == s.LAYING:
        return list_cards(state, seat, out)
    if phase == s.ORDER:
        return write_actions(flow.provinces_left(state), c.NAME, out, 0)
    if phase == s.CHOICE or (phase == s.FIGHT and state.step == s.SECOND_CARD):
        return write_actions(strategies.choosable(state, seat), c.CHOOSE, out, 0)
    if phase == s.KEEPING:
        return write_actions(nonzero(state.drawn[seat]), c.UNDER, out, 0)
    return list_answers(state, seat, out)


@rule
def list_cards(state, seat, out):
    """Write each card of the hand with each province for it, and those given for armies."""
    free, held = cards.free_provinces(state, seat), nonzero(state.hand[seat])
    spare, count = payments.to_discard(state, seat), 0
    for kind in range(c.KINDS):
        if held >> kind & 1 != 0:
            places = cards.provinces_for(state, seat, kind, free)
            count = write_actions(places, c.laying(kind, 0), out, count)
    return write_actions(spare, c.REINFORCE, out, count)


@rule
def list_payments(state, seat, out):
    places, spare = payments.sources(state, seat), payments.to_discard(state, seat)
    reserve = payments.reserve_refusal(state, seat) == 0
    passes = payments.default_refusal(state, seat) == 0
    count = write_actions(spare, c.REINFORCE, out, 0)
    if reserve or passes:  # never both
        out[count] = c.RESERVE if reserve else c.PASS
        count += 1
    return write_actions(places, c.ARMY, out, count)


@rule
def list_answers(state, seat, out):
    """Write to pass, and what could be done instead."""
    asked, phase = strategies.asked_card(state), int(state.phase)
    out[0] = c.PASS
    if asked >= 0:
        out[1] = c.USE + asked
        return 2 if strategies.holds(state, seat, asked) else 1
    if phase == s.FINAL:
        return write_actions(payments.to_discard(state, seat), c.REINFORCE, out, 1)
    if seat == c.RED:
        return write_actions(strategies.removable(state), c.REMOVE, out, 1)
    steps = strategies.movable(state)
    count = write_actions(strategies.addable(state), c.ADD, out, 1)
    return write_actions(steps, c.MOVE, out, count)


# --- Chance ---


@rule
def weight(state, action):
    """Return how likely chance is to do this now, as a weight; 0: it cannot."""
    if state.acting != 0 or action < c.STAND or action >= c.NUM_ACTIONS:
        return 0
    phase, step = int(state.phase), int(state.step)
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind == c.STAND:
        return 1 if phase == s.SETTING_STANDS and stand_is_left(state, one) else 0
    if kind == c.EVENT:
        turned = phase == s.FIRST_EVENT or (phase == s.FIGHT and step == s.NEXT_EVENT)
        return int(state.events_left) >> one & 1 if turned else 0
    if kind == c.DRAW:
        drawing = phase in (s.DEAL, s.DRAWING)
        return cards.weight_of_top(state, cards.seat_of_top(state), one) if drawing else 0
    if kind == c.OPEN:
        chosen = phase in (s.CHOICE, s.LAYING)
        return 1 if chosen or (phase == s.FIGHT and step == s.SECOND_CARD) else 0
    if kind == c.TURN:
        return 1 if phase == s.ORDER and flow.next_province(state) == one else 0
    if kind == c.DISCARD:
        leaves = phase == s.FIGHT and step in (s.TOP_FIRST, s.TOP_SECOND)
        return cards.weight_of_top(state, cards.seat_of_top(state), one) if leaves else 0
    if kind in (c.SCORE, c.PAWN):  # a province, or the pawn after the last
        return 1 if phase == s.SCORING and state.province == action - c.SCORE + 1 else 0
    return 1 if phase == (s.COLLECTING if kind == c.COLLECT else s.KEEPING) else 0


@rule
def stand_is_left(state, stand):
    for province in range(c.PROVINCES):
        if state.stands[province] == stand + 1:
            return False
    return True


@answers(kernel.chance_outcomes, s.STATE)
def chance_outcomes(state, actions, weights):
    if state.acting != 0 or state.over != 0:
        return 0
    begin, end = what_comes(state)
    count = 0
    for action in range(begin, end):
        likely = weight(state, action)
        if likely > 0:
            actions[count] = action
            weights[count] = likely
            count += 1
    return count


@rule
def what_comes(state):
    """Return the range of actions of which chance takes one."""
    phase = int(state.phase)
    if phase == s.FIGHT:
        step = int(state.step)
        if step == s.NEXT_EVENT:
            return c.EVENT, c.DRAW
        return (c.OPEN, c.TURN) if step == s.SECOND_CARD else (c.DISCARD, c.SCORE)
    if phase == s.ORDER:
        return c.TURN, c.DISCARD
    if phase in (s.DEAL, s.DRAWING):
        return c.DRAW, c.OPEN
    if phase == s.SCORING:
        return c.SCORE, c.COLLECT
    if phase == s.SETTING_STANDS:
        return c.STAND, c.EVENT
    if phase == s.FIRST_EVENT:
        return c.EVENT, c.DRAW
    if phase == s.COLLECTING:
        return c.COLLECT, c.ROUND
    return (c.ROUND, c.NUM_ACTIONS) if phase == s.KEEPING else (c.OPEN, c.TURN)


# --- What happens ---


@answers(kernel.apply_action, s.STATE)
def apply_action(state, seat, action):
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind == c.LAY:
        cards.lay(state, seat, one, c.argument(action, 1))
        return
    if kind == c.REINFORCE and state.phase == s.LAYING:
        payments.reinforce(state, seat, one)
        return
    state.plies += 1
    if seat == CHANCE:
        state.sealed = state.plies  # nobody takes back what was drawn or shown
        apply_chance(state, action)
    elif kind == c.PASS:
        decline(state, seat)
    elif kind == c.REINFORCE:
        state.sealed = state.plies
        payments.reinforce(state, seat, one)
        go_on_owing(state)
    elif kind == c.NAME:
        state.province = one + 1
        state.acting = 0
    elif kind in (c.RESERVE, c.ARMY):
        payments.pay(state, seat, one if kind == c.ARMY else -1)
        go_on_owing(state)
    elif kind == c.CHOOSE:
        strategies.choose(state, seat, one)
    elif kind == c.UNDER:
        cards.choose_under(state, seat, one)
    else:
        state.sealed = state.plies
        play_strategy(state, seat, kind, one)


@rule
def go_on_owing(state):
    """Go on after an answer of somebody who owes an army, or reinforces at the end."""
    if state.phase == s.FINAL:
        flow.ask_finally(state)
    elif state.phase == s.FIGHT:
        state.acting = 0
        flow.go_on(state)
    elif payments.settle(state):  # S5
        state.province = 0
        flow.go_on_in_turn(state, c.RED)


@rule
def decline(state, seat):
    """Play no card, or find no army."""
    state.acting = 0
    if state.phase == s.FINAL:
        state.passes += 1
        flow.ask_finally(state)
    elif state.owed > 0:
        state.owed = 0
        go_on_owing(state)
    elif strategies.in_window(state):
        state.passes += 1
        flow.go_on_in_turn(state, 1 - seat)
    elif state.step >= s.RECYCLE_FIRST:
        flow.leave(state, int(state.step) + 2)
        flow.go_on(state)
    else:
        flow.enter(state, int(state.step) + 1)
        flow.go_on(state)


@rule
def play_strategy(state, seat, kind, one):
    state.acting = 0
    if kind == c.USE:
        play_in_province(state, seat, one)
        return
    state.passes = 0
    if kind == c.REMOVE:
        strategies.remove_army(state, one)
    elif kind == c.ADD:
        spend(state, c.BLUE, c.S5)
        state.province = one + 1
        state.owed = 1
        if not payments.settle(state):
            return
        state.province = 0
    else:
        strategies.move_army(state, one)
    flow.go_on_in_turn(state, 1 - seat)


@rule
def play_in_province(state, seat, strategy):
    """Play S2, K3, K4; or S4, K5."""
    spend(state, seat, strategy)
    step = int(state.step)
    if step in (s.RECYCLE_FIRST, s.RECYCLE_SECOND):
        flow.recycle(state, seat)
        return
    effect = s.COUNTED_AS_6 if step == s.ASK_S2 else (s.COUNTERED if step == s.ASK_K4 else s.SEVERE)
    state.effects = int(state.effects) | effect
    flow.enter(state, step + 1)
    flow.go_on(state)


@rule
def apply_chance(state, action):
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind == c.STAND:
        put_stand(state, one)
    elif kind == c.EVENT:
        turn_event(state, one)
    elif kind == c.DRAW:
        cards.draw(state, one)
    elif kind == c.OPEN:
        open_choices(state)
    elif kind == c.TURN:
        turn_up(state, one)
        state.phase = s.FIGHT
        flow.enter(state, s.ASK_S2)
        flow.go_on(state)
    elif kind == c.DISCARD:
        seat = cards.seat_of_top(state)
        cards.take_top(state, seat, one)
        state.gone[seat, one] += 1
        flow.leave(state, int(state.step) + 1)
        flow.go_on(state)
    elif kind == c.SCORE:
        score_province(state, one)
    elif kind == c.PAWN:
        flow.after_scoring(state)
    elif kind == c.COLLECT:
        cards.collect(state)
    else:
        flow.begin_round(state)


@rule
def put_stand(state, stand):
    """Put a stand beside the first province that has none."""
    province = 0
    while state.stands[province] != 0:
        province += 1
    state.stands[province] = stand + 1
    if province == c.PROVINCES - 1:
        if state.options.events != 0:
            state.phase = s.FIRST_EVENT
        else:
            begin_choice(state)


@rule
def begin_choice(state):
    """Ask both for a strategy card, where there are any; then cards are dealt."""
    state.phase = s.DEAL
    if state.options.strategies != 0:
        state.phase = s.CHOICE
        state.acting = 1 << c.BLUE | 1 << c.RED


@rule
def turn_event(state, event):
    """Turn up an event."""
    state.event = event + 1
    state.events_left = int(state.events_left) & ~(1 << event)
    if state.phase == s.FIRST_EVENT:
        begin_choice(state)
    else:
        flow.leave(state, s.RECYCLE_FIRST)
        flow.go_on(state)


@rule
def open_choices(state):
    """Let what both have chosen in secret count."""
    if state.phase == s.LAYING:
        flow.open_laid(state)
    elif state.phase == s.CHOICE:
        strategies.count_chosen(state, 1 << c.BLUE | 1 << c.RED)
        strategies.begin_with_s3(state)
        state.phase = s.DEAL
    else:
        strategies.count_chosen(state, choosers(state))
        flow.open_next_event(state)


# --- Values ---


@answers(kernel.utilities, s.STATE)
def utilities(state, out):
    for seat in range(2):
        won = state.winner == seat + 1
        out[seat] = 0.0 if state.winner == s.DRAWN_GAME else (1.0 if won else -1.0)


@answers(kernel.scores, s.STATE)
def scores(state, out):
    out[0] = max(int(state.track), 0)
    out[1] = max(-int(state.track), 0)
