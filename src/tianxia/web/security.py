"""Who is asking, whether the request comes from our own pages, and how often one may ask."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from itsdangerous import BadSignature, Signer

PERSON = re.compile(r"[A-Za-z0-9_-]{22}")
"""What a person's id looks like: 128 random bits."""
_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",  # transforms of pieces are style attributes
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
)
POLICY = "; ".join(_POLICY)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not "no-referrer": browsers would then say of our own forms that they come from nowhere.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
ONE_YEAR = 365 * 24 * 3600
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class People:
    """Signs and reads who somebody is: a random id, nothing else."""

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="tianxia.person", digest_method=sha256)
        self._key = secret.encode()

    def new(self) -> str:
        """Return the id of a person who was never here."""
        return secrets.token_urlsafe(16)

    def sign(self, person: str) -> str:
        """Return the id with its signature: what the cookie and the API's token hold."""
        return self._signer.sign(person).decode()

    def read(self, signed: str) -> str | None:
        """Return the id, or None where the signature or the form is wrong."""
        if len(signed) > 200:
            return None
        try:
            person = self._signer.unsign(signed.encode("utf-8", "replace")).decode()
        except (BadSignature, UnicodeDecodeError):
            return None
        return person if PERSON.fullmatch(person) else None

    def form_token(self, person: str) -> str:
        """Return what this person's forms carry, so that no other site can send them."""
        return hmac.new(self._key, b"form:" + person.encode(), sha256).hexdigest()[:32]

    def hide(self, address: str) -> str:
        """Return an address as it is stored: told apart from others, but not read back."""
        return hmac.new(self._key, b"address:" + address.encode(), sha256).hexdigest()

    def is_form_token(self, person: str, token: str) -> bool:
        """Say whether a form carried the right token."""
        return hmac.compare_digest(self.form_token(person).encode(), token.encode())


def same_origin(headers: Mapping[str, str], bases: tuple[str, ...]) -> bool:
    """Say whether a request comes from our own pages, or from no page at all.

    Browsers say where a request comes from in ``Sec-Fetch-Site``, older ones in
    ``Origin``; programs send neither and carry no cookies that they were not given.

    Parameters
    ----------
    headers
        The request's headers, names in lower case.
    bases
        Our own addresses, such as ``https://play.example``.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or any(_host(origin) == _host(base) for base in bases)


def _host(url: str) -> tuple[str, int | None] | None:
    """Return host and port of an address; the scheme is what a proxy may have changed."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.hostname, None if port in (80, 443) else port


def neighbourhood(address: str) -> str:
    """Return what is limited together: an IPv4 address, or the network of an IPv6 one."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return ":".join(found.exploded.split(":")[:4]) + "::/64"
    return str(found)


class Buckets:
    """Token buckets: so many at once, so many a second; the memory has a bound.

    Parameters
    ----------
    rate, burst
        Tokens that come back each second, and how many there are at most.
    most
        Buckets that are remembered; the one unused for longest is forgotten first.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        most: int = 20_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rate = rate
        self.burst = burst
        self._most = most
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, key: str, cost: float = 1.0) -> float:
        """Take tokens; return 0, or the seconds to wait where there are too few."""
        if self.rate <= 0:
            return 0.0
        now = self._clock()
        level, then = self._levels.pop(key, (self.burst, now))
        level = min(self.burst, level + (now - then) * self.rate)
        wait = 0.0 if level >= cost else (cost - level) / self.rate
        self._levels[key] = (level if wait else level - cost, now)
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)
        return wait


class Limits:
    """All rate limits of one process."""

    def __init__(self, scale: float) -> None:
        self.requests = Buckets(40 * scale, 400 * scale)
        """Requests of one address."""
        self.actions = Buckets(10 * scale, 60 * scale)
        """What one person (or an address without one) changes."""
        self.creations = Buckets(0.5 * scale, 30 * scale)
        """Tables and people made from one address."""
        self.hints = Buckets(0.5 * scale, 12 * scale)
        """Hints that one person asks for."""
        self.frames = Buckets(2 * scale, 30 * scale)
        """Frames of one connection of an open page."""
        self.connections = Buckets(4 * scale, 60 * scale)
        """Open pages begun from one address."""
