"""Advice at a table of Fire Bulls: what the Chief finds about each action, and why.

See `tianxia.search.advice` for what a game's adviser is.
"""

from __future__ import annotations

from operator import sub

from tianxia.draw.languages import N_, translator
from tianxia.games.firebulls.chief import Chief
from tianxia.games.firebulls.components import (
    AT_GENERAL,
    ATTACK,
    BO,
    COLONEL,
    DECLINE,
    DEVIATED,
    DIRECT,
    DIRECTIONS,
    DRAW,
    DROP,
    FEE,
    GENERAL,
    LEFT,
    LINE,
    PAYMENT,
    RIGHT,
    STAY,
    STOP,
    TAKE,
    USE,
    WARRIOR,
)
from tianxia.games.firebulls.player import Cards, payments, with_card, worth_of
from tianxia.games.firebulls.state import ASIDE
from tianxia.games.firebulls.words import (
    attack_name,
    attack_of,
    cards_in_words,
    point_name,
    seat_name,
)
from tianxia.kernel.errors import ViewError
from tianxia.kernel.state import State
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

PACKAGE = __package__ or ""

TAKEN_TO_WIN = N_("With this card you could win in your next turn: {target}.")
TAKEN_WARRIOR = N_("A Warrior stands in for a Bull of any colour, whatever comes.")
TAKEN_ALIKE = N_("You will have {number} of that colour; the great cards ask for many of one.")
TAKEN_NEW = N_("A colour that you do not have yet: a Bo asks for all five.")
DRAWN = N_("No card of the Reserve helps you much; after drawing you may also step aside.")
STAYED = N_("Your pawn is well placed; nearest before it: {target}.")
STAYED_FREE = N_("From here you keep most directions open.")
STEPPED = N_("From direction {direction} an attack can win three cards; the first: {target}.")
STEPPED_ON = N_("There you change places with {seat}, whose pawn you drive from its direction.")
STEPPED_FREE = N_("From direction {direction} you can reach more than from here.")
STOPPED = N_("Your attack cards are worth more to you than this one: {target}.")
STOPPED_HERE = N_("Your cards are worth more later.")
POWERS = {
    BO: N_("A card more costs you nothing."),
    COLONEL: N_("Every opponent loses a card, and you lose nothing."),
    GENERAL: N_("Every opponent loses a card, and you gain it."),
}
DECLINED = N_("Here the power would help you little.")
PAID = N_("Of your point cards this one is worth least to you: {card}.")
PUT_AWAY = N_("You need your other cards more than this one: {card}.")
GENERAL_WON = N_("The General is worth {points}, and takes a card from every opponent.")
WON = N_("It wins a card worth {points}: {card}, paid with {cards}.")
WON_ON = N_(
    "It wins a card and opens the way to another that you can pay for: {card}, then {target}."
)
WON_WITH = N_("It wins a card worth {points}, though the Warrior costs an earlier one: {card}.")


def weigh(bot: Bot, view: State) -> list[Finding]:
    """Return what the Chief thinks of a seat's actions, the best first.

    Of the ways to pay for an attack he weighs the cheapest only. Bots of another kind are
    asked nothing: a Chief who has just come looks at the view, which remembers all.
    """
    seat = view.viewer
    if seat is None or seat < 0:
        raise ViewError("advice is given from a seat's view; take one with state.view(seat)")
    chief = bot if isinstance(bot, Chief) else Chief(view.game, seat, view.plies)
    return chief.weigh(view)


def reason(view: State, seat: int, action: int, language: str) -> str:
    """Return one sentence: why an action is good, or what it does."""
    _ = translator(language, PACKAGE).gettext
    if action >= ATTACK:
        return _attack(view, seat, action, language)
    if action < DRAW:
        return _taken(view, seat, action - TAKE, language)
    if STAY <= action <= RIGHT:
        return _step(view, seat, action, language)
    if action == STOP:
        return _stop(view, language)
    if action == USE:
        return _(POWERS[max(int(kind) for kind in view.fields["won"] if kind) - 1])
    if FEE <= action < DROP:
        return _(PAID).format(card=point_name(action - FEE, language))
    if DROP <= action < ATTACK:
        return _(PUT_AWAY).format(card=attack_name(action - DROP, language))
    return _({DRAW: DRAWN, DECLINE: DECLINED}[action])


# --- What lies before a pawn ---


def _line(view: State, direction: int) -> list[int]:
    """Return the kinds along a direction, the nearest first."""
    if direction == AT_GENERAL:
        return [GENERAL]
    rows = view.fields["rows"]
    return [int(rows[place]) - 1 for place in LINE[direction] if rows[place]]


def _near(view: State, pawn: int) -> list[int]:
    """Return the kinds that a pawn's attacks meet first."""
    reach = range(max(pawn - 1, 1), min(pawn + 1, DIRECTIONS) + 1)
    lines = [_line(view, direction) for direction in reach]
    lines += [[GENERAL]] if int(view.fields["general"]) == ASIDE else []
    return [line[0] for line in lines if line]


def _hand(view: State, seat: int) -> Cards:
    return tuple(view.fields["hands"][seat].tolist())


def _may_go_on(view: State, seat: int, direction: int) -> bool:
    """Say whether an attack may take a card after the next one."""
    limit = DIRECT if direction == int(view.fields["pawns"][seat]) else DEVIATED
    return sum(kind != 0 for kind in view.fields["won"]) + 1 < limit


# --- Why ---


def _taken(view: State, seat: int, kind: int, language: str) -> str:
    """Say what a card of the Reserve is good for."""
    _ = translator(language, PACKAGE).gettext
    if kind == WARRIOR:
        return _(TAKEN_WARRIOR)
    won = _newly_won(view, seat, kind)
    if won >= 0:
        return _(TAKEN_TO_WIN).format(target=point_name(won, language))
    held = int(view.fields["hands"][seat][kind])
    return _(TAKEN_ALIKE).format(number=held + 1) if held else _(TAKEN_NEW)


def _newly_won(view: State, seat: int, kind: int) -> int:
    """Return the best point card in reach that can be paid for only with one card more."""
    hand = _hand(view, seat)
    more = with_card(hand, kind)
    aims = _near(view, int(view.fields["pawns"][seat]))
    new = [aim for aim in aims if payments(aim, more) and not payments(aim, hand)]
    return max(new, key=lambda aim: (worth_of(aim, seat), aim), default=-1)


def _step(view: State, seat: int, action: int, language: str) -> str:
    """Say what the pawn has from where it goes."""
    _ = translator(language, PACKAGE).gettext
    pawns = view.fields["pawns"][: view.seats].tolist()
    to = pawns[seat] + {STAY: 0, LEFT: -1, RIGHT: 1}[action]
    line = _line(view, to)
    target = point_name(line[0], language) if line else ""
    if action == STAY:
        return _(STAYED).format(target=target) if line else _(STAYED_FREE)
    if to in pawns:
        return _(STEPPED_ON).format(seat=seat_name(pawns.index(to), language))
    text = _(STEPPED) if line else _(STEPPED_FREE)
    return text.format(direction=to, target=target)


def _stop(view: State, language: str) -> str:
    """Say what is left alone."""
    _ = translator(language, PACKAGE).gettext
    line = _line(view, int(view.fields["direction"]))
    return _(STOPPED).format(target=point_name(line[0], language)) if line else _(STOPPED_HERE)


def _attack(view: State, seat: int, action: int, language: str) -> str:
    """Say what an attack wins."""
    _ = translator(language, PACKAGE).gettext
    direction, payment = attack_of(action)
    kind, *behind = _line(view, direction)
    points, cards = worth_of(kind, seat), PAYMENT[payment].tolist()
    if kind == GENERAL:
        return _(GENERAL_WON).format(points=points)
    rest = tuple(map(sub, _hand(view, seat), cards))
    more = behind and _may_go_on(view, seat, direction) and payments(behind[0], rest)
    if cards[WARRIOR] and view.fields["victory"][seat].any():
        text = _(WON_WITH)
    else:
        text = _(WON_ON) if more else _(WON)
    target = point_name(behind[0], language) if behind else ""
    card, paid = point_name(kind, language), cards_in_words(cards, language)
    return text.format(card=card, points=points, cards=paid, target=target)
