"""Languages: messages are English in the source, other languages are gettext catalogues.

A package keeps its translations in ``locale/<language>.po`` in its folder; they are
compiled in memory, so there are no ``.mo`` files. `tianxia.draw.messages` collects the
messages from the sources.

>>> translator("fr", "tianxia.games.stratego.face").gettext("no such message")
'no such message'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib import import_module
from importlib.resources import files
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

from tianxia.kernel.errors import N_, TianxiaError, Worded
from tianxia.kernel.game import GameType

SOURCE = "en"
"""The language of the messages in the source."""
LANGUAGES = ("en", "fr")
NAMES = {"en": "English", "fr": "Français"}
"""What each language calls itself."""
SHARED = "tianxia.draw"
"""The package whose translations every other package can use."""
KERNEL = "tianxia.kernel"
"""The package that says what is wrong with options, whatever the game."""

SPACED = {"fr": re.compile(r"(?<=\S) (?=[:;?!»](?!\S))|(?<=«) (?=\S)")}
"""The spaces beside a sign at which no line may end, for each language that has such."""
NO_BREAK = "\N{NO-BREAK SPACE}"

LONGEST_HEADER = 1000
MOST_KNOWN = 4096
"""Texts of each package that are kept as they are translated."""
WISH = re.compile(
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?"
)


class UnknownLanguage(TianxiaError, LookupError):
    """A language in which Tianxia does not speak."""


class CatalogError(TianxiaError, ValueError):
    """A file of translations that cannot be read."""


def package_of(kind: GameType) -> str:
    """Return the package of a game, where its translations and rulebook are."""
    return getattr(kind.words, "__package__", None) or SHARED


@cache
def translator(language: str, package: str = SHARED) -> NullTranslations:
    """Return the translations of a package, and of `tianxia.draw` where it has none.

    Parameters
    ----------
    language
        One of `LANGUAGES`.
    package
        The package, by name, in whose folder ``locale/<language>.po`` is. It need not
        be there: English needs none.

    Raises
    ------
    UnknownLanguage
        Naming the languages that there are.
    CatalogError
        Where the file is not a catalogue.
    """
    messages = catalog(language, package)
    for message in messages:
        message.string = _each(message.string, language)
    found = compiled(messages)
    if package != SHARED:
        found.add_fallback(translator(language, SHARED))
    # One picture asks for hundreds of texts, and most of them are found in the last place only.
    found.gettext = lru_cache(MOST_KNOWN)(found.gettext)  # type: ignore[method-assign]
    return found


def unbroken(text: str, language: str) -> str:
    r"""Return a text in which no line begins with a sign that has a space before it.

    >>> unbroken("Qui gagne ? Personne : nul.", "fr")
    'Qui gagne\xa0? Personne\xa0: nul.'
    """
    return SPACED[language].sub(NO_BREAK, text) if language in SPACED else text


def _each(texts: str | Sequence[str] | None, language: str) -> str | tuple[str, ...] | None:
    if texts is None or isinstance(texts, str):
        return texts and unbroken(texts, language)
    return tuple(unbroken(text, language) for text in texts)


def labelled(name: str, what: str, language: str) -> str:
    r"""Return a name with what belongs to it.

    >>> labelled("Wei", "empty", "en")
    'Wei: empty'
    >>> labelled("points", "", "fr")  # what belongs to it stands in another element
    'points\xa0: '
    """
    return translator(language).gettext(N_("{name}: {what}")).format(name=name, what=what)


def said(error: object, language: str, package: str = "") -> str:
    """Return the text of an error in a language, with all that is said inside of it."""
    if not isinstance(error, Worded):
        return str(error)
    home = error.package or package or KERNEL
    values = {name: said(value, language, home) for name, value in error.values.items()}
    text = translator(language, home).gettext(error.template)
    if text == error.template:
        text = translator(language, KERNEL).gettext(text)
    return text.format(**values) if values else text


def catalog(language: str, package: str = SHARED) -> Catalog:
    """Return what is in a package's own file of translations; empty if it has none."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise UnknownLanguage(f"{language!r} is not a language here; there are {known}")
    file = files(import_module(package)) / "locale" / f"{language}.po"
    if not file.is_file():
        return Catalog(locale=language)
    try:
        return read_po(BytesIO(file.read_bytes()), locale=language, abort_invalid=True)
    except (PoFileError, ValueError) as error:
        raise CatalogError(f"locale/{language}.po of {package}: {error}") from error


def compiled(messages: Catalog) -> NullTranslations:
    """Return a catalogue as translations; messages marked as fuzzy are left out."""
    file = BytesIO()
    write_mo(file, messages)
    file.seek(0)
    return GNUTranslations(file)


def best(accept_language: str | None) -> str:
    """Return the language that suits the header ``Accept-Language`` best.

    Of languages wished for equally the first one named is taken; where nothing suits,
    and for ``*``, English.
    """
    chosen, most = SOURCE, 0.0
    for part in (accept_language or "")[:LONGEST_HEADER].split(","):
        wish = WISH.fullmatch(part)
        if wish is None:
            continue
        language, quality = wish[1].lower(), float(wish[2] or 1)
        if language in LANGUAGES and quality > most:
            chosen, most = language, quality
    return chosen


__all__ = [
    "KERNEL",
    "LANGUAGES",
    "NAMES",
    "N_",
    "SHARED",
    "SOURCE",
    "WISH",
    "CatalogError",
    "UnknownLanguage",
    "best",
    "catalog",
    "compiled",
    "said",
    "translator",
]
