"""The pictures that links show where they are sent, drawn by Chromium from the games' own scenes.

    python -m tests.draw.previews

writes ``preview.jpg`` into the folder of each game's face, and one for all other pages.
Programs that show previews draw no SVG, so these are files of the package.
"""

from __future__ import annotations

from base64 import b64encode
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from tests import browser as browsers
from tianxia.draw.illustrations import illustrations
from tianxia.draw.languages import package_of
from tianxia.draw.pictures import theme
from tianxia.kernel import registry
from tianxia.web.catalogue import drawn_kinds, title_of

SHOWN = {
    "binfa": "field",
    "china": "table",
    "firebulls": "cards",
    "stratego": "opening",
    "suntzu": "cards",
}
"""Which picture of its rules stands for a game."""
PAGE = """<!doctype html><meta charset="utf-8"><style>{theme}
body {{ margin: 0; inline-size: 1200px; block-size: 630px; display: flex; overflow: hidden;
  background: var(--paper); color: var(--ink); font-family: var(--serif); }}
header {{ padding: 0 20px 0 70px; inline-size: 420px; align-self: center; flex: none; }}
header img {{ inline-size: 110px; }}
h1 {{ font-size: 84px; line-height: 1; margin: 28px 0 14px; }}
p {{ font-size: 34px; margin: 0; color: var(--ink-soft); }}
main {{ flex: 1; display: grid; place-items: center; gap: 10px; padding: 18px;
  grid-template-columns: repeat({columns}, 1fr); }}
main img {{ max-inline-size: 100%; max-block-size: {height}px; min-inline-size: 0; }}
</style><body class="picture">
<header><img src="{seal}"><h1>{title}</h1><p>{line}</p></header><main>{boards}</main>"""


def address(svg: str) -> str:
    """Return a picture as an address that holds it."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def board(game: str) -> str:
    """Return the picture that stands for a game, as HTML."""
    found = illustrations(package_of(registry.kind(game)))
    svg = next(one for one in found if one.name == SHOWN[game]).drawn(theme="light")
    return f'<img src="{address(svg)}">'


def page(title: str, line: str, games: list[str]) -> str:
    """Return a preview as a page."""
    several = len(games) > 1
    return PAGE.format(
        theme=theme().replace(".picture", ":root"),
        columns=3 if several else 1,
        height=290 if several else 594,
        seal=address((files("tianxia.web") / "static" / "seal.svg").read_text(encoding="utf-8")),
        title=title,
        line=line,
        boards="".join(board(game) for game in games),
    )


def main() -> None:
    """Write all previews."""
    from playwright.sync_api import sync_playwright

    names = [kind.name for kind in drawn_kinds() if kind.name in SHOWN]
    wanted = {Path(str(files("tianxia.web"))) / "static": page("Tianxia", "天下", names)}
    for name in names:
        kind = registry.kind(name)
        folder = Path(str(files(import_module(package_of(kind)))))
        wanted[folder] = page(title_of(kind, "en"), "Tianxia 天下", [name])
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browsers.find_chromium(), args=browsers.launch_arguments()
        )
        tab = chromium.new_page(viewport={"width": 1200, "height": 630}, color_scheme="light")
        for folder, html in wanted.items():
            tab.set_content(html, wait_until="load")
            tab.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
            tab.screenshot(path=folder / "preview.jpg", type="jpeg", quality=80)


if __name__ == "__main__":
    main()
