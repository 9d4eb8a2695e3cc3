"""Rulebooks: Markdown files beside a game's module, one for each language.

The rules are told in statements with ids, each one item of a list::

    - **STR-05** A piece moves one square
      along its row or its column.

`Rulebook` finds single statements ("why is this refused?") and whole files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType

from tianxia.draw.languages import unbroken
from tianxia.kernel.errors import TianxiaError

FALLBACK = "en"
FILE = re.compile(r"rulebook\.([a-z]{2,3}(?:_[A-Z]{2})?)\.md")
HEADING = re.compile(r"## +(.+?) *")
ITEM = re.compile(r"- \*\*([A-Z]{2,5}-[A-Z]?[0-9]+[a-z]?)\*\* +(.+)")
ITEM_START = re.compile(r"^- \*\*", re.MULTILINE)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
CODE = re.compile(r"(`+) ?(.+?) ?\1")
MARKS = re.compile(r"(?<!\\)(\*\*|__|\*|(?<!\w)_|_(?!\w))")
ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>-])")


class RulebookError(TianxiaError):
    """A rulebook that is missing, badly written, or not the same in all languages."""


@dataclass(frozen=True)
class Section:
    """What stands under one heading of the second level.

    Attributes
    ----------
    title
        The heading, as plain text.
    markdown
        All that follows, up to the next such heading.
    statements
        The ids of the statements in it, in order.
    """

    title: str
    markdown: str
    statements: tuple[str, ...]


@dataclass(frozen=True)
class _Book:
    """A rulebook in one language."""

    markdown: str
    sections: tuple[Section, ...]
    statements: MappingProxyType[str, str]


class Rulebook:
    """The rules of a game as texts, in the languages in which they are written.

    Parameters
    ----------
    package
        The package, by name, in whose folder the files ``rulebook.<language>.md`` are.

    Notes
    -----
    A language in which there is no file gets the English one.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    def __repr__(self) -> str:
        return f"Rulebook({self.package!r})"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which the rules are written, sorted."""
        return _languages(self.package)

    def text(self, statement: str, language: str = FALLBACK) -> str:
        """Return a statement as plain text on one line; "" if there is none of that id."""
        for book in (self._book(language), self._book(FALLBACK)):
            if statement in book.statements:
                return book.statements[statement]
        return ""

    def markdown(self, language: str = FALLBACK) -> str:
        """Return the whole rulebook."""
        return self._book(language).markdown

    def statements(self, language: str = FALLBACK) -> dict[str, str]:
        """Return all statements by id, in the order of the rulebook."""
        return dict(self._book(language).statements)

    def sections(self, language: str = FALLBACK) -> tuple[Section, ...]:
        """Return the rulebook heading by heading; what stands before the first is left out."""
        return self._book(language).sections

    def check(self) -> None:
        """Compare the languages with English.

        Raises
        ------
        RulebookError
            Where one has other sections, or in them other statements or another order.
        """
        ours = [section.statements for section in self.sections(FALLBACK)]
        for language in self.languages:
            theirs = [section.statements for section in self.sections(language)]
            if theirs == ours:
                continue
            odd = set(self.statements(language)) ^ set(self.statements(FALLBACK))
            what = (
                f"only one of them has {', '.join(sorted(odd))}"
                if odd
                else "the order or the headings differ"
            )
            raise RulebookError(
                f"the rulebooks of {self.package} in {FALLBACK} and {language} have "
                f"to have the same statements under the same headings: {what}"
            )

    def _book(self, language: str) -> _Book:
        return _read(self.package, language if language in self.languages else FALLBACK)


def forget() -> None:
    """Read all rulebooks again when they are next asked for (while writing one)."""
    _languages.cache_clear()
    _read.cache_clear()


def only(markdown: str, wanted: Callable[[str], bool]) -> str:
    """Return a rulebook without the statements that are not wanted.

    A section goes with the last of its statements.
    """
    parts = []
    for title, body in _split(markdown):
        left = _only(body, wanted)
        if left == body or ITEM_START.search(left):
            parts.append(f"## {title}\n{left}" if title else left)
    return "\n".join(parts)


def _only(body: str, wanted: Callable[[str], bool]) -> str:
    lines, out = [], False
    for line in body.split("\n"):
        match = ITEM.fullmatch(line)
        if match:
            out = not wanted(match[1])
        elif not (line.startswith("  ") and line.strip()):
            out = False
        if not out:
            lines.append(line)
    return "\n".join(lines)


def plain(markdown: str) -> str:
    """Return a paragraph of Markdown as plain text on one line."""
    text = LINK.sub(r"\1", markdown)
    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [_unmarked(text[end : code.start()]), code[2]]
        end = code.end()
    # Breaks and rows of ordinary spaces become one; no-break spaces stay what they are.
    return re.sub(r"[ \t\n]+", " ", "".join([*parts, _unmarked(text[end:])])).strip()


def _unmarked(text: str) -> str:
    return ESCAPED.sub(r"\1", MARKS.sub("", text))


@cache
def _languages(package: str) -> tuple[str, ...]:
    names = (FILE.fullmatch(file.name) for file in files(import_module(package)).iterdir())
    return tuple(sorted(name[1] for name in names if name))


@cache
def _read(package: str, language: str) -> _Book:
    name = f"rulebook.{language}.md"
    try:
        written = (files(import_module(package)) / name).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise RulebookError(f"{package} has no {name}") from error
    markdown = unbroken(written, language)
    statements: dict[str, str] = {}
    sections = []
    for title, body in _split(markdown):
        found = []
        for statement, text in _items(body):
            if statement in statements or not text:
                raise RulebookError(f"{name} of {package}: {statement} is empty or stands twice")
            statements[statement] = text
            found.append(statement)
        if title:
            sections.append(Section(plain(title), body.strip(), tuple(found)))
    return _Book(markdown, tuple(sections), MappingProxyType(statements))


def _split(markdown: str) -> Iterator[tuple[str, str]]:
    """Yield heading and text of every section; the first has no heading."""
    title, lines = "", list[str]()
    for line in markdown.splitlines():
        match = HEADING.fullmatch(line)
        if match:
            yield title, "\n".join(lines)
            title, lines = match[1], []
        else:
            lines.append(line)
    yield title, "\n".join(lines)


def _items(body: str) -> Iterator[tuple[str, str]]:
    """Yield the id and the plain text of every statement."""
    statement, lines = "", list[str]()
    for line in [*body.splitlines(), ""]:
        if statement and line.startswith("  ") and line.strip():
            lines.append(line.strip())
            continue
        if statement:
            yield statement, plain("\n".join(lines))
        match = ITEM.fullmatch(line)
        statement, lines = (match[1], [match[2]]) if match else ("", [])
