"""Hints, and what decisions were worth: what the Tactician makes of a view, in a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tianxia.draw.languages import N_, translator
from tianxia.games.suntzu import face
from tianxia.games.suntzu.bot import effects
from tianxia.games.suntzu.bot.outlook import FEW
from tianxia.games.suntzu.bot.tactician import BEST, Numbers, Skill, Tactician
from tianxia.games.suntzu.face.words import PROVINCE_NAMES, strategy_name
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.state import BEFORE, FINAL, LAYING
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.advice import PATIENCE, seat_of
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

PACKAGE = face.__name__
VISITS = 1000  # shares are told as so many visits

LAID = {
    c.ONE: N_("A 1 seldom wins, but it brings a further card: {province} can spare a better one."),
    c.SIX: N_("A 6 comes back to your hand; {province}, with {points} to come, is worth its army."),
    c.MINUS: N_("Against a high number in {province} this loses by 1 only."),
    c.PLAGUE: N_("In {province} many of the other’s armies would die of this Plague."),
}
"""Why a card is laid, by kind; `_why_laid` has the others."""
OWN_PLAGUE = N_("A Plague in {province} annuls the other’s card, whatever it is.")
BONUS = N_("Whatever number lies in {province}, this wins by {number} there.")
STRONG = N_("A strong card for {province}, where {points} are still to be won.")
TO_HOLD = N_("It is likely to hold {province}, where {points} are still to be won.")
LOW_IS_ENOUGH = N_("A low card is enough for {province}: better ones are needed elsewhere.")
REINFORCED = N_("The army is worth more to you than this card.")
BEFORE_FIGHTS = N_("You can still play your card after the fights, when you know more.")
KEPT = N_("Your card will be worth more at another time.")
ARMIES_ENOUGH = N_("You need no more armies.")
NAMED = N_("Turned up early, {province} may give armies back before you need them.")
NAMED_FREELY = N_("While both reserves have enough armies, the order matters little.")
NAMED_FIRST = N_("The other provinces are better turned up later.")
SPARED = N_("The reserve can spare this army better than any province.")
TAKEN = N_("{province} can spare an army better than the others.")
PLAYED = N_("{card} wins more here than it is likely to win later.")
REMOVED = N_("One army less in {province} helps you most.")
ADDED = N_("One army more in {province} helps you most.")
MOVED = N_("An army is worth more in {province} than where it stands.")
CHOSEN = N_("Among those that win most often with your side; vary your choice.")
PUT_AWAY = N_("Of the cards drawn, this one is worth least in the rounds to come.")


def weigh(bot: Bot, view: State) -> list[Finding]:
    """Return what the Tactician thinks of a seat's actions, the best first.

    See `tianxia.search.advice.Adviser`. Bots of another kind are asked nothing: a Tactician
    who has just come looks at the view.
    """
    seat = seat_of(view)
    tactician = (
        bot if isinstance(bot, Tactician) else Tactician(view.game, seat, view.plies, Skill())
    )
    legal = view.legal_actions(seat)
    if int(view.fields["phase"]) == LAYING:
        chances, shares = _of_laying(tactician, view, legal)
    else:
        chances = tactician.weigh(view, legal)
        best = max(chances, key=lambda action: chances[action])
        shares = {action: float(action == best) for action in legal}
    found = [
        Finding(one, round(VISITS * shares[one]), _utility(chances[one]), shares[one])
        for one in legal
    ]
    return sorted(found, key=lambda one: (-one.share, -one.value, one.action))


def _utility(chance: float) -> float:
    """Return the utility that a chance of winning means."""
    return min(max(2 * chance - 1, -1.0), 1.0)


def _of_laying(
    tactician: Tactician, view: State, legal: list[int]
) -> tuple[dict[int, float], dict[int, float]]:
    """Return the chances of winning with each card in each province, and their shares."""
    solved, _ = tactician.plan(view)
    chances: dict[int, float] = {}
    shares = dict.fromkeys(legal, 0.0)
    laid = view.fields["laid"][tactician.seat].astype(np.int64) - 1
    fits = ((solved.orders == laid) | (laid < 0)).all(axis=1)
    mass = float(solved.shares[fits].sum()) or 1.0
    free = int((laid < 0).sum())
    best = solved.orders[int(np.where(fits, solved.values, -1).argmax())]
    for action in legal:
        if c.kind_of(action) == c.REINFORCE:
            pool = view.record
            effects.give(pool[0], tactician.seat, c.argument(action, 0))
            chances[action] = tactician.chance(pool, best, solved)
            continue
        _lay, kind, province = c.ACTIONS.split(action)
        having = fits & (solved.orders[:, province] == kind)
        shares[action] = min(float(solved.shares[having].sum()) / mass, 1.0) / free
        if having.any():
            chances[action] = float(solved.values[having].max())
        else:
            chances[action] = tactician.chance(
                view.record, _with(best, laid, kind, province), solved
            )
    return chances, shares


def _with(order: Numbers, laid: Numbers, kind: int, province: int) -> Numbers:
    """Return an order in which a card lies somewhere else, or instead of another."""
    changed = order.copy()
    for place in np.flatnonzero((order == kind) & (laid < 0)):
        changed[place] = order[province]
        break
    changed[province] = kind
    return changed


def patient(game: Game, seat: int, seed: int) -> Bot:
    """Return a Tactician who compares more orders of more hands, ten times as long."""
    more = replace(
        BEST,
        own=2 * BEST.own,
        other=2 * BEST.other,
        orders=2 * BEST.orders,
        others=2 * BEST.others,
        iterations=PATIENCE // 2 * BEST.iterations,
    )
    return Tactician(game, seat, seed, more)


def reason(view: State, seat: int, action: int, language: str) -> str:
    """Return one sentence: why an action is good, or what it does."""
    fields, words = view.fields, translator(language, PACKAGE).gettext
    match c.ACTIONS.split(action):
        case "lay", kind, province:
            text = words(_why_laid(fields, seat, kind, province))
            return _filled(text, language, fields, province, kind)
        case "name", province:
            return _filled(words(_why_named(fields, seat, province)), language, fields, province)
        case "army" | "remove" | "add" as name, province:
            texts = {"army": TAKEN, "remove": REMOVED, "add": ADDED}
            return _filled(words(texts[name]), language, fields, province)
        case "move", step:
            return _filled(words(MOVED), language, fields, c.STEPS[step][1])
        case "use", strategy:
            return words(PLAYED).format(card=strategy_name(seat, strategy, language))
        case ("pass",) if int(fields["phase"]) == BEFORE:
            return words(BEFORE_FIGHTS)
        case ("pass",):
            later = fields["cards"][seat] > 0 and int(fields["phase"]) != FINAL
            return words(KEPT if later else ARMIES_ENOUGH)
    name = c.ACTIONS.split(action)[0]
    texts = {"reinforce": REINFORCED, "reserve": SPARED, "choose": CHOSEN, "under": PUT_AWAY}
    return words(texts[name])


def _why_named(fields: Any, seat: int, province: int) -> str:
    """Return the sentence that fits a province that is to be turned up next."""
    if fields["reserve"].min() > FEW:
        return NAMED_FREELY
    return NAMED if effects.armies_of(fields, seat, province) > 0 else NAMED_FIRST


def _why_laid(fields: Any, seat: int, kind: int, province: int) -> str:
    """Return the sentence that fits a card in a province."""
    armies = effects.armies_of(fields, seat, province)
    if kind == c.PLAGUE and armies > -2:
        return OWN_PLAGUE
    if kind == c.ONE and not _draws_more(fields, seat):
        return LOW_IS_ENOUGH
    if kind in LAID:
        return LAID[kind]
    if c.PLUS_1 <= kind <= c.PLUS_3:
        return BONUS
    if kind >= c.BASIC:
        return TO_HOLD if armies > 0 else STRONG
    return LOW_IS_ENOUGH if kind < 3 else TO_HOLD if armies > 0 else STRONG


def _draws_more(fields: Any, seat: int) -> bool:
    """Say whether a 1 brings its owner a card: another is left, and another draw."""
    deck = int(fields["deck"][seat].sum() + fields["tail_length"][seat])
    return deck > 1 and int(fields["turn"]) < c.LAST_ROUND


def _filled(text: str, language: str, fields: Any, province: int, kind: int = c.TEN) -> str:
    """Fill in a province's name, what it is still worth, and a card's number."""
    first = (int(fields["turn"]) - 1) // 3
    points = int(c.STANDS[int(fields["stands"][province]) - 1, first:].sum())
    number = c.CARDS[kind].lstrip("+") if kind < c.KINDS else ""
    count = translator(language, PACKAGE).ngettext("{n} point", "{n} points", points)
    return text.format(
        province=PROVINCE_NAMES[province], points=count.format(n=points), number=number
    )
