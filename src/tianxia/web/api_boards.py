"""Boards that people draw themselves, in the JSON API."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from tianxia.web.api import RESPONSES
from tianxia.web.api_account import Done
from tianxia.web.api_models import Got, Sent
from tianxia.web.boards import checked, keep, read, saved_board, saved_of
from tianxia.web.routing import Anybody, Here, Somebody, threaded

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
BoardId = Annotated[str, Path(max_length=64, examples=["Jx0fQ2mZr9sLkT4a"])]
Board = Annotated[
    dict[str, Any],
    Field(
        description="A board as its file holds it.",
        examples=[{"game": "binfa", "title": "Mine", "terrain": ["r6"], "whirlpools": []}],
    ),
]


class SentBoard(Sent):
    """A board, finished or not; `id` is the one of one's own that it takes the place of."""

    board: Board
    id: Annotated[str, Field(max_length=64)] = ""


class BoardFault(BaseModel):
    """What is wrong, in a sentence, and the elements of the picture that it is about."""

    text: str
    elements: list[str]


class BoardInfo(BaseModel):
    """A board, tidied up; once nothing is wrong, what a game on it is made with."""

    board: Board
    faults: list[BoardFault]
    options: dict[str, str | int | bool]
    play: str
    svg: str


class BoardLine(Got):
    """A board in one's own list; `changed` in seconds since 1970."""

    id: str
    game: str
    title: str
    changed: float


class BoardSaved(BaseModel):
    """The id of a board: `/boards/ID` opens it for everybody."""

    id: str


def _info(board: dict[str, Any], language: str) -> BoardInfo:
    return BoardInfo.model_validate(checked(*read(board, language), language))


@router.post("/boards/check")
@threaded
def check(app_state: Here, context: Anybody, wish: SentBoard) -> BoardInfo:
    """Say what is wrong with a board, and draw it; nothing is kept."""
    return _info(wish.board, context.language)


@router.get("/boards")
@threaded
def listed(app_state: Here, context: Somebody) -> list[BoardLine]:
    """List your own boards, the newest first."""
    mine = saved_of(app_state).of(context.who)
    return [
        BoardLine(id=one.id, game=one.game, title=one.title, changed=one.changed) for one in mine
    ]


@router.post("/boards", status_code=201)
@threaded
def save(app_state: Here, context: Somebody, wish: SentBoard) -> BoardSaved:
    """Keep a board in your own list, finished or not."""
    return BoardSaved(id=keep(app_state, context, wish.board, wish.id))


@router.get("/boards/{board_id}")
@threaded
def kept_board(app_state: Here, context: Anybody, board_id: BoardId) -> BoardInfo:
    """Show a saved board to whoever has its id."""
    return _info(json.loads(saved_board(app_state, board_id).data), context.language)


@router.delete("/boards/{board_id}")
@threaded
def remove(app_state: Here, context: Somebody, board_id: BoardId) -> Done:
    """Delete a board of your own."""
    saved_of(app_state).delete(context.who, board_id)
    return Done()
