"""Handing links on: codes for a camera, and what a link shows where it is sent."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tianxia.draw.languages import labelled, translator
from tianxia.draw.scene import Drawing
from tianxia.kernel.game import GameType
from tianxia.kernel.record import SPECTATOR
from tianxia.tables import Snapshot
from tianxia.web.bodies import LARGEST_NUMBER
from tianxia.web.catalogue import pitch_of, title_of
from tianxia.web.errors import Refusal
from tianxia.web.rendering import Viewer, draw, ending, links, past_position, seats_of
from tianxia.web.routing import Anybody, Here, threaded
from tianxia.web.static import game_preview, static
from tianxia.web.templating import PACKAGE

router = APIRouter(include_in_schema=False)
HOUSE_PREVIEW = "preview.jpg"
PICTURE_WIDTH = 1400
FILM_WIDTH = 720
MOST_FRAMES = 40
"""Of a film: what people look through, and what may be drawn in a second."""
FILMS = 16
"""How many films are kept."""
Ply = Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)]


@dataclass(frozen=True)
class Preview:
    """What a link to a page shows in a message: Open Graph's title, description and image."""

    title: str
    text: str
    image: str


def preview_of_game(kind: GameType, language: str) -> Preview:
    """Return what a link about a game shows."""
    return Preview(title_of(kind, language), pitch_of(kind, language), _image(kind))


def preview_of_table(snapshot: Snapshot, language: str) -> Preview:
    """Return what a link to a table shows: what every spectator may know, and little of it."""
    _ = translator(language, PACKAGE).gettext
    anybody = Viewer(None, language, "")
    seats = [
        labelled(seat.side, seat.name or _("free seat"), language)
        for seat in seats_of(snapshot, anybody)
    ]
    if snapshot.status == "waiting":
        how = _("A seat is free")
    elif snapshot.status == "over":
        how = ending(snapshot, anybody, "")
    else:
        how = _("being played")
    kind = snapshot.game.kind
    text = " · ".join([*seats, how])
    return Preview(title_of(kind, language), text, _image(kind))


def _image(kind: GameType) -> str:
    own = game_preview(kind.name)
    return own if own in static().files else HOUSE_PREVIEW


def code(address: str) -> bytes:
    """Return an address as a QR code: SVG, dark on light in every theme, for cameras."""
    import segno

    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        out, kind="svg", border=3, dark="#1f1b16", light="#ffffff", omitsize=True, xmldecl=False
    )
    return out.getvalue()


def picture(snapshot: Snapshot, language: str, ply: int | None) -> str | None:
    """Return a table as a spectator may see it, as SVG that stands alone.

    None where the game has no pictures.

    Raises
    ------
    NotNow
        Where a position of a game is asked that goes on.
    """
    from tianxia.draw.illustrations import as_file

    drawing = Drawing.of(snapshot.game.kind)
    if drawing is None or not snapshot.readable:
        return None
    view = snapshot.view(SPECTATOR) if ply is None else past_position(snapshot, ply)[1]
    scene = draw(snapshot.game, view, Viewer(None, language, ""), (), snapshot.id)
    return as_file(drawing, scene.svg, PICTURE_WIDTH)


@dataclass(frozen=True)
class Film:
    """A game as a picture that moves, as far as any spectator has seen it, and no further.

    What tells one film from another is what spectators know as well: so neither what it
    shows nor how soon it is there tells what somebody has done in secret.
    """

    table_id: str
    seen: int
    over: bool
    language: str
    strip: bool
    snapshot: Snapshot = field(compare=False, repr=False)

    @classmethod
    def of(cls, snapshot: Snapshot, language: str, *, strip: bool = False) -> Film:
        """Return the film of a table as it is now, or its pictures one below the other."""
        seen = len(snapshot.entries_seen(SPECTATOR))
        return cls(snapshot.id, seen, snapshot.open_to_all, language, strip, snapshot)


@lru_cache(FILMS)
def film(wanted: Film) -> str | None:
    """Return a film as SVG that stands alone; None where the game has no pictures."""
    from tianxia.draw.films import as_film, as_strip

    snapshot = wanted.snapshot
    drawing = Drawing.of(snapshot.game.kind)
    if drawing is None or not snapshot.readable:
        return None
    anybody = Viewer(None, wanted.language, "")
    views = snapshot.course_seen(SPECTATOR, MOST_FRAMES)
    drawn = [draw(snapshot.game, view, anybody, (), snapshot.id).svg for view in views]
    return (as_strip if wanted.strip else as_film)(drawing, drawn, FILM_WIDTH)


@router.get("/t/{table_id}/film.svg")
@threaded
def table_film(app_state: Here, context: Anybody, table_id: str, strip: bool = False) -> Response:
    """Draw how a game has gone, as anybody could see it: moving, or as a strip of pictures."""
    snapshot, _viewer = app_state.look(table_id, context)
    return drawing(film(Film.of(snapshot, context.language, strip=strip)))


@router.get("/t/{table_id}/picture.svg")
@threaded
def table_picture(app_state: Here, context: Anybody, table_id: str, ply: Ply = None) -> Response:
    """Draw a table as anybody may see it, to be made a file of."""
    snapshot, _viewer = app_state.look(table_id, context)
    return drawing(picture(snapshot, context.language, ply))


@router.get("/t/{table_id}/code/{which}.svg")
@threaded
def link_code(
    app_state: Here, context: Anybody, table_id: str, which: str, ply: Ply = None
) -> Response:
    """Draw the link to a table, to a position of it, or to the visitor's own seat."""
    snapshot, viewer = app_state.look(table_id, context)
    address = links(snapshot, viewer).get(which) if which in ("table", "seat") else None
    if address is not None and ply is not None and which == "table":
        address = f"{address}#ply-{ply}"
    return drawing(None if address is None else code(address))


def drawing(svg: str | bytes | None) -> Response:
    """Return a picture as it is now; refuse where there is none."""
    if svg is None:
        raise Refusal(404)
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "no-store"})
