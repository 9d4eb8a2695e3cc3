"""What can be set about a server: environment variables that begin with ``TIANXIA_``."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from tianxia.accounts.mail import is_address, is_server
from tianxia.kernel import mode
from tianxia.kernel.cache import home
from tianxia.kernel.errors import TianxiaError
from tianxia.minds.processes import USUAL_NICENESS
from tianxia.tables.errors import NO_RESTART
from tianxia.tables.store import default_url
from tianxia.web.security import Networks

PREFIX = "TIANXIA_"
OTHERS = {f"{PREFIX}{name}" for name in ("BACKUPS", "CHROMIUM", "HOME", "PICTURES", "TORCH")}
"""Variables that are read elsewhere."""
DRIVERS = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
DATABASES = "like sqlite:////folder/file or postgresql://user:password@host/name"
LEVELS = ("debug", "info", "warning", "error")
SECRET_FILE = "secret"  # noqa: S105  (the name of a file)
SHORTEST_SECRET = 16


class SettingsError(TianxiaError, ValueError):
    """A setting that cannot be; the text names it and says what can."""

    exit_status = NO_RESTART


class SecretError(TianxiaError):
    """The file of the secret cannot be read or written, which another start may be able to."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes
    ----------
    database
        Where tables are kept: an SQLAlchemy URL; "" is an SQLite file in `TIANXIA_HOME`.
    host, port
        The address to listen at.
    secret
        Signs cookies; "" is one that is made once and kept in `TIANXIA_HOME`.
    public_url
        The address by which others reach the server, such as ``https://play.example``;
        "" is the one by which each request came.
    workers
        Processes. More than one needs PostgreSQL.
    thinkers
        Processes that think for bots on this machine; -1 is one per processor, 0 none, where
        other machines think for the same database.
    niceness
        By how much those processes give way to the ones that answer people, 0 to 19, where the
        system knows it.
    rules
        How rules run in the processes that answer people: ``interpreted``, or ``compiled``, which
        takes less of a processor and more memory.
    bot_seconds
        Seconds between what happened last and a bot's move, so that people can follow; more
        where it has many choices, fewer where it has one.
    log_level
        ``debug`` logs every request, ``info`` and above the refused and failed ones.
    rate
        Multiplies all rate limits; 0 is no limits.
    proxies
        Addresses of reverse proxies whose ``X-Forwarded-*`` headers are believed.
    metrics
        Addresses and networks that may read ``/metrics``; "" is this machine, not by a proxy.
    smtp
        The server by which mail is sent, such as ``smtp://name:password@mail.example:587``;
        "" sends none.
    mail_from
        The address that mail comes from.
    push
        Hosts of further push services to which messages may go.
    """

    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    secret: str = ""
    public_url: str = ""
    workers: int = 1
    thinkers: int = -1
    niceness: int = USUAL_NICENESS
    rules: str = mode.INTERPRETED
    bot_seconds: float = 0.6
    log_level: str = "info"
    rate: float = 1.0
    proxies: str = ""
    metrics: str = ""
    smtp: str = ""
    mail_from: str = ""
    push: str = ""

    def __post_init__(self) -> None:
        _check(0 <= self.port <= 65535, "port", "a number from 0 to 65535")
        _check(1 <= self.workers <= 64, "workers", "a number from 1 to 64")
        _check(-1 <= self.thinkers <= 256, "thinkers", "a number from 0 to 256, or -1")
        _check(0 <= self.niceness <= 19, "niceness", "a number from 0 to 19")
        known = (mode.INTERPRETED, mode.COMPILED)
        _check(self.rules in known, "rules", " or ".join(known))
        _check(0 <= self.bot_seconds <= 60, "bot_seconds", "seconds from 0 to 60")
        _check(0 <= self.rate <= 1e6, "rate", "a number from 0 (no limits) to 1000000")
        _check(self.log_level in LEVELS, "log_level", f"one of {', '.join(LEVELS)}")
        parts = urlsplit(self.public_url)
        fits = parts.scheme in ("http", "https") and parts.netloc and not parts.path.strip("/")
        _check(not self.public_url or bool(fits), "public_url", "like https://play.example")
        smtp = "like smtp://name:password@mail.example:587"
        _check(not self.smtp or is_server(self.smtp), "smtp", smtp)
        sends = not self.smtp or is_address(self.mail_from)
        _check(sends, "mail_from", "the address that mail comes from")
        # Else links would begin with whatever a request calls this server, and sign in elsewhere.
        linked = "like https://play.example where mail is sent, for the links in it"
        _check(not self.smtp or bool(self.public_url), "public_url", linked)
        _check(_is_database(self.database), "database", DATABASES)
        for name in ("proxies", "metrics"):
            fits = Networks(getattr(self, name)).understood
            _check(fits, name, "addresses and networks, like 127.0.0.1, 10.0.0.0/8")
        # Else everybody could say which address they come from, and be refused nothing.
        named = "*" not in self.proxies
        _check(
            named,
            "proxies",
            "the addresses of your proxies, not *: anybody could then forge theirs",
        )
        hosts = (part.strip() for part in self.push.split(","))
        _check(not set().union(*hosts) & set("/ \t@"), "push", "hosts, with commas between them")
        long_enough = not self.secret or len(self.secret) >= SHORTEST_SECRET
        _check(long_enough, "secret", f"at least {SHORTEST_SECRET} characters")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings that the environment names, defaults elsewhere.

        Raises
        ------
        SettingsError
            Naming the variable that cannot be understood.
        """
        given = os.environ if environment is None else environment
        values: dict[str, str | int | float] = {}
        for name, default in _DEFAULTS.items():
            text = given.get(variable(name), "").strip()
            if text:
                values[name] = _read(name, text, type(default))
        return cls(**values)  # type: ignore[arg-type]  # _read made each of its type

    @property
    def database_url(self) -> str:
        """The SQLAlchemy URL of the database."""
        return self.database or default_url()

    @property
    def base(self) -> str:
        """The public address without a slash at its end; "" where none was set."""
        return self.public_url.rstrip("/")

    def signing_key(self) -> str:
        """Return the secret: the one set, or the one kept in `TIANXIA_HOME`."""
        return self.secret or kept_secret(home() / SECRET_FILE)


def _is_database(url: str) -> bool:
    """Say whether a text is the address of a database that is known here, "" included."""
    try:
        named = sa.make_url(url or default_url())
    except (sa.exc.ArgumentError, ValueError):  # the latter of a port that is no number
        return False
    if named.get_backend_name() == "postgresql" and find_spec("psycopg") is None:
        raise SettingsError(f"{variable('database')}: install the extra `postgres`")
    return named.drivername in DRIVERS


_DEFAULTS: dict[str, str | int | float] = {
    name: getattr(Settings, name) for name in Settings.__dataclass_fields__
}
_NAMES = {"public_url": "URL", "log_level": "LOG"}


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + _NAMES.get(name, name.upper())


def unknown(environment: Mapping[str, str] | None = None) -> list[str]:
    """Return what looks like a setting in the environment and is none: a slip, most likely."""
    given = os.environ if environment is None else environment
    known = {*map(variable, _DEFAULTS), *OTHERS}
    return sorted(name for name in given if name.startswith(PREFIX) and name not in known)


def _read(name: str, text: str, kind: type) -> str | int | float:
    try:
        value: str | int | float = kind(text)
    except ValueError as error:
        raise SettingsError(f"{variable(name)}={text!r} should be a number") from error
    return value


def _check(fits: bool, name: str, wanted: str) -> None:
    if not fits:
        raise SettingsError(f"{variable(name)} should be {wanted}")


def kept_secret(file: Path) -> str:
    """Return the secret in a file that only its owner can read, making it the first time."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _create(file)
        secret = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SecretError(
            f"the secret in {file} cannot be read or written: {error}; set {variable('secret')}"
        ) from error
    if len(secret) < SHORTEST_SECRET:
        raise SettingsError(f"{file} holds no secret; remove it and a new one will be made")
    return secret


def _create(file: Path) -> None:
    """Write a new secret unless there is one; of two processes one wins."""
    if file.exists():
        return
    draft = file.with_name(f".{file.name}-{secrets.token_hex(6)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(secrets.token_urlsafe(48) + "\n")
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not file.exists():
            draft.replace(file)
    draft.unlink(missing_ok=True)
