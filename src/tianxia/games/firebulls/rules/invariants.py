"""What holds in every position of Fire Bulls, and in every view of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules import state as s
from tianxia.kernel.decks import hidden_cards, last_shuffle_fits
from tianxia.kernel.fields import Fields, everybody, is_open, knows
from tianxia.kernel.notation import Invariants

INVARIANTS = invariant = Invariants()

SETUP = range(s.TURN)
PLAY = range(s.TURN, s.PHASES)
WITHOUT = (s.TURN, s.STEP, s.RESERVE_DRAW, s.PENALISING, s.ENDED)
"""Phases in which there is no attack."""
DURING_ATTACK = (s.NEXT_CARD, s.POWER, s.FEE_DUE, s.SLIDING, s.REFILLING, s.COLONELS, s.THEFT)
DRAWS = (s.HAND_DRAW, s.SHUFFLING)
ROBS = (s.COLONELS, s.THEFT)
CLOSED = (s.TURN, s.SLIDING, s.REFILLING, s.PENALISING, s.ENDED)
IN_ORDER = np.arange(c.PLACES).reshape(-1, c.PILES).T.ravel()
"""The places in the order in which cards are laid out: row by row, from the pawns away."""


def won(p: Fields) -> list[int]:
    """Return the kinds of the cards won in this turn."""
    return [int(kind) - 1 for kind in p.won if kind]


def others(p: Fields) -> list[int]:
    """Return the seats of all but the active player."""
    return [seat for seat in everybody(p) if seat != p.active]


def in_order(items: Any) -> bool:
    """Say whether what is there comes before what is not."""
    return list(map(bool, items)) == sorted(map(bool, items), reverse=True)


# --- Cards ---


@invariant(f"there are {c.POINT_CARDS.sum()} point cards (FBL-05, FBL-53)")
def point_cards(p: Fields) -> bool:
    return min(p.unseen) >= 0 and sum(p.unseen) == sum(p.piles)


@invariant("the General is where he is said to be")
def where_the_general_is(p: Fields) -> bool:
    return (p.unseen[c.GENERAL] > 0) == (p.general == s.IN_PILES)


@invariant(f"there are {c.DECK} attack cards: 10 of each colour and 4 Warriors (FBL-02, FBL-53)")
def attack_cards(p: Fields) -> bool:
    left = c.ATTACK_CARDS - p.reserve - p.discard - p.hands.sum(axis=0) - p.deck
    return min(left) >= 0 and sum(left) == hidden_cards(p, p.hand_sizes)


@invariant("the deck at its last shuffle is what is in it and what was drawn from it")
def deck_at_its_last_shuffle(p: Fields) -> bool:
    return last_shuffle_fits(p)


def _memories(p: Fields) -> list[tuple[str, int, int]]:
    knowing = [seat for seat in everybody(p) if knows(p, seat)]
    return [(f"of seat {i}", who, i) for who in (*knowing, s.PUBLIC) for i in everybody(p)]


@invariant("no more cards are surely in a hand than it has", each=_memories)
def memory_fits_hands(p: Fields, who: int, seat: int) -> bool:
    known = p.known[who][seat]
    seen = not knows(p, seat) or (known <= p.hands[seat]).all()
    return bool(sum(known) <= p.hand_sizes[seat] and seen)


@invariant("everybody knows what all know", each=_memories)
def common_memory(p: Fields, who: int, seat: int) -> bool:
    return bool((p.known[who][seat] >= p.known[s.PUBLIC][seat]).all())


@invariant("these cards cannot all be where they are said to be")
def a_world_fits_the_view(p: Fields) -> bool:
    if is_open(p):
        return True
    own = p.viewer - 1 if p.viewer > 0 else s.PUBLIC
    unknown = [seat for seat in everybody(p) if seat != own]
    left = c.ATTACK_CARDS - p.reserve - p.discard - p.hands.sum(axis=0)
    left = left - p.known[own][unknown].sum(axis=0)
    possible = np.minimum(left, p.fresh - p.drawn.sum(axis=0))
    return bool(min(left) >= 0 and sum(possible) >= p.deck_size)


# --- The set-up ---


@invariant("no two pawns stand before one direction (FBL-54)")
def pawns_apart(p: Fields) -> bool:
    pawns = p.pawns[p.pawns > 0]
    return len(set(pawns.tolist())) == len(pawns)


@invariant("pawns are placed first, seat by seat")
def pawns_first(p: Fields) -> bool:
    pawns = p.pawns[: p.seats]
    return in_order(pawns) and all(pawns) == (p.phase != s.PLACING)


@invariant("during the set-up nobody has done anything yet", SETUP)
def nothing_done_yet(p: Fields) -> bool:
    turn = ("active", "exhausted", "direction", "won", "warriors", "owed", "resume", "victim")
    names = (*turn, "victory", "removed", "discard", "known")
    return not any(np.any(getattr(p, name)) for name in names)


@invariant("the rows are laid out after the pawns, one after the other, from the pawns away", SETUP)
def rows_in_order(p: Fields) -> bool:
    laid = p.rows[IN_ORDER]
    fits = {s.PLACING: not any(laid), s.ROWS: not all(laid)}
    return in_order(laid) and bool(fits.get(p.phase, all(laid)))


@invariant("the cards missing from the piles lie in their rows, or aside if the General", SETUP)
def cards_of_the_rows(p: Fields) -> bool:
    laid = p.rows[IN_ORDER].reshape(c.PILES, -1) > 0
    extra = c.PILE - p.piles - laid.sum(axis=1)
    begun = min(laid.sum() // laid.shape[1], c.PILES - 1)  # the last pile that was drawn from
    general = int(p.general == s.ASIDE)
    fits = min(extra) >= 0 and sum(extra) == general and not any(extra[begun + 1 :])
    return bool(fits and p.general != s.WON)


@invariant("three cards are dealt to each seat in turn, then three to the Reserve", SETUP)
def deal(p: Fields) -> bool:
    sizes, reserve = p.hand_sizes[: p.seats], sum(p.reserve)
    dealt = sum(sizes)
    wanted = np.clip(dealt - c.DEALT * np.arange(p.seats), 0, c.DEALT)
    early = (reserve and dealt < c.DEALT * p.seats) or (dealt and p.phase < s.DEALING)
    fits = (sizes == wanted).all() and (p.draws[: p.seats] == sizes).all()
    return bool(fits and not early and reserve <= c.DEALT)


@invariant("the first player is drawn when all cards are dealt", SETUP)
def first_player(p: Fields) -> bool:
    return (sum(p.reserve) == c.DEALT) == (p.phase == s.BEGINNING)


# --- Deck and hands in play ---


@invariant("what was begun in this turn fits the phase", PLAY)
def begun(p: Fields) -> bool:
    return bool(p.resume) == (p.phase in DRAWS) and bool(p.victim) == (p.phase in ROBS)


@invariant("cards are won by an attack, along a direction, and in phases of an attack", PLAY)
def attack_of_the_phase(p: Fields) -> bool:
    if bool(p.direction) != any(p.won) or not in_order(p.won):
        return False
    nothing = not (p.direction or p.warriors)
    return nothing if p.phase in WITHOUT else bool(p.direction) or p.phase not in DURING_ATTACK


@invariant("the Reserve has three cards or more (FBL-16)", PLAY)
def reserve(p: Fields) -> bool:
    return bool(sum(p.reserve) >= c.DEALT - (p.phase == s.RESERVE_DRAW))


@invariant("an empty deck is shuffled anew at once, but for the third time", PLAY)
def shuffled_at_once(p: Fields) -> bool:
    empty = p.deck_size == 0 and p.exhausted < c.LAST_EXHAUSTION
    return empty == (p.phase == s.SHUFFLING)


@invariant("when the deck has run out three times, the turn is the last", PLAY)
def last_turn(p: Fields) -> bool:
    return p.exhausted < c.LAST_EXHAUSTION or not (p.deck_size or p.phase == s.TURN)


@invariant("without a discard there is nothing to shuffle", (s.SHUFFLING,))
def something_to_shuffle(p: Fields) -> bool:
    return any(p.discard)


@invariant("nothing is drawn from an empty deck", (s.HAND_DRAW, s.RESERVE_DRAW))
def something_to_draw(p: Fields) -> bool:
    return p.deck_size > 0


@invariant("a turn ends with eight cards in hand at most (FBL-39)", PLAY)
def hand_limit(p: Fields) -> bool:
    over = p.hand_sizes[: p.seats] > c.HAND_LIMIT
    mine = over[p.active] if p.phase not in CLOSED else not over[p.active]
    return not any(over[others(p)]) and bool(mine or p.phase not in (s.LIMIT, *CLOSED))


@invariant("with the third exhaustion, and with it only, comes the penalty", PLAY)
def penalty(p: Fields) -> bool:
    if p.phase not in (s.PENALISING, s.ENDED):
        return True
    lost = p.exhausted == c.LAST_EXHAUSTION
    return lost == (p.phase == s.PENALISING or p.reason == 46)


@invariant("the game ends with two empty piles and the General won (FBL-45)", (s.ENDED,))
def end_by_piles(p: Fields) -> bool:
    return p.reason != 45 or (p.general == s.WON and sum(p.piles == 0) >= 2)


# --- The attack ---


@invariant(f"there are {c.ATTACK_CARDS[c.WARRIOR]} Warriors", PLAY)
def warriors(p: Fields) -> bool:
    return bool(p.warriors <= c.ATTACK_CARDS[c.WARRIOR])


@invariant("the General is attacked where he lies, alone (FBL-44)", PLAY)
def attack_on_the_general(p: Fields) -> bool:
    if p.direction == c.AT_GENERAL:
        return won(p) == [c.GENERAL] and p.general == s.WON
    return c.GENERAL not in won(p)


@invariant("an attack goes along one's own direction or one beside it (FBL-33)", PLAY)
def attack_direction(p: Fields) -> bool:
    aside = p.direction in (0, c.AT_GENERAL)
    return bool(aside or abs(p.direction - p.pawns[p.active]) <= 1)


def _most(p: Fields) -> int:
    """Return how many cards an attack in this direction can win."""
    return c.DIRECT if p.direction == p.pawns[p.active] else c.DEVIATED


@invariant("a deviated attack wins two cards at most (FBL-33)", PLAY)
def attack_length(p: Fields) -> bool:
    return not p.direction or len(won(p)) <= _most(p)


@invariant("what was won in this turn lies in the Victory pile", PLAY)
def won_cards(p: Fields) -> bool:
    return all(won(p).count(kind) <= p.victory[p.active][kind] for kind in won(p))


@invariant("an attack goes on where it meets a card", (s.NEXT_CARD,))
def target(p: Fields) -> bool:
    line = c.LINE[p.direction] if p.direction != c.AT_GENERAL else []
    return len(won(p)) < _most(p) and any(p.rows[line])


WITH_POWER = {
    s.POWER: (c.BO, c.COLONEL, c.GENERAL),
    s.COLONELS: (c.COLONEL,),
    s.THEFT: (c.GENERAL,),
}


@invariant("the card won last has a power of this phase (FBL-10)", WITH_POWER)
def power(p: Fields) -> bool:
    return won(p)[-1] in WITH_POWER[p.phase]


@invariant("a Bo's power needs a deck, another's an opponent with cards", (s.POWER,))
def power_of_use(p: Fields) -> bool:
    return bool(p.deck_size if won(p)[-1] == c.BO else any(p.hand_sizes[others(p)]))


@invariant("a fee is due for Warriors, in cards won earlier (FBL-38)", (s.FEE_DUE,))
def fee(p: Fields) -> bool:
    return bool(p.warriors and sum(p.victory[p.active]) > len(won(p)))


@invariant("an opponent with cards is robbed", ROBS)
def victim(p: Fields) -> bool:
    return bool(p.victim - 1 != p.active and p.hand_sizes[p.victim - 1])


# --- Rows and draws ---


@invariant("rows are closed up and refilled at the end of a turn, one after the other (FBL-40)")
def rows_closed_up(p: Fields) -> bool:
    rows = p.rows.reshape(-1, c.PILES).T
    slid = all(map(in_order, rows))
    full = not any(not all(row) and p.piles[i] > 0 for i, row in enumerate(rows))
    fits = {s.SLIDING: not slid, s.REFILLING: slid and not full}
    return fits.get(p.phase, p.phase not in WITHOUT or (slid and full))


@invariant("draws are owed while cards are drawn only, and no more than there can be", PLAY)
def owed(p: Fields) -> bool:
    if p.phase not in DRAWS:
        return not p.owed
    cards = len(won(p))
    most = {s.TO_STEP: 1, s.TO_LINE: 1, s.TO_END: max(cards - 1, 0)}[p.resume]
    least = p.phase == s.HAND_DRAW
    return bool(least <= p.owed <= most - (p.phase == s.SHUFFLING and most > 0))


@invariant("what follows the draws fits the turn: only a Bo lets an attacker draw", DRAWS)
def after_the_draws(p: Fields) -> bool:
    cards = won(p)
    return {s.TO_STEP: not cards, s.TO_LINE: cards[-1:] == [c.BO], s.TO_END: True}[p.resume]
