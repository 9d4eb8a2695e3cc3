"""Chance: drawn as documented, fair, and checkable; a forged file is noticed."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re

import pytest

from tests.tables.helpers import BARRAGE, DUEL, people, play_out, ready
from tianxia.kernel.errors import TianxiaError, TranscriptError
from tianxia.kernel.transcript import Transcript
from tianxia.tables import Tables
from tianxia.tables.chance import Chance, commitment, new_secret
from tianxia.tables.verify import verify

SECRET = "00112233445566778899aabbccddeeff" * 2
CHANCE = Chance("table", SECRET, ("", "salt ü"))


def by_hand(total: int, number: int) -> int:
    """Draw as the documentation says, from scratch."""
    block = 0
    while True:
        text = json.dumps(["table", number, block, ["", "salt ü"]]).replace(", ", ",")
        digest = hmac.new(bytes.fromhex(SECRET), text.encode(), hashlib.sha256).hexdigest()
        for place in range(0, 64, 16):
            chunk = int(digest[place : place + 16], 16)
            if chunk < (2**64 // total) * total:
                return chunk % total
        block += 1


@pytest.mark.parametrize("total", [1, 2, 6, 100, 2**63 + 1, 2**64 - 1, 2**64])
def test_a_ticket_is_what_the_documentation_says(total: int) -> None:
    assert [CHANCE.ticket(total, n) for n in range(1, 40)] == [
        by_hand(total, n) for n in range(1, 40)
    ]


def test_it_never_changes_how_it_draws() -> None:
    """Games that are stored stay checkable only if this stays."""
    assert [CHANCE.ticket(1000, n) for n in range(1, 9)] == [by_hand(1000, n) for n in range(1, 9)]
    assert commitment(SECRET) == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


def test_outcomes_come_by_their_weight() -> None:
    weights = [(7, 1), (3, 2), (5, 3)]
    drawn = [CHANCE.draw(weights, number) for number in range(1, 6001)]
    counts = [drawn.count(action) for action in (7, 3, 5)]
    assert all(abs(count - 1000 * k) < 130 for k, count in zip((1, 2, 3), counts, strict=True))


def test_the_order_of_outcomes_does_not_matter() -> None:
    weights = [(action, 1 + action % 3) for action in range(20)]
    mixed = random.Random(1).sample(weights, 20)
    assert [CHANCE.draw(weights, n) for n in range(50)] == [
        CHANCE.draw(mixed, n) for n in range(50)
    ]


def test_one_outcome_draws_nothing() -> None:
    assert Chance("t", "", ()).draw([(4, 9)], 1) == 4


@pytest.mark.parametrize("total", [0, -1, 2**64 + 1])
def test_impossible_totals_are_refused(total: int) -> None:
    with pytest.raises(TianxiaError, match="weights"):
        CHANCE.ticket(total, 1)


def test_seeds_and_table_and_number_matter() -> None:
    others = [Chance("table", SECRET, ("", "")), Chance("other", SECRET, CHANCE.seeds)]
    draws = [tuple(one.ticket(2**32, n) for n in (1, 2)) for one in (CHANCE, *others)]
    assert len({number for pair in draws for number in pair}) == 6
    assert len({CHANCE.bot_seed(seat) for seat in range(4)}) == 4
    assert new_secret() != new_secret()


# --- At a table ---


def finished(tables: Tables, seed: int = 1) -> str:
    table_id = people(tables, DUEL, seed="mine")
    assert play_out(tables, table_id, seed).ending == "rules"
    return tables.transcript(table_id)


def test_a_finished_game_is_verified(tables: Tables) -> None:
    text = finished(tables)
    report = verify(text)
    assert report.ok
    assert report.problems == ()
    assert report.draws > 5
    assert report.steps > 0
    assert Transcript.read(text).extra["chance-seeds"] == '["mine", ""]'
    assert f"chance-hash: {report.chance_hash}" in text


def test_the_secret_is_hidden_until_the_end(tables: Tables) -> None:
    table_id = people(tables, DUEL)
    snapshot = tables.snapshot(table_id)
    assert snapshot.chance_secret is None
    text = tables.transcript(table_id, 0)
    assert "chance-secret" not in text
    with pytest.raises(TranscriptError, match="viewer"):
        verify(text)
    over = tables.resign(table_id, "ann")
    assert commitment(str(over.chance_secret)) == snapshot.chance_hash
    report = verify(tables.transcript(table_id))
    assert report.ok
    assert Transcript.read(tables.transcript(table_id)).ending == "resignation 0"


def test_a_game_without_chance_is_verified(tables: Tables) -> None:
    table_id = ready(tables, BARRAGE)
    tables.resign(table_id, "bob")
    report = verify(tables.transcript(table_id))
    assert (report.ok, report.draws, report.steps) == (True, 0, 1)


def test_every_forged_draw_is_noticed(tables: Tables) -> None:
    text = finished(tables)
    head, _, body = text.partition("\n\n")
    words = list(re.finditer(r"(draw|roll)(\d)", body))
    assert len(words) > 5
    for word in words:
        for side in "123":
            if side == word[2]:
                continue
            forged = body[: word.start(2)] + side + body[word.end(2) :]
            try:
                report = verify(f"{head}\n\n{forged}")
            except TranscriptError:
                continue  # the game does not go on like that
            assert not report.ok
            assert "the secret gives" in str(report.problems[0])
            assert "le secret donne" in report.problems[0].text("fr")


@pytest.mark.parametrize(
    ("pattern", "forged", "said"),
    [
        (r"chance-secret: \w", "chance-secret: z", "does not fit"),
        (r"chance-secret: .*", f"chance-secret: {SECRET}", "does not fit"),
        (r"chance-secret: .*\n", "", "not in this file"),
        (r"chance-hash: .*", f"chance-hash: {'0' * 64}", "does not fit"),
        (r"chance-seeds: .*", 'chance-seeds: ["other", ""]', "the secret gives"),
        (r"table: .*", "table: another", "the secret gives"),
    ],
)
def test_a_forged_header_is_noticed(tables: Tables, pattern: str, forged: str, said: str) -> None:
    report = verify(re.sub(pattern, forged, finished(tables), count=1))
    assert not report.ok
    assert said in str(report.problems[0])


@pytest.mark.parametrize(
    ("pattern", "broken", "said"),
    [
        (r"table: .*\n", "", "no line 'table"),
        (r"chance-hash: .*\n", "", "no line 'chance-hash"),
        (r"chance-hash: .*", "chance-hash: abc", "SHA-256"),
        (r"chance-seeds: .*", "chance-seeds: {", "JSON"),
        (r"chance-seeds: .*", "chance-seeds: 7", "JSON"),
        (r"chance-seeds: .*", "chance-seeds: [1, 2]", "JSON"),
        (r"chance-seeds: .*", 'chance-seeds: ["a"]', "each seat"),
        (r"Tianxia transcript 1", "hello", "first line"),
    ],
)
def test_what_cannot_be_checked_is_refused(
    tables: Tables, pattern: str, broken: str, said: str
) -> None:
    with pytest.raises(TranscriptError, match=re.escape(said)):
        verify(re.sub(pattern, broken, finished(tables), count=1))


def test_unknown_lines_of_a_header_are_kept(tables: Tables) -> None:
    text = finished(tables)
    assert Transcript.read(text).write() == text
