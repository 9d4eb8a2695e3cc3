"""What triangles and circles of Bin'Fa say when they are asked.

Piles tell whose they are, what lies in them, which of their sides are closed and how far they
reach; circles, what a pawn that ends there brings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tianxia.draw.asking import Answer, Fact, Question, compared
from tianxia.draw.languages import translator
from tianxia.games.binfa.face.gestures import BUTTONS, CIRCLE_OF, TRIANGLE_OF, reach
from tianxia.games.binfa.face.words import (
    army_name,
    in_layers,
    piles_of,
    pools_of,
    seat_name,
    sides_of,
)
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.components import triangle_name
from tianxia.games.binfa.rules.maps import triangles_of
from tianxia.games.binfa.rules.state import MOVING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
BUTTON_RULES = {
    "roll": ("BIN-03", "BIN-08a", "BIN-08b"),
    "stop": ("BIN-09",),
    "take": ("BIN-32a", "BIN-32b"),
    "bank": ("BIN-31a",),
    "leave": ("BIN-32a",),
}
LEVEL_OF_SUPPLIES = 3


def answer(question: Question) -> Answer | None:
    """Return what an element is; None where it is none of this game."""
    element = question.element
    if element in TRIANGLE_OF:
        now = _triangle(question, question.view, TRIANGLE_OF[element])
        later = question.later() if _is_certain(question.action) else None
        found = None if later is None else _triangle(question, later, TRIANGLE_OF[element])
        return compared(now, found)
    if element in CIRCLE_OF:
        return _circle(question, CIRCLE_OF[element])
    return _button(question)


def _is_certain(action: int | None) -> bool:
    """Say whether an action is a displacement: nothing else goes without dice or secrets."""
    return action is not None and c.kind_of(action) in (c.GO, c.COUNT)


# --- Triangles and piles ---


def _triangle(question: Question, view: State, triangle: int) -> Answer:
    language = question.language
    _ = translator(language, PACKAGE).gettext
    name = triangle_name(triangle)
    base = army_name(int(c.SECTOR[triangle]), language)
    place = Fact(_("Place"), _("{name}, base of {army}").format(name=name, army=base))
    if triangle in triangles_of(view.fields["terrain"].tolist()):
        return Answer(_("{name}: terrain").format(name=name), (place,), ("BIN-22", "BIN-23"))
    pile = piles_of(view).get(triangle)
    is_pool = triangle in triangles_of(view.fields["pools"].tolist())
    if pile is None:
        if is_pool:
            told = _("{name}: whirlpool").format(name=name)
            return Answer(told, (place,), ("BIN-39a", "BIN-39c", "BIN-40a", "BIN-41"))
        return Answer(_("{name}: empty").format(name=name), (place,), ("BIN-04a", "BIN-06"))
    army = pile[-1]
    title = _("{name}: pile of {army}").format(name=name, army=army_name(army, language))
    reached = _reached(view, triangle, army)
    facts = (
        Fact(_("Owner"), _owner(view, army, language)),
        Fact(_("From the top"), in_layers(pile, language)),
        Fact(_("Units of the army left"), _left(view, army, language)),
        *(_sides(view, triangle, pile, language) if not is_pool else ()),
        *_fights(view, triangle, pile, language),
        *_distance(view, reached, language),
        place,
    )
    on_field = ("BIN-07c", "BIN-10b", "BIN-11a", "BIN-14a")
    rules = ("BIN-39c", "BIN-40a", "BIN-41") if is_pool else on_field
    return Answer(title, facts, rules, tuple(map(triangle_name, reached)))


def _owner(view: State, army: int, language: str) -> str:
    owner = int(view.fields["owner"][army])
    return seat_name(view, owner - 1, language) if owner else army_name(army, language)


def _left(view: State, army: int, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    text = _("{n}; with {fatal} or fewer the army falls")
    return text.format(n=int(view.fields["strength"][army]), fatal=c.FALLS_AT)


def _sides(view: State, triangle: int, pile: tuple[int, ...], language: str) -> Iterator[Fact]:
    """Yield what is on each side of a pile, and whether that side is closed."""
    _ = translator(language, PACKAGE).gettext
    piles, terrain = piles_of(view), triangles_of(view.fields["terrain"].tolist())
    sides, told = sides_of(view)[triangle], []
    for side, shut in sides.items():
        other = piles.get(side)
        what = _("terrain") if side in terrain else in_layers(other, language) if other else ""
        state = _("closed") if shut else _("open")
        what = what or _("empty")
        told.append(f"{triangle_name(side)} {what} ({state})")
    yield Fact(_("Beside it"), "; ".join(told))
    if len(pile) == 1:
        yield Fact(_("Surrounded"), _("a lone unit cannot be captured"))
    else:
        text = _("{closed} of {n} sides closed")
        yield Fact(_("Surrounded"), text.format(closed=sum(sides.values()), n=len(sides)))


def _fights(view: State, triangle: int, pile: tuple[int, ...], language: str) -> Iterator[Fact]:
    """Yield which piles beside a pile it could dislodge, and which could dislodge it.

    Nobody dislodges what is in a whirlpool; from there one can dislodge others (BIN-46a).
    """
    _ = translator(language, PACKAGE).gettext
    piles, pools = piles_of(view), pools_of(view)
    beside = {
        side: piles[side]
        for side in c.NEIGHBOURS[triangle].tolist()
        if side in piles and piles[side][-1] != pile[-1]
    }
    lower = [
        triangle_name(side)
        for side, other in beside.items()
        if len(other) < len(pile) and side not in pools
    ]
    taller = [triangle_name(side) for side, other in beside.items() if len(other) > len(pile)]
    if lower:
        yield Fact(_("Can dislodge"), ", ".join(lower))
    if taller and triangle not in pools:
        yield Fact(_("Can be dislodged from"), ", ".join(taller))


def _reached(view: State, triangle: int, army: int) -> list[int]:
    """Return the triangles in reach of a pile with the moves that are left."""
    fields = view.fields
    if fields["phase"] != MOVING or int(fields["army"]) != army + 1:
        return []
    return reach(view, triangle)


def _distance(view: State, reached: list[int], language: str) -> Iterator[Fact]:
    words = translator(language, PACKAGE)
    if not reached:
        return
    moves = int(view.fields["moves"])
    text = words.ngettext(
        "{triangles} triangles, with {n} move left",
        "{triangles} triangles, with {n} moves left",
        moves,
    )
    yield Fact(words.gettext("In reach"), text.format(triangles=len(reached), n=moves))


# --- The ring ---


def _circle(question: Question, circle: int) -> Answer | None:
    view, language = question.view, question.language
    fields = view.fields
    if fields["options"]["level"] < LEVEL_OF_SUPPLIES:
        return None
    _ = translator(language, PACKAGE).gettext
    colour, side = int(c.CIRCLE_COLOUR[circle]), circle // c.SIDE
    army = army_name(colour, language)
    facts = [Fact(_("Colour"), army)]
    pawns = fields["pawns"].tolist()
    if circle + 1 in pawns:
        who = army_name(pawns.index(circle + 1), language)
        facts.append(Fact(_("Pawn"), _("{army}; no other can end here").format(army=who)))
    names = [army_name(found, language) for found in _supplied(view, colour)]
    facts += [
        Fact(_("Brings supplies to"), ", ".join(names) or _("nobody")),
        Fact(_("In the store"), str(c.SUPPLIES - int(fields["supplies"].sum()))),
    ]
    rules = ["BIN-29a", "BIN-30a", "BIN-31a"]
    if circle % c.SIDE == c.CENTRE and colour == side:
        rules.append("BIN-32a")
        stock = str(int(fields["supplies"][colour]))
        facts.append(Fact(_("Supplies of {army}").format(army=army), stock))
    title = _("Circle {name}").format(name=c.circle_name(circle))
    return Answer(title, tuple(facts), tuple(rules))


def _supplied(view: State, colour: int) -> list[int]:
    """Return which armies get supplies on circles of a colour, its own first.

    What is in a whirlpool brings nothing (BIN-31b), and a fallen army has no pawn.
    """
    pools, alive = pools_of(view), int(view.fields["alive"])
    there = {
        pile[-1] for t, pile in piles_of(view).items() if c.SECTOR[t] == colour and t not in pools
    }
    own = [colour] if alive >> colour & 1 else []
    return [*own, *sorted(there - {colour})]


# --- Buttons ---


def _button(question: Question) -> Answer | None:
    view, language = question.view, question.language
    _ = translator(language, PACKAGE).gettext
    word, _dash, name = question.element.partition("-")
    if question.element in BUTTONS:
        return Answer(_("What this does"), (), BUTTON_RULES[question.element])
    if word in ("move", "supply") and name in tuple(c.LETTERS):
        army = c.LETTERS.index(name)
        facts = [Fact(_("Units of the army left"), _left(view, army, language))]
        if view.fields["options"]["level"] >= LEVEL_OF_SUPPLIES:
            facts.append(Fact(_("Supplies"), str(int(view.fields["supplies"][army]))))
        title = _("Move {army}") if word == "move" else _("Resupply {army}")
        rules = ("BIN-26", "BIN-28a") if word == "move" else ("BIN-26", "BIN-27", "BIN-29a")
        return Answer(title.format(army=army_name(army, language)), tuple(facts), rules)
    if word == "n" and name.isdigit() and int(name) <= c.UNITS:
        return Answer(_("What this does"), (), ("BIN-04a",))
    return None
