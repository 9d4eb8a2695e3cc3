"""Connections of one process: how many there may be, and how long each may let us wait.

uvicorn lets whoever connects take as long as he likes, and as many sockets. Its two
protocols are therefore told to a `Guard`: who has not sent a whole request in time, does
not take his answer, or has too many connections already is let go. Nothing here reads a
request; that stays uvicorn's business.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tianxia.logs import tell
from tianxia.web.metrics import CONNECTIONS, DROPPED
from tianxia.web.security import Networks, neighbourhood
from tianxia.web.settings import Settings

HEAD, BODY, IDLE, BUSY = "head", "body", "idle", "busy"
SECONDS = {HEAD: 10.0, BODY: 20.0, IDLE: 15.0, BUSY: math.inf}
"""How long a connection may wait for a whole head, a whole body, another request; while it
is busy it waits for us."""
STUCK_SECONDS = 30.0
"""After so long without taking a byte of what we have for it a connection is gone."""
LAST_SECONDS = 1.0
"""How long a silent connection stays open when the process ends: for a click on its way."""
CLOSE = (b"connection", b"close")
SWEEP_SECONDS = 1.0
EACH = 200
"""Connections of one address: a school has one, too."""
MOST = 10_000
USUAL_DESCRIPTORS = 2000
"""Where the system does not say how many there are."""
WANTED_DESCRIPTORS = 10_240
KEPT_DESCRIPTORS = 300
"""For the database, files and what is just being accepted."""
SCARCE = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
QUIET_SECONDS = 60.0
NO_TEXT = 1007
LEAVING = "tianxia.leaving"
"""Where an answer without an end puts into its request's scope what ends it."""
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: 0\r\n\r\n"
)


def _nothing() -> None:
    """Do nothing."""


def descriptors() -> int:
    """Return how many files and sockets this process may have, after asking for enough."""
    if sys.platform == "win32":
        return USUAL_DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = WANTED_DESCRIPTORS if hard == unlimited else min(hard, WANTED_DESCRIPTORS)
    if soft not in (unlimited, wanted) and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # then with what there is
            pass
    return WANTED_DESCRIPTORS if soft == unlimited else soft


def most_connections(limit: int) -> int:
    """Return how many connections a process with so many descriptors can have."""
    return min(MOST, max(limit - KEPT_DESCRIPTORS, limit // 2))


@dataclass(eq=False)
class Slot:
    """A connection: since when it lets us wait, and for what."""

    transport: asyncio.Transport
    address: str
    due: float
    stage: str = HEAD
    left: int = 0
    moved: float = 0.0


class Guard:
    """The connections of this process.

    Parameters
    ----------
    most, each
        How many there may be in all, and of one address; 0 of one address: as many.
    trusted
        Addresses that may have more: reverse proxies.
    """

    def __init__(
        self,
        most: int = MOST,
        each: int = EACH,
        trusted: Networks | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most = most
        self.each = each
        self.refused: Counter[str] = Counter()
        self._trusted = trusted or Networks("")
        self._clock = clock
        self._slots: dict[asyncio.Transport, Slot] = {}
        self._counts: Counter[str] = Counter()
        self._sweeping = False
        self._told = -math.inf

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def batch(self) -> int:
        """How many connections may be accepted at once, before any of them is looked at."""
        return max(8, min(1024, self.most // 4))

    # --- Coming and going ---

    def admit(self, transport: asyncio.Transport, host: str) -> Slot | None:
        """Return the place of a new connection; None where there is none for it."""
        address = neighbourhood(host)
        mine = self._counts[address]
        if self.each and mine >= self.each and host not in self._trusted:
            self._count("address")
            return None
        if len(self._slots) >= self.most and not self._make_room(mine):
            self._count("all")
            return None
        now = self._clock()
        slot = Slot(transport, address, now + SECONDS[HEAD], moved=now)
        self._slots[transport] = slot
        self._counts[address] += 1
        CONNECTIONS.inc()
        return slot

    def leave(self, transport: asyncio.Transport) -> None:
        """Forget a connection."""
        slot = self._slots.pop(transport, None)
        if slot is None:
            return
        CONNECTIONS.dec()
        self._counts[slot.address] -= 1
        if not self._counts[slot.address]:
            del self._counts[slot.address]

    def note(self, slot: Slot, stage: str) -> None:
        """Note what a connection does; the time for that runs from its beginning."""
        if stage != slot.stage:
            slot.stage = stage
            slot.due = self._clock() + SECONDS[stage]

    def _make_room(self, mine: int) -> bool:
        """Let the longest waiting connection of the address with most go, if those are more."""
        crowd, count = self._counts.most_common(1)[0]
        if count <= mine + 1:
            return False
        for slot in self._slots.values():
            if slot.address == crowd and slot.stage in (HEAD, IDLE):
                self._drop(slot, "crowded")
                return True
        return False

    def _count(self, why: str) -> None:
        self.refused[why] += 1
        DROPPED.labels(why).inc()

    def _drop(self, slot: Slot, why: str) -> None:
        self._count(why)
        self.leave(slot.transport)
        slot.transport.abort()

    # --- Time ---

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Look after the connections from time to time, as long as there are any."""
        if not self._sweeping:
            self._sweeping = True
            loop.set_exception_handler(self.complain)
            loop.call_later(SWEEP_SECONDS, self._sweep_on, loop)

    def _sweep_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self.sweep()
        self._sweeping = bool(self._slots)
        if self._sweeping:
            loop.call_later(SWEEP_SECONDS, self._sweep_on, loop)

    def sweep(self) -> None:
        """Let go who has let us wait for too long."""
        now = self._clock()
        for slot in list(self._slots.values()):
            left = slot.transport.get_write_buffer_size()
            if not left or left < slot.left:
                slot.moved = now
            slot.left = left
            if now >= slot.due:
                self._drop(slot, slot.stage)
            elif now - slot.moved >= STUCK_SECONDS:
                self._drop(slot, "stuck")

    # --- Descriptors ---

    def complain(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log what fails in the event loop; that descriptors ran out only once a minute.

        The loop stops listening for a second then, and goes on by itself.
        """
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in SCARCE:
            tell(logging.ERROR, "event loop failed", error, cause=context.get("message"))
            return
        self._count("descriptors")
        now = self._clock()
        if now - self._told >= QUIET_SECONDS:
            self._told = now
            cause = type(error).__name__ + f" {error.errno}"
            tell(logging.ERROR, "descriptors ran out", cause=cause, connections=len(self))


class GuardedHTTP(H11Protocol):
    """uvicorn's protocol, its connections under guard."""

    def __init__(self, guard: Guard, **facts: Any) -> None:
        super().__init__(**facts)
        self._guard = guard
        self._slot: Slot | None = None
        self._leaving = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or say that there are too many."""
        super().connection_made(transport)
        self._guard.watch(self.loop)
        self._slot = self._guard.admit(transport, self.client[0] if self.client else "")
        if self._slot is None:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._guard.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        if self._leaving:
            self._make_last()
        self._note()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; who works on an answer to its beginning learns that it is off.

        uvicorn would let them send it, and call it a failure of theirs that it cannot be sent.
        """
        cycle: Any = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.abort()
                return
        super().send_400_response(msg)

    def shutdown(self) -> None:
        """Answer what has been asked, or is on its way in this moment, and say that it is the last.

        A connection that is silent could be closed at once; but a click that comes just then
        would fail, though another worker could have answered it.
        """
        self._leaving = True
        self._make_last()
        cycle: Any = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.scope.get(LEAVING, _nothing)()
        self.loop.call_later(LAST_SECONDS, self._end)

    def _end(self) -> None:
        if not self.transport.is_closing():
            super().shutdown()

    def _make_last(self) -> None:
        """Let the answer that is under way be the last one of this connection."""
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        if cycle is None or cycle.response_complete:
            return
        cycle.keep_alive = False
        if not cycle.response_started and CLOSE not in cycle.scope["headers"]:
            cycle.scope["headers"].append(CLOSE)  # uvicorn then says so in the answer

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._note()

    def _note(self) -> None:
        if self._slot is not None:
            self._guard.note(self._slot, self._stage())

    def _stage(self) -> str:
        if self.transport.get_protocol() is not self:
            return BUSY  # a WebSocket by now: that looks after itself
        if self.cycle is None:
            return HEAD
        if self.cycle.response_complete:
            return HEAD if self.conn.trailing_data[0] else IDLE
        return BODY if self.cycle.more_body else BUSY


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's protocol of WebSockets, on a connection that came through `GuardedHTTP`."""

    def __init__(self, guard: Guard, **facts: Any) -> None:
        super().__init__(**facts)
        self._guard = guard

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._guard.leave(self.transport)
        super().connection_lost(exc)

    def send_receive_event_to_app(self) -> None:
        """Hand a message on; a text that is none ends the connection, and no line tells of it."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                if self.conn.close_sent is None:  # else it is ending anyway
                    self.conn.send_close(NO_TEXT)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        """Send on; a refusal with a status ends the handshake, too, and is no mistake of ours."""
        await super().send(message)
        if self.close_sent and self.initial_response is not None:
            self.handshake_complete = True


def guarded(settings: Settings) -> dict[str, Any]:
    """Return how uvicorn is to treat connections."""
    each = math.ceil(EACH * settings.rate)
    guard = Guard(most_connections(descriptors()), each, Networks(settings.proxies))
    return {
        "http": partial(GuardedHTTP, guard),
        "ws": partial(GuardedWebSocket, guard),
        "backlog": guard.batch,
        "timeout_keep_alive": int(SECONDS[IDLE]),
    }
