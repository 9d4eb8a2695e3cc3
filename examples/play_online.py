"""A bot that plays at tables through the API: in any language it would look like this.

It needs a token (of an account for a bot, or of `POST /api/v1/people`), takes the free seat of
the tables that are named, accepts challenges, and plays wherever it sits: at random, or as a
program decides that speaks the line protocol, such as one of Tianxia's own bots. Where the server
does not answer for a while it asks again and again.

    python examples/play_online.py http://localhost:8000 TOKEN [TABLE ...]
    python examples/play_online.py http://localhost:8000 TOKEN --program tianxia bot stratego
"""

from __future__ import annotations

import http.client
import json
import random
import secrets
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

USAGE = "usage: play_online.py http://SERVER TOKEN [TABLE ...] [--program COMMAND ...]"
PATIENCE = 60.0
"""Seconds without anything from the server, which says every 15 s that it is there."""
BUSY = (429, 502, 503, 504)
"""Answers that say: not just now."""
LONGEST_PAUSE = 30.0


class Api:
    """The API of a server, asked with a token."""

    def __init__(self, server: str, token: str) -> None:
        self._address = f"{server.rstrip('/')}/api/v1"
        self._token = token

    def open(self, path: str, body: Any = None) -> Any:
        """Ask for something; with a body, let something be done."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self._address + path, data, headers)
        return urllib.request.urlopen(request, timeout=PATIENCE)

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


class Program:
    """Decides for us: a program that speaks the line protocol (docs/protocol.md)."""

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self._table = ""

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def _ask(self, line: str) -> str:
        assert self._process.stdout is not None
        self._write(line)
        return self._process.stdout.readline().strip().rpartition(" ")[2]

    def choose(self, table: dict[str, Any]) -> str:
        """Return the action that it chooses; it knows what its seat sees now, and no more."""
        if table["id"] != self._table:
            self._table, seed = table["id"], secrets.randbelow(2**31)
            self._ask(f"game {table['game']} seat {table['seat']} seed {seed} protocol 1")
        self._write(f"view {table['notation']}")
        return self._ask("choose 1 " + " ".join(one["token"] for one in table["legal"]))

    def close(self) -> None:
        """End it."""
        self._write("quit")
        self._process.communicate()


def chance(table: dict[str, Any]) -> str:
    """Return some action."""
    return str(random.choice(table["legal"])["token"])


def play(api: Api, table_id: str, choose: Callable[[dict[str, Any]], str]) -> None:
    """Decide once at a table, if we are asked still."""
    table = api.ask(f"/tables/{table_id}")
    if not table["your_turn"]:
        return
    wish = {"actions": [choose(table)], "decision": table["decision"]}
    try:
        api.ask(f"/tables/{table_id}/act", wish)
    except urllib.error.HTTPError as refused:
        if refused.code != 409:  # the table has moved on: the next line of the stream says how
            raise


def main(
    server: str,
    token: str,
    tables: list[str],
    choose: Callable[[dict[str, Any]], str] = chance,
) -> None:
    """Play until the stream of events ends."""
    api = Api(server, token)
    for table_id in tables:
        sit(api, table_id)
    for event in api.events():
        print(event["type"], event["table"], flush=True)
        if event["type"] == "challenge":
            api.ask(f"/tables/{event['table']}/accept", {})
        elif event["status"] == "waiting":
            come(api, event["table"])
        elif event["type"] == "turn":
            play(api, event["table"], choose)


def sentence(refused: urllib.error.HTTPError) -> str:
    """Return what the server says of a refusal."""
    try:
        return str(json.load(refused)["error"]["text"])
    except (ValueError, KeyError, TypeError):
        return f"The server answers {refused.code} {refused.reason}."


def stay(
    server: str,
    token: str,
    tables: list[str],
    choose: Callable[[dict[str, Any]], str] = chance,
) -> str:
    """Play, and come back whenever the server was away; return why we cannot go on."""
    pause = 1.0
    while True:
        begun = time.monotonic()
        try:
            main(server, token, tables, choose)
            why = "The stream has ended."
        except urllib.error.HTTPError as refused:
            why = sentence(refused)
            if refused.code not in BUSY:
                return why
        except (OSError, http.client.HTTPException) as away:
            why = f"The server does not answer ({away})."
        pause = 1.0 if time.monotonic() - begun > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
        print(f"{why} Again in {pause:.0f} s.", file=sys.stderr, flush=True)
        time.sleep(pause)


def run(arguments: list[str]) -> str:
    """Do what the command line says; return why we cannot go on."""
    if len(arguments) < 2 or not arguments[0].startswith(("http://", "https://")):
        return USAGE
    server, token, *rest = arguments
    place = rest.index("--program") if "--program" in rest else len(rest)
    command = rest[place + 1 :]
    if not command:
        return stay(server, token, rest[:place])
    program = Program(command)
    try:
        return stay(server, token, rest[:place], program.choose)
    finally:
        program.close()


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
