"""Write the playthrough files."""

from __future__ import annotations

from tests.playthroughs import FOLDER, GAMES, text_of

for old in FOLDER.glob("*.txt"):
    old.unlink()
for name in GAMES:
    (FOLDER / f"{name}.txt").write_text(text_of(name), encoding="utf-8", newline="\n")
