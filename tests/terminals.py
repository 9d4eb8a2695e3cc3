"""What a terminal shows of what Rich draws."""

from __future__ import annotations

from rich.console import Console, RenderableType


def printed(thing: RenderableType, width: int = 80, *, legacy_windows: bool = False) -> str:
    """Return the lines of a terminal without colours."""
    console = Console(width=width, color_system=None, legacy_windows=legacy_windows)
    with console.capture() as captured:
        console.print(thing)
    return captured.get()
