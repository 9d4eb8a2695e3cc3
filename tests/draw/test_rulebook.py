"""Rulebooks: how they are read, and that those of our games are complete."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tianxia.draw.languages import LANGUAGES
from tianxia.draw.rulebook import Rulebook, RulebookError, forget, only, plain
from tianxia.games.stratego.rules.components import (
    ARMY,
    COUNTS,
    LAKES,
    RANK_SYMBOLS,
    VARIANTS,
    Rank,
)
from tianxia.games.stratego.rules.notation import square_name

STRATEGO = Rulebook("tianxia.games.stratego.face")
ITEM_LENGTH = 420  # what fits under a board on a phone
ROW = re.compile(r"\| (\w) \| ([^|]+) \| (\d+|–) \| (\d+) \| (\d+) \| (\d+) \|")

MakePackage = Callable[..., Rulebook]


@pytest.fixture
def make_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakePackage]:
    """Return a function that makes a package with rulebooks, given by language."""
    monkeypatch.syspath_prepend(tmp_path)
    made: list[str] = []

    def make(name: str, **books: str) -> Rulebook:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").touch()
        for language, text in books.items():
            (folder / f"rulebook.{language}.md").write_text(text, encoding="utf-8")
        made.append(name)
        return Rulebook(name)

    yield make
    forget()
    for name in made:
        sys.modules.pop(name, None)


# --- How rulebooks are read ---


def test_a_rulebook_can_be_had_without_some_of_its_statements() -> None:
    whole = (
        "# T\n\nWords.\n\n## One\n\n- **AB-01** First,\n  goes on.\n"
        "- **AB-02** Second.\n\nMore.\n\n"
        "## Two\n\nAbout this.\n\n- **AB-03** Third.\n\n## Words\n\nNo statement.\n"
    )
    part = only(whole, lambda statement: statement == "AB-02")
    assert re.findall("AB-0.", part) == ["AB-02"]
    assert "goes on" not in part
    assert "About this" not in part, "a section goes with its last statement"
    assert [line for line in part.split("\n") if line.startswith("#")] == [
        "# T",
        "## One",
        "## Words",
    ]
    assert "More." in part
    assert only(whole, lambda statement: True).split() == whole.split()


def test_a_statement_is_found_with_its_other_lines(make_package: MakePackage) -> None:
    book = make_package(
        "rb_lines",
        en="# T\n\n## One\n\n- **AB-01** First *line*,\n  second `a4-a5` line.\n- other\n"
        "- **AB-02** Next, [here](x.md).\n\nNo part of it.\n\n## Two\n\n- **AB-10** Last.\n",
    )
    assert book.statements() == {
        "AB-01": "First line, second a4-a5 line.",
        "AB-02": "Next, here.",
        "AB-10": "Last.",
    }
    assert list(book.statements()) == ["AB-01", "AB-02", "AB-10"]
    assert [(section.title, section.statements) for section in book.sections()] == [
        ("One", ("AB-01", "AB-02")),
        ("Two", ("AB-10",)),
    ]
    assert book.sections()[0].markdown.endswith("No part of it.")
    assert book.markdown().startswith("# T\n")


def test_what_is_missing_is_english_or_empty(make_package: MakePackage) -> None:
    book = make_package(
        "rb_missing", en="## A\n- **AB-01** One.\n- **AB-02** Two.\n", fr="## A\n- **AB-01** Un.\n"
    )
    assert book.languages == ("en", "fr")
    assert book.text("AB-01", "fr") == "Un."
    assert book.text("AB-02", "fr") == "Two."
    assert book.text("AB-01", "de") == "One."
    assert book.markdown("de") == book.markdown("en")
    assert book.text("AB-03", "fr") == book.text("no-action", "en") == ""


@pytest.mark.parametrize(
    ("french", "part"),
    [
        ("## A\n- **AB-01** Un.\n## B\n", "AB-02"),
        ("## A\n- **AB-01** Un.\n## B\n- **AB-02** Deux.\n- **AB-03** Trois.\n", "AB-03"),
        ("## A\n- **AB-01** Un.\n- **AB-02** Deux.\n", "order"),
        ("## A\n- **AB-02** Deux.\n## B\n- **AB-01** Un.\n", "order"),
        ("## A\n- **AB-01** Un.\n## B\n- **AB-02** Deux.\n## C\n", "order"),
    ],
)
def test_languages_that_differ_are_refused(
    make_package: MakePackage, french: str, part: str
) -> None:
    english = "## A\n- **AB-01** One.\n## B\n- **AB-02** Two.\n"
    with pytest.raises(RulebookError, match=part):
        make_package("rb_differ", en=english, fr=french).check()


def test_a_statement_told_twice_is_refused(make_package: MakePackage) -> None:
    book = make_package("rb_twice", en="## A\n- **AB-01** One.\n## B\n- **AB-01** Again.\n")
    with pytest.raises(RulebookError, match="AB-01"):
        book.statements()


def test_a_missing_rulebook_is_named(make_package: MakePackage) -> None:
    with pytest.raises(RulebookError, match=r"rb_none has no rulebook\.en\.md"):
        make_package("rb_none").text("AB-01")


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**bold** and *slanted* and _too_", "bold and slanted and too"),
        ("`two_squares` and `a*b*c`", "two_squares and a*b*c"),
        ("two_squares stays", "two_squares stays"),
        ("see [the rules](rules.md#x), now", "see the rules, now"),
        (r"an escaped \* star", "an escaped * star"),
        ("no-break\u202f; stays\u00a0: so", "no-break\u202f; stays\u00a0: so"),
    ],
)
def test_marks_are_stripped(markdown: str, text: str) -> None:
    assert plain(markdown) == text


# --- Stratego ---


def test_stratego_languages_agree() -> None:
    assert set(STRATEGO.languages) == set(LANGUAGES)
    STRATEGO.check()


@pytest.mark.parametrize("language", LANGUAGES)
def test_stratego_has_all_its_statements(language: str) -> None:
    statements = STRATEGO.statements(language)
    assert sorted(statements) == [f"STR-{number:02d}" for number in range(1, 44)]
    for name, text in statements.items():
        assert 20 < len(text) <= ITEM_LENGTH, name
        assert not re.search(r"[*`#\n]|  ", text), name
        assert text[0].isupper(), name
        assert text.endswith((".", ".)")), name
        assert set(re.findall(r"STR-\d+", text)) <= set(statements) - {name}, name
    listed = re.findall(r"\*\*STR-\d\d\*\*", STRATEGO.markdown(language))
    assert len(listed) == 43  # no item that the reader of the file would find, and we do not


@pytest.mark.parametrize("language", LANGUAGES)
def test_stratego_is_a_page_with_one_title(language: str) -> None:
    lines = STRATEGO.markdown(language).splitlines()
    assert [line[:2] for line in lines].count("# ") == 1
    assert lines[0].startswith("# Stratego")
    assert "Jumbo" in STRATEGO.sections(language)[-1].markdown


def table(language: str) -> list[tuple[str, ...]]:
    rows = map(ROW.fullmatch, STRATEGO.markdown(language).splitlines())
    return [row.groups() for row in rows if row]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_ranks_is_that_of_the_components(language: str) -> None:
    rows = table(language)
    assert [RANK_SYMBOLS.index(row[0]) for row in rows] == [*range(10, 0, -1), Rank.BOMB, Rank.FLAG]
    for symbol, _, strength, *counts in rows:
        rank = RANK_SYMBOLS.index(symbol)
        assert strength == (str(rank) if rank <= Rank.MARSHAL else "–")
        assert [int(count) for count in counts] == COUNTS[:, rank].tolist()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_lists_of_pieces_are_those_of_the_components(language: str, variant: str) -> None:
    number = VARIANTS.index(variant)
    names = {row[1].strip().lower(): RANK_SYMBOLS.index(row[0]) for row in table(language)}
    statement = ("STR-02", "STR-36", "STR-43")[number]
    total, *pairs = re.findall(r"(\d+)\s+(\w+)", STRATEGO.text(statement, language))
    assert int(total[0]) == ARMY[number]
    counts = [0] * len(RANK_SYMBOLS)
    for count, name in pairs:
        counts[names[name.lower() if name.lower() in names else name.lower()[:-1]]] = int(count)
    assert counts == COUNTS[number].tolist()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_ranks_are_those_of_the_log(language: str) -> None:
    from tianxia.games.stratego.face.words import rank_name

    for symbol, name, *_ in table(language):
        assert rank_name(RANK_SYMBOLS.index(symbol), language) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lakes_are_where_they_are(language: str) -> None:
    named = re.findall(r"\b[a-j]\d\b", STRATEGO.text("STR-01", language))
    assert sorted(named) == sorted(map(square_name, LAKES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_are_the_same_in_all_languages(language: str) -> None:
    for name, text in STRATEGO.statements(language).items():
        pattern = r"\b[a-j](?:10|[1-9])\b"
        theirs, ours = re.findall(pattern, text), re.findall(pattern, STRATEGO.text(name))
        assert sorted(theirs) == sorted(ours), name


def test_french_is_set_with_its_own_spaces() -> None:
    text = STRATEGO.markdown("fr")
    assert not re.search(r"\w'\w|\"", text)  # ’ and « »
    assert not re.search(r"[^\s\u202f][;!?]| [;!?]", text)
    words = text.replace("|:---:|", "").replace("---:|", "").replace(":---", "").replace(":|", "")
    assert not re.search(r"[^\u00a0\s]:|[\t ]:(?!-)", words)
