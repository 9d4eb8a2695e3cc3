"""What an arena keeps: a folder with its plan, a line for every game, and transcripts.

``plan.json`` says what is played, ``results.jsonl`` gets a line after every game and is
never rewritten, ``games/`` holds the transcripts. Whatever kills an arena costs the games
that were being played; a line that was half written is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from tianxia.arena.course import Outcome
from tianxia.arena.plan import Plan
from tianxia.kernel.errors import TianxiaError

PLAN, RESULTS, GAMES, REPORT = "plan.json", "results.jsonl", "games", "report.html"


class ArchiveError(TianxiaError):
    """A folder that holds another arena, or results that cannot be read."""


class Archive:
    """The folder of one arena."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Open a folder, or begin it.

        Raises
        ------
        ArchiveError
            Where it belongs to another plan; only the number of games may change.
        """
        self.folder = folder
        self.plan = plan
        known = self.known_plan(folder)
        if known is not None and _comparable(known) != _comparable(plan):
            raise ArchiveError(f"{folder} holds another match: {_difference(known, plan)}")
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        _replace(folder / PLAN, json.dumps(asdict(plan), indent=1) + "\n")

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
            return Plan(**{**values, "players": tuple(values["players"])})
        except (ValueError, TypeError, KeyError) as error:
            raise ArchiveError(f"{file} is no plan of an arena: {error}") from error

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
                raise ArchiveError(f"{file}, line {number}, is no result: {error}") from error
            found[outcome.number] = outcome
        return [found[number] for number in sorted(found)]

    def keep(self, outcome: Outcome) -> None:
        """Keep the outcome of a game, whose transcript is kept already."""
        line = json.dumps(asdict(outcome), separators=(",", ":")) + "\n"
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


def transcript_file(folder: Path, number: int) -> Path:
    """Return where the transcript of a game is kept."""
    return folder / GAMES / f"{number:06d}.txt"


def keep_transcript(folder: Path, number: int, text: str) -> None:
    """Keep a game; it counts only when its outcome is kept, too."""
    _replace(transcript_file(folder, number), text)


def _comparable(plan: Plan) -> dict[str, object]:
    return {**asdict(plan), "games": 0}


def _difference(known: Plan, plan: Plan) -> str:
    """Say in which points two plans differ."""
    new = _comparable(plan)
    points = [
        f"{name} was {value!r}, not {new[name]!r}"
        for name, value in _comparable(known).items()
        if value != new[name]
    ]
    return "; ".join(points)


def _replace(file: Path, text: str) -> None:
    """Write a file so that it is never half there."""
    fresh = file.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)
