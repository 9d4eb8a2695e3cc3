"""What a process has in memory. Imports nothing that would take memory itself."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Memory(NamedTuple):
    """MB (10⁶ bytes) in memory: of the process alone, and with the files that others share."""

    own: float
    resident: float

    def __str__(self) -> str:
        return f"{self.own:.0f} MB of its own, {self.resident:.0f} MB with shared files"


def memory(process: int | str = "self") -> Memory | None:
    """Return what a process has in memory, where the system says so."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    own, resident = (int(lines[name].split()[0]) * 1024 / 1e6 for name in ("RssAnon", "VmRSS"))
    return Memory(own, resident)
