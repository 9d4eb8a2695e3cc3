"""Sending what is on its way: a few threads in each process that serves people."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import queue
import threading
import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from tianxia.tables import Snapshot, TableError, Unavailable
from tianxia.telling.service import DAY, Message, Subscription, Telling

if TYPE_CHECKING:  # what pushes is large: it is imported where somebody wants to be told
    from py_vapid import Vapid02

log = logging.getLogger("tianxia.telling")

SECONDS = 10.0
"""How long a push service may take to answer."""
LONGEST_WAIT = 30.0
TOGETHER_SECONDS = 0.2
"""For so long changed tables are gathered, to ask at once for whom they matter."""
AWAY_SECONDS = 1.0
"""After which a database that was away is asked again."""
CLOSING_SECONDS = 4.0
SENDERS = 3
"""Threads that send: a service that does not answer holds up nobody else's messages."""
CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
GONE = (404, 410)
"""What a push service says of a browser that takes no messages any more."""
REMEMBERED = 1000
"""Messages of which it is known which browsers have got them."""

Words = Callable[[Snapshot, Message, str], tuple[str, str, str]]
"""Returns title, text and address of a message in a language."""


class Undeliverable(Exception):
    """A message that could not be sent this time."""


EXPECTED = (Undeliverable, TableError, OSError, ValueError)
"""Why a message is not sent: whatever else it is, is a mistake of ours."""


class Post(Protocol):
    """What sends letters; raises OSError where it cannot."""

    def send(self, to: str, subject: str, text: str, headers: dict[str, str] | None = None) -> None:
        """Send a letter."""


class Keys:
    """The server's keys for push messages, made from its secret: all processes have them."""

    def __init__(self, secret: str) -> None:
        made = hmac.digest(secret.encode(), b"tianxia.vapid", hashlib.sha256)
        self._number = int.from_bytes(made, "big") % (CURVE_ORDER - 1) + 1

    @cached_property
    def vapid(self) -> Vapid02:
        """What signs messages."""
        from cryptography.hazmat.primitives.asymmetric import ec
        from py_vapid import Vapid02

        return Vapid02(private_key=ec.derive_private_key(self._number, ec.SECP256R1()))

    @property
    def public(self) -> str:
        """What browsers are told when they subscribe."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
        from py_vapid.utils import b64urlencode

        key = self.vapid.private_key.public_key()
        point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return str(b64urlencode(point))


class Teller:
    """Notices whose turn it is, and tells them.

    Parameters
    ----------
    words
        What is said.
    contact
        Where push services reach the host: ``mailto:…`` or ``https://…``.
    post
        What sends letters; None: no letters are sent.
    stop_link
        Returns the address with which a person (a digest) ends letters.
    """

    def __init__(
        self,
        telling: Telling,
        keys: Keys,
        words: Words,
        *,
        contact: str,
        post: Post | None = None,
        stop_link: Callable[[str], str] = lambda person: "",
    ) -> None:
        self._telling = telling
        self._keys = keys
        self._words = words
        self._contact = contact
        self._post = post
        self._stop_link = stop_link
        self._got: dict[str, set[str]] = {}  # browsers, by messages that others did not get
        self._changed: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._news = threading.Event()
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=target, name=name, daemon=True)
            for target, name in (
                (self._notice, "tianxia-notice"),
                *((self._send, f"tianxia-send-{number}") for number in range(SENDERS)),
            )
        ]
        self._unlisten: Callable[[], None] | None = None

    def start(self) -> Teller:
        """Begin, with what another process has left unsent."""
        hub = self._telling.tables.hub
        self._unlisten = hub.listen(lambda table_id, _: self._changed.put(table_id))
        for thread in self._threads:
            thread.start()
        return self

    def close(self) -> None:
        """Stop; what is not sent yet is sent after the next start."""
        self._stop.set()
        self._news.set()
        self._changed.put(None)
        if self._unlisten is not None:
            self._unlisten()
        end = time.monotonic() + CLOSING_SECONDS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))

    # --- Noticing ---

    def _notice(self) -> None:
        left: set[str] = set()  # of which the database could not be asked yet
        while not self._stop.is_set():
            changed = {*left, *(() if left else (self._changed.get(),))}
            self._stop.wait(AWAY_SECONDS if left else TOGETHER_SECONDS)
            while not self._changed.empty():
                changed.add(self._changed.get())
            left = self._plan({one for one in changed if one})
            if None in changed:
                return

    def _plan(self, tables: set[str]) -> set[str]:
        """Plan whom to tell at some tables; return those of which it is not known yet."""
        try:
            for one in self._telling.reached(tables):
                self._plan_one(one)
        except Unavailable:
            return tables
        return set()

    def _plan_one(self, table_id: str) -> None:
        try:
            if self._telling.plan(table_id):
                self._news.set()
        except Unavailable:
            raise
        except TableError:
            pass
        except Exception:
            log.exception("whose turn it is at table %s could not be told", table_id)

    # --- Sending ---

    def _send(self) -> None:
        while not self._stop.is_set():
            try:
                wait = self.step()
            except (TableError, Unavailable):
                wait = LONGEST_WAIT
            except Exception:
                log.exception("a message could not be sent")
                wait = LONGEST_WAIT
            self._news.wait(wait)
            self._news.clear()
            if self._stop.is_set():  # the others are not to wait for what was taken from them
                self._news.set()

    def step(self) -> float:
        """Send all that is due; return for how many seconds there is nothing to do."""
        while not self._stop.is_set():
            message, due = self._telling.next()
            if message is not None:
                self.tell(message)
            elif due is None:
                return LONGEST_WAIT
            elif (wait := due - self._telling.tables.clock()) > 0:
                return min(wait, LONGEST_WAIT)
        return 0.0

    def tell(self, message: Message) -> None:
        """Send one message, unless its turn is over; what fails is tried again later."""
        send = self._push if message.way == "push" else self._mail
        try:
            snapshot = self._telling.still_asked(message)
            if snapshot is not None:
                send(message, snapshot)
        except Unavailable:
            raise
        except Exception as error:  # whatever it is, it is not tried for ever
            later = self._telling.again(message)
            words = "a message was not sent%s: %s"
            known = isinstance(error, EXPECTED)
            log.warning(words, "; trying again" if later else "", error, exc_info=not known)
        else:
            self._telling.done(message)

    def _push(self, message: Message, snapshot: Snapshot) -> None:
        """Tell each browser once, however often it is tried for the others."""
        got, failed = self._got.pop(message.id, set()), list[str]()
        for browser in self._telling.browsers(message.person):
            if browser.id in got:
                continue
            title, text, address = self._words(snapshot, message, browser.language)
            content = {"title": title, "body": text, "url": address, "tag": message.table_id}
            try:
                self._push_to(browser, json.dumps(content, ensure_ascii=False))
                got.add(browser.id)
            except Undeliverable as error:
                failed.append(str(error))
        if failed:
            self._got[message.id] = got
            while len(self._got) > REMEMBERED:
                self._got.pop(next(iter(self._got)), None)
            raise Undeliverable(failed[0])

    def _push_to(self, browser: Subscription, content: str) -> None:
        from pywebpush import WebPushException, webpush

        parts = urlsplit(browser.endpoint)
        claims: dict[str, Any] = {
            "sub": self._contact,
            "aud": f"{parts.scheme}://{parts.netloc}",
        }
        try:
            webpush(
                {"endpoint": browser.endpoint, "keys": dict(browser.keys)},
                content,
                vapid_private_key=self._keys.vapid,
                vapid_claims=claims,
                ttl=int(DAY),
                timeout=SECONDS,
            )
        except WebPushException as error:
            if error.response is not None and error.response.status_code in GONE:
                self._telling.unsubscribe(browser.endpoint)
                return
            raise Undeliverable(str(error)) from error
        except Exception as error:  # the network's, or whatever is wrong with a browser's keys
            raise Undeliverable(str(error)) from error

    def _mail(self, message: Message, snapshot: Snapshot) -> None:
        found = self._telling.mail_of(message.person)
        if found is None or self._post is None:
            return
        to, language = found
        title, text, address = self._words(snapshot, message, language)
        stop = self._stop_link(message.person)
        headers = {
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        self._post.send(to, title, f"{text}\n\n{address}\n\n--\n{stop}\n", headers)
