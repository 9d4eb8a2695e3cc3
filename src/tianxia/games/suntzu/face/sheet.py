"""The sheet at the end of a game: where every point came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tianxia.draw.languages import translator
from tianxia.draw.pictures import template
from tianxia.draw.scene import SceneRequest, Source
from tianxia.games.suntzu.face.words import PROVINCE_NAMES, SEAT_ARMIES, seat_name
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.state import CHOICE

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""


def score_sheet(state: State, language: str) -> str:
    """Return the sheet of a game as HTML; "" where a position does not tell its game."""
    columns, opening = _scorings(state)
    fields = state.fields
    if not columns and not opening and int(fields["turn"]) > 2:
        return ""  # a position that was looked up knows nothing of its past
    _ = translator(language, PACKAGE).gettext
    names = [seat_name(seat, language) for seat in range(2)]
    track = int(fields["track"])
    return template(PACKAGE, "sheet.html.jinja").render(
        provinces=PROVINCE_NAMES,
        columns=columns,
        names=names,
        armies=SEAT_ARMIES,
        opening=opening,
        track=track,
        leader=names[c.BLUE if track > 0 else c.RED] if track else "",
        reserves=[int(fields["reserve"][seat]) for seat in range(2)],
        level=track == 0,
        words={
            "round": _("Round {n}"),
            "province": _("Province"),
            "sum": _("Points in this round"),
            "pawn": _("The pawn after it"),
            "opening": _("S3 at the start: one step towards {side}."),
            "final": _("The silver pawn stands {n} towards {side}."),
            "level": _("The silver pawn stands in the middle; reserves: {a} and {b}."),
            "nobody": _("nobody"),
            "stopped": _("stopped at the end of the track"),
            "none": _("No round was scored."),
        },
    )


def sources(request: SceneRequest) -> tuple[Source, ...]:
    """Return how many points each side made in which round; the pawn goes by what is left over."""
    _ = translator(request.language, PACKAGE).gettext
    columns, opening = _scorings(request.view)
    first = (Source(_("S3 at the start"), (1, 0)),) if opening else ()
    rounds = (
        Source(_("Round {n}").format(n=column["turn"]), tuple(column["sums"])) for column in columns
    )
    return *first, *rounds


def _scorings(state: State) -> tuple[list[dict[str, Any]], bool]:
    """Return for each scoring who got what where; and whether S3 was played at the start."""
    past = state.start()
    columns, opening = [], False
    for seat, action in state.history():
        before = past.fields["track"] + 0
        if action == c.OPEN and past.fields["phase"] == CHOICE:
            past.apply(action, seat)
            opening = int(past.fields["track"]) > int(before)
            continue
        if action == c.PAWN:
            columns.append(_column(past))
        past.apply(action, seat)
        if action == c.PAWN:
            columns[-1]["pawn"] = int(past.fields["track"])
            gain = columns[-1]["sums"][0] - columns[-1]["sums"][1]
            columns[-1]["stopped"] = abs(int(before) + gain) > c.TRACK
    return columns, opening


def _column(state: State) -> dict[str, Any]:
    """Return one scoring, just before the pawn moves."""
    fields = state.fields
    turn = int(fields["turn"])
    cells = []
    for province in range(c.PROVINCES):
        value = int(c.STANDS[int(fields["stands"][province]) - 1, (turn - 1) // 3])
        owner = next((seat for seat in range(2) if fields["board"][seat][province]), -1)
        cells.append((owner, value if owner >= 0 else 0))
    return {"turn": turn, "cells": cells, "sums": [int(points) for points in fields["tally"]]}
