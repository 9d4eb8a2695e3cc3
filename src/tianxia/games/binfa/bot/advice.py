"""Advice for the players of Bin'Fa: what the Warlord thinks of each action, and why.

See `tianxia.search.advice` for what is asked of an adviser.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tianxia.draw.languages import N_, translator
from tianxia.games.binfa import face
from tianxia.games.binfa.bot.foresight import MOST_DEEP, MOST_WIDTH
from tianxia.games.binfa.bot.plans import SIDES
from tianxia.games.binfa.bot.warlord import BEST, Warlord
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.state import (
    COUNTING,
    DIVIDING,
    LEAVING,
    MAPPING,
    MOVING,
    OCCUPYING,
    PAWNS,
    PLACING,
    RETREATING,
    SPLITTING,
    STEPPING,
)
from tianxia.kernel import functions
from tianxia.kernel.errors import ViewError
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.advice import PATIENCE
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

PLENTY = 6
"""Supplies with which an army does not resupply for want of them."""
SET_UP = (MAPPING, PLACING, PAWNS)

WINS = N_("It wins the game.")
TAKES = N_("It takes {count} units.")
FELLS = N_("It makes an army fall.")
COVERS = N_("It covers a lone unit on {place}, which is yours to move from now on.")
LEAVES_POOL = N_("It brings units out of the whirlpool before they drown.")
ENTERS_POOL = N_("It brings units a long way at once; on a double they drown.")
MOVES = N_("It leaves your piles well placed, for your next roll and for what others can do.")
HOW_MANY = N_("So many go, and the others stay where they are needed.")
ROLLS = N_("Another roll may win ground, and endangers little.")
STOPS = N_("The position is good as it is, and another roll costs more than it brings.")
NO_RETREAT = N_("With a six the pile on {place} is lost: it has nowhere to retreat.")
DRIVES = N_("With a six the pile on {place} has to leave its neighbours or its ground.")
RETREATS = N_("There the pile is safest from what comes next.")
PARTS = N_("So divided, the least can be taken.")
OCCUPIES = N_("From there most can be reached.")
CHOOSES = N_("This army has the best prospects, and can pay for its rolls.")
RESUPPLIES = N_("Without supplies an army cannot move; these rolls bring some.")
WAITS = N_("The piles stay where they are well placed, and supplies come in besides.")
ADVANCES = N_("There the pawn brings most, now and on its next roll.")
STEALS = N_("What you take another misses.")
BANKS = N_("The store gives more than the other army has.")
LEAVES = N_("There is nothing to be had here.")
MARKS = N_("The marker lies well there.")
SETS_UP = N_("Small piles side by side protect one another: whoever takes one has not won much.")
BEGINS = N_("From there the pawn has circles of its own colour before it.")
COMES_OUT = N_("There the units come out where they are of use.")

PHASE_REASONS = {
    MAPPING: MARKS,
    PLACING: SETS_UP,
    PAWNS: BEGINS,
    RETREATING: RETREATS,
    SPLITTING: PARTS,
    OCCUPYING: OCCUPIES,
    STEPPING: ADVANCES,
}
"""Where all that can be done is done for one reason."""
LATER_REASONS = {COUNTING: HOW_MANY, LEAVING: COMES_OUT, DIVIDING: COMES_OUT}
"""The same, where nothing is taken at once."""
REASONS = {c.ROLL: ROLLS, c.STOP: STOPS, c.TAKE: STEALS, c.BANK: BANKS, c.LEAVE: LEAVES}


def weigh(bot: Bot, view: State) -> list[Finding]:
    """Return what the Warlord thinks each action is worth, the best first."""
    if view.viewer is None:
        raise ViewError("advice is given from a view; take one with state.view(seat)")
    seat = view.viewer
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
    if phase in (MOVING, COUNTING, LEAVING, DIVIDING):
        text, values = _gain(view, seat, action)
    if not text and phase == MOVING:
        text, values = _displacement(view.fields, action)
    elif not text and c.kind_of(action) == c.ATTACK:
        text, values = _attack(view.fields, action)
    text = text or LATER_REASONS.get(phase) or REASONS.get(action, "")
    text = text or _choice(view.fields, action)
    return translator(language, face.__name__).gettext(text).format(**values)


def _choice(fields: Any, action: int) -> str:
    """Say why an army moves this turn, or resupplies."""
    if c.kind_of(action) != c.SUPPLY_ARMY:
        return CHOOSES
    return WAITS if fields["supplies"][c.argument(action, 0)] >= PLENTY else RESUPPLIES


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


def _displacement(fields: Any, action: int) -> Reason:
    """Say what a displacement is for that takes nothing at once."""
    _go, origin, way = c.ACTIONS.split(action)
    target = int(c.NEIGHBOURS[origin, way])
    if _lies(fields["pools"], target):
        return ENTERS_POOL, {}
    if _lies(fields["pools"], origin):
        return LEAVES_POOL, {}
    if fields["height"][target] == 1 and fields["top"][target] != fields["top"][origin]:
        return COVERS, {"place": c.triangle_name(target)}
    return MOVES, {}


def _lies(halves: Any, t: int) -> bool:
    """Say whether a set of triangles, as two halves, has one."""
    half, bit = divmod(t, c.HALF)
    return bool(int(halves[half]) >> bit & 1)
