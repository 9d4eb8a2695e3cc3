"""Templates, one environment for each language.

``python -m tianxia.web.templating`` compiles them all and keeps what comes of it on disk.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import os
import sys
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from gettext import NullTranslations
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, PackageLoader, StrictUndefined, nodes
from jinja2.bccache import Bucket
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from tianxia.draw.languages import LANGUAGES, NAMES, labelled, translator
from tianxia.draw.pictures import Quick
from tianxia.kernel import cache, mode
from tianxia.minds.processes import Process, end, end_with_input, start
from tianxia.web.heap import give_back
from tianxia.web.static import static

PACKAGE = "tianxia.web"


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


@functools.cache
def packed(language: str) -> dict[str, bytes]:
    """Return what is compiled in a language, packed to 0.3 MB, by Jinja's keys."""
    return {}


class Packed(BytecodeCache):
    """Lends compiled templates in a language to Jinja."""

    def __init__(self, language: str) -> None:
        self.packed = packed(language)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Unpack a template, if it is there."""
        if bucket.key in self.packed:
            bucket.bytecode_from_string(zlib.decompress(self.packed[bucket.key]))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Pack a template that was compiled here."""
        self.packed[bucket.key] = zlib.compress(bucket.bytecode_to_string())


class InOneLanguage(Quick):
    """Templates that are translated when they are compiled: drawing asks no catalogue."""

    words: NullTranslations = NullTranslations()

    def _parse(self, *source: Any) -> nodes.Template:
        parsed: nodes.Template = Translated(self.words).visit(super()._parse(*source))
        return parsed


@functools.cache
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
        bytecode_cache=Packed(language),
    )
    words = made.words = translator(language, PACKAGE)
    made.install_gettext_translations(words, newstyle=False)  # type: ignore[attr-defined]
    made.globals.update(
        static=static().url,
        labelled=functools.partial(labelled, language=language),
        language=language,
        languages=[(code, NAMES[code]) for code in LANGUAGES],
    )
    return made


def render(name: str, language: str, **context: Any) -> str:
    """Return a template of ``templates/`` filled in."""
    return environment(language).get_template(f"{name}.html.jinja").render(context)


KEPT = 4
"""Versions of this program whose compiled templates stay on disk."""


def kept() -> Path:
    """Return the file of compiled templates, named by a digest of all that they are made of.

    Where they lie is part of it: Jinja knows each by the name of its file.
    """
    total = hashlib.blake2b(sys.version.encode(), digest_size=12)
    total.update(metadata.version("jinja2").encode())
    for package in (PACKAGE, "tianxia.draw"):
        folder = Path(str(files(package)))
        total.update(str(folder).encode())
        for file in sorted(folder.rglob("*")):
            if file.suffix in {".py", ".jinja", ".po", ".mo"}:
                total.update(file.read_bytes())
    return cache.base() / "templates" / f"{total.hexdigest()}.jsonl"


def keep(lines: Iterable[str], path: Path) -> None:
    """Write compiled templates to disk, where that can be done; forget those of old versions."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        part.write_text("".join(lines), "ascii")
        part.replace(path)
        others = sorted(path.parent.glob("*.jsonl*"), key=lambda one: one.stat().st_mtime)
        for old in others[:-KEPT]:
            old.unlink()


def compiled() -> Iterator[str]:
    """Compile all templates: a line of JSON for each language."""
    for language in LANGUAGES:
        anew = environment.__wrapped__(language)  # it has loaded none yet
        for name in anew.list_templates():
            anew.get_template(name)
        codes = {key: base64.b64encode(code).decode() for key, code in packed(language).items()}
        yield json.dumps([language, codes]) + "\n"


class Ahead:
    """All templates are compiled, so that no page's first visitor waits for that.

    Where no earlier start has left them on disk, another process compiles them: here the
    compiler would leave some 7 MB behind, in pieces.
    """

    def __init__(self, *, awake: bool = True) -> None:
        self.process: Process | None = None
        self.reader = threading.Thread(target=self.read, name="tianxia-templates", daemon=True)
        if awake:
            self.kept = kept()
            if not self.kept.exists():
                rules = {mode.RULES: mode.INTERPRETED}
                self.process = start(__spec__.name, environment=rules, talks=True)
            self.reader.start()

    def lines(self) -> Iterable[str]:
        """Return the lines that were written, or those that come."""
        if self.process and self.process.stdout:
            return self.process.stdout
        return self.kept.read_text("ascii").splitlines()

    def read(self) -> None:
        """Take templates as they come, a line for each language."""
        with suppress(OSError, ValueError):  # closed, or not as they were written
            for line in self.lines():
                language, codes = json.loads(line)
                for key, code in codes.items():
                    packed(language).setdefault(key, base64.b64decode(code))
                environment(language)  # reads texts and pictures, for which nobody shall wait
            give_back()

    def close(self) -> None:
        """End the process, if it is still there."""
        if self.process:
            end([self.process])


def embedded(value: object) -> Markup:
    """Return JSON that can stand inside of a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704  (nothing in it can end the element)


if __name__ == "__main__":
    threading.Thread(target=end_with_input, daemon=True).start()
    lines = []
    for line in compiled():
        lines.append(line)
        sys.stdout.write(line)
    sys.stdout.flush()
    keep(lines, kept())
    os._exit(0)  # at a usual end Python would wait for its standard input
