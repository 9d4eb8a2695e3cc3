"""How Sphinx makes pages of the documentation: ``python3 run.py docs``."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from docutils.nodes import document
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

import tianxia

project = "Tianxia"
version = release = tianxia.__version__
html_title = f"Tianxia {release}"
project_copyright = "Tianxia contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["theme"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_mock_imports = ["pyspiel"]  # not there for every Python
autodoc_default_options = {"members": True}
autodoc_type_aliases = {name: name for name in ("DTypeLike", "NDArray")}
default_role = "code"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
html_theme = "ink"
html_theme_path = ["theme"]
html_copy_source = False
html_use_index = False
html_domain_indices = False
html_static_path = ["../src/tianxia/draw/theme.css"]
smartquotes = False


class NotebookParser(MystParser):
    """Reads a notebook: its texts, its code, and what came out of it."""

    supported = ("notebook",)
    pictures = Path()

    def parse(self, inputstring: str, document: document) -> None:
        """Hand a notebook's cells on as one text."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join(part for cell in cells for part in self._parts(cell)), document)

    def _parts(self, cell: dict[str, Any]) -> list[str]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            return [source]
        return [_fenced(source, "python"), *map(self._output, cell["outputs"])]

    def _output(self, output: dict[str, Any]) -> str:
        picture = "".join(output.get("data", {}).get("image/svg+xml", ""))
        if picture:  # a file of its own: it has styles, which a page may not have
            name = f"{sha256(picture.encode()).hexdigest()[:12]}.svg"
            self.pictures.mkdir(parents=True, exist_ok=True)
            (self.pictures / name).write_text(picture, encoding="utf-8")
            return f'<p><img src="../_images/{name}" alt="What this cell shows"></p>'
        return _told(output)


def _told(output: dict[str, Any]) -> str:
    return _fenced("".join(output.get("text") or output["data"]["text/plain"]), "text")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text}\n```"


OUTSIDE = re.compile(r"\[([^]]+)\]\((?:\.\./)+((?:src|bench)/[^)]+|SECURITY\.md)\)")
"""A link into the repository, which a site does not have."""
RULES = re.compile(r"src/tianxia/games/(\w+)/face/rulebook\.en\.md")


def keep_links_inside(_: Sphinx, __: str, source: list[str]) -> None:
    """Lead to the server's rules instead of to their file; name other files without a link."""

    def led(link: re.Match[str]) -> str:
        rules = RULES.match(link[2])
        return f'<a href="/rules/{rules[1]}">{link[1]}</a>' if rules else link[1]

    source[0] = OUTSIDE.sub(led, source[0])


def setup(app: Sphinx) -> None:
    """Let Sphinx read notebooks, and links as a site needs them."""
    app.connect("source-read", keep_links_inside)
    NotebookParser.pictures = Path(app.outdir) / "_images"
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
