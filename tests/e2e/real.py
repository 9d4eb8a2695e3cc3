"""Pages of real games without a server: positions, drawn and put together as the server does.

``python -m tests.e2e.real`` writes the pages asked for on its standard input as lines of JSON
(game, options, seats of people, seed, plies, viewer, language), each at once as a line of JSON. It
is a process of its own because rules are interpreted there, so that nothing is compiled.
"""

from __future__ import annotations

import atexit
import json
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import Thread
from typing import Any
from unittest.mock import patch

STATIC = files("tianxia.web") / "static"


@dataclass(frozen=True)
class Asked:
    """Which position, and who looks at it.

    Attributes
    ----------
    plies
        How many random actions after the set-up; −1: during the set-up, or before the first
        action where there is none; −2: while seats are free.
    viewer
        A seat, or None for a spectator.
    """

    game: str
    plies: int
    viewer: int | None = 0
    language: str = "en"
    seed: int = 1
    theme: str = "system"


def pages(wanted: Iterable[Asked]) -> Iterator[dict[str, Any]]:
    """Return the pages in their order."""
    drawer = _drawer()
    assert drawer.stdin
    assert drawer.stdout
    for one in wanted:
        drawer.stdin.write(json.dumps(asdict(one)) + "\n")
        drawer.stdin.flush()
        line = drawer.stdout.readline()
        assert line, (
            "the process that draws has ended: its error is among what this one has written"
        )
        yield json.loads(line)


@cache
def _drawer() -> subprocess.Popen[str]:
    """Start the process that draws; all tests ask the same one, since it takes seconds to start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.real"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def end() -> None:
        process.communicate()  # closes its input, and waits

    atexit.register(end)
    return process


class Site:
    """Shows pages in browsers; they have their styles and modules, and nobody answers them.

    A server in a thread, since browsers keep nothing of what Playwright answers: they would
    translate all modules anew for each page.
    """

    def __init__(self) -> None:
        self._html = ""
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                status, kind, body = site._answer(self.path.partition("?")[0])
                kept = self.path.startswith("/static/")
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.send_header("cache-control", "max-age=9999" if kept else "no-store")
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.close_connection = True  # what was sent is not read
                self.do_GET()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._place = f"127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def show(self, page: Any, html: str) -> None:
        """Load a page and wait until it takes clicks."""
        self._html = html
        page.route_web_socket(f"ws://{self._place}/**", lambda socket: None)
        page.goto(f"http://{self._place}/t/T1")
        page.wait_for_selector("#table-page[data-ready]")

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, path: str) -> tuple[int, str, bytes]:
        _, _, name = path.removeprefix("/static/").partition("/")
        if path.startswith("/static/"):
            kind = "text/javascript" if name.endswith(".js") else "text/css"
            return 200, "image/svg+xml" if name.endswith(".svg") else kind, _file(name)
        if path.startswith("/t/") and path.count("/") == 2:
            return 200, "text/html", self._html.encode()
        return 503, "application/json", b"{}"


def _file(name: str) -> bytes:
    from tianxia.web.static import static

    found = static().files.get(name)
    return found.content if found else b""


# --- In the process that draws ---


def _main() -> None:
    from tianxia.kernel import mode

    mode.interpret()
    from tianxia.tables import Tables

    made: dict[tuple[str, int], _Course] = {}
    for line in sys.stdin:
        asked = Asked(**json.loads(line))
        key = (asked.game, asked.seed)
        if key not in made or made[key].plies > asked.plies:
            made[key] = _Course(Tables("sqlite://"), asked.game, asked.seed)
        html = _page(made[key].tables, made[key], asked)
        print(json.dumps({**asdict(asked), "html": html}), flush=True)


class _Course:
    """A game that is played on at random."""

    def __init__(self, tables: Any, spec: str, seed: int) -> None:
        import tianxia
        from tianxia.tables import SeatPlan

        self.tables, self.game = tables, tianxia.game(spec)
        self.dice, self.plies = random.Random(seed), -2
        seats = self.game.seats
        self.people = [f"p{seat}" for seat in range(seats)]
        plans = [SeatPlan("me"), *[SeatPlan("open")] * (seats - 1)]
        # What chance draws follows from a table's secret and its id.
        chosen = sha256(f"{spec} {seed}".encode()).hexdigest()
        with (
            patch("tianxia.tables.service.new_secret", return_value=chosen),
            patch("tianxia.tables.people.new_id", return_value=chosen[:12]),
        ):
            self.id = tables.create(
                self.game, plans, person="p0", nickname="Maximilian", talk=True
            ).table_id

    def go_to(self, plies: int) -> None:
        if self.plies == -2 and plies > -2:
            for seat in range(1, self.game.seats):
                self.tables.take_seat(self.id, seat, self.people[seat], f"Player {seat}")
            self.plies = -1
        if self.plies == -1 and plies >= 0:
            self._set_up()
            self.plies = 0
        while self.plies < plies and self._act():
            self.plies += 1

    def _set_up(self) -> None:
        while len(self.tables.snapshot(self.id).acting) > 1 and self._act():
            pass

    def _act(self) -> bool:
        snapshot = self.tables.snapshot(self.id)
        if snapshot.status != "playing":
            return False
        seat = snapshot.acting[0]
        action = self.dice.choice(snapshot.view(seat).legal_actions(seat))
        self.tables.act(self.id, self.people[seat], [action], snapshot.decision(seat))
        return True


def _page(tables: Any, course: _Course, asked: Asked) -> str:
    from types import SimpleNamespace

    from markupsafe import Markup

    from tianxia.tables.reviews import NOTHING
    from tianxia.web.app_state import _switch
    from tianxia.web.catalogue import rules_address, title_of
    from tianxia.web.rendering import Renderer, Viewer, sprite_of
    from tianxia.web.static import game_style, static
    from tianxia.web.talk import talk_piece
    from tianxia.web.templating import render

    course.go_to(asked.plies)
    snapshot, renderer = tables.snapshot(course.id), Renderer()
    key = "KEY" if asked.viewer is not None else ""
    viewer = Viewer(asked.viewer, asked.language, "http://localhost:8000", key)
    piece = renderer.piece(snapshot, viewer, NOTHING)
    heard = tables.talk.heard(course.id, viewer.code)
    kind = snapshot.game.kind
    request = SimpleNamespace(url=SimpleNamespace(path="/t/T1"))
    return render(
        "table",
        asked.language,
        sheets=static().sheets(kind.name),
        context=SimpleNamespace(nickname="Ada", theme=asked.theme, base=""),
        switch=_switch(request),  # type: ignore[arg-type]
        table={"id": "T1", "game": kind.name, "title": title_of(kind, asked.language)},
        fragment=Markup(piece.html),
        talk=Markup(talk_piece(snapshot, heard, viewer, renderer.armies(snapshot)).html),
        sprite=sprite_of(snapshot.game),
        styles=[game_style(kind.name)],
        links={"rules": rules_address(snapshot.game), "tournament": None},
    )


if __name__ == "__main__":
    _main()
