"""Pictures of all kinds of pages, to be looked at.

They go to a temporary folder, or with ``TIANXIA_PICTURES=docs/pictures`` to where the
documentation shows them.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.people import DESK, PHONE, Person

pytestmark = pytest.mark.browser
FOLDER = "TIANXIA_PICTURES"
LARGEST = 200_000
SHOWN = {(name, "desk", theme) for name in ("home", "table") for theme in ("light", "dark")}
"""What the README shows, by day and by night."""
LOOKED_AT = {("desk", "light"), ("phone", "dark")}
"""What is looked at otherwise: each size and each theme once."""


def test_pictures(person: Callable[..., Person], tmp_path: Path) -> None:
    named = os.environ.get(FOLDER)
    folder = Path(named) if named else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    ada, rng = person(), random.Random(3)

    def shoot(name: str) -> None:
        for size, viewport in (("desk", DESK), ("phone", PHONE)):
            for theme in ("light", "dark"):
                shown = (name, size, theme) in SHOWN if named else (size, theme) in LOOKED_AT
                if not shown:
                    continue
                ada.page.set_viewport_size(viewport)
                ada.wear(theme)
                ada.page.wait_for_timeout(100)
                picture = ada.picture()
                (folder / f"{name}-{size}-{theme}.webp").write_bytes(picture)
                assert len(picture) <= LARGEST
                width = ada.page.evaluate("document.documentElement.scrollWidth")
                assert width <= viewport["width"], f"{name} scrolls sideways"
        ada.page.set_viewport_size(DESK)
        ada.wear("light")

    ada.go("/")
    shoot("home")
    if named:  # else looked at elsewhere: by axe, and for whether they are one screen
        ada.go("/rules/stratego")
        shoot("rules")
        ada.go("/new/stratego")
        shoot("new")
        ada.open_table(variant="classic")
        shoot("invite")
    ada.host("stratego", "me", "bot:skirmisher", variant="classic")
    ada.page.select_option("#tray-presets", index=1)
    shoot("set-up")
    ada.set_up(1)
    for _ in range(26 if named else 6):  # a game under way is worth a picture in the docs
        assert ada.turn()
        ada.play(ada.random_gesture(rng))
    assert ada.turn()
    ada.page.click(f'[data-e="{ada.random_gesture(rng)["s"][0][0]}"]')
    shoot("table")
    ada.page.click('[data-e="a1"]')
    shoot("refused")
    ada.resign()
    ada.page.wait_for_selector("#stepper")
    ada.page.click("[data-step=previous]")
    ada.page.click("[data-step=previous]")
    shoot("end")
