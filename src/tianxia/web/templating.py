"""Templates, one environment for each language."""

from __future__ import annotations

import json
import time
from functools import cache
from gettext import NullTranslations
from typing import Any

from jinja2 import PackageLoader, StrictUndefined, nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from tianxia.draw.languages import LANGUAGES, NAMES, translator
from tianxia.draw.pictures import Quick
from tianxia.web.static import static

PACKAGE = "tianxia.web"
BREATH = 0.01
"""Seconds between two templates that are compiled ahead."""


class Translated(NodeTransformer):
    """Puts translations in the place of messages whose text stands in the template."""

    def __init__(self, words: NullTranslations) -> None:
        self.words = words

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        """Translate a message."""
        match self.generic_visit(node):
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=str(text))]):
                return nodes.Const(self.words.gettext(text), lineno=node.lineno)
        return node


class InOneLanguage(Quick):
    """Templates that are translated when they are compiled: drawing asks no catalogue."""

    words: NullTranslations = NullTranslations()

    def _parse(self, *source: Any) -> nodes.Template:
        parsed: nodes.Template = Translated(self.words).visit(super()._parse(*source))
        return parsed


@cache
def environment(language: str) -> InOneLanguage:
    """Return the templates in a language; their messages are marked with ``_``."""
    made = InOneLanguage(
        loader=PackageLoader(PACKAGE, "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        auto_reload=False,
    )
    words = made.words = translator(language, PACKAGE)
    made.install_gettext_translations(words, newstyle=False)  # type: ignore[attr-defined]
    made.globals.update(
        static=static().url,
        language=language,
        languages=[(code, NAMES[code]) for code in LANGUAGES],
    )
    return made


def render(name: str, language: str, **context: Any) -> str:
    """Return a template of ``templates/`` filled in."""
    return environment(language).get_template(f"{name}.html.jinja").render(context)


def compile_ahead() -> None:
    """Compile all templates in every language, so that no page's first visitor waits for that."""
    for language in LANGUAGES:
        made = environment(language)
        for name in made.list_templates():
            made.get_template(name)
            time.sleep(BREATH)  # who asks for something meanwhile comes first


def embedded(value: object) -> Markup:
    """Return JSON that can stand inside of a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704  (nothing in it can end the element)
