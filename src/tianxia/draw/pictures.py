"""Pictures: templates of SVG in a game's folder, and pictures that stand alone."""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from tianxia.draw.languages import labelled

PAGES = "/* --- Pages --- */"
"""In the theme's style sheet, pictures need only what stands before this line."""

HOUSE = "tianxia.draw"
STILL = "*{animation:none!important;transition:none!important}"
"""Nothing has just come into a picture that stands alone."""


def read(package: str, name: str) -> str:
    """Return a text file in a package's folder."""
    return (files(import_module(package)) / name).read_text(encoding="utf-8")


class Quick(Environment):
    """Templates that find what all of them share in a plain dict.

    Jinja looks it up in a chain of dicts, which costs more than small templates themselves.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what a template can use besides what it is given."""
        return {**self.globals, **(d or {})}


@lru_cache(5000)
def drawn_number(value: int, x: float, y: float, height: float) -> Markup:
    """Return a whole number in digits drawn as paths, centred on x and y: `number` of templates."""
    digits, size = str(value), height / 44
    left, top = round(x - (34 * len(digits) - 3) * size / 2, 1), round(y - height / 2, 1)
    drawn = "".join(
        f'<use href="#digit-{digit}"' + (f' x="{34 * place}"/>' if place else "/>")
        for place, digit in enumerate(digits)
    )
    place = f"translate({left} {top}) scale({round(size, 3)})"
    return Markup(f'<g class="digit" transform="{place}">{drawn}</g>')  # noqa: S704  (our own)


@lru_cache(5000)
def drawn_count(value: int, x: float, y: float, radius: float = 17) -> Markup:
    """Return a small badge with a number, its middle at x and y: `count` of templates."""
    number = drawn_number(value, x, y, radius if value < 10 else radius * 0.85)
    circle = f'<circle cx="{x}" cy="{y}" r="{radius}"/>'
    return Markup(f'<g class="count">{circle}{number}</g>')  # noqa: S704  (our own)


ENVIRONMENT = Quick(
    # Templates of games can import the house's macros: {% from "cards.svg.jinja" import count %}
    loader=FunctionLoader(lambda name: read(HOUSE, name)),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
ENVIRONMENT.globals.update(drawn_number=drawn_number, drawn_count=drawn_count, labelled=labelled)


@cache
def template(package: str, name: str) -> Template:
    """Return a template in a package's folder, compiled once; what it is given is escaped."""
    return ENVIRONMENT.from_string(read(package, name))


@cache
def theme() -> str:
    """Return the part of the theme that pictures need, told to keep to the picture."""
    return read(HOUSE, "theme.css").partition(PAGES)[0].replace(":root", ".picture")


@cache
def house_symbols() -> str:
    """Return the symbols that every game's pictures, and pages, can use."""
    return template(HOUSE, "symbols.svg.jinja").render()


def sprite(symbols: str = "") -> str:
    """Return symbols to be put once into the body of a page, where they take no room.

    Those of the house stand before those of a game.
    """
    defs = f"<defs>{house_symbols()}{symbols}</defs>"
    return f'<svg class="sprite" width="0" height="0" aria-hidden="true">{defs}</svg>'


def alone(svg: str, symbols: str, style: str) -> str:
    """Return a picture with all that it needs inside, for notebooks and files."""
    start, sign, rest = svg.partition(">")
    sheet = f"{theme()}{style}{STILL}".replace("&", "&amp;").replace("<", "&lt;")
    return f"{start}{sign}<style>{sheet}</style><defs>{house_symbols()}{symbols}</defs>{rest}"
