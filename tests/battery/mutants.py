"""Break the toy game in many ways, and see that the battery notices every one.

``python -m tests.battery.mutants`` prints a line for each mutant. Rules that are not
compiled can be exchanged while a program runs, hence NUMBA_DISABLE_JIT.
"""

from __future__ import annotations

import os

os.environ["NUMBA_DISABLE_JIT"] = "1"

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import tianxia
from tests.battery import games
from tianxia import testing
from tianxia.kernel import functions as kernel

assert games.SPECS
LAY, DONE, OPEN, DRAW = 0, 3, 4, 12  # actions of the toy; a card's rank, 0 to 2, is added

Mutant = Callable[[Callable[..., Any]], Callable[..., Any]]
MUTANTS: list[tuple[str, Any, testing.Check, Mutant]] = []


def mutant(function: Any, check: testing.Check) -> Callable[[Mutant], Mutant]:
    """Note a mutant, and the check that has to notice it.

    It is given a function's right answer and returns the wrong one.
    """

    def note(make: Mutant) -> Mutant:
        MUTANTS.append((make.__name__, function, check, make))
        return make

    return note


@contextmanager
def broken(function: Any, make: Mutant) -> Iterator[None]:
    known = kernel._answers[function]
    dtype = tianxia.game("blind-duel").kind.dtype
    right = known.get(dtype)
    known[dtype] = make(right or function)
    try:
        yield
    finally:
        del known[dtype]
        if right is not None:
            known[dtype] = right


@mutant(kernel.apply_action, testing.check_in_python)
def a_field_is_misspelled(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        state.pionts[0] = 0

    return apply_action


@mutant(kernel.chance_outcomes, testing.check_in_python)
def nothing_is_returned(right):
    def chance_outcomes(state, actions, weights):
        right(state, actions, weights)

    return chance_outcomes


@mutant(kernel.setup, testing.check_in_python)
def there_are_fewer_places_than_seats(right):
    def setup(state):
        right(state)
        state.points[3] = 0

    return setup


@mutant(kernel.limits, testing.check_in_python)
def limits_promise_too_short_a_list(right):
    def limits(state):
        actions, _, chance, features = right(state)
        return actions, 1, chance, features

    return limits


@mutant(kernel.view, testing.check_views)
def view_shows_a_card(right):
    def view(state, seat, out):
        right(state, seat, out)
        if seat == 0 and not state.over:
            out.deck[0] = state.deck[0]

    return view


@mutant(kernel.view, testing.check_views)
def view_of_a_spectator_shows_the_deck(right):
    def view(state, seat, out):
        right(state, seat, out)
        if seat == tianxia.SPECTATOR:
            out.deck[0] = state.deck[0]

    return view


@mutant(kernel.view, testing.check_seen)
def view_copies_the_state(right):
    def view(state, seat, out):
        viewer = -1 if seat == tianxia.SPECTATOR else seat + 1
        for name in state.dtype.names:
            out[name] = state[name]
        out.viewer = viewer

    return view


@mutant(kernel.view, testing.check_views)
def view_forgets_who_may_act(right):
    def view(state, seat, out):
        right(state, seat, out)
        out.acting = 0

    return view


@mutant(kernel.view, testing.check_seen)
def view_tells_how_many_were_laid(right):
    def view(state, seat, out):
        right(state, seat, out)
        out.unknown[2] += state.laid[1 - max(seat, 0)].sum() if not state.over else 0

    return view


@mutant(kernel.view, testing.check_views)
def view_hides_something_at_the_end(right):
    def view(state, seat, out):
        right(state, seat, out)
        if state.over:
            out.deck[0] = 0

    return view


@mutant(kernel.sample, testing.check_views)
def sample_forgets_what_is_known(right):
    def sample(state, rng):
        right(state, rng)
        state.hand[0], state.hand[1] = state.hand[1].copy(), state.hand[0].copy()

    return sample


@mutant(kernel.sample, testing.check_views)
def sample_makes_up_cards(right):
    def sample(state, rng):
        right(state, rng)
        if not state.over:
            state.deck[0], state.deck[1] = state.deck[0] + 1, state.deck[1] - 1

    return sample


@mutant(kernel.sample, testing.check_views)
def sample_stays_a_view(right):
    def sample(state, rng):
        viewer = state.viewer
        right(state, rng)
        state.viewer = viewer

    return sample


@mutant(kernel.legal_actions, testing.check_play)
def legal_list_depends_on_the_viewer(right):
    def legal_actions(state, seat, out):
        count = right(state, seat, out)
        if state.viewer == 0:
            out[:count] = out[:count][::-1].copy()
        return count

    return legal_actions


@mutant(kernel.legal_actions, testing.check_play)
def legal_list_has_duplicates(right):
    def legal_actions(state, seat, out):
        count = right(state, seat, out)
        if count == 2:
            out[2] = out[1]
            return 3
        return count

    return legal_actions


@mutant(kernel.legal_actions, testing.check_refusals)
def legal_list_leaves_something_out(right):
    def legal_actions(state, seat, out):
        count = right(state, seat, out)
        return max(count - 1, min(count, 1))

    return legal_actions


@mutant(kernel.legal_actions, testing.check_play)
def legal_list_is_written_beyond_its_end(right):
    def legal_actions(state, seat, out):
        out[-1] = 1
        return right(state, seat, out)

    return legal_actions


@mutant(kernel.refusal, testing.check_refusals)
def refusal_names_no_statement(right):
    def refusal(state, seat, action):
        return 99 if right(state, seat, action) == 3 else right(state, seat, action)

    return refusal


@mutant(kernel.refusal, testing.check_refusals)
def refusal_lets_others_act(right):
    def refusal(state, seat, action):
        return 0 if action == 11 and seat == 0 else right(state, seat, action)

    return refusal


@mutant(kernel.chance_outcomes, testing.check_play)
def chance_repeats_itself(right):
    def chance_outcomes(state, actions, weights):
        count = right(state, actions, weights)
        if count == 2:
            actions[1] = actions[0]
        return count

    return chance_outcomes


@mutant(kernel.chance_outcomes, testing.check_play)
def chance_has_no_weight(right):
    def chance_outcomes(state, actions, weights):
        count = right(state, actions, weights)
        weights[:1] = 0
        return count

    return chance_outcomes


@mutant(kernel.chance_outcomes, testing.check_play)
def chance_interrupts(right):
    def chance_outcomes(state, actions, weights):
        if state.phase == 4:
            actions[0], weights[0] = 0, 1
            return 1
        return right(state, actions, weights)

    return chance_outcomes


@mutant(kernel.apply_action, testing.check_notation)
def rubbish_stays_behind(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action == 11:
            state.unknown[2] = 1

    return apply_action


@mutant(kernel.apply_action, testing.check_notation)
def the_die_is_not_taken_away(right):
    def apply_action(state, seat, action):
        die = state.die
        right(state, seat, action)
        if action == 11:
            state.die = die

    return apply_action


@mutant(kernel.apply_action, testing.check_seen)
def secret_actions_are_counted(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action < 3:
            state.plies += 1

    return apply_action


@mutant(kernel.apply_action, testing.check_secrets_commute)
def the_order_of_secret_actions_matters(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action < 3:
            state.die = seat + 1
        elif action == 4:
            state.unknown[2] = state.die
            state.die = 0

    return apply_action


@mutant(kernel.apply_action, testing.check_play)
def open_actions_are_not_counted(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action == 11:
            state.plies -= 1

    return apply_action


@mutant(kernel.apply_action, testing.check_play)
def a_draw_is_not_sealed(right):
    def apply_action(state, seat, action):
        before = int(state.sealed)
        right(state, seat, action)
        if seat == tianxia.CHANCE and action >= DRAW:
            state.sealed = before

    return apply_action


@mutant(kernel.apply_action, testing.check_play)
def sealed_goes_back(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action == 11:
            state.sealed = 0

    return apply_action


@mutant(kernel.apply_action, testing.check_play)
def an_option_is_changed(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action == 4:
            state.options.rounds = 2

    return apply_action


@mutant(kernel.seen, testing.check_seen)
def seats_forget_what_they_did(right):
    def seen(state, seat, action, viewer):
        return -1 if action < 3 else right(state, seat, action, viewer)

    return seen


@mutant(kernel.seen, testing.check_seen)
def nobody_hears_of_the_die(right):
    def seen(state, seat, action, viewer):
        return -1 if 5 <= action < 8 else right(state, seat, action, viewer)

    return seen


@mutant(kernel.seen, testing.check_seen)
def spectators_see_the_draws(right):
    def seen(state, seat, action, viewer):
        return action if viewer == -1 else right(state, seat, action, viewer)

    return seen


@mutant(kernel.seen, testing.check_seen)
def everybody_sees_everything(right):
    def seen(state, seat, action, viewer):
        return action

    return seen


@mutant(kernel.seen, testing.check_seen)
def the_draws_of_others_are_seen(right):
    def seen(state, seat, action, viewer):
        return action if action >= DRAW and viewer >= 0 else right(state, seat, action, viewer)

    return seen


@mutant(kernel.seen, testing.check_seen)
def others_see_that_a_card_is_laid(right):
    def seen(state, seat, action, viewer):
        return 0 if action < DONE and seat != viewer else right(state, seat, action, viewer)

    return seen


@mutant(kernel.legal_actions, testing.check_play)
def legal_list_tells_the_other_hand(right):
    def legal_actions(state, seat, out):
        count = right(state, seat, out)
        return max(count - 1, 1) if count and state.hand[1 - seat % 2, 2] else count

    return legal_actions


@mutant(kernel.legal_actions, testing.check_play)
def order_of_the_legal_list_tells_the_other_hand(right):
    def legal_actions(state, seat, out):
        count = right(state, seat, out)
        if state.hand[1 - seat % 2, 2]:
            out[:count] = out[:count][::-1].copy()
        return count

    return legal_actions


@mutant(kernel.apply_action, testing.check_seen)
def who_may_act_tells_the_draw(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action == DRAW + 2 and state.acting:
            state.acting = 1

    return apply_action


@mutant(kernel.apply_action, testing.check_seen)
def a_high_card_ends_the_turn_at_once(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action == LAY + 2:
            right(state, seat, DONE)

    return apply_action


@mutant(kernel.apply_action, testing.check_seen)
def plies_tell_the_draw(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        state.plies += action == DRAW + 2

    return apply_action


@mutant(kernel.apply_action, testing.check_seen)
def what_is_sealed_tells_the_draw(right):
    def apply_action(state, seat, action):
        sealed = state.sealed
        right(state, seat, action)
        if action == DRAW + 2:
            state.sealed = sealed

    return apply_action


@mutant(kernel.seen, testing.check_seen)
def seen_is_another_action(right):
    def seen(state, seat, action, viewer):
        return OPEN + 1 if action == OPEN else right(state, seat, action, viewer)

    return seen


@mutant(kernel.apply_action, testing.check_seen)
def what_is_opened_is_not_sealed(right):
    def apply_action(state, seat, action):
        sealed = state.sealed
        right(state, seat, action)
        if action == OPEN:
            state.sealed = sealed

    return apply_action


@mutant(kernel.apply_action, testing.check_seen)
def who_may_act_tells_of_a_hand(right):
    def apply_action(state, seat, action):
        right(state, seat, action)
        if action >= DRAW and state.acting and state.hand[0, 0]:
            state.acting = int(state.acting) & ~1

    return apply_action


@mutant(kernel.refusal, testing.check_refusals)
def refusal_lets_something_through_in_few_positions(right):
    def refusal(state, seat, action):
        why = right(state, seat, action)
        rare = state.plies == 11 and state.die == 1
        return 0 if rare and action == DONE and seat == 1 else why

    return refusal


@mutant(kernel.scores, testing.check_play)
def scores_are_not_all_written(right):
    def scores(state, out):
        out[0] = state.points[0]

    return scores


@mutant(kernel.evaluate, testing.check_play)
def a_guess_leaves_a_seat_out(right):
    def evaluate(state, out):
        last = out[1]
        right(state, out)
        out[1] = last

    return evaluate


@mutant(kernel.utilities, testing.check_play)
def utilities_are_points(right):
    def utilities(state, out):
        out[0], out[1] = state.points[0], -state.points[0]

    return utilities


@mutant(kernel.utilities, testing.check_play)
def everybody_wins(right):
    def utilities(state, out):
        out[:] = 1.0

    return utilities


@mutant(kernel.encode, testing.check_play)
def features_are_not_all_written(right):
    def encode(state, out):
        first = out[0]
        right(state, out)
        out[0] = first

    return encode


@mutant(kernel.random_action, testing.check_random_action)
def random_action_is_the_first_one(right):
    def random_action(state, seat, actions, rng):
        kernel.legal_actions(state, seat, actions)
        return actions[0]

    return random_action


@mutant(kernel.random_outcome, testing.check_random_action)
def random_outcome_is_the_first_one(right):
    def random_outcome(state, actions, weights, rng):
        kernel.chance_outcomes(state, actions, weights)
        return actions[0]

    return random_outcome


@mutant(kernel.policy, testing.check_policy)
def policy_knows_the_other_hand(right):
    def policy(state, seat, actions, count, weights):
        right(state, seat, actions, count, weights)
        weights[0] += int(state.hand[1 - seat % 2, 2])
        return True

    return policy


@mutant(kernel.policy, testing.check_policy)
def policy_gives_no_weight(right):
    def policy(state, seat, actions, count, weights):
        weights[:count] = 0
        return True

    return policy


@mutant(kernel.policy, testing.check_policy)
def policy_weighs_more_than_there_is(right):
    def policy(state, seat, actions, count, weights):
        right(state, seat, actions, count, weights)
        weights[count] = 1
        return True

    return policy


def main() -> None:
    for name, function, check, make in MUTANTS:
        with broken(function, make):
            print(f"{name}: {noticed(check) or 'SURVIVED'}")


def noticed(check: testing.Check) -> str | None:
    """Return what a check complains of."""
    for spec in ("blind-duel", "blind-duel(players=3)"):
        for seed in range(3):
            try:
                check(tianxia.game(spec), seed)
            except testing.CheckFailed as error:
                return " ".join(str(error).splitlines()[:2])
    return None


if __name__ == "__main__":
    main()
