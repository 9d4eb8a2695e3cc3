"""The games as pages show them: titles, options in words, rules, pictures, who can play."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from urllib.parse import quote, urlencode

from markupsafe import Markup

from tianxia.bots import bots, titles
from tianxia.bots.nets import PREFIX, placed
from tianxia.draw.languages import N_, labelled, package_of, translator
from tianxia.draw.own_boards import OwnBoards
from tianxia.draw.rulebook import Rulebook, RulebookError
from tianxia.draw.scene import Drawing, Plate
from tianxia.kernel import registry
from tianxia.kernel.colours import COLOURS
from tianxia.kernel.errors import OptionError
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.options import Option, Value
from tianxia.search.levels import LEVELS

LEVEL_WORDS = {
    "novice": N_("a child can beat it"),
    "apprentice": N_("makes many mistakes"),
    "journeyman": N_("makes mistakes now and then"),
    "expert": N_("makes few mistakes"),
    "master": N_("the best there is"),
}
"""What to expect of each level."""
USUAL_LEVEL = "journeyman"
FIRST_LEVEL = "apprentice"
"""Against which somebody plays who has never played a game here."""
PLAYERS = "players"
"""The option that says how many play."""
MOST_CHOICES = 12
"""Longer lists of numbers are a field to type in."""


@dataclass(frozen=True)
class Choice:
    """One value of an option: as it is sent, in words, and where its picture is, if it has one."""

    value: str
    label: str
    picture: str = ""


@dataclass(frozen=True)
class Colour:
    """A colour that a seat can have: as it is sent, in words, and the house's army for it."""

    name: str
    label: str
    army: str


@dataclass(frozen=True)
class OptionWords:
    """An option as a form shows it.

    Attributes
    ----------
    choices
        The values; empty where any number from `least` to `most` can be typed in.
    asked, example, own
        Where people can write a value of their own: what it is to be, such a text, and what it
        is called where it is not spelled out.
    seldom
        Whether few people change it.
    """

    name: str
    meaning: str
    choices: tuple[Choice, ...]
    usual: str
    least: int = 0
    most: int = 0
    asked: str = ""
    example: str = ""
    own: str = ""
    seldom: bool = False


def kinds() -> list[GameType]:
    """Return all games that are installed, sorted by name."""
    return [registry.kind(name) for name in registry.games()]


def drawn_kinds() -> list[GameType]:
    """Return the games that have pictures: only these are offered on the first page.

    Whoever knows the address can open a table of another one, with its board as text.
    """
    return [kind for kind in kinds() if kind.scene is not None]


@cache
def _owners() -> dict[str, str]:
    return {statement: kind.name for kind in kinds() for statement in kind.statements.values()}


def rule_link(statement: str) -> str | None:
    """Return where a statement stands in the rule pages, None if nowhere."""
    owner = _owners().get(statement)
    return f"/rules/{owner}#{statement}" if owner else None


def rules_address(game: Game) -> str:
    """Return where the rules of a game with its options stand."""
    statements = game.kind.statements.values()
    whole = all(game.kind.in_play(statement, game.options) for statement in statements)
    usual = game.spec == game.name
    query = "" if whole or usual else f"?{urlencode({'for': game.spec})}"
    return f"/rules/{game.name}{query}"


def rule_text(statement: str, language: str) -> str:
    """Return a statement of any game as plain text, "" if there is none of that id."""
    owner = _owners().get(statement)
    return registry.kind(owner).rulebook(statement, language) if owner else ""


def title_of(kind: GameType, language: str) -> str:
    """Return what a game is called."""
    return translator(language, package_of(kind)).gettext(kind.title)


def seat_names(game: Game, language: str) -> list[str]:
    """Return what the seats of a game are called."""
    return [side_name(game.kind, side, language) for side in game.colours[: game.seats]]


def called_by_now(game: Game, plates: Sequence[Plate], language: str) -> list[str]:
    """Return what seats are called by now: some games name them by what they have drawn."""
    names = seat_names(game, language)
    if not plates:
        return names
    return [plate.name or name for plate, name in zip(plates, names, strict=True)]


def side_name(kind: GameType, side: int, language: str) -> str:
    """Return what the seat of a number, or where seats choose of that colour, is called."""
    if side >= len(kind.seat_names):
        return str(side + 1)
    return translator(language, package_of(kind)).gettext(kind.seat_names[side])


def colours_of(kind: GameType, language: str) -> list[Colour]:
    """Return the colours that seats of a game can choose, in order; none where they cannot."""
    _ = translator(language, package_of(kind)).gettext
    if kind.colours is None:
        return []
    pairs = zip(kind.colours.names, kind.colours.labels, kind.armies, strict=True)
    return [Colour(name, _(label), army) for name, label, army in pairs]


def most_seats(kind: GameType) -> int:
    """Return the largest number of seats that a game can have."""
    players = next((option for option in kind.options if option.name == PLAYERS), None)
    return max(int(value) for value in players.values) if players else kind.seats


def bot_names(kind: GameType) -> list[str]:
    """Return the bots that play a game, the weakest first."""
    return list(bots(kind()))


def levels(kind: GameType) -> list[str]:
    """Return the levels that a game has, from the weakest to the strongest."""
    names = bot_names(kind)
    return [level for level in LEVELS if level in names]


def other_bots(kind: GameType) -> list[str]:
    """Return the bots of a game that are not levels, nets for any of its options among them."""
    names = [*bot_names(kind), *placed(kind.name)]
    return [name for name in dict.fromkeys(names) if name not in LEVELS]


def bot_title(kind: GameType, bot: str, language: str) -> str:
    """Return what a bot is called on pages."""
    return bot if bot.startswith(PREFIX) else capitalised(titles.title(kind, bot, language))


def capitalised(text: str) -> str:
    """Return a text with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]


def written(option: Option, value: Value, language: str, package: str) -> str:
    """Return the value of an option in words: its label, where it has one."""
    _, shared = translator(language, package).gettext, translator(language, "tianxia.web").gettext
    if value in option.labels:
        return _(option.labels[value])
    if option.text is not None and option.text.name and option.is_own(value):
        return _(option.text.name)
    if isinstance(value, bool):
        return shared("yes") if value else shared("no")
    if option.name == PLAYERS:
        return shared("{n} players").format(n=value)
    if option.label:
        return _(option.label).format(n=value)
    return _(value) if isinstance(value, str) else str(value)


def options_of(kind: GameType, language: str) -> list[OptionWords]:
    """Return the options of a game as a form shows them."""
    return [_option_words(kind, option, language) for option in kind.options]


def _option_words(kind: GameType, option: Option, language: str) -> OptionWords:
    package = package_of(kind)
    _ = translator(language, package).gettext
    meaning = capitalised(_(option.meaning or option.name))
    values: Sequence[Value] = option.values
    usual = sent(option.default)
    if isinstance(values, range) and len(values) > MOST_CHOICES:
        return OptionWords(
            option.name, meaning, (), usual, values[0], values[-1], seldom=option.seldom
        )
    choices = tuple(
        Choice(
            sent(value),
            capitalised(written(option, value, language, package)),
            picture_with(kind, option.name, value) if value in option.pictured else "",
        )
        for value in values
    )
    words = OptionWords(option.name, meaning, choices, usual, seldom=option.seldom)
    if option.text is None:
        return words
    asked, own = (capitalised(_(text)) for text in (option.text.asked, option.text.name))
    return replace(words, asked=asked, example=option.text.example, own=own)


def sent(value: Value) -> str:
    """Return a value as forms and programs send it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def options_in_words(game: Game, language: str) -> str:
    """Return the options that differ from the usual ones, in words; "" if none does."""
    package = package_of(game.kind)
    parts = []
    for option in game.kind.options:
        value = game.options[option.name]
        shown = option.name == COLOURS and game.kind.colours and not game.kind.colours.drawn
        if value == option.default or shown:  # the seats show their colours
            continue
        words = written(option, value, language, package)
        if isinstance(value, str) or option.labels or option.label or option.name == PLAYERS:
            parts.append(words)
        else:
            meaning = translator(language, package).gettext(option.meaning or option.name)
            parts.append(labelled(meaning, words, language))
    return " · ".join(parts)


def picture_with(kind: GameType, option: str, value: Value) -> str:
    """Return where the board of a new game with this value of an option is drawn."""
    return f"/pictures/{kind.name}/{option}/{quote(sent(value))}.svg"


def drawn_with(name: str, option: str, value: str) -> str | None:
    """Return the board of a new game with one option that is not the usual one, as SVG.

    None where boards do not show this value.
    """
    kind = registry.kind(name)
    own = OwnBoards.of(kind)
    wanted = next((one for one in kind.options if one.name == option), None)
    if wanted is None:
        return None
    if own is not None and own.option == option and value in own.here():
        return _drawn(kind, option, wanted.parse(value))
    found = [one for one in wanted.pictured if sent(one) == value]
    return _drawn(kind, option, found[0]) if found else None


@lru_cache(100)
def _drawn(kind: GameType, option: str, value: Value) -> str | None:
    drawing = Drawing.of(kind)
    return drawing.alone(_possible(kind, option, value).new()) if drawing else None


def _possible(kind: GameType, option: str, value: Value) -> Game:
    """Return a game with this value, for as many players as it is meant for."""
    players = next((one.values for one in kind.options if one.name == PLAYERS), ())
    for number in players:
        with suppress(OptionError):
            return kind(**{option: value, PLAYERS: number})
    return kind(**{option: value})


def rulebook_of(kind: GameType) -> Rulebook | None:
    """Return the rulebook of a game, None if it has none."""
    book = Rulebook(package_of(kind))
    try:
        book.markdown()
    except (RulebookError, ImportError):
        return None
    return book


def pitch_of(kind: GameType, language: str) -> str:
    """Return why to play a game, in one sentence."""
    return translator(language, package_of(kind)).gettext(kind.pitch) if kind.pitch else ""


@cache
def summary_of(name: str, language: str) -> str:
    """Return the first paragraph of a game's rulebook as plain text."""
    from tianxia.draw.rulebook import plain

    book = rulebook_of(registry.kind(name))
    if book is None:
        return ""
    parts = [part for part in book.markdown(language).split("\n\n") if not part.startswith("#")]
    return plain(parts[0]) if parts else ""


@cache
def picture_of(name: str) -> Markup:
    """Return the picture of a game as SVG; a plain seal where it has none of its own."""
    folder = files(import_module(package_of(registry.kind(name))))
    for place in (folder / "picture.svg", files("tianxia.web") / "static" / "seal.svg"):
        if place.is_file():
            return Markup(place.read_text(encoding="utf-8"))  # noqa: S704  (a file of ours)
    return Markup("")
