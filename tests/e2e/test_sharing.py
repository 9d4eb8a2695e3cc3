"""Handing on a link to a position, in the browser."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import check
from tianxia.web.sharing import FILM_WIDTH

pytestmark = pytest.mark.browser
Come = Callable[..., Person]


def parts(png: bytes) -> list[tuple[str, bytes]]:
    """Return the chunks of a PNG, whose sums have to be right."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    found, at = [], 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        body = png[at + 4 : at + 8 + length]
        assert zlib.crc32(body) == int.from_bytes(png[at + 8 + length : at + 12 + length], "big")
        found.append((body[:4].decode(), body[4:]))
        at += 12 + length
    return found


def test_a_position_of_a_finished_game_stays_and_can_be_handed_on(person: Come) -> None:
    ada = person()
    ada.host("firebulls", "me", "bot:random", players="2")
    ada.resign()
    ada.page.wait_for_selector("#table[data-status=over]")
    path = ada.path
    ada.go(f"{path}#ply-3")
    ada.page.wait_for_selector("#table[data-ply='3']")
    ada.page.click("[data-step=first]")
    ada.page.wait_for_selector("#table[data-ply='0']")
    ada.page.wait_for_url(f"**{path}#ply-0")
    ada.page.reload()
    ada.page.wait_for_selector("#table[data-ply='0']")

    ada.page.click("#stepper [data-share]")
    ada.page.wait_for_selector("#share-dialog[open]")
    assert ada.page.input_value("#link-share").endswith(f"{path}#ply-0")
    ada.page.evaluate("document.querySelector('#share-dialog img').decode()")
    assert list(check(ada, "sharing")) == []
    with ada.page.expect_download() as download:
        ada.page.click("#share-picture")
    file = download.value.path().read_bytes()
    assert file.startswith(b"\x89PNG")
    assert int.from_bytes(file[16:20], "big") == 1400, "as wide as it was drawn"
    assert not ada.page.is_visible("#share-film"), "a position is not a film"
    ada.page.keyboard.press("Escape")
    ada.page.click("[data-step=last]")
    ada.page.wait_for_url(f"**{path}")
    ada.page.click("#stepper [data-share]")
    with ada.page.expect_download() as download:
        ada.page.click("#share-film")
    film = parts(download.value.path().read_bytes())
    assert int.from_bytes(film[0][1][:4], "big") == FILM_WIDTH
    assert [name for name, _ in film][:3] == ["IHDR", "acTL", "fcTL"]
    frames = sum(name == "fcTL" for name, _ in film)
    assert 1 < frames == int.from_bytes(film[1][1][:4], "big")
    orders = [body[:4] for name, body in film if name in ("fcTL", "fdAT")]
    assert [int.from_bytes(order, "big") for order in orders] == list(range(len(orders)))
