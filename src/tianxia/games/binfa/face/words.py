"""Bin'Fa in words: tokens of actions, sentences of the log, the field as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby

from tianxia.draw.languages import N_, translator
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules import state as s
from tianxia.games.binfa.rules.components import ACTIONS
from tianxia.kernel.errors import ParseError, TianxiaError
from tianxia.kernel.options import Value
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State

__all__ = ["describe", "diagram", "read", "write"]

ARMY_NAMES = (N_("Red"), N_("Orange"), N_("Yellow"), N_("Green"), N_("Blue"), N_("Purple"))
ARMY_MARKS = ("cinnabar", "saffron", "ochre", "jade", "indigo", "plum")
"""The house's army for each colour."""
SEAT_NAMES = (
    *(N_("First"), N_("Second"), N_("Third")),
    *(N_("Fourth"), N_("Fifth"), N_("Sixth")),
)
PHASE_TEXTS = (
    N_("The map is made."),
    N_("The colours are drawn."),
    N_("All set up their units, unseen by the others."),
    N_("All set their pawns, unseen by the others."),
    N_("The first supplies are rolled."),
    N_("The first turn is rolled for."),
    N_("{seat} chooses an army, to move or to resupply."),
    N_("{seat} has nothing to pay with."),
    N_("{seat} rolls, attacks or stops."),
    N_("{seat} rolls to move."),
    N_("{seat} moves: {moves} left."),
    N_("{seat} says how many units move."),
    N_("{seat} says where the units come out."),
    N_("{seat} says how many come out there."),
    N_("{seat} rolls to attack."),
    N_("{seat} has to retreat."),
    N_("{seat} says how many units retreat there."),
    N_("{seat} chooses where the attackers end."),
    N_("{seat} rolls for supplies."),
    N_("{seat} moves the pawn."),
    N_("{seat} takes supplies."),
    N_("The game is over."),
)
OPENED_TEXTS = {s.PLACING: N_("All units stand."), s.PAWNS: N_("All pawns stand.")}


def _pair(sign: str, origin: int, way: int) -> str:
    target = int(c.NEIGHBOURS[origin, way])
    return f"{c.triangle_name(origin)}{sign}{c.triangle_name(target) if target >= 0 else 'out'}"


TOKENS = ACTIONS.tokens(
    {
        "spot": c.triangle_name,
        "circle": lambda circle: f"pawn:{c.circle_name(circle)}",
        **{name: (f"{name}:{{}}", c.LETTERS) for name in ("move", "supply", "colour")},
        "attack": partial(_pair, "x"),
        "go": partial(_pair, "-"),
        "count": str,
        "out": lambda pool: f"out:{pool + 1}",
        "pawn": "pawn+{}".format,
        "rolled": ("{}", [f"{high}-{low}" for high, low in c.DICE.tolist()]),
    }
)
EXAMPLES = "move:r, roll, r5-r6, r5xr6, 3, out:b3, pawn+6, stop"

Translate = Callable[[str], str]

# --- Tokens ---


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token, such as ``r5-r6``, ``pawn+6`` or ``roll``."""
    kind, *about = ACTIONS.split(action)
    pools = pools_of(state) if kind == "out" else []
    if kind == "out" and about[0] < len(pools):
        return f"out:{c.triangle_name(pools[about[0]])}"
    return TOKENS[action]


def target_of(action: int) -> int:
    """Return the triangle to which such an action leads, −1 beyond the border."""
    _kind, origin, way = ACTIONS.split(action)
    return int(c.NEIGHBOURS[origin, way])


def pools_of(state: State) -> list[int]:
    """Return the triangles of the whirlpools."""
    return maps.triangles_of(state.fields["pools"].tolist())


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means."""
    word = re.sub(r"\s", "", text).casefold()
    if word in ACTIONS.kinds and not ACTIONS.kinds[word].ranges:
        return ACTIONS.join(word)
    try:
        for reader in (_read_pair, _read_named, _read_short):
            action = reader(state, word)
            if action is not None:
                return action
    except ParseError:
        raise
    except TianxiaError as error:
        raise ParseError(str(error)) from error
    raise ParseError(f"{text[:20]!r} is not an action; actions are like {EXAMPLES}")


def _read_pair(state: State, word: str) -> int | None:
    match = re.fullmatch(r"([roygbp]\d+)([-x])([roygbp]\d+|out)", word)
    if not match:
        return None
    origin = c.triangle_number(match[1])
    ways = c.NEIGHBOURS[origin].tolist()
    target = -1 if match[3] == "out" else c.triangle_number(match[3])
    if target not in ways:
        near = ", ".join(c.triangle_name(t) for t in ways if t >= 0)
        text = f"{match[1]} has no side in common with {match[3]}; it has with {near}"
        raise ParseError(text)
    return ACTIONS.join("attack" if match[2] == "x" else "go", origin, ways.index(target))


def _read_named(state: State, word: str) -> int | None:
    name, colon, rest = word.partition(":")
    if not colon:
        return None
    if name == "pawn":
        return ACTIONS.join("circle", c.circle_number(rest))
    if name == "out":
        return ACTIONS.join("out", _read_pool(state, rest))
    if name not in ("move", "supply", "colour"):
        return None
    if len(rest) != 1 or rest not in c.LETTERS:
        raise ParseError(f"{rest[:20]!r} is no colour; colours are {' '.join(c.LETTERS)}")
    return ACTIONS.join(name, c.LETTERS.index(rest))


def _read_pool(state: State, name: str) -> int:
    names = [c.triangle_name(t) for t in pools_of(state)]
    if name in names:
        return names.index(name)
    if name in ("1", "2", "3"):
        return int(name) - 1
    raise ParseError(f"{name[:20]!r} is no whirlpool; they lie on {', '.join(names) or 'nothing'}")


def _read_short(state: State, word: str) -> int | None:
    if re.fullmatch(r"[roygbp]\d+", word):
        return ACTIONS.join("spot", c.triangle_number(word))
    match = re.fullmatch(r"pawn\+(\d{1,2})", word)
    if match:
        return ACTIONS.join("pawn", _read_number(match[1], c.LONGEST, "circles"))
    match = re.fullmatch(r"([1-6])-([1-6])", word)
    if match:
        low, high = sorted((int(match[1]), int(match[2])))
        return ACTIONS.join("rolled", high * (high - 1) // 2 + low - 1)
    if re.fullmatch(r"\d{1,3}", word):
        return ACTIONS.join("count", _read_number(word, c.UNITS, "units"))
    return None


def _read_number(text: str, most: int, what: str) -> int:
    if not 1 <= int(text) <= most:
        raise ParseError(f"{text} {what}: should be from 1 to {most}")
    return int(text)


# --- Names ---


def armies_of(state: State, seat: int) -> list[int]:
    """Return the armies that a seat has drawn."""
    owners = state.fields["owner"].tolist()
    return [army for army in range(c.COLOURS) if owners[army] == seat + 1]


def seat_name(state: State, seat: int, language: str) -> str:
    """Return what a seat is called: its armies, once they are drawn."""
    _ = translator(language, __package__).gettext
    armies = armies_of(state, seat)
    if armies:
        return "/".join(_(ARMY_NAMES[army]) for army in armies)
    return _(SEAT_NAMES[seat])


def army_name(army: int, language: str) -> str:
    """Return what an army is called."""
    return translator(language, __package__).gettext(ARMY_NAMES[army])


# --- Sentences ---


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action did, as the viewer may read it; asked before it is applied."""
    if action >= c.COLOUR:
        return _describe_chance(state, action, language)
    kind, *about = ACTIONS.split(action)
    if kind == "spot":
        return _describe_spot(state, about[0], seat, viewer, language)
    if kind == "circle":
        return _describe_pawn(state, about[0], seat, viewer, language)
    if kind in ("attack", "go"):
        return _describe_way(state, action, seat, language)
    if kind == "out":
        return _describe_exit(state, action, seat, language)
    if kind == "count":
        return _describe_units(state, about[0], seat, language)
    _ = translator(language, __package__).gettext
    texts = {
        "move": _("{seat} took the dice to move {army}."),
        "supply": _("{seat} took the dice to resupply {army}."),
        "roll": _("{seat} rolled to move."),
        "stop": _("{seat} passed the dice."),
        "pawn": _("{seat} moved the pawn by {number}."),
        "take": _("{seat} took supplies from {victim}."),
        "bank": _("{seat} took supplies from the store."),
        "leave": _("{seat} took nothing."),
    }
    return texts[kind].format(
        seat=seat_name(state, seat, language),
        army=army_name(about[0], language) if kind in ("move", "supply") else "",
        number=about[0] if about else "",
        victim=army_name(max(int(state.fields["raid"]) - 1, 0), language),
    )


def _describe_spot(state: State, spot: int, seat: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    who = seat_name(state, max(seat, 0), language)
    place = c.triangle_name(spot)
    if state.fields["phase"] == s.MAPPING:
        return _marker_text(state, seat, _).format(seat=who, place=place)
    last = sum(c.ARMY - int(state.fields["strength"][army]) for army in armies_of(state, seat)) == 1
    if viewer not in (None, seat) and not state.over:
        # Others hear of the last one only, and then all of them stand.
        text = _("{seat} has set up all its units.") if last else _("{seat} set up a unit.")
    elif last:
        text = _("{seat} set up the last unit on {place}.")
    else:
        text = _("{seat} set up a unit on {place}.")
    return text.format(seat=who, place=place)


def _marker_text(state: State, seat: int, _: Translate) -> str:
    terrain = maps.triangles_of(state.fields["terrain"].tolist())
    if len(terrain) < int(state.fields["options"]["terrain"]):
        if seat >= 0:
            return _("{seat} put terrain on {place}.")
        return _("Terrain was put on {place}.")
    if seat >= 0:
        return _("{seat} put a whirlpool on {place}.")
    return _("A whirlpool was put on {place}.")


def _describe_pawn(state: State, circle: int, seat: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    who = seat_name(state, seat, language)
    if viewer not in (None, seat) and not state.over:
        armies = armies_of(state, seat)
        left = sum(not state.fields["pawns"][army] for army in armies)
        if left == 1 < len(armies):  # others hear of the last one only
            return _("{seat} has set all pawns on the ring.").format(seat=who)
        return _("{seat} set a pawn on the ring.").format(seat=who)
    text = _("{seat} set a pawn on circle {place} of the ring.")
    return text.format(seat=who, place=c.circle_name(circle))


def _describe_way(state: State, action: int, seat: int, language: str) -> str:
    """Tell of an attack, a displacement, a retreat."""
    _ = translator(language, __package__).gettext
    kind, origin, _way = ACTIONS.split(action)
    target, phase = target_of(action), int(state.fields["phase"])
    if kind == "attack":
        text = _("{seat} attacked {target} from {origin}.")
    elif phase == s.OCCUPYING:
        text = _("{seat} occupied {target}.")
    elif phase == s.RETREATING and _asks_how_many(state, action, seat):
        text = _("{seat} chose to retreat from {origin} to {target}.")
    elif phase == s.RETREATING:
        text = _("{seat} retreated from {origin} to {target}.")
    elif _asks_how_many(state, action, seat):
        text = _("{seat} chose to move from {origin} to {target}.")
    else:
        text = _("{seat} moved from {origin} to {target}.")
    return text.format(
        seat=seat_name(state, seat, language),
        origin=c.triangle_name(origin),
        target=c.triangle_name(target) if target >= 0 else "-",
    )


def _describe_exit(state: State, action: int, seat: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    text = _("{seat} came out at {place}.")
    if _asks_how_many(state, action, seat):
        text = _("{seat} chose to come out at {place}.")
    place = write(state, action, seat).partition(":")[2]
    return text.format(seat=seat_name(state, seat, language), place=place)


def _asks_how_many(state: State, action: int, seat: int) -> bool:
    """Say whether a way leaves open how many units go: until that is chosen none has moved."""
    after = state.clone() if state.viewer is None else state.sample(new_rng(0))  # all is open then
    after.apply(action, seat)
    return int(after.fields["phase"]) in (s.COUNTING, s.SPLITTING, s.DIVIDING)


def _describe_units(state: State, number: int, seat: int, language: str) -> str:
    """Tell how many units move, come out or retreat."""
    translate = translator(language, __package__)
    phase = int(state.fields["phase"])
    if phase == s.COUNTING:
        text = translate.ngettext(
            "{seat} moved {number} unit.", "{seat} moved {number} units.", number
        )
    elif phase == s.DIVIDING:
        text = translate.ngettext(
            "{number} unit came out there.", "{number} units came out there.", number
        )
    else:
        text = translate.ngettext(
            "{number} unit retreated there.", "{number} units retreated there.", number
        )
    return text.format(seat=seat_name(state, seat, language), number=number)


def _describe_chance(state: State, action: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    kind, *about = ACTIONS.split(action)
    if kind == "colour":
        drawn = sum(1 for colour in state.fields["drawn"].tolist() if colour)
        who = _(SEAT_NAMES[drawn % state.seats])
        text = _("{seat} drew {army}.")
        if drawn in state.game.chosen:
            text = _("{seat} has chosen {army}.")
        return text.format(seat=who, army=army_name(about[0], language))
    if kind == "open":
        return _("What was set up was opened.")
    who = seat_name(state, int(state.fields["active"]), language)
    if kind == "pass":
        return _("{seat} had no supplies, the store was empty, and the turn passed.").format(
            seat=who
        )
    return _describe_dice(state, action, language)


def _describe_dice(state: State, action: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    high, low = c.DICE[c.argument(action, 0)].tolist()
    phase = int(state.fields["phase"])
    if phase == s.STORES:
        text = _("Dice for the first supplies: {high} and {low}.")
    elif phase == s.FIRST:
        text = _("Dice for the first turn: {high} and {low}.")
    elif phase == s.FORAGING:
        text = _("The dice showed {high} and {low}.")
    elif high == low and not (phase == s.ATTACKING and high == c.SIX):
        text = _("The dice showed a double, {high} and {low}: the turn was over.")
    elif phase != s.ATTACKING:
        text = _("The dice showed {high} and {low}: {moves} to move.")
    elif high == low:
        text = _("The dice showed a double 6: a retreat of two triangles.")
    elif high == c.SIX:
        text = _("The dice showed {high} and {low}: a retreat, and {moves} to move.")
    else:
        text = _("The dice showed {high} and {low}: nothing moved.")
    return text.format(high=high, low=low, moves=high - low)


# --- The field as text ---


def diagram(state: State, language: str) -> str:
    """Return the field as lines of triangles, north at the top, then armies and the turn."""
    _ = translator(language, __package__).gettext
    cells = _cells(state)
    lines = [_diagram_row(cells, row) for row in ROWS_OF_FIELD]
    fields = state.fields
    for army in range(c.COLOURS):
        if fields["strength"][army] or fields["supplies"][army]:
            lines.append(_army_line(state, army, language))
    if int(fields["options"]["level"]) >= 3 and not state.over:
        left = c.SUPPLIES - sum(fields["supplies"].tolist())
        lines.append(_("Store: {number}").format(number=left))
    phase = int(fields["phase"])
    done = not state.acting and phase in OPENED_TEXTS
    text = _(OPENED_TEXTS[phase] if done else PHASE_TEXTS[phase])
    seat = state.acting[0] if state.acting else int(fields["active"])
    moves = int(fields["moves"])
    lines.append(text.format(seat=seat_name(state, seat, language), moves=moves))
    return "\n".join(lines)


def _army_line(state: State, army: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    fields = state.fields
    units = int(fields["strength"][army])
    name = army_name(army, language)
    if int(fields["options"]["level"]) < 3 or not fields["pawns"][army]:
        return _("{army}: units {units}").format(army=name, units=units)
    circle = c.circle_name(int(fields["pawns"][army]) - 1)
    supplies = int(fields["supplies"][army])
    text = _("{army}: units {units}, supplies {supplies}, pawn on {circle}")
    return text.format(army=name, units=units, supplies=supplies, circle=circle)


NORTH = """
    p16 r10 r11 r12 r13 r14 r15 r16 o10
    p14 p15 p9 r5 r6 r7 r8 r9 o5 o11 o12
    p12 p13 p7 p8 p4 r2 r3 r4 o2 o6 o7 o13 o14
    p10 p11 p5 p6 p2 p3 p1 r1 o1 o3 o4 o8 o9 o15 o16
"""
"""The northern half of the field, line by line, each from west to east."""


def _rows() -> list[list[int]]:
    """Return all triangles line by line, from north to south."""
    north = [
        list(map(c.triangle_number, line.split())) for line in NORTH.split("\n") if line.strip()
    ]
    turned = [[(t + c.TRIANGLES // 2) % c.TRIANGLES for t in reversed(line)] for line in north]
    return [*north, *reversed(turned)]


ROWS_OF_FIELD = _rows()
CELL = 5
LINE = CELL * max(map(len, ROWS_OF_FIELD))


def _diagram_row(cells: Sequence[str], row: list[int]) -> str:
    return "".join(f"{cells[t]:^{CELL}}" for t in row).center(LINE).rstrip()


def _cells(state: State) -> list[str]:
    """Return triangles in a few signs: ``R12`` a pile, ``R12+`` if mixed, ``@``, ``##``, ``.``."""
    cells = ["."] * c.TRIANGLES
    for t in maps.triangles_of(state.fields["terrain"].tolist()):
        cells[t] = "##"
    pools = pools_of(state)
    for t in pools:
        cells[t] = "@"
    for t, pile in piles_of(state).items():
        mixed = "+" * (len(set(pile)) > 1)
        cells[t] = f"{'@' * (t in pools)}{c.LETTERS[pile[-1]].upper()}{len(pile)}{mixed}"
    return cells


# --- Piles ---


def piles_of(state: State) -> dict[int, tuple[int, ...]]:
    """Return the colours of each pile, bottom to top."""
    units = iter(state.fields["units"].tolist())
    heights = state.fields["height"].tolist()
    return {
        t: tuple(next(units) - 1 for _ in range(height))
        for t, height in enumerate(heights)
        if height
    }


def sides_of(state: State) -> dict[int, dict[int, bool]]:
    """Return for each pile what lies beside it, and whether that side is closed to it.

    Piles in whirlpools are left out: nobody surrounds them.
    """
    piles, pools = piles_of(state), set(pools_of(state))
    terrain = set(maps.triangles_of(state.fields["terrain"].tolist()))

    def shut(side: int, army: int) -> bool:
        other = piles.get(side, ())
        return side in terrain or (len(other) > 1 and other[-1] != army and side not in pools)

    return {
        here: {side: shut(side, pile[-1]) for side in c.NEIGHBOURS[here].tolist() if side >= 0}
        for here, pile in piles.items()
        if here not in pools
    }


def in_layers(pile: tuple[int, ...], language: str) -> str:
    """Return a pile from the top: ``1 Blue over 3 Red``."""
    _ = translator(language, __package__).gettext
    layers = [
        f"{len(list(run))} {army_name(army, language)}" for army, run in groupby(reversed(pile))
    ]
    return _(" over ").join(layers)


# --- What is in play ---

STATEMENT = re.compile(r"BIN-([A-Z]?)([0-9]+)[a-z]?")
LAST_OF_LEVEL = (20, 23, 37, 46)
"""The last rule of the booklet for each level; those after it are for several armies."""
SEVERAL_ARMIES, WHIRLPOOL_ODDS, ALLIANCES, LIMIT = "BIN-D03", "BIN-D08", "A", 51


def in_play(statement: str, options: Mapping[str, Value]) -> bool:
    """Say whether a statement matters in a game with these options (BIN-D07)."""
    match = STATEMENT.fullmatch(statement)
    if match is None:
        return True
    part, number, level = match[1], int(match[2]), int(options["level"])
    if statement == WHIRLPOOL_ODDS or part == ALLIANCES:
        return level == len(LAST_OF_LEVEL)
    if statement == SEVERAL_ARMIES or (not part and LAST_OF_LEVEL[-1] < number < LIMIT):
        return int(options["armies"]) > 1
    if number == LIMIT:
        return int(options["turns"]) > 0
    return bool(part) or number <= LAST_OF_LEVEL[level - 1]
