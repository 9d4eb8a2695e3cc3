"""Rulebooks as pages: every statement can be linked to (``/rules/stratego#STR-08``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from markupsafe import Markup

from tianxia.draw.illustrations import illustrations
from tianxia.draw.languages import package_of
from tianxia.draw.rulebook import FALLBACK, Rulebook, only, plain
from tianxia.kernel import registry
from tianxia.kernel.game import GameType
from tianxia.web.catalogue import rulebook_of

if TYPE_CHECKING:
    from markdown_it.token import Token

ALIGNED = {"text-align:center": "is-centred", "text-align:right": "is-at-end"}
FIGURE = Markup(
    '<figure><img src="{address}" width="{width}" height="{height}" alt="{caption}" '
    'loading="lazy" decoding="async"><figcaption aria-hidden="true">{caption}</figcaption>'
    "</figure>\n"
)
"""A screen reader reads what is to be seen as the picture's own text, and once."""
Figures = Mapping[str, Sequence[str]]
"""By the heading of a chapter: its pictures as HTML."""
STATEMENT = re.compile(r"[A-Z]{2,5}-[A-Z]?[0-9]+[a-z]?")


@dataclass(frozen=True)
class RulesPage:
    """A rulebook as HTML, its headings with their anchors, and whether something is left out."""

    html: Markup
    contents: tuple[tuple[str, str], ...]
    partly: bool = False


def rules_page(spec: str, language: str, theme: str = "system") -> RulesPage | None:
    """Return the rules of a game, without what its options put out of play.

    None if it has no rulebook. A name alone stands for all of its rules. The pictures are for
    pages of the theme.

    Raises
    ------
    UnknownGame, OptionError
    """
    game = registry.game(spec)
    book = rulebook_of(game.kind)
    if book is None:
        return None
    if spec == game.name:
        return _page(game.kind, language, theme, None)
    ids = book.statements(language)
    out = frozenset(one for one in ids if not game.kind.in_play(one, game.options))
    return _page(game.kind, language, theme, out)


@lru_cache(200)
def _page(kind: GameType, language: str, theme: str, out: frozenset[str] | None) -> RulesPage:
    """Return a rulebook without some statements: options that leave out the same share it."""
    markdown = Rulebook(package_of(kind)).markdown(language)
    figures = _figures(kind, language, theme)
    if out is None:
        return page_of(markdown, figures)
    whole = only(markdown, lambda statement: True)
    part = only(markdown, lambda statement: statement not in out)
    return replace(page_of(part, figures), partly=part != whole)


@lru_cache(50)
def _figures(kind: GameType, language: str, theme: str) -> Figures:
    """Return the pictures of a rulebook, by its headings in a language."""
    book = Rulebook(package_of(kind))
    headings = zip(book.sections(FALLBACK), book.sections(language), strict=True)
    titles = {english.title: section.title for english, section in headings}
    found: dict[str, list[str]] = {}
    sizes = _sizes(package_of(kind))
    for picture in illustrations(package_of(kind)):
        width, height = sizes[picture.name]
        html = FIGURE.format(
            address=f"/rules/{kind.name}/{language}/{theme}/{picture.name}.svg",
            width=round(width),
            height=round(height),
            caption=picture.caption(language),
        )
        found.setdefault(titles[picture.chapter], []).append(html)
    return found


@lru_cache(50)
def _sizes(package: str) -> dict[str, tuple[float, float]]:
    """Return the sizes of a rulebook's pictures, by name: pages keep their places."""
    return {picture.name: picture.size() for picture in illustrations(package)}


@lru_cache(500)
def rules_picture(name: str, language: str, theme: str, picture: str) -> str | None:
    """Return a picture of a rulebook as SVG, None if there is none of that name.

    Raises
    ------
    UnknownGame
    """
    for one in illustrations(package_of(registry.kind(name))):
        if one.name == picture:
            return one.drawn(language, theme)
    return None


def page_of(markdown: str, figures: Figures = MappingProxyType({})) -> RulesPage:
    """Return a rulebook as a page: HTML in it stays text, links lead nowhere else."""
    from markdown_it import MarkdownIt  # where a page is asked for, since it takes memory
    from markdown_it.token import Token

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(markdown)
    contents: list[tuple[str, str]] = []
    hung: list[tuple[int, str]] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            title = plain(tokens[place + 1].content)
            anchor = f"s{len(contents) + 1}" if token.tag == "h2" else None
            if anchor:
                token.attrSet("id", anchor)
                contents.append((anchor, title))
                hung.append((place + 3, "".join(figures.get(title, ()))))
        elif token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide one is scrolled, by keys too
        elif token.type == "inline":
            _mark_statement(tokens, place)
        elif align := token.attrs.pop("style", None):  # of a cell: our policy forbids styles
            token.attrSet("class", ALIGNED.get(str(align), ""))
    for place, pictures in reversed(hung):
        tokens.insert(place, Token("html_block", "", 0, content=pictures))
    html = parser.renderer.render(tokens, parser.options, {})
    return RulesPage(Markup(html), tuple(contents))  # noqa: S704  (made here from our own text)


def _mark_statement(tokens: list[Token], place: int) -> None:
    """Give the item of a statement its id, and make the id a link to itself."""
    children = tokens[place].children or []
    item = next((t for t in reversed(tokens[:place]) if t.type != "paragraph_open"), None)
    begins = [child for child in children if child.type != "text" or child.content]
    if item is None or item.type != "list_item_open" or len(begins) < 3:
        return
    if begins[0].type != "strong_open" or not STATEMENT.fullmatch(begins[1].content):
        return
    statement = begins[1].content
    item.attrSet("id", statement)
    item.attrSet("class", "statement")
    from markdown_it.token import Token

    link = Token("link_open", "a", 1, attrs={"href": f"#{statement}"})
    end = Token("link_close", "a", -1)
    where = children.index(begins[1])
    tokens[place].children = [*children[:where], link, begins[1], end, *children[where + 1 :]]
