"""Telling whoever watches a table that it has changed; only ids and versions travel.

A subscription yields versions, the newest only: who is slow misses none but those that
were overtaken. Processes that share a database hear of one another through it: see `Relay`.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from tianxia.tables.errors import Unavailable
from tianxia.tables.store import (
    ASKED_CHANNEL,
    CHANNEL,
    LOBBY_CHANNEL,
    MINDS_CHANNEL,
    TALK_CHANNEL,
    Store,
)

log = logging.getLogger("tianxia.tables")

Listener = Callable[[str, int], None]
POLL_SECONDS = 0.5
READ_SECONDS = 0.03
"""How often a process looks whether others have written to its SQLite file; takes 10 µs."""
RETRY_SECONDS = 1.0
_NOTICES = (
    "SELECT number, channel, name, version, origin FROM notices WHERE number > ? ORDER BY number"
)


class Subscription:
    """An asynchronous iterator over a table's new versions; belongs to one event loop.

    Usable as a context manager, sync or async; leaving it ends the subscription.
    """

    def __init__(self, hub: Hub, table_id: str) -> None:
        self.table_id = table_id
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._version = -1
        self._closed = False

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> int:
        """Wait for a version that was not yielded yet; return the newest."""
        await self._news.wait()
        if self._closed:
            raise StopAsyncIteration
        self._news.clear()
        return self._version

    def tell(self, version: int) -> None:
        """Note a version; may be called from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody is there to hear it
            self._loop.call_soon_threadsafe(self._note, version)

    def _note(self, version: int) -> None:
        if version > self._version:
            self._version = version
            self._news.set()

    def wake(self) -> None:
        """Yield the newest version once more; to be called in the loop it belongs to."""
        self._news.set()

    def wake_soon(self) -> None:
        """Yield the newest version once more; may be called from any thread."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.set)

    def close(self) -> None:
        """End the subscription: the iterator stops."""
        self._closed = True
        self._hub.forget(self)
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.set)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class Hub:
    """Who watches which table, in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watching: dict[str, set[Subscription]] = {}
        self._listeners: list[Listener] = []

    def subscribe(self, table_id: str) -> Subscription:
        """Watch a table from a coroutine. Subscribe first, then take a snapshot."""
        subscription = Subscription(self, table_id)
        with self._lock:
            self._watching.setdefault(table_id, set()).add(subscription)
        return subscription

    def forget(self, subscription: Subscription) -> None:
        """End a subscription."""
        with self._lock:
            watching = self._watching.get(subscription.table_id, set())
            watching.discard(subscription)
            if not watching:
                self._watching.pop(subscription.table_id, None)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function with (id, version) of every change; return what ends that.

        It runs in the thread that made the change and must not wait.
        """
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock, suppress(ValueError):
                self._listeners.remove(listener)

        return stop

    def publish(self, table_id: str, version: int) -> None:
        """Tell all who watch a table; may be called from any thread."""
        with self._lock:
            watching = list(self._watching.get(table_id, ()))
            listeners = list(self._listeners)
        for subscription in watching:
            subscription.tell(version)
        for listener in listeners:
            listener(table_id, version)

    def wake(self, table_id: str) -> None:
        """Let all who watch a table here look at it again, though it has no new version."""
        with self._lock:
            watching = list(self._watching.get(table_id, ()))
        for subscription in watching:
            subscription.wake_soon()

    def is_watched(self, table_id: str) -> bool:
        """Say whether somebody watches a table."""
        return table_id in self._watching

    def watched(self) -> list[str]:
        """Return the ids of the tables that somebody watches."""
        with self._lock:
            return list(self._watching)


class Relay:
    """A thread that hears what other processes change, and tells the hubs.

    PostgreSQL says it by NOTIFY. On SQLite processes that share the file leave one another
    notices; that somebody has written at all is a number which SQLite keeps for us.

    Parameters
    ----------
    hubs
        Whom to tell, by channel.
    """

    def __init__(self, hubs: Mapping[str, Hub], store: Store) -> None:
        self._hubs = hubs
        self._store = store
        self._stop = threading.Event()
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tianxia-relay", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        self._thread.join(5)

    def _run(self) -> None:
        listen = self._read if self._store.sqlite else self._listen
        while not self._stop.is_set():
            try:
                listen()
            except (sa.exc.DBAPIError, sqlite3.Error, Unavailable, OSError) as error:
                log.warning("no news from other processes until the database is back: %s", error)
            except Exception as error:  # psycopg's own errors reach us bare here
                if self._store.sqlite or not _is_database_error(error):
                    raise
                log.warning("no news from other processes until the database is back: %s", error)
            self._stop.wait(RETRY_SECONDS)

    def _read(self) -> None:
        """Read notices as they come, on a connection that SQLite watches for us."""
        connection = self._store.engine.raw_connection()
        try:
            cursor = connection.cursor()
            last = cursor.execute("SELECT MAX(number) FROM notices").fetchone()[0] or 0
            seen = cursor.execute("PRAGMA data_version").fetchone()
            self._catch_up()
            self.ready.set()
            while not self._stop.wait(READ_SECONDS):
                written = cursor.execute("PRAGMA data_version").fetchone()
                if written == seen:
                    continue
                seen = written
                for number, *notice, origin in cursor.execute(_NOTICES, (last,)).fetchall():
                    last = number
                    if origin != self._store.origin:
                        self._tell(*notice)
        finally:
            connection.close()

    def _tell(self, channel: str, name: str, version: int) -> None:
        if channel in self._hubs:
            self._hubs[channel].publish(name, version)

    def _listen(self) -> None:
        with self._store.glancing() as connection:
            driver: Any = connection.connection.driver_connection
            for channel in self._hubs:
                driver.execute(f"LISTEN {channel}")
            try:
                self._catch_up()
                self.ready.set()
                while not self._stop.is_set():
                    for notice in driver.notifies(timeout=POLL_SECONDS):
                        name, _, version = notice.payload.partition(" ")
                        self._tell(notice.channel, name, int(version))
            finally:
                connection.invalidate()  # it listens: nobody else shall have it

    def _catch_up(self) -> None:
        """Tell of what may have been missed while nobody listened."""
        tables, talk = self._hubs[CHANNEL], self._hubs[TALK_CHANNEL]
        if watched := tables.watched():
            for table_id, version in self._store.versions(watched).items():
                tables.publish(table_id, version)
        if listening := talk.watched():
            numbers = self._store.talk_numbers([table_of(name) for name in listening])
            for name in listening:
                talk.publish(name, numbers.get(table_of(name), 0))
        for channel in (ASKED_CHANNEL, MINDS_CHANNEL, LOBBY_CHANNEL):
            for name in self._hubs[channel].watched():
                self._hubs[channel].wake(name)


def ear(table_id: str, viewer: int) -> str:
    """Return the name under which a viewer (a seat or SPECTATOR) is told of talk."""
    return f"{table_id}/{viewer}"


def table_of(name: str) -> str:
    """Return the table of an `ear`."""
    return name.rpartition("/")[0]


def _is_database_error(error: Exception) -> bool:
    import psycopg

    return isinstance(error, psycopg.Error)
