"""``tianxia games``: what is installed."""

from __future__ import annotations

from rich.console import Console

import tianxia
from tianxia.bots import bots
from tianxia.kernel.options import Option


def choices(option: Option) -> str:
    """Return an option on one line: its choices."""
    usual = option.default
    word = ("yes" if usual else "no") if isinstance(usual, bool) else usual
    return f"{option.name}={word}  ({option.choices})"


def list_games() -> None:
    """Write all games, with their options and bots."""
    console = Console(highlight=False)
    for name in tianxia.games():
        game = tianxia.game(name)
        counts = [option.choices for option in game.kind.options if option.name == "players"]
        console.print(f"[bold]{name}[/]: {(*counts, game.seats)[0]} players")
        for line in (*map(choices, game.kind.options), f"bots: {', '.join(bots(game))}"):
            console.print(f"  {line}", soft_wrap=True, markup=False)
    console.print("Play one: tianxia play stratego -o variant=duel", style="dim")
