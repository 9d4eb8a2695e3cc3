"""Pages: each is there, in both languages, with nothing from elsewhere."""

from __future__ import annotations

import re
import time
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

import tianxia
from tests.web.conftest import Log
from tests.web.world import BASE, Socket, Visitor, World, world
from tianxia.bots import titles
from tianxia.draw.languages import LANGUAGES, package_of
from tianxia.kernel import registry
from tianxia.tables.errors import NoAnswer
from tianxia.web import api, catalogue
from tianxia.web.catalogue import kinds
from tianxia.web.rules import page_of, rules_page

PAGES = ["/", "/new/stratego", "/rules", "/rules/stratego", "/about", "/privacy", "/api/docs"]
LARGEST_FIRST_PAGE = 60_000
"""Bytes, packed as they travel."""


class Assets(HTMLParser):
    """Collects what a page makes a browser fetch, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids += [found["id"]] if "id" in found else []
        self.inline += [name for name in found if name.startswith("on")]
        runs = tag == "style" or (tag == "script" and "src" not in found)
        if runs and found.get("type") != "application/json":
            self.inline.append(tag)
        if tag == "link":
            self.fetched.append(found["href"])
        elif found.get("loading") == "lazy":
            pass  # fetched by who scrolls to it
        elif tag in ("script", "img", "source", "iframe", "video", "audio") and "src" in found:
            self.fetched.append(found["src"])
        elif tag == "use" and not found.get("href", "#").startswith("#"):
            self.fetched.append(found["href"])
        elif tag == "a":
            self.links.append(found.get("href", ""))
        self.fetched += [value for name, value in found.items() if name == "data-idiomorph"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_is_there(here: World, path: str, language: str) -> None:
    answer = here.visitor(accept_language=language).get(path)
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len(re.findall(r"<h1[ >]", answer.text)) == 1
    assert here.visitor().ask("HEAD", path).status_code == 200


def test_all_links_between_pages_lead_somewhere(here: World) -> None:
    visitor, seen, todo = here.visitor(), set[str](), ["/"]
    while todo:
        path = todo.pop()
        answer = visitor.get(path)
        assert answer.status_code in (200, 303), path
        if "html" not in answer.headers.get("content-type", ""):
            continue
        found = Assets(answer.text)
        assert len(found.ids) == len(set(found.ids)), path
        for link in found.links:
            place, _, anchor = link.partition("#")
            assert not urlsplit(link).netloc, f"{path} leads elsewhere: {link}"
            if anchor and not place:
                assert anchor in found.ids, f"{path}: {link}"
            if place.startswith("/docs/"):
                continue  # there where it has been built; Sphinx looks at its links
            if place and place not in seen and "theme=" not in place:
                seen.add(place)
                todo.append(place)
    assert {"/rules/stratego", "/new/stratego", "/privacy", "/about"} <= seen


@pytest.mark.parametrize("path", [*PAGES, "table"])
def test_a_first_visit_is_small_and_asks_no_other_host(here: World, path: str) -> None:
    table = here.seated("me", "open")
    visitor = table.host
    path = f"/t/{table.id}" if path == "table" else path
    answer = visitor.get(path, headers={"accept-encoding": "gzip"})
    assets = Assets(answer.text)
    assert not assets.inline, "the policy of scripts would stop these"
    total = int(answer.headers["content-length"])
    for asset in set(assets.fetched):
        assert urlsplit(asset).netloc in ("", urlsplit(BASE).netloc)
        file = visitor.get(asset, headers={"accept-encoding": "gzip"})
        assert file.status_code == 200, asset
        assert not re.findall(rb"""(?:url\(|@import)\s*['"]?(?:https?:)?//""", file.content)
        total += int(file.headers["content-length"])
    assert total < LARGEST_FIRST_PAGE, f"{path}: {total} bytes"


def test_no_style_depends_on_what_is_anywhere_in_a_table_s_page(here: World) -> None:
    # Such a rule is looked at whenever anything changes; the page itself says what game it is.
    table = here.seated("me", "open", game="china", players=2)
    page = here.visitor().get(f"/t/{table.id}").text
    assert 'class="table-page" data-game="china"' in page
    for sheet in Assets(page).fetched:
        if sheet.endswith((".css", "/china")) and "guide" not in sheet:
            assert ".table-page:has(" not in here.visitor().get(sheet).text, sheet


def test_a_page_that_refuses_leads_on(here: World) -> None:
    visitor = here.visitor()
    forged = {"token": "0" * 32, "name": "Ada", "password": "correct horse"}
    refused = visitor.get("/no/such/page"), visitor.ask("POST", "/sign-in", data=forged)
    assert [one.status_code for one in refused] == [404, 403]
    ways = [re.findall(r'class="button[^"]*" href="([^"]+)"', one.text) for one in refused]
    assert ways == [["/", "/lobby", "/rules"], ["/", "/lobby", "/rules", "/sign-in"]]


def test_static_files_stay_for_a_year_under_their_own_address(here: World) -> None:
    visitor = here.visitor()
    sheet = next(a for a in Assets(visitor.get("/").text).fetched if a.endswith("theme.css"))
    answer = visitor.get(sheet, headers={"accept-encoding": "gzip"})
    assert "immutable" in answer.headers["cache-control"]
    assert "max-age=31536000" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert "set-cookie" not in answer.headers
    tag = answer.headers["etag"]
    assert visitor.get(sheet, headers={"if-none-match": tag}).status_code == 304
    other = visitor.get(re.sub(r"/static/\w+/", "/static/0123456789ab/", sheet))
    assert other.headers["cache-control"] == "no-cache"
    for wrong in ("/static/x/nothing.css", "/static/x/../app.py", "/static/x/%2e%2e/app.py"):
        assert visitor.get(wrong).status_code == 404


def test_what_a_page_says_is_not_repeated_to_others(here: World) -> None:
    answer = here.visitor().get("/")
    assert "private" in answer.headers["cache-control"]


# --- Languages and themes ---


def test_the_language_is_chosen_kept_and_guessed(here: World) -> None:
    visitor = here.visitor(accept_language="de, fr;q=0.5")
    assert '<html lang="fr"' in visitor.get("/").text
    answer = visitor.get("/about?lang=en&x=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/about?x=1"
    assert '<html lang="en"' in visitor.get("/").text
    assert '<html lang="en"' in visitor.get("/about?lang=xx").text


def test_the_theme_is_chosen_and_kept(here: World) -> None:
    visitor = here.visitor()
    assert "data-theme" not in visitor.get("/").text
    assert visitor.get("/?theme=dark").status_code == 303
    assert 'data-theme="dark"' in visitor.get("/about").text
    visitor.get("/?theme=system")
    assert "data-theme" not in visitor.get("/").text


def test_choosing_a_language_leads_nowhere_else(here: World) -> None:
    answer = here.visitor().get("//evil.example/x?lang=fr")
    assert not answer.headers.get("location", "/").startswith("//")


# --- Rules ---


def test_every_statement_has_an_anchor_in_both_languages(here: World) -> None:
    kind = registry.kind("stratego")
    for language in ("en", "fr"):
        page = rules_page("stratego", language)
        assert page is not None
        ids = Assets(str(page.html)).ids
        assert set(kind.statements.values()) <= set(ids)
        assert len(ids) == len(set(ids))
        assert '<table tabindex="0">' in page.html  # by keyboard, too, where it scrolls


def test_rulebooks_cannot_bring_scripts() -> None:
    page = page_of("## A <script>\n\n- **AB-1** <img src=x onerror=y> [x](javascript:z)\n")
    assert "<script" not in page.html
    assert "<img" not in page.html
    assert 'href="javascript' not in page.html
    assert 'id="AB-1"' in page.html


def test_chapters_show_pictures_that_are_fetched_when_they_come_into_sight(here: World) -> None:
    reader = here.visitor(accept_language="fr")
    page = reader.get("/rules/stratego").text
    figure = re.search(r"<h2 id=\"s6\">[^<]*</h2>\s*<figure><img ([^>]*)>", page)
    assert figure, "after the heading of the sixth chapter"
    assert 'loading="lazy"' in figure[1]
    assert 'alt="L’Éclaireur' in figure[1]
    assert re.search(r'width="\d+" height="\d+"', figure[1]), "its place is kept"
    (address,) = re.findall(r'src="([^"]*)"', figure[1])
    assert address == "/rules/stratego/fr/system/scout.svg"
    answer = reader.get(address)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "max-age" in answer.headers["cache-control"]
    assert answer.text.startswith("<svg")


def test_the_list_of_rulebooks_shows_each_game(here: World) -> None:
    page = here.visitor().get("/rules").text
    cards = re.findall(r'<li class="door">(.*?)</li>', page, re.DOTALL)
    assert len(cards) == 5
    for card in cards:
        assert "<svg" in card
        assert re.search(r'<a href="/rules/\w+">', card)


def test_pictures_of_rules_follow_the_theme_that_was_chosen(here: World) -> None:
    reader = here.visitor()
    reader.get("/rules/stratego?theme=dark")
    page = reader.get("/rules/stratego").text
    assert "/rules/stratego/en/dark/scout.svg" in page
    assert "/system/" not in page


@pytest.mark.parametrize(
    "path", ["stratego/en/system/x", "stratego/en/x/scout", "stratego/xx/dark/scout", "x/en/dark/x"]
)
def test_there_are_no_other_pictures_of_rules(here: World, path: str) -> None:
    assert here.visitor().get(f"/rules/{path}.svg").status_code == 404


def test_pictures_of_what_a_table_leaves_out_are_left_out_too() -> None:
    figures = {"One": ["<figure>1</figure>"], "Two": ["<figure>2</figure>"]}
    page = page_of("## One\n\nText.\n", figures)
    assert "<figure>1</figure>" in page.html
    assert "<figure>2</figure>" not in page.html


# --- What is not there ---


@pytest.mark.parametrize(
    "path", ["/t/nosuchtable", "/t/%00", "/t/" + "x" * 300, "/new/chess", "/rules/chess", "/x/y"]
)
def test_an_unknown_page_is_a_friendly_one(here: World, path: str, log: Log) -> None:
    answer = here.visitor(accept_language="fr").get(path)
    assert answer.status_code == 404
    assert '<html lang="fr"' in answer.text
    assert 'href="/"' in answer.text
    assert [line["status"] for line in log.lines()] == [404]
    program = here.visitor(accept="application/json").get(path)
    assert set(program.json()["error"]) == {"code", "text", "statement", "link"}


def test_wrong_methods_are_refused(here: World) -> None:
    assert here.visitor().ask("DELETE", "/about").status_code == 405
    assert here.visitor().get("/tables").status_code == 405


def test_a_failure_is_a_page_without_a_traceback(
    here: World, monkeypatch: pytest.MonkeyPatch, log: Log
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(here.app_state.tables, "open_tables", broken)
    answer = here.visitor().get("/")
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "Traceback" not in answer.text
    assert "content-security-policy" in answer.headers
    (line,) = log.lines()
    assert line["status"] == 500
    assert "ZeroDivisionError" in line["trace"]


# --- While minds wake up ---


def mind(here: World, stage: str, part: int, seconds: int | None, game: str = "stratego") -> None:
    """Say how far the minds of a game are, as a crew does."""
    tables = here.app_state.tables
    tables.work.note_mind("somewhere", game, stage, part, seconds, time.time())
    tables.minds_news.publish(game, part)


def html(socket: Socket) -> str:
    message = socket.receive()
    return str(message.get("html") or message["root"] + "".join(message["parts"].values()))


def test_a_piece_of_china_that_cannot_be_paid_for_says_which_card_is_needed() -> None:
    with world() as here:
        spaces = ("W1", "Q1", "H1", "Z1", "C1", "S1", "L1")
        for _ in range(30):  # until the lot has us begin, with cards that do not pay for everything
            table = here.seated("me", "open", game="china", players="2")
            table.guest(1)
            if 0 not in here.app_state.tables.snapshot(table.id).acting:
                continue
            why = f"/t/{table.id}/why"
            asked = [table.host.post(why, json={"elements": [space]}).json() for space in spaces]
            refused = [one for one in asked if one["statement"] in ("CHI-13", "CHI-18")]
            if refused:
                break
        assert refused
        for answer in refused:
            assert answer["text"].startswith("Here you need a card of this colour: ")
            assert answer["link"].endswith(f"#{answer['statement']}")


def test_a_table_says_that_its_bot_is_waking_up() -> None:
    with world(awake=False) as here:
        table = here.seated("me", "bot:journeyman")
        with table.host.live(table.id) as socket:
            assert "Journeyman is waking up. This takes a little while" in html(socket)
            mind(here, "waking", 30, 17)
            page = html(socket)
            assert "Journeyman is waking up: about 20 s, the first time on this machine." in page
            assert '<progress max="100" value="30"' in page
            assert "do-hurry" not in page  # nobody is there yet who could hurry
            mind(here, "failed", 0, None)
            assert "Journeyman cannot be woken on this machine" in html(socket)
            mind(here, "ready", 100, None)
            page = html(socket)
            assert "waking" not in page
            assert "do-hurry" not in page  # all set up in secret: bots take their time


def test_players_of_binfa_are_called_by_their_armies_as_soon_as_these_are_drawn() -> None:
    with world() as here:
        table = here.seated("me", "open", game="binfa")
        guest = table.guest(1)
        page = table.host.get(f"/t/{table.id}").text
        assert "Set up your units" in page
        assert '<span class="seat-side">First' not in page
        table.host.post(f"/t/{table.id}/resign", json={})
        for one in (table.host, guest):
            assert one.get(f"/t/{table.id}/end").status_code == 200


def test_a_table_says_that_another_games_bots_are_woken_first() -> None:
    with world(awake=False) as here:
        mind(here, "waking", 30, 17, "china")
        table = here.seated("me", "bot:journeyman")
        with table.host.live(table.id) as socket:
            assert "Journeyman will be woken after the bots of another game" in html(socket)
            mind(here, "waking", 0, None)
            assert "Journeyman is waking up. This takes a little while" in html(socket)


def test_news_of_minds_concern_tables_where_they_show() -> None:
    with world(awake=False) as here:
        table, without = here.seated("me", "bot:journeyman"), here.seated("me", "open")
        tables = here.app_state.tables
        shows = [tables.may_show_minds(one.id, "stratego") for one in (table, without)]
        assert shows == [True, False]
        assert not tables.may_show_minds(table.id, "china")
        assert tables.may_show_minds("not-in-memory", "china")
        over = here.seated("me", "open")
        over.guest(1)
        over.host.post(f"/t/{over.id}/resign", json={})
        assert tables.may_show_minds(over.id, "stratego")  # its review


def test_hints_say_that_their_adviser_is_waking_up() -> None:
    with world(awake=False) as here:
        table = here.seated("me", "bot:journeyman")
        page = table.host.get(f"/t/{table.id}", headers={"accept-language": "fr"}).text
        assert 'data-waking="Le bot «\xa0conseiller\xa0» se réveille. Cela prend' in page
        mind(here, "failed", 0, None)
        refused = table.host.get(f"/t/{table.id}/hint", headers={"accept": "application/json"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, NoAnswer().code)
        mind(here, "ready", 100, None)
        assert "data-waking" not in table.host.get(f"/t/{table.id}").text


def test_a_review_says_that_its_adviser_is_waking_up() -> None:
    with world(awake=False) as here:
        table = here.seated("me", "bot:journeyman")
        table.host.post(f"/t/{table.id}/resign", json={})
        assert "waking up" not in table.host.get(f"/t/{table.id}").text
        mind(here, "waking", 40, 12)
        table.host.post(f"/t/{table.id}/review", json={})
        page = table.host.get(f"/t/{table.id}").text
        assert "The adviser is waking up: about 15 s" in page
        assert '<progress id="chances-part" max="100" value="40"' in page
        mind(here, "ready", 100, None)
        assert (
            "The best bot looks at each decision as soon as it is free."
            in table.host.get(f"/t/{table.id}").text
        )


def test_a_table_without_bots_awaits_nobody() -> None:
    with world(awake=False) as here:
        table = here.seated("me", "open")
        assert "awaits-mind" not in table.host.get(f"/t/{table.id}").text


def test_one_is_told_whether_the_server_is_well_and_ready(log: Log) -> None:
    with world(awake=False) as here:
        visitor = here.visitor()
        well = visitor.get("/healthz")
        assert (well.status_code, well.json()["ok"]) == (200, True)
        unready = visitor.get("/readyz")
        assert (unready.status_code, unready.headers["retry-after"]) == (503, "5")
        assert unready.json()["games"]["stratego"]["stage"] == "asleep"
        assert log.lines() == []  # that is an answer, and no failure
        for kind in kinds():
            here.app_state.tables.work.note_mind("here", kind.name, "ready", 100, None, time.time())
        here.app_state.tables.minds_news.publish("stratego", 100)
        assert visitor.get("/readyz").status_code == 200


def test_a_table_says_who_stands_in() -> None:
    with world(awake=False) as here:  # whoever is awake moves for itself again
        table = here.seated("me", "bot:random", variant="duel")
        assert "stands in" not in table.host.get(f"/t/{table.id}").text
        with here.app_state.tables.store.writing() as connection:
            connection.execute(sa.text("UPDATE seats SET stand_in = true WHERE kind = 'bot'"))
            connection.execute(sa.text("UPDATE tables SET version = version + 1"))
        page = table.host.get(f"/t/{table.id}").text
        assert "A simpler bot stands in for the Random here." in page


def test_robots_keep_out_of_tables(here: World) -> None:
    assert "Disallow: /t/" in here.visitor().get("/robots.txt").text


def fill(visitor: Visitor, **fields: str) -> dict[str, str]:
    usual = {"game": "stratego", "nickname": "Ada", "seat0": "me", "seat1": "open"}
    return {**usual, "token": visitor.token(), **fields}


def test_the_form_of_a_new_table_makes_one(here: World) -> None:
    visitor = here.visitor()
    page = visitor.get("/new/stratego").text
    assert "tianxia_person" in visitor.client.cookies
    assert visitor.token() in page
    answer = visitor.ask("POST", "/tables", data=fill(visitor, **{"option-variant": "duel"}))
    assert answer.status_code == 303
    place = answer.headers["location"]
    facts = visitor.get(f"/api/v1/tables/{place[3:]}").json()
    assert facts["game"] == "stratego(variant=duel)"
    assert facts["seat"] == 0
    assert facts["seats"][0]["name"] == "Ada"
    assert place in visitor.get("/").text
    assert 'value="Ada"' in visitor.get("/new/stratego").text
    assert place not in here.visitor().get("/").text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"option-variant": "huge"}, 422),
        ({"option-nonsense": "1"}, 422),
        ({"seat1": "me"}, 422),
        ({"seat1": "bot:nobody"}, 422),
        ({"seat1": "everybody"}, 400),
        ({"game": "chess"}, 404),
    ],
)
def test_what_is_wrong_with_a_new_table_is_said_in_its_form(
    here: World, fields: dict[str, str], status: int, log: Log
) -> None:
    visitor = here.visitor()
    visitor.become()
    answer = visitor.ask("POST", "/tables", data=fill(visitor, **fields))
    assert answer.status_code == status
    assert len(log.lines()) == 1
    if status == 422:
        assert 'role="alert"' in answer.text


def test_options_and_bots_have_words_in_every_language() -> None:
    ours = [kind for kind in catalogue.kinds() if package_of(kind).startswith("tianxia.")]
    assert len(ours) >= 3
    for kind in ours:
        english, french = (catalogue.options_of(kind, language) for language in ("en", "fr"))
        for one, other in zip(english, french, strict=True):
            assert one.meaning != other.meaning, one
            assert one.meaning[0].isupper()
        for bot in catalogue.bot_names(kind):
            titles = {catalogue.bot_title(kind, bot, language) for language in ("en", "fr")}
            assert len(titles) == 2, bot


def test_values_of_options_are_said_in_words() -> None:
    """No raw value stands on a page: neither where one chooses nor where one reads."""
    games = {
        "china(players=4,fortifications=yes)": "4 players · a fortification each",
        "stratego(draw_after=0)": "never drawn for want of attacks",
        "stratego(variant=duel)": "Duel: 10 pieces each",
        "binfa(level=1,turns=40)": "level 1: armies and dice · at most 40 turns",
        "suntzu(events=yes)": "events turned up one by one",
    }
    for spec, words in games.items():
        assert catalogue.options_in_words(tianxia.game(spec), "en") == words
        french = catalogue.options_in_words(tianxia.game(spec), "fr")
        assert french != words
        assert "=" not in french
    ours = [kind for kind in catalogue.kinds() if package_of(kind).startswith("tianxia.")]
    for kind in ours:
        for option in catalogue.options_of(kind, "en"):
            for choice in option.choices:
                assert choice.label not in {choice.value, "Yes", "No"}, (kind.name, option.name)


# --- One click ---


@pytest.mark.parametrize("game", ["binfa", "china", "firebulls", "stratego", "suntzu"])
def test_one_click_on_the_first_page_leads_to_a_table(here: World, game: str) -> None:
    visitor = here.visitor()
    page = visitor.get("/").text
    assert f'data-play="/play/{game}"' in page
    answer = visitor.post(f"/play/{game}", {})
    assert answer.status_code == 201
    facts = visitor.get(f"/api/v1/tables/{answer.json()['table']}").json()
    assert facts["status"] == "playing"
    assert facts["seat"] == 0
    bots = {seat["name"] for seat in facts["seats"][1:]}
    assert bots == {"Apprentice"}, "a newcomer meets a bot that makes mistakes"
    assert facts["game"] == ("binfa(level=1)" if game == "binfa" else game)
    again = visitor.ask("POST", f"/play/{game}", data={"token": visitor.token()})
    assert again.status_code == 303
    facts = visitor.get(f"/api/v1/tables/{again.headers['location'][3:]}").json()
    assert {seat["name"] for seat in facts["seats"][1:]} == {"Journeyman"}
    assert facts["game"] == game


def test_one_click_needs_a_token_and_a_game(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    assert visitor.ask("POST", "/play/stratego", data={"game": "x"}).status_code == 403
    answer = visitor.ask("POST", "/play/nonsense", data={"token": visitor.token()})
    assert answer.status_code == 404
    assert visitor.get("/play/stratego").status_code == 405


def test_boards_and_maps_are_drawn_where_they_are_chosen(here: World) -> None:
    visitor = here.visitor()
    for game, option in (("china", "board"), ("binfa", "map")):
        page = visitor.get(f"/new/{game}").text
        pictures = re.findall(rf'src="(/pictures/{game}/{option}/[^"]+)"', page)
        assert len(pictures) >= 3
        drawn = {visitor.get(unescape(address)).text for address in pictures}
        assert len(drawn) == len(pictures), "each looks different"
        assert all(picture.startswith("<svg") for picture in drawn)
    for address in ("binfa/map/random", "binfa/map/x", "binfa/x/valley", "stratego/variant/duel"):
        assert visitor.get(f"/pictures/{address}.svg").status_code == 404
    assert visitor.get("/pictures/nonsense/map/valley.svg").status_code == 404


# --- Newcomers, values that people write ---

MAP = "r6,o6/r13,y13,b13"


def binfa(visitor: Visitor, **fields: str) -> dict[str, str]:
    """Look at the form of a new table of Bin'Fa and fill it in."""
    visitor.get("/new/binfa")
    seats = {f"seat{seat}": "open" for seat in range(1, 6)}
    return fill(visitor, game="binfa", **seats, **fields)


def selected(page: str, name: str) -> str:
    """Return what is chosen in a list of a form, or of its cards."""
    cards = re.findall(rf'name="{name}" value="([^"]*)" checked', page)
    menus = re.findall(rf'<select id="{name}".*?</select>', page, re.DOTALL)
    (value,) = cards or re.findall(r'value="([^"]*)" selected', menus[0])
    return str(value)


def test_newcomers_are_offered_a_simple_game(here: World) -> None:
    visitor = here.visitor()
    page = visitor.get("/new/binfa").text
    assert selected(page, "option-level") == "1"  # as it is advised
    assert "The form below already has these settings." in page
    (address,) = re.findall(r'class="button" href="(/new/binfa[^"]+)"', page)
    page = visitor.get(unescape(address)).text
    assert selected(page, "option-level") == "4", "one can go back to the usual rules"
    (address,) = re.findall(r'class="button" href="(/new/binfa[^"]+)"', page)
    assert selected(visitor.get(unescape(address)).text, "option-level") == "1"
    assert "first-game" not in visitor.get("/new/stratego").text
    # What an address chooses stays, and for whoever has played it the usual rules are chosen.
    assert selected(visitor.get("/new/binfa?option-map=valley").text, "option-level") == "4"
    host = here.seated("me", "open", game="binfa").host
    assert selected(host.get("/new/binfa").text, "option-level") == "4"


def test_a_form_says_how_each_bot_plays(here: World) -> None:
    for kind in catalogue.kinds():
        for language in LANGUAGES:
            page = here.visitor().get(f"/new/{kind.name}", headers={"accept-language": language})
            (said,) = re.findall(r'id="others">([^<]*)', page.text)
            assert 'aria-describedby="levels others"' in page.text
            for bot in catalogue.other_bots(kind):
                words = titles.manner(kind, bot, language)
                assert words
                assert catalogue.bot_title(kind, bot, language) in said
                assert words in unescape(said)


def test_a_map_can_be_given_as_text(here: World) -> None:
    visitor = here.visitor()
    form = binfa(visitor, **{"option-map": "valley", "own-map": MAP})
    place = visitor.ask("POST", "/tables", data=form).headers["location"]
    facts = visitor.get(f"/api/v1/tables/{place[3:]}").json()
    assert facts["game"] == "binfa(map=r6o6/r13y13b13)"
    form = binfa(visitor, **{"option-map": "valley", "own-map": " "})
    place = visitor.ask("POST", "/tables", data=form).headers["location"]
    assert visitor.get(f"/api/v1/tables/{place[3:]}").json()["game"] == "binfa(map=valley)"
    options = visitor.get("/api/v1/games/binfa").json()["options"]
    examples = {option["name"]: option["example"] for option in options}
    assert (examples["map"], examples["level"]) == ("r6o6/r13y13b13", None)


def test_what_is_wrong_with_a_map_is_said_and_the_form_stays_filled_in(here: World) -> None:
    visitor = here.visitor()
    wrong = {
        "option-players": "3",
        "own-map": "r6,r6/r13",
        "seat1": "bot:quartermaster",
        "talk": "no",
    }
    answer = visitor.ask("POST", "/tables", data=binfa(visitor) | wrong)
    assert answer.status_code == 422
    assert "r6 stands twice" in answer.text
    assert 'value="r6,r6/r13"' in answer.text
    names = ("option-players", "seat1", "talk")
    assert [selected(answer.text, name) for name in names] == ["3", "bot:quartermaster", "no"]


def test_rules_of_a_table_leave_out_what_is_not_in_play(here: World) -> None:
    table = here.seated("me", "open", game="binfa", level=1)
    page = table.host.get(f"/t/{table.id}").text
    (address,) = set(re.findall(r'href="(/rules/binfa[^"#]*)"', page))
    rules = here.visitor().get(unescape(address)).text
    found = set(re.findall(r'id="(BIN-[A-Z0-9a-z]+)"', rules))
    assert {"BIN-01a", "BIN-13", "BIN-20"} <= found
    assert not {"BIN-21a", "BIN-24", "BIN-39a", "BIN-47", "BIN-51", "BIN-A1", "BIN-D03"} & found
    assert "whirlpool has to be taller" not in rules
    assert 'href="/rules/binfa"' in rules
    assert len(re.findall(r'id="BIN-', here.visitor().get("/rules/binfa").text)) > 90
    assert here.visitor().get("/rules/binfa?for=binfa(level%3D9)").status_code == 422


# --- Small things ---


def test_the_page_for_programs_is_there_in_every_language(here: World) -> None:
    routes = [route for path in here.app.openapi()["paths"].values() for route in path.values()]
    told = {" ".join((route.get("description") or route["summary"]).split()) for route in routes}
    french = unescape(here.visitor().get("/api/docs", headers={"accept-language": "fr"}).text)
    for text in (*told, *api.INTRODUCTION):
        assert text not in french
    assert "Prendre une place libre." in french


@pytest.mark.parametrize(
    ("host", "warned"),
    [("localhost:8000", True), ("127.0.0.1", True), ("[::1]:80", True), ("table.test", False)],
)
def test_a_link_that_works_here_only_says_so(here: World, host: str, warned: bool) -> None:
    table = here.seated("me", "open")
    page = table.host.get(f"/t/{table.id}", headers={"host": host}).text
    assert f"http://{host}/t/{table.id}" in page
    assert ('id="here-only"' in page) == warned


def test_a_rematch_says_whom_it_waits_for(here: World) -> None:
    table = here.seated("me", "open")
    assert "Waiting for your friend" in table.host.get(f"/t/{table.id}").text
    assert "Ada invites you to Stratego" in here.visitor().get(f"/t/{table.id}").text
    guest = here.visitor()
    guest.become()
    guest.post(f"/t/{table.id}/sit", {"seat": 1, "name": "Bob"})
    guest.post(f"/t/{table.id}/resign", {})
    new = table.host.post(f"/t/{table.id}/rematch", {}).json()["next"].removeprefix("/t/")
    assert table.host.post(f"/t/{new}/seed", {"seed": "ab" * 16}).status_code == 200
    page = table.host.get(f"/t/{new}").text
    assert "Waiting for your friend" not in page
    assert "Still to come: Bob." in page
    assert "kept for Bob" in page
    assert "To the rematch" in guest.get(f"/t/{table.id}").text
    for path in (f"/t/{table.id}", f"/t/{table.id}/end"):
        assert "A rematch has been opened." in guest.get(path).text
        assert "rematch" not in here.visitor().get(path).text.partition('id="table"')[2]
    guest.post(f"/t/{table.id}/rematch", {})
    assert f'data-wants-seed="{new}"' in guest.get(f"/t/{new}").text
    assert table.facts(guest)["status"] == "over"
    assert guest.get(f"/api/v1/tables/{new}").json()["status"] == "waiting"
    guest.post(f"/t/{new}/seed", {"seed": "cd" * 16})
    assert guest.get(f"/api/v1/tables/{new}").json()["status"] == "playing"


def test_wide_tables_of_a_rulebook_can_be_reached_by_keys() -> None:
    assert '<table tabindex="0">' in page_of("# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n").html


def test_a_form_asks_for_colours_and_needs_no_script_for_that(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    page = visitor.get("/new/firebulls").text
    assert page.count('name="colour0"') == 1
    assert "option-colours" not in page
    assert 'name="colour' not in visitor.get("/new/stratego").text
    fields = {"token": visitor.token(), "game": "firebulls", "nickname": "Ada", "seat0": "me"}
    fields |= {"option-players": "3", "seat1": "open", "seat2": "bot:drover"}
    usual = {f"colour{seat}": name for seat, name in enumerate(("blue", "yellow", "brown"))}
    wishes = {"colour0": "brown", "colour3": "yellow"}  # nobody sits at seat 3
    answer = visitor.post("/tables", data=fields | usual | wishes)
    assert answer.status_code == 303
    seats = visitor.get(f"/api/v1{answer.headers['location'].replace('/t/', '/tables/')}").json()
    assert [seat["colour"] for seat in seats["seats"]] == ["brown", "yellow", "blue"]
    both = {"colour0": "red", "colour1": "red"}
    answer = visitor.post("/tables", data=fields | usual | both)
    assert answer.status_code == 422
    assert "two seats cannot both be red" in answer.text
    assert re.findall(r'value="red" [^>]* selected', answer.text) != []
    for nonsense in ("pink", "red-blue-green", "", "x" * 500):
        answer = visitor.post("/tables", data=fields | usual | {"colour0": nonsense})
        assert answer.status_code == (303 if nonsense == "" else 422)
    french = here.visitor(accept_language="fr")
    french.become()
    form = fields | usual | both | {"token": french.token()}
    assert (
        "deux places ne peuvent pas avoir toutes deux la couleur red"
        in french.post("/tables", data=form).text
    )


def test_whoever_waits_for_several_reads_how_many_seats_are_free(here: World) -> None:
    table = here.seated("me", "open", "open", game="china", players=3)
    assert "2 seats are still free." in table.host.get(f"/t/{table.id}").text
    table.guest(1)
    assert "A seat is still free." in table.host.get(f"/t/{table.id}").text
