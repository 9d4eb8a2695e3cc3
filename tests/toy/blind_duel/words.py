"""The words: actions as tokens and sentences, positions as a picture."""

from __future__ import annotations

from blind_duel.rules import ACTIONS, DRAW, drawer
from tianxia.kernel.errors import ParseError
from tianxia.kernel.state import State

TOKENS = ACTIONS.tokens({name: (f"{name}{{}}", "123") for name in ("lay", "roll", "beat", "draw")})


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token."""
    return TOKENS[action]


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means."""
    if text not in TOKENS:
        raise ParseError(f"{text[:20]!r} is not an action; actions are {', '.join(TOKENS)}")
    return TOKENS.index(text)


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action does; this toy speaks English only."""
    if viewer is not None and state.seen(action, seat, viewer) is None:
        return f"Seat {seat} lays a card face down." if action < DRAW else "A card is drawn."
    match ACTIONS.split(action):
        case "lay", rank:
            return f"Seat {seat} lays a {rank + 1} face down."
        case "roll", points:
            return f"The round is worth {points}."
        case "beat", rank:
            return f"Seat {seat} adds a {rank + 1}."
        case "draw", rank:
            return f"Seat {drawer(state.fields)} draws a {rank + 1}."
    texts = {"done": f"Seat {seat} is ready.", "open": "The cards are opened."}
    return texts.get(ACTIONS.split(action)[0], f"Seat {seat} passes.")


def diagram(state: State, language: str) -> str:
    """Return a line for every seat."""
    parts = [text.split("/") for text in state.notation().split()[-3:]]
    return "\n".join(
        f"{seat}: {points} points, hand {hand}, laid {laid}"
        for seat, (points, hand, laid) in enumerate(zip(*parts, strict=True))
    )
