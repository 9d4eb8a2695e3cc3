"""The fragment of a table's page: each part is drawn from facts of its own, and kept.

A part's template is given what is named here and nothing else (templates are strict), so where
these are what they were it looks as it did and is not drawn anew. All of them are what one
viewer is shown; what is kept for one is never looked at for another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from operator import itemgetter
from types import SimpleNamespace
from typing import Any

from tianxia.web.parts import Piece, in_parts
from tianxia.web.templating import render

LONG = 1000
ROOT = "root"
"""The tag around the parts, a template like theirs."""
FACTS = {
    ROOT: "table.id table.version table.wants_seed table.status table.viewer table.your_turn "
    "table.gallery table.plies table.ply table.steps table.stage",
    "status": "table.status table.your_turn table.ply table.result table.ending table.stuck "
    "scene.told scene.asked waking awaited links.next may.rematch",
    "welcome": "table.id table.title table.status table.viewer table.ply table.stuck table.rated "
    "table.aborting table.draw_offer table.take_back_ask table.pace seats guide "
    "may.sit may.join may.accept may.answer_draw may.answer_take_back may.come_back may.wait "
    "colours links.table links.here_only links.new links.tournament",
    "play": "scene.svg",
    "choice": "",
    "dock": "table.ply panels.dock standing",
    "tray": "",
    "go": "",
    "aside": "table.id table.viewer table.status table.ply table.plies table.led may.sit",
    "actions": "table.status table.ply table.plies table.stuck guide adviser "
    "links.next links.tournament links.transcript may.rematch may.hint may.hurry "
    "may.take_back may.ask_take_back may.set_up_anew may.offer_draw may.abort may.fill "
    "may.leave_table may.close may.call_off may.resign may.leave",
    "plates": "table.id table.status seats armies scene.plates waking",
    "log": "table.ply log",
    "details": "panels.side",
    "review": "table.id table.ply chances",
    "info": "table.id table.title table.options table.pace table.rated table.status table.viewer "
    "table.chance_hash table.chance_secret table.source scene.text links.table links.seat may.rest",
    "gestures": "gestures_json",
}
"""The parts in the order in which one reads, and the Tab key goes, and what each is drawn from."""
NAMES = {part: tuple(names.split()) for part, names in FACTS.items()}
PATHS = {name: name.split(".") for names in NAMES.values() for name in names}
MARKS = {part: itemgetter(*names) if names else tuple for part, names in NAMES.items()}
"""By part, what picks the marks of its facts out of those of all."""
Kept = dict[str, tuple[Any, str]]
"""By part, what it was drawn from last for a viewer, and how it looks."""


def fragment(
    facts: Mapping[str, Any], language: str, lines: tuple[str, ...], kept: Kept | None = None
) -> Piece:
    """Draw a fragment; of the parts that were kept only those whose facts have changed.

    Parameters
    ----------
    lines
        Of the log, as they are drawn.
    kept
        What was drawn for the same viewer; it is brought up to date.
    """
    kept = {} if kept is None else kept
    drawn: list[str] = []
    values = {name: _value(facts, path) for name, path in PATHS.items()}
    marks = {name: _mark(value) for name, value in values.items()}
    for part in FACTS:
        known, mark = kept.get(part), MARKS[part](marks)
        if known is None or known[0] != mark:
            given = _given(NAMES[part], values)
            known = kept[part] = mark, render(f"table/{part}", language, **given).strip()
        drawn.append(known[1])  # another thread may keep what it draws of another version meanwhile
    root, *parts = drawn
    return in_parts(root, parts, lines)


def _mark(value: Any) -> Any:
    """Return what tells a value from others: of a long text its digest, for it is in the part."""
    if isinstance(value, str) and len(value) > LONG:
        return hashlib.blake2b(value.encode(), digest_size=16).digest()
    return value


def _value(facts: Mapping[str, Any], path: Iterable[str]) -> Any:
    found: Any = facts
    for name in path:
        found = found[name] if isinstance(found, dict) else getattr(found, name)
    return found


def _given(names: Iterable[str], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts as a template reads them: those of one thing together."""
    given: dict[str, Any] = {}
    for name in names:
        first, *rest = PATHS[name]
        if rest:
            setattr(given.setdefault(first, SimpleNamespace()), rest[0], values[name])
        else:
            given[first] = values[name]
    return given
