"""What has happened at a table, told to each viewer as he has seen it.

A story follows the log of one table. It keeps the full position only to ask the rules what
a viewer may know of the next action; what it hands out is made of views and of what was
seen. An action that a viewer has not seen leaves no trace in what he is told.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from tianxia.draw.languages import N_, translator
from tianxia.draw.scene import Drawing, Happening
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State
from tianxia.tables import Entry
from tianxia.web.catalogue import seat_names
from tianxia.web.templating import PACKAGE

MOST_HAPPENINGS = 80
"""Kept to be shown step by step."""
NEWEST = 12
"""Of these, how many go into a picture."""
MOST_GLANCES = 16
MOST_TOLD_AT_ONCE = 5
"""Of more actions that a seat sends together the log tells the first, and how many they were."""
SAID = {
    "start": N_("The game begins."),
    "takeback": N_("{side} takes back."),
    "ask": N_("{side} asks to take back."),
    "allow": N_("{side} allows it."),
    "refuse": N_("{side} does not allow it."),
    "offer": N_("{side} offers a draw."),
    "agree": N_("{side} agrees to a draw."),
    "decline": N_("{side} declines the draw."),
    "resign": N_("{side} resigns."),
    "leave": N_("{side} leaves the game; a bot plays on."),
    "flag": N_("{side} has run out of time."),
    "flag-bot": N_("{side} has run out of time; a bot plays on."),
    "clocks": N_("Everybody has run out of time."),
    "claim": N_("{side} has been silent for too long."),
    "claim-bot": N_("{side} has been silent for too long; a bot plays on."),
    "return": N_("{side} is back and plays on."),
    "call-off": N_("{side} calls the game off."),
    "close": N_("The table was closed."),
    "holiday": N_("{side} goes on holiday; their clock stands still meanwhile."),
    "still": N_("The server was away; all clocks were stopped meanwhile."),
    "abort": N_("{side} wants to end the game without a result."),
    "rules": N_(
        "The rules have been corrected. All that has happened is legal under the new ones, too, "
        "and the game goes on under them."
    ),
}
BACK = N_("{side} is back from holiday.")
PLAIN = frozenset(("start", "offer", "agree", "decline", "resign", "leave", "abort"))
"""What can be told of a game whose rules are not installed."""


@dataclass(frozen=True)
class Line:
    """A line of the log.

    Attributes
    ----------
    number
        1, 2, … among the lines that this viewer is told.
    seat
        Who; None for chance and for the table.
    kind
        As in the table's log.
    ply
        Of a finished game: the position to which it led. None before, and of what was
        taken back.
    undone
        Whether it was taken back.
    weighty
        Whether it tells of something that nobody decides and everybody waits for, such as a
        province that is scored.
    touched
        The elements of the picture that it is about.
    """

    number: int
    seat: int | None
    text: str
    kind: str
    ply: int | None = None
    undone: bool = False
    weighty: bool = False
    touched: tuple[str, ...] = ()


@dataclass
class _Deed:
    """What one actor did at once, or one thing that was said; the entries that tell of it."""

    seat: int | None
    kind: str
    at: float
    first: int
    entries: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    undone: bool = False


@dataclass
class _Event:
    """Something that happened, and the position before it until the viewer's view is needed.

    A view costs more than all else that is told of an action, and of most events that are told
    at once, as when somebody opens a page, none is ever shown.
    """

    number: int
    seat: int
    known: int | None
    text: str
    before: State | None
    told: Happening | None = None

    def happening(self, viewer: int, glances: Glances) -> Happening:
        """Return it as a viewer has seen it."""
        if self.told is None:
            assert self.before is not None  # noqa: S101
            view = glances.view(self.before, viewer)
            self.told, self.before = Happening(self.seat, self.known, self.text, view), None
        return self.told


@dataclass
class Track:
    """What one viewer is told in one language.

    Lines stay the same objects as long as they do not change, so that what shows them can
    keep what it has made of them.
    """

    viewer: int
    language: str
    deeds: list[_Deed] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    tell: list[list[int]] = field(default_factory=list)  # of which entries each line tells
    events: list[_Event] = field(default_factory=list)
    seen: list[tuple[int, int, int]] = field(default_factory=list)  # entry, seat, action
    weighty: set[int] = field(default_factory=set)  # entries
    touched: dict[int, tuple[str, ...]] = field(default_factory=dict)  # elements, by entry
    ended: tuple[int, tuple[Line, ...]] = (-1, ())
    open: bool = False  # the latest deed is not written yet

    def add(self, seat: int | None, kind: str, at: float) -> _Deed:
        """Begin to tell of something new."""
        self.close()
        self.open = True
        self.deeds.append(_Deed(seat, kind, at, len(self.lines)))
        return self.deeds[-1]

    def close(self) -> None:
        """Write the latest deed, once all of it that there is has been told."""
        if self.open:
            self.open = False
            self.write(self.deeds[-1])

    def write(self, deed: _Deed) -> None:
        """Write the lines of the latest deed, or the same number of lines of an earlier one."""
        parts = _parts(deed, self.language)
        end = len(self.lines) if deed is self.deeds[-1] else deed.first + len(parts)
        self.lines[deed.first : end] = [
            Line(
                number,
                deed.seat,
                text,
                deed.kind,
                undone=deed.undone,
                weighty=not self.weighty.isdisjoint(entries),
                touched=self._touched(entries),
            )
            for number, (text, entries) in enumerate(parts, deed.first + 1)
        ]
        self.tell[deed.first : end] = [entries for _, entries in parts]

    def _touched(self, entries: Sequence[int]) -> tuple[str, ...]:
        """Return the elements that some entries are about, each once."""
        return tuple(dict.fromkeys(name for one in entries for name in self.touched.get(one, ())))

    def lines_since(self, first: int) -> dict[int, int]:
        """Return which line tells of each entry, from a first one on."""
        numbers: dict[int, int] = {}
        for line in range(len(self.tell), 0, -1):
            entries = self.tell[line - 1]
            numbers.update(dict.fromkeys(entries, line))
            if entries and entries[0] <= first:
                break
        return numbers

    def rewrite(self, deed: _Deed) -> None:
        """Write the lines of any deed anew, as many as they were."""
        parts = _parts(deed, self.language)
        for place, (text, _) in enumerate(parts, deed.first):
            self.lines[place] = replace(self.lines[place], text=text)


@dataclass(frozen=True)
class Told:
    """The log and the latest events, for one viewer in one language.

    Attributes
    ----------
    last
        The newest of what has happened since the viewer's own last decision.
    steps
        All of it, each with the number of the line that tells of it.
    past
        Who did what since the game began, as far as the viewer has seen it.
    """

    lines: tuple[Line, ...]
    last: tuple[Happening, ...]
    steps: tuple[tuple[int, Happening], ...] = ()
    past: tuple[tuple[int, int], ...] = ()


class Glances:
    """The newest views of a table. Safe to use from many threads.

    Each is asked for twice: when a position is shown, and when the next action is told from it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[bytes, int], State] = OrderedDict()

    def view(self, state: State, viewer: int) -> State:
        """Return what a viewer may know of a position; it is not to be changed."""
        key = (state.to_bytes(), viewer)
        with self._lock:
            found = self._kept.pop(key, None) or state.view(viewer)
            self._kept[key] = found
            if len(self._kept) > MOST_GLANCES:
                self._kept.popitem(last=False)
        return found


class Story:
    """The story of one table. Safe to use from many threads."""

    def __init__(self, game: Game) -> None:
        self.glances = Glances()
        self._game = game
        self._lock = threading.Lock()
        self._state = game.new()
        self._past: list[tuple[int, int, int]] = []  # number of the entry, seat, action
        self._entries: list[Entry] = []
        self._tracks: dict[tuple[int, str], Track] = {}

    def tell(
        self, entries: Sequence[Entry], viewer: int, language: str, *, over: bool = False
    ) -> Told:
        """Return what a viewer is told of a log.

        Parameters
        ----------
        entries
            The whole log. It may be longer than at the last call, or shorter where
            another thread was faster.
        over
            Whether the game is over, so that lines name positions.
        """
        with self._lock:
            if len(entries) < len(self._entries):
                return _alone(self._game, entries, viewer, language, over=over)
            track = self._tracks.get((viewer, language))
            if track is None:
                track = self._begin(viewer, language)
            for entry in entries[len(self._entries) :]:
                self._follow(entry, self._tracks.values())
            return self._handed_out(track, over=over)

    def _begin(self, viewer: int, language: str) -> Track:
        """Tell somebody new what has happened so far."""
        track = Track(viewer, language)
        past = self._entries
        self._state, self._past, self._entries = self._game.new(), [], []
        for entry in past:
            self._follow(entry, (track,))
        self._tracks[viewer, language] = track
        return track

    def _follow(self, entry: Entry, tracks: Iterable[Track]) -> None:
        self._entries.append(entry)
        if entry.action is not None and entry.seat is not None:
            self._past.append((entry.number, entry.seat, entry.action))
            before = self._state.clone()
            self._state.apply(entry.action, entry.seat)
            noticed = entry.seat == CHANCE or self._state.plies != before.plies
            for track in tracks:
                _tell_action(track, entry, before, self.glances, noticed=noticed)
            return
        if entry.undone:
            self._take_back(entry.undone)
        for track in tracks:
            _tell_other(self._game, track, entry)

    def _take_back(self, undone: Sequence[int]) -> None:
        gone = set(undone)
        self._past = [kept for kept in self._past if kept[0] not in gone]
        self._state = self._game.new()
        for _, seat, action in self._past:
            self._state.apply(action, seat)

    def _open(self, track: Track) -> None:
        """Tell what was told of the game once more, as it was in truth: nothing is hidden now."""
        state, told = self._game.new(), {}
        for number, seat, action in self._past:
            told[number] = state.describe(action, seat, None, track.language)
            state.apply(action, seat)
        unseen, since = self._unseen(track), dict[int | None, int]()
        for deed in track.deeds:
            if not deed.undone and deed.entries and set(deed.entries) <= told.keys():
                secret = _led_up(deed, unseen.get(deed.seat, ()), since.get(deed.seat, 0))
                since[deed.seat] = deed.entries[-1]
                deed.texts = [told[number] for number in (*secret, *deed.entries)]
                track.rewrite(deed)

    def _unseen(self, track: Track) -> dict[int | None, list[int]]:
        """Return by seat the actions of which a viewer was told nothing while they were secret."""
        known = {number for deed in track.deeds for number in deed.entries}
        found: dict[int | None, list[int]] = {}
        for number, seat, _ in self._past:
            if number not in known:
                found.setdefault(seat, []).append(number)
        return found

    def _handed_out(self, track: Track, *, over: bool) -> Told:
        track.close()
        if over and track.ended[0] != len(self._entries):
            plies = {number: ply for ply, (number, _, _) in enumerate(self._past, 1)}
            self._open(track)
            track.ended = len(self._entries), tuple(_with_plies(track, plies))
        lines = track.ended[1] if over else tuple(track.lines)
        numbers = track.lines_since(track.events[0].number) if track.events else {}
        steps = tuple(
            (numbers[event.number], event.happening(track.viewer, self.glances))
            for event in track.events
        )
        past = tuple((seat, action) for _, seat, action in track.seen)
        return Told(lines, tuple(happening for _, happening in steps[-NEWEST:]), steps, past)


def _led_up(deed: _Deed, unseen: Sequence[int], since: int) -> Sequence[int]:
    """Return what a seat did in secret until it was noticed, such as the rest of a set-up.

    Nothing where the line could not hold it: there are as many lines as there were.
    """
    before = [number for number in unseen if since < number < deed.entries[0]]
    return before if len(deed.entries) == 1 and len(before) >= MOST_TOLD_AT_ONCE else ()


def _alone(game: Game, entries: Sequence[Entry], viewer: int, language: str, *, over: bool) -> Told:
    """Tell a log that is older than the one followed."""
    return Story(game).tell(entries, viewer, language, over=over)


def _with_plies(track: Track, plies: Mapping[int, int]) -> Iterator[Line]:
    """Yield the lines of a finished game, each with the position to which it led."""
    for line, entries in zip(track.lines, track.tell, strict=True):
        ply = max((plies.get(number, 0) for number in entries), default=0)
        yield replace(line, ply=ply) if ply else line


def _parts(deed: _Deed, language: str) -> list[tuple[str, list[int]]]:
    """Return the lines that tell of a deed, each with its entries."""
    if len(deed.texts) == 1:
        return [(deed.texts[0], deed.entries)]
    if deed.seat is None or len(deed.texts) <= MOST_TOLD_AT_ONCE:
        pairs = zip(deed.texts, deed.entries, strict=True)
        return [(text, [number]) for text, number in pairs]
    rest = len(deed.texts) - 1
    words = translator(language, PACKAGE)
    text = words.ngettext("{first} … and {n} more.", "{first} … and {n} more.", rest)
    return [(text.format(first=deed.texts[0].rstrip("."), n=rest), deed.entries)]


def _tell_action(
    track: Track, entry: Entry, before: State, glances: Glances, *, noticed: bool
) -> None:
    """Tell an action; one that a viewer has neither seen nor noticed leaves no trace."""
    seat, action = entry.seat, entry.action
    assert seat is not None and action is not None  # noqa: PT018, S101
    known = before.seen(action, seat, track.viewer)
    if known is None and not noticed:
        return
    text = before.describe(action, seat, track.viewer, track.language)
    if seat == CHANCE and _is_weighty(before, action):
        track.weighty.add(entry.number)
    if known is not None:
        track.seen.append((entry.number, seat, known))
    if seat == track.viewer:
        track.events.clear()
    drawing = Drawing.of(before.game.kind)
    if drawing and known is not None:
        look = partial(glances.view, before, track.viewer)
        track.touched[entry.number] = drawing.touched(look, known)
    track.events.append(_Event(entry.number, seat, known, text, before))
    del track.events[:-MOST_HAPPENINGS]
    deed = track.deeds[-1] if track.deeds else None
    actor = None if seat == CHANCE else seat
    if deed is None or not deed.entries or (deed.seat, deed.at) != (actor, entry.at):
        deed = track.add(actor, entry.kind, entry.at)
    deed.entries.append(entry.number)
    deed.texts.append(text)
    track.open = True


def _is_weighty(state: State, action: int) -> bool:
    """Say whether the game wants a step of chance to be told by itself."""
    weighty = getattr(state.game.kind.words, "is_weighty", None)
    return bool(weighty and weighty(action))


def _tell_other(game: Game, track: Track, entry: Entry) -> None:
    """Tell what is not an action: offers, taking back, the end."""
    gone = set(entry.undone)
    if gone:
        track.close()
        touched = [deed for deed in track.deeds if gone.intersection(deed.entries)]
        if not touched:
            return  # it was secret, and so is taking it back
        for deed in touched:
            deed.undone = True
            track.write(deed)
        track.events = [event for event in track.events if event.number not in gone]
        track.seen = [one for one in track.seen if one[0] not in gone]
    if entry.kind not in SAID:
        return
    said = BACK if entry.kind == "holiday" and not entry.spent else SAID[entry.kind]
    text = translator(track.language, PACKAGE).gettext(said)
    if entry.kind == "abort" and entry.seat is None:
        return  # nobody sat there who could have wanted it
    if entry.seat is not None and entry.seat >= 0:
        text = text.format(side=seat_names(game, track.language)[entry.seat])
    deed = track.add(entry.seat, entry.kind, entry.at)
    deed.texts.append(text)
