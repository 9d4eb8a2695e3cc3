"""What is shown of a game: its pictures, gestures and answers, and its board in a terminal."""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree as ET

from tianxia.draw.armies import ARMIES
from tianxia.draw.asking import Question
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing, Gesture, Happening, Scene, SceneRequest
from tianxia.draw.terminal import Room, terminal_of
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.testing.walk import Walk, check, name_of

FIRST, EVERY = 6, 31
"""The first few positions in which a seat acts are drawn, and one in so many; a prime, so that all
phases come up."""
PREFIX = "t-"
ASKED = 6
"""For how many elements and clicks it is asked what they mean, at each position."""
USED = re.compile(r'(?:href="|url\()#([\w-]+)')
TAG = re.compile(r'<\w[^>]*\s(?:id|data-e|data-ask)="[^>]*>')
"""A tag with a name; templates escape the sign that ends a tag."""
FACT = re.compile(r'([\w-]+)="([^"]*)"')
FORBIDDEN = re.compile(r"<(?:style|script)|\s(?:style|on[a-z]+)=")
PLACES = {"side", "hand", "beside", "under"}
NARROW = Room(width=60, height=24, colours=False, plain=True)


class Page:
    """What a scene puts on the page: ids, elements that can be clicked, what can be asked."""

    def __init__(self, scene: Scene) -> None:
        self.ids: list[str] = []
        self.elements: dict[str, dict[str, str]] = {}
        self.asked: set[str] = set()
        for tag in TAG.findall(scene.svg + "".join(panel.html for panel in scene.panels)):
            facts = {name: unescape(value) for name, value in FACT.findall(tag)}
            if name := facts.get("id"):
                self.ids.append(name)
            if name := facts.get("data-e"):
                self.elements.setdefault(name, facts)
            if name := facts.get("data-e") or facts.get("data-ask"):
                self.asked.add(name)


def clicks(gesture: Gesture) -> tuple[str, ...]:
    """Return all the elements that a gesture clicks, one after the other."""
    found: list[str] = []
    for step in gesture.steps:
        found += step.elements[:1] * step.count if step.kind == "count" else step.elements
    return tuple(found)


@check
def check_face(walk: Walk) -> None:
    """Draw some positions for everybody: what is legal can be clicked, and nothing else.

    Pictures are well-formed, use symbols that there are and change with nothing hidden; their
    elements have names and answers, in every language. A terminal lists the legal
    actions, and rulebooks have the same statements in all languages.
    """
    book = getattr(walk.game.kind.rulebook, "__self__", None)
    if isinstance(book, Rulebook):
        book.check()
    drawing = Drawing.of(walk.game.kind)
    last: list[Happening] = []
    asked = 0
    for seat, action in walk:
        first = seat != CHANCE and asked < FIRST
        asked += first
        if first or walk.number % EVERY == 0:
            _check_position(walk, drawing, tuple(last))
        known = walk.state.seen(action, seat, 0)
        told = Happening(seat, known, walk.state.describe(action, seat, 0), walk.state.view(0))
        last = [*last, told] if seat != 0 else [told]
    _check_position(walk, drawing, tuple(last))


def _check_position(walk: Walk, drawing: Drawing | None, last: tuple[Happening, ...]) -> None:
    language = LANGUAGES[walk.number // EVERY % len(LANGUAGES)]
    for viewer in walk.viewers:
        view = walk.state.view(viewer)
        if viewer in walk.state.acting:
            _check_terminal(walk, view, viewer, language)
        if drawing is None:
            continue
        told = last if viewer == 0 else ()
        other = view.sample(new_rng(walk.seed, walk.number)).view(viewer)
        scene, again = (
            drawing(SceneRequest(one, viewer, language, told, PREFIX)) for one in (view, other)
        )
        who = name_of(viewer)
        walk.demand(scene == again, f"what {who} cannot know changes its picture")
        page = Page(scene)
        _check_gestures(walk, drawing, scene, page, view)
        _check_markup(walk, drawing, scene, page)
        _check_answers(walk, drawing, page, view, language)


def _check_gestures(walk: Walk, drawing: Drawing, scene: Scene, page: Page, view: State) -> None:
    """Demand a gesture of drawn elements for each legal action, and a meaning for its clicks."""
    viewer = SPECTATOR if view.viewer is None else view.viewer
    legal = set(view.legal_actions(viewer)) if viewer in view.acting else set()
    made = {gesture.action for gesture in scene.gestures}
    if scene.arrangement is None and not scene.steps_only:
        odd = ", ".join(walk.state.text(action, viewer) for action in sorted(made ^ legal)[:5])
        walk.demand(made == legal, f"{odd}: legal without a gesture, or the other way round")
    walk.demand(scene.text.strip() and "{" not in scene.status, f"status {scene.status!r}")
    walk.demand(scene.status.strip() or not legal, f"no status for {name_of(viewer)}, who may act")
    ways: set[tuple[str, ...]] = set()
    for gesture in scene.gestures:
        what = f"the gesture of {walk.state.text(gesture.action, viewer)}"
        walk.demand(gesture.label.strip(), f"{what} has no label")
        way = clicks(gesture)
        missing = ", ".join(sorted(set(way) - page.elements.keys()))
        walk.demand(way and not missing, f"{what} clicks {missing or 'nothing'}: not drawn")
        ways.add(way)
    statements = walk.game.kind.statements.values()
    strange = (("",), ("no-such",), ("no-such", *sorted(page.elements)[:1]))
    for way in (*walk.rng.sample(sorted(ways), min(ASKED, len(ways))), *strange):
        meaning = drawing.meant(view, viewer, way)
        known = meaning in (None, *statements, *range(walk.game.num_actions))
        walk.demand(known, f"clicks on {', '.join(way)} mean {meaning!r}, no action and no rule")


def _check_markup(walk: Walk, drawing: Drawing, scene: Scene, page: Page) -> None:
    """Demand of a picture and its panels what pages need."""
    panels = "".join(panel.html for panel in scene.panels)
    own = {node.get("id") for node in ET.fromstring(scene.svg).iter()}  # noqa: S314  (the game's)
    there = own | set(re.findall(r'id="([\w-]+)"', drawing.sprite))
    unknown = set(USED.findall(scene.svg + panels)) - there
    walk.demand(not unknown, f"symbols that there are not: {', '.join(sorted(unknown))}")
    found = FORBIDDEN.search(scene.svg + panels)
    walk.demand(not found, f"pages forbid {found[0].strip() if found else ''} in pictures")
    twice = {name for name in page.ids if page.ids.count(name) > 1}
    walk.demand(not twice, f"ids that stand twice: {', '.join(sorted(twice))}")
    bare = [name for name in page.ids if not name.startswith(PREFIX)]
    walk.demand(not bare, f"ids without the request's prefix: {', '.join(bare[:5])}")
    for name, facts in page.elements.items():
        button = facts.get("type") == "button"
        named = facts.get("aria-label") or button
        walk.demand(named and facts.get("tabindex") in ("0", "-1"), f"{name}: no label or tabindex")
        walk.demand(facts.get("role") in ("button", "img") or button, f"{name} has no role")
    for panel in scene.panels:
        walk.demand(panel.place in PLACES, f"no place of panels is called {panel.place!r}")
    odd = set(scene.armies) - {*ARMIES, ""}
    walk.demand(not odd, f"no army is called {', '.join(sorted(odd))}")


def _check_answers(walk: Walk, drawing: Drawing, page: Page, view: State, language: str) -> None:
    """Demand an answer of what can be asked, where a game answers at all, and none of the rest."""
    if not drawing.asks:
        return
    viewer = SPECTATOR if view.viewer is None else view.viewer
    found = sorted(page.asked)
    for element in [*walk.rng.sample(found, min(ASKED, len(found))), "no-such-element"]:
        answer = drawing.answer(Question(view, viewer, language, element))
        there = answer is not None and answer.title.strip() and "{" not in repr(answer)
        walk.demand(bool(there) == (element in page.asked), f"{element} answers {answer}")
        for one in answer.statements if answer else ():
            walk.demand(walk.game.kind.rulebook(one, "en"), f"{element} names {one}: no such rule")


def _check_terminal(walk: Walk, view: State, seat: int, language: str) -> None:
    """Demand of a terminal that it draws the board, and lists what is legal."""
    terminal = terminal_of(walk.game.kind)
    list(terminal.draw(view, (), language, NARROW))
    terminal.question(view, seat, language)
    listed = [a for group in terminal.groups(view, seat, language) for a in group.actions]
    same = sorted(listed) == view.legal_actions(seat)
    walk.demand(same, f"the terminal lists {sorted(listed)} for seat {seat}, not what is legal")
