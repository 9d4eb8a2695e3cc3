"""Finding games by name: every installed package may bring some.

A package names its games in the entry-point group ``tianxia.games``; each entry is a
`GameType`. Ours are found in the same way.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache, lru_cache
from importlib import metadata

from tianxia.kernel.cache import GROUP
from tianxia.kernel.errors import NotationError, TianxiaError, UnknownGame
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.options import NAME, parse_spec
from tianxia.kernel.record import SPECTATOR_VIEW
from tianxia.kernel.state import State
from tianxia.kernel.transcript import Transcript

LONGEST_KEPT = 2000
"""A game whose description is longer, as with somebody's own map, is made each time."""
_extra: dict[str, GameType] = {}


@cache
def _points() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def register(kind: GameType) -> None:
    """Make a game known without installing a package (in a notebook or a test)."""
    if not NAME.fullmatch(kind.name):
        text = f"a game cannot have the name {kind.name!r}: small letters, digits, - and _"
        raise TianxiaError(text)
    if kind.name in _points() or _extra.get(kind.name, kind) is not kind:
        raise TianxiaError(f"there is a game called {kind.name!r} already: take another name")
    _extra[kind.name] = kind


def games() -> list[str]:
    """Return the names of all games that are installed, sorted."""
    return sorted({*_points(), *_extra})


@cache
def _load(name: str) -> GameType:
    try:
        kind = _points()[name].load()
    except Exception as error:  # whatever somebody's package does wrong
        text = f"the game {name!r} is installed but cannot be loaded: {error}"
        raise TianxiaError(text) from error
    if not isinstance(kind, GameType) or kind.name != name:
        raise TianxiaError(f"the entry point {name!r} of {GROUP} is not the game of that name")
    return kind


def kind(name: str) -> GameType:
    """Return a set of rules by its name; raise UnknownGame with the nearest names."""
    if name in _extra:
        return _extra[name]
    if name in _points():
        return _load(name)
    near = get_close_matches(str(name)[:60], games(), 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(games())}"
    raise UnknownGame(f"no game is called {name[:60]!r}; {hint}")


def game(spec: str | Game, **options: object) -> Game:
    """Return a game: ``game("stratego", variant="duel")`` or ``game("stratego(variant=duel)")``.

    One that is there already is returned as it is, or with other options.

    Raises
    ------
    UnknownGame, OptionError
        Naming the games, options or values that there are.
    """
    if isinstance(spec, Game):
        if not options:
            return spec
        spec = spec.spec
    name, given = parse_spec(spec)
    return kind(name)(**{**given, **options})


@lru_cache(maxsize=256)
def _made(kind: GameType, spec: str) -> Game:
    return kind(**parse_spec(spec)[1])


def known(spec: str) -> Game:
    """Return the game of a description that `Game.spec` gave; the last ones are kept."""
    if len(spec) > LONGEST_KEPT:
        return game(spec)
    return _made(kind(parse_spec(spec)[0]), spec)


def position(text: str) -> State:
    """Return the position that a one-line notation describes.

    Raises
    ------
    NotationError
        Saying which part cannot be read, and what is expected there.
    """
    if not isinstance(text, str):
        raise NotationError(f"a position is read from a text, not from {type(text).__name__}")
    spec, _, rest = text.strip().partition(" ")
    if spec.split() != [spec]:
        raise NotationError(f"{spec[:60]!r}: a game and its options are one word on one line")
    viewer, _, body = rest.partition(" ")
    found = known(spec)
    if viewer == "*":
        code = 0
    elif viewer == "-":
        code = SPECTATOR_VIEW
    elif viewer in map(str, range(found.seats)):
        code = int(viewer) + 1
    else:
        raise NotationError(
            f"after {found.spec} comes * for a full position, - for a spectator's "
            f"or the number of a seat, not {viewer[:20]!r}"
        )
    try:
        pool = found.read(body, code)
    except NotationError:
        raise
    except (ValueError, LookupError, OverflowError) as error:
        raise NotationError(f"this is not a position of {found.spec}: {error}") from error
    return State(found, pool)


def replay(text: str) -> State:
    """Play a transcript again, checking every action; return the last position."""
    return Transcript.read(text).replay()
