"""Runs the notebooks of the documentation, and writes into them what came out.

    python -m tests.notebooks [NAME ...]

Without names all are run but `training`, which needs torch and half an hour.

Cells are run as Jupyter runs them, in one namespace, and what they print and show is kept; but
no Jupyter is needed. Seeds are fixed: what comes out is the same each time.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"
TRAINING = FOLDER / "training.ipynb"
PICTURE = "image/svg+xml"
Cell = dict[str, Any]


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def code(notebook: dict[str, Any]) -> list[Cell]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(cells: list[Cell]) -> Iterator[list[Cell]]:
    """Run cells one after another; yield what comes out of each."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = _run("".join(cell["source"]), f"cell {number}", namespace)
        yield [*_stream(printed.getvalue()), *_result(value, number)]


def _run(source: str, name: str, namespace: dict[str, Any]) -> Any:
    """Run a cell; return the value of the expression that it ends with, if it does."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, name, "exec"), namespace)
        return None
    exec(compile(ast.Module(tree.body[:-1], []), name, "exec"), namespace)
    return eval(compile(ast.Expression(last.value), name, "eval"), namespace)


def _stream(text: str) -> list[Cell]:
    lines = text.splitlines(keepends=True)
    return [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []


def _result(value: Any, number: int) -> list[Cell]:
    """Return what a cell's last expression shows: its picture, if it has one, and its text."""
    if value is None:
        return []
    picture = getattr(value, "_repr_svg_", lambda: None)()
    shown = {} if picture is None else {PICTURE: picture.splitlines(keepends=True)}
    data = {**shown, "text/plain": repr(value).splitlines(keepends=True)}
    kind = "execute_result"
    return [{"data": data, "execution_count": number, "metadata": {}, "output_type": kind}]


def told(outputs: list[Cell]) -> list[Any]:
    """Return the text of outputs, and where there are pictures: how they are drawn may change."""
    return [one.get("text") or {**one["data"], PICTURE: PICTURE in one["data"]} for one in outputs]


def main(names: list[str]) -> None:
    """Run notebooks and write what came out."""
    for file in notebooks():
        if file.stem not in names and (names or file == TRAINING):
            continue
        notebook = read(file)
        cells = code(notebook)
        for number, (cell, outputs) in enumerate(zip(cells, run(cells), strict=True), 1):
            cell["execution_count"], cell["outputs"] = number, outputs
        text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
        file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
