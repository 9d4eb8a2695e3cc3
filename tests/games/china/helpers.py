"""What the tests of China share: positions from a few words, play by tokens, plain scoring."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

import tianxia
from tianxia import CHANCE
from tianxia.games.china import GAME
from tianxia.kernel.errors import ParseError

if "china" not in tianxia.games():
    tianxia.register(GAME)

PROVINCES = ("Wei", "Zhao", "Qi", "Chin", "Han", "Lu", "Shu", "Chu", "Wu")
LETTERS = "WZQCHLSUV"
"""What the spaces of the provinces begin with."""
COLOURS = dict(zip(LETTERS, "royygogvr", strict=True))
"""The colour of each province."""
POSTS = {"P1": "WZ", "P2": "WC", "P3": "CS", "P4": "HL", "P5": "HU", "P6": "UV"}
HARBOURS = {"Q3", "Q4", "L2", "V1", "V2", "V3", "U5"}
_ALLIED = "WZ WH WC CS CH CU SU ZQ ZH HU HL QL LU LV UV"
ALLIANCES = tuple((pair[0], pair[1]) for pair in _ALLIED.split())
"""Neighbours by their letters, in the order of the numbers."""
ROADS = {
    "A": """
        W1-W2-W3-Z1-Z2-Z3-Q1-Q2-Q3-Q4-L3 W3-W4-W5-W6-W7 W4-Z6-Z5-Z4-Z3 W7-C1 C1-C2-C3-H5
        C2-C4-C6-S1-S2-S3-S4-S5 C4-C5 C6-U1 W5-H1 H1-H2-H3-L1 H1-H5-H4 Z5-H2 Q1-Q5-L2
        L1-L2-L3-L4-U3 L3-V2 H4-U2 S5-U7 U1-U2-U3-U4-U5-U6-U7 U1-U8 U4-V1-V2-V3-V4-V5 U5-V5""",
    "B": """
        W1-W2-W3-Z1-Z2-Z3-Z4-Q1-Q2-Q3-Q4 W1-W7-W6-W5-W4-W3 W4-Z7-Z6-Z5-Z4 Z1-Z7 W6-C1
        C1-C2-C3-H1 C2-C4-C6-S1-S2-S3-S4-S5-S6 C4-C5 C6-U1 W5-H1 H1-H2-H3-L1-L2-L3-V2 Z6-H2
        H1-H6-H5-H4-H3 H5-U2 Q1-Q5-L2 L1-L4-U3 S5-U7 U1-U2-U3-U4-U5-U6-U7-U8 U4-V6
        V1-V2-V3-V4-V5-V6 S6-U8""",
    "border": """
        W1-W2-W3-P1-Z1-Z2-Z3-Q1-Q2-Q3-Q4-L2-V1 W1-W5-P2-C1-C2-H1 W5-W4-H1 W4-P1 P1-Z5-Z4-Z3
        Z4-H2 C1-C3-C5-P3-S1-S2-S3-S4-U6 C3-C4 C5-U1 H1-H2-H3-P4-L1-L2 H1-H4-P5-U1
        P5-U2-U3-U4-U5-U6-U1 P4-L3-U2 U3-P6-V5-V1-V2-V3-V4 P6-V4""",
}
"""The roads of each board, space by space."""
SOURCES = ("palaces", "influence", "harbours", "alliances", "roads", "tiles")
CARDS = "vyogr"
IN_THE_BOX = Counter(v=10, y=11, o=11, g=12, r=13)


# --- Boards ---


@cache
def roads(board: str) -> dict[str, frozenset[str]]:
    """Return the neighbours of every space of a board."""
    found: dict[str, set[str]] = {}
    for road in ROADS[board].split():
        for one, other in pairwise(road.split("-")):
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {space: frozenset(near) for space, near in found.items()}


@cache
def spaces(board: str) -> tuple[str, ...]:
    """Return the spaces of a board in the order of the notation."""
    order = LETTERS + "P"
    return tuple(sorted(roads(board), key=lambda space: (order.index(space[0]), space[1:])))


def lies_in(space: str) -> str:
    """Return the letters of the provinces that a space belongs to."""
    return POSTS.get(space, space[0])


def province(board: str, letter: str) -> tuple[str, ...]:
    """Return the spaces that have to be built on before a province is complete."""
    return tuple(space for space in spaces(board) if letter in lies_in(space))


def board_of(options: Mapping[str, object], players: int) -> str:
    """Return which board a game is played on."""
    named = str(options.get("board", "auto"))
    named = named.upper() if len(named) == 1 else named
    return named if named != "auto" else "AB"[players > 3]


# --- Cards ---


def cards(text: str) -> Counter[str]:
    """Read a multiset such as v1r2."""
    return Counter({name: int(count) for name, count in re.findall(r"([a-z])(\d+)", text)})


def written(found: Mapping[str, int], order: str = CARDS) -> str:
    return "".join(f"{name}{found[name]}" for name in order if found.get(name)) or "-"


def in_game(players: int) -> Counter[str]:
    """Return the cards that are played with (CHI-06)."""
    less = {2: 2, 3: 2, 4: 1, 5: 0}[players]
    return Counter({name: count - less for name, count in IN_THE_BOX.items()})


# --- Positions ---


def table(
    *hands: str,
    palaces: Mapping[int, str] | None = None,
    forts: str = "",
    emissaries: Mapping[str, str] | None = None,
    active: int = 0,
    first: int = 0,
    deck: str | None = None,
    display: str = "v1y1o1g1",
    discard: str = "-",
    points: Sequence[str] = (),
    exhausted: int = 0,
    known: Sequence[str] = (),
    unfinished: str = "-",
    phase: str = "turn",
    emperor: str = "v1o1g1",
    kept: Sequence[str] = ("-", "-"),
    influence: str = "-",
    special: str = "ets/ets",
    left: str | None = None,
    turned: Mapping[str, str] | None = None,
    taken: Sequence[str] = (),
    **options: object,
) -> tianxia.State:
    """Make a position in which the active player begins his turn.

    ``palaces`` names spaces by owner, ``forts`` those with a fortification, ``emissaries``
    the owners by province. Cards not spoken of are in the deck, or in the discard if the
    deck is given. With tiles, two lie face down in every province without palaces, and
    ``turned`` names those face up by their spaces.
    """
    players = len(hands)
    board = board_of(options, players)
    built = {space: owner for owner, names in (palaces or {}).items() for space in names.split()}
    strong = set(forts.split())
    deal = [written(cards(hand)) for hand in hands]
    emperor, kept = written(cards(emperor)), tuple(written(cards(pile)) for pile in kept)
    told = [*deal, display, discard, *([emperor, *kept] if players == 2 else [])]
    rest = in_game(players) - sum(map(cards, told), Counter())
    drawn = rest if deck is None else cards(deck)
    laid = cards(discard) + (rest - drawn)
    scored = [set(province(board, letter)) <= set(built) for letter in LETTERS]
    last = f"{emperor} {'/'.join(kept)} {influence} {special}".split() if players == 2 else []
    if left is None:
        left = "1" * players if options.get("fortifications") else "-"
    with_tiles = bool(options.get("tiles"))
    owners = 3 if players == 2 else players
    takes = [written(cards(pile), "yog") for pile in taken] + ["-"] * owners
    game = tianxia.game("china", players=players, **options)
    parts = [
        phase,
        f"{active}/{first}",
        "60/60",
        "/".join(_group(board, x, built, strong) for x in _groups(board)),
        "/".join("".join(sorted((emissaries or {}).get(name, ""))) or "-" for name in PROVINCES),
        "".join(".x"[full] for full in scored),
        _tiles(board, built, turned or {}) if with_tiles else "-",
        "/".join(takes[:owners]) if with_tiles else "-",
        written(drawn),
        written(drawn),
        display,
        written(laid),
        "/".join(deal),
        "/".join(["-"] * players),
        "/".join([*known, *["-"] * players][:players]),
        "/".join([*points, *["0,0,0,0,0,0"] * players][:players]),
        str(exhausted),
        ";".join(last) or "-",
        left,
        unfinished,
    ]
    return tianxia.position(f"{game.spec} * {' '.join(parts)}")


def _groups(board: str) -> str:
    return LETTERS + ("P" if board == "border" else "")


def _group(board: str, letter: str, built: Mapping[str, int], strong: set[str]) -> str:
    """Write the spaces of a province, or the posts."""
    found = ""
    for space in spaces(board):
        if space[0] == letter:
            owner, fort = built.get(space), space in strong
            found += ".#"[fort] if owner is None else "abcde"[owner] if fort else str(owner)
    return found


def eligible(board: str, letter: str) -> tuple[str, ...]:
    """Return the spaces of a province on which a bonus tile may lie (CHI-79)."""
    near = roads(board)
    return tuple(x for x in spaces(board) if x[0] == letter and len(near[x]) <= 2)


def _tiles(board: str, built: Mapping[str, int], turned: Mapping[str, str]) -> str:
    opened = set("".join(map(lies_in, [*built, *turned])))
    down = [x for letter in LETTERS if letter not in opened for x in eligible(board, letter)[:2]]
    found = {**dict.fromkeys(down, "?"), **turned}
    groups = ([x + mark for x, mark in found.items() if x[0] == letter] for letter in LETTERS)
    return "/".join(",".join(sorted(group)) or "-" for group in groups)


# --- Play ---


def actor(state: tianxia.State) -> int:
    return state.acting[0] if state.acting else CHANCE


def play(state: tianxia.State, *tokens: str) -> tianxia.State:
    """Apply tokens, each for who may act (or chance)."""
    for token in tokens:
        state.apply(state.parse(token, actor(state)), actor(state))
    return state


def refusal(state: tianxia.State, token: str, seat: int | None = None) -> str | None:
    """Ask which statement forbids a token; None where it is legal.

    What no position could allow is not an action at all: then the reader of tokens names
    the statement.
    """
    seat = actor(state) if seat is None else seat
    try:
        action = state.parse(token, seat)
    except ParseError as error:
        found = re.search(r"CHI-\d\d", str(error))
        return found[0] if found else str(error)
    return state.refusal(action, seat)


def legal(state: tianxia.State, start: str = "") -> set[str]:
    """Return the tokens of what can happen next, those that begin so."""
    seat = actor(state)
    found = {state.text(action, seat) for action in state.legal_actions(seat)}
    if seat == CHANCE:
        found = {state.text(action, seat) for action, _ in state.chance_weights()}
    return {token for token in found if token.startswith(start)}


def by_chance(state: tianxia.State, seed: int = 0, most: int = 1000) -> list[str]:
    """Let chance act until somebody may; return the tokens of what it did."""
    rng = random.Random(seed)
    told: list[str] = []
    while not state.acting and not state.over and len(told) < most:
        actions, weights = zip(*state.chance_weights(), strict=True)
        action = rng.choices(actions, weights)[0]
        told.append(state.text(action, CHANCE))
        state.apply(action, CHANCE)
    return told


def end_of_turn(state: tianxia.State, *tokens: str, seed: int = 0) -> tianxia.State:
    """Play the tokens, then stop and take from the deck, until another turn or the end."""
    play(state, *tokens)
    for _ in range(40):
        by_chance(state, seed)
        if state.over or (phase(state) == "turn" and part(state, 20) == "-"):
            return state
        choices = legal(state)
        for token in ("stop", "deck", "decline"):
            if token in choices:
                play(state, token)
                break
        else:
            play(state, min(choices))
    raise AssertionError(f"the turn does not end: {state.notation()}")


def begin(players: int = 3, seed: int = 0, **options: object) -> tianxia.State:
    """Return a game at its first turn."""
    state = tianxia.game("china", players=players, **options).new()
    by_chance(state, seed)
    return state


def finished(players: int = 3, **position: object) -> tianxia.State:
    """Return a game in its final scoring: the last player has passed."""
    hands = ["-"] * players
    position.setdefault("active", players - 1)
    position = {"exhausted": 2, "deck": "-", "display": "-", "emperor": "-", **position}
    return play(table(*hands, **position), "pass")  # type: ignore[arg-type]


def random_game(
    players: int, seed: int, most: int = 5000, **options: object
) -> Iterable[tianxia.State]:
    """Yield the positions of a random game, always the same object."""
    rng = random.Random(seed)
    state = tianxia.game("china", players=players, **options).new()
    yield state
    for _ in range(most):
        if state.over:
            return
        if state.acting:
            state.apply(rng.choice(state.legal_actions()))
        else:
            actions, weights = zip(*state.chance_weights(), strict=True)
            state.apply(rng.choices(actions, weights)[0], CHANCE)
        yield state


# --- Reading positions ---


def part(state: tianxia.State, number: int) -> str:
    """Return one of the parts of the notation, counted from 1."""
    return str(state.notation().split()[number + 1])


def phase(state: tianxia.State) -> str:
    return part(state, 1)


def active(state: tianxia.State) -> int:
    return int(part(state, 2)[0])


def hand(state: tianxia.State, seat: int) -> str:
    return part(state, 13).split("/")[seat]


def deck(state: tianxia.State) -> str:
    return part(state, 9)


def display(state: tianxia.State) -> str:
    return part(state, 11)


def discard(state: tianxia.State) -> str:
    return part(state, 12)


def two(state: tianxia.State) -> list[str]:
    """Return Emperor's cards, kept cards, influence and special cards of two players."""
    return part(state, 18).split(";")


def on(state: tianxia.State, space: str) -> str:
    """Return what stands on a space."""
    players = state.seats
    board = board_of(_options(state), players)
    pieces = part(state, 4).replace("/", "")
    return pieces[spaces(board).index(space)]


def _options(state: tianxia.State) -> dict[str, object]:
    return dict(re.findall(r"(\w+)=(\w+)", state.notation().split()[0]))


def emissaries(state: tianxia.State, name: str) -> str:
    return part(state, 5).split("/")[PROVINCES.index(name)]


def scored(state: tianxia.State, name: str) -> bool:
    return part(state, 6)[PROVINCES.index(name)] == "x"


def gained(state: tianxia.State, source: str) -> list[int]:
    """Return the points by seat from one source."""
    column = SOURCES.index(source)
    return [int(row.split(",")[column]) for row in part(state, 16).split("/")]


# --- Scoring by the letter of the rules ---


def places(counts: Sequence[int]) -> list[int]:
    """CHI-35 to CHI-38: return the points by the numbers of palaces."""
    ranks = sorted(set(counts), reverse=True)
    pay = [sum(counts), *ranks]
    return [pay[ranks.index(count)] if count else 0 for count in counts]


def alliance(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """CHI-52, CHI-53: return the points by the numbers of emissaries in two provinces."""
    total = sum(one) + sum(other)
    return [
        total if mine == max(one) > 0 and yours == max(other) > 0 else 0
        for mine, yours in zip(one, other, strict=True)
    ]


def best_chains(board: str, own: Iterable[str], forts: Iterable[str] = ()) -> int:
    """CHI-56, 57, 59, 65: return the most that palaces can bring; tries everything."""
    near, strong = roads(board), frozenset(forts)

    def arms(path: tuple[str, ...], left: frozenset[str]) -> Iterable[frozenset[str]]:
        yield frozenset(path)
        for step in near[path[-1]] & left - set(path):
            yield from arms((*path, step), left)

    def chains(middle: str, left: frozenset[str]) -> set[frozenset[str]]:
        """Return the chains through a space: two arms that share nothing else."""
        return {
            one | two
            for one in arms((middle,), left)
            for two in arms((middle,), left - one | {middle})
        }

    @cache
    def best(left: frozenset[str]) -> int:
        if len(left) < 4:
            return 0
        some = min(left)
        found = best(left - {some})
        for chain in chains(some, left):
            if len(chain) >= 4:
                worth = len(chain) * (2 if chain & strong else 1)
                found = max(found, worth + best(left - chain))
        return found

    return best(frozenset(own))
