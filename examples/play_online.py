"""A bot that plays at tables through the API: in any language it would look like this.

It needs a token (of an account for a bot, or of `POST /api/v1/people`), takes the free seat of
the tables that are named, and plays wherever it sits: here, at random.

    python examples/play_online.py http://localhost:8000 TOKEN [TABLE ...]
"""

from __future__ import annotations

import json
import random
import secrets
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any


class Api:
    """The API of a server, asked with a token."""

    def __init__(self, server: str, token: str) -> None:
        self._address = f"{server}/api/v1"
        self._token = token

    def open(self, path: str, body: Any = None) -> Any:
        """Ask for something; with a body, let something be done."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        return urllib.request.urlopen(urllib.request.Request(self._address + path, data, headers))

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the answer to a request."""
        with self.open(path, body) as answer:
            return json.load(answer)

    def events(self, query: str = "") -> Iterator[dict[str, Any]]:
        """Yield what happens at our tables; empty lines only say that the stream is alive."""
        with self.open(f"/events{query}") as lines:
            for line in lines:
                if line.strip():
                    yield json.loads(line)


def sit(api: Api, table_id: str) -> None:
    """Take the first free seat of a table."""
    free = api.ask(f"/tables/{table_id}")["may"]["sit"]
    if free:
        api.ask(f"/tables/{table_id}/sit", {"seat": free[0], "nickname": "Random"})


def come(api: Api, table_id: str) -> None:
    """Say that we are there: a game of people who were paired begins when all have said so."""
    try:
        api.ask(f"/tables/{table_id}/seed", {"seed": secrets.token_hex(16)})
    except urllib.error.HTTPError as refused:
        if refused.code != 409:  # it has begun meanwhile
            raise


def play(api: Api, table_id: str) -> None:
    """Decide once at a table, if we are asked still."""
    table = api.ask(f"/tables/{table_id}")
    if not table["your_turn"]:
        return
    action = random.choice(table["legal"])["token"]
    try:
        api.ask(f"/tables/{table_id}/act", {"actions": [action], "decision": table["decision"]})
    except urllib.error.HTTPError as refused:
        if refused.code != 409:  # the table has moved on: the next line of the stream says how
            raise


def main(server: str, token: str, tables: list[str]) -> None:
    """Play until somebody stops us."""
    api = Api(server, token)
    for table_id in tables:
        sit(api, table_id)
    for event in api.events():
        print(event["type"], event["table"], flush=True)
        if event["status"] == "waiting":
            come(api, event["table"])
        elif event["type"] == "turn":
            play(api, event["table"])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
