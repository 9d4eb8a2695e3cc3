"""Handing on a link to a position, in the browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]


def test_a_position_of_a_finished_game_stays_and_can_be_handed_on(person: Come) -> None:
    ada = person()
    ada.open_game("firebulls", "me", "bot:random", players="2")
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
    ada.page.keyboard.press("Escape")
    ada.page.click("[data-step=last]")
    ada.page.wait_for_url(f"**{path}")
