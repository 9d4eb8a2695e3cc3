"""Running the server: ``tianxia serve``."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

import sqlalchemy as sa
import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from tianxia import __version__
from tianxia.kernel import mode
from tianxia.kernel.cache import home
from tianxia.kernel.errors import TianxiaError
from tianxia.logs import set_up, tell
from tianxia.minds.crew import Crew
from tianxia.minds.preparing import Preparing, installed, is_warm
from tianxia.tables import Tables, Unavailable
from tianxia.web.app import create_app
from tianxia.web.connections import guarded
from tianxia.web.live import LARGEST_FRAME
from tianxia.web.metrics import forget
from tianxia.web.settings import SECRET_FILE, Settings, SettingsError, unknown, variable

GOODBYE_SECONDS = 2
"""How long open requests and pages may take to end when the server stops."""
HEALTH_SECONDS = 60
"""After how long a worker that does not answer the parent counts as hung."""
AGAIN_SECONDS = 2.0
"""After how long a worker is tried again that could not start."""
NEXT_PORTS = 20
LOST_SEATS = (
    "a new secret was made, though there are tables already: guests have lost their seats, unless "
    "the former secret is put back"
)
MEMORY = (None, "", ":memory:")


class ServeError(TianxiaError):
    """The server cannot start."""


def serve(host: str | None = None, port: int | None = None, *, open_browser: bool = False) -> None:
    """Run the server until it is stopped.

    Parameters
    ----------
    host, port
        Where to listen; what is None is taken from the environment. A port that nobody
        asked for and that is in use is replaced by the next free one, unless a proxy looks for
        the server there: where it has an address of its own.
    open_browser
        Whether to show the first page in the user's browser.

    Raises
    ------
    ServeError, SettingsError, SecretError, Unopened
        Where it cannot start, saying why.
    """
    settings = Settings.from_environment()
    chosen = port is not None or bool(os.environ.get(variable("port")) or settings.base)
    settings = replace(
        settings,
        host=host or settings.host,
        port=settings.port if port is None else port,
    )
    if settings.workers > 1 and not settings.database.startswith("postgres"):
        raise SettingsError(
            f"{variable('workers')}={settings.workers} needs PostgreSQL: set {variable('database')}"
        )
    if settings.thinkers != 0 and sa.make_url(settings.database_url).database in MEMORY:
        raise SettingsError(
            f"{variable('database')}={settings.database} keeps tables in memory, where bots "
            "cannot reach them: name a file, as in sqlite:////var/lib/tianxia/tables.sqlite3"
        )
    _log(settings)
    new_secret = not settings.secret and not (home() / SECRET_FILE).exists()
    settings.signing_key()  # what cannot be read or written is told of before anybody comes
    if settings.rules == mode.COMPILED:
        _compile_rules()
    with Tables(settings.database_url) as tables:
        if new_secret and tables.store.states():
            tell(logging.WARNING, LOST_SEATS, file=str(home() / SECRET_FILE))
        _serve(settings, tables, chosen=chosen, open_browser=open_browser)


def _log(settings: Settings) -> None:
    """Begin the log: with what looks like a setting and is none."""
    set_up(settings.log_level)
    for name in unknown():
        tell(logging.WARNING, "there is no such setting", name=name)


def _compile_rules() -> None:
    """Compile the rules of all games, where that was not done on this machine before.

    Where nothing can be kept, each process compiles them for itself when it begins.
    """
    for name in installed():
        if not is_warm(name, "positions"):
            sys.stdout.write(f"Compiling the rules of {name} for this machine, once ...\n")
            sys.stdout.flush()
            if not Preparing(name, "positions").wait():
                tell(logging.WARNING, "compiled rules could not be kept", game=name)


def _serve(settings: Settings, tables: Tables, *, chosen: bool, open_browser: bool) -> None:
    """Listen, say where, and answer until somebody stops it."""
    listening = listen(settings.host, settings.port, 1 if chosen else NEXT_PORTS)
    settings = replace(settings, port=listening.getsockname()[1])
    where = url(settings.host, settings.port)
    address = settings.base or where
    sys.stdout.write(f"Tianxia is at {address}  (stop it with Ctrl-C)\n")
    sys.stdout.flush()
    if open_browser:
        _open_soon(address)
    tell(logging.INFO, "started", version=__version__, workers=settings.workers, listens=where)
    if settings.workers > 1:
        _run_workers(settings, tables, listening)
    else:
        _run(settings, tables, listening)


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


class _Server(uvicorn.Server):
    """A server whose minds begin to think once it answers, not before."""

    crew: Crew | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            app_state = self.config.app.state.app_state  # type: ignore[union-attr]
            self.crew = crew_of(app_state.settings, app_state.tables).start()
            _look_after_rules(app_state.tables)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what thinks, then what answers."""
        tell(logging.INFO, "stopping")
        if self.crew is not None:
            await asyncio.to_thread(self.crew.close)
        await super().shutdown(sockets)


def _look_after_rules(tables: Tables) -> None:
    """Let games go on that earlier rules have begun, while the server answers already."""

    def look() -> None:
        with suppress(Unavailable):  # whoever opens such a table does it, too
            tables.go_on_under_present_rules()

    threading.Thread(target=look, name="tianxia-rules", daemon=True).start()


def crew_of(settings: Settings, tables: Tables) -> Crew:
    """Return the minds of this machine for its tables."""
    count = settings.thinkers
    return Crew(
        tables,
        None if count < 0 else count,
        rhythm=settings.bot_seconds,
        log_level=settings.log_level,
    )


def think(processes: int | None = None) -> None:
    """Think for the tables of a database, until somebody stops it: ``tianxia think``.

    Parameters
    ----------
    processes
        How many think at once; None: as the environment says, else one per processor.

    Raises
    ------
    SettingsError, Unopened
    """
    settings = Settings.from_environment()
    if processes is not None:
        settings = replace(settings, thinkers=processes)
    if settings.thinkers == 0:
        raise SettingsError(
            f"{variable('thinkers')}=0 lets nothing think here: leave it out, or give --processes"
        )
    _log(settings)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with Tables(settings.database_url) as tables, crew_of(settings, tables):
        tell(logging.INFO, "started to think", version=__version__)
        stop.wait()
    tell(logging.INFO, "stopped")


def _run(settings: Settings, tables: Tables, listening: socket.socket) -> None:
    app = create_app(settings, tables=tables, ahead=True)
    server = _Server(uvicorn.Config(app, **options(settings)))
    _go_on_at_hangup()
    with suppress(KeyboardInterrupt), listening:
        asyncio.run(server.serve(sockets=[listening]))


def _go_on_at_hangup() -> None:
    """Go on serving at SIGHUP, which replaces several workers, and cannot replace the only one.

    Whoever closes the terminal that it runs in ends it.
    """
    if hasattr(signal, "SIGHUP") and not (sys.stdin and sys.stdin.isatty()):
        why = "the only worker cannot be replaced: restart the server"
        signal.signal(signal.SIGHUP, lambda *_: tell(logging.WARNING, why))


class _Workers(Multiprocess):
    """Several workers behind one port; SIGHUP replaces them one by one, and those that think.

    A new worker answers before an old one stops to listen, and they share the socket, so
    nobody who clicks notices. New workers run the code that is installed by then.
    """

    crew: Crew

    def keep_subprocess_alive(self) -> None:
        """Replace workers that have ended, or hang.

        Where one cannot start uvicorn ends all. Settings and database were well when we began,
        so it is rather the database that is away just now, and all others go on meanwhile.
        """
        for place, worker in enumerate(self.processes):
            if self.should_exit.is_set() or worker.is_alive(HEALTH_SECONDS):
                continue
            worker.kill()
            worker.join()
            forget(worker.pid)
            tell(logging.WARNING, "a worker has ended, and is replaced", status=worker.exitcode)
            if worker.exitcode == STARTUP_FAILURE:
                self.should_exit.wait(AGAIN_SECONDS)
            self.processes[place] = Process(self.config, self.sockets)
            self.processes[place].start()

    def handle_hup(self) -> None:
        """Replace all processes; where the new ones cannot start, the old ones go on."""
        tell(logging.INFO, "all workers are replaced, one by one")
        before = list(self.processes)
        super().handle_hup()
        if not set(before) & set(self.processes):
            self.crew.renew()
        elif not self.should_exit.is_set():
            tell(logging.ERROR, "the workers could not all be replaced; the old ones go on")


def _run_workers(settings: Settings, tables: Tables, listening: socket.socket) -> None:
    """Run several processes; each reads the settings from the environment."""
    for name, value in asdict(settings).items():
        os.environ[variable(name)] = str(value)
    with (
        suppress(KeyboardInterrupt),
        crew_of(settings, tables) as crew,
        listening,
    ):
        _look_after_rules(tables)
        listening.set_inheritable(True)
        config = uvicorn.Config(
            "tianxia.web.app:from_environment",
            factory=True,
            workers=settings.workers,
            timeout_worker_healthcheck=HEALTH_SECONDS,
            **options(settings),
        )
        workers = _Workers(config, sockets=[listening])
        workers.crew = crew
        workers.run()
        tell(logging.INFO, "stopped")


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
        raise ServeError(
            f"port {port} of {host} is in use: choose another one with --port or {variable('port')}"
        )
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
