"""The table page without a server: templates, styles and the module, with a made-up game.

The board is five squares in a row and two cards; answers to requests are made here, and
fragments are pushed as the server would.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, PackageLoader
from markupsafe import Markup

from tianxia.draw.scene import Panel, Scene
from tianxia.web.fragment import fragment
from tianxia.web.parts import ENDING, Piece
from tianxia.web.rendering import SEATED
from tianxia.web.templating import embedded, environment, render

HOST = "http://table.test"
STATIC = files("tianxia.web") / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'"
)
BASE = """<!doctype html><html lang="{{ language }}"><head><meta charset="utf-8">
<link rel="icon" href="/static/x/seal.svg"><title>{% block title %}{% endblock %}</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/static/x/css/theme.css">
<link rel="stylesheet" href="/static/x/css/site.css">
<link rel="stylesheet" href="/static/x/css/table.css">{% block head %}{% endblock %}</head>
<body class="at-table"><main id="main">{% block content %}{% endblock %}</main></body></html>"""
SQUARES = ("a", "b", "c", "d", "e")


def board(pieces: dict[str, str]) -> str:
    """Draw five squares in a row with pieces (by name: the square where each stands)."""
    squares = "".join(
        f'<rect id="e-{name}" data-e="{name}" role="button" tabindex="-1" aria-label="{name}"'
        f' x="{100 * i}" y="0" width="100" height="100" fill="#ddd" stroke="#333"/>'
        for i, name in enumerate(SQUARES)
    )
    drawn = "".join(
        f'<g id="p-{name}" class="piece" pointer-events="none"'
        f' transform="translate({100 * SQUARES.index(place)} 0)">'
        '<circle cx="50" cy="50" r="35" fill="#933"/></g>'
        for name, place in sorted(pieces.items())
    )
    symbols = (
        '<defs><g id="s-x"><circle cx="50" cy="50" r="40"/></g>'
        '<g id="s-y"><path d="M10 90L50 10L90 90z"/></g></defs>'
    )
    inside = symbols + squares + drawn
    return f'<svg viewBox="0 0 500 100" role="group" aria-label="Board">{inside}</svg>'


HAND = "".join(
    f'<button type="button" data-e="card{i}" class="card hand-card" aria-label="card {i}">{i}'
    '<svg viewBox="0 0 100 100" width="20" height="20"><use href="#s-y"/></svg></button>'
    for i in (1, 2)
)


def gesture(
    action: int,
    *steps: Any,
    label: str = "",
    final: bool = False,
    preview: bool = False,
    puts: str = "",
) -> dict[str, Any]:
    """Return a gesture as the page holds it."""
    made = {"a": action, "s": list(steps), "l": label or f"action {action}", "f": final}
    return {**made, **({"p": True} if preview else {}), **({"u": puts} if puts else {})}


END = {
    "html": '<h2 id="ending-title" tabindex="-1">Red has won</h2>'
    '<button type="button" data-ending="close">To the board</button>'
    '<button type="button" data-share="" data-code="table">Share</button>'
}
ANSWERS = {"end": (200, END), "ask": (404, {"error": {"code": "no-answer", "text": ""}})}
"""What the mouse asks about by resting somewhere has no answer here."""
BUTTONS = (*SEATED, "come_back", "join", "accept")
TABLE: dict[str, Any] = {
    "id": "T1",
    "title": "Game",
    "options": "",
    "status": "playing",
    "viewer": 0,
    "your_turn": True,
    "ending": "",
    "result": "",
    "draw_offer": None,
    "take_back_ask": None,
    "chance_hash": "00ff",
    "wants_seed": False,
    "chance_secret": None,
    "stuck": False,
    "pace": "",
    "rated": False,
    "aborting": (),
    "ply": None,
    "plies": None,
    "led": "1 1 1",
    "talk": False,
    "steps": [],
    "stage": "",
    "source": None,
    "gallery": False,
}
SEAT: dict[str, Any] = {
    "acting": False,
    "thinking": False,
    "finished": False,
    "won": False,
    "stand_in": False,
    "clock": None,
    "kept_for": "",
    "declined_by": "",
    "kind": "person",
}
SEATS = [
    {**SEAT, "number": 0, "side": "Red", "name": "Ada", "you": True, "acting": True},
    {**SEAT, "number": 1, "side": "Blue", "name": "Bot", "you": False},
]


def log_line(number: int, said: str | tuple[str, str]) -> str:
    """Draw a line of the log: its text, or that of sides and the one that calls people by name."""
    plain, text = (said, said) if isinstance(said, str) else said
    line = {"number": number, "seat": 0, "text": plain, "kind": "act", "undone": False}
    shown = SimpleNamespace(**line, touched=("a", "b") if number == 1 else ())
    turn = SimpleNamespace(seat=0, text=text, number=number, lines=(shown,))
    return render("log_turn", "en", turn=turn, lines=[(shown, text)], army="jade")


def context(
    version: int,
    gestures: Any,
    pieces: Any = None,
    log: Any = ("It began.",),
    arrangement: Any = None,
    partial: bool = False,
    may: Any = (),
    decision: int | None = None,
    adviser: Any = None,
    premoves: Any = None,
    ahead: Any = None,
    together: Any = None,
    seats: Any = SEATS,
    chances: Any = None,
    told: str = "",
    **changes: Any,
) -> dict[str, Any]:
    """Return what the template of a fragment is given."""
    name = f"v{version}"
    hand = (Panel("hand", "Hand", HAND, "hand"),)
    picture = board(pieces or {"one": "a", "two": "b"})
    decision = version if decision is None else decision
    data = {"version": name, "decision": decision, "gestures": list(gestures)}
    data |= {"premoves": premoves} if premoves else {}
    data |= {"ahead": ahead} if ahead else {}
    data |= {"together": together} if together else {}
    return {
        "table": SimpleNamespace(**{**TABLE, "version": name, "decision": decision, **changes}),
        "seats": [SimpleNamespace(**seat) for seat in seats],
        "armies": ("jade", "plum", "ochre", "teal"),
        "scene": Scene(picture, (), None, (), "a b c d e", f"{told} Your turn.".strip(), told=told),
        "panels": SimpleNamespace(dock=hand, side=()),
        "log": Markup("".join(reversed([log_line(i, text) for i, text in enumerate(log)]))),
        "may": SimpleNamespace(sit=[], **{button: button in may for button in BUTTONS}),
        "colours": (),
        "standing": [],
        "guide": None,
        "chances": chances,
        "waking": None,
        "adviser": adviser,
        "awaited": False,
        "links": SimpleNamespace(
            table="/t/T1",
            seat=None,
            transcript="#",
            rules="/rules",
            new="/new/game",
            next=None,
            here_only=False,
            tournament=None,
        ),
        "gestures_json": embedded({**data, "arrangement": arrangement, "partial": partial}),
    }


@dataclass
class Alone:
    """One open page, what it has sent, and what it is answered."""

    page: Any
    version: int = 1
    sent: list[tuple[str, Any]] = field(default_factory=list)
    answers: dict[str, tuple[int, Any]] = field(default_factory=lambda: dict(ANSWERS))
    socket: Any = None
    sockets: int = 0
    refusing: bool = False
    before_answering: Callable[[], None] | None = None

    def piece(self, gestures: Any = (), language: str = "en", **changes: Any) -> Piece:
        """Return a fragment; `changes` go over a table in the middle of a game."""
        return fragment(context(self.version, gestures, **changes), language, ())

    def fragment(self, gestures: Any = (), **changes: Any) -> str:
        """Return all of it."""
        return self.piece(gestures, **changes).html

    def open(self, gestures: Any = (), **changes: Any) -> None:
        """Open the page."""
        language = changes.get("language", "en")
        shown = self.fragment(gestures, **changes)
        html = (
            templates(language)
            .get_template("table.html.jinja")
            .render(
                table=SimpleNamespace(title="Game", id="T1", game="game"),
                fragment=Markup(shown),
                links=SimpleNamespace(rules="/rules", tournament=None),
                context=SimpleNamespace(nickname="Ada", theme="system", base=HOST),
                switch=lambda name, value: f"?{name}={value}",
                talk="",
                sprite="",
            )
        )
        self.page.route(f"{HOST}/**", lambda route: self.answer(route, html))
        self.page.route_web_socket("ws://table.test/**", self.connected)
        self.page.goto(f"{HOST}/t/T1")
        self.page.wait_for_selector("#table-page[data-ready]")

    def connected(self, socket: Any) -> None:
        self.socket = socket
        self.sockets += 1
        if self.refusing:
            socket.close()

    def answer(self, route: Any, html: str) -> None:
        path = route.request.url.removeprefix(HOST).partition("?")[0]
        if path.startswith("/static/"):
            name = path.split("/", 3)[3]  # what fragments ask for has a number of its own
            place = (
                files("tianxia.draw") / "theme.css" if name == "css/theme.css" else STATIC / name
            )
            kind = "text/javascript" if name.endswith(".js") else "text/css"
            route.fulfill(body=place.read_bytes() if place.is_file() else b"", content_type=kind)
        elif path == "/t/T1":
            route.fulfill(
                body=html, content_type="text/html", headers={"content-security-policy": POLICY}
            )
        else:
            self.sent.append((path.removeprefix("/t/T1/"), route.request.post_data_json))
            if self.before_answering:
                self.before_answering()
                self.page.wait_for_timeout(100)
            status, body = self.answers.get(path.removeprefix("/t/T1/"), (200, {}))
            route.fulfill(status=status, body=json.dumps(body), content_type="application/json")

    def push(self, gestures: Any = (), **changes: Any) -> None:
        """Push a new fragment through the WebSocket."""
        self.version += 1
        html = self.fragment(gestures, **changes)
        self.socket.send(json.dumps({"version": f"v{self.version}", "html": html}))

    def push_parts(
        self, *names: str, log: Any = None, bits: Any = None, gestures: Any = (), **changes: Any
    ) -> None:
        """Push some parts of a new fragment, single elements of its board, lines of the log."""
        before, self.version = self.version, self.version + 1
        piece = self.piece(gestures, **changes)
        parts = {name: piece.parts[name] for name in (*names, "gestures")}
        message: dict[str, Any] = {
            "version": f"v{self.version}",
            "known": f"v{before}",
            "root": piece.root + ENDING,
        }
        more = {"log": log, "bits": bits}
        message |= {"parts": parts} | {name: value for name, value in more.items() if value}
        self.socket.send(json.dumps(message))

    def asked(self, path: str = "act") -> None:
        """Wait until the page has asked for something, and as long again as a second time takes."""
        for _ in range(300):
            if any(one == path for one, _ in self.sent):
                break
            self.page.wait_for_timeout(30)
        self.page.wait_for_timeout(100)

    def acts(self) -> list[list[int]]:
        """Return the actions that the page has sent."""
        return [body["actions"] for path, body in self.sent if path == "act"]

    def lit(self) -> list[str]:
        """Return the elements that are marked as clickable."""
        names: list[str] = self.page.eval_on_selector_all(
            ".is-lit", "nodes => nodes.map(n => n.dataset.e)"
        )
        return names

    def click(self, element: str) -> None:
        self.page.click(f'[data-e="{element}"]')

    def until(self, script: str) -> None:
        """Wait until an expression holds (the page's policy forbids Playwright's own way)."""
        for _ in range(100):
            if self.page.evaluate(script):
                return
            self.page.wait_for_timeout(30)
        raise AssertionError(f"this has not become true: {script}")


def templates(language: str) -> Any:
    """Return the templates with a base page of our own."""
    made = environment(language).overlay(
        loader=ChoiceLoader(
            [DictLoader({"base.html.jinja": BASE}), PackageLoader("tianxia.web", "templates")]
        )
    )
    made.globals = {**made.globals, "static": lambda name: f"/static/x/{name}"}
    return made
