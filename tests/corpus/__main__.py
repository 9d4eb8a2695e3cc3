"""Add games of the rules that are installed, and write anew what they make of all games."""

from __future__ import annotations

from tests.corpus import PLAYED, VERDICTS, file_of, verdicts, write
from tianxia.kernel.registry import kind

for game in PLAYED:
    version = kind(game).rules_version
    if not file_of(game, version).exists():
        write(game, version)
        print(f"{game}: games of version {version} are kept now")
VERDICTS.write_text(verdicts(), encoding="utf-8")
