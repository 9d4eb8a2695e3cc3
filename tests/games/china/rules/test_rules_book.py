"""What players read: both rulebooks are complete, and their tables are those of the game."""

from __future__ import annotations

import re

import pytest

from tests.games.china.helpers import (
    ALLIANCES,
    COLOURS,
    HARBOURS,
    IN_THE_BOX,
    LETTERS,
    POSTS,
    begin,
    part,
    province,
    table,
)
from tianxia import CHANCE
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.rulebook import Rulebook

pytestmark = pytest.mark.rules

BOOK = Rulebook("tianxia.games.china.face")
ITEM_LENGTH = 420  # what fits under a board on a phone
NAMES = dict(zip(LETTERS, "Wei Zhao Qi Ch'in Han Lu Shu Chu Wu".split(), strict=True))  # noqa: SIM905
BY_CHANCE = "score harbours alliance roads bonus tile turn first card show shuffle".split()  # noqa: SIM905
WORDS = {
    "en": {"v": "violet", "y": "yellow", "o": "orange", "g": "green", "r": "red"},
    "fr": {"v": "violet", "y": "jaune", "o": "orange", "g": "vert", "r": "rouge"},
}


def rows(language: str, columns: int) -> list[list[str]]:
    """Return the rows of all tables with so many columns, with straight apostrophes."""
    lines = BOOK.markdown(language).replace("’", "'").splitlines()
    found = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|"
    ]
    return [row for row in found if len(row) == columns]


def test_the_languages_agree() -> None:
    assert set(BOOK.languages) == set(LANGUAGES)
    BOOK.check()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_statements_are_told(language: str) -> None:
    statements = BOOK.statements(language)
    assert sorted(statements) == [f"CHI-{number:02d}" for number in range(1, 91)]
    for name, text in statements.items():
        assert 20 < len(text) <= ITEM_LENGTH, name
        assert set(re.findall(r"CHI-\d+", text)) <= set(statements) - {name}, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_provinces_is_that_of_the_boards(language: str) -> None:
    told = {row[0]: row[1:] for row in rows(language, 5) if row[0] in NAMES.values()}
    for letter, name in NAMES.items():
        sizes = [str(len(province(board, letter))) for board in ("A", "B", "border")]
        assert told[name] == [WORDS[language][COLOURS[letter]], *sizes]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_alliances_is_complete(language: str) -> None:
    cells = [row[i : i + 2] for row in rows(language, 6) for i in (0, 2, 4)]
    told = {int(number): pair for number, pair in cells if number.isdigit()}
    assert told == {
        number: f"{NAMES[one]}, {NAMES[other]}" for number, (one, other) in enumerate(ALLIANCES, 1)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_of_cards_are_those_of_the_box(language: str) -> None:
    told = re.findall(r"(\d+) (\w+)", BOOK.text("CHI-02", language))
    counts = {
        colour: int(number)
        for number, word in told
        for colour in IN_THE_BOX
        if word.startswith(WORDS[language][colour])
    }
    assert counts == dict(IN_THE_BOX)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_harbours_and_posts_are_named(language: str) -> None:
    named = set(re.findall(r"\b[A-Z]\d\b", BOOK.text("CHI-84", language)))
    assert named == HARBOURS | {"P1", "P6"}
    assert len(POSTS) == len(part(begin(3, board="border"), 4).split("/")[9])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_its_notation_are_words(language: str) -> None:
    """What the table tells of placing and exchanging can be read in a game."""
    border = table("o1r2", "-", "-", board="border")
    plain = table("o1r2", "-", fortifications=True, tiles=True)
    words = re.findall(r"`([^`]+)`", "\n".join(row[0] for row in rows(language, 2)))
    assert len(words) > 20
    for word in words:
        state = border if word.startswith(("post", "harbours")) else plain
        seat = CHANCE if word.split(":")[0] in BY_CHANCE else 0
        assert state.text(state.parse(word, seat), seat) == word
