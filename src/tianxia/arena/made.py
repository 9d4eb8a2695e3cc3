"""What games were played with: which Tianxia, which rules, which bots."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import metadata, util
from pathlib import Path
from typing import Any

import tianxia
from tianxia.arena.players import OUTSIDE, RESPONSE, Response, maker_of
from tianxia.bots import guides
from tianxia.bots.nets import PREFIX, file_of
from tianxia.bots.program import words_of
from tianxia.kernel.game import Game
from tianxia.kernel.sources import PACKAGE, ROOT, files_behind
from tianxia.search.responding import Responder

DIGITS = 12


@dataclass(frozen=True)
class Made:
    """A generation of games: what is of another one is not counted together with it.

    Attributes
    ----------
    version, commit
        Of Tianxia; the commit is empty where nobody knows it, and of no weight.
    rules_version
        Of the game's rules.
    bots
        A digest of the sources behind each bot, by name; of a program outside, of the files
        that its command names.
    """

    version: str
    commit: str
    rules_version: int
    bots: dict[str, str] = field(default_factory=dict)

    @classmethod
    def now(cls, game: Game, players: Iterable[str]) -> Made:
        """Return what is installed."""
        found = {one: version_of(one, game) for one in players}
        return cls(tianxia.__version__, commit(), game.rules_version, found)

    def differences(self, other: Made) -> list[str]:
        """Say what is of another generation in `other`; a name it lacks is no difference."""
        pairs = [
            ("Tianxia", self.version, other.version),
            ("the rules", self.rules_version, other.rules_version),
            *(
                (name, self.bots.get(name), version)
                for name, version in other.bots.items()
                if name in self.bots or not name.startswith(OUTSIDE)  # once they had no digest
            ),
        ]
        return [f"{what} was {old}, now {new}" for what, old, new in pairs if old != new]


def version_of(player: str, game: Game) -> str:
    """Return a digest of the sources that a bot is made of, its data included."""
    if player.startswith(OUTSIDE):
        return _digest_of_files(words_of(player.removeprefix(OUTSIDE)))
    if player.startswith(PREFIX):
        return hashlib.blake2b(file_of(player).read_bytes(), digest_size=DIGITS // 2).hexdigest()
    if player.startswith(guides.PREFIX):
        return f"{version_of(guides.net_in(player), game)} {_digest(guides.__name__)}"
    if player.startswith(RESPONSE):
        parts = [_digest(Responder.__module__)]
        parts += [version_of(name, game) for name in Response.read(player).bots]
        return hashlib.blake2b("".join(parts).encode(), digest_size=DIGITS // 2).hexdigest()
    own = game.kind.bots.get(player)
    if isinstance(own, str):
        return _digest(own)
    made: Any = maker_of(player, game)
    while isinstance(made, partial):
        made = made.args[0] if made.args and callable(made.args[0]) else made.func
    return _digest(getattr(made, "__module__", None) or type(made).__module__)


def _digest_of_files(words: Iterable[str]) -> str:
    """Return a digest of what a command says and of the files that are named in it."""
    total = hashlib.blake2b(digest_size=DIGITS // 2)
    for word in words:
        total.update(f"{Path(word).name}\0".encode())
        if Path(word).is_file():
            total.update(Path(word).read_bytes())
    return total.hexdigest()


@cache
def _digest(module: str) -> str:
    """Return a digest that is the same on every machine."""
    if module.partition(".")[0] == ROOT:
        base, files = PACKAGE, sorted(files_behind(module))
    else:
        found = util.find_spec(module)
        if found is None or found.origin is None:
            return "unknown"
        files = [Path(found.origin)]
        base = files[0].parent
    total = hashlib.blake2b(digest_size=DIGITS // 2)
    for file in files:
        text = file.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{file.relative_to(base).as_posix()}\0{len(text)}\0".encode() + text)
    return total.hexdigest()


@cache
def commit() -> str:
    """Return the commit of Tianxia, with a + where its sources were changed since."""
    with_git = _commit_of_clone()
    if with_git:
        return with_git
    try:
        text = metadata.distribution(ROOT).read_text("direct_url.json")
        found: str = json.loads(text or "{}").get("vcs_info", {}).get("commit_id", "")
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    return found


def _commit_of_clone() -> str:
    def git(*words: str) -> str:
        command = ["git", "-C", str(PACKAGE), *words]
        return subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, check=True, timeout=10
        ).stdout.strip()

    try:
        if Path(git("rev-parse", "--show-toplevel")) != PACKAGE.parent.parent:
            return ""  # it is installed inside of somebody else's clone
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--", ".") else "")
    except (OSError, subprocess.SubprocessError):
        return ""
