"""A fragment in parts, so that only those that have changed travel.

Each part is an element with an id. The log is a part too, of which only new lines travel. What
is sent is made of two pieces of the same viewer and nothing else, so its number, size and time
tell no more than the pieces do.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tianxia.web.bits import bits

LOG = "<!--log-->"
"""Stands in the part of the log where its lines will be."""
UNNAMED = "@version@"
"""Stands in a piece where its own digest will be."""
BOARD = "play"
"""The part of which single elements travel, where no more has changed."""
ENDING = "</div>"
NAME = re.compile(r'id="([\w-]+)"')


@dataclass(frozen=True)
class Piece:
    """What a viewer sees of a table, and its digest.

    Attributes
    ----------
    root
        The tag that begins it; of what has no parts all of it.
    parts
        Its children in their order, by id.
    lines
        Those of the log, newest first.
    """

    version: str
    root: str
    parts: dict[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    @cached_property
    def html(self) -> str:
        """All of it, as a page shows it; seldom asked for, since parts travel."""
        if not self.parts:
            return self.root
        whole = "".join((self.root, *self.parts.values(), ENDING))
        return whole.replace(LOG, "".join(self.lines))

    def whole(self) -> dict[str, Any]:
        """Return all of it, as the page's module reads it."""
        return {"version": self.version, "html": self.html}

    def since(self, known: Piece | None) -> dict[str, Any]:
        """Return what has changed since a piece that the page has; all where there is none."""
        if known is None or list(known.parts) != list(self.parts) or not self.parts:
            return self.whole()
        changed = {name: html for name, html in self.parts.items() if known.parts[name] != html}
        single = bits(known.parts[BOARD], changed[BOARD]) if BOARD in changed else None
        if single:
            del changed[BOARD]
        message: dict[str, Any] = {
            "version": self.version,
            "known": known.version,
            "root": self.root + ENDING,
            "parts": {
                name: html.replace(LOG, "".join(self.lines)) for name, html in changed.items()
            },
        }
        if single:
            message["bits"] = single
        if self.lines != known.lines and not any(LOG in html for html in changed.values()):
            message["log"] = _runs(known.lines, self.lines)
        return message


def _runs(old: tuple[str, ...], new: tuple[str, ...]) -> list[str | list[int]]:
    """Return what new lines are made of: HTML, or from which and how many of the old ones."""
    known = {line: place for place, line in enumerate(old)}
    runs: list[str | list[int]] = []
    for line in new:
        place, last = known.get(line), runs[-1] if runs else None
        if isinstance(last, list) and place == sum(last):
            last[1] += 1
        elif place is not None:
            runs.append([place, 1])
        elif isinstance(last, str):
            runs[-1] = last + line
        else:
            runs.append(line)
    return runs


def in_parts(root: str, parts: Iterable[str], lines: tuple[str, ...] = ()) -> Piece:
    """Return a piece that names its own digest: its tag, its parts, the lines of its log."""
    named: dict[str, str] = {}
    made = hashlib.blake2b(root.encode(), digest_size=9)
    for part in parts:
        found = NAME.search(part)
        assert found is not None  # noqa: S101  (each part of ours has an id)
        named[found.group(1)] = part
        made.update(part.encode())
    made.update("\n".join(lines).encode())
    digest = made.hexdigest()
    return Piece(digest, root.replace(UNNAMED, digest), named, lines)
