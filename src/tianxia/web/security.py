"""Who is asking, whether the request comes from our own pages, and how often one may ask."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from urllib.parse import urlsplit

from itsdangerous import BadSignature, Signer

PERSON = re.compile(r"[A-Za-z0-9_-]{22}")
"""What a person's id looks like: 128 random bits."""
_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
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
MOST_OPEN_PAGES = 5000
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


class Networks:
    """Addresses and networks as somebody writes them: ``127.0.0.1, 10.0.0.0/8``; ``*`` is all."""

    def __init__(self, written: str) -> None:
        parts = {part.strip() for part in written.split(",")} - {""}
        self._all = "*" in parts
        self._names = set()
        self._networks = []
        for part in parts:
            try:
                self._networks.append(ip_network(part, strict=False))
            except ValueError:
                self._names.add(part)

    @property
    def understood(self) -> bool:
        """Whether all of it is addresses and networks."""
        return self._names <= {"*"}

    def __contains__(self, host: str) -> bool:
        if self._all or host in self._names:
            return True
        try:
            found = ip_address(host)
        except ValueError:
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped:
            found = found.ipv4_mapped
        return any(found in network for network in self._networks)


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
        level = self._level(key, now)
        wait = 0.0 if level >= cost else (cost - level) / self.rate
        self._keep(key, level if wait else level - cost, now)
        return wait

    def spend(self, key: str, cost: float) -> None:
        """Take tokens for what was done already; what is too much of it is owed."""
        if self.rate > 0 and cost > 0:
            now = self._clock()
            level = self._level(key, now)
            self._keep(key, max(level - cost, -self.burst), now)

    def owed(self, key: str) -> float:
        """Return how many seconds it takes until nothing is owed any more."""
        level = self._level(key, self._clock()) if self.rate > 0 else 0.0
        return -level / self.rate if level < 0 else 0.0

    def _level(self, key: str, now: float) -> float:
        level, then = self._levels.get(key, (self.burst, now))
        return min(self.burst, level + (now - then) * self.rate)

    def _keep(self, key: str, level: float, now: float) -> None:
        self._levels[key] = (level, now)
        self._levels.move_to_end(key)
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)


class Crowd:
    """How many of each address there are at the same time: so many of each, so many in all.

    Parameters
    ----------
    each, most
        0 is as many as come.
    """

    def __init__(self, each: int, most: int = 0) -> None:
        self.each = each
        self.most = most
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._counts.total()

    def full(self, key: str) -> bool:
        """Say whether an address has as many as it may."""
        return 0 < self.each <= self._counts[key]

    def all_full(self) -> bool:
        """Say whether there are as many as there may be."""
        return 0 < self.most <= len(self)

    @contextmanager
    def one_more(self, key: str) -> Iterator[None]:
        """Count one more, for a while."""
        self._counts[key] += 1
        try:
            yield
        finally:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]


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
        self.work = Buckets(0.25 * scale, 5 * scale)
        """Seconds of a processor that one address costs."""
        self.open_pages = Crowd(ceil(100 * scale), MOST_OPEN_PAGES)
        """Open pages of one address at the same time."""
        self.calls = Crowd(ceil(16 * scale))
        """What one address waits for at the same time."""
