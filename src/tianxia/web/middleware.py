"""What every request passes: who asks, limits, origin, headers of the answer, one log line."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose, WebSocketDisconnect

from tianxia import logs
from tianxia.draw.languages import LANGUAGES, N_
from tianxia.logs import tell
from tianxia.tables.causes import cause_of
from tianxia.web.errors import Problem, Refusal, no_token, problem_of, respond
from tianxia.web.metrics import ANSWERS, REFUSALS, WEBSOCKETS
from tianxia.web.request_context import (
    LANGUAGE_COOKIE,
    THEME_COOKIE,
    THEMES,
    RequestContext,
    asking,
    context_of,
)
from tianxia.web.security import (
    HEADERS,
    ONE_YEAR,
    SAFE_METHODS,
    Buckets,
    Crowd,
    Limits,
    People,
    same_origin,
)
from tianxia.web.settings import Settings

GONE = 499
"""What the log says of a request whose sender has hung up."""
JSON = "application/json"
READY = "/readyz"
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
LARGEST_BODY = 64 * 1024
STATIC = "/static/"
REFUSED_SECONDS = 8.0
"""How long whoever opens too many pages waits to be told so: handshakes cost, and whoever comes
again at once can only do so as often as one address has connections."""
TALKING = re.compile(r"/api/v1/tables/[^/]+/(talk|pacts|mute|open-talk|gallery)(/|$)")
"""Where programs write to others, or choose whom they hear."""
NUL = N_("Nothing in an address may be the character U+0000 (%00).")
WRONG_SCOPE = N_("This token does not allow that; it needs: {scope}.")


class RequestMiddleware:
    """The outermost layer of the application."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        people: People,
        limits: Limits,
        identify: Callable[[RequestContext], Awaitable[None]],
    ) -> None:
        self.app = app
        self.settings = settings
        self.people = people
        self.limits = limits
        self.identify = identify
        limited = settings.rate > 0
        self._lines = Buckets(0.5 * limited, 60)
        self._lines_of_all = Buckets(10 * limited, 600)
        self._left_out = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    # --- Requests ---

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        context = scope["tianxia.context"] = context_of(scope, self.settings, self.people)
        asking.set(context)
        logs.request.set(context.id)
        answer = _Answer(context, scope, send)
        if scope["method"] == "HEAD":  # every page that can be got has a head
            scope["method"] = "GET"
        context.reads = scope["method"] == "GET"
        body = _Body(receive)
        try:
            early = await self._early(scope, context)
            if early is not None:
                await early(scope, receive, answer)
            else:
                await self.app(scope, body, answer)
        except ClientDisconnect:
            answer.status, context.code = GONE, "gone"
        except Exception as error:  # noqa: BLE001  (whatever it is, a friendly answer follows)
            await self._fail(error, scope, receive, answer)
        self._note(scope, context, answer.status, answer.begun)

    async def _early(self, scope: Scope, context: RequestContext) -> Response | None:
        """Return the answer to what goes no further, else None."""
        if scope["path"].startswith(STATIC):
            return None
        headers = Headers(scope=scope)
        try:
            self._check_address(scope, headers, context)
            check_nul(scope)
            await self.identify(context)
            self._check(scope, headers, context)
        except Refusal as refusal:
            return respond(context, problem_of(refusal, context.language))
        if scope["method"] == "GET":
            return _switch(scope, context)
        return None

    def _check_address(self, scope: Scope, headers: Headers, context: RequestContext) -> None:
        """Refuse what is too much, before anything is looked up."""
        refuse_above(self.limits.requests.take(context.address))
        refuse_above(self.limits.work.owed(context.address))
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > LARGEST_BODY:
            raise Refusal(413)

    def _check(self, scope: Scope, headers: Headers, context: RequestContext) -> None:
        check_scope(context, scope["method"], scope["path"])
        if scope["method"] in SAFE_METHODS:
            check_token(context)
            return
        refuse_above(self.limits.actions.take(context.person or context.address))
        bases = (context.base, f"http://{headers.get('host', '')}")
        if not context.known_by_token and not same_origin(headers, bases):
            raise Refusal(403, "cross-site")
        check_token(context)
        check_json(scope["path"], headers)

    async def _fail(
        self, error: Exception, scope: Scope, receive: Receive, answer: _Answer
    ) -> None:
        context = answer.context
        problem = problem_of(error, context.language)
        context.error = error if problem.status >= 500 else None
        if answer.status:  # too late to say anything else
            context.code = problem.code
            answer.status = problem.status
            return
        await respond(context, problem)(scope, receive, answer)

    # --- WebSockets ---

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        context = scope["tianxia.context"] = context_of(scope, self.settings, self.people)
        asking.set(context)
        logs.request.set(context.id)
        headers = Headers(scope=scope)
        begun = time.perf_counter()
        talk = _Talk(send)
        try:
            if (wait := self.limits.connections.take(context.address)) > 0:
                await asyncio.sleep(REFUSED_SECONDS)
                refuse_above(wait)
            refuse_above(self.limits.work.owed(context.address))
            bases = (context.base, f"http://{headers.get('host', '')}")
            if not same_origin(_only_origin(headers), bases):
                raise Refusal(403, "cross-site")
            await self.identify(context)
            check_nul(scope)
            check_scope(context, "GET", scope["path"])
            check_token(context)
            with room(self.limits.open_pages, context.address), WEBSOCKETS.track_inprogress():
                await self.app(scope, receive, talk)
        except WebSocketDisconnect:
            talk.closed, context.code = True, "gone"
        except Exception as error:  # noqa: BLE001  (told to the other side, and logged)
            problem = problem_of(error, context.language)
            context.error = error if problem.status >= 500 else None
            context.code = problem.code
            await self._deny(scope, receive, talk, problem)
        if talk.closed and not talk.accepted and not context.code:
            talk.status, context.code = 404, "not-found"
        status = 400 if context.refused else talk.status
        self._note(scope, context, status, begun)

    # --- What is remembered ---

    def _note(self, scope: Scope, context: RequestContext, status: int, begun: float) -> None:
        """Count a request; write its one line where it was refused or failed, or for debugging.

        What was sent is never written, nor addresses of pages, which may hold private keys.
        Of an address that is refused again and again most lines are left out, and counted.
        """
        seconds = time.perf_counter() - begun
        route = getattr(scope.get("route"), "path", None)
        method = scope.get("method", "WS")
        if scope["type"] == "http":
            known = method if method in METHODS else "other"
            ANSWERS.labels(route or "none", known, f"{status // 100}xx").observe(seconds)
        asked = route == READY  # it says how things are, and 503 is an answer
        if context.code or (status >= 400 and not asked):
            REFUSALS.labels(status, context.code or "none").inc()
        debugging = self.settings.log_level == "debug"
        quiet = status < 400 or status == GONE or asked
        if quiet and not debugging:
            return
        ours = context.error is not None and not isinstance(context.error, Refusal)
        if not (status == 500 or debugging or self._worth_a_line(context.address)):
            self._left_out += 1
            return
        left_out, self._left_out = self._left_out, 0
        severity = logging.DEBUG if quiet else logging.WARNING
        tell(
            logging.ERROR if ours else severity,
            "answered" if quiet else "failed" if status >= 500 else "refused",
            context.error if status == 500 else None,
            status=status,
            code=context.code or None,
            rule=context.note or None,
            cause=cause_of(context.error) if context.error is not None and status != 500 else None,
            method=method,
            route=route,
            table=scope.get("path_params", {}).get("table_id"),
            address=context.address,
            milliseconds=round(1000 * seconds, 1),
            left_out=left_out or None,
        )

    def _worth_a_line(self, address: str) -> bool:
        return not (self._lines.take(address) or self._lines_of_all.take(""))

    async def _deny(self, scope: Scope, receive: Receive, talk: _Talk, problem: Problem) -> None:
        """Refuse a WebSocket, with a status where the server can send one."""
        talk.status = problem.status
        if talk.closed:
            return
        if talk.accepted:
            code = 1011 if problem.status >= 500 else 1008
            await WebSocketClose(code, problem.code)(scope, receive, talk)
        elif "websocket.http.response" in scope.get("extensions", {}):
            context: RequestContext = scope["tianxia.context"]
            context.wants_json = True
            await respond(context, problem)(scope, receive, talk)
        else:
            await WebSocketClose(1008, problem.code)(scope, receive, talk)


def check_nul(scope: Scope) -> None:
    """Refuse what PostgreSQL can neither hold nor look for: it would seem to be away."""
    if "\0" in scope["path"]:
        raise Refusal(404)
    if b"%00" in scope["query_string"]:
        raise Refusal(400, "malformed", NUL)


def check_scope(context: RequestContext, method: str, path: str) -> None:
    """Refuse what a program's token is not good for; what opens a WebSocket reads."""
    if context.scopes is None or context.account is None:
        return
    needed = scope_needed(method, path)
    if needed not in context.scopes:
        raise Refusal(403, "scope", WRONG_SCOPE, scope=needed or "a session")


def scope_needed(method: str, path: str) -> str:
    """Return what a program's token has to be good for; "" is what no token can."""
    if method in SAFE_METHODS:
        return "read"
    own = f"{path}/".startswith("/api/v1/account/")
    if own or not path.startswith("/api/"):
        return ""
    return "talk" if TALKING.match(path) else "play"


@contextmanager
def room(crowd: Crowd, key: str) -> Iterator[None]:
    """Count one more of an address, or refuse it."""
    if crowd.full(key):
        refuse_above(1)
    if crowd.all_full():
        raise busy()
    with crowd.one_more(key):
        yield


def busy() -> Refusal:
    """Return the refusal of what would have to wait for too many others."""
    refusal = Refusal(
        503, "busy", N_("Too many people are asking at once just now. Try again in a moment.")
    )
    refusal.headers["retry-after"] = "2"
    return refusal


def check_token(context: RequestContext) -> None:
    """Refuse a token in the header ``Authorization`` that is none, or none any more.

    Whoever sends it would otherwise be taken for a stranger, and wonder.
    """
    if context.bearer and context.person is None:
        raise no_token()


def check_json(path: str, headers: Headers) -> None:
    """Refuse what programs send that does not say that it is JSON; pages send forms elsewhere."""
    sent = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if path.startswith("/api/") and sent and kind != JSON:
        raise Refusal(415)


def _only_origin(headers: Headers) -> dict[str, str]:
    """Return what says where a WebSocket comes from: browsers always send ``Origin`` there."""
    return {"origin": headers["origin"]} if "origin" in headers else {}


def refuse_above(wait: float) -> None:
    """Refuse a request that has to wait."""
    if wait > 0:
        refusal = Refusal(429)
        refusal.headers["retry-after"] = str(math.ceil(wait))
        raise refusal


class _Body:
    """Counts what arrives of a request's body."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._size = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            if self._size > LARGEST_BODY:
                raise Refusal(413)
        return message


class _Answer:
    """Adds headers and cookies to an answer, and remembers its status."""

    def __init__(self, context: RequestContext, scope: Scope, send: Send) -> None:
        self.context = context
        self.status = 0
        self.begun = time.perf_counter()
        self._scope = scope
        self._send = send
        self._head_only = scope["method"] == "HEAD"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers["x-request-id"] = self.context.id
            if self.context.base.startswith("https:"):
                headers["strict-transport-security"] = f"max-age={ONE_YEAR}"
            if not self._scope["path"].startswith(STATIC):
                # What is sent depends on who asks; nobody in between may keep it.
                kept = "no-store" if self.context.once else "private, no-cache"
                headers.setdefault("cache-control", kept)
                for cookie in self.context.cookies:
                    headers.append("set-cookie", cookie)
        elif self._head_only and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)


class _Talk:
    """Remembers how far a WebSocket has come."""

    def __init__(self, send: Send) -> None:
        self.accepted = self.closed = False
        self.status = 101
        self._send = send

    async def __call__(self, message: Message) -> None:
        kind = message["type"]
        self.accepted = self.accepted or kind == "websocket.accept"
        self.closed = self.closed or kind in ("websocket.close", "websocket.http.response.start")
        await self._send(message)


def _switch(scope: Scope, context: RequestContext) -> Response | None:
    """Keep a language or a theme that was chosen, and lead back to the page without it."""
    query = QueryParams(scope["query_string"])
    changes: list[tuple[str, str, Callable[[str], bool]]] = [
        ("lang", LANGUAGE_COOKIE, LANGUAGES.__contains__),
        ("theme", THEME_COOKIE, THEMES.__contains__),
    ]
    chosen = False
    for name, cookie, known in changes:
        value = query.get(name, "")
        if known(value):
            context.set_cookie(cookie, value)
            chosen = True
    if not chosen or scope["path"].startswith("/api/"):
        return None
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    rest = urlencode([pair for pair in pairs if pair[0] not in ("lang", "theme")])
    path = "/" + scope.get("raw_path", b"").decode("latin-1").partition("?")[0].lstrip("/\\")
    return RedirectResponse(f"{path}?{rest}" if rest else path, 303)
