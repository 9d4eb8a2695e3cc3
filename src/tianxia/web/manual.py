"""The documentation under ``/docs``, where it has been built: ``python3 run.py docs``."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tianxia.draw.languages import N_
from tianxia.web.errors import Refusal

FOLDER = Path(__file__).with_name("documentation")
"""Made by Sphinx from ``docs/``; part of the image and of released packages, not of a clone."""


def is_built() -> bool:
    """Say whether there is documentation to show."""
    return (FOLDER / "index.html").is_file()


class Manual(StaticFiles):
    """The pages, for whoever asks; a sentence where they have not been built."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER, html=True, check_dir=False)

    async def check_config(self) -> None:
        """Refuse where there is nothing: asked before the first page is sent."""
        if not is_built():
            raise Refusal(404, "no-manual", N_("The documentation is not part of this server."))


async def _lead(_: Request) -> RedirectResponse:
    return RedirectResponse("/docs/", 308)


def routes() -> list[BaseRoute]:
    """Return the routes of the documentation."""
    return [Route("/docs", _lead), Mount("/docs", Manual())]
