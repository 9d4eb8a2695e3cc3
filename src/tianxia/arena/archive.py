"""What an arena keeps: a folder with its plan, a line for every game, and transcripts.

``plan.json`` says what is played and with what, ``results.jsonl`` gets a line after every game
and is never rewritten, ``games/`` holds the transcripts, and what bots thought. Whatever kills
an arena costs the games that were being played; a line that was half written is dropped.
"""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from lzma import LZMAError
from pathlib import Path
from tempfile import TemporaryDirectory

import tianxia
from tianxia.arena.course import Outcome
from tianxia.arena.made import Made
from tianxia.arena.plan import Plan
from tianxia.bots import present_name
from tianxia.kernel.errors import TianxiaError
from tianxia.search.opinions import Opinion

PLAN, RESULTS, GAMES, REPORT = "plan.json", "results.jsonl", "games", "report.html"
MADE = "made"
"""Where the plan's file says what the games were played with."""


class ArchiveError(TianxiaError):
    """A folder that holds another arena, or results that cannot be read."""


@dataclass(frozen=True)
class Finished:
    """All that is kept of a game.

    Attributes
    ----------
    opinions
        What bots thought of their decisions, in order.
    """

    outcome: Outcome
    transcript: str
    opinions: Sequence[Opinion | None] = ()


class Archive:
    """The folder of one arena."""

    def __init__(self, folder: Path | str, plan: Plan) -> None:
        """Open a folder, or begin it.

        Raises
        ------
        ArchiveError
            Where it belongs to another plan; only the number of games may change.
        """
        self.folder = folder = Path(folder)
        self.plan = plan
        known = self.known_plan(folder)
        if known is not None and _comparable(known) != _comparable(plan):
            raise ArchiveError(f"{folder} holds another match: {_difference(known, plan)}")
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        self.made = self._made()
        made = {} if self.made is None else {MADE: asdict(self.made)}
        _replace(folder / PLAN, json.dumps({**asdict(plan), **made}, indent=1) + "\n")

    def _made(self) -> Made | None:
        """Return what the games here were played with; None where nobody noted it."""
        if not self.outcomes():
            return Made.now(tianxia.game(self.plan.game), self.plan.players)
        values = json.loads((self.folder / PLAN).read_text(encoding="utf-8")).get(MADE)
        if values is None:
            return None
        kind = tianxia.game(self.plan.game).kind
        bots = {present_name(name, kind): made for name, made in values.get("bots", {}).items()}
        return Made(**{**values, "bots": bots})

    def check_generation(self) -> None:
        """Refuse to add to games of another generation.

        Raises
        ------
        ArchiveError
            Where Tianxia, the rules, or a bot is another than that of the games here.
        """
        remedy = "choose another folder for new games, or play on with what played these"
        if self.made is None:
            text = f"{self.folder} holds games of a Tianxia that noted no versions: {remedy}"
            raise ArchiveError(text)
        now = Made.now(tianxia.game(self.plan.game), self.plan.players)
        if differences := self.made.differences(now):
            whence = f" (commit {self.made.commit})" if self.made.commit else ""
            raise ArchiveError(
                f"{self.folder} holds games of another generation: "
                f"{'; '.join(differences)}: {remedy}{whence}"
            )

    @staticmethod
    def known_plan(folder: Path) -> Plan | None:
        """Return the plan that a folder holds; None for a new one."""
        file = folder / PLAN
        if not file.exists():
            if (folder / RESULTS).exists():
                raise ArchiveError(f"{folder} holds results but no {PLAN}")
            return None
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
            values.pop(MADE, None)
            return Plan(**{**values, "players": tuple(values["players"])})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ArchiveError(f"{file} is not a plan of an arena: {error}") from error

    def outcomes(self) -> list[Outcome]:
        """Return all games that are done; a half-written last line is cut off."""
        file = self.folder / RESULTS
        if not file.exists():
            return []
        data = file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            with file.open("r+b") as results:
                results.truncate(whole)
        found = {}
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                outcome = Outcome(**json.loads(line))
            except (ValueError, TypeError) as error:
                raise ArchiveError(f"{file}, line {number}, is not a result: {error}") from error
            found[outcome.number] = outcome
        return [found[number] for number in sorted(found)]

    def keep(self, finished: Finished) -> None:
        """Keep a game; it counts only once its outcome is kept, too, which comes last."""
        number = finished.outcome.number
        if any(finished.opinions):
            rows = [one and [one.policy, one.value, one.visits] for one in finished.opinions]
            text = json.dumps(rows, separators=(",", ":"))
            _replace(_opinions_file(self.folder, number), text)
        _replace(transcript_file(self.folder, number), finished.transcript)
        line = json.dumps(asdict(finished.outcome), separators=(",", ":")) + "\n"
        with (self.folder / RESULTS).open("a", encoding="utf-8") as results:
            results.write(line)
            results.flush()
            os.fsync(results.fileno())

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep another arena out of the folder, where the system can."""
        with (self.folder / "lock").open("w", encoding="utf-8") as file:
            with suppress(ImportError):
                import fcntl

                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    text = f"another arena is playing in {self.folder}"
                    raise ArchiveError(text) from error
            yield


def pack(folders: Iterable[Path | str], file: Path | str) -> None:
    """Write what was played, and all results, of several arenas into one ``.tar.xz``.

    Transcripts stay out. The same arenas give the same bytes, so that a published table can
    have its results beside it.
    """
    with tarfile.open(file, "w:xz") as packed:
        for folder in sorted(map(Path, folders)):
            for name in (PLAN, RESULTS):
                data = (folder / name).read_bytes()
                entry = tarfile.TarInfo(f"{folder.name}/{name}")
                entry.size = len(data)
                packed.addfile(entry, io.BytesIO(data))


@contextmanager
def unpacked(file: Path | str) -> Iterator[Path]:
    """Give a folder with the arenas of a file that `pack` has written, for a while."""
    with TemporaryDirectory() as folder:
        try:
            with tarfile.open(file, "r:xz") as packed:
                packed.extractall(folder, filter="data")
        except (OSError, EOFError, LZMAError, tarfile.TarError) as error:
            raise ArchiveError(f"{file} holds no packed arenas: {error}") from error
        yield Path(folder)


def transcript_file(folder: Path, number: int) -> Path:
    """Return where the transcript of a game is kept."""
    return folder / GAMES / f"{number:06d}.txt"


def kept_opinions(folder: Path, number: int) -> list[Opinion | None]:
    """Return what bots thought of the decisions of a game, in order; empty where none did."""
    file = _opinions_file(folder, number)
    if not file.exists():
        return []
    return [row and Opinion(*row) for row in json.loads(file.read_text(encoding="utf-8"))]


def _opinions_file(folder: Path, number: int) -> Path:
    return folder / GAMES / f"{number:06d}.opinions.json"


def _comparable(plan: Plan) -> dict[str, object]:
    return {**asdict(plan), "games": 0}


def _difference(known: Plan, plan: Plan) -> str:
    """Say in which points two plans differ."""
    new = _comparable(plan)
    points = [
        f"{name} was {_plain(value)}, not {_plain(new[name])}"
        for name, value in _comparable(known).items()
        if value != new[name]
    ]
    return "; ".join(points)


def _plain(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else repr(value)


def _replace(file: Path, text: str) -> None:
    """Write a file so that it is never half there."""
    fresh = file.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)
