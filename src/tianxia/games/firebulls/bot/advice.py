"""Advice at a table of Fire Bulls: what the Chief finds about each action, and why.

See `tianxia.search.advice` for what a game's adviser is.
"""

from __future__ import annotations

from dataclasses import replace
from operator import sub

import numpy as np

from tianxia.draw.languages import N_, translator
from tianxia.games.firebulls import face
from tianxia.games.firebulls.bot.chief import BEST, Chief
from tianxia.games.firebulls.bot.finish import end_is_near
from tianxia.games.firebulls.bot.player import Cards, payments, with_card, worth_of
from tianxia.games.firebulls.face.gestures import STEPS
from tianxia.games.firebulls.face.words import (
    attack_name,
    cards_in_words,
    point_name,
    seat_name,
)
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.state import ASIDE, TURN
from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.advice import PATIENCE, seat_of
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

PACKAGE = face.__name__

WORLDS = 4
"""In how many sampled worlds a turn has to end the game before that is said."""
IDLE = (c.STOP, c.DECLINE, c.STAY)
"""What does no more in a turn."""

ENDS_NOW = N_("The game ends with this turn.")
TAKEN_TO_WIN = N_("With this card you could win in your next turn: {target}.")
TAKEN_WARRIOR = N_("A Warrior stands in for a Bull of any colour, whatever comes.")
TAKEN_WARRIOR_AT_A_COST = N_(
    "A Warrior stands in for a Bull of any colour, but costs a point card won earlier."
)
TAKEN_ALIKE = N_("You will have {number} of that colour; the great cards ask for many of one.")
TAKEN_FOR_BO = N_("A colour that you do not have yet: a Bo asks for all five.")
TAKEN_NEW = N_("A colour that you do not have yet, and some cards ask for just this one.")
DRAWN = N_("No card of the Reserve lets you win more at once; after drawing you may step aside.")
DRAWN_UNSEEN = N_("Nobody sees what you draw, and after it you may step aside.")
STAYED = (
    N_("Nothing lies before your pawn, but you can attack along the directions beside it."),
    N_("One card lies before your pawn: {target}."),
    N_("A direct attack from here can win two cards; the first: {target}."),
    N_("A direct attack from here can win three cards; the first: {target}."),
)
STEPPED = (
    N_("Nothing lies before direction {direction} as yet."),
    N_("From direction {direction} a direct attack can win one card: {target}."),
    N_("From direction {direction} a direct attack can win two cards; the first: {target}."),
    N_("From direction {direction} a direct attack can win three cards; the first: {target}."),
)
STEPPED_ON = N_("There you change places with {seat}, whose pawn you drive from its direction.")
STEPPED_BEYOND = N_("From there you can attack along direction {direction} as well.")
STOPPED = N_("Your attack cards are worth more to you than this one: {target}.")
STOPPED_SHORT = N_("You cannot pay for the next one: {target}.")
POWER_REASONS = {
    c.BO: N_("A card more costs you nothing."),
    c.COLONEL: N_("Every opponent who has attack cards loses one, and you lose nothing."),
    c.GENERAL: N_("Every opponent who has attack cards loses one, and you gain it."),
}
DECLINED = N_("Here the power would help you little.")
PAID = N_("Of the point cards that you can give none is worth less to you: {card}.")
PAID_MORE = N_("This one is worth {points} to you, more than another that you can give: {card}.")
PUT_AWAY = N_("You need your other cards more than this one: {card}.")
GENERAL_WON = N_("The General is worth {points}, and takes a card from every opponent.")
GENERAL_WITH = N_("The General is worth {points}, though each Warrior costs an earlier card.")
WINS_A_CARD = N_("It wins a card worth {points}: {card}, paid with {cards}.")
CLEARED = N_("The card is worth nothing, but it is out of the way: {card}, paid with {cards}.")
CLEARED_ON = N_("The card is worth nothing, but you draw an attack card for it: {card}.")
WON_ON = N_(
    "It wins a card and opens the way to another that you can pay for: {card}, then {target}."
)
WON_WITH = N_("It wins a card worth {points}, though each Warrior costs an earlier one: {card}.")


def weigh(bot: Bot, view: State) -> list[Finding]:
    """Return what the Chief thinks of a seat's actions, the best first.

    Of the ways to pay for an attack it weighs the cheapest only. Bots of another kind are
    asked nothing: a Chief who has just come looks at the view, which remembers all.
    """
    seat = seat_of(view)
    chief = bot if isinstance(bot, Chief) else Chief(view.game, seat, view.plies)
    return chief.weigh(view)


def patient(game: Game, seat: int, seed: int) -> Bot:
    """Return a Chief who tries ten times as much."""
    return Chief(game, seat, seed, replace(BEST, trials=PATIENCE * BEST.trials))


def reason(view: State, seat: int, action: int, language: str) -> str:
    """Return one sentence: why an action is good, or what it does."""
    _ = translator(language, PACKAGE).gettext
    if _ends_game(view, seat, action):
        return _(ENDS_NOW)
    match c.ACTIONS.split(action):
        case "attack", direction, payment:
            return _attack(view, seat, direction, payment, language)
        case "take", card:
            return _taken(view, seat, card, language)
        case ("stay" | "left" | "right" as way,):
            return _step(view, seat, STEPS[way], language)
        case ("stop",):
            return _stop(view, seat, language)
        case ("use",):
            return _(POWER_REASONS[_won(view)[-1]])
        case "fee", card:
            return _fee(view, seat, card, language)
        case "drop", card:
            return _(PUT_AWAY).format(card=attack_name(card, language))
    return _(DECLINED if action == c.DECLINE else _drawn(view, seat))


# --- The end of the game ---


def _ends_game(view: State, seat: int, action: int) -> bool:
    """Say whether the game ends with the turn that an action begins, whatever comes."""
    if view.fields["phase"] != TURN or not end_is_near(view.record[0]):
        return False
    return all(_ends(view, seat, action, number) for number in range(WORLDS))


def _ends(view: State, seat: int, action: int, number: int) -> bool:
    """Play the turn out in a sampled world, doing no more than has to be done."""
    rng = new_rng(number)
    world = view.sample(rng)
    world.apply(action, seat)
    while not world.over and world.fields["phase"] != TURN:
        if world.acting:
            legal = world.legal_actions(seat)
            world.apply(next((least for least in IDLE if least in legal), legal[0]), seat)
        else:
            outcomes = world.chance_weights()
            world.apply(outcomes[below(rng, len(outcomes))][0])
    return bool(world.over)


# --- What lies before a pawn ---


def _line(view: State, direction: int) -> list[int]:
    """Return the kinds along a direction, the nearest first."""
    if direction == c.AT_GENERAL:
        return [c.GENERAL]
    rows = view.fields["rows"]
    return [int(rows[place]) - 1 for place in c.LINE[direction] if rows[place]]


def _near(view: State, pawn: int) -> list[int]:
    """Return the kinds that a pawn's attacks meet first."""
    reach = range(max(pawn - 1, 1), min(pawn + 1, c.DIRECTIONS) + 1)
    lines = [_line(view, direction) for direction in reach]
    lines += [[c.GENERAL]] if int(view.fields["general"]) == ASIDE else []
    return [line[0] for line in lines if line]


def _hand(view: State, seat: int) -> Cards:
    return tuple(view.fields["hands"][seat].tolist())


def _won(view: State) -> list[int]:
    """Return the kinds that were won in this turn, in order."""
    return [int(kind) - 1 for kind in view.fields["won"] if kind]


def _earlier(view: State, seat: int) -> list[int]:
    """Return the kinds of the point cards that a seat won before this turn (FBL-38)."""
    kinds = [int(kind) for kind in np.flatnonzero(view.fields["victory"][seat])]
    won = _won(view)
    return [kind for kind in kinds if view.fields["victory"][seat][kind] > won.count(kind)]


def _may_go_on(view: State, seat: int, direction: int) -> bool:
    """Say whether an attack may take a card after the next one."""
    limit = c.DIRECT if direction == int(view.fields["pawns"][seat]) else c.DEVIATED
    return len(_won(view)) + 1 < limit


# --- Why ---


def _taken(view: State, seat: int, kind: int, language: str) -> str:
    """Say what a card of the Reserve is good for."""
    _ = translator(language, PACKAGE).gettext
    if kind == c.WARRIOR:
        return _(TAKEN_WARRIOR_AT_A_COST if _earlier(view, seat) else TAKEN_WARRIOR)
    won = _newly_won(view, seat, kind)
    if won >= 0:
        return _(TAKEN_TO_WIN).format(target=point_name(won, language))
    held = int(view.fields["hands"][seat][kind])
    if held:
        return _(TAKEN_ALIKE).format(number=held + 1)
    asked = c.BO + 1 in view.fields["rows"]
    return _(TAKEN_FOR_BO if asked else TAKEN_NEW)


def _drawn(view: State, seat: int) -> str:
    """Return the text for drawing: whether a card of the Reserve would win something."""
    reserve = np.flatnonzero(view.fields["reserve"])
    helps = any(_newly_won(view, seat, int(kind)) >= 0 for kind in reserve)
    return DRAWN if len(reserve) and not helps else DRAWN_UNSEEN


def _newly_won(view: State, seat: int, kind: int) -> int:
    """Return the best point card in reach that can be paid for only with one card more."""
    hand = _hand(view, seat)
    more = with_card(hand, kind)
    aims = _near(view, int(view.fields["pawns"][seat]))
    new = [aim for aim in aims if payments(aim, more) and not payments(aim, hand)]
    colour = view.game.colours[seat]
    return max(new, key=lambda aim: (worth_of(aim, colour), aim), default=-1)


def _step(view: State, seat: int, way: int, language: str) -> str:
    """Say what the pawn has from where it goes."""
    _ = translator(language, PACKAGE).gettext
    pawns = view.fields["pawns"][: view.seats].tolist()
    to = pawns[seat] + way
    line = _line(view, to)
    target = point_name(line[0], language) if line else ""
    if way == 0:
        return _(STAYED[len(line)]).format(target=target)
    if to in pawns:
        return _(STEPPED_ON).format(seat=seat_name(view, pawns.index(to), language))
    if not line and 1 <= to + way <= c.DIRECTIONS and _line(view, to + way):
        return _(STEPPED_BEYOND).format(direction=to + way)
    return _(STEPPED[len(line)]).format(direction=to, target=target)


def _stop(view: State, seat: int, language: str) -> str:
    """Say what is left alone."""
    _ = translator(language, PACKAGE).gettext
    target = _line(view, int(view.fields["direction"]))[0]
    text = STOPPED if payments(target, _hand(view, seat)) else STOPPED_SHORT
    return _(text).format(target=point_name(target, language))


def _fee(view: State, seat: int, kind: int, language: str) -> str:
    """Say what giving up a point card for a Warrior costs."""
    _ = translator(language, PACKAGE).gettext
    colour = view.game.colours[seat]
    points = worth_of(kind, colour)
    least = min(worth_of(other, colour) for other in _earlier(view, seat))
    text = PAID if points == least else PAID_MORE
    return _(text).format(card=point_name(kind, language), points=points)


def _attack(view: State, seat: int, direction: int, payment: int, language: str) -> str:
    """Say what an attack wins."""
    _ = translator(language, PACKAGE).gettext
    kind, *behind = _line(view, direction)
    points, cards = worth_of(kind, view.game.colours[seat]), c.PAYMENT[payment].tolist()
    costs = cards[c.WARRIOR] > 0 and len(_earlier(view, seat)) > 0
    if kind == c.GENERAL:
        return _(GENERAL_WITH if costs else GENERAL_WON).format(points=points)
    rest = tuple(map(sub, _hand(view, seat), cards))
    more = behind and _may_go_on(view, seat, direction) and payments(behind[0], rest)
    if costs:
        text = _(WON_WITH)
    elif more:
        text = _(WON_ON)
    elif points:
        text = _(WINS_A_CARD)
    else:  # a card beyond the first brings an attack card (FBL-37)
        text = _(CLEARED_ON if _won(view) else CLEARED)
    target = point_name(behind[0], language) if behind else ""
    card, paid = point_name(kind, language), cards_in_words(cards, language)
    return text.format(card=card, points=points, cards=paid, target=target)
