"""Accounts over the web: pages, the JSON API, cookies, mail; and what is kept out."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from socket import socket
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from tests.web.world import BASE, QUICK, Visitor, World, world
from tianxia.accounts import sessions
from tianxia.accounts.mail import Mailer
from tianxia.web.settings import SettingsError

PASSWORD = "correct horse"


def registered(here: World, name: str) -> Visitor:
    """Return somebody with a new account, signed in by a page."""
    visitor = here.visitor()
    visitor.become()
    answer = visitor.post("/register", data=form(visitor, name=name, password=PASSWORD))
    assert answer.status_code == 200, answer.text
    return visitor


def form(visitor: Visitor, **fields: str) -> dict[str, str]:
    """Return a form's fields, with the token of the last page that had one."""
    page = visitor.get("/sign-in").text
    found = re.search(r'name="token" value="(\w+)"', page)
    assert found
    return {"token": found[1], **fields}


def told(message: dict[str, Any]) -> str:
    """Return all HTML of a push: the whole table, or the parts that have changed."""
    return "".join(message.get("parts", {}).values()) or str(message["html"])


def seated(visitor: Visitor) -> str:
    wish = {"game": "stratego", "options": {}, "seats": ["me", "open"], "nickname": "Nobody"}
    answer = visitor.post("/api/v1/tables", wish)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


def error_of(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


@pytest.mark.parametrize(
    "path",
    ["/", "/rules/stratego/en/system/scout.svg", "/pictures/china/board/B.svg", "/api/v1/games"],
)
def test_a_session_that_is_renewed_is_handed_to_nobody_by_a_cache(
    here: World, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(sessions, "SEEN_SECONDS", -1.0)
    visitor = registered(here, f"Renewed{len(path)}")
    headers = visitor.get(path).headers
    assert "tianxia_session" in headers["set-cookie"]
    assert {"private", "no-store"} & set(headers["cache-control"].split(", "))


def test_a_guest_plays_at_once_and_keeps_the_seat_with_an_account(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    table = seated(visitor)
    guest = visitor.client.cookies["tianxia_person"]
    answer = visitor.post("/register", data=form(visitor, name="Keeper", password=PASSWORD))
    codes = re.findall(r"<code>([\w-]{19})</code>", answer.text)
    assert (answer.status_code, len(codes)) == (200, 10)
    facts = visitor.get(f"/api/v1/tables/{table}").json()
    assert (facts["seat"], facts["seats"][0]["name"]) == (0, "Keeper")
    # What the browser held before opens nothing any more.
    assert visitor.client.cookies["tianxia_person"] != guest
    thief = here.visitor()
    thief.client.cookies.set("tianxia_person", guest, domain="table.test")
    assert thief.get(f"/api/v1/tables/{table}").json()["seat"] is None


def test_what_is_wrong_with_a_new_account_stands_beside_its_field(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    for name, password, field, told in (
        ("two  words!", PASSWORD, "name", "with single spaces, hyphens, dots, apostrophes"),
        ("Beside It", "short", "password", "A password has at least 8 characters."),
    ):
        page = visitor.post("/register", data=form(visitor, name=name, password=password)).text
        (tag,) = re.findall(rf'<input id="{field}"[^>]*>', page)
        assert 'aria-invalid="true"' in tag
        assert f"{field}-problem" in tag
        (said,) = re.findall(rf'id="{field}-problem"[^>]*>([^<]*)', page)
        assert told in said
        assert 'class="notice" role="alert"' not in page


def test_recovery_codes_can_be_kept(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    page = visitor.post("/register", data=form(visitor, name="Kept", password=PASSWORD)).text
    assert "js/codes.js" in page
    assert re.findall(r'data-keep-codes="(\w+)"', page) == ["copy", "print", "save"]
    made = visitor.get("/register").text  # with a passkey they are shown there
    assert re.findall(r'data-keep-codes="(\w+)"', made) == ["copy", "print", "save"]


def test_signing_in_on_a_phone_and_out_again(here: World) -> None:
    desk = registered(here, "Roamer")
    table = seated(desk)
    phone = here.visitor(user_agent="Mozilla/5.0 (Android 14; Mobile) Firefox/130.0")
    phone.become()
    fields = form(phone, name="ROAMER", password=PASSWORD, next=f"/t/{table}")
    fields["with"] = "password"
    answer = phone.post("/sign-in", data=fields)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table}")
    assert phone.get(f"/api/v1/tables/{table}").json()["seat"] == 0
    cookie = next(one for one in answer.headers.get_list("set-cookie") if "session" in one)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    page = desk.get("/account").text
    assert "Firefox · Android" in page
    session = next(one for one in desk.get("/api/v1/account").json()["sessions"] if not one["here"])
    answer = desk.post("/account/sessions/end", data=form(desk, id=session["id"]))
    assert answer.headers["location"] == "/account?done=session"
    assert phone.get(f"/api/v1/tables/{table}").json()["seat"] is None
    assert error_of(phone.get("/api/v1/account")) == "no-account"
    desk.post("/sign-out", data=form(desk))
    assert desk.get("/account").headers["location"] == "/sign-in?next=/account"


def test_an_open_page_of_an_ended_session_becomes_a_watchers(here: World) -> None:
    host = registered(here, "Watched")
    table = seated(host)
    page = host.get(f"/t/{table}").text
    assert "/seat/" in page
    with host.live(table) as socket:
        assert "/seat/" in told(socket.receive())
        host.post("/sign-out", data=form(host))
        guest = here.visitor()
        guest.become()
        guest.post(f"/t/{table}/sit", {"seat": 1, "name": "Bo"})
        assert "/seat/" not in told(socket.receive())


@pytest.mark.parametrize("came", ["//evil.test", "/\\evil.test", "https://evil.test", "evil"])
def test_nobody_is_led_elsewhere(here: World, came: str) -> None:
    name = f"Led {abs(hash(came)) % 10000}"
    visitor = registered(here, name)
    fields = form(visitor, name=name, password=PASSWORD, next=came)
    fields["with"] = "password"
    assert visitor.post("/sign-in", data=fields).headers["location"] == "/"


def test_a_wrong_name_and_a_wrong_password_look_the_same(here: World) -> None:
    registered(here, "Known")
    answers = []
    for name in ("Known", "Unknown"):
        visitor = here.visitor()
        visitor.become()
        fields = {**form(visitor, name=name, password="wrong horse"), "with": "password"}
        answer = visitor.post("/sign-in", data=fields)
        hidden = re.sub(r'value="\w+"|[0-9a-f]{16,}', "", answer.text)
        answers.append((answer.status_code, hidden.replace(name, "NAME")))
    assert answers[0] == answers[1]
    assert answers[0][0] == 403
    assert "do not match." in answers[0][1]


def test_after_a_refusal_the_keyboard_is_at_the_password_which_says_why(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    fields = {**form(visitor, name="Unknown", password="wrong horse"), "with": "password"}
    text = visitor.post("/sign-in", data=fields).text
    (field,) = re.findall(r"<input [^>]*autofocus[^>]*>", text)
    assert 'id="password"' in field
    (said,) = re.findall(r'aria-describedby="(\w+)"', field)
    assert re.search(rf'<p [^>]*id="{said}"[^>]*>[^<]*do not match', text)
    assert "autofocus" not in here.visitor().get("/sign-in").text


def test_a_form_of_elsewhere_signs_nobody_in(here: World) -> None:
    registered(here, "Forged")
    fields = {"name": "Forged", "password": PASSWORD, "with": "password", "token": "0" * 32}
    visitor = here.visitor()
    visitor.become()
    assert visitor.post("/sign-in", data=fields).status_code == 403
    cross = here.visitor(sec_fetch_site="cross-site")
    cross.become()
    assert (
        cross.post("/api/v1/sign-in", {"name": "Forged", "password": PASSWORD}).status_code == 403
    )


# --- Private links ---


def test_a_private_link_asks_before_it_takes_a_seat(here: World) -> None:
    table = here.seated("me", "open")
    key = table.host.get(f"/api/v1/tables/{table.id}/seat").json()["key"]
    guest = table.guest(1)
    before = table.state()
    page = guest.get(f"/t/{table.id}/seat/{key}")
    assert page.status_code == 200
    assert "You sit at this table already" in page.text
    assert table.facts(guest)["seat"] == 1
    assert table.state() == before
    path = f"/t/{table.id}/seat/{key}"
    assert guest.post(path, data={"token": "0" * 32}).status_code == 403
    cross = guest.client.headers["sec-fetch-site"]
    guest.client.headers["sec-fetch-site"] = "cross-site"
    assert guest.post(path, data=form(guest)).status_code == 403
    guest.client.headers["sec-fetch-site"] = cross
    assert table.facts(guest)["seat"] == 1
    assert guest.post(path, data=form(guest)).headers["location"] == f"/t/{table.id}"
    assert table.facts(guest)["seat"] == 0
    assert guest.get(path).headers["location"] == f"/t/{table.id}"  # it is theirs already


def test_a_private_link_makes_nobody_somebody_by_looking(here: World) -> None:
    table = here.seated("me", "open")
    assert here.visitor().get(f"/t/{table.id}/seat/nonsense").status_code == 403


# --- Programs ---


def test_the_api_registers_signs_in_and_out(here: World) -> None:
    program = here.visitor(authorization="")
    wish = {"name": "Prog", "password": PASSWORD}
    made = program.post("/api/v1/register", wish)
    assert made.status_code == 201
    assert len(made.json()["codes"]) == 10
    again = here.visitor().post("/api/v1/register", {**wish, "name": "PROG"})
    assert (again.status_code, error_of(again)) == (409, "name-taken")
    bearer = here.visitor(authorization=f"Bearer {made.json()['token']}")
    assert bearer.get("/api/v1/account").json()["name"] == "Prog"
    code = made.json()["codes"][0]
    answer = here.visitor().post("/api/v1/sign-in", {"name": "prog", "code": code})
    assert answer.json()["name"] == "Prog"
    assert bearer.get("/api/v1/account").json()["codes_left"] == 9
    bearer.post("/api/v1/sign-out")
    assert bearer.get("/api/v1/account").status_code == 401


def test_a_token_does_what_it_is_good_for(here: World) -> None:
    owner = registered(here, "Owner")
    table = seated(owner)
    made = owner.post("/api/v1/account/tokens", {"name": "eye", "scopes": ["read"], "days": 3})
    reader = here.visitor(authorization=f"Bearer {made.json()['key']}")
    assert reader.get(f"/api/v1/tables/{table}").json()["seat"] == 0
    assert reader.get("/api/v1/account").json()["name"] == "Owner"
    wish = {"game": "stratego", "seats": ["me", "open"]}
    refused = reader.post("/api/v1/tables", wish)
    assert (refused.status_code, error_of(refused)) == (403, "scope")
    play = owner.post("/api/v1/account/tokens", {"scopes": ["play"], "days": 3}).json()["key"]
    player = here.visitor(authorization=f"Bearer {play}")
    assert player.post("/api/v1/tables", wish).status_code == 201
    assert error_of(player.get("/api/v1/account")) == "scope"
    assert error_of(player.post(f"/api/v1/tables/{table}/talk", {"text": "hello"})) == "scope"
    for path, body in (
        ("/api/v1/account/password", {"password": "another horse"}),
        ("/api/v1/account/delete", {"name": "Owner"}),
        ("/api/v1/account/tokens", {"scopes": ["read"], "days": 3}),
        ("/account/codes", {}),
    ):
        assert error_of(player.post(path, body)) == "scope", path
    assert error_of(reader.get("/api/v1/account/export")) == "sign-in-again"
    ended = owner.ask("DELETE", f"/api/v1/account/tokens/{made.json()['id']}")
    assert ended.status_code == 200
    assert reader.get("/api/v1/account").status_code == 401
    missing = owner.ask("DELETE", "/api/v1/account/tokens/nothing")
    assert (missing.status_code, error_of(missing)) == (404, "not-found")


def program(owner: Visitor, *scopes: str) -> Visitor:
    """Return a program with a token of an account."""
    wish = {"scopes": list(scopes), "days": 3}
    key = owner.post("/api/v1/account/tokens", wish).json()["key"]
    return owner.world.visitor(authorization=f"Bearer {key}")


def test_a_token_shows_no_key_that_is_good_for_more(here: World) -> None:
    """Whoever has the private key of a seat plays and talks there, and needs no token for it."""
    owner = registered(here, "Key owner")
    table = seated(owner)
    whole = program(owner, "read", "play", "talk").get(f"/api/v1/tables/{table}/seat").json()
    assert whole["key"]
    for scopes in (("read",), ("read", "play"), ("read", "talk")):
        one = program(owner, *scopes)
        assert one.get(f"/api/v1/tables/{table}/seat").json() == {"seat": 0, "key": ""}
        assert "/seat/" not in one.get(f"/t/{table}").text
        assert "/seat/" not in one.get(f"/t/{table}/fragment").json()["html"]
        assert one.get(f"/t/{table}/code/seat.svg").status_code == 404
    player = program(owner, "read", "play")
    wish = {"game": "stratego", "seats": ["me", "open"]}
    assert player.post("/api/v1/tables", wish).json()["keys"] == {}
    assert owner.post("/api/v1/tables", wish).json()["keys"].keys() == {"0"}


def test_a_websocket_is_for_tokens_that_read(here: World) -> None:
    owner = registered(here, "Looker")
    table = seated(owner)
    for scope, status in (("play", 403), ("talk", 403), ("read", None)):
        one = program(owner, scope)
        with one.live(table, authorization=one.client.headers["authorization"]) as socket:
            assert (socket.accepted, socket.status) == (status is None, status)
            if socket.accepted:
                assert "/seat/" not in socket.receive()["html"]


def test_to_write_to_others_takes_a_token_for_that(here: World) -> None:
    owner, _ = registered(here, "Writer"), registered(here, "talker")
    wish = {"game": "stratego", "seats": ["me", "open"], "talk": True}
    table = owner.post("/api/v1/tables", wish).json()["table"]
    player, talker = program(owner, "play"), program(owner, "talk")
    for deed, body in (
        ("pacts", {"text": "Peace", "to": [1]}),
        ("pacts/none/answer", {"accept": True}),
        ("mute", {"seat": 1, "off": True}),
        ("open-talk", {}),
        ("talk", {"text": "Hello"}),
        ("gallery", {"text": "Hello"}),
    ):
        path = f"/api/v1/tables/{table}/{deed}"
        assert error_of(player.post(path, body)) == "scope", deed
        assert talker.post(path, body).json().get("error", {}).get("code") != "scope", deed
    path = "/api/v1/accounts/talker/shun"  # of which only the name begins so
    assert error_of(talker.post(path, {"how": "mute"})) == "scope"
    assert player.post(path, {"how": "mute"}).status_code == 200


def test_what_is_shown_once_is_kept_by_no_browser(here: World) -> None:
    """Whoever goes back on a shared screen after others have signed out reads it otherwise."""
    visitor = here.visitor()
    visitor.become()
    wish = {"name": "Once", "password": PASSWORD}
    answers = [visitor.post("/register", data=form(visitor, **wish))]
    answers += [
        visitor.post(path, data=form(visitor, **more))
        for path, more in (
            ("/account/codes", {}),
            ("/account/tokens", {"scope-read": "yes", "days": "3"}),
            ("/account/export", {}),
        )
    ]
    answers += [
        visitor.post("/api/v1/sign-in", wish),
        visitor.post("/api/v1/account/codes"),
        visitor.post("/api/v1/account/tokens", {"scopes": ["read"], "days": 3}),
        visitor.get("/api/v1/account/export"),
    ]
    assert [one.status_code for one in answers] == [200] * 6 + [201, 200]
    assert {one.headers["cache-control"] for one in answers} == {"no-store"}


def test_what_opens_an_account_is_changed_only_just_after_signing_in() -> None:
    with world() as here:
        visitor = registered(here, "Fresh")
        clock = here.app_state.tables.clock
        here.app_state.tables.clock = lambda: clock() + 901
        refused = visitor.post("/api/v1/account/codes")
        assert (refused.status_code, error_of(refused)) == (403, "sign-in-again")
        page = visitor.post("/account/password", data=form(visitor, password="another horse"))
        assert page.status_code == 403
        assert "sign in again first" in page.text
        fields = {**form(visitor, name="Fresh", password=PASSWORD), "with": "password"}
        visitor.post("/sign-in", data=fields)
        page = visitor.post("/account/password", data=form(visitor, password="another horse"))
        assert page.headers["location"] == "/account?done=password"


def test_the_page_of_an_account_changes_what_it_says(here: World) -> None:
    visitor = registered(here, "Paged")
    table = seated(visitor)
    answer = visitor.post("/account/name", data=form(visitor, name="Turned"))
    assert answer.headers["location"] == "/account?done=name"
    assert visitor.get(f"/api/v1/tables/{table}").json()["seats"][0]["name"] == "Turned"
    taken = visitor.post("/account/name", data=form(visitor, name="admin"))
    assert taken.status_code == 422
    assert "Nobody can be called that here." in taken.text
    made = visitor.post(
        "/account/tokens", data=form(visitor, name="x", days="9") | {"scope-read": "yes"}
    )
    key = re.search(r"<code>(tx_[\w-]+)</code>", made.text)
    assert key
    assert key[1] not in visitor.get("/account").text
    codes = visitor.post("/account/codes", data=form(visitor))
    assert len(re.findall(r"<code>[\w-]{19}</code>", codes.text)) == 10
    sent = visitor.post("/account/export", data=form(visitor))
    assert sent.json()["account"]["name"] == "Turned"
    assert [one["table"] for one in sent.json()["tables"]] == [table]
    wrong = visitor.post("/account/delete", data=form(visitor, name="Paged"))
    assert wrong.status_code == 422
    assert visitor.post("/account/delete", data=form(visitor, name="Turned")).status_code == 303
    assert visitor.get("/account").status_code == 303
    assert here.visitor().get(f"/api/v1/tables/{table}").json()["seats"][0]["name"] == "somebody"


def test_a_name_is_nobodys_by_calling_oneself_so(here: World) -> None:
    """At tables an account sits under its own name; nobody else's nickname says it is one."""
    visitor = registered(here, "Genuine")
    table = seated(visitor)
    refused = visitor.post(f"/api/v1/tables/{table}/rename", {"nickname": "Somebody Else"})
    assert (refused.status_code, error_of(refused)) == (409, "account-name")


# --- Mail ---


class Box:
    """A server for mail that keeps what it gets."""

    def __init__(self) -> None:
        self.letters: list[Message] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.letters.append(message_from_bytes(envelope.content))
        return "250 OK"

    def next(self, seconds: float = 30) -> Message:
        end = time.monotonic() + seconds
        while not self.letters and time.monotonic() < end:
            time.sleep(0.01)
        return self.letters.pop(0)


@contextmanager
def mailing() -> Iterator[tuple[World, Box]]:
    box = Box()
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        smtp, sender = f"smtp://127.0.0.1:{port}", "table@example.com"
        settings = replace(QUICK, smtp=smtp, mail_from=sender, public_url=BASE)
        with world(settings) as here:
            yield here, box
    finally:
        controller.stop()


def link_of(letter: Message) -> str:
    found = re.search(rf"{BASE}(/\S+)", letter.get_payload(decode=True).decode())  # type: ignore[union-attr]
    assert found
    return found[1]


def test_no_letter_leads_where_whoever_asked_for_it_wants() -> None:
    """Its link would hand the account to them: so the server's address is needed for mail."""
    with mailing() as (here, box):
        visitor = registered(here, "Lured")
        visitor.post("/account/mail", data=form(visitor, mail="lured@example.com"))
        visitor.post(link_of(box.next()), data=form(visitor))
        other = here.visitor()
        other.client.headers["host"] = "evil.example"
        wish = {"mail": "lured@example.com"}
        assert other.post("/api/v1/sign-in/mail", wish).status_code == 202
        assert link_of(box.next()).startswith("/sign-in/link/")
        with pytest.raises(SettingsError, match="TIANXIA_URL"):
            replace(here.app_state.settings, public_url="")


def test_how_long_a_letter_takes_does_not_tell_whether_others_were_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever asks for links to a strange address, then to his own, times his own letter."""
    sent = Mailer.send

    def slowly(mailer: Mailer, to: str, subject: str, letter: str) -> None:
        time.sleep(1 if to == "somebody@example.com" else 0)
        sent(mailer, to, subject, letter)

    monkeypatch.setattr(Mailer, "send", slowly)
    with mailing() as (here, box):
        accounts = here.app_state.accounts
        for name, address in (("Asked", "somebody@example.com"), ("Asks", "own@example.com")):
            account = accounts.register(name, password=PASSWORD)
            accounts.confirm_mail(account, accounts.ask_mail(account, address))
        visitor = here.visitor()
        for address in (*["somebody@example.com"] * 3, "own@example.com"):
            visitor.post("/api/v1/sign-in/mail", {"mail": address})
        assert box.next()["to"] == "own@example.com"


def test_an_address_is_confirmed_and_a_link_signs_in_once() -> None:
    with mailing() as (here, box):
        visitor = registered(here, "Mailed")
        answer = visitor.post("/account/mail", data=form(visitor, mail="me@example.com"))
        assert answer.headers["location"] == "/account?done=mail"
        letter = box.next()
        assert (letter["to"], letter["from"]) == ("me@example.com", "table@example.com")
        path = link_of(letter)
        thief = registered(here, "Thief")
        assert thief.post(path, data=form(thief)).status_code == 403
        assert visitor.get(path).status_code == 200  # to look confirms nothing
        assert visitor.get("/api/v1/account").json()["mail"] == ""
        assert visitor.post(path, data=form(visitor)).status_code == 303
        assert visitor.get("/api/v1/account").json()["mail"] == "me@example.com"
        phone = here.visitor()
        phone.become()
        answers = [
            phone.post("/sign-in/mail", data=form(phone, mail=address))
            for address in ("nobody@example.com", "me@example.com")
        ]
        assert {answer.status_code for answer in answers} == {200}
        letter = box.next()
        assert letter["to"] == "me@example.com"
        path = link_of(letter)
        page = phone.get(path)
        assert page.status_code == 200  # to look opens nothing
        assert "signs you in as Mailed" in page.text  # not as whoever has sent one their own link
        assert phone.get("/api/v1/account").status_code == 401
        assert phone.post(path, data=form(phone)).headers["location"] == "/account"
        assert phone.get("/api/v1/account").json()["name"] == "Mailed"
        again = phone.post(path, data=form(phone))
        assert again.status_code == phone.get(path).status_code == 410
        assert box.letters == []


def test_without_a_server_for_mail_there_is_no_such_way(here: World) -> None:
    visitor = registered(here, "Mailless")
    assert "mail" not in visitor.get("/account").text.partition("<main")[2]
    assert (
        error_of(here.visitor().post("/api/v1/sign-in/mail", {"mail": "a@b.c"})) == "no-mail-here"
    )
    assert visitor.post("/account/mail", data=form(visitor, mail="a@b.c")).status_code == 404


def test_the_form_of_a_table_knows_the_name_of_the_account(here: World) -> None:
    one = registered(here, "Named")
    for path in ("/new/stratego", f"/t/{here.seated('me', 'open').id}"):
        assert re.search(r'(?:id="nickname"[^>]* value|data-name)="Named"', one.get(path).text), (
            path
        )
