"""Templates, one environment for each language."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tianxia.draw.languages import LANGUAGES, NAMES, translator
from tianxia.web.static import static

PACKAGE = "tianxia.web"


@cache
def environment(language: str) -> Environment:
    """Return the templates in a language; their messages are marked with ``_``."""
    made = Environment(
        loader=PackageLoader(PACKAGE, "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        auto_reload=False,
    )
    words = translator(language, PACKAGE)
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


def embedded(value: object) -> Markup:
    """Return JSON that can stand inside of a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704  (nothing in it can end the element)
