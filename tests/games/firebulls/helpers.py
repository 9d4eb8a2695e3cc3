"""What the tests of Fire Bulls share: positions made from a few words, and play by tokens."""

from __future__ import annotations

import random
import re
from collections import Counter

import tianxia
from tianxia import CHANCE
from tianxia.games.firebulls import GAME

if "firebulls" not in tianxia.games():
    tianxia.register(GAME)

COLOURS = "bynrg"
ATTACK_CARDS = Counter({**dict.fromkeys(COLOURS, 10), "w": 4})
POINT_CARDS = Counter(
    {
        **{f"S{c}": 3 for c in COLOURS},
        **{f"W{c}": 2 for c in "bynrgw"},
        "X": 9,
        "B": 6,
        "C": 3,
        "G": 1,
        "F": 8,
    }
)
VALUES = {"S": 1, "W": 2, "X": 3, "B": 6, "C": 8, "G": 12, "F": 0}
ROWS = "Sb,Sy,Sn/Wb,X,B/F,Sr,C"
"""Rows from the pawns away: the rulebook's G D A / H E B / I F C."""


def cards(text: str) -> Counter[str]:
    """Read a multiset such as b2w1."""
    return Counter({name: int(count) for name, count in re.findall(r"([A-Za-z]+)(\d+)", text)})


def written(found: Counter[str], order: Counter[str]) -> str:
    return "".join(f"{name}{found[name]}" for name in order if found[name]) or "-"


def table(
    *hands: str,
    rows: str = ROWS,
    active: int = 0,
    pawns: str = "",
    victory: tuple[str, ...] = (),
    unseen: str | None = None,
    piles: tuple[int, int, int] | None = None,
    general: str = "piles",
    reserve: str = "b1y1n1",
    discard: str = "-",
    deck: str | None = None,
    exhausted: int = 0,
    colours: str = "usual",
) -> tianxia.State:
    """Make a position in which the active player begins his turn.

    Attack cards not spoken of are in the deck, or in the discard if the deck is given;
    point cards in the piles, or out of the game if those in the piles are given.
    """
    players = len(hands)
    hands = tuple(written(cards(hand), ATTACK_CARDS) for hand in hands)
    victory = tuple(written(cards(pile), POINT_CARDS) for pile in victory)
    left = ATTACK_CARDS - cards(reserve)
    for hand in hands:
        left = left - cards(hand)
    left = left - cards(discard)
    in_deck = left if deck is None else cards(deck)
    laid = cards(discard) + (left - in_deck)
    points = POINT_CARDS - Counter(re.findall(r"[A-Z][a-z]?", rows))
    for pile in victory:
        points = points - cards(pile)
    if general != "piles":
        points["G"] = 0
    in_piles = points if unseen is None else cards(unseen)
    won = ["-"] * players
    won[: len(victory)] = victory
    everything = sum((cards(pile) for pile in won), in_piles) + Counter(
        re.findall(r"[A-Z][a-z]?", rows)
    )
    everything["G"] += general == "aside"
    size = sum(in_piles.values())
    if piles is None:
        piles = (size - 2 * (size // 3), size // 3, size // 3)
    drawn = written(in_deck, ATTACK_CARDS)
    name = tianxia.game("firebulls", players=players, colours=colours).spec
    return tianxia.position(
        f"{name} * turn {active} 40/40 {pawns or '24135'[:players]} {rows}"
        f" {'/'.join(map(str, piles))} {general} {'/'.join(won)}"
        f" {written(POINT_CARDS - everything, POINT_CARDS)} {drawn} {drawn} {reserve}"
        f" {written(laid, ATTACK_CARDS)} {'/'.join(hands)} {'/'.join(['-'] * players)}"
        f" {','.join(['/'.join(['-'] * players), *['='] * players])} {exhausted} -"
    )


def play(state: tianxia.State, *tokens: str) -> tianxia.State:
    """Apply tokens, each for who may act (or chance)."""
    for token in tokens:
        seat = state.acting[0] if state.acting else CHANCE
        state.apply(state.parse(token, seat), seat)
    return state


def refusal(state: tianxia.State, token: str, seat: int | None = None) -> str | None:
    """Ask which statement forbids a token; None where it is legal."""
    if seat is None:
        seat = state.acting[0] if state.acting else CHANCE
    return state.refusal(state.parse(token, seat), seat)


def legal(state: tianxia.State) -> set[str]:
    """Return the tokens of what can happen next."""
    seat = state.acting[0] if state.acting else CHANCE
    return {state.text(action, seat) for action in state.legal_actions(seat)}


def attacks(state: tianxia.State, aim: str = "") -> set[str]:
    """Return the legal attacks, or what can be laid along one direction."""
    found = {token for token in legal(state) if re.fullmatch(r"[1-5G]:.*", token)}
    return {token[2:] for token in found if token[0] == aim} if aim else found


def part(state: tianxia.State, number: int) -> str:
    """Return one of the tokens of the notation, counted from 1."""
    return str(state.notation().split()[number + 1])


def hand(state: tianxia.State, seat: int) -> str:
    return part(state, 14).split("/")[seat]


def victory(state: tianxia.State, seat: int) -> str:
    return part(state, 8).split("/")[seat]


def pawns(state: tianxia.State) -> str:
    return part(state, 4)


def rows(state: tianxia.State) -> str:
    return part(state, 5)


def phase(state: tianxia.State) -> str:
    return part(state, 1)


def by_chance(state: tianxia.State, seed: int = 0) -> tianxia.State:
    """Let chance act until somebody may."""
    rng = random.Random(seed)
    while not state.acting and not state.over:
        actions, weights = zip(*state.chance_weights(), strict=True)
        state.apply(rng.choices(actions, weights)[0], CHANCE)
    return state


def begin(players: int = 2, seed: int = 0) -> tianxia.State:
    """Return a game at its first turn."""
    return by_chance(tianxia.game("firebulls", players=players).new(), seed)


def random_game(players: int, seed: int, most: int = 5000) -> list[tianxia.State]:
    """Return all positions of a random game."""
    rng = random.Random(seed)
    state = tianxia.game("firebulls", players=players).new()
    found = [state.clone()]
    while not state.over and len(found) < most:
        if state.acting:
            state.apply(rng.choice(state.legal_actions()))
        else:
            actions, weights = zip(*state.chance_weights(), strict=True)
            state.apply(rng.choices(actions, weights)[0], CHANCE)
        found.append(state.clone())
    return found
