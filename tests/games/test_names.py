"""Names within a game: a constant is one thing, and a refusal is called by its name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tianxia.kernel.sources import PACKAGE

GAMES = sorted(file.parent.parent.name for file in PACKAGE.glob("games/*/rules/__init__.py"))
EVERYWHERE = {"PACKAGE"}  # each module's own, the same in all


def modules(folder: str) -> Iterator[tuple[str, ast.Module]]:
    for file in sorted((PACKAGE / "games" / folder).rglob("*.py")):
        yield file.name, ast.parse(file.read_text(encoding="utf-8"))


def constants(module: ast.Module) -> Iterator[str]:
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        for part in (part for target in targets for part in ast.walk(target)):
            if isinstance(part, ast.Name) and part.id.isupper():
                yield part.id


@pytest.mark.parametrize("game", GAMES)
def test_a_constant_is_one_thing_within_a_game(game: str) -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for file, module in modules(game):
        for name in constants(module):
            where[name].append(file)
    assert len(where) > 40
    twice = {name: files for name, files in where.items() if len(files) > 1}
    assert twice.keys() <= EVERYWHERE, twice


@pytest.mark.parametrize("game", GAMES)
def test_refusals_are_called_by_their_names(game: str) -> None:
    """No rule returns the number of a statement."""
    numbers = [
        (file, part.lineno)
        for file, module in modules(f"{game}/rules")
        for part in ast.walk(module)
        if isinstance(part, ast.Return)
        and isinstance(part.value, ast.Constant)
        and type(part.value.value) is int
        and part.value.value >= 10
    ]
    assert numbers == []
