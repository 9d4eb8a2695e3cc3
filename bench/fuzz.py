"""What a server makes of nonsense: no 5xx, no traceback, no growth of memory.

    python bench/fuzz.py [--count 20000] [--seed 1] [--at-once 8]

Starts a server of its own and sends it that many requests and frames, by a raw socket each: every
route of the pages and of the API, with parameters, queries, bodies, cookies and headers that are
right, nearly right, or anything at all; heads that are none; frames of open pages that are none.
It sends as a guest, as two who play, and as somebody with an account. At the end, and after each
tenth, it says how much memory the server needs; what was answered by a 5xx is printed whole.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.minds.fresh import fresh_server
from tianxia.kernel import mode

mode.interpret()

from tianxia.web.app import ROUTED  # noqa: E402  (the mode is settled first)

ENDLESS = "/events"
"""Streams have no end; the tests try them."""
PATIENCE = 60.0
WARM = 0.2
"""Of all that is sent, after which memory should not grow any more."""
LONG = 60_000
"""What is longer is not read to its end before it is refused."""
MOST_GROWTH = 60.0
"""MB: caches fill, and tables that the nonsense has made are kept in memory."""
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**400, 1e308, float("nan"), 0.1),
    *("", " ", "0", "-1", "null", "\0", "a\0b", "\r\nx: y", "../../etc/passwd", "%00", "%ff", "é"),
    *("\u202e", "\ud800", "𝔘" * 30, "a" * 300, "x" * 5000, "{{7*7}}", "<script>", "' OR 1=1 --"),
    *("stratego", "binfa(turns=9)", "stratego(variant=duel", "NaN", "1e9", "١٢", [], {}, [[[[]]]]),
    *({"a": {"b": [1, None]}}, ["x"] * 200, [0] * 600, {"": ""}, [[]] * 50),
)
QUERIES: tuple[str, ...] = (
    "for",
    "lang",
    "theme",
    "version",
    "talk",
    "ply",
    "wait",
    "next",
    "game",
    "player",
)
QUERIES += ("result", "before", "reports", "done", "to", "key", "language", "action", "element")
FRAMES = (b"", b"{}", b"[]", b"null", b"\xff\xfe", b'{"seen":', b'{"version": 1e999}', b"x" * 5000)
METHODS = (
    "GET",
    "POST",
    "HEAD",
    "PUT",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "get",
    "\x00",
    "A" * 99,
)
PASSWORD = "correct horse battery"


class Nonsense:
    """Makes up requests and frames. All of it follows from the seed."""

    def __init__(self, seed: int, described: dict[str, Any], paths: list[tuple[str, str]]) -> None:
        self.dice = random.Random(seed)
        self.described = described
        self.paths = paths
        self.tables: list[str] = []
        self.who: list[dict[str, str]] = [{}]
        self.form_token = ""

    # --- Values ---

    def odd(self) -> Any:
        return self.dice.choice(ODD)

    def word(self) -> str:
        found = self.odd()
        return found if isinstance(found, str) else json.dumps(found)

    def value(self, schema: dict[str, Any], depth: int = 0) -> Any:
        """Return something that a schema allows, or nearly."""
        if self.dice.random() < 0.12 or depth > 6:
            return self.odd()
        while "$ref" in schema:
            schema = self.described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if choices := schema.get("anyOf") or schema.get("oneOf"):
            return self.value(self.dice.choice(choices), depth + 1)
        if known := schema.get("enum") or schema.get("examples"):
            return self.dice.choice(known)
        if "const" in schema:
            return schema["const"]
        return self._of_type(schema, depth)

    def _of_type(self, schema: dict[str, Any], depth: int) -> Any:
        match schema.get("type"):
            case "object":
                inside = schema.get("properties", {})
                needed = schema.get("required", ())
                chosen = [name for name in inside if name in needed or self.dice.random() < 0.4]
                made = {name: self.value(inside[name], depth + 1) for name in chosen}
                return made | ({self.word(): self.odd()} if self.dice.random() < 0.05 else {})
            case "array":
                many = self.dice.choice((0, 1, 2, 2, 5))
                return [self.value(schema.get("items", {}), depth + 1) for _ in range(many)]
            case "integer":
                return self.dice.choice((0, 1, 2, 3, 17, self.dice.randrange(4000)))
            case "number":
                return self.dice.choice((0, 0.5, 7))
            case "boolean":
                return self.dice.random() < 0.5
            case _:
                return self.dice.choice(("Ada", "stratego", "agree", self.word()))

    # --- Requests ---

    def request(self) -> tuple[bytes, str]:
        """Return a request as it is sent, and what stands in the report for it."""
        if self.dice.random() < 0.03:
            return self._no_request(), "no request"
        method, path = self.dice.choice(self.paths)
        told = f"{method} {path}"
        if self.dice.random() < 0.05:
            method = self.dice.choice(METHODS)
        headers = self._headers()
        body = b""
        if method not in ("GET", "HEAD", "OPTIONS"):
            body, kind = self._body(path, method)
            headers["content-type"] = kind
        if self.dice.random() < 0.98:
            headers["content-length"] = str(len(body))
        head = (
            f"{method} {self._address(path)} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n"
        )
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{head}{lines}\r\n".encode("utf-8", "surrogatepass") + body, told

    def _no_request(self) -> bytes:
        return self.dice.choice(
            (
                self.dice.randbytes(200),
                b"GET / HTTP/9.9\r\n\r\n",
                b"GET http://other.example/ HTTP/1.1\r\n\r\n",
                b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
                b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n",
                b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\ncontent-length: 2\r\n\r\nabc",
                b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 3000 + b"\r\n",
                b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
                b"GET /\xff\xfe?\xc3\x28 HTTP/1.1\r\nhost: \xff\r\ncookie: \x80=\x81\r\n\r\n",
            )
        )

    def _address(self, path: str) -> str:
        def filled(found: re.Match[str]) -> str:
            name = found[1]
            if name == "table_id" and self.tables and self.dice.random() < 0.8:
                return self.dice.choice(self.tables)
            if name in ("game", "kind") and self.dice.random() < 0.7:
                return self.dice.choice(("stratego", "binfa", "china", "firebulls", "suntzu"))
            if self.dice.random() < 0.5:
                return str(self.dice.randrange(4))
            return quote(self.word().encode("utf-8", "surrogatepass"), safe="")[:2000]

        address = re.sub(r"\{(\w+)(?::\w+)?\}", filled, path)
        if self.dice.random() < 0.35:
            names = [self.dice.choice((*QUERIES, "option-x", "seat-0", "")) for _ in range(2)]
            pairs = [(name, "0" if name == "wait" else self.word()) for name in names]
            address += "?" + urlencode(pairs, errors="surrogatepass")[:4000]
        return address

    def _headers(self) -> dict[str, str]:
        headers = {"sec-fetch-site": "same-origin", **self.dice.choice(self.who)}
        for name in ("accept", "accept-language", "if-none-match", "range", "authorization"):
            if self.dice.random() < 0.05:
                headers[name] = re.sub(r"[\r\n\0]", "", self.word())[:500]
        if self.dice.random() < 0.05:
            headers["cookie"] = f"tianxia_person={quote(self.word()[:200], errors='replace')}; ="
        return headers

    def _body(self, path: str, method: str) -> tuple[bytes, str]:
        """Return a body and its kind."""
        if self.dice.random() < 0.05:
            return self.dice.randbytes(self.dice.choice((1, 50, 70_000))), "application/json"
        if not path.startswith("/api/") and self.dice.random() < 0.7:
            fields = {self.dice.choice(("name", "about", "seat", "text", "game")): self.word()}
            fields |= {"token": self.form_token, "nickname": "Ada", "password": self.word()}
            text = urlencode(fields, errors="surrogatepass")
            return text.encode(), "application/x-www-form-urlencoded"
        described = self.described["paths"].get(path, {}).get(method.lower(), {})
        content = described.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {"type": "object"})
        text = json.dumps(self.value(schema))
        if self.dice.random() < 0.05:
            text = text[: len(text) // 2] + "\ud800"
        return text.encode("utf-8", "surrogatepass"), "application/json"

    # --- Frames ---

    def frames(self) -> list[bytes]:
        """Return frames as they are sent; the first is the handshake of an open page."""
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        table = self.dice.choice((*self.tables, "none"))
        query = urlencode({"version": self.word()}, errors="surrogatepass")[:300]
        head = (
            f"GET /t/{table}/live?{query} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\n"
            f"connection: upgrade\r\nsec-websocket-key: {key}\r\nsec-websocket-version: 13\r\n\r\n"
        )
        return [head.encode(), *(self._frame() for _ in range(self.dice.randrange(1, 6)))]

    def _frame(self) -> bytes:
        if self.dice.random() < 0.3:
            return self.dice.randbytes(self.dice.randrange(1, 60))
        text = self.dice.choice((*FRAMES, self.word().encode("utf-8", "surrogatepass")))
        opcode = self.dice.choice((0x81, 0x81, 0x81, 0x82, 0x80, 0x01, 0x88, 0x89, 0x8F, 0xF1))
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        return bytes([opcode]) + length + b"\0\0\0\0" + text


class Sender:
    """Sends what was made up, and notes what came of it."""

    def __init__(self, port: int, nonsense: Nonsense) -> None:
        self.port, self.nonsense = port, nonsense
        self.statuses: Counter[str] = Counter()
        self.unanswered: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.sent = 0

    async def one(self) -> None:
        """Send one request, or the frames of one open page."""
        if self.nonsense.dice.random() < 0.1:
            parts, told = self.nonsense.frames(), "frames"
            self.sent += len(parts)
        else:
            request, told = self.nonsense.request()
            parts = [request]
            self.sent += 1
        try:
            ends = told == "no request"  # it would be waited for
            answer = await asyncio.wait_for(self.talk(parts, ends=ends), PATIENCE)
        except TimeoutError:
            self.wrong.append(f"no answer: {told} {parts[0][:400]!r}")
            return
        except OSError:
            answer = b""
        status = answer[9:12].decode("ascii", "replace") if answer else "none"
        self.statuses[status] += 1
        if not answer:
            size = "long" if len(parts[0]) > LONG else "short"
            kind = told if told in ("frames", "no request") else told.partition(" ")[0]
            self.unanswered[f"{kind}, {size}"] += 1
        waking = status == "503" and "/readyz" in told  # so it should be: nobody thinks here
        if (status.startswith("5") and not waking) or b"Traceback (most recent" in answer:
            self.wrong.append(f"{status}: {told} {parts[0][:600]!r}")

    async def talk(self, parts: list[bytes], *, ends: bool) -> bytes:
        """Return all that the server answers until it hangs up."""
        into, out = await asyncio.open_connection("127.0.0.1", self.port)
        answer = b""
        try:
            out.write(parts[0])
            await out.drain()
            if len(parts) == 1:
                if ends:
                    out.write_eof()
                return await into.read()
            answer = await into.readuntil(b"\r\n\r\n")
            for part in parts[1:]:
                out.write(part)
                await out.drain()
            out.write_eof()
            answer += await into.read()
        except asyncio.IncompleteReadError as error:
            return error.partial
        except ConnectionError:  # what is sent to a page that has ended is not read to its end
            pass
        finally:
            out.close()
        return answer


def arrive(nonsense: Nonsense, address: str) -> None:
    """Let two sit down at a table, and one make an account."""
    with httpx.Client(base_url=address, timeout=PATIENCE) as api:
        for _ in range(2):
            token = api.post("/api/v1/people").raise_for_status().json()["token"]
            nonsense.who.append({"authorization": f"Bearer {token}"})
        for game in ("stratego", "suntzu"):
            wish = {"game": game, "seats": ["me", "open"], "talk": True, "public": True}
            made = api.post("/api/v1/tables", json=wish, headers=nonsense.who[1])
            table = made.raise_for_status().json()["table"]
            sits = api.post(
                f"/api/v1/tables/{table}/sit", json={"seat": 1}, headers=nonsense.who[2]
            )
            sits.raise_for_status()
            nonsense.tables.append(table)
        api.headers["sec-fetch-site"] = "same-origin"
        found = re.search(r'name="token" value="(\w+)"', api.get("/sign-in").text)
        assert found is not None
        nonsense.form_token = found[1]
        fields = {"token": found[1], "name": "Fuzzer", "password": PASSWORD}
        api.post("/register", data=fields).raise_for_status()
        cookies = "; ".join(f"{name}={value}" for name, value in api.cookies.items())
        nonsense.who.append({"cookie": cookies})


def routes() -> list[tuple[str, str]]:
    """Return method and path of all that can be asked for, but for streams."""
    found = set()
    for module in ROUTED:
        for route in module.router.routes:
            for method in getattr(route, "methods", None) or ():
                path = getattr(route, "path", "")
                if not path.endswith(ENDLESS):
                    found.add((method, path))
    return sorted(found)


async def send(
    sender: Sender, count: int, at_once: int, memory: Callable[[], float]
) -> list[float]:
    """Send it all; return the memory after each tenth."""
    needed: list[float] = []

    async def worker() -> None:
        while sender.sent < count:
            await sender.one()
            if sender.sent >= (len(needed) + 1) * count / 10:
                needed.append(memory())
                print(f"{sender.sent:9,} sent, {needed[-1]:4.0f} MB", flush=True)

    await asyncio.gather(*(worker() for _ in range(at_once)))
    return needed


def main() -> None:
    """Start a server, send, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=8)
    given = parser.parse_args()
    settings = {"TIANXIA_THINKERS": "0", "TIANXIA_RATE": "0"}
    with tempfile.TemporaryDirectory(prefix="tianxia-fuzz-") as name:
        with fresh_server(Path(name), settings) as server:
            server.first_page()
            address = str(server.api.base_url).rstrip("/")
            described = server.api.get("/api/openapi.json").raise_for_status().json()
            nonsense = Nonsense(given.seed, described, routes())
            arrive(nonsense, address)
            sender = Sender(int(address.rpartition(":")[2]), nonsense)

            def own() -> float:
                return server.memory().own

            begun = time.monotonic()
            needed = asyncio.run(send(sender, given.count, given.at_once, own))
            seconds = time.monotonic() - begun
            alive = server.api.get("/healthz").status_code
        log = (Path(name) / "log").read_text(encoding="utf-8").splitlines()
    growth = needed[-1] - needed[max(0, int(WARM * len(needed)) - 1)]
    traces = [line for line in log if '"trace"' in line or not line.startswith("{")]
    print(f"{sender.sent:,} requests and frames in {seconds:.0f} s: {dict(sender.statuses)}")
    print(f"without an answer, by kind: {dict(sender.unanswered)}")
    print(f"growth after the first fifth: {growth:.1f} MB; log: {len(log):,} lines")
    for line in (*sender.wrong[:20], *traces[:5]):
        print(line[:3000])
    sys.exit(1 if sender.wrong or traces or alive != 200 or growth > MOST_GROWTH else 0)


if __name__ == "__main__":
    main()
