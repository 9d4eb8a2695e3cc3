"""Static files: read once, named by a digest of all of them, cached by browsers for a year.

The digest is a folder in the address (``/static/3f9c…/js/table.js``), so that relative
imports between modules stay within one version.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from tianxia.draw.languages import package_of
from tianxia.web.catalogue import kinds
from tianxia.web.security import ONE_YEAR

PLACES = (("tianxia.web", "static", ""),)
"""Package, its folder, and where its files appear under ``/static``."""
LOOSE = (("tianxia.draw", "theme.css", "css/theme.css"),)
"""Single files: package, name, and where it appears."""
WORTH_PACKING = 600
COMMENTS = {
    ".js": re.compile(rb"^[ ]*(?:(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)\n)?", re.MULTILINE | re.DOTALL),
    ".css": re.compile(
        rb"^[ ]*(?:/\*(?:(?!\*/).)*\*/\n)?|[ ]*/\*(?:(?!\*/).)*\*/", re.MULTILINE | re.DOTALL
    ),
}
"""What a browser has no use for: comments, in scripts those on lines of their own, and indents."""
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".LICENSE": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class File:
    """A file as it is sent."""

    content: bytes
    packed: bytes | None
    kind: str


def bare(content: bytes, name: str) -> bytes:
    """Return a script or a style sheet without what is for whoever reads it here."""
    comments = COMMENTS.get("." + name.rpartition(".")[2])
    return comments.sub(b"", content) if comments else content


def read(content: bytes, name: str) -> File:
    """Return a file, packed too where that makes it smaller."""
    suffix = "." + name.rpartition(".")[2]
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(content, 9, mtime=0) if len(content) > WORTH_PACKING else None
    if packed is not None and len(packed) > 0.9 * len(content):
        packed = None
    return File(content, packed, kind)


class Static:
    """All static files in memory."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        for package, folder, prefix in PLACES:
            self._add(files(import_module(package)) / folder, prefix)
        for package, name, place in LOOSE:
            source = files(import_module(package)) / name
            if source.is_file():
                self.files[place] = read(bare(source.read_bytes(), name), name)
        for kind in kinds():
            preview = files(import_module(package_of(kind))) / "preview.jpg"
            if preview.is_file():
                self.files[game_preview(kind.name)] = read(preview.read_bytes(), "preview.jpg")
            style = getattr(kind.scene, "style", "")
            if style:
                self.files[game_style(kind.name)] = read(
                    bare(style.encode(), "style.css"), "style.css"
                )
        total = hashlib.sha256()
        for name, file in sorted(self.files.items()):
            total.update(name.encode() + b"\0" + file.content)
        self.digest = total.hexdigest()[:12]

    def _add(self, folder: Traversable, prefix: str) -> None:
        if not folder.is_dir():
            return
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.is_dir():
                self._add(entry, f"{prefix}{entry.name}/")
            elif not entry.name.startswith("."):
                content = entry.read_bytes()
                if not prefix.startswith("vendor/"):  # whose licences stay with them
                    content = bare(content, entry.name)
                self.files[prefix + entry.name] = read(content, entry.name)

    def sheets(self, *games: str) -> list[str]:
        """Return the addresses of the style sheets of a page that shows these games."""
        wanted = ["css/theme.css", "css/site.css", "css/pages.css", *map(game_style, games)]
        return [self.url(name) for name in wanted if name in self.files]

    def url(self, name: str) -> str:
        """Return the address of a file; raise KeyError if there is none of that name."""
        if name not in self.files:
            raise KeyError(f"there is no static file {name!r}")
        return f"/static/{self.digest}/{name}"

    def respond(self, digest: str, name: str, request: Request) -> Response | None:
        """Return the answer to a request for a file, or None where there is no such file."""
        file = self.files.get(name)
        if file is None:
            return None
        tag = f'"{self.digest}"'
        # An address of another version gets what there is now, but may not keep it.
        lasting = f"public, max-age={ONE_YEAR}, immutable"
        caching = lasting if digest == self.digest else "no-cache"
        headers = {"cache-control": caching, "etag": tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        content = file.content
        if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
            content = file.packed
            headers["content-encoding"] = "gzip"
        return Response(content, headers=headers, media_type=file.kind)


def game_style(name: str) -> str:
    """Return the name under which the style sheet of a game's pictures is found."""
    return f"games/{name}.css"


def game_preview(name: str) -> str:
    """Return the name under which the picture is found that a link to a game shows."""
    return f"games/{name}.jpg"


@cache
def static() -> Static:
    """Return the static files, read the first time they are asked for."""
    return Static()
