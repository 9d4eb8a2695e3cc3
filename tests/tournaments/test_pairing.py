"""Who meets whom: nobody twice, nobody idle twice, seats in turns, whoever withdraws."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tianxia.tournaments.pairing import Entrant, Round, round_robin, rounds_of, swiss
from tianxia.tournaments.standings import Score, points_of, standings


class Played:
    """A tournament whose games end by chance."""

    def __init__(self, people: int, size: int, seed: int) -> None:
        self.size, self.dice = size, random.Random(seed)
        self.playing = list(range(people))
        self.scores: list[Score] = []
        self.met: dict[int, Counter[int]] = {who: Counter() for who in self.playing}
        self.sat = {who: [0] * size for who in self.playing}
        self.byes: Counter[int] = Counter()
        self.rounds = 0

    def order(self) -> list[Entrant]:
        stand = standings(self.playing, self.scores, self.size)
        return [
            Entrant(
                one.entrant,
                one.points,
                self.met[one.entrant],
                tuple(self.sat[one.entrant]),
                self.byes[one.entrant],
            )
            for one in stand
        ]

    def play(self) -> Round:
        found = swiss(self.order(), self.size)
        self.rounds += 1
        for board, table in enumerate(found.tables):
            places = [self.dice.randrange(self.size) for _ in table]
            for seat, (who, points) in enumerate(zip(table, points_of(places), strict=True)):
                self.met[who].update(other for other in table if other != who)
                self.sat[who][seat] += 1
                self.scores.append(Score(self.rounds, who, board, points, seat))
        for who in found.byes:
            self.byes[who] += 1
            self.scores.append(Score(self.rounds, who, None, (self.size - 1) / 2))
        return found


@settings(deadline=None, max_examples=60)
@given(people=st.integers(8, 24), rounds=st.integers(1, 5), seed=st.integers(0, 999))
def test_two_meet_once_sit_in_turns_and_rest_once(people: int, rounds: int, seed: int) -> None:
    played = Played(people, 2, seed)
    for _ in range(rounds):
        found = played.play()
        seen = [who for table in found.tables for who in table] + list(found.byes)
        assert sorted(seen) == list(range(people))
        assert len(found.byes) == people % 2
    assert max(max(met.values(), default=0) for met in played.met.values()) == 1
    assert max(played.byes.values(), default=0) <= 1
    assert max(abs(first - second) for first, second in played.sat.values()) <= 2


@settings(deadline=None, max_examples=30)
@given(people=st.integers(4, 12), seed=st.integers(0, 999))
def test_nobody_meets_twice_while_it_can_be_helped(people: int, seed: int) -> None:
    """As many rounds as there are people in all: only the last ones can have met before."""
    played = Played(people, 2, seed)
    for _ in range(people):
        possible = possible_without_repeats(played)
        found = played.play()
        again = [pair for pair in found.tables if played.met[pair[0]][pair[1]] > 1] + [
            who for who in found.byes if played.byes[who] > 1
        ]
        assert not (possible and again)


def possible_without_repeats(played: Played) -> bool:
    """Say, trying all pairings, whether everybody can have somebody new, or a first bye."""

    def rest(left: list[int]) -> bool:
        if not left:
            return True
        first, others = left[0], left[1:]
        odd = len(left) % 2
        if odd and not played.byes[first] and rest(others):
            return True
        return any(
            not played.met[first][other] and rest([one for one in others if one != other])
            for other in others
        )

    return rest(played.playing)


@settings(deadline=None, max_examples=40)
@given(
    size=st.integers(3, 5), tables=st.integers(3, 5), extra=st.integers(0, 4),
    seed=st.integers(0, 999),
)  # fmt: skip
def test_more_at_a_table(size: int, tables: int, extra: int, seed: int) -> None:
    """Two rounds can always be drawn so that nobody meets twice or rests twice."""
    people = size * max(tables, size) + extra % size
    played = Played(people, size, seed)
    for _ in range(2):
        found = played.play()
        assert all(len(table) == size for table in found.tables)
        assert len(found.byes) == people % size
    assert max(max(met.values(), default=0) for met in played.met.values()) == 1
    assert max(played.byes.values(), default=0) <= 1


def test_everybody_sits_where_they_have_sat_least() -> None:
    order = [Entrant(0, sat=(1, 0, 0)), Entrant(1, sat=(0, 1, 0)), Entrant(2, sat=(1, 1, 0))]
    assert swiss(order, 3).tables == ((1, 0, 2),)
    assert swiss([Entrant(0, sat=(2, 1)), Entrant(1, sat=(1, 1))], 2).tables == ((1, 0),)


def test_those_who_stand_alike_meet() -> None:
    order = [Entrant(n, points) for n, points in enumerate([2, 2, 1, 1, 1, 1, 0, 0])]
    found = swiss(order, 2)
    assert {frozenset(pair) for pair in found.tables} == {
        frozenset(pair) for pair in [(0, 1), (2, 4), (3, 5), (6, 7)]
    }
    assert swiss([Entrant(n, 3 - n // 3, sat=(0,) * 3) for n in range(7)], 3).byes == (6,)


def test_at_first_the_upper_half_meets_the_lower_one() -> None:
    found = swiss([Entrant(n) for n in range(6)], 2)
    assert [set(pair) for pair in found.tables] == [{0, 3}, {1, 4}, {2, 5}]
    assert [pair[0] for pair in found.tables] == [0, 4, 2]  # the better one first in turns


def test_who_withdraws_is_not_paired_and_too_few_rest() -> None:
    played = Played(9, 2, 1)
    played.play()
    played.playing.remove(3)
    seen = [who for table in played.play().tables for who in table]
    assert 3 not in seen
    assert len(seen) == 8
    assert swiss([Entrant(4)], 2) == Round((), (4,))


def test_the_worst_one_has_nobody_to_play_and_another_one_the_next_time() -> None:
    order = [Entrant(0, 2), Entrant(1, 1), Entrant(2, 0)]
    assert swiss(order, 2).byes == (2,)
    assert swiss([*order[:2], Entrant(2, 0, byes=1)], 2).byes == (1,)


def test_those_who_must_not_meet_do_not_while_there_are_others() -> None:
    order = [Entrant(0, met={2: 1}), Entrant(1), Entrant(2, met={0: 1}), Entrant(3)]
    assert frozenset((0, 2)) not in {frozenset(pair) for pair in swiss(order, 2).tables}
    assert swiss([order[0], order[2]], 2).tables  # there is nobody else


@pytest.mark.parametrize("people", range(2, 16))
def test_everybody_meets_everybody_once(people: int) -> None:
    rounds = [round_robin(range(people), number) for number in range(rounds_of(people))]
    met = Counter(frozenset(pair) for one in rounds for pair in one.tables)
    assert met == Counter(map(frozenset, combinations(range(people), 2)))
    first = Counter(pair[0] for one in rounds for pair in one.tables)
    second = Counter(pair[1] for one in rounds for pair in one.tables)
    assert all(abs(first[who] - second[who]) <= 1 for who in range(people))
    byes = Counter(who for one in rounds for who in one.byes)
    assert byes == (Counter(range(people)) if people % 2 else Counter())


def test_a_hundred_are_paired_in_time() -> None:
    """No clock is asked: only that the matching of so many comes to an end."""
    played = Played(100, 2, 5)
    played.play()
    assert len(played.play().tables) == 50
