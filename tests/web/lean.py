"""A web process from its start to the first page of every game, with interpreted rules.

``python -m tests.web.lean`` prints what it took, as JSON: CPU seconds and MB of memory when
the application is there, and after a table of every game was opened, looked at and played at.
It asks the application as a server does, since a client would take memory, too.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

from tests.memory import memory
from tianxia.kernel import mode


class Client:
    """Somebody who keeps cookies."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.cookies: dict[str, str] = {}

    async def ask(self, method: str, path: str, body: Any = None) -> str:
        """Return the body of an answer that went well."""
        sent = b"" if body is None else json.dumps(body).encode()
        headers = {"host": "127.0.0.1", "sec-fetch-site": "same-origin", "accept": "text/html"}
        headers["content-type"] = "application/json"
        headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        answer: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            answer.append(message)

        await self.app(scope, receive, send)
        for name, value in answer[0]["headers"]:
            if name == b"set-cookie":
                cookie, _, text = value.decode().partition(";")[0].partition("=")
                self.cookies[cookie] = text
        text = b"".join(part.get("body", b"") for part in answer[1:]).decode()
        assert answer[0]["status"] < 400, text
        return text


async def context(app: Any, games: Sequence[str]) -> None:
    """Open a table of every game, and look at its page."""
    import tianxia

    async with app.router.lifespan_context(app):
        client = Client(app)
        await client.ask("GET", "/")
        for game in games:
            await client.ask("GET", f"/new/{game}")
            seats = ["me", *["open"] * (tianxia.game(game).seats - 1)]
            wish = {"game": game, "options": {}, "seats": seats, "nickname": "Ada"}
            table = json.loads(await client.ask("POST", "/api/v1/tables", wish))["table"]
            await client.ask("GET", f"/t/{table}")


def play(games: Sequence[str], plies: int) -> None:
    """Play the beginning of a random game of each through Tianxia's Python face."""
    import tianxia
    from tianxia.testing import Walk

    for game in games:
        walk = Walk(tianxia.game(game), 1, plies)
        for seat, action in walk:
            for viewer in walk.viewers:
                walk.state.view(viewer)
                walk.state.seen(action, seat, viewer)


def main() -> None:
    mode.interpret()
    import tianxia
    from tianxia.kernel.registry import games
    from tianxia.tables import Tables
    from tianxia.web.app import create_app
    from tianxia.web.settings import Settings

    assert tianxia.__version__
    app = create_app(Settings(secret="a secret for tests only", rate=0), tables=Tables("sqlite://"))
    figures = {"start_cpu": time.process_time(), "start": memory()}
    asyncio.run(context(app, games()))
    figures |= {"pages_cpu": time.process_time(), "pages": memory()}
    play(games(), 250)
    figures |= {"played_cpu": time.process_time(), "played": memory()}
    compilers = sorted({"numba", "llvmlite"} & set(sys.modules))
    print(json.dumps({**figures, "compilers": compilers}))


if __name__ == "__main__":
    main()
