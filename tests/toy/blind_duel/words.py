"""The words: actions as tokens and sentences, positions as a picture."""

from __future__ import annotations

from blind_duel.rules import BEAT, DONE, DRAW, OPEN, PASS, ROLL, drawer
from tianxia.kernel.errors import ParseError
from tianxia.kernel.state import State

TOKENS = [
    *("lay1", "lay2", "lay3", "done", "open", "roll1", "roll2", "roll3"),
    *("beat1", "beat2", "beat3", "pass", "draw1", "draw2", "draw3"),
]


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token."""
    return TOKENS[action]


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means."""
    if text not in TOKENS:
        raise ParseError(f"{text[:20]!r} is no action; actions are {', '.join(TOKENS)}")
    return TOKENS.index(text)


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action does; this toy speaks English only."""
    if viewer is not None and state.seen(action, seat, viewer) is None:
        return "A card is drawn." if action >= DRAW else f"Seat {seat} lays a card face down."
    if action < DONE:
        return f"Seat {seat} lays a {action + 1} face down."
    if action >= DRAW:
        return f"Seat {drawer(state.fields)} draws a {action - DRAW + 1}."
    if action >= BEAT:
        return (
            f"Seat {seat} passes." if action == PASS else f"Seat {seat} adds a {action - BEAT + 1}."
        )
    if action >= ROLL:
        return f"The round is worth {action - ROLL + 1}."
    return "The cards are opened." if action == OPEN else f"Seat {seat} is ready."


def diagram(state: State, language: str) -> str:
    """Return a line for every seat."""
    parts = [text.split("/") for text in state.notation().split()[-3:]]
    return "\n".join(
        f"{seat}: {points} points, hand {hand}, laid {laid}"
        for seat, (points, hand, laid) in enumerate(zip(*parts, strict=True))
    )
