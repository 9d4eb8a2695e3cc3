"""Handing links on: QR codes, and what a link shows in a message."""

from __future__ import annotations

import io
import random
import re
from html import unescape
from xml.etree import ElementTree as ET

import pytest
import segno

from tests.web.world import BASE, World, chosen
from tianxia.web.sharing import MOST_FRAMES, film
from tianxia.web.static import static

META = re.compile(r'<meta property="og:(\w+)" content="([^"]*)">')
COUPLE = {"game": "stratego", "variant": "duel"}


def preview(page: str) -> dict[str, str]:
    return {name: unescape(content) for name, content in META.findall(page)}


def drawn(address: str) -> bytes:
    """Return a code as segno draws it by default, without its size."""
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(out, kind="svg", border=3, omitsize=True)
    return out.getvalue()


def modules(svg: bytes) -> list[bytes]:
    """Return what a code's dark squares are, whatever their colour."""
    return re.findall(rb' d="(M[^"]*)"', svg)[-1:]


# --- Codes ---


def test_the_code_of_a_table_holds_its_link(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    answer = here.visitor().get(f"/t/{table.id}/code/table.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert modules(answer.content) == modules(drawn(f"{BASE}/t/{table.id}"))
    assert b"viewBox" in answer.content


def test_the_code_of_a_position_holds_where_it_is(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    answer = here.visitor().get(f"/t/{table.id}/code/table.svg?ply=12")
    assert modules(answer.content) == modules(drawn(f"{BASE}/t/{table.id}#ply-12"))
    for odd in ("x", "-1", "9" * 50):
        assert here.visitor().get(f"/t/{table.id}/code/table.svg?ply={odd}").status_code == 400


def test_only_who_sits_there_gets_the_code_of_a_seat(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    page = table.host.get(f"/t/{table.id}").text
    (link,) = set(re.findall(rf'value="({BASE}/t/{table.id}/seat/[^"]+)"', page))
    own = table.host.get(f"/t/{table.id}/code/seat.svg")
    assert modules(own.content) == modules(drawn(link))
    assert own.headers["cache-control"] == "no-store"
    assert here.visitor().get(f"/t/{table.id}/code/seat.svg").status_code == 404


@pytest.mark.parametrize("which", ["next", "transcript", "rules", "here_only", "x"])
def test_there_are_no_other_codes(here: World, which: str) -> None:
    table = here.seated("me", "open", **COUPLE)
    assert table.host.get(f"/t/{table.id}/code/{which}.svg").status_code == 404
    assert table.host.get(f"/t/nosuchtable/code/{which}.svg").status_code == 404


# --- Previews ---


def test_a_link_to_a_table_says_who_plays_and_shows_the_game(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    shown = preview(here.visitor().get(f"/t/{table.id}").text)
    assert shown["title"] == "Stratego"
    assert shown["description"] == ("Red: Ada · Blue: free seat · A seat is free")
    assert shown["image"] == f"{BASE}{static().url('games/stratego.jpg')}"
    picture = here.visitor().get(shown["image"].removeprefix(BASE))
    assert picture.headers["content-type"] == "image/jpeg"


def test_a_link_shows_everybody_the_same_and_no_private_address(here: World) -> None:
    table = here.seated("me", "bot:random", **COUPLE)
    mine, others = (
        preview(visitor.get(f"/t/{table.id}").text) for visitor in (table.host, here.visitor())
    )
    assert mine == others
    assert table.id not in "".join(mine.values())
    assert "/seat/" not in "".join(mine.values())


def test_a_link_to_a_finished_game_says_how_it_ended(here: World) -> None:
    table = here.seated("me", "bot:random", **COUPLE)
    table.host.post(f"/t/{table.id}/resign")
    text = preview(here.visitor().get(f"/t/{table.id}").text)["description"]
    assert text.startswith("Red: Ada · Blue: ")
    assert "resigned" in text


def test_pages_of_a_game_show_it_and_others_the_house(here: World) -> None:
    visitor = here.visitor(accept_language="fr")
    rules = preview(visitor.get("/rules/suntzu").text)
    assert rules["image"].endswith("/games/suntzu.jpg")
    assert rules["description"]
    assert preview(visitor.get("/new/china").text)["image"].endswith("/games/china.jpg")
    home = preview(visitor.get("/").text)
    assert home["image"].endswith("/preview.jpg")
    assert home["description"].startswith("Cinq jeux")


# --- Pictures of a position ---


def test_a_picture_of_a_table_shows_what_a_spectator_may_see(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    guest = table.guest(1)
    table.set_up(table.host, 1)
    table.set_up(guest, 2)
    mine, theirs, others = (
        visitor.get(f"/t/{table.id}/picture.svg") for visitor in (table.host, guest, here.visitor())
    )
    pieces = re.findall(r'href="#(stratego-[rb](?:10|[0-9SBF]))"', others.text)
    assert set(pieces) == {"stratego-r0", "stratego-b0"}, "no rank is to be seen"
    assert theirs.content == others.content
    assert mine.headers["content-type"] == "image/svg+xml"
    assert mine.content == others.content
    assert "width:1400px" in mine.text
    assert "color-scheme:light" in mine.text


def test_a_picture_of_a_position_waits_for_the_end_of_the_game(here: World) -> None:
    table = here.seated("me", "bot:random", game="firebulls", players=2)
    path = f"/t/{table.id}/picture.svg?ply=3"
    assert here.visitor().get(path).status_code == 409
    table.host.post(f"/t/{table.id}/resign")
    early, late = (here.visitor().get(f"/t/{table.id}/picture.svg?ply={n}") for n in (3, 10**6))
    assert (early.status_code, late.status_code) == (200, 200)
    assert early.content != late.content
    assert here.visitor().get("/t/nosuchtable/picture.svg").status_code == 404


# --- Films ---

HIGHEST = 32_767
"""Pixels that browsers draw."""
RANKS = re.compile(r'href="#(stratego-[rb](?:10|[0-9SBF]))"')


def frames(svg: str) -> int:
    return int(re.findall(r'data-frames="(\d+)"', svg)[0])


def test_a_film_shows_what_any_spectator_could_see_and_all_after_the_end(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    guest = table.guest(1)
    path, dice = f"/t/{table.id}/film.svg", random.Random(3)
    seen, moves = set[str](), 0
    table.set_up(table.host, 1)
    table.set_up(guest, 2)
    for _ in range(6):
        for seat, player in enumerate((table.host, guest)):
            state = here.app_state.tables.snapshot(table.id).state
            if seat in state.acting:
                assert table.act(player, dice.choice(state.legal_actions(seat))).status_code == 200
                seen |= set(RANKS.findall(here.visitor().get(f"/t/{table.id}/picture.svg").text))
                moves += 1
    mine, theirs, others = (v.get(path) for v in (table.host, guest, here.visitor()))
    assert mine.content == theirs.content == others.content
    assert mine.headers["content-type"] == "image/svg+xml"
    assert here.app_state.tables.snapshot(table.id).status == "playing"
    assert frames(others.text) > moves > 6
    assert set(RANKS.findall(others.text)) == seen | {"stratego-r0", "stratego-b0"}
    assert "stratego-rF" not in seen
    table.host.post(f"/t/{table.id}/resign")
    assert {"stratego-rF", "stratego-bF"} <= set(RANKS.findall(here.visitor().get(path).text))


def test_a_film_tells_nothing_of_what_is_done_in_secret(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    table.guest(1)
    path = f"/t/{table.id}/film.svg"
    before = here.visitor().get(path).content
    state = here.app_state.tables.snapshot(table.id).state
    some = chosen(state, 0, random.Random(1))[:3]
    assert table.act(table.host, *some).status_code == 200
    film.cache_clear()
    assert here.visitor().get(path).content == before
    assert table.host.get(path).content == before


def test_a_film_does_not_tell_that_somebody_takes_back_in_secret(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    guest, spectator = table.guest(1), here.visitor()
    path = f"/t/{table.id}/film.svg"
    assert table.act(table.host, table.facts()["legal"][-1]["action"]).status_code == 200
    table.set_up(guest, 2)
    before = spectator.get(path)
    assert before.status_code == 200
    assert table.host.post(f"/t/{table.id}/take-back", {}).status_code == 200
    film.cache_clear()
    after = spectator.get(path)
    assert (after.status_code, after.content) == (200, before.content)


@pytest.mark.parametrize("game", ["binfa", "firebulls", "suntzu"])
def test_a_film_of_a_long_game_is_no_larger_than_one_can_look_at(here: World, game: str) -> None:
    table = here.seated("me", "open", game=game)
    players, dice = (table.host, table.guest(1)), random.Random(1)
    for _ in range(60):
        state = here.app_state.tables.snapshot(table.id).state
        for seat in state.acting[:1]:
            table.act(players[seat], *chosen(state, seat, dice)[:40])
    table.host.post(f"/t/{table.id}/resign")
    svg = here.visitor().get(f"/t/{table.id}/film.svg").text
    assert 1 < frames(svg) <= MOST_FRAMES
    root = ET.fromstring(svg)
    for number in range(frames(svg)):  # something is to be seen at any time
        shown = [g for g in root.iter() if str(number) in g.get("data-on", "").split()]
        assert shown
    assert len(svg) < 1_000_000
    strip = ET.fromstring(here.visitor().get(f"/t/{table.id}/film.svg?strip=true").text)
    assert len(strip.findall("{http://www.w3.org/2000/svg}svg")) == frames(svg)
    assert int(strip.get("height", "")) < HIGHEST
    assert not any("data-e" in node.attrib for node in root.iter())


def test_a_film_is_drawn_once(here: World) -> None:
    table = here.seated("me", "open", **COUPLE)
    film.cache_clear()
    for visitor in (table.host, here.visitor(), here.visitor()):
        visitor.get(f"/t/{table.id}/film.svg")
    assert film.cache_info().misses == 1
    assert here.visitor().get("/t/nosuchtable/film.svg").status_code == 404
