"""Draws tables: what one viewer sees of a table, as a piece of HTML.

Everything that can differ between viewers is made here, from ``state.view(viewer)`` and from
the story told to that viewer; the full position goes into a picture only when the game is
over and open to all. The digest of a piece is its version: who has seen the same piece is
sent nothing, so neither numbers nor times tell of what others do in secret.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from tianxia.draw.armies import armies_of
from tianxia.draw.languages import N_, package_of, translator
from tianxia.draw.pictures import sprite
from tianxia.draw.scene import Arrangement, Gesture, Happening, Plate, Scene, SceneRequest
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.registry import position
from tianxia.kernel.state import State
from tianxia.tables import (
    Looked,
    Mind,
    NotNow,
    SeatInfo,
    Snapshot,
    free_colours,
    standing_answers,
)
from tianxia.tables.advising import may_ask, may_hurry
from tianxia.tables.memory import Remembered
from tianxia.tables.reviews import NOTHING
from tianxia.tables.work import OPEN
from tianxia.web import chances, pace
from tianxia.web.catalogue import (
    bot_title,
    called_by_now,
    colours_of,
    options_in_words,
    title_of,
)
from tianxia.web.fragment import Kept, fragment
from tianxia.web.guiding import guiding
from tianxia.web.parts import LOG, UNNAMED, Piece, in_parts
from tianxia.web.plain import plain_scene
from tianxia.web.result import headline, scores
from tianxia.web.story import NEWEST, PLAIN, Line, Story, Told
from tianxia.web.templating import PACKAGE, embedded, render
from tianxia.web.turns import Drawn, Turn, Voice, names_of_people, newest, settled, turns

MOST_GESTURES = 300
"""Beyond these a page gets first steps and asks for the rest."""
MOST_LINES = 300
"""Of a running game; when it is over a page has them all."""
MOST_TABLES, MOST_WATCHED = 300, 1000
"""That are kept as drawn, and while their pages are open: some 0.8 MB each with three pages."""
MOST_VOICES = 12
"""Viewers, languages, names and colours for which the log of one table is kept as drawn."""
MOST_PAST = 2
"""Pieces that are kept for each viewer to tell what has changed since. What others are shown,
and how often, has no part in what is kept."""
MOST_VIEWERS = 32
SEATED = (
    "take_back",
    "ask_take_back",
    "set_up_anew",
    "answer_take_back",
    "resign",
    "leave",
    "offer_draw",
    "answer_draw",
    "abort",
    "rematch",
    "hint",
    "hurry",
    "call_off",
    "leave_table",
    "close",
    "fill",
    "wait",
    "rest",
)
"""What only those who have a seat may ever do."""
AWAKE = Mind("ready")
HERE = ("localhost", "127.0.0.1", "::1")
"""Names by which each machine calls itself."""
ENDINGS = {
    "resignation": N_("{side} has resigned."),
    "agreement": N_("A draw was agreed."),
    "abort": N_("The game was ended without a result."),
    "clock": N_("{side} ran out of time and has lost."),
    "clocks": N_("Everybody ran out of time: nobody has won."),
    "silence": N_("{side} has been silent for too long and has lost."),
    "called-off": N_("The game was called off; nobody has lost."),
    "closed": N_("The table was closed before the game began."),
}
"""How games end that the rules do not end."""
ABSENT = N_(
    "Not there in time: {names}. In the tournament this is a loss for them,"
    " and a win for whoever was there."
)
YOURS = {
    "resignation": N_("You have resigned."),
    "clock": N_("You ran out of time and have lost."),
    "silence": N_("You have been silent for too long and have lost."),
}
"""The same of the viewer's own seat."""


@dataclass(frozen=True)
class Viewer:
    """Who looks at a table.

    Attributes
    ----------
    seat
        Their seat, or None.
    language
        In which language.
    base
        Our address as they know it, for links to send to others.
    key
        The private key of their seat, or "".
    away
        Whether a bot plays for their seat until they come back.
    guest
        Whether they have no account and could sit down if they had one.
    asked
        The seat that is kept for their account: they are challenged, or asked for a rematch.
    """

    seat: int | None
    language: str
    base: str
    key: str = ""
    away: bool = False
    guest: bool = False
    asked: int | None = None

    @property
    def code(self) -> int:
        """The seat, or SPECTATOR."""
        return SPECTATOR if self.seat is None else self.seat


@dataclass(frozen=True)
class ClockWords:
    """A seat's clock as the page shows it.

    Attributes
    ----------
    text
        What is left, of a clock that runs when it began to: the page's module goes on.
    left, falls
        Seconds that are left where it stands, and when the flag falls where it runs.
    away
        Until when its seat is on holiday.
    """

    text: str
    left: float
    falls: float | None
    away: float


@dataclass(frozen=True)
class SeatWords:
    """A seat as the page shows it; `colour` is the one that it has chosen, as it is sent."""

    number: int
    side: str
    colour: str
    name: str
    kind: str
    you: bool
    acting: bool
    thinking: bool
    finished: bool
    won: bool
    stand_in: bool
    kept_for: str
    declined_by: str
    clock: ClockWords | None


@dataclass(frozen=True)
class Waking:
    """What is said of a bot that cannot think yet; `part` is what is done, in per cent."""

    text: str
    part: int | None


WAKING = N_("The {bot} is waking up. This takes a little while the first time on this machine.")
WAKING_LATER = N_(
    "The {bot} will be woken after the bots of another game, the first time on this machine."
)
WAKING_SECONDS = N_("The {bot} is waking up: about {n} s, the first time on this machine.")
CANNOT_WAKE = N_("The {bot} cannot be woken on this machine; the server's log says why.")


class _Shelf:
    """What is kept of one table: its story, and the pieces of its latest version."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.story = Story(game)
        self.version: tuple[int, tuple[tuple[str, int], Mind]] = (-1, (NOTHING.key, AWAKE))
        self.pieces: dict[Viewer, Piece] = {}
        self.armies: tuple[str, ...] = ()
        self.lines: dict[tuple[Any, ...], Sequence[Drawn]] = {}
        self.past: OrderedDict[Viewer, OrderedDict[str, Piece]] = OrderedDict()
        self.drawn: OrderedDict[Viewer, Kept] = OrderedDict()
        self.lock = threading.Lock()

    def log(
        self,
        lines: Sequence[Line],
        viewer: int,
        voice: Voice,
        armies: tuple[str, ...],
        *,
        over: bool,
    ) -> tuple[str, ...]:
        """Return the turns of a log as HTML, newest first; what was drawn before is kept.

        Each viewer is told lines of his own: kept under one key, those of one would drive out
        those of the other.
        """
        key = (viewer, voice, armies)
        with self.lock:
            before = self.lines.pop(key, ())
        drawn, rest = ([], before) if over else settled(before, lines)
        begun = sum(len(turn.lines) for turn, _ in drawn)
        told = {id(turn.lines[0]): turn for turn, _ in rest}
        known = {id(turn): html for turn, html in rest}
        for turn in turns(lines[begun:], voice, over=over, known=told):
            drawn.append((turn, known.get(id(turn)) or _drawn_turn(turn, voice, armies)))
        # Turns are kept with their lines, so that no other ones get their ids.
        with self.lock:
            self.lines[key] = drawn
            while len(self.lines) > MOST_VOICES:
                self.lines.pop(next(iter(self.lines)))
        return tuple([html for _, html in reversed(drawn)])

    def kept(self, viewer: Viewer) -> Kept:
        """Return the parts that were drawn for a viewer last, to be brought up to date."""
        with self.lock:
            mine = self.drawn.pop(viewer, {})
            self.drawn[viewer] = mine
            if len(self.drawn) > MOST_VIEWERS:
                self.drawn.popitem(last=False)
            return mine

    def remember(self, viewer: Viewer, piece: Piece) -> None:
        """Keep what a viewer was shown, to tell later what has changed since then."""
        mine = self.past.setdefault(viewer, OrderedDict())
        mine[piece.version] = piece
        if len(mine) > MOST_PAST:
            mine.popitem(last=False)
        if len(self.past) > MOST_VIEWERS:
            self.past.popitem(last=False)


def _drawn_turn(turn: Turn, voice: Voice, armies: tuple[str, ...]) -> str:
    seated = turn.seat is not None and 0 <= turn.seat < len(armies)
    army = armies[turn.seat or 0] if seated else ""
    lines = [(line, voice.named(line)) for line in reversed(turn.lines)]
    return render("log_turn", voice.language, turn=turn, lines=lines, army=army)


class Renderer:
    """Draws tables and keeps what was drawn last. Safe to use from many threads."""

    def __init__(self, watched: Callable[[str], bool] = lambda table_id: False) -> None:
        """Begin with nothing; `watched` says of which tables pages are open."""
        self._lock = threading.Lock()
        self._shelves = Remembered[_Shelf](MOST_TABLES, MOST_WATCHED, watched)

    def piece(
        self,
        snapshot: Snapshot,
        viewer: Viewer,
        looked: Looked = NOTHING,
        mind: Mind = AWAKE,
    ) -> Piece:
        """Return what a viewer sees of a table, and of the review of a finished game.

        Parameters
        ----------
        mind
            How far the minds of the game are: a bot's turn may have to wait for them.
        """
        if not awaits_minds(snapshot, looked):
            mind = AWAKE
        shelf, version = self._shelf(snapshot), (snapshot.version, (looked.key, mind))
        with shelf.lock:
            if shelf.version == version and viewer in shelf.pieces:
                return shelf.pieces[viewer]
        facts = self.facts(snapshot, viewer)
        facts |= waking_of(snapshot, mind, viewer.language)
        facts["may"]["hurry"] &= mind.stage == "ready"  # who is not awake cannot hurry
        if snapshot.open_to_all and snapshot.playable:
            beside = {name: facts[name] for name in ("armies", "seats", "adviser")}
            facts["chances"] = chances.facts(snapshot, viewer.language, looked) | beside
        lines = facts.pop("lines")
        piece = fragment(facts, viewer.language, lines, shelf.kept(viewer))
        with shelf.lock:
            shelf.remember(viewer, piece)
            if shelf.version[0] < version[0] or shelf.version[1] != version[1]:
                shelf.version = version
                shelf.pieces = {}
            if shelf.version == version and len(shelf.pieces) < 32:
                shelf.pieces[viewer] = piece
        return piece

    def known(self, snapshot: Snapshot, viewer: Viewer, version: str) -> Piece | None:
        """Return what a viewer was shown under a version, if it is still kept."""
        shelf = self._shelf(snapshot)
        with shelf.lock:
            mine = shelf.past.get(viewer)
            return mine.get(version) if mine else None

    def past_piece(self, snapshot: Snapshot, viewer: Viewer, ply: int) -> Piece:
        """Return a position of a finished game, open as it is now.

        Raises
        ------
        NotNow
            While the game lasts.
        """
        ply, state = past_position(snapshot, ply)
        last: tuple[Happening, ...] = ()
        if ply and snapshot.playable:
            _, before = past_position(snapshot, ply - 1)
            past = list(snapshot.state.history())
            seat, action = past[ply - 1]
            sentence = before.describe(action, seat, None, viewer.language)
            last = (Happening(seat, action, sentence, before),)
        scene = _still(draw(snapshot.game, state, viewer, last, snapshot.id))
        facts = self._facts(snapshot, viewer, Told((), last), scene, ply)
        facts["chances"] = snapshot.playable  # the page keeps what it shows of them
        return fragment(facts, viewer.language, facts["lines"])

    def facts(self, snapshot: Snapshot, viewer: Viewer) -> dict[str, Any]:
        """Return all that the page of a table says to a viewer."""
        told = self.told(snapshot, viewer)
        scene = self.scene(snapshot, viewer, told)
        return self._facts(snapshot, viewer, told, scene, None)

    def told(self, snapshot: Snapshot, viewer: Viewer) -> Told:
        """Return the log of a table as a viewer knows it."""
        if not snapshot.playable:
            plain = [entry for entry in snapshot.entries if entry.kind in PLAIN]
            return Story(snapshot.game).tell(plain, viewer.code, viewer.language)
        story = self._shelf(snapshot).story
        over = snapshot.status == "over"
        return story.tell(snapshot.entries, viewer.code, viewer.language, over=over)

    def scene(self, snapshot: Snapshot, viewer: Viewer, told: Told) -> Scene:
        """Return the picture of a table for a viewer."""
        if not snapshot.readable:
            return Scene("", (), None, (), "", "")
        view = self._view(snapshot, viewer.code)
        scene = draw(snapshot.game, view, viewer, told.last, snapshot.id)
        scene = _said(scene, told.last, voice_of(snapshot, viewer), snapshot.winners)
        return scene if can_act(snapshot, viewer) else _still(scene)

    def _view(self, snapshot: Snapshot, viewer: int) -> State:
        """Return what a viewer may know; kept for when the next action is told from there."""
        if snapshot.open_to_all or not snapshot.playable:
            return snapshot.view(viewer)
        return self._shelf(snapshot).story.glances.view(snapshot.state, viewer)

    def armies(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return the armies of a table's seats, as they were drawn last."""
        game = snapshot.game
        return self._shelf(snapshot).armies or armies_of(game.armies, game.seats)

    def steps(self, snapshot: Snapshot, viewer: Viewer, after: int) -> list[dict[str, Any]]:
        """Return, one by one, what has happened since the viewer's own last decision.

        The newest step is not among them: it is what the page shows in the end. Each is drawn
        from the viewer's view of that time.

        Parameters
        ----------
        after
            The line of the log that the viewer has seen already.
        """
        told = self.told(snapshot, viewer)
        happened = [happening for _, happening in told.steps]
        voice, found = voice_of(snapshot, viewer), []
        for place, (line, _) in enumerate(told.steps[:-1]):
            if line > after:
                last = happened[max(0, place + 1 - NEWEST) : place + 1]
                scene = draw(snapshot.game, happened[place + 1].before, viewer, last, snapshot.id)
                if scene.hold:
                    found.append(_as_step(line, _still(_said(scene, last, voice))))
        return found

    def _shelf(self, snapshot: Snapshot) -> _Shelf:
        with self._lock:
            shelf = self._shelves.get(snapshot.id)
            if shelf is None or shelf.game != snapshot.game:  # a seat has another colour now
                shelf = _Shelf(snapshot.game)
            self._shelves.keep(snapshot.id, shelf)
            return shelf

    def _facts(
        self, snapshot: Snapshot, viewer: Viewer, told: Told, scene: Scene, ply: int | None
    ) -> dict[str, Any]:
        game, over = snapshot.game, snapshot.status == "over"
        table = _table_facts(snapshot, viewer, told, scene, ply)
        armies = armies_of(scene.armies or game.armies, game.seats)
        if ply is None:  # who looks back changes no mark for others
            self._shelf(snapshot).armies = armies
        lines = told.lines if over else newest(told.lines, MOST_LINES)
        return {
            "table": table,
            "seats": seats_of(snapshot, viewer, scene.plates),
            "armies": armies,
            "scene": scene,
            "panels": {
                "dock": [panel for panel in scene.panels if panel.place != "side"],
                "side": [panel for panel in scene.panels if panel.place == "side"],
            },
            "log": Markup(LOG) if lines else "",  # noqa: S704  (our own)
            "lines": self._shelf(snapshot).log(
                lines, viewer.code, voice_of(snapshot, viewer), armies, over=over
            ),
            "may": permissions(snapshot, viewer),
            "colours": free_colours_of(snapshot, viewer),
            "standing": standing_of(snapshot, viewer),
            "guide": guiding(snapshot, viewer.seat, viewer.language, scene)
            if ply is None
            else None,
            "chances": None,
            **waking_of(snapshot, AWAKE, viewer.language),
            "links": links(snapshot, viewer),
            "gestures_json": embedded(gestures(scene, table["decision"], viewer.language)),
        }


def _table_facts(
    snapshot: Snapshot, viewer: Viewer, told: Told, scene: Scene, ply: int | None
) -> dict[str, Any]:
    """Return what is said of a table itself."""
    game, over, plates = snapshot.game, snapshot.status == "over", scene.plates
    waiting = snapshot.status == "waiting"
    decision = 0 if viewer.seat is None else snapshot.decision(viewer.seat)
    return {
        "id": snapshot.id,
        "title": title_of(game.kind, viewer.language),
        "options": options_in_words(game, viewer.language),
        "status": snapshot.status,
        "version": UNNAMED,
        "viewer": viewer.seat,
        "decision": decision,
        "your_turn": can_act(snapshot, viewer),
        "ending": ending(snapshot, viewer, scene.status, plates) if over else "",
        "result": headline(snapshot, viewer, called(snapshot, viewer, plates), scores(plates))
        if over and viewer.seat is not None
        else "",
        "stuck": snapshot.status == "playing" and not snapshot.playable,
        "aborting": sorted(snapshot.aborting),
        "draw_offer": snapshot.draw_offer,
        "take_back_ask": snapshot.take_back_ask,
        "pace": pace.in_words(snapshot.pace, viewer.language),
        "rated": snapshot.rated,
        "chance_hash": None if snapshot.guided else snapshot.chance_hash,
        "wants_seed": snapshot.wants_seed(viewer.seat),
        "chance_secret": snapshot.chance_secret,
        "gallery": over or (viewer.seat is None and not viewer.away and not waiting),
        "source": snapshot.sources[-1] if snapshot.sources else None,
        "ply": ply,
        "plies": len(snapshot.plies_notations) - 1 if over else None,
        "led": _led(told) if over else "",
        "talk": snapshot.talk and (viewer.seat is not None or over),
        "steps": sorted({line for line, step in told.steps if step.seat == CHANCE}),
        "stage": _newest_staged(told, scene),
    }


def _led(told: Told) -> str:
    """Return of each line of a log how many plies further it led; 0 for those that led nowhere."""
    ply, further = 0, []
    for line in told.lines:
        further.append((line.ply or ply) - ply)
        ply = line.ply or ply
    return " ".join(map(str, further))


def finished(html: str) -> Piece:
    """Return a piece that names its own digest, of something that always travels whole."""
    return in_parts(html, ())


# --- Pictures ---


def draw(
    game: Game, view: State, viewer: Viewer, last: Sequence[Happening], table_id: str
) -> Scene:
    """Return the scene of a position; a plain one where the game has no pictures."""
    prefix = hashlib.blake2b(f"{table_id} {viewer.code}".encode(), digest_size=4).hexdigest()
    request = SceneRequest(view, viewer.code, viewer.language, tuple(last), f"t{prefix}-")
    maker = game.kind.scene or plain_scene
    scene: Scene = maker(request)
    return scene


def past_position(snapshot: Snapshot, ply: int) -> tuple[int, State]:
    """Return a position of a finished game, after so many actions or the last one, and which.

    Raises
    ------
    NotNow
        While the game lasts.
    """
    if not snapshot.open_to_all:
        raise NotNow("not-over", N_("A game can be stepped through when it is over.")).of(__name__)
    notations = snapshot.plies_notations
    ply = max(0, min(ply, len(notations) - 1))
    return ply, position(notations[ply])


def _said(
    scene: Scene, last: Sequence[Happening], voice: Voice, winners: tuple[int, ...] = ()
) -> Scene:
    """Return a scene whose prompt calls people by their names, as the log does."""
    told = voice.said(scene.told, last[-1].seat if last else None)
    asked = voice.said(scene.asked, winners[0] if len(winners) == 1 else None)
    return replace(scene, told=told, status=f"{told} {asked}".strip())


def _still(scene: Scene) -> Scene:
    """Return a scene in which nothing can be done."""
    return replace(scene, gestures=(), arrangement=None, steps_only=False)


def staged(line: int, scene: Scene) -> dict[str, Any] | None:
    """Return what a scene stages, as the page's module reads it, with its line of the log."""
    if scene.stage is None:
        return None
    cast = [one._asdict() for one in scene.stage.cast]
    return {"line": line, "on": scene.stage.on, "cast": cast}


def _newest_staged(told: Told, scene: Scene) -> str:
    """Return what is staged of the newest step, as JSON; empty where nothing is."""
    return json.dumps(staged(told.steps[-1][0], scene)) if told.steps and scene.stage else ""


def _as_step(line: int, scene: Scene) -> dict[str, Any]:
    """Return a scene as the page's module reads a step."""
    panels = {panel.id: panel.html for panel in scene.panels}
    return {
        "line": line,
        "stage": staged(line, scene),
        "hold": scene.hold,
        "svg": scene.svg,
        "status": scene.status,
        "panels": panels,
        "text": scene.text,
    }


def awaits_minds(snapshot: Snapshot, looked: Looked) -> bool:
    """Say whether anything at a table depends on minds: bots, hints, or a review that goes on."""
    bots = any(seat.kind == "bot" for seat in snapshot.seats)
    return looked.stage in OPEN or (bots and snapshot.status != "over")


def waking_of(snapshot: Snapshot, mind: Mind, language: str) -> dict[str, Any]:
    """Return what is said where somebody is to think for whom the code is not there yet."""
    if mind.stage == "ready":
        return {"waking": None, "adviser": None, "awaited": False}
    _ = translator(language, PACKAGE).gettext
    bots = [seat.bot for seat in snapshot.seats if seat.thinking]
    bot = bot_title(snapshot.game.kind, bots[0], language) if bots else ""
    return {
        "waking": _waking(bot, mind, language) if bot else None,
        "adviser": _waking(_("adviser"), mind, language),
        "awaited": snapshot.status != "over",
    }


def _waking(who: str, mind: Mind, language: str) -> Waking:
    _ = translator(language, PACKAGE).gettext
    if mind.stage == "failed":
        return Waking(_(CANNOT_WAKE).format(bot=who), None)
    if mind.behind:
        return Waking(_(WAKING_LATER).format(bot=who), mind.part)
    if mind.seconds is None:
        return Waking(_(WAKING).format(bot=who), mind.part)
    return Waking(_(WAKING_SECONDS).format(bot=who, n=mind.seconds), mind.part)


def can_act(snapshot: Snapshot, viewer: Viewer) -> bool:
    """Say whether the viewer is asked for an action now."""
    return viewer.seat is not None and viewer.seat in snapshot.acting


# --- What can be done ---


def gestures(scene: Scene, decision: int, language: str) -> dict[str, Any]:
    """Return the gestures of a scene as the page's module reads them."""
    listed: Sequence[Gesture] = scene.gestures
    partial = scene.steps_only or len(listed) > MOST_GESTURES
    shown = _first_steps(listed) if partial and not scene.steps_only else listed
    return {
        "decision": decision,
        "gestures": [as_json(gesture) for gesture in shown],
        "arrangement": _arrangement(scene.arrangement, language) if scene.arrangement else None,
        "partial": partial,
        **({"ahead": dict(scene.ahead)} if scene.ahead else {}),
        **({"together": _together(scene.together, language)} if scene.together else {}),
        **({"premoves": dict(scene.premoves)} if scene.premoves else {}),
    }


def _first_steps(listed: Sequence[Gesture]) -> list[Gesture]:
    """Return one gesture for each first step, cut after it; gestures of one step stay whole."""
    found: dict[Any, Gesture] = {}
    for gesture in listed:
        cut = replace(gesture, steps=gesture.steps[:1], action=-1)
        found.setdefault(gesture.steps[:1], gesture if len(gesture.steps) == 1 else cut)
    return list(found.values())


def as_json(gesture: Gesture) -> dict[str, Any]:
    """Return a gesture as the page's module reads it."""
    return {
        "a": gesture.action,
        "s": [_step(step.kind, step.elements, step.count) for step in gesture.steps],
        "l": gesture.label,
        "f": gesture.final,
        **({"p": True} if gesture.preview else {}),
        **({"u": gesture.puts} if gesture.puts else {}),
    }


def _step(kind: str, elements: tuple[str, ...], count: int) -> Any:
    if kind == "set":
        return {"set": list(elements)}
    if kind == "count":
        return {"one": elements[0], "count": count}
    return list(elements)


def _together(label: str, language: str) -> dict[str, str]:
    """Return the button for what goes as one, and what to do then."""
    _ = translator(language, PACKAGE).gettext
    hint = _(
        "Choose one after the other (on the keyboard with G), or draw a frame round them with the"
        " mouse. Then drag one, or choose its place: the others go the same way."
    )
    return {"label": label, "hint": hint}


def _arrangement(arrangement: Arrangement, language: str) -> dict[str, Any]:
    return {
        "slots": arrangement.slots,
        "kinds": [
            {
                "id": kind.id,
                "symbol": kind.symbol,
                "label": kind.label,
                "count": kind.count,
                "action": kind.action,
                "element": kind.element,
                "barred": kind.barred,
            }
            for kind in arrangement.kinds
        ],
        "empty": arrangement.empty,
        "presets": [
            {
                "id": preset.id,
                "label": preset.label,
                "layout": preset.layout,
                "heights": preset.heights,
                "placements": [one._asdict() for one in preset.placements],
            }
            for preset in arrangement.presets
        ],
        "mirror": arrangement.mirror,
        "offsets": arrangement.offsets,
        "spare": arrangement.spare,
        "piles": arrangement.piles,
        "words": _words_of_tray(language, piles=arrangement.piles),
    }


def _words_of_tray(language: str, *, piles: bool) -> dict[str, str]:
    """Return how the tray is used."""
    _ = translator(language, PACKAGE).gettext
    if not piles:
        hint = _(
            "Take a ready set-up, or choose a piece here and then its place. Choose two placed"
            " pieces to exchange them; drag works too."
        )
        return {"hint": hint}
    return {
        "hint": _(
            "A ready set-up lies at once when you choose its picture. To have it elsewhere, drag it"
            " there, or choose it again and then a place. Each click on a place puts one piece more"
            " there; when all are placed, a click picks a pile up for another place. Drag works"
            " too, and − and + then change how many go. What is dropped beside the board goes back."
        ),
        "sent": _("{from} → {to}: {n} of {most}"),
        "fewer": _("One fewer goes there"),
        "more": _("One more goes there"),
    }


def permissions(snapshot: Snapshot, viewer: Viewer) -> dict[str, Any]:
    """Return which buttons a viewer has."""
    seat = viewer.seat
    if seat is None:
        free = [
            number
            for number, info in enumerate(snapshot.seats)
            if info.kind == "open" and not info.reserved
        ]
        sit = free if snapshot.status == "waiting" and viewer.asked is None else []
        allowed = {"sit": sit, "come_back": viewer.away, "join": bool(sit) and viewer.guest}
        return dict.fromkeys(SEATED, False) | allowed | {"accept": viewer.asked is not None}
    playing = snapshot.status == "playing"
    asked = snapshot.must_answer(seat)
    return {
        "sit": [],
        "join": False,
        "accept": False,
        "take_back": snapshot.may_take_back(seat) or snapshot.may_ask_take_back(seat),
        "ask_take_back": snapshot.may_ask_take_back(seat),
        "set_up_anew": snapshot.sets_up_anew(seat),
        "answer_take_back": asked == "take-back",
        "resign": playing and not snapshot.goes_on_without(seat),
        "leave": playing and snapshot.goes_on_without(seat),
        "offer_draw": snapshot.may_offer_draw(seat),
        "answer_draw": asked == "draw",
        "abort": snapshot.may_abort(seat),
        "rematch": snapshot.status == "over"
        and snapshot.ending != "closed"
        and not snapshot.tournament_id,
        "hint": may_ask(snapshot, seat) and seat in snapshot.acting,
        "hurry": may_hurry(snapshot, seat),
        "come_back": False,
        "call_off": snapshot.may_call_off,
        **_may_of_waiting(snapshot, seat),
        "wait": snapshot.pace.kind == "none" and _awaits_people(snapshot, seat),
        "rest": playing and snapshot.pace.kind == "mail",
    }


@dataclass(frozen=True)
class FreeColour:
    """A seat, and a colour for it as `catalogue.Colour` has it; "": drawn."""

    seat: int
    name: str
    label: str
    army: str


def free_colours_of(snapshot: Snapshot, viewer: Viewer) -> list[FreeColour]:
    """Return the colours that a viewer can sit down with, or have instead of their own.

    None where nobody chooses one.
    """
    if snapshot.status != "waiting":
        return []
    game = snapshot.game
    known = colours_of(game.kind, viewer.language)
    return [
        FreeColour(seat, "", "", "")
        if colour is None
        else FreeColour(seat, *vars(known[colour]).values())
        for seat, colour in free_colours(game, snapshot.seats, viewer.seat)
    ]


def _may_of_waiting(snapshot: Snapshot, seat: int) -> dict[str, bool]:
    """Return what can be done at a table that waits for players."""
    waiting = snapshot.status == "waiting" and not snapshot.tournament_id
    others = any(i.kind == "person" for n, i in enumerate(snapshot.seats) if n != seat)
    kept = any(info.reserved for info in snapshot.seats)
    return {
        "leave_table": waiting and others,
        "close": waiting and not others,
        "fill": waiting and not kept,
    }


def _awaits_people(snapshot: Snapshot, seat: int) -> bool:
    """Say whether a seat waits for another person's decision."""
    return any(n != seat and snapshot.seats[n].kind == "person" for n in snapshot.acting)


@dataclass(frozen=True)
class StandingWords:
    """An answer that the viewer can give in advance, and whether he has."""

    name: str
    text: str
    on: bool
    about: str
    statements: tuple[str, ...]


def standing_of(snapshot: Snapshot, viewer: Viewer) -> list[StandingWords]:
    """Return the answers that a viewer can give in advance; those of others are not told."""
    if viewer.seat is None or snapshot.status != "playing" or not snapshot.playable:
        return []
    given, game = snapshot.standing(viewer.seat), snapshot.game
    _ = translator(viewer.language, package_of(game.kind)).gettext
    return [
        StandingWords(
            one.name,
            _(one.text),
            one.name in given,
            _(one.about) if one.about else "",
            one.statements,
        )
        for one in standing_answers(game)
    ]


def tournament_address(snapshot: Snapshot) -> str | None:
    """Return the address of the tournament of which a table is a game."""
    return f"/tournaments/{snapshot.tournament_id}" if snapshot.tournament_id else None


def links(snapshot: Snapshot, viewer: Viewer) -> dict[str, Any]:
    """Return the addresses that belong to a table."""
    table = f"{viewer.base}/t/{snapshot.id}"
    return {
        "table": table,
        "seat": f"{table}/seat/{viewer.key}" if viewer.key else None,
        "transcript": f"/t/{snapshot.id}/transcript",
        "next": f"/t/{snapshot.next_id}" if snapshot.next_id else None,
        "new": f"/new/{snapshot.game.name}",
        "tournament": tournament_address(snapshot),
        "here_only": urlsplit(viewer.base).hostname in HERE,
    }


# --- Words ---


def seats_of(snapshot: Snapshot, viewer: Viewer, plates: Sequence[Plate] = ()) -> list[SeatWords]:
    """Return the seats of a table as its page shows them."""
    game = snapshot.game
    names = called_by_now(game, plates, viewer.language)
    won, colours = snapshot.winners, game.kind.colours
    return [
        SeatWords(
            number=number,
            side=names[number],
            colour=colours.names[game.chosen[number]] if colours and number in game.chosen else "",
            name=_name_for(info, game, viewer, number),
            kind=info.kind,
            you=number == viewer.seat,
            acting=number in snapshot.acting,
            thinking=info.thinking,
            finished=info.finished,
            won=number in won,
            stand_in=info.stand_in and snapshot.status == "playing",
            kept_for=info.name if info.reserved and info.kind != "bot" else "",
            declined_by=info.name if info.kind == "open" and not info.reserved else "",
            clock=clock_of(snapshot, number, viewer.language),
        )
        for number, info in enumerate(snapshot.seats)
    ]


def _name_for(info: SeatInfo, game: Game, viewer: Viewer, number: int) -> str:
    """Return the name of whoever has a seat; nobody without a name is "somebody" to themselves."""
    nameless = number == viewer.seat and info.kind == "person" and not info.name
    return "" if nameless else name_of(info, game, viewer.language)


def clock_of(snapshot: Snapshot, seat: int, language: str) -> ClockWords | None:
    """Return the clock of a seat; None where there is none."""
    clock = snapshot.clocks[seat]
    if clock.left is None:
        return None
    return ClockWords(
        pace.left(clock.left, language), round(clock.left, 3), clock.falls, clock.away
    )


def voice_of(snapshot: Snapshot, viewer: Viewer) -> Voice:
    """Return in whose words a table's log is told: people are called by their names."""
    seats = enumerate(snapshot.seats)
    names = {number: info.name for number, info in seats if info.kind == "person"}
    game = snapshot.game
    people = names_of_people(names, game.seats)
    return Voice(game, viewer.language, people)


def name_of(info: SeatInfo, game: Game, language: str) -> str:
    """Return the name of whoever has a seat."""
    if info.kind == "bot":
        bot = bot_title(game.kind, info.bot, language)
        words = translator(language, PACKAGE).gettext(N_("{bot} for {name}"))
        return words.format(bot=bot, name=info.name) if info.name else bot
    if info.kind == "open":
        return ""
    return info.name or translator(language, PACKAGE).gettext("somebody")


def called(snapshot: Snapshot, viewer: Viewer, plates: Sequence[Plate] = ()) -> list[str]:
    """Return what each seat is called: people by their names, bots by their sides."""
    voice = voice_of(snapshot, viewer)
    sides = called_by_now(snapshot.game, plates, viewer.language)
    return [voice.name(seat) or side for seat, side in enumerate(sides)]


def absent_of(snapshot: Snapshot) -> list[str]:
    """Return who did not come to a game of a tournament, which was not played therefore."""
    unplayed = snapshot.ending == "closed" and snapshot.tournament_id
    return [info.name for info in snapshot.seats if info.reserved] if unplayed else []


def ending(snapshot: Snapshot, viewer: Viewer, status: str, plates: Sequence[Plate] = ()) -> str:
    """Return how a game has ended, as a sentence."""
    _ = translator(viewer.language, PACKAGE).gettext
    names = called(snapshot, viewer, plates)
    how, _space, who = snapshot.ending.partition(" ")
    if absent := absent_of(snapshot):
        return _(ABSENT).format(names=", ".join(absent))
    if how in YOURS and who and int(who) == viewer.seat:
        return _(YOURS[how])
    if how in ENDINGS:
        return _(ENDINGS[how]).format(side=names[int(who)] if who else "")
    if status:
        return status
    won = [names[seat] for seat in snapshot.winners]
    if not won:
        return _("The game is drawn.")
    return _("{sides}: won.").format(sides=", ".join(won))


def sprite_of(game: Game) -> Markup:
    """Return the symbols that the page of a game and its pictures use."""
    return Markup(getattr(game.kind.scene, "sprite", None) or sprite())  # noqa: S704  (our files)
