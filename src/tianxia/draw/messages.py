"""Collect the messages of a package for translators.

::

    python -m tianxia.draw.messages                  # all packages of Tianxia that have messages
    python -m tianxia.draw.messages somebodys.game   # these packages only

reads the ``.py`` and ``.jinja`` files in a package's folder and brings ``locale/<language>.po``
there up to date for every language: new messages are added with an empty translation,
translations of messages that are gone are dropped, and all others stay as they are. The docstrings
of the API's routes are messages, too: a page lists them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.pofile import write_po

import tianxia
from tianxia.draw.languages import LANGUAGES, SHARED, SOURCE, catalog

FORMATS = [("**.py", f"{__spec__.name}:source"), ("**.jinja", "jinja2")]
OPTIONS = {"**.jinja": {"silent": "false", "trimmed": "true"}}
FACE = "face"
"""The room of a game that keeps its translations."""
API = "/api/v"
"""Begins the paths of the routes whose docstrings are messages."""
COMMENT = "Translators:"
"""Comments that begin with this are handed on to translators."""
HEADER = """\
# Translations of Tianxia: PROJECT.
# `python -m tianxia.draw.messages` brings this file up to date."""


def folder(package: str) -> Path:
    """Return the folder of a package."""
    path = import_module(package).__file__
    if path is None:
        raise ValueError(f"{package} is not an ordinary package: it has no __init__.py")
    return Path(path).parent


def sources(package: str) -> Path:
    """Return the folder whose texts a package translates: of a face, the whole game's."""
    return folder(package.removesuffix(f".{FACE}"))


def packages() -> Iterator[str]:
    """Yield the packages of Tianxia that keep their own translations.

    These are its floors, and of each game what people see of it.
    """
    root = Path(tianxia.__file__).parent
    for found in sorted(root.glob("*/__init__.py")):
        if found.parent.name != "games":
            yield f"tianxia.{found.parent.name}"
    for found in sorted(root.glob("games/*/__init__.py")):
        yield f"tianxia.games.{found.parent.name}.{FACE}"


def source(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """Yield the messages of a Python file; arguments and results are as Babel has them."""
    yield from extract_python(file, keywords, comment_tags, options)
    file.seek(0)
    for line, text in _of_routes(ast.parse(file.read())):
        yield line, "_", text, []


def _of_routes(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of the API's routes, each on one line."""
    prefixes: dict[str, str] = {}
    for found in module.body:
        match found:
            case ast.Assign(targets=[ast.Name(id=router)], value=ast.Call(keywords=named)):
                prefixes[router] = "".join(
                    str(one.value.value)
                    for one in named
                    if one.arg == "prefix" and isinstance(one.value, ast.Constant)
                )
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if any(_path(one, prefixes).startswith(API) for one in found.decorator_list):
                    yield found.lineno, " ".join((ast.get_docstring(found) or "").split())


def _path(decorator: ast.expr, prefixes: Mapping[str, str]) -> str:
    """Return the path of a route; "" for a decorator that makes none."""
    match decorator:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=router)), args=[ast.Constant(value=str(path)), *_]
        ):
            return f"{prefixes.get(router, '')}{path}"
    return ""


def extract(package: str) -> Catalog:
    """Return the messages in a package's sources, with the files in which they stand."""
    messages = Catalog(project=package, header_comment=HEADER, charset="utf-8")
    found = extract_from_dir(sources(package), FORMATS, OPTIONS, comment_tags=(COMMENT,))
    for file, line, message, comments, context in sorted(found, key=lambda entry: entry[:2]):
        name = Path(file).as_posix()
        messages.add(message, None, [(name, line)], auto_comments=comments, context=context)
    return messages


def update(package: str, language: str) -> bool:
    """Bring a package's file of translations up to date; say whether it has changed."""
    wanted = extract(package)
    file = folder(package) / "locale" / f"{language}.po"
    if not file.exists() and not len(wanted) and package != SHARED:
        return False
    translations = catalog(language, package)
    translations.update(wanted, no_fuzzy_matching=True, update_creation_date=False)
    translations.header_comment = HEADER.replace("PROJECT", package)
    translations.fuzzy = False
    before = file.read_bytes() if file.exists() else b""
    after = _as_bytes(translations)
    if before == after:
        return False
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(after)
    return True


def _as_bytes(translations: Catalog) -> bytes:
    """Write a catalogue: short headers, and no line numbers, which would change all the time."""
    out = BytesIO()
    write_po(
        out, translations, width=100, ignore_obsolete=True, include_lineno=False, omit_header=True
    )
    plurals = translations.plural_forms
    head = [
        translations.header_comment,
        'msgid ""',
        'msgstr ""',
        f'"Language: {translations.locale_identifier}\\n"',
        '"MIME-Version: 1.0\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
        f'"Plural-Forms: {plurals}\\n"',
    ]
    body = out.getvalue().decode().strip()
    return "\n".join([*head, *(["", body] if body else []), ""]).encode()


def main(arguments: Sequence[str]) -> int:
    """Update the files of the packages named, or of all."""
    for package in arguments or packages():
        for language in LANGUAGES:
            if language != SOURCE and update(package, language):
                sys.stdout.write(f"{folder(package) / 'locale' / language}.po\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
