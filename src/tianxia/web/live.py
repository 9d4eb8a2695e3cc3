"""The WebSocket of an open table: pushes a viewer's piece when it has changed, and only then."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from tianxia.tables import Subscription
from tianxia.web.errors import Refusal
from tianxia.web.house import House, house_of
from tianxia.web.visit import Visit, current

router = APIRouter()
BEAT_SECONDS = 20.0
LARGEST_FRAME = 4096
POLICY = 1008
TOO_BIG = 1009
GONE = 1001


class FrameRefused(Exception):
    """A frame that is not taken; the connection ends with this code."""

    def __init__(self, close: int, code: str) -> None:
        super().__init__(code)
        self.close = close
        self.code = code


@router.websocket("/t/{table_id}/live")
async def live(socket: WebSocket, table_id: str) -> None:
    """Keep an open page up to date."""
    house, visit = house_of(socket), current(socket)
    # Subscribed first, looked at then: nothing falls between the two.
    async with house.tables.hub.subscribe(table_id) as news:
        await house.call(house.look, table_id, visit)
        await socket.accept()
        known = socket.query_params.get("version", "")[:80]
        writer = asyncio.create_task(_write(socket, house, visit, news, known))
        reader = asyncio.create_task(_read(socket, house))
        try:
            await _race(writer, reader)
        except FrameRefused as refused:
            visit.code, visit.refused = refused.code, True
            with suppress(RuntimeError):
                await socket.close(refused.close, refused.code)
        except WebSocketDisconnect:
            pass


async def _race(*tasks: asyncio.Task[None]) -> None:
    """Wait until the first of the tasks ends, end the others, and raise what it raised."""
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _write(
    socket: WebSocket, house: House, visit: Visit, news: Subscription, known: str
) -> None:
    """Send the viewer's piece now, and whenever it is another."""
    while True:
        piece = await house.look_again(news.table_id, visit)
        if piece.version != known:
            known = piece.version
            await _send(socket, {"version": piece.version, "html": piece.html})
        if not await _wait(socket, news):
            return


async def _wait(socket: WebSocket, news: Subscription) -> bool:
    """Wait for news, sending a sign of life now and then; False when there will be none."""
    waiting = asyncio.ensure_future(anext(news, None))
    try:
        while True:
            done, _ = await asyncio.wait((waiting,), timeout=BEAT_SECONDS)
            if done:
                return waiting.result() is not None
            await _send(socket, {"beat": 1})
    finally:
        waiting.cancel()


async def _send(socket: WebSocket, message: dict[str, object]) -> None:
    await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


async def _read(socket: WebSocket, house: House) -> None:
    """Take what the page sends: signs of life, nothing else; ends with the connection."""
    key = str(id(socket))
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        content = message.get("text")
        if content is None:
            raise FrameRefused(1003, "malformed")
        if len(content) > LARGEST_FRAME or len(content.encode()) > LARGEST_FRAME:
            raise FrameRefused(TOO_BIG, "too-large")
        if house.limits.frames.take(key) > 0:
            raise FrameRefused(POLICY, "too-many")
        _check_frame(content)


def _check_frame(content: str) -> None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FrameRefused(POLICY, "malformed") from error
    if not isinstance(value, dict):
        raise FrameRefused(POLICY, "malformed")


__all__ = ["Refusal", "router"]
