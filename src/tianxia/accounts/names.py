"""Names of accounts: what they may be, and which of them are the same.

A name has 2 to 20 characters: letters and digits of one alphabet, single spaces, hyphens,
underscores, dots and apostrophes between them. Two names are the same where they differ in case,
in accents, in width or in what stands between their letters only: ``José-Luis``, ``jose luis`` and
``ＪＯＳＥＬＵＩＳ`` are one name. Letters of different alphabets, of which many look alike, do not
stand in one name.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from tianxia.accounts.errors import AccountError
from tianxia.draw.languages import N_
from tianxia.tables import people

SHORTEST, LONGEST = 2, 20
BETWEEN = " -_.'’"
RESERVED = frozenset(
    ("admin", "administrator", "bot", "bots", "guest", "me", "moderator", "root")
) | frozenset(("somebody", "staff", "support", "system", "tianxia", "you"))
"""Who is called so would be taken for somebody else."""
TOGETHER = (frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}),)
"""Alphabets that are written together."""


def key(name: str) -> str:
    """Return what is equal for names that are the same."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    plain = (char for char in unicodedata.normalize("NFKD", folded) if char.isalnum())
    return unicodedata.normalize("NFC", "".join(plain))[:60]


def checked(name: str) -> str:
    """Return a name as it is kept.

    Raises
    ------
    AccountError
        For one that no account may have.
    """
    shown = people.clean(name, LONGEST + 1)
    if not SHORTEST <= len(shown) <= LONGEST:
        raise AccountError(
            "name-length",
            N_("A name has {least} to {most} characters."),
            least=SHORTEST,
            most=LONGEST,
        )
    if not _fits(shown):
        raise AccountError(
            "name-letters",
            N_(
                "A name is made of letters and digits, at least one letter, with single spaces,"
                " hyphens, dots, apostrophes or underscores between them."
            ),
        )
    if len(_alphabets(shown)) > 1:
        raise AccountError("name-alphabets", N_("A name uses the letters of one alphabet only."))
    if key(shown) in RESERVED:
        raise AccountError("name-reserved", N_("Nobody can be called that here."))
    return shown


def _fits(name: str) -> bool:
    """Say whether each character may stand where it does."""
    edges = name[0].isalnum() and (name[-1].isalnum() or unicodedata.combining(name[-1]))
    inside = all(
        char.isalnum()
        or unicodedata.category(char).startswith("M")
        or (char in BETWEEN and before not in BETWEEN)
        for before, char in pairwise(name)
    )
    return bool(edges) and inside and any(char.isalpha() for char in name)


def _alphabets(name: str) -> set[str]:
    """Return the alphabets of a name's letters, those written together as one."""
    found = {unicodedata.name(char, "?").split()[0] for char in name if char.isalpha()}
    for together in TOGETHER:
        if found & together:
            found = found - together | {"CJK"}
    return found
