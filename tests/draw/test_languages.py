"""Languages: that translations are found, chosen and complete."""

from __future__ import annotations

import ast
import re
import string
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

import tianxia
from tianxia.draw import languages, messages
from tianxia.draw.languages import (
    LANGUAGES,
    N_,
    NAMES,
    SHARED,
    SOURCE,
    CatalogError,
    UnknownLanguage,
    best,
    catalog,
    translator,
)
from tianxia.kernel.errors import TianxiaError

OTHERS = [language for language in LANGUAGES if language != SOURCE]
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\nLanguage: fr\\n"\n\n'

MakePackage = Callable[..., str]


@pytest.fixture
def make_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakePackage]:
    """Return a function that makes a package from a source and a French catalogue."""
    monkeypatch.syspath_prepend(tmp_path)
    made: list[str] = []

    def make(name: str, source: str = "", po: str | None = None) -> str:
        (tmp_path / name / "locale").mkdir(parents=True)
        (tmp_path / name / "__init__.py").write_text(source, encoding="utf-8")
        if po is not None:
            path = tmp_path / name / "locale" / "fr.po"
            path.write_text(HEADER + po, encoding="utf-8")
        made.append(name)
        return name

    translator.cache_clear()
    yield make
    translator.cache_clear()
    for name in made:
        sys.modules.pop(name, None)


# --- Translators ---


def test_a_package_has_its_own_words_and_the_shared_ones(
    make_package: MakePackage, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = make_package(
        "lang_shared", po='msgid "table"\nmsgstr "tablée"\n\nmsgid "seat"\nmsgstr "place"\n'
    )
    game = make_package("lang_game", po='msgid "table"\nmsgstr "plateau"\n')
    monkeypatch.setattr(languages, "SHARED", shared)
    _ = translator("fr", game).gettext
    assert (_("table"), _("seat"), _("else")) == ("plateau", "place", "else")
    assert translator("fr", shared).gettext("table") == "tablée"


def test_plurals_and_accents(make_package: MakePackage) -> None:
    po = (
        'msgid "{n} piece"\nmsgid_plural "{n} pieces"\n'
        'msgstr[0] "{n} pièce"\nmsgstr[1] "{n} pièces"\n'
    )
    plural = translator("fr", make_package("lang_plural", po=po)).ngettext
    found = [plural("{n} piece", "{n} pieces", n) for n in (0, 1, 2)]
    assert found == ["{n} pièce", "{n} pièce", "{n} pièces"]


def test_no_french_line_begins_with_a_sign(make_package: MakePackage) -> None:
    po = (
        'msgid "who: {who}? {n} win"\nmsgid_plural "who: {who}? {n} wins"\n'
        'msgstr[0] "qui : « {who} » ? {n} fois !"\nmsgstr[1] "{n} ; {who} :a b: 1 :"\n'
    )
    told = translator("fr", make_package("lang_signs", po=po)).ngettext
    one, two = (told("who: {who}? {n} win", "who: {who}? {n} wins", n) for n in (1, 2))
    assert one == "qui\xa0: «\xa0{who}\xa0»\xa0? {n} fois\xa0!"
    assert two == "{n}\xa0; {who} :a b: 1\xa0:"
    for text in (told("who : there ?", "", 1), languages.unbroken("who : there ?", "en")):
        assert text == "who : there ?"


def test_whatever_is_labelled_is_labelled_in_its_language() -> None:
    """A colon right after a name has a space before it in French: `labelled` knows."""
    root = Path(tianxia.__file__).parent
    colon = {".jinja": r"\}\}: ", ".js": r"\$\{\w+\}: "}
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(root.rglob("*"))
        if path.suffix in colon
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(colon[path.suffix], line)
    ]
    assert found == []


def test_english_needs_no_file(make_package: MakePackage) -> None:
    package = make_package("lang_english", po='msgid "table"\nmsgstr "tablée"\n')
    assert translator("en", package).gettext("table") == "table"
    assert translator("en", package).ngettext("piece", "pieces", 2) == "pieces"


def test_doubtful_translations_are_left_out(make_package: MakePackage) -> None:
    package = make_package("lang_fuzzy", po='#, fuzzy\nmsgid "table"\nmsgstr "chaise"\n')
    assert translator("fr", package).gettext("table") == "table"


def test_unknown_languages_are_refused_by_name() -> None:
    with pytest.raises(UnknownLanguage, match=r"'de'.*en, fr") as raised:
        translator("de")
    assert isinstance(raised.value, TianxiaError)
    with pytest.raises(UnknownLanguage):
        translator("../fr")


def test_a_broken_catalogue_is_refused_by_name(make_package: MakePackage) -> None:
    package = make_package("lang_broken", po="no catalogue\n")
    with pytest.raises(CatalogError, match=r"fr\.po of lang_broken"):
        translator("fr", package)


def test_translators_are_made_once() -> None:
    assert translator("fr") is translator("fr")
    assert N_("as it is") == "as it is"
    assert set(NAMES) == set(LANGUAGES)


# --- Which language ---


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("de, fr;q=0.3", "fr"),
        ("en;q=0.2,fr;q=0.3", "fr"),
        ("en,fr", "en"),
        ("fr,en", "fr"),
        ("FR-ca ; q=1.0", "fr"),
        ("en-GB;q=0.9, fr-FR;q=0.9", "en"),
        ("fr;q=0, de", "en"),
        ("de, *", "en"),
        ("", "en"),
        (None, "en"),
        (",;=;,, fr;q=x, q=", "en"),
        ("fr;q=2", "en"),
        ("frisian", "en"),
        ("en" * 100_000 + ",fr", "en"),
    ],
)
def test_the_best_language(header: str | None, language: str) -> None:
    assert best(header) == language


# --- Collecting messages ---


def test_messages_are_collected_and_translations_kept(make_package: MakePackage) -> None:
    source = (
        "from tianxia.draw.languages import N_\n"
        "NAMES = (N_('kept'), N_('added'))\n"
        "def say(_, n, plural):\n"
        "    # Translators: somebody's turn\n"
        "    return _('turn of {who}'), plural('{n} card', '{n} cards', n)\n"
    )
    package = make_package(
        "lang_update", source, 'msgid "kept"\nmsgstr "gardé"\n\nmsgid "gone"\nmsgstr "parti"\n'
    )
    folder = messages.folder(package)
    (folder / "page.jinja").write_text("<p>{{ _('from a page') }}</p>", encoding="utf-8")
    assert messages.update(package, "fr")
    found = {message.id: message for message in catalog("fr", package) if message.id}
    assert set(found) == {"kept", "added", "turn of {who}", "from a page"}
    assert found["kept"].string == "gardé"
    assert found["added"].string == ""
    assert found["turn of {who}"].auto_comments == ["Translators: somebody's turn"]
    assert not messages.update(package, "fr")  # a second time changes nothing


def test_packages_without_messages_get_no_file(make_package: MakePackage) -> None:
    package = make_package("lang_silent", "x = 1\n")
    assert not messages.update(package, "fr")
    assert not (messages.folder(package) / "locale" / "fr.po").exists()


def test_the_command_names_the_files_it_changes(
    make_package: MakePackage, capsys: pytest.CaptureFixture[str]
) -> None:
    package = make_package("lang_command", "from gettext import gettext as _\n_('hello')\n")
    assert messages.main([package]) == 0
    assert capsys.readouterr().out.rstrip().endswith("fr.po")


# --- Our translations ---

PACKAGES = list(messages.packages())


def fields(text: str) -> set[str]:
    """Return the names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def forms(message: Message) -> tuple[str, ...]:
    """Return a message's translation, or all of its plural forms."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def find(message: Message, catalogs: list[Catalog]) -> Message | None:
    entries = (found.get(message.id, message.context) for found in catalogs)
    return next(
        (entry for entry in entries if entry and not entry.fuzzy and all(forms(entry))), None
    )


def test_our_packages_are_found() -> None:
    assert {SHARED, "tianxia.games.stratego.face"} <= set(PACKAGES)


@pytest.mark.parametrize("package", [one for one in PACKAGES if ".games." in one])
def test_games_say_choose_and_not_click(package: str) -> None:
    """There are fingers and keys, too."""
    texts = [str(message.id) for message in messages.extract(package)]
    assert not [text for text in texts if "click" in text.lower()]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_hides_in_an_f_string(package: str) -> None:
    """What collects messages does not look into f-strings (before Python 3.12)."""
    found = []
    for path in messages.sources(package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                calls = (call for call in ast.walk(node) if isinstance(call, ast.Call))
                names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
                found += [(path.name, node.lineno)] * bool(names & {"_", "N_", "gettext", "plural"})
    assert found == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("package", PACKAGES)
def test_every_message_is_translated(package: str, language: str) -> None:
    catalogs = [catalog(language, package), catalog(language, SHARED)]
    used = [message for message in messages.extract(package) if message.id]
    lacking = [message.id for message in used if find(message, catalogs) is None]
    assert not lacking, f"python -m tianxia.draw.messages {package}, then translate: {lacking}"


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("package", PACKAGES)
def test_translations_fill_in_the_same_names(package: str, language: str) -> None:
    for message in catalog(language, package):
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
        for text in forms(message):
            assert fields(text) <= set().union(*map(fields, ids)), ids
            assert fields(text) >= set.intersection(*map(fields, ids)), ids


@pytest.mark.parametrize("package", PACKAGES)
def test_catalogues_hold_what_is_used_and_nothing_else(package: str) -> None:
    for language in OTHERS:
        ours = {
            (message.id, message.context) for message in catalog(language, package) if message.id
        }
        used = {
            (message.id, message.context) for message in messages.extract(package) if message.id
        }
        assert ours <= used, f"python -m tianxia.draw.messages {package}"
