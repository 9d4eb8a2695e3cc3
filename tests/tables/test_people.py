"""Names, ids and keys."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tianxia.tables import people


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ann", "Ann"),
        ("  Sun \t Tzu\n", "Sun Tzu"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bb\u2060c\ufeff", "abc"),
        ("nul\x00\x1b[31m", "nul[31m"),
        ("\u2066x\u2069", "x"),
        ("孫子", "孫子"),
        ("Zoe\u0308", "Zoë"),
        ("a" + "\u0301" * 40, "á\u0301\u0301"),
        ("x" * 99, "x" * people.LONGEST_NAME),
        ("\u2003\u00a0", ""),
        ("\ud800x", "x"),
        ("", ""),
    ],
)
def test_a_name_is_shown_without_tricks(given: str, shown: str) -> None:
    assert people.clean(given) == shown


@given(st.text(max_size=300))
def test_a_clean_name_stays_as_it_is(text: str) -> None:
    name = people.clean(text)
    assert people.clean(name) == name
    assert len(name) <= people.LONGEST_NAME
    assert not any(unicodedata.category(char)[0] == "C" for char in name)


def test_a_key_is_read_by_its_person_only() -> None:
    key = people.new_key()
    sealed = people.seal(key, "ann", "t")
    assert key not in sealed
    assert people.unseal(sealed, people.digest(key), "ann", "t") == key
    assert people.unseal(sealed, people.digest(key), "bob", "t") is None
    assert people.unseal(sealed, people.digest(key), "ann", "u") is None
    assert people.unseal("", "", "ann", "t") is None


def test_ids_are_not_guessed() -> None:
    assert len({people.new_id() for _ in range(100)}) == 100
    assert len(people.new_id()) == 16
    assert len(people.new_key()) == 22


def test_an_id_is_never_taken_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(("-Qx", "--y", "z-"))
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: next(drawn))
    assert people.new_id() == "z-"
