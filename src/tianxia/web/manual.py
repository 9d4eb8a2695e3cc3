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


NOT_BUILT = N_(
    "The documentation is not part of this server. Whoever runs it can build it: "
    "python3 run.py docs. What programs can ask for is described without it:"
)


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
            refusal = Refusal(404, "no-manual", NOT_BUILT)
            refusal.link = "/api/docs"
            raise refusal


async def _lead(_: Request) -> RedirectResponse:
    return RedirectResponse("/docs/", 308)


def routes() -> list[BaseRoute]:
    """Return the routes of the documentation."""
    return [Route("/docs", _lead), Mount("/docs", Manual())]
