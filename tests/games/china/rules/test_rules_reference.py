"""Random games beside a second statement of the rules, written for clarity and read from notation.

Whatever can be placed, and all points, are found out once more from the position alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pytest

import tianxia
from tests.games.china.helpers import (
    ALLIANCES,
    COLOURS,
    HARBOURS,
    LETTERS,
    POSTS,
    PROVINCES,
    alliance,
    best_chains,
    board_of,
    cards,
    gained,
    in_game,
    legal,
    places,
    random_game,
    roads,
    spaces,
)

pytestmark = pytest.mark.rules

NAMES = dict(zip(LETTERS, PROVINCES, strict=True))
GAMES = [
    {"players": 3},
    {"players": 3, "fortifications": True, "tiles": True},
    {"players": 4, "board": "A"},
    {"players": 4, "fortifications": True},
    {"players": 5, "tiles": True},
    {"players": 3, "board": "border"},
    {"players": 5, "board": "border", "tiles": True},
    {"players": 2},
    {"players": 2, "fortifications": True, "tiles": True},
    {"players": 2, "light": True},
    {"players": 2, "keep": "all", "tiles": True},
]


@dataclass(frozen=True)
class Table:
    """A position as a player sees it who reads its notation."""

    state: tianxia.State
    options: dict[str, object]

    @cached_property
    def parts(self) -> list[str]:
        return self.state.notation().split()[1:]

    def part(self, number: int) -> str:
        return self.parts[number]

    def two(self) -> list[str]:
        return self.part(18).split(";")

    @property
    def phase(self) -> str:
        return self.part(1)

    @cached_property
    def board(self) -> str:
        return board_of(self.options, self.players)

    @property
    def players(self) -> int:
        return int(str(self.options["players"]))

    @property
    def owners(self) -> int:
        return max(3, self.players)

    @cached_property
    def active(self) -> int:
        return int(self.part(2)[0])

    @cached_property
    def stands(self) -> dict[str, str]:
        """What stands on each space."""
        return dict(zip(spaces(self.board), self.part(4).replace("/", ""), strict=True))

    def owner(self, space: str) -> int | None:
        piece = self.stands[space]
        return None if piece in ".#" else int(piece) if piece.isdigit() else "abcde".index(piece)

    def in_province(self, letter: str) -> list[str]:
        return [x for x in self.stands if letter in POSTS.get(x, x[0])]

    def palaces(self, letter: str) -> list[int]:
        """Count the palaces of each owner in a province."""
        owners = [self.owner(space) for space in self.in_province(letter)]
        return [owners.count(owner) for owner in range(self.owners)]

    def emissaries(self, letter: str) -> list[int]:
        there = self.part(5).split("/")[LETTERS.index(letter)]
        return [there.count(str(owner)) for owner in range(self.owners)]

    def empty(self, letter: str) -> bool:
        return {self.stands[x] for x in self.in_province(letter)} <= {"."}

    def face_down(self, letter: str) -> bool:
        tiles = self.part(7)
        return tiles != "-" and "?" in tiles.split("/")[LETTERS.index(letter)]

    def supply(self, owner: int) -> tuple[int, int]:
        """Return the palaces and emissaries left."""
        built = sum(self.owner(space) == owner for space in self.stands)
        sent = sum(self.emissaries(letter)[owner] for letter in LETTERS)
        return 20 - built, 8 - sent

    # --- What can be done ---

    def pays(self, letter: str, hand: Counter[str]) -> list[str]:
        """Return what pays for a piece: a card of the colour, or two equal others."""
        own = COLOURS[letter]
        return [own] * (hand[own] > 0) + [c * 2 for c in "vyogr" if c != own and hand[c] > 1]

    def piece(self, letter: str, owner: int, hand: Counter[str], forts: int) -> Iterator[str]:
        """Yield what can be placed in a province, if it is allowed to place there at all."""
        pays = self.pays(letter, hand)
        palaces, emissaries = self.supply(owner)
        free = [x for x in self.in_province(letter) if self.owner(x) is None]
        if palaces and free and self.face_down(letter):
            yield from {f"open:{NAMES[letter]}" for _ in pays}
        elif palaces:
            yield from self.palace(letter, free, pays, hand if owner < self.players else Counter())
        if forts:
            yield from (f"fort:{x}:{pay}" for x in free if self.stands[x] == "." for pay in pays)
        if emissaries and sum(self.emissaries(letter)) < max(self.palaces(letter)):
            yield from (f"emissary:{NAMES[letter]}:{pay}" for pay in pays)

    def palace(
        self, letter: str, free: list[str], pays: list[str], hand: Counter[str]
    ) -> Iterator[str]:
        for space in free:
            if space in POSTS:
                one, other = sorted((COLOURS[x] for x in POSTS[space]), key="vyogr".index)
                for pay in (one + other, one * 2, other * 2):
                    if not Counter(pay) - hand:
                        yield f"post:{space}/{NAMES[letter]}:{pay}"
            else:
                yield from (f"palace:{space}:{pay}" for pay in pays)

    def action(self) -> set[str]:
        """Return all that the active player may do in the phases turn and more."""
        rest = self.part(20)
        hand = cards(self.part(13).split("/")[self.active])
        forts = self.part(19)
        fort = int(forts[self.active]) if forts != "-" else 0
        special = self.two()[3].split("/")[self.active] if self.players == 2 else ""
        here = re.search(r"@([A-Z][a-z]+)(!?)", rest)
        found = {"stop"} if here else set(self.exchanges(hand))
        for letter in LETTERS:
            if here is None:
                open_to_him = True
            elif here[1] == NAMES[letter]:
                open_to_him = not here[2]  # it was empty before
            else:
                open_to_him = "t" in special
            if open_to_him:
                found |= set(self.piece(letter, self.active, hand, fort))
        if not here and self.players == 2:
            found |= set(self.special(hand, special))
        return found

    def committed(self) -> set[str]:
        """Return the palaces that can follow the turning of tiles, in the phase space."""
        rest = self.part(20)
        (name,) = re.findall(r">([A-Z][a-z]+)", rest)
        letter, imperial = LETTERS[PROVINCES.index(name)], rest.startswith(("e", "be"))
        hand = cards(self.two()[0] if imperial else self.part(13).split("/")[self.active])
        free = [x for x in self.in_province(letter) if self.owner(x) is None]
        return set(self.palace(letter, free, self.pays(letter, hand), hand))

    def offered(self) -> set[str]:
        """Return the cards that can be taken, in the phase take."""
        hidden = set() if self.part(9) == "-" else {"deck"}
        return hidden | {f"take:{card}" for card in cards(self.part(11))}

    def kept(self) -> set[str]:
        """Return what can be kept, in the phase keep."""
        return {f"keep:{card}" for card in cards(self.part(20).partition("+")[2])}

    def due(self) -> set[str]:
        """Return all that can be done now."""
        if self.phase == "emperor":
            return self.emperor() - ({"decline"} if "f" in self.part(20) else set())
        others = {"space": self.committed, "take": self.offered, "keep": self.kept}
        return others.get(self.phase, self.action)()

    def exchanges(self, hand: Counter[str]) -> Iterator[str]:
        if not hand or self.part(9) == self.part(11) == "-":
            yield "pass"
        else:
            yield from (f"exchange:{card}" for card in hand)

    def special(self, hand: Counter[str], special: str) -> Iterator[str]:
        display = cards(self.part(11))
        if "s" in special:
            yield from (f"swap:{mine}>{theirs}" for mine in hand for theirs in display)
        if "e" in special and self.emperor() - {"decline"}:
            yield "emperor"

    def emperor(self) -> set[str]:
        """Return all that the Emperor may place, or not."""
        hand = cards(self.two()[0])
        held = {x: set(self.piece(x, 2, hand, 0)) for x in LETTERS}
        inside = set().union(*(held[x] for x in LETTERS if not self.empty(x)))
        return (inside or set().union(*held.values())) | {"decline"}

    # --- Points ---

    def points(self, source: str) -> list[int]:
        return getattr(self, f"_{source}")()[: self.players]

    def strong(self, letter: str) -> set[int]:
        """Return the owners with a palace on a fortification."""
        marks = {self.stands[space] for space in self.in_province(letter)}
        return {"abcde".index(mark) for mark in marks if mark in "abcde"}

    def _palaces(self) -> list[int]:
        total = [0] * self.owners
        for letter in LETTERS:
            points = places(self.palaces(letter))
            for owner in range(self.owners):
                total[owner] += points[owner] * (2 if owner in self.strong(letter) else 1)
        return total

    def _harbours(self) -> list[int]:
        owners = [self.owner(x) for x in HARBOURS] if self.board == "border" else []
        return places([owners.count(owner) for owner in range(self.owners)])

    def _alliances(self) -> list[int]:
        pays = [alliance(self.emissaries(a), self.emissaries(b)) for a, b in ALLIANCES]
        return [sum(column) for column in zip(*pays, strict=True)]

    def _roads(self) -> list[int]:
        forts = [x for x, piece in self.stands.items() if piece in "abcde"]
        own = [[x for x in self.stands if self.owner(x) == owner] for owner in range(self.owners)]
        return [best_chains(self.board, mine, forts) for mine in own]

    def _tiles(self) -> list[int]:
        if self.part(8) == "-":
            return [0] * self.owners
        piles = [cards(pile) for pile in self.part(8).split("/")]
        best = {c: max(pile[c] for pile in piles) for c in "yog"}
        return [sum(6 for c in "yog" if 0 < best[c] == pile[c]) for pile in piles]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("options", GAMES, ids=str)
def test_random_games_by_the_letter(options: dict[str, object], seed: int) -> None:
    """CHI-13 to CHI-33, CHI-46, CHI-47, CHI-61, 62, 72, 73, 77, 80, 85, 86; then the points."""
    for state in random_game(seed=seed, **options):  # type: ignore[arg-type]
        table = Table(state, options)
        if state.acting:
            assert legal(state) == table.due(), state.notation()
    assert state.over
    for source in ("palaces", "harbours", "alliances", "roads", "tiles"):
        assert gained(state, source) == table.points(source), (source, state.notation())


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_random_games_keep_what_always_holds(options: dict[str, object]) -> None:
    """CHI-02, CHI-06: cards add up; CHI-28: caps hold; CHI-12: hands have three cards at most."""
    players = int(str(options["players"]))
    for state in random_game(seed=7, **options):  # type: ignore[arg-type]
        table = Table(state, options)
        hands = [cards(text) for text in table.part(13).split("/")]
        piles = [*hands, *(cards(table.part(n)) for n in (9, 11, 12))]
        if players == 2:
            piles += [cards(text) for text in re.split("[;/]", ";".join(table.two()[:2]))]
        piles.append(cards(table.part(20).partition("+")[2]))
        if not state.over:
            assert sum(piles, Counter()) == in_game(players), state.notation()
        assert max(hand.total() for hand in hands) <= 3
        assert cards(table.part(11)).total() <= 4
        for letter in LETTERS:
            assert sum(table.emissaries(letter)) <= max(table.palaces(letter))
            full = None not in map(table.owner, table.in_province(letter))
            if table.phase in ("turn", "more", "take"):
                assert (table.part(6)[LETTERS.index(letter)] == "x") == full


def test_the_second_statement_knows_the_boards() -> None:
    assert [len(spaces(board)) for board in ("A", "B", "border")] == [51, 55, 47]
    assert [sum(map(len, roads(board).values())) // 2 for board in ("A", "B", "border")] == [
        60,
        66,
        57,
    ]
