"""Pictures of Stratego to look at, not to test: every kind of position, as pages and PNGs.

    python -m tests.draw.gallery FOLDER [PICTURE …]

writes a page for each position, and screenshots of it at the size of a desk and of a phone,
light and dark. Named pictures can be simulated, too: ``fight-phone-light-deuteranopia`` as
somebody sees it who cannot tell red from green, ``fight-desk-dark-grey`` without colours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import tianxia
from tests import browser as browsers
from tests.games.stratego.board import finish_setup
from tianxia.draw.pictures import read
from tianxia.draw.scene import Drawing, Happening, Scene, SceneRequest
from tianxia.games.stratego.face.presets import PRESETS
from tianxia.games.stratego.rules.components import RANK_SYMBOLS

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
SIMULATIONS = {
    "deuteranopia": "0.367 0.861 -0.228 0 0 0.280 0.673 0.047 0 0 -0.012 0.043 0.969 0 0 0 0 0 1 0",
    "grey": " 0 0 ".join(["0.213 0.715 0.072"] * 3) + " 0 0 0 0 0 1 0",
}
LOOK = """
body { padding: 8px }
main { display: grid; gap: 16px; max-width: 1240px; margin: auto }
main > * { min-width: 0 }
aside > * { background: var(--panel) }
.board > svg { max-width: calc(100vh - 70px); margin: auto }
.tray { display: flex; flex-wrap: wrap; gap: 4px }
.tray svg { width: 40px }
.tiny svg { width: 24px }
.filter { position: absolute; width: 0; height: 0 }
.seen { filter: url(#see) }
@media (min-width: 900px) { main { grid-template-columns: 1fr 330px } }
"""
PAGE = """<!doctype html>
<html lang="en" data-theme="{theme}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>{css}</style>
{sprite}
<svg class="filter"><filter id="see" color-interpolation-filters="linearRGB">
<feColorMatrix values="{see}"/></filter></svg>
<body class="{body}">
<main>
<div><p>{status}</p><div class="board">{svg}</div></div>
<aside>{panels}<div class="tray">{tray}</div><div class="tray tiny">{tray}</div></aside>
</main>
</html>"""
CHOOSE = """script => {
  const squares = [...document.querySelectorAll("[data-e]")];
  const light = (name, ...classes) =>
    squares.find(square => square.dataset.e === name)?.classList.add("is-lit", ...classes);
  script.lit.forEach(name => light(name));
  script.targets.forEach(name => light(name, "is-target"));
  script.picked.forEach(name => light(name, "is-picked"));
  if (script.picked[0]) squares.find(square => square.dataset.e === script.picked[0]).focus();
}"""
Choice = dict[str, list[str]]
DRAWING = Drawing.of(tianxia.game("stratego").kind)
assert DRAWING is not None


def main(folder: Path, chosen: list[str]) -> None:
    """Write all pages and pictures, or the chosen ones."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browsers.find_chromium(), args=browsers.launch_arguments()
        )
        for name, scene, choice in scenes():
            for theme, size, see in product(("light", "dark"), SIZES, ("", *SIMULATIONS)):
                shot = "-".join(part for part in (name, size, theme, see) if part)
                if shot in chosen or not (chosen or see):
                    path = folder / f"{shot}.html"
                    path.write_text(page(scene, theme, see), encoding="utf-8")
                    photograph(chromium, path, size, choice)


def photograph(chromium: Any, path: Path, size: str, choice: Choice) -> None:
    """Take the screenshot of a page."""
    width, height = SIZES[size]
    tab = chromium.new_page(
        viewport={"width": width, "height": height}, device_scale_factor=2 if size == "phone" else 1
    )
    tab.goto(path.as_uri())
    tab.evaluate(CHOOSE, choice)
    tab.screenshot(path=path.with_suffix(".png"))
    tab.close()


def page(scene: Scene, theme: str, see: str) -> str:
    """Return a page with a scene."""
    assert DRAWING is not None
    symbols = [f"stratego-{side}{sign}" for side in "rb" for sign in ("10", *"98765432SBF0")]
    return PAGE.format(
        theme=theme,
        css=read("tianxia.draw", "theme.css") + DRAWING.style + LOOK,
        see=SIMULATIONS.get(see, ""),
        sprite=DRAWING.sprite,
        body="seen" if see else "",
        status=scene.status,
        svg=scene.svg,
        panels="".join(f"<h2>{panel.title}</h2>{panel.html}" for panel in scene.panels),
        tray="".join(
            f'<svg viewBox="0 0 100 100"><use href="#{symbol}"/></svg>' for symbol in symbols
        ),
    )


def scenes() -> Iterator[tuple[str, Scene, Choice]]:
    """Yield named positions, and what a player has chosen in them."""
    assert DRAWING is not None
    game = tianxia.game("stratego")
    start = game.new()
    yield "setup", DRAWING(SceneRequest(start.view(0), 0, "en", prefix="t-")), choice_of(start, 0)
    setups = [[RANK_SYMBOLS[rank] for rank in preset.setup] for preset in PRESETS[0]]
    state = finish_setup(game, setups[0], setups[3])
    opening = state.view(0)
    yield "opening", DRAWING(SceneRequest(opening, 0, "en", prefix="t-")), choice_of(state, 0)
    random, wanted = Random(5), {"play": 70, "fight": 140, "late": 400}
    last: tuple[Happening, ...] = ()
    while not state.over:
        viewer, language = (1, "fr") if state.plies > 200 else (0, "en")
        (seat,) = state.acting
        legal = state.legal_actions(seat)
        fights = [action for action in legal if "x" in state.text(action, seat)]
        action = random.choice(fights if fights and random.random() < 0.6 else legal)
        sentence = state.describe(action, seat, viewer, language)
        fought = "x" in state.text(action, seat)
        last = (*last[-1:], Happening(seat, action, sentence, state.view(viewer)))
        state.apply(action)
        for name, plies in tuple(wanted.items()):
            if state.plies < plies or state.acting != (viewer,) or not (fought or name == "play"):
                continue
            del wanted[name]
            request = SceneRequest(state.view(viewer), viewer, language, last, "t-")
            yield name, DRAWING(request), choice_of(state, viewer, pick=True)
            break
    yield "end", DRAWING(SceneRequest(state.view(0), -1, "en", last, "t-")), choice_of(state, 0)


def choice_of(state: tianxia.State, viewer: int, pick: bool = False) -> Choice:
    """Return what the page lights: what can be chosen, or where the chosen piece can go."""
    assert DRAWING is not None
    scene = DRAWING(SceneRequest(state.view(viewer), viewer))
    ways: dict[str, list[str]] = {}
    for gesture in scene.gestures:
        origin, target = (step.elements[0] for step in gesture.steps)
        ways.setdefault(origin, []).append(target)
    if not pick:
        slots = scene.arrangement.slots if scene.arrangement else ()
        return {"lit": [*ways, *slots], "targets": [], "picked": []}
    attackers = [gesture.steps[0].elements[0] for gesture in scene.gestures if gesture.final]
    chosen = max(attackers or ways, key=lambda origin: len(ways[origin]))
    return {"lit": list(ways), "targets": ways[chosen], "picked": [chosen]}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
