"""Pictures of positions as pixels: a Chromium without a window draws them, as it does for people.

The games' pictures are SVG with style sheets that only browsers understand. Playwright starts a
browser once for each process, and it ends with the process.
"""

from __future__ import annotations

import base64
import os
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.errors import TianxiaError

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTH = 720
"""Of pictures, in pixels; the height follows from their shape."""
VARIABLE = "TIANXIA_CHROMIUM"
REMEDY = (
    'rgb_array needs a browser: pip install ".[pictures]" in a clone, then'
    " `playwright install chromium`, or the path of a Chromium in the environment variable"
    f" {VARIABLE}"
)
VIEW_BOX = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')
DRAW = """async ([svg, width, height]) => {
  const image = new Image(width, height);
  image.src = "data:image/svg+xml;base64," + svg;
  await image.decode();
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#f5efe0";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(image, 0, 0, width, height);
  const bytes = new Uint8Array(pen.getImageData(0, 0, width, height).data.buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768)
    text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}"""

Pixels = NDArray[np.uint8]


def pixels(svg: str, width: int = WIDTH) -> Pixels:
    """Return a picture as pixels; shape (height, width, 3).

    Raises
    ------
    TianxiaError
        Where there is no browser that could draw it.
    """
    return _camera().take(svg, width)


@cache
def _camera() -> Camera:
    return Camera()


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads, and would wait
    os.register_at_fork(after_in_child=_camera.cache_clear)


class Camera:
    """A browser that draws pictures, in a thread of its own: notebooks have a loop in theirs."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "camera")
        self._page = self._thread.submit(self._open).result()

    def _open(self) -> Page:
        try:
            from playwright.sync_api import Error, sync_playwright
        except ImportError as error:
            raise TianxiaError(REMEDY) from error
        playwright = sync_playwright().start()
        # Its sandbox refuses to work for root, as which containers often run.
        as_root = hasattr(os, "geteuid") and os.geteuid() == 0
        words = ["--no-sandbox", "--disable-dev-shm-usage"] if as_root else []
        try:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get(VARIABLE), args=words
            )
        except Error as error:
            playwright.stop()
            raise TianxiaError(f"{REMEDY} ({str(error).partition(chr(10))[0]})") from error
        return browser.new_page(color_scheme="light")

    def take(self, svg: str, width: int) -> Pixels:
        """Return a picture as pixels, with an even height, as films want it."""
        found = VIEW_BOX.search(svg)
        if found is None:
            raise TianxiaError("the picture does not say how large it is, in a viewBox")
        across, down = map(float, found.groups())
        height = 2 * round(width * down / across / 2)
        sized = svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)
        told = [base64.b64encode(sized.encode()).decode(), width, height]
        drawn = self._thread.submit(self._page.evaluate, DRAW, told).result()
        raw = np.frombuffer(base64.b64decode(drawn), np.uint8)
        return raw.reshape(height, width, 4)[:, :, :3].copy()
