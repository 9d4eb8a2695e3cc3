"""Boards that people draw themselves: the editor, one's own list, and links to boards."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.draw.languages import N_, said
from tianxia.draw.own_boards import LONGEST_TITLE, NoBoard, OwnBoard, OwnBoards
from tianxia.kernel import registry
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Value
from tianxia.tables.boards import SavedBoard, SavedBoards, UnknownBoard
from tianxia.tables.people import clean, digest
from tianxia.web import catalogue
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.errors import Refusal
from tianxia.web.rendering import sprite_of
from tianxia.web.request_context import RequestContext, current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, drawing, threaded
from tianxia.web.sharing import preview_of_game
from tianxia.web.templating import embedded

router = APIRouter(include_in_schema=False)
BOARD_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
OFFERED = 8
"""Boards of one's own that the form of a new table shows."""
NOT_DRAWN = N_("Boards of this game cannot be drawn.")


def saved_of(app_state: AppState) -> SavedBoards:
    """Return the boards that are kept here."""
    return SavedBoards(app_state.tables.store)


# --- What was sent, and what it is ---


def maker_of(game: str) -> tuple[GameType, OwnBoards]:
    """Return a game and how its boards are drawn."""
    kind = registry.kind(game)
    found = OwnBoards.of(kind)
    if found is None:
        raise Refusal(404, "no-own-boards", NOT_DRAWN)
    return kind, found


def read(board: Mapping[str, Any], language: str) -> tuple[GameType, OwnBoards, OwnBoard]:
    """Return what somebody has sent as a board.

    Raises
    ------
    Refusal
        With the one sentence that says why it is none.
    """
    kind, maker = maker_of(str(board.get("game", ""))[:60])
    title = board.get("title", "")
    named = {**board, "title": clean(title, LONGEST_TITLE) if isinstance(title, str) else ""}
    try:
        return kind, maker, maker.read(named, kind.name)
    except NoBoard as error:
        raise Refusal(422, "no-board", "{why}", why=said(error, language)) from error


def address_of(kind: GameType, options: Mapping[str, Value]) -> str:
    """Return the form of a new table on a board; "" for an unfinished one."""
    if not options:
        return ""
    named = {f"option-{name}": catalogue.sent(value) for name, value in options.items()}
    return f"/new/{kind.name}?{urlencode(named)}"


def checked(kind: GameType, maker: OwnBoards, board: OwnBoard, language: str) -> dict[str, Any]:
    """Return a board as the editor and programs are told of it."""
    told = maker.told(board, language)
    return {
        "board": dict(board.data),
        "faults": [{"text": text, "elements": list(elements)} for text, elements in told],
        "options": dict(board.options),
        "play": address_of(kind, board.options),
        "svg": maker.picture(board, language),
    }


def keep(app_state: AppState, context: RequestContext, sent: Mapping[str, Any], own: str) -> str:
    """Keep a board that somebody has sent; return its id. `own`: in the place of that one."""
    if not own:
        app_state.check_room(context)
    kind, _, board = read(sent, context.language)
    data, title = json.dumps(board.data, ensure_ascii=False), str(board.data["title"])
    now, person = app_state.tables.clock(), context.who
    return saved_of(app_state).save(person, kind.name, title, data, now, own)


def saved_board(app_state: AppState, board_id: str) -> SavedBoard:
    """Return a saved board.

    Raises
    ------
    UnknownBoard
    """
    if not BOARD_ID.fullmatch(board_id):
        raise UnknownBoard
    return saved_of(app_state).get(board_id)


@dataclass(frozen=True)
class Shown:
    """A saved board in a list."""

    id: str
    title: str
    game: str
    picture: str
    play: str
    value: str


def shown(saved: SavedBoard, language: str) -> Shown | None:
    """Return a saved board as lists show it; None where its game is not here any more."""
    try:
        kind, maker, board = read(json.loads(saved.data), language)
    except (Refusal, LookupError):
        return None
    picture = f"/boards/{saved.id}/picture.svg?{saved.changed:.3f}"
    play = address_of(kind, board.options)
    value = str(board.options.get(maker.option, ""))
    title = catalogue.title_of(kind, language)
    return Shown(saved.id, saved.title, title, picture, play, value)


def offered(app_state: AppState, person: str, kind: GameType, language: str) -> list[Shown]:
    """Return the boards that a game can be played on: a person's own, and those of the server."""
    maker = OwnBoards.of(kind)
    if maker is None:
        return []
    mine = saved_of(app_state).of(person) if person else []
    mine = [one for one in mine if one.game == kind.name]
    found = [shown(one, language) for one in mine[:OFFERED]]
    return [
        *(one for one in found if one is not None and one.play),
        *(
            Shown("", title or name, "", catalogue.picture_with(kind, maker.option, name), "", name)
            for name, title in maker.here().items()
        ),
    ]


# --- Pages ---


@router.get("/boards")
@threaded
def boards(request: Request, app_state: Here, context: Anybody) -> Response:
    """List one's own boards."""
    mine = saved_of(app_state).of(app_state.person(context))
    listed = [one for one in (shown(saved, context.language) for saved in mine) if one]
    games = [
        (kind.name, catalogue.title_of(kind, context.language))
        for kind in catalogue.kinds()
        if OwnBoards.of(kind) is not None
    ]
    return app_state.page("boards", request, mine=listed, games=games)


@router.get("/boards/new/{game}")
@threaded
def new(request: Request, app_state: Here, context: Anybody, game: str) -> Response:
    """Open the editor with an empty board."""
    _, maker = maker_of(game)
    return _editor(request, maker.starts(context.language)[0][1], None)


@router.get("/boards/{board_id}")
@threaded
def one(request: Request, app_state: Here, board_id: str) -> Response:
    """Open the editor with a saved board: one's own, or a copy of somebody else's."""
    saved = saved_board(app_state, board_id)
    return _editor(request, json.loads(saved.data), saved)


def _editor(request: Request, data: Mapping[str, Any], saved: SavedBoard | None) -> Response:
    app_state, context = app_state_of(request), current(request)
    person, language = app_state.person(context), context.language
    kind, maker, board = read(data, language)
    own = saved is not None and saved.person == digest(person)
    told = checked(kind, maker, board, language)
    svg = told.pop("svg")
    state = {
        "id": saved.id if saved is not None and own else "",
        "tools": maker.tools(language),
        "starts": [{"label": label, "board": start} for label, start in maker.starts(language)],
        "checked": told,
    }
    return app_state.page(
        "draw",
        request,
        boards=(kind.name,),
        sprite=sprite_of(kind()),
        game=kind.name,
        title=catalogue.title_of(kind, language),
        preview=preview_of_game(kind, language),
        tool=maker.tool,
        svg=svg,
        state=embedded(state),
        copied=saved is not None and not own,
        longest=LONGEST_TITLE,
    )


@router.get("/boards/{board_id}/file")
@threaded
def file(app_state: Here, board_id: str) -> Response:
    """Send a saved board as a file."""
    saved = saved_board(app_state, board_id)
    text = json.dumps(json.loads(saved.data), indent=1, ensure_ascii=False)
    headers = {"content-disposition": f'attachment; filename="{saved.game}-board.json"'}
    return Response(text, media_type="application/json", headers=headers)


@router.get("/boards/{board_id}/picture.svg")
@threaded
def picture(app_state: Here, board_id: str) -> Response:
    """Draw a saved board."""
    return drawing(_alone(saved_board(app_state, board_id).data))


@lru_cache(100)
def _alone(data: str) -> str:
    kind, maker, board = read(json.loads(data), "en")
    return maker.alone(kind, board, "en")


@router.post("/boards/{board_id}/delete")
@threaded
def delete(app_state: Here, context: Anybody, board_id: str, _: Body) -> Response:
    """Delete a board of your own."""
    saved_of(app_state).delete(app_state.person(context), board_id[:64])
    return RedirectResponse("/boards", SEE_OTHER)
