"""What holds in every position of Sun Tzu, and in every view of one.

Who is asked, and for what, is asked of the rules themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tianxia.games.suntzu.rules import combat, events, payments, strategies
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules.cards import deck_size, drawer, first, lies_unseen
from tianxia.kernel.fields import Fields, knows
from tianxia.kernel.notation import Invariants

INVARIANTS = invariant = Invariants()

CLOSED = {*range(s.LAYING, s.END + 1)} - {s.DRAWING, s.KEEPING}
"""The phases of a round in which nothing is drawn."""
WINDOWS = (s.BEFORE, s.AFTER)
DRAWS = (s.DRAWING, s.KEEPING)
RECYCLED = (s.TOP_FIRST, s.TOP_SECOND)
MOST_CARDS = 10  # in a deck after the set-up


def players(p: Fields) -> list[tuple[str, int]]:
    return [("Blue", c.BLUE), ("Red", c.RED)]


# --- Stands and events ---


@invariant("each stand is there once, and they are drawn from Qin on")
def stands(p: Fields) -> bool:
    placed = p.stands[p.stands > 0].tolist()
    return len(set(placed)) == len(placed) and bool((p.stands[: len(placed)] == placed).all())


@invariant("all five stands lie there when the game goes on")
def all_stands(p: Fields) -> bool:
    return all(p.stands) == (p.phase != s.SETTING_STANDS)


@invariant("an event is open or face down, not both, and only in a game with events")
def event(p: Fields) -> bool:
    if not p.options.events:
        return not (p.event or p.events_left)
    return not (p.event and p.events_left >> (p.event - 1) & 1)


@invariant("one event is open until the last one has been met")
def open_event(p: Fields) -> bool:
    if not p.options.events or p.phase == s.END:
        return True
    if p.phase in (s.SETTING_STANDS, s.FIRST_EVENT):
        return p.events_left == (1 << c.EVENTS) - 1
    turning = p.phase == s.FIGHT and p.step == s.NEXT_EVENT
    return bool(p.events_left) and not p.event if turning else p.event > 0


# --- The round ---


@invariant("the round is 1 to 9, and 1 during the set-up")
def round_number(p: Fields) -> bool:
    return 1 <= p.turn <= (1 if p.phase < s.LAYING else c.LAST_ROUND)


@invariant("scores are counted in rounds 3, 6 and 9", (s.SCORING,))
def scored_round(p: Fields) -> bool:
    return p.turn % 3 == 0


@invariant("the last reinforcements come after round 9, when the score is level", (s.FINAL,))
def final_round(p: Fields) -> bool:
    return p.turn == c.LAST_ROUND and p.track == 0


@invariant("nobody draws after round 9", (s.COLLECTING, *DRAWS))
def drawing_round(p: Fields) -> bool:
    return p.turn < c.LAST_ROUND


@invariant("in round 1 nobody has the privilege")
def privilege(p: Fields) -> bool:
    return not (p.privilege and p.turn == 1)


@invariant("provinces are turned up in the order of play, and all of them before the end of it")
def turned_up(p: Fields) -> bool:
    if p.phase < s.ORDER or p.phase in DRAWS:
        return p.done == 0
    closed = (s.AFTER, s.SCORING, s.COLLECTING, s.FINAL)
    return p.phase not in closed or p.done == c.ALL_PROVINCES


@invariant("points are noted during a scoring only")
def tally(p: Fields) -> bool:
    return p.phase == s.SCORING or not any(p.tally)


@invariant("the end and its winner fit the score and the reserves (SUN-R36 to 40)", (s.END,))
def end(p: Fields) -> bool:
    level = p.track == 0
    fits = {
        36: p.turn in (3, 6) and abs(p.track) == c.TRACK,
        37: p.turn == c.LAST_ROUND and not level,
        38: p.turn == c.LAST_ROUND and level,
        40: p.options.events and not p.event and not p.events_left,
    }
    ahead = p.track or int(p.reserve[0] - p.reserve[1])
    return bool(fits[p.reason]) and p.winner == (3 if ahead == 0 else 1 if ahead > 0 else 2)


@invariant("a fight is in a province that is turned up", (s.FIGHT,))
def fight(p: Fields) -> bool:
    inside = 1 <= p.province <= c.PROVINCES
    return inside and bool(p.done >> (p.province - 1) & 1) and p.step != s.NO_STEP


@invariant("armies are owed while somebody is asked for them, and not more than can be", (s.FIGHT,))
def owed(p: Fields) -> bool:
    most = 9 if p.step == s.PLACE else 2 if p.step >= s.COST_FIRST else 1
    return 1 <= p.owed <= most if s.MARK_FIRST <= p.step <= s.TOLL_SECOND else not p.owed


@invariant("effects last as long as a fight")
def effects(p: Fields) -> bool:
    return p.phase == s.FIGHT or not p.effects


@invariant("outside of a fight one army is owed, for S5, while the reserve is empty")
def owed_for_s5(p: Fields) -> bool:
    if p.phase == s.FIGHT or not p.owed:
        return True
    holds = 1 <= p.province <= c.PROVINCES and p.board[c.BLUE][p.province - 1] > 0
    return p.phase in WINDOWS and p.owed == 1 and holds and not (p.reserve[c.BLUE] or p.passes)


@invariant("strategy cards are declined at most twice in a row, and outside of fights")
def passes(p: Fields) -> bool:
    return p.passes <= (p.phase in (*WINDOWS, s.FINAL))


@invariant("a province is in question where the phase needs one")
def province(p: Fields) -> bool:
    if p.phase in (s.FIGHT, s.SCORING):
        return p.province > 0
    if p.phase == s.ORDER:
        free = p.province == 0 or not p.done >> (p.province - 1) & 1
        return free and p.province <= c.PROVINCES and p.done != c.ALL_PROVINCES
    return bool(p.owed) or p.province == 0


# --- Armies and cards ---


@invariant(f"there are {c.ARMIES} armies", each=players)
def armies(p: Fields, seat: int) -> bool:
    places = (p.reserve, p.aside, p.board, p.marks)
    return bool(sum(np.sum(place[seat]) for place in places) == c.ARMIES)


@invariant("more reinforcements than armies", each=players)
def reinforcements(p: Fields, seat: int) -> bool:
    return bool(sum(p.spare[seat]) <= p.reserve[seat])


def _under(p: Fields, seat: int) -> Any:
    """Return the cards under a deck, 0 where they are not known."""
    return p.tail[seat][: p.tail_length[seat]] & ~s.SHOWN


def _left(p: Fields, seat: int) -> tuple[Any, Any]:
    """Return what of a seat's cards, up to 6 and above, is nowhere to be seen."""
    laid = np.bincount(p.laid[seat], minlength=c.KINDS + 1)[1:]
    under = np.bincount(_under(p, seat), minlength=c.KINDS + 1)[1 + c.BASIC :]
    piles = (p.gone, p.spare, p.drawn, p.deck)
    seen = laid[c.BASIC :] + under + sum(pile[seat] for pile in piles)
    above = c.COPIES[p.options.deck] - seen - p.hand[seat][c.BASIC :]
    return 1 - laid[: c.BASIC] - p.hand[seat][: c.BASIC], above


@invariant("these are the cards of the game, and a view lacks those that are hidden", each=players)
def cards(p: Fields, seat: int) -> bool:
    basic, above = _left(p, seat)
    known = knows(p, seat)
    return bool(min(basic) >= 0 and min(above) >= 0 and not (known and (any(basic) or any(above))))


@invariant(
    f"a deck has at most {MOST_CARDS} cards, and one where a card is turned up", each=players
)
def deck(p: Fields, seat: int) -> bool:
    under = _under(p, seat)
    unknown = int(sum(_left(p, seat)[1])) - p.hidden[seat] - sum(under == 0)
    size = (sum(p.deck[seat]) if knows(p, seat) else unknown) + len(under)
    recycling = p.phase == s.FIGHT and p.step in RECYCLED
    drawn = p.taken[seat] if p.phase in DRAWS else 0
    fits = p.phase <= s.DEAL or size + drawn <= MOST_CARDS + recycling
    return bool(unknown >= 0 and fits and size >= recycling)


@invariant("reinforcements are hidden while laying only", each=players)
def hidden_reinforcements(p: Fields, seat: int) -> bool:
    return p.phase == s.LAYING or not any(p.spare[seat])


@invariant("who has laid five cards has finished, and nobody else", (s.LAYING,), each=players)
def laying(p: Fields, seat: int) -> bool:
    lies = p.laid[seat] > 0
    return all(lies) != bool(p.acting >> seat & 1) if knows(p, seat) else not any(lies)


@invariant(
    "a card lies in each province from laying to drawing, and those face down are hidden",
    each=players,
)
def laid_cards(p: Fields, seat: int) -> bool:
    lies = (p.laid[seat] > 0).tolist()
    if p.phase < s.LAYING or p.phase in DRAWS:
        return not any(lies)
    if p.phase in (s.LAYING, s.END):
        return True
    hidden = [not knows(p, seat) and lies_unseen(p, seat, i) for i in range(c.PROVINCES)]
    missing = [i for i in range(c.PROVINCES) if not lies[i] and not hidden[i]]
    recycled = p.spent[seat] >> (c.S4, c.K5)[seat] & 1
    turned = all(p.done >> i & 1 for i in missing)
    return len(missing) <= recycled and turned and not any(map(min, lies, hidden))


@invariant("a 6 lies in no province that is marked, but for K1", each=players)
def six(p: Fields, seat: int) -> bool:
    if p.phase == s.END or (seat == c.RED and p.strategy[seat] >> c.K1 & 1):
        return True
    down = [p.phase in (s.LAYING, s.BEFORE) or not p.done >> i & 1 for i in range(c.PROVINCES)]
    return not any((p.marks[seat] > 0) & (p.laid[seat] == c.SIX + 1) & down)


# --- Drawing ---


@invariant("four cards are dealt, to Blue and then to Red", range(s.LAYING), each=players)
def deal(p: Fields, seat: int) -> bool:
    taken = p.taken[seat]
    wants = p.want[seat] == c.DEALT and not p.keep[seat] and not any(p.drawn[seat])
    held = sum(p.hand[seat][c.BASIC :]) + p.hidden[seat]
    turn = not taken or seat == c.BLUE or p.taken[c.BLUE] == c.DEALT
    begun = p.phase == s.DEAL and min(p.taken) < c.DEALT
    return bool(wants and taken <= c.DEALT and held == taken and turn and (begun or not taken))


@invariant("nothing is drawn now", CLOSED, each=players)
def nothing_drawn(p: Fields, seat: int) -> bool:
    return not (p.want[seat] or p.keep[seat] or p.taken[seat] or any(p.drawn[seat]))


@invariant("no such number of cards is drawn", DRAWS, each=players)
def numbers_drawn(p: Fields, seat: int) -> bool:
    want, keep = p.want[seat], p.keep[seat]
    taken = p.taken[seat]
    complete = taken == want if p.phase == s.KEEPING else taken <= want
    return bool(want <= 3 and want - 1 <= keep <= min(want, 2) and complete)


@invariant("these are not the cards drawn", DRAWS, each=players)
def drawn_cards(p: Fields, seat: int) -> bool:
    expected = p.taken[seat]
    if p.phase == s.KEEPING:
        choice = p.want[seat] > p.keep[seat]
        expected = 0 if not choice else p.want[seat] if p.acting >> seat & 1 else 1
    if knows(p, seat):
        return bool(sum(p.drawn[seat]) == expected)
    return bool(p.hidden[seat] >= expected and not any(p.drawn[seat]))


@invariant(
    "cards are drawn by Blue, then by Red, and the deck has them", (s.DRAWING,), each=players
)
def drawing(p: Fields, seat: int) -> bool:
    enough = not knows(p, seat) or deck_size(p, seat) >= p.want[seat] - p.taken[seat]
    turn = not p.taken[c.RED] or drawer(p) == c.RED
    return bool(enough and drawer(p) >= 0 and turn)


# --- Strategy cards ---


@invariant("there are no strategy cards in this game", each=players)
def no_strategies(p: Fields, seat: int) -> bool:
    return bool(p.options.strategies or not (p.cards[seat] or p.strategy[seat] or p.spent[seat]))


@invariant("everybody has one or two strategy cards once both have chosen", each=players)
def number_of_strategies(p: Fields, seat: int) -> bool:
    if not p.options.strategies:
        return True
    cards = p.cards[seat] + int(p.spent[seat]).bit_count()
    return bool(not (p.cards[seat] or p.spent[seat]) if p.phase <= s.CHOICE else 1 <= cards <= 2)


@invariant("a strategy card is held or spent, not both", each=players)
def held_or_spent(p: Fields, seat: int) -> bool:
    return not p.strategy[seat] & p.spent[seat]


@invariant("not so many strategy cards are known to be held", each=players)
def strategies_held(p: Fields, seat: int) -> bool:
    more = p.phase == s.CHOICE and p.options.strategies
    if p.phase == s.FIGHT and p.step == s.SECOND_CARD and events.choosers(p) >> seat & 1:
        more = True
        if p.cards[seat] + int(p.spent[seat]).bit_count() > 1:
            return False
    more = more and not p.acting >> seat & 1
    return not knows(p, seat) or int(p.strategy[seat]).bit_count() == p.cards[seat] + bool(more)


@invariant("S3 is shown as soon as both have chosen", range(s.DEAL, s.END + 1))
def s3(p: Fields) -> bool:
    return not p.strategy[c.BLUE] >> c.S3 & 1


# --- Who may act ---


@invariant("who may act does not fit the phase")
def acting(p: Fields) -> bool:
    if p.phase in (s.CHOICE, s.LAYING):
        return True
    if p.phase == s.KEEPING:
        return not any(p.acting >> i & 1 and p.want[i] == p.keep[i] for i in range(2))
    if p.phase in WINDOWS and not p.owed:
        able = [1 << i for i in range(2) if p.cards[i] and p.turn <= c.LAST_STRATEGY_ROUND]
        return p.acting in able
    if p.phase == s.FIGHT:
        return _asked_in_fight(p)
    return p.acting == _asked(p)


def _asked(p: Fields) -> int:
    """Return who is asked in the phases in which only one can be."""
    if p.phase == s.ORDER:
        left = c.ALL_PROVINCES & ~p.done
        asked = p.privilege and not p.province and left & (left - 1)
        return 1 << first(p) if asked else 0
    if p.phase in WINDOWS:
        return 1 << payments.debtor(p)
    if p.phase == s.FINAL:
        seat = 1 - first(p) if p.passes else first(p)
        return 1 << seat if p.aside[seat] else -1
    return 0


def _asked_in_fight(p: Fields) -> bool:
    step = p.step
    if step in (s.NEXT_EVENT, *RECYCLED):
        return p.acting == 0
    if step == s.SECOND_CARD:
        return events.choosers(p) > 0 and p.acting & ~events.choosers(p) == 0
    if step < s.MARK_FIRST:
        asks = (strategies.asks_s2, strategies.asks_k4, strategies.asks_k3)[step - s.ASK_S2]
        return bool(asks(p)) and p.acting == (1 if step == s.ASK_S2 else 2)
    if step >= s.RECYCLE_FIRST:
        seat = first(p) if step == s.RECYCLE_FIRST else 1 - first(p)
        return bool(strategies.asks_recycling(p, seat)) and p.acting == 1 << seat
    if step >= s.TOLL_FIRST and p.event not in (c.PANDEMIC, c.CHAMPION, c.HERO):
        return False
    there = min(combat.card(p, seat) for seat in range(2)) >= 0
    seat = payments.debtor(p)
    if seat < 0 or (step == s.PLACE and not there):
        return False
    return p.acting == 1 << seat and not (payments.reserve_first(p) and p.reserve[seat])
