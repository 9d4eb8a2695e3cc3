"""Advice for the players of Bin'Fa: what the Warlord thinks of each action, and why.

See `tianxia.search.advice` for what is asked of an adviser.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from tianxia.draw.languages import N_, translator
from tianxia.games.binfa import face
from tianxia.games.binfa.bot.foresight import MOST_DEEP, MOST_WIDTH
from tianxia.games.binfa.bot.plans import SIDES
from tianxia.games.binfa.bot.warlord import BEST, Warlord
from tianxia.games.binfa.face.words import sides_of
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import state as s
from tianxia.kernel import functions
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.advice import PATIENCE, seat_of
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

PLENTY = 6
"""Supplies with which an army does not resupply for want of them."""
SET_UP = (s.MAPPING, s.PLACING, s.PAWNS)

WINS = N_("It wins the game.")
TAKES = N_("It takes {count} units.")
FELLS = N_("It makes an army fall.")
COVERS = N_("It covers a lone unit on {place}, which is yours to move from now on.")
LEAVES_POOL = N_("It brings units out of the whirlpool before they drown.")
ENTERS_POOL = N_("It brings units a long way at once; on a double they drown.")
MOVES = N_("It leaves your piles well placed, for your next roll and for what others can do.")
CLOSES_IN = N_("It closes a side of the pile on {place}: then {closed} of {sides} are closed.")
SURROUNDS = N_("Two units or more that go there surround the pile on {place}.")
WIDENS = N_("On {origin} one more pile would surround it; on {place} it has more room.")
JOINS = N_("It joins the pile on {place}: a taller pile is harder to drive out.")
THREATENS = N_("From {place} it can drive out the lower pile on {other}.")
EVADES = N_("It gets away from the taller pile on {place}, which could drive it out.")
NEARS_UNIT = N_("It comes nearer to the lone unit on {place}, which a pile can step onto.")
NEARS_PILE = N_("It comes nearer to the pile on {place}, to close it in.")
NEARS_OWN = N_("It comes nearer to your units on {place}: side by side they protect one another.")
KEEPS_OFF = N_("It goes further from the taller pile on {place}.")
ALL_GO = N_("All go together: the taller a pile, the harder it is to drive out.")
LEAVES_PILE = N_("{count} stay on {place}, and go on closing that side to others.")
LEAVES_ONE = N_("One stays on {place}: nobody can surround it, but others can step onto it.")
GAINS_GROUND = N_("Another roll may win ground, and endangers little.")
STOPS = N_("The position is good as it is, and another roll costs more than it brings.")
NO_RETREAT = N_("With a six the pile on {place} is lost: it has nowhere to retreat.")
DRIVES = N_("With a six the pile on {place} has to leave its neighbours or its ground.")
SAFEST = N_("There the pile is safest from what comes next.")
PARTS = N_("So divided, the least can be taken.")
OCCUPIES = N_("From there most can be reached.")
CHOOSES = N_("This army has the best prospects, and can pay for its rolls.")
RESUPPLIES = N_("Without supplies an army cannot move; these rolls bring some.")
WELL_PLACED = N_("The piles stay where they are well placed, and supplies come in besides.")
ADVANCES = N_("There the pawn brings most, now and on its next roll.")
STEALS = N_("What you take another misses.")
BANKS = N_("The store gives more than the other army has.")
LEAVES = N_("There is nothing to be had here.")
MARKS = N_("That is a good place for the marker.")
SETS_UP = N_("Small piles side by side protect one another: whoever takes one has not won much.")
BEGINS = N_("From there the pawn has circles of its own colour before it.")
COMES_OUT = N_("There the units come out where they are of use.")

PHASE_REASONS = {
    s.MAPPING: MARKS,
    s.PLACING: SETS_UP,
    s.PAWNS: BEGINS,
    s.RETREATING: SAFEST,
    s.SPLITTING: PARTS,
    s.OCCUPYING: OCCUPIES,
    s.STEPPING: ADVANCES,
}
"""Where all that can be done is done for one reason."""
LATER_REASONS = {s.LEAVING: COMES_OUT, s.DIVIDING: COMES_OUT}
"""The same, where nothing is taken at once."""
REASONS = {c.ROLL: GAINS_GROUND, c.STOP: STOPS, c.TAKE: STEALS, c.BANK: BANKS, c.LEAVE: LEAVES}


def weigh(bot: Bot, view: State) -> list[Finding]:
    """Return what the Warlord thinks each action is worth, the best first."""
    seat = seat_of(view)
    warlord = bot if isinstance(bot, Warlord) else Warlord(view.game, seat, 0)
    if int(view.fields["phase"]) in SET_UP or len(view.legal_actions(seat)) == 1:
        chosen = warlord.choose(view)
        rest = [action for action in view.legal_actions(seat) if action != chosen]
        return [Finding(action, 0, 0.0, float(action == chosen)) for action in [chosen, *rest]]
    values = warlord.values(view)
    ranked = sorted(values, key=lambda action: (-values[action], action))
    return [
        Finding(action, 0, max(-1.0, min(1.0, values[action])), float(action == ranked[0]))
        for action in ranked
    ]


def patient(game: Game, seat: int, seed: int) -> Bot:
    """Return a Warlord who thinks ten times as much through: wider, deeper, more trials."""
    more = replace(
        BEST,
        width=MOST_WIDTH,
        deep=MOST_DEEP,
        deep_width=MOST_WIDTH // 4,
        trials=PATIENCE * BEST.trials,
    )
    return Warlord(game, seat, seed, skill=more)


def reason(view: State, seat: int, action: int, language: str) -> str:
    """Say in one sentence why an action is good, or what it does."""
    phase = int(view.fields["phase"])
    text, values = PHASE_REASONS.get(phase, ""), dict[str, object]()
    if phase in (s.MOVING, s.COUNTING, s.LEAVING, s.DIVIDING):
        text, values = _gain(view, seat, action)
    if not text and phase == s.MOVING:
        text, values = _displacement(view, action)
    elif not text and phase == s.COUNTING:
        text, values = _parting(view.fields, action)
    elif not text and c.kind_of(action) == c.ATTACK:
        text, values = _attack(view.fields, action)
    text = text or LATER_REASONS.get(phase) or REASONS.get(action, "")
    text = text or _choice(view.fields, action)
    return translator(language, face.__name__).gettext(text).format(**values)


def _choice(fields: Any, action: int) -> str:
    """Say why an army moves this turn, or resupplies."""
    if c.kind_of(action) != c.SUPPLY_ARMY:
        return CHOOSES
    return WELL_PLACED if fields["supplies"][c.argument(action, 0)] >= PLENTY else RESUPPLIES


Reason = tuple[str, dict[str, object]]
"""A sentence, and what belongs into it."""


def _gain(view: State, seat: int, action: int) -> Reason:
    """Say what an action takes at once; "" where that is nothing."""
    before = view.fields
    pool = view.record  # nothing is hidden by now, so a view can be played on
    functions.apply_action(pool, seat, action)
    after = pool[0]
    if after["over"] and int(after["winners"]) >> seat & 1:
        return WINS, {}
    foes = [army for army in range(c.COLOURS) if int(before["owner"][army]) not in (0, seat + 1)]
    lost = sum(int(before["strength"][army]) - int(after["strength"][army]) for army in foes)
    if any(before["strength"][army] > c.FALLS_AT >= after["strength"][army] for army in foes):
        return FELLS, {}
    return (TAKES, {"count": lost}) if lost > 1 else ("", {})


def _attack(fields: Any, action: int) -> Reason:
    """Say what a six would do to the pile that is attacked."""
    _attack, origin, way = c.ACTIONS.split(action)
    target = int(c.NEIGHBOURS[origin, way])
    colour = fields["top"][target]
    ways_out = [
        t
        for t in SIDES[target]
        if t != origin
        and not _lies(fields["terrain"], t)
        and not _lies(fields["pools"], t)
        and (fields["height"][t] < 2 or fields["top"][t] == colour)
    ]
    return DRIVES if ways_out else NO_RETREAT, {"place": c.triangle_name(target)}


def _displacement(view: State, action: int) -> Reason:
    """Say what a displacement is for that takes nothing at once."""
    fields = view.fields
    _go, origin, way = c.ACTIONS.split(action)
    target = int(c.NEIGHBOURS[origin, way])
    if _lies(fields["pools"], target):
        return ENTERS_POOL, {}
    if _lies(fields["pools"], origin):
        return LEAVES_POOL, {}
    if fields["height"][target] == 1 and fields["top"][target] != fields["top"][origin]:
        return COVERS, {"place": c.triangle_name(target)}
    return _posting(view, origin, target)


def _posting(view: State, origin: int, target: int) -> Reason:
    """Say what a pile gains by standing on another triangle."""
    sides, heights = sides_of(view), view.fields["height"].tolist()
    place, height = c.triangle_name(target), heights[origin]
    if height > 1 and (shut := _shut_in(view, sides, origin, target)):
        return (SURROUNDS if shut["closed"] == shut["sides"] else CLOSES_IN), shut
    if height > 1 and _open(sides[origin]) == 1 < len(_ways(view, origin, target)):
        return WIDENS, {"origin": c.triangle_name(origin), "place": place}
    if heights[target]:
        return JOINS, {"place": place}
    for there, text in ((target, THREATENS), (origin, EVADES)):
        for foe in _foes(view, origin, there):
            drowning = _lies(view.fields["pools"], foe)  # nobody drives out what is in there
            if text == THREATENS and 1 < heights[foe] < height and not drowning:
                return text, {"place": place, "other": c.triangle_name(foe)}
            if text == EVADES and 1 < height < heights[foe] and foe not in SIDES[target]:
                return text, {"place": c.triangle_name(foe)}
    return _approach(view.fields, origin, target)


def _approach(fields: Any, origin: int, target: int) -> Reason:
    """Say whom a pile comes nearer to, or keeps away from."""
    owners, tops, heights = (fields[name].tolist() for name in ("owner", "top", "height"))
    mine, others = list[int](), list[int]()
    for t in range(c.TRIANGLES):
        if tops[t] and t != origin:
            (mine if owners[tops[t] - 1] == owners[tops[origin] - 1] else others).append(t)
    foe, gained = _nearest(others, origin, target)
    friend, joined = _nearest(mine, origin, target)
    if foe >= 0 and heights[foe] > heights[origin]:
        if gained < 0:
            return KEEPS_OFF, {"place": c.triangle_name(foe)}
    elif gained > 0 and heights[origin] > 1:
        text = NEARS_UNIT if heights[foe] == 1 else NEARS_PILE
        return text, {"place": c.triangle_name(foe)}
    return (NEARS_OWN, {"place": c.triangle_name(friend)}) if joined > 0 else (MOVES, {})


def _nearest(places: list[int], origin: int, target: int) -> tuple[int, int]:
    """Return which place is nearest to a target, and how many steps nearer that is than before."""
    if not places:
        return -1, 0
    far, place = min((steps(target)[t], t) for t in places)
    return place, steps(origin)[place] - far


@cache
def steps(origin: int) -> dict[int, int]:
    """Return how many steps each triangle is away from one, whatever lies between."""
    found, edge = {origin: 0}, [origin]
    for here in edge:
        for side in SIDES[here]:
            if side not in found:
                found[side] = found[here] + 1
                edge.append(side)
    return found


Sides = dict[int, dict[int, bool]]
"""For each pile the triangles beside it, and whether they are closed to it."""


def _shut_in(view: State, sides: Sides, origin: int, target: int) -> dict[str, object]:
    """Return the pile of which a new side is closed from a triangle; empty where none is."""
    for foe in _foes(view, origin, target):
        beside = sides.get(foe, {})
        if view.fields["height"][foe] > 1 and origin not in beside and not beside.get(target, True):
            closed = sum(beside.values()) + 1
            return {"place": c.triangle_name(foe), "closed": closed, "sides": len(beside)}
    return {}


def _foes(view: State, origin: int, here: int) -> list[int]:
    """Return the piles of others beside a triangle; others than whose pile stands at the origin."""
    fields = view.fields
    owners, tops = fields["owner"].tolist(), fields["top"].tolist()
    mine = owners[tops[origin] - 1]
    return [t for t in SIDES[here] if tops[t] and owners[tops[t] - 1] != mine]


def _ways(view: State, origin: int, target: int) -> list[int]:
    """Return what would be open to a pile on a triangle, the way back among it."""
    fields = view.fields
    colour = fields["top"][origin]
    return [
        t
        for t in SIDES[target]
        if t == origin
        or not (
            _lies(fields["terrain"], t) or (fields["height"][t] > 1 and fields["top"][t] != colour)
        )
    ]


def _open(sides: dict[int, bool]) -> int:
    return len(sides) - sum(sides.values())


def _parting(fields: Any, action: int) -> Reason:
    """Say what it is for that so many go and the others stay."""
    origin = int(fields["origin"]) - 1
    count = int(fields["height"][origin]) - c.argument(action, 0)
    place = c.triangle_name(origin)
    if count == 0:
        return ALL_GO, {}
    return (
        (LEAVES_ONE, {"place": place})
        if count == 1
        else (LEAVES_PILE, {"count": count, "place": place})
    )


def _lies(halves: Any, t: int) -> bool:
    """Say whether a set of triangles, as two halves, has one."""
    half, bit = divmod(t, c.HALF)
    return bool(int(halves[half]) >> bit & 1)
