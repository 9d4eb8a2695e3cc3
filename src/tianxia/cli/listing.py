"""``tianxia games``: what is installed."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import tianxia
from tianxia.bots import bots
from tianxia.kernel.options import Option


def choices(option: Option) -> str:
    """Return an option on one line: its choices."""
    usual = option.default
    word = ("yes" if usual else "no") if isinstance(usual, bool) else usual
    return f"{option.name}={word}  ({option.choices})"


def list_games() -> None:
    """Write a table of all games."""
    console = Console(highlight=False)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("Game", style="bold", no_wrap=True)
    table.add_column("Seats", no_wrap=True)
    table.add_column("Options: usual value (choices)", overflow="fold")
    table.add_column("Bots", overflow="fold")
    table.add_column("Rules", justify="right")
    for name in tianxia.games():
        game = tianxia.game(name)
        kind = game.kind
        players = next((option for option in kind.options if option.name == "players"), None)
        table.add_row(
            name,
            str(players.choices) if players else str(kind.seats),
            "\n".join(choices(option) for option in kind.options) or "none",
            ", ".join(bots(game)),
            str(kind.rules_version),
        )
    console.print(table)
    console.print("Play one: tianxia play stratego -o variant=duel", style="dim")
