"""What is known of whoever asks: made once for each request, before anything else."""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from secrets import token_hex

from starlette.datastructures import Headers, QueryParams
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import Scope

from tianxia.accounts import sessions, tokens
from tianxia.accounts.model import Account
from tianxia.accounts.sessions import Session
from tianxia.draw.languages import LANGUAGES, best
from tianxia.web.security import ONE_YEAR, People, neighbourhood
from tianxia.web.settings import Settings

PERSON_COOKIE = "tianxia_person"
SESSION_COOKIE = "tianxia_session"
LANGUAGE_COOKIE = "tianxia_language"
THEME_COOKIE = "tianxia_theme"
NAME_COOKIE = "tianxia_name"
LAG_COOKIE = "tianxia_lag"
THEMES = ("system", "light", "dark")
LONGEST_NAME = 40
LONGEST_KEY = 100
MOST_COOKIES = 8000
"""Characters of them that are read."""
KEYS = (sessions.PREFIX, tokens.PREFIX)


@dataclass
class RequestContext:
    """One request, or one open WebSocket.

    Attributes
    ----------
    person
        Who asks, or None for somebody who was never here.
    known_by_token
        Whether the person is known by an ``Authorization`` header, which no page sends.
    key
        Of a session or token of an account, as it was sent; "" without one.
    guest
        Who the visitor is without an account, or None.
    account, session
        The account that asks, if one does, and where it is signed in.
    token
        The id of the program's token by which the account asks; "" where it asks otherwise.
    scopes
        What a program's token is good for; None: everything.
    bearer
        Whether an ``Authorization: Bearer`` header was sent, with whatever token.
    language, theme, nickname
        As chosen, or as the browser wishes.
    address
        What rate limits and the log know of where the request comes from.
    base
        Our own address as the visitor sees it, such as ``https://play.example``.
    secure
        Whether it came by HTTPS.
    reads
        Whether it only looks, so that others' clicks go first.
    cookies
        ``Set-Cookie`` headers that the answer shall carry.
    id
        What the log, the answer and an error's page call this request.
    code, note, refused, error
        Why the request was refused, for the log; `refused` where no status says so; `error`
        what made us fail.
    lag
        How many seconds the browser has found messages to be on the way, there and back.
    begun
        When the request came, by `time.monotonic`.
    once
        Whether the answer holds what is shown once: browsers shall not keep it either.
    """

    person: str | None
    known_by_token: bool
    language: str
    theme: str
    nickname: str
    address: str
    base: str
    secure: bool
    wants_json: bool
    reads: bool = False
    key: str = ""
    guest: str | None = None
    account: Account | None = None
    session: Session | None = None
    token: str = ""
    scopes: frozenset[str] | None = None
    bearer: bool = False
    cookies: list[str] = field(default_factory=list)
    id: str = field(default_factory=lambda: token_hex(8))
    code: str = ""
    note: str = ""
    refused: bool = False
    error: BaseException | None = None
    lag: float = 0.0
    begun: float = field(default_factory=time.monotonic)
    once: bool = False

    @property
    def age(self) -> float:
        """For how many seconds the request has been here."""
        return time.monotonic() - self.begun

    @property
    def who(self) -> str:
        """The person who asks; empty for somebody who was never here."""
        return self.person or ""

    @property
    def signed_in_by(self) -> str:
        """The id of the session that asks; empty where none does."""
        return self.session.id if self.session else ""

    @property
    def may_all(self) -> bool:
        """Whether a seat's private key may be shown: it opens all that a token can be good for."""
        return self.scopes is None or self.scopes >= {*tokens.SCOPES}

    def set_cookie(self, name: str, value: str) -> None:
        """Let the answer set a cookie that lasts a year."""
        cookie: SimpleCookie = SimpleCookie()
        cookie[name] = value
        cookie[name].update({"path": "/", "max-age": str(ONE_YEAR), "samesite": "Lax"})
        cookie[name]["httponly"] = True
        if self.secure:
            cookie[name]["secure"] = True
        self.cookies.append(cookie[name].OutputString())

    def drop_cookie(self, name: str) -> None:
        """Let the answer take a cookie away."""
        self.cookies.append(f"{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")

    def become(self, person: str, people: People) -> str:
        """Let the visitor be a person from now on, known by the cookie."""
        self.person = self.guest = person
        self.set_cookie(PERSON_COOKIE, people.sign(person))
        return person


asking: ContextVar[RequestContext | None] = ContextVar("asking", default=None)
"""Whose request is being answered."""


def context_of(scope: Scope, settings: Settings, people: People) -> RequestContext:
    """Find out who asks."""
    headers = Headers(scope=scope)
    # Not `SimpleCookie`, which reads nothing after a cookie of somebody else's that it dislikes.
    cookies = cookie_parser(headers.get("cookie", "")[:MOST_COOKIES])
    key, by_token = _key(headers, cookies)
    person, known = (None, by_token) if by_token and key else _person(headers, cookies, people)
    secure = scope.get("scheme") in ("https", "wss") or settings.base.startswith("https:")
    base = settings.base or f"{'https' if secure else 'http'}://{headers.get('host', 'localhost')}"
    client = scope.get("client")
    return RequestContext(
        person=person,
        known_by_token=known,
        bearer=by_token,
        key=key,
        guest=None if known else person,
        language=_language(headers, cookies, QueryParams(scope.get("query_string", b""))),
        theme=_one_of(cookies.get(THEME_COOKIE, ""), THEMES),
        nickname=_unquoted(cookies.get(NAME_COOKIE, "")),
        address=neighbourhood(client[0] if client else ""),
        base=base,
        secure=secure,
        wants_json=_wants_json(scope, headers),
        lag=_lag(cookies.get(LAG_COOKIE, "")),
    )


def current(connection: HTTPConnection) -> RequestContext:
    """Return the context that the middleware has put into a request."""
    found = connection.scope["tianxia.context"]
    assert isinstance(found, RequestContext)  # noqa: S101
    return found


def _key(headers: Headers, cookies: dict[str, str]) -> tuple[str, bool]:
    """Return the key of a session or of a program's token, and whether no page has sent it."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        token = token.strip()
        return (token[:LONGEST_KEY], True) if token.startswith(KEYS) else ("", True)
    return cookies.get(SESSION_COOKIE, "")[:LONGEST_KEY], False


def _person(headers: Headers, cookies: dict[str, str], people: People) -> tuple[str | None, bool]:
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        person = people.read(token.strip())
        return person, person is not None
    return people.read(cookies.get(PERSON_COOKIE, "")), False


def _language(headers: Headers, cookies: dict[str, str], query: QueryParams) -> str:
    for wish in (query.get("lang"), cookies.get(LANGUAGE_COOKIE)):
        if wish in LANGUAGES:
            return str(wish)
    return best(headers.get("accept-language"))


def _one_of(value: str, choices: tuple[str, ...]) -> str:
    return value if value in choices else choices[0]


def _lag(text: str) -> float:
    """Return the seconds of a cookie in milliseconds; the clocks forgive a second at most."""
    return int(text) / 1000 if text.isascii() and text.isdecimal() and len(text) < 5 else 0.0


def _unquoted(value: str) -> str:
    from urllib.parse import unquote

    return unquote(value, errors="replace")[:LONGEST_NAME]


def _wants_json(scope: Scope, headers: Headers) -> bool:
    if scope.get("path", "").startswith("/api/v"):
        return True
    if headers.get("content-type", "").startswith("application/json"):
        return True
    kinds = headers.get("accept", "")
    return "json" in kinds and "text/html" not in kinds
