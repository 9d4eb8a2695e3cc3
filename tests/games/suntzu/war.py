"""Positions and moves for the tests of Sun Tzu's rules, in few words."""

from __future__ import annotations

import random
from collections.abc import Mapping

import tianxia
from tianxia.games.suntzu import GAME
from tianxia.games.suntzu.bot.tactician import Skill
from tianxia.games.suntzu.rules.components import COPIES, STANDS
from tianxia.games.suntzu.rules.state import COLLECTING, LAYING, ORDER, SCORING
from tianxia.kernel.state import State

if "suntzu" not in tianxia.games():
    tianxia.register(GAME)

PROVINCES = ("Qin", "Chu", "JinYan", "HanQi", "Wu")
CARDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "+1", "+2", "+3", "-1", "P")
EVENTS = ("pandemic", "chariots", "champion", "hero", "infantry")
BLUE, RED = 0, 1
CHANCE, SPECTATOR = tianxia.CHANCE, tianxia.SPECTATOR
QUICK = Skill(own=2, other=4, orders=16, others=8, stages=2, iterations=40, replies=6)
"""How the Tactician thinks where a test needs him to be quick."""


def war(
    blue: str = "1",
    red: str = "1",
    province: str = "Wu",
    armies: Mapping[str, str] | None = None,
    *,
    laid: tuple[str, str] = ("", ""),
    hand: tuple[str, str] = ("", ""),
    deck: tuple[str | None, str | None] = (None, None),
    tail: tuple[str, str] = ("", ""),
    reserve: tuple[int | None, int | None] = (None, None),
    aside: tuple[int, int] = (0, 0),
    marks: tuple[str, str] = ("", ""),
    strategies: tuple[str, str] = ("", ""),
    event: str = "",
    left: str = "",
    stands: str = "124 135 143 232 234",
    track: int = 0,
    turn: int = 2,
    plagues: int = 0,
    privilege: int | None = None,
    phase: int = ORDER,
    done: str = "",
    **options: object,
) -> State:
    """Return a position in which `province` is about to be turned up ("": is to be named).

    `blue` and `red` lie there, other cards of 1 to 5 elsewhere unless `laid` gives all
    five. What is not said: cards are in the decks (or gone), armies in the reserves. A
    reserve that is given leaves the rest of the armies aside.
    """
    options.setdefault("strategies", any(strategies))
    options.setdefault("events", bool(event))
    game = tianxia.game("suntzu", **options)
    pool = game.blank()
    record = pool[0]
    record["phase"], record["turn"], record["track"] = phase, turn, track
    record["plagues"] = plagues
    record["privilege"] = 0 if privilege is None else privilege + 1
    names = [[int(c) for c in stand] for stand in stands.split()]
    record["stands"] = [STANDS.tolist().index(name) + 1 for name in names]
    if event:
        record["event"] = EVENTS.index(event) + 1
        record["events_left"] = sum(1 << EVENTS.index(name) for name in left.split())
    record["done"] = sum(1 << PROVINCES.index(name) for name in done.split())
    if phase == ORDER:
        record["province"] = PROVINCES.index(province) + 1 if province else 0
        if not province and privilege is not None:
            record["acting"] = 1 << privilege
    elif phase == SCORING:
        record["province"] = 1
    if phase in (SCORING, COLLECTING):
        record["done"] = 31
    for name, text in (armies or {}).items():
        record["board"]["br".index(text[0])][PROVINCES.index(name)] = int(text[1:])
    for seat in range(2):
        for name in marks[seat].split():
            record["marks"][seat][PROVINCES.index(name)] += 1
        used = int(record["board"][seat].sum() + record["marks"][seat].sum())
        wanted = reserve[seat]
        record["aside"][seat] = aside[seat] if wanted is None else 21 - used - wanted
        record["reserve"][seat] = 21 - used - int(record["aside"][seat])
        cards = _laid((blue, red)[seat], province, laid[seat]) if phase != LAYING else []
        _deal(record, seat, cards, hand[seat], deck[seat], tail[seat])
        _give_strategy(record, seat, strategies[seat], bool(options["strategies"]))
    if phase == LAYING:
        record["acting"] = 3
    return game.from_bytes(pool.tobytes())


def _laid(card: str, province: str, five: str) -> list[str]:
    if five:
        return five.split()
    others = [c for c in "12345" if c != card or not province]
    return [card if name == province else others.pop(0) for name in PROVINCES]


def _deal(record, seat: int, laid: list[str], hand: str, deck: str | None, tail: str) -> None:
    free = COPIES[int(record["options"]["deck"])].copy()
    record["hand"][seat][:6] = 1
    for province, name in enumerate(laid):
        kind = CARDS.index(name)
        record["laid"][seat][province] = kind + 1
        if kind < 6:
            record["hand"][seat][kind] -= 1
        else:
            free[kind - 6] -= 1
    for name in hand.split():
        record["hand"][seat][CARDS.index(name)] += 1
        free[CARDS.index(name) - 6] -= 1
    for i, name in enumerate(tail.split()):
        shown = 16 if name.endswith("!") else 0
        kind = CARDS.index(name.rstrip("!"))
        record["tail"][seat][i] = kind + 1 + shown
        free[kind - 6] -= 1
    record["tail_length"][seat] = len(tail.split())
    for kind in range(9):
        for _ in range(int(free[kind])):
            wanted = deck is None and record["deck"][seat].sum() < 10 - len(tail.split())
            if deck is not None and CARDS[kind + 6] in deck.split():
                wanted = record["deck"][seat][kind] < deck.split().count(CARDS[kind + 6])
            record["deck" if wanted else "gone"][seat][kind] += 1


def _give_strategy(record, seat: int, held: str, on: bool) -> None:
    if on and not held:
        record["spent"][seat] = 4 if seat == BLUE else 1  # S3 or K1: of no importance later
    for number in held:
        record["strategy"][seat] |= 1 << (int(number) - 1)
        record["cards"][seat] += 1


def do(state: State, *tokens: str) -> State:
    """Take actions: "b Wu=5" where both may act, else just "turn=Wu"; return the state."""
    for token in tokens:
        who, _, rest = token.rpartition(" ")
        seat = "br".index(who) if who else state.acting[0] if state.acting else CHANCE
        state.apply(state.parse(rest, seat), seat)
    return state


def fight(*args, **kwargs) -> State:
    """Return a position made by `war` after its province was turned up."""
    province = kwargs.get("province", args[2] if len(args) > 2 else "Wu")
    return do(war(*args, **kwargs), f"turn={province}")


def holds(state: State, province: str = "Wu") -> str:
    """Return whose armies are in a province: b4, r1 or "-"."""
    place = PROVINCES.index(province)
    blue, red = (int(state.fields["board"][seat][place]) for seat in range(2))
    assert not (blue and red)
    return f"b{blue}" if blue else f"r{red}" if red else "-"


def legal(state: State, seat: int | None = None) -> set[str]:
    """Return the tokens of what may be done now."""
    who = seat if seat is not None else state.acting[0] if state.acting else CHANCE
    return {state.text(action, who) for action in state.legal_actions(who)}


def refused(state: State, token: str, seat: int | None = None) -> str | None:
    """Return the statement that forbids a token."""
    who = seat if seat is not None else state.acting[0] if state.acting else CHANCE
    return state.refusal(state.parse(token, who), who)


def reserve(state: State) -> tuple[int, int]:
    return int(state.fields["reserve"][0]), int(state.fields["reserve"][1])


def aside(state: State) -> tuple[int, int]:
    return int(state.fields["aside"][0]), int(state.fields["aside"][1])


def marks(state: State, province: str = "Wu") -> tuple[int, int]:
    place = PROVINCES.index(province)
    return int(state.fields["marks"][0][place]), int(state.fields["marks"][1][place])


def hand(state: State, seat: int) -> str:
    return " ".join(
        CARDS[kind] for kind in range(15) for _ in range(int(state.fields["hand"][seat][kind]))
    )


def counted(state: State, name: str, seat: int) -> str:
    """Return the cards of a field that counts kinds above 6: deck, gone, drawn."""
    counts = state.fields[name][seat]
    return " ".join(CARDS[kind + 6] for kind in range(9) for _ in range(int(counts[kind])))


def under(state: State, seat: int) -> str:
    tail = state.fields["tail"][seat][: int(state.fields["tail_length"][seat])]
    return " ".join(CARDS[(int(c) & 15) - 1] + ("!" if c & 16 else "") for c in tail)


def lay(state: State, seat: int, *cards: str) -> State:
    """Lay cards from Qin to Wu."""
    for province, card in zip(PROVINCES, cards, strict=True):
        state.apply(state.parse(f"{province}={card}", seat), seat)
    return state


def begin(seed: int = 1, **options: object) -> State:
    """Return a game in which chance and random choices have brought both to lay cards."""
    state = tianxia.game("suntzu", **options).new()
    return run(state, LAYING, seed)


def run(state: State, phase: int, seed: int = 1) -> State:
    """Play at random until a phase comes."""
    rng = random.Random(seed)
    while state.fields["phase"] != phase and not state.over:
        step(state, rng)
    return state


def step(state: State, rng: random.Random) -> None:
    """Take a random action."""
    seat = rng.choice(state.acting) if state.acting else CHANCE
    if seat == CHANCE:
        actions, weights = zip(*state.chance_weights(), strict=True)
        state.apply(rng.choices(actions, weights)[0], CHANCE)
    else:
        state.apply(rng.choice(state.legal_actions(seat)), seat)


def auto(state: State) -> State:
    """Let chance take all steps that have one outcome, and pass wherever that is possible."""
    while not state.over:
        if state.acting:
            if len(state.acting) > 1 or "pass" not in legal(state):
                return state
            do(state, "pass")
        else:
            outcomes = state.legal_actions(CHANCE)
            if len(outcomes) > 1:
                return state
            state.apply(outcomes[0], CHANCE)
    return state
