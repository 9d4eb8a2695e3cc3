"""How the source is written, where the linter has no rule for it."""

from __future__ import annotations

import ast

from tianxia.kernel.sources import PACKAGE

LONGEST = 60


def test_no_function_is_longer_than_a_page() -> None:
    """Docstrings apart, and migrations, which list the columns that they make."""
    files = [file for file in PACKAGE.rglob("*.py") if "migrations" not in file.parts]
    assert len(files) > 400
    long = [
        (file.name, part.name)
        for file in files
        for part in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and lines(part) > LONGEST
    ]
    assert long == []


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines the statements of a function take."""
    first = function.body[ast.get_docstring(function) is not None and len(function.body) > 1]
    return (function.end_lineno or 0) - first.lineno + 1
