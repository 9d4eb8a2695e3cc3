"""Being told: a push service that decrypts what it gets, and a mail server, both real."""

from __future__ import annotations

import base64
import itertools
import json
import os
import smtplib
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import pytest
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, SETUP, against_bot, do, people, wait_for
from tests.tables.test_clocks import Hand
from tianxia.accounts import Accounts
from tianxia.accounts.mail import Mailer
from tianxia.tables import Refused, SeatPlan, Tables, Unavailable, schema
from tianxia.tables import people as digests
from tianxia.telling import Teller, Telling
from tianxia.telling.service import (
    CLAIM_SECONDS,
    COMING_SECONDS,
    DAY,
    LOOKING_SECONDS,
    SERVICES,
    WAITS,
)
from tianxia.telling.teller import LONGEST_WAIT, Keys
from tianxia.web.telling import words_of

SECRET = "a secret for tests only"
HOST = "127.0.0.1"


class Browser:
    """What takes push messages: a service's address, and keys that only the browser has."""

    def __init__(self, port: int) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.endpoint = f"http://{HOST}:{port}/push/1"

    @property
    def keys(self) -> dict[str, str]:
        point = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        coded = (base64.urlsafe_b64encode(data).decode().rstrip("=") for data in (point, self.auth))
        return dict(zip(("p256dh", "auth"), coded, strict=True))

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message, as the browser does."""
        text = http_ece.decrypt(
            body, private_key=self.private, auth_secret=self.auth, version="aes128gcm"
        )
        found: dict[str, Any] = json.loads(text)
        return found


class PushService:
    """Takes messages for a browser, with the status that it is told to answer."""

    def __init__(self) -> None:
        self.status = 201
        self.answers = threading.Event()
        self.answers.set()
        self.bodies: list[bytes] = []
        self.signed: list[str] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.answers.wait(60)
                if service.status < 300:
                    service.bodies.append(body)
                service.signed.append(self.headers.get("authorization", ""))
                self.send_response(service.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer((HOST, 0), Handler)
        self.browser = Browser(self.server.server_address[1])
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self) -> PushService:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def got(self) -> list[dict[str, Any]]:
        return [self.browser.read(body) for body in self.bodies]


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as service:
        yield service


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def tables(opened: Opener, file_url: str, hand: Hand) -> Tables:
    return opened(file_url, clock=hand)


@pytest.fixture
def telling(tables: Tables, service: PushService) -> Telling:
    telling = Telling(tables, (*SERVICES, HOST))
    telling.subscribe("bob", service.browser.endpoint, service.browser.keys, "fr")
    return telling


def teller(telling: Telling, post: Mailer | None = None) -> Teller:
    return Teller(
        telling,
        Keys(SECRET),
        words_of("https://play.example"),
        contact="mailto:host@play.example",
        post=post,
        stop_link=lambda person: f"https://play.example/told/stop/{person}",
    )


def bobs_turn_begins(tables: Tables) -> str:
    """Return a table at which it is bob's turn."""
    table_id = people(tables)
    do(tables, table_id, 0, *SETUP)
    return table_id


def bobs_turn(tables: Tables, telling: Telling) -> str:
    """Return a table at which it is bob's turn, and that was noticed."""
    table_id = bobs_turn_begins(tables)
    telling.plan(table_id)
    return table_id


def test_a_push_message_says_whose_turn_it_is(
    tables: Tables, telling: Telling, service: PushService
) -> None:
    table_id = bobs_turn(tables, telling)
    teller(telling).step()
    assert service.got == [
        {
            "title": "À vous de jouer\N{NO-BREAK SPACE}: Stratego",
            "body": "À la table de Stratego, c’est à vous de jouer (Bleu).",
            "url": f"https://play.example/t/{table_id}",
            "tag": table_id,
        }
    ]
    assert service.signed[0].startswith("vapid t=")
    assert f"k={Keys(SECRET).public}" in service.signed[0]


def test_a_turn_has_one_message(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    table_id = bobs_turn(tables, telling)
    assert telling.plan(table_id) == 0
    do(tables, table_id, 1, *SETUP[:3])  # still bob's turn
    assert telling.plan(table_id) == 0
    teller(telling).step()
    assert len(service.bodies) == 1
    hand.now += 1
    do(tables, table_id, 1, *SETUP[3:])
    do(tables, table_id, 0, "e4-e5")
    assert telling.plan(table_id) == 1


def test_only_tables_are_looked_at_where_somebody_can_be_told(
    tables: Tables, telling: Telling
) -> None:
    pushed, silent, (mailed, _) = people(tables), against_bot(tables), game_of_ada(tables)
    assert set(telling.reached([silent, pushed, mailed])) == {pushed, mailed}
    assert telling.reached([]) == []


@pytest.mark.parametrize("how", ["a browser", "a wish"])
def test_what_others_do_in_secret_sends_nobody_a_message(
    tables: Tables, service: PushService, hand: Hand, how: str
) -> None:
    """Whoever can be told from now on is not told of a turn when somebody acts in secret."""
    telling = Telling(tables, (*SERVICES, HOST))
    if how == "a wish":
        telling.subscribe("bob", service.browser.endpoint, service.browser.keys)
        telling.wish(digests.digest("bob"), "push", "none", wanted=False)
    table_id = people(tables)
    assert telling.plan(table_id) == 0
    if how == "a wish":
        telling.wish(digests.digest("bob"), "push", "none", wanted=True)
    else:
        telling.subscribe("bob", service.browser.endpoint, service.browser.keys)
    do(tables, table_id, 0, *SETUP[:3])  # still everybody's turn
    assert telling.plan(table_id) == 0
    hand.now += 1
    do(tables, table_id, 0, *SETUP[3:])
    do(tables, table_id, 1, *SETUP)
    do(tables, table_id, 0, "e4-e5")
    assert telling.plan(table_id) == 1


def test_whose_person_changes_is_told_as_before_and_of_no_turn_twice(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    """A guest who gets an account, then the same account under a new secret of the server."""
    table_id = people(tables)
    assert telling.plan(table_id) == 1
    for pace in ("quick", "calm"):
        telling.wish(digests.digest("bob"), "push", pace, wanted=False)
    wishes = telling.wishes(digests.digest("bob"))
    bob = Accounts(tables, SECRET).register("Bob", guest="bob")
    for accounts in (Accounts(tables, SECRET), Accounts(tables, "another secret of the server")):
        bob = accounts.at_home(bob)
        assert telling.wishes(bob.person) == wishes
        assert len(telling.browsers(bob.person)) == 1
        do(tables, table_id, 0, SETUP[0])
        tables.take_back(table_id, "ann")
        assert telling.plan(table_id) == 0
    teller(telling).step()
    assert len(service.bodies) == 1
    others = schema.messages.c.person != bob.person
    assert not tables.store.rows(schema.messages.select().where(others))


def test_what_an_account_wishes_counts_more_than_what_a_guest_did(
    tables: Tables, telling: Telling
) -> None:
    accounts = Accounts(tables, SECRET)
    ada = accounts.register("Ada")
    telling.wish(ada.person, "push", "none", wanted=True)
    for pace in ("none", "quick"):
        telling.wish(digests.digest("bob"), "push", pace, wanted=False)
    accounts.adopt(ada, "bob")
    assert {("push", "none"), ("push", "quick")} <= telling.wishes(ada.person)


def test_a_turn_of_days_has_one_message_whatever_is_done_in_secret(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    table_id = people(tables)
    assert telling.plan(table_id) == 1
    teller(telling).step()
    hand.now += 1.5 * DAY
    other = people(tables)
    telling.plan(other)
    teller(telling).step()  # what is old is forgotten
    assert len(service.bodies) == 2
    do(tables, table_id, 0, *SETUP[:3])
    assert telling.plan(table_id) == 0


def test_who_looks_is_told_nothing(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    table_id = people(tables)
    tables.store.see({(table_id, 1): hand.now})
    do(tables, table_id, 0, *SETUP)
    telling.plan(table_id)
    assert teller(telling).step() == LOOKING_SECONDS
    hand.now += LOOKING_SECONDS
    tables.store.see({(table_id, 1): hand.now - 10})  # the page is open still
    teller(telling).step()
    assert service.bodies == []


def test_who_closes_the_page_before_the_turn_comes_is_told(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    table_id = people(tables)
    tables.store.see({(table_id, 1): hand.now})
    do(tables, table_id, 0, *SETUP)
    telling.plan(table_id)
    hand.now += LOOKING_SECONDS
    teller(telling).step()
    assert len(service.bodies) == 1


def test_what_is_done_meanwhile_is_not_told(
    tables: Tables, telling: Telling, service: PushService
) -> None:
    table_id = bobs_turn(tables, telling)
    do(tables, table_id, 1, *SETUP)
    teller(telling).step()
    assert service.bodies == []


def test_a_service_that_fails_is_asked_again(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    bobs_turn(tables, telling)
    service.status = 503
    tell = teller(telling)
    assert tell.step() == WAITS[0]
    assert tell.step() == WAITS[0]  # not before its time
    service.status = 201
    hand.now += WAITS[0]
    tell.step()
    assert len(service.bodies) == 1
    hand.now += 3600
    tell.step()
    assert len(service.bodies) == 1


def test_it_is_given_up_after_a_while(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    bobs_turn(tables, telling)
    service.status = 500
    for wait in (*WAITS, 0.0, 1e6):
        teller(telling).step()
        hand.now += wait
    assert len(service.signed) == len(WAITS) + 1


@pytest.mark.parametrize("key", ["\N{BULLET}", "A", "AAAA", "B" * 87])
def test_what_is_no_key_holds_up_nobody_and_is_given_up(
    tables: Tables, telling: Telling, service: PushService, hand: Hand, key: str
) -> None:
    telling.subscribe("bob", f"http://{HOST}/none", {"p256dh": key, "auth": key})
    bobs_turn(tables, telling)
    for wait in (*WAITS, 0.0):
        teller(telling).step()
        hand.now += wait
    assert telling.next() == (None, None)
    assert service.bodies


def test_a_mistake_of_ours_is_logged_and_not_repeated_for_ever(
    tables: Tables, telling: Telling, hand: Hand, caplog: pytest.LogCaptureFixture
) -> None:
    bobs_turn(tables, telling)
    tell = teller(telling)
    tell._words = {}.__getitem__  # type: ignore[assignment]
    for wait in (*WAITS, 0.0):
        tell.step()
        hand.now += wait
    assert telling.next() == (None, None)
    assert "Traceback" in caplog.text


def test_a_browser_that_has_got_a_message_is_not_sent_it_once_more(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    with PushService() as other:
        telling.subscribe("bob", other.browser.endpoint, other.browser.keys)
        other.status = 403
        bobs_turn(tables, telling)
        tell = teller(telling)
        assert tell.step() == WAITS[0]
        hand.now += WAITS[0]
        tell.step()
        other.status = 201
        hand.now += WAITS[1]
        tell.step()
        assert [len(one.bodies) for one in (service, other)] == [1, 1]
    assert not tell._got


def test_a_browser_that_is_gone_is_forgotten(
    tables: Tables, telling: Telling, service: PushService
) -> None:
    bobs_turn(tables, telling)
    service.status = 410
    teller(telling).step()
    assert telling.browsers(digests.digest("bob")) == []


def test_a_process_that_dies_while_it_sends_leaves_it_to_others(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    bobs_turn(tables, telling)
    claimed, _ = telling.next()
    assert claimed is not None
    teller(telling).step()
    assert service.bodies == []
    hand.now += 60
    teller(telling).step()
    assert len(service.bodies) == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://localhost/x",
        "http://fcm.googleapis.com/x",
        "https://evilfcm.googleapis.com.x/",
        "[",
    ],
)
def test_messages_go_to_push_services_only(tables: Tables, endpoint: str) -> None:
    telling = Telling(tables)
    with pytest.raises(Refused, match="push service"):
        telling.subscribe("ann", endpoint, {"p256dh": "a", "auth": "b"})
    assert telling.browsers(digests.digest("ann")) == []


def test_who_says_the_same_several_times_at_once_is_not_refused(stored: Tables) -> None:
    telling = Telling(stored)

    def say(_: int) -> None:
        telling.subscribe("ann", "https://fcm.googleapis.com/x", {"p256dh": "a", "auth": "b"})
        telling.wish(digests.digest("ann"), "mail", "mail", wanted=False)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(say, range(40)))
    assert len(telling.browsers(digests.digest("ann"))) == 1
    assert ("mail", "mail") not in telling.wishes(digests.digest("ann"))


def test_keys_have_to_be_there(tables: Tables) -> None:
    with pytest.raises(Refused, match="p256dh and auth"):
        Telling(tables).subscribe("ann", "https://fcm.googleapis.com/x", {"auth": "b"})


def test_what_is_not_wanted_is_not_told(
    tables: Tables, telling: Telling, service: PushService
) -> None:
    digest = digests.digest("bob")
    telling.wish(digest, "push", "none", wanted=False)
    assert ("push", "mail") in telling.wishes(digest)
    bobs_turn(tables, telling)
    teller(telling).step()
    assert service.bodies == []
    with pytest.raises(Refused, match="push, mail"):
        telling.wish(digest, "pigeon", "none", wanted=True)


# --- Letters ---


class Inbox:
    """Keeps the letters that a server gets."""

    def __init__(self) -> None:
        self.letters: list[Any] = []

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        self.letters.append(envelope)
        return "250 taken"


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, Mailer]]:
    box = Inbox()
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(box, hostname=HOST, port=port)
    controller.start()
    yield box, Mailer(f"smtp://{HOST}:{port}", "host@play.example")
    controller.stop()


def test_no_password_is_sent_in_the_clear(inbox: tuple[Inbox, Mailer]) -> None:
    """Whoever is between us and the server could hide that it offers TLS."""
    box, mailer = inbox
    port = mailer._url.port
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tianxia.accounts.mail.THIS_MACHINE", ())
        away = Mailer(f"smtp://me:hush@{HOST}:{port}", "host@play.example")
        with pytest.raises(smtplib.SMTPNotSupportedError, match="offers no TLS"):
            away.send("ann@example.com", "Hello", "you")
    mailer.send("ann@example.com", "Hello", "you")
    assert len(box.letters) == 1


def with_account(tables: Tables) -> str:
    """Return the person of an account with a confirmed address."""
    accounts = Accounts(tables, SECRET)
    account = accounts.register("Ada", password="a long password of Ada")
    row = schema.accounts
    with tables.store.writing() as connection:
        connection.execute(row.update().where(row.c.id == account.id).values(mail="ada@x.example"))
    return accounts.person(account.id)


def game_of_ada(tables: Tables, pace: str = "3d") -> tuple[str, str]:
    """Return a table at which she is the second to sit down, and her person."""
    person = with_account(tables)
    made = tables.create(BARRAGE, [SeatPlan("me"), SeatPlan("open")], person="ann", pace=pace)
    tables.take_seat(made.table_id, 1, person)
    return made.table_id, person


def test_a_letter_says_whose_turn_it_is_and_how_to_end_letters(
    tables: Tables, telling: Telling, inbox: tuple[Inbox, Mailer]
) -> None:
    box, post = inbox
    table_id, person = game_of_ada(tables)
    telling.plan(table_id)
    teller(telling, post).step()
    (letter,) = box.letters
    assert letter.rcpt_tos == ["ada@x.example"]
    text = letter.content.decode()
    assert "Subject: Your turn: Stratego" in text
    assert f"https://play.example/t/{table_id}" in text
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in text
    telling.stop(digests.digest(person), "mail")
    assert not {way for way, _ in telling.wishes(digests.digest(person))} & {"mail"}


def test_live_games_send_no_letters_unasked(tables: Tables, telling: Telling) -> None:
    table_id, _ = game_of_ada(tables, "300+5")
    assert telling.plan(table_id) == 0


def test_a_mail_server_that_is_away_is_tried_again(tables: Tables, telling: Telling) -> None:
    table_id, _ = game_of_ada(tables)
    telling.plan(table_id)
    assert teller(telling, Mailer(f"smtp://{HOST}:1", "host@x.example")).step() == WAITS[0]


def test_closing_wakes_whoever_is_about_to_wait(
    opened: Opener, file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that wakes takes the news away; those that come later have to hear of it, too."""
    at_work = teller(Telling(opened(file_url), (HOST,)))
    calls, begun, late = itertools.count(), threading.Semaphore(0), threading.Event()

    def step() -> float:
        first = next(calls) == 0
        begun.release()
        if not first:
            late.wait(30)
        return LONGEST_WAIT

    monkeypatch.setattr(at_work, "step", step)
    at_work.start()
    senders = at_work._threads[1:]
    for _ in senders:
        assert begun.acquire(timeout=10)
    closing = threading.Thread(target=at_work.close)
    closing.start()
    wait_for(lambda: not all(one.is_alive() for one in senders), 10)
    late.set()
    closing.join()
    assert not any(thread.is_alive() for thread in at_work._threads)


def test_it_works_by_itself(opened: Opener, file_url: str, service: PushService) -> None:
    tables = opened(file_url)
    telling = Telling(tables, (HOST,))
    telling.subscribe("bob", service.browser.endpoint, service.browser.keys)
    at_work = teller(telling).start()
    table_id = people(tables)
    wait_for(lambda: len(service.bodies) == 1, 30)
    tables.hub.publish(table_id, 99)  # there is news while it closes
    at_work.close()
    assert not any(thread.is_alive() for thread in at_work._threads)
    assert service.got[0]["tag"] == table_id


def test_who_does_not_answer_holds_up_nobody_else(
    opened: Opener, file_url: str, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tianxia.telling.teller.SECONDS", 60.0)
    tables = opened(file_url)
    telling = Telling(tables, (HOST,))
    with PushService() as silent:
        silent.answers.clear()
        telling.subscribe("ann", silent.browser.endpoint, silent.browser.keys)
        telling.subscribe("bob", service.browser.endpoint, service.browser.keys)
        first = bobs_turn_begins(tables)
        do(tables, first, 1, *SETUP)
        telling.plan(first)  # ann's turn
        bobs_turn(tables, telling)
        at_work = teller(telling).start()
        wait_for(lambda: len(service.bodies) == 1, 30)
        assert silent.bodies == []
        silent.answers.set()
        wait_for(lambda: len(silent.bodies) == 1, 30)
        at_work.close()


def test_a_table_that_cannot_be_read_holds_up_nobody_else(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    damaged = bobs_turn(tables, telling)
    hand.now += 1
    table_id = bobs_turn(tables, telling)
    with tables.store.writing() as connection:
        broken = schema.tables.update().where(schema.tables.c.id == damaged)
        connection.execute(broken.values(spec="no game"))
    tables._lives.clear()
    assert teller(telling).step() == WAITS[0]  # once more then
    assert [one["tag"] for one in service.got] == [table_id]


def test_a_message_is_due_at_once_and_its_sender_is_woken(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    """It leaves within two seconds, since nothing waits: no clock goes on in this test."""
    tell = teller(telling)
    woken = threading.Event()
    tell._news.set = woken.set  # type: ignore[method-assign]
    assert tell.step() == LONGEST_WAIT  # it would sleep as long as this
    tell._changed.put(bobs_turn_begins(tables))
    tell._changed.put(None)
    tell._notice()
    assert woken.is_set()
    message, due = telling.next()
    assert message is not None
    assert due is None
    hand.now += CLAIM_SECONDS  # as if this process had died: another one sends it
    tell.step()
    assert len(service.bodies) == 1


@pytest.mark.parametrize("asked", ["reached", "plan"])
def test_a_turn_that_begins_while_the_database_is_away_is_told_when_it_is_back(
    tables: Tables, telling: Telling, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tianxia.telling.teller.AWAY_SECONDS", 0.0)
    tell, usual = teller(telling), getattr(telling, asked)

    def away(_: object) -> None:
        monkeypatch.setattr(telling, asked, usual)
        tell._changed.put(None)
        raise Unavailable

    monkeypatch.setattr(telling, asked, away)
    tell._changed.put(bobs_turn_begins(tables))
    tell._notice()
    assert telling.next()[0] is not None


def test_a_letter_that_could_not_be_sent_is_sent_at_its_next_try(
    tables: Tables, telling: Telling, inbox: tuple[Inbox, Mailer], hand: Hand
) -> None:
    box, mailer = inbox
    table_id, _ = game_of_ada(tables)
    telling.plan(table_id)
    away = Mailer(f"smtp://{HOST}:1", "host@x.example")
    assert teller(telling, away).step() == WAITS[0]
    hand.now += WAITS[0] - 1
    assert teller(telling, mailer).step() == 1.0
    hand.now += 1
    teller(telling, mailer).step()
    assert len(box.letters) == 1
    hand.now += 3600
    teller(telling, mailer).step()
    assert len(box.letters) == 1


def test_finding_what_is_due_takes_no_look_at_all_messages(tables: Tables) -> None:
    query = "SELECT * FROM messages WHERE due IS NOT NULL ORDER BY due LIMIT 1"
    with tables.store.reading() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
    assert all("ix_messages_due" in row[-1] for row in plan), plan


def paired(tables: Tables) -> str:
    """Return a table that waits for those who were paired."""
    plans = [SeatPlan("held", person=digests.digest(name), name=name) for name in ("ann", "bob")]
    return tables.create(BARRAGE, plans, person="", seeded=True).table_id


def test_who_was_paired_and_does_not_come_is_called(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    table_id = paired(tables)
    assert telling.plan(table_id) == 1
    assert telling.plan(table_id) == 0
    assert teller(telling).step() == COMING_SECONDS
    assert service.bodies == []
    hand.now += COMING_SECONDS
    teller(telling).step()
    assert service.got == [
        {
            "title": "Votre partie peut commencer\N{NO-BREAK SPACE}: Stratego",
            "body": "On vous attend à une table de Stratego. La partie commence quand tout le monde"
            " est là.",
            "url": f"https://play.example/t/{table_id}",
            "tag": table_id,
        }
    ]


def test_who_is_challenged_is_told(tables: Tables, service: PushService, hand: Hand) -> None:
    telling, accounts = Telling(tables, (HOST,)), Accounts(tables, SECRET)
    ada = accounts.register("Ada")
    plans = [SeatPlan("me"), SeatPlan("kept", account=ada.id, name="Ada")]
    ask = partial(tables.create, BARRAGE, plans, person="ann", nickname="Ann", seeded=True)
    assert telling.plan(ask().table_id) == 0  # no browser of hers takes messages
    telling.subscribe(accounts.person(ada.id), service.browser.endpoint, service.browser.keys)
    table_id, declined = ask().table_id, ask().table_id
    assert [telling.plan(one) for one in (table_id, declined, table_id)] == [1, 1, 0]
    tables.decline(declined, ada.id)
    hand.now += COMING_SECONDS
    teller(telling).step()
    (message,) = service.got
    assert message == {
        "title": "Ann invites you to a game: Stratego",
        "body": "A seat at a table of Stratego is kept for you.",
        "url": f"https://play.example/t/{table_id}",
        "tag": table_id,
    }


def test_who_has_come_by_then_is_not_called(
    tables: Tables, telling: Telling, service: PushService, hand: Hand
) -> None:
    table_id = paired(tables)
    telling.plan(table_id)
    tables.add_seed(table_id, "bob", "a seed")
    hand.now += COMING_SECONDS
    teller(telling).step()
    assert service.bodies == []
