"""Running the server: ``tianxia serve``."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

import uvicorn

from tianxia.kernel.errors import TianxiaError
from tianxia.web.app import create_app
from tianxia.web.connections import guarded
from tianxia.web.live import LARGEST_FRAME
from tianxia.web.logs import set_up
from tianxia.web.settings import Settings, SettingsError, variable

GOODBYE_SECONDS = 5
"""How long open requests and pages may take to end when the server stops."""
NEXT_PORTS = 20
SWITCH_SECONDS = 0.001
"""Bots and answers share one interpreter; a shorter turn lets answers through sooner."""


class ServeError(TianxiaError):
    """The server cannot start."""


def serve(host: str | None = None, port: int | None = None, *, open_browser: bool = False) -> None:
    """Run the server until it is stopped.

    Parameters
    ----------
    host, port
        Where to listen; what is None is taken from the environment. A port that nobody
        asked for and that is in use is replaced by the next free one.
    open_browser
        Whether to show the first page in the user's browser.

    Raises
    ------
    ServeError, SettingsError
        Where it cannot start, saying why.
    """
    settings = Settings.from_environment()
    chosen = port is not None or variable("port") in os.environ
    settings = replace(
        settings,
        host=host or settings.host,
        port=settings.port if port is None else port,
    )
    if settings.workers > 1 and not settings.database.startswith("postgres"):
        raise SettingsError(
            f"{variable('workers')}={settings.workers} needs PostgreSQL: set {variable('database')}"
        )
    set_up(settings.log_level)
    sys.setswitchinterval(SWITCH_SECONDS)
    listening = listen(settings.host, settings.port, 1 if chosen else NEXT_PORTS)
    settings = replace(settings, port=listening.getsockname()[1])
    address = settings.base or url(settings.host, settings.port)
    sys.stdout.write(f"Tianxia is at {address}  (stop it with Ctrl-C)\n")
    sys.stdout.flush()
    if open_browser:
        _open_soon(address)
    if settings.workers > 1:
        _run_workers(settings, listening)
    else:
        _run(settings, listening)


def options(settings: Settings) -> dict[str, Any]:
    """Return how uvicorn is to run, whatever the number of workers."""
    return {
        "host": settings.host,
        "port": settings.port,
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": settings.proxies or None,
        "timeout_graceful_shutdown": GOODBYE_SECONDS,
        **guarded(settings),
        "ws_max_size": LARGEST_FRAME,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "h11_max_incomplete_event_size": 32 * 1024,
    }


def _run(settings: Settings, listening: socket.socket) -> None:
    server = uvicorn.Server(uvicorn.Config(create_app(settings), **options(settings)))
    with suppress(KeyboardInterrupt), listening:
        asyncio.run(server.serve(sockets=[listening]))


def _run_workers(settings: Settings, listening: socket.socket) -> None:
    """Run several processes; each reads the settings from the environment."""
    listening.close()
    for name, value in asdict(settings).items():
        os.environ[variable(name)] = str(value)
    with suppress(KeyboardInterrupt):
        uvicorn.run(
            "tianxia.web.app:from_environment",
            factory=True,
            workers=settings.workers,
            **options(settings),
        )


def listen(host: str, port: int, tries: int) -> socket.socket:
    """Return a socket that listens at a port, or at one of the next ones.

    Raises
    ------
    ServeError
    """
    for place in range(port, min(port + tries, 65536)):
        try:
            return _bound(host, place)
        except OSError as error:
            last = error
    if port and last.errno is not None and "in use" in str(last).lower():
        raise ServeError(f"port {port} of {host} is in use: choose another one with --port")
    raise ServeError(f"the server cannot listen at {url(host, port)}: {last.strerror or last}")


def _bound(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    made = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(2048)
    except OSError:
        made.close()
        raise
    return made


def url(host: str, port: int) -> str:
    """Return the address under which a browser on this machine finds the server."""
    shown = {"0.0.0.0": "localhost", "::": "localhost", "127.0.0.1": "localhost"}.get(host, host)  # noqa: S104
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _open_soon(address: str) -> None:
    timer = threading.Timer(1.0, webbrowser.open, (address,))
    timer.daemon = True
    timer.start()
