"""Advice at a table of China: what the Chancellor finds about each action, and why.

See `tianxia.search.advice` for what a game's adviser is.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from tianxia.draw.languages import translator
from tianxia.games.china import face
from tianxia.games.china.bot.chancellor import Chancellor, Weighed
from tianxia.games.china.bot.chancellor import weigh as weigh_plans
from tianxia.games.china.bot.levels import SKILLS
from tianxia.games.china.bot.player import longest_road
from tianxia.games.china.face.words import board_of, card_name, province_name
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES, Board
from tianxia.games.china.rules.state import EMPERORS
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.advice import PATIENCE, seat_of
from tianxia.search.bot import Bot
from tianxia.search.levels import BEST
from tianxia.search.thinking import Finding

LEAST = 3
"""So many actions are weighed, where so many are legal."""
SEED = 1

# --- What actions are worth ---


def weigh(bot: Bot, view: State) -> list[Finding]:
    """Return what the legal actions of the view's seat are worth, the best first.

    An action is worth its best plan. What no plan of the Chancellor's begins with is weighed
    only where there would be too few; it stands last.
    """
    seat = seat_of(view)
    plans = bot.weigh(view) if isinstance(bot, Chancellor) else weigh_plans(view, seat, SEED)
    best: dict[int, Weighed] = {}
    for plan in plans:
        known = best.get(plan.first)
        if known is None or (plan.trials, plan.chance) > (known.trials, known.chance):
            best[plan.first] = plan
    ranked = list(best.values())
    found = [
        Finding(plan.first, plan.trials, _utility(view, plan.chance), float(plan is ranked[0]))
        for plan in ranked
    ]
    least = min((finding.value for finding in found), default=0.0)
    for action in view.legal_actions(seat):
        if len(found) < LEAST and action not in best:
            found.append(Finding(action, 0, least, 0.0))
    return found


def _utility(view: State, chance: float) -> float:
    """Return a chance to win as a utility (the sure winner 1; in a game of two the loser −1)."""
    return (view.seats * chance - 1) / (view.seats - 1)


def patient(game: Game, seat: int, seed: int) -> Bot:
    """Return a Chancellor who tries ten times as much."""
    best = SKILLS[BEST]
    return Chancellor(game, seat, seed, replace(best, trials=PATIENCE * best.trials))


# --- Why ---


def reason(view: State, seat: int, action: int, language: str) -> str:
    """Return one sentence: why an action is good, or what it does."""
    if action < c.OPEN:
        return _piece(view, seat, action, language)
    _ = translator(language, face.__name__).gettext
    board, name = board_of(view), partial(card_name, language=language)
    match c.ACTIONS.split(action):
        case "open", province:
            text = _("Begins to build in {province}; its tiles are turned up first.")
            return text.format(province=province_name(board, province, language))
        case "swap", given, taken:
            text = _("At once {taken} helps more than {given}; the special card is used up.")
            return text.format(given=name(given), taken=name(taken))
        case "take", colour:
            return _card(view, seat, colour, language)
        case "exchange", colour:
            text = _("Gives up {card}, with which little can be done now, for another card.")
            return text.format(card=name(colour))
        case "keep", colour:
            return _kept(view, seat, colour, language)
    texts = {
        c.STOP: _("Saves the cards that are left for a later turn."),
        c.PASS: _("There is no card to exchange."),
        c.DECK: _("The open cards help little; one of the deck may help more."),
        c.DECLINE: _("No piece of the Emperor’s would help you."),
        c.EMPEROR_FIRST: _("The Emperor’s piece helps most before your own ones."),
    }
    return texts[action]


def _card(view: State, seat: int, colour: int, language: str) -> str:
    """Say what a card pays for."""
    _ = translator(language, face.__name__).gettext
    board, fields = board_of(view), view.fields
    built = _built(fields)
    card = card_name(colour, language)
    if fields["hands"][seat][colour] == 1:
        return _("Makes a pair of {card}, which pays anywhere.").format(card=card)
    open_ones = [
        province_name(board, p, language)
        for p in range(PROVINCES)
        if board.colours[p] == colour and int(c.WITHIN[c.row(int(fields["land"])), p]) & ~built
    ]
    if not open_ones:
        return _("Two of {card} pay anywhere.").format(card=card)
    return _("With {card} you can build in {provinces}.").format(
        card=card, provinces=", ".join(open_ones)
    )


def _kept(view: State, seat: int, colour: int, language: str) -> str:
    """Say what keeping a card does for influence."""
    _ = translator(language, face.__name__).gettext
    mine = int(view.fields["kept"][seat][colour]) + 1
    theirs = int(view.fields["kept"][1 - seat][colour])
    holder = int(view.fields["influence"][colour]) - 1
    if holder == seat:
        text = _("Guards your influence of {card}.")
    elif holder < 0 or mine >= theirs:
        text = _("Wins the influence of {card}: the Emperor’s palaces there score for you.")
    else:
        text = _("Comes nearer to the influence of {card}.")
    return text.format(card=card_name(colour, language))


# --- Pieces ---


def _piece(view: State, seat: int, action: int, language: str) -> str:
    """Say what a piece does."""
    _ = translator(language, face.__name__).gettext
    board, fields = board_of(view), view.fields
    if int(fields["course"]) & EMPERORS:
        where = province_name(board, _province_of(board, action), language)
        return _("The Emperor’s piece in {province} shifts the balance to you.").format(
            province=where
        )
    kind, place, *_rest = c.ACTIONS.split(action)
    if kind == "emissary":
        return _emissary(view, seat, place, language)
    province = _province_of(board, action)
    where = province_name(board, province, language)
    if kind == "fort":
        text = _("A palace on this fortification doubles what you score in {province}.")
        return text.format(province=where)
    if kind == "post":
        space = board.posts[place]
        one, other = (province_name(board, p, language) for p in board.spaces[space].provinces)
        return _("One palace that counts in {one} and in {other}.").format(one=one, other=other)
    return _palace(view, seat, place, language)


def _palace(view: State, seat: int, space: int, language: str) -> str:
    _ = translator(language, face.__name__).gettext
    board, fields = board_of(view), view.fields
    land, forts = int(fields["land"]), int(fields["forts"])
    province = board.spaces[space].provinces[0]
    within = int(c.WITHIN[c.row(land), province])
    counts = _counts(fields, within)
    own = int(fields["palaces"][seat])
    road = longest_road(land, own | 1 << space)
    after = [*counts]
    after[seat] += 1
    rival = max(count for owner, count in enumerate(after) if owner != seat)
    where = province_name(board, province, language)
    if within & ~_built(fields) == 1 << space:
        doubled = (own & within | 1 << space) & forts != 0
        points = _score(after, seat) * (2 if doubled else 1)
        text = _("Completes {province}, which scores {points} points for you.")
        return text.format(province=where, points=points)
    if road >= c.LEAST_CHAIN and road > longest_road(land, own):
        return _("Makes a road of {number} palaces.").format(number=road)
    if after[seat] > rival:
        if not any(counts):
            text = _("Is the first to build in {province}.")
        elif counts[seat] > rival:
            text = _("Secures your lead in {province}.")
        else:
            text = _("Takes the lead in {province}.")
        return text.format(province=where)
    if after[seat] == rival:
        return _("Draws level with the first in {province}.").format(province=where)
    return _("Has a share in {province}: lower places score, too.").format(province=where)


def _emissary(view: State, seat: int, province: int, language: str) -> str:
    """Say what an emissary does for alliances."""
    _ = translator(language, face.__name__).gettext
    board, fields = board_of(view), view.fields
    owners = 3 if view.seats == 2 else view.seats
    rows = [[int(n) for n in fields["emissaries"][owner]] for owner in range(owners)]
    led = [p for p in range(PROVINCES) if 0 < rows[seat][p] == max(row[p] for row in rows)]
    rows[seat][province] += 1
    leads = rows[seat][province] == max(row[province] for row in rows)
    where = province_name(board, province, language)
    for one, other in board.alliances if leads and province not in led else ():
        if province in (one, other) and (other if one == province else one) in led:
            first, second = (province_name(board, p, language) for p in (one, other))
            return _("Wins the alliance of {one} and {other}.").format(one=first, other=second)
    if leads and province not in led:
        return _("Has the most emissaries in {province}: half of an alliance.").format(
            province=where
        )
    if leads:
        return _("Guards your lead among the emissaries in {province}.").format(province=where)
    return _("Comes nearer to the most emissaries in {province}.").format(province=where)


def _province_of(board: Board, action: int) -> int:
    kind, place, about, *_way = c.ACTIONS.split(action)
    if kind == "emissary":
        return int(place)
    if kind == "post":
        return board.spaces[board.posts[place]].provinces[about]
    return board.spaces[place].provinces[0]


def _counts(fields: Any, spaces: int) -> list[int]:
    """Return how many palaces each owner has on some spaces."""
    owners = 3 if int(fields["seats"]) == 2 else int(fields["seats"])
    return [(int(fields["palaces"][owner]) & spaces).bit_count() for owner in range(owners)]


def _built(fields: Any) -> int:
    spaces = 0
    for palaces in fields["palaces"]:
        spaces |= int(palaces)
    return spaces


def _score(counts: list[int], owner: int) -> int:
    """Return what palaces score in a full province (CHI-35 to 38)."""
    before = [count for count in counts if count > counts[owner]]
    return min(before) if before else sum(counts)
