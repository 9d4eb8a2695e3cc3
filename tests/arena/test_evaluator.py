"""The protocol of public Stratego bots, from both sides."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tianxia
from tests.arena.helpers import match, program
from tests.games.stratego.helpers import place
from tianxia.arena.archive import transcript_file
from tianxia.bots.evaluator import (
    Guest,
    board_lines,
    letter,
    outcome,
    play_evaluated,
    read_move,
    written,
)
from tianxia.bots.lines import ProtocolError
from tianxia.games.stratego.rules.components import move

GUEST = f"exec:{sys.executable} -m tianxia bot stratego --protocol evaluator --bot"

SETUP = ("98F8B7B8B8", "B8B35756B9", "7469957546", "29931964s9")
"""Forty pieces."""


def test_pieces_and_moves_as_the_manual_writes_them() -> None:
    assert "".join(letter(rank) for rank in range(1, 13)) == "s987654321BF"
    assert written(move(30, 40)) == "0 3 DOWN"
    assert written(move(69, 39)) == "9 6 UP 3"
    assert written(move(33, 32)) == "3 3 LEFT"
    assert written(move(33, 35)) == "3 3 RIGHT 2"
    for text in ("0 3 DOWN", "9 6 UP 3", "3 3 LEFT", "3 3 RIGHT 2"):
        assert written(read_move(text)) == text
    for text in ("0 3", "0 3 down", "9 9 DOWN", "0 3 DOWN 0", "10 3 UP", ""):
        with pytest.raises(ProtocolError):
            read_move(text)


@pytest.mark.parametrize(
    ("pieces", "move_", "told"),
    [
        ("a1=rF e4=r9 a10=bF e5=b8", "e4xe5", "4 3 DOWN KILLS 2 3"),
        ("a1=rF e4=r2 a10=bF e7=bB j8=b8", "e4xe7", "4 3 DOWN 3 DIES 9 B"),
        ("a1=rF e4=r5 b4=r6 a10=bF e5=b5 j8=b8", "e4xe5", "4 3 DOWN BOTHDIE 6 6"),
        ("a1=rF a9=r3 a10=bF e5=b5", "a9xa10", "0 8 DOWN VICTORY_FLAG"),
        ("a1=rF a9=rS a10=bM e5=b5 j10=bF", "a9xa10", "0 8 DOWN KILLS s 1"),
        ("a1=rF a8=r3 a10=bF e5=b5", "a8-a9", "0 7 DOWN OK"),
    ],
)
def test_what_came_of_a_move(pieces: str, move_: str, told: str) -> None:
    state = place(pieces)
    action = state.parse(move_, 0)
    for viewer in (0, 1):
        before = state.view(viewer)
        after = state.clone()
        after.apply(action, 0)
        assert f"{written(action)} {outcome(before, after.view(viewer), action)}" == told


def test_the_board_hides_the_enemy() -> None:
    state = place("a1=rF e4=rM a10=bF e5=bS")
    red, blue = (list(board_lines(state.view(seat), seat)) for seat in (0, 1))
    assert red[0] == "F........."
    assert red[3:6] == ["....1.....", "..++#.++..", "..++..++.."]
    assert blue[9] == "F........."
    assert blue[0] == "#........."


class Manager:
    """The manager's part of a conversation, as the manual tells it."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            yield line + "\n"


def conversation(*lines: str, bot: str = "random", seed: int = 4) -> tuple[int, list[str]]:
    out = io.StringIO()
    status = play_evaluated(bot, iter(Manager(list(lines))), out, seed)
    return status, out.getvalue().splitlines()


BOARD = ["##########"] * 10  # nobody looks at it


def test_our_bot_as_red_and_as_blue() -> None:
    status, answers = conversation("RED vixen 10 10", "START", *BOARD, "QUIT")
    assert status == 0
    assert len(answers) == 5
    assert sorted("".join(answers[:4])) == sorted("".join(SETUP))
    assert read_move(answers[4]) > 0
    status, answers = conversation("BLUE vixen 10 10", "0 3 DOWN OK", *BOARD, "QUIT")
    assert status == 0
    assert read_move(answers[4]) > 0
    assert int(answers[4].split()[1]) in (5, 6)  # Blue's front is in row 6


def test_a_guest_learns_what_is_shown() -> None:
    """Blue runs with a Scout, then a Bomb is met, then Blue's piece that we thought one walks."""
    guest = Guest("random", 0, 1, None)
    guest.set_up()
    own = {square: int(guest.state.fields["rank"][square]) for square in range(40)}
    front = next(x for x in (0, 1, 4, 5, 8, 9) if 1 < own[30 + x] < 11)
    assert guest.happen(f"{front} 3 DOWN OK") == 0
    away = next(x for x in (8, 9, 0, 1) if abs(x - front) > 1)
    assert guest.happen(f"{away} 6 UP 2 OK") == 1  # it ran
    view = guest.state.view(0)
    runner = int(view.fields["board"][40 + away]) - 1
    assert view.fields["rank"][runner] == 2
    rank = letter(own[30 + front])
    guest.happen(f"{front} 4 DOWN OK")
    other = next(x for x in (0, 1, 4, 5, 8, 9) if x not in (front, away))
    walker = int(guest.state.fields["board"][60 + other]) - 1
    guest.state = guest._with_army({walker: 11, **swap(guest, walker, 11)})
    guest.happen(f"{other} 6 UP OK")  # what walks is not a Bomb
    assert guest.state.fields["rank"][walker] < 11
    word = "KILLS" if rank == "8" else "DIES"
    guest.happen(f"{front} 5 DOWN {word} {rank} B")
    met = 40 + 99 - (60 + front)  # pieces are numbered by where they began
    assert guest.state.view(0).fields["rank"][met] == 11


def test_a_guest_takes_what_our_rules_of_repetition_forbid() -> None:
    """The manager knows no such rules: pieces may pace as long as they like."""
    guest = Guest("random", 0, 1, None)
    guest.set_up()
    ranks = guest.state.fields["rank"].tolist()
    own = next(x for x in (0, 1, 4, 5, 8, 9) if 1 <= ranks[30 + x] < 11)
    theirs = next(x for x in (0, 1, 4, 5, 8, 9) if x != own)
    before = guest.state.fields["board"].tolist()
    for _ in range(6):
        assert guest.state.refusal(read_move(f"{own} 3 DOWN"), 0) is None
        for report in (f"{own} 3 DOWN", f"{theirs} 6 UP", f"{own} 4 UP", f"{theirs} 5 DOWN"):
            guest.happen(f"{report} OK")
    assert guest.state.fields["board"].tolist() == before
    assert guest.ask() in guest.state.legal_actions(0)


def swap(guest: Guest, piece: int, rank: int) -> dict[int, int]:
    """Return the exchange that gives a piece another rank."""
    ranks = guest.state.fields["rank"].tolist()
    marks = guest.state.fields["marks"].tolist()
    other = next(p for p in range(40, 80) if ranks[p] == rank and not marks[p])
    return {other: ranks[piece]}


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["GREEN vixen 10 10"], "a game begins like"),
        (["RED vixen 10 10", "0 3 SIDEWAYS OK"], "is not a move with its outcome"),
        (["BLUE vixen 10 10", "0 4 DOWN OK"], "nobody stands there"),
        (["BLUE vixen 10 10", "0 3 DOWN KILLS 2 x"], "'x' is not a piece"),
    ],
)
def test_errors_are_one_clear_line(lines: list[str], text: str) -> None:
    status, answers = conversation(*lines)
    assert status == 2
    assert answers[-1].startswith("# error: ")
    assert text in answers[-1]


@pytest.mark.slow
def test_our_guests_play_a_whole_match_in_our_arena(tmp_path: Path) -> None:
    """Both sides of the protocol, against one another."""
    player = f"{GUEST} skirmisher --seed 3"
    played = match(
        tmp_path, player, "random", spec="stratego", protocol="evaluator", longest=400, seconds=20.0
    )
    for outcome_ in played:
        assert outcome_.end in ("rules", "cut"), outcome_.note
        assert outcome_.actions > 150
        text = transcript_file(tmp_path, outcome_.number).read_text(encoding="utf-8")
        assert tianxia.replay(text).plies > 50


ANSWERS = "import sys\nfor line in sys.stdin:\n    first = line.split()[0]\n"
ARMY = "    if first in ('RED', 'BLUE'): print('\\n'.join(" + repr(SETUP) + "), flush=True)\n"


@pytest.mark.parametrize(
    ("body", "end", "note"),
    [
        (ANSWERS + "    print('F' * 10, flush=True)\n" * 4, "illegal", "has 0 of s"),
        (
            ANSWERS + ARMY + "    if first == 'START': print('0 0 UP', flush=True)\n",
            "illegal",
            "UP",
        ),
        (
            ANSWERS + ARMY + "    if first == 'START': print('SURRENDER', flush=True)\n",
            "resigned",
            "",
        ),
        (ANSWERS + ARMY, "silent", "no answer"),
    ],
)
def test_programs_that_do_wrong_lose(tmp_path: Path, body: str, end: str, note: str) -> None:
    player = program(tmp_path, body)
    (first, _) = match(
        tmp_path / "match",
        player,
        "random",
        spec="stratego",
        protocol="evaluator",
        patience=0.5,
        longest=200,
    )
    assert (first.end, first.fault) == (end, 0)
    assert note in first.note


def test_it_is_for_classic_stratego_only(tmp_path: Path) -> None:
    with pytest.raises(tianxia.TianxiaError, match="for classic Stratego only"):
        match(tmp_path, program(tmp_path, ""), "random", protocol="evaluator")
    with pytest.raises(tianxia.TianxiaError, match="no protocol is called 'uci'"):
        match(tmp_path / "x", "random", "random", protocol="uci")
