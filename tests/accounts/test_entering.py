"""Getting into an account: passwords, codes, links, sessions, tokens; and who is kept out."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

from tests.accounts.conftest import SECRET
from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE
from tianxia.accounts import AccountError, Accounts, passwords
from tianxia.accounts.errors import Expired, NotLetIn, Suspended, TooManyGuesses
from tianxia.accounts.guesses import FORGOTTEN_SECONDS, PAIR
from tianxia.accounts.model import Account
from tianxia.accounts.passkeys import SECONDS, Made, Passkeys
from tianxia.accounts.sessions import LASTS
from tianxia.tables import SeatPlan, schema

PASSWORD = "correct horse"


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(opened: Opener, url: str, clock: Clock) -> Accounts:
    return Accounts(opened(url, clock=clock), SECRET)


def refused(what: Callable[..., Any], *given: Any) -> str:
    with pytest.raises(AccountError) as error:
        what(*given)
    return error.value.code


def test_a_name_and_a_password_open_an_account(accounts: Accounts) -> None:
    ann = accounts.register("Ann", password=PASSWORD)
    assert accounts.enter("ANN", PASSWORD, "here") == ann
    with accounts.store.reading() as connection:
        kept = connection.execute(sa.select(schema.accounts.c.password)).scalar_one()
    assert kept.startswith("$argon2id$")
    assert PASSWORD not in kept


@pytest.mark.parametrize(
    ("password", "code"),
    [("short", "password-short"), ("x" * 201, "password-long"), ("aaaaaaaaaa", "password-easy")],
)
def test_a_password_that_nobody_may_have(accounts: Accounts, password: str, code: str) -> None:
    with pytest.raises(AccountError) as error:
        accounts.register("Ann", password=password)
    assert error.value.code == code
    assert accounts.named("Ann") is None


def test_nobody_learns_which_names_there_are(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong name is refused as a wrong password is, after as much work."""
    accounts.register("Ann", password=PASSWORD)
    accounts.register("Key")  # without a password
    looked: list[bool] = []
    verify = passwords._hasher().verify
    passwords._nobodys()

    class Counting:
        def verify(self, kept: str, password: str) -> bool:
            looked.append(True)
            return verify(kept, password)

    monkeypatch.setattr(passwords, "_hasher", Counting)
    errors = set()
    for name in ("Ann", "Key", "Nobody"):
        with pytest.raises(NotLetIn) as error:
            accounts.enter(name, "wrong horse", "here")
        errors.add((error.value.code, error.value.status, error.value.text()))
    assert len(errors) == 1
    assert len(looked) == 3
    assert accounts.ask_link("nobody@example.com") is None


def test_guesses_are_throttled_for_a_name_from_an_address(accounts: Accounts, clock: Clock) -> None:
    accounts.register("Ann", password=PASSWORD)
    for _ in range(PAIR.burst):
        assert refused(accounts.enter_by_code, "ann", "no", "bad") == "not-let-in"
    with pytest.raises(TooManyGuesses) as error:
        accounts.enter("Ann", PASSWORD, "bad")
    assert 0 < error.value.values["seconds"] <= PAIR.seconds  # type: ignore[operator]
    assert accounts.enter("Ann", PASSWORD, "home").name == "Ann"  # the owner is not kept out
    clock.now += PAIR.seconds
    assert accounts.enter("Ann", PASSWORD, "bad").name == "Ann"


def test_guesses_are_throttled_for_an_address(accounts: Accounts) -> None:
    codes = {refused(accounts.enter_by_code, f"name {n}", "no", "bad") for n in range(50)}
    assert codes == {"not-let-in", "too-many-guesses"}


def test_guesses_are_forgotten_after_a_day(accounts: Accounts, clock: Clock) -> None:
    ann = accounts.register("Ann", password=PASSWORD)
    for number in range(5):
        refused(accounts.enter, f"name {number}", "no", "bad")
    clock.now += FORGOTTEN_SECONDS + 1
    refused(accounts.enter, "another name", "no", "other")
    accounts.sessions.open(ann, "", clock())
    assert len(accounts.store.rows(sa.select(schema.guesses))) == 3


def test_of_guesses_at_once_each_counts(accounts: Accounts) -> None:
    found: list[str] = []

    def guess() -> None:
        found.append(refused(accounts.enter_by_code, "ann", "no", "bad"))

    threads = [threading.Thread(target=guess) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count("not-let-in") == PAIR.burst


def test_a_recovery_code_opens_once(accounts: Accounts) -> None:
    ann, bob = accounts.register("Ann"), accounts.register("Bob")
    old = accounts.new_codes(ann)
    codes = accounts.new_codes(ann)
    assert accounts.codes_left(ann) == len(codes) == 10
    assert refused(accounts.enter_by_code, "Ann", old[0], "here") == "not-let-in"
    assert refused(accounts.enter_by_code, "Bob", codes[0], "here") == "not-let-in"
    assert accounts.enter_by_code("ann", codes[0].upper().replace("-", " "), "here") == ann
    assert refused(accounts.enter_by_code, "Ann", codes[0], "here") == "not-let-in"
    assert (accounts.codes_left(ann), accounts.codes_left(bob)) == (9, 0)


def test_two_sign_ins_at_once_are_two_sessions(accounts: Accounts, clock: Clock) -> None:
    ann = accounts.register("Ann")
    keys: list[str] = []

    def sign_in() -> None:
        keys.append(accounts.sessions.open(ann, "Firefox", clock()))

    threads = [threading.Thread(target=sign_in) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(keys)) == 2
    assert [accounts.sessions.find(key, clock()) is not None for key in keys] == [True, True]
    assert len(accounts.sessions.of(ann)) == 2


def test_sessions_are_listed_ended_and_renewed(accounts: Accounts, clock: Clock) -> None:
    ann, bob = accounts.register("Ann"), accounts.register("Bob")
    first = accounts.sessions.open(ann, "Firefox", clock())
    clock.now += 10
    second = accounts.sessions.open(ann, "A phone\u202e", clock())
    phone, desk = accounts.sessions.of(ann)
    assert (phone.device, desk.device) == ("A phone", "Firefox")
    assert first not in (phone.id, desk.id)
    assert not accounts.sessions.end(bob, desk.id)  # not hers
    assert accounts.sessions.end(ann, desk.id)
    assert accounts.sessions.find(first, clock()) is None
    clock.now += LASTS - 5
    found = accounts.sessions.find(second, clock())
    assert found is not None
    assert accounts.sessions.renew(found[1], clock())
    clock.now += LASTS - 5
    assert accounts.sessions.find(second, clock()) is not None
    clock.now += 6
    assert accounts.sessions.find(second, clock()) is None
    third = accounts.sessions.open(ann, "", clock())
    fourth = accounts.sessions.open(ann, "", clock(), old=accounts.sessions.of(ann)[0].id)
    assert accounts.sessions.find(third, clock()) is None  # rotated
    accounts.set_password(ann, PASSWORD)
    assert accounts.sessions.find(fourth, clock()) is None


def test_a_link_by_mail_is_good_once_and_for_a_while(accounts: Accounts, clock: Clock) -> None:
    ann, bob = accounts.register("Ann"), accounts.register("Bob")
    key = accounts.ask_mail(ann, "ann@example.com")
    assert accounts.ask_link("ann@example.com") is None  # not confirmed
    assert refused(accounts.confirm_mail, bob, key) == "not-let-in"
    assert accounts.confirm_mail(ann, key).mail == "ann@example.com"
    assert refused(accounts.confirm_mail, ann, key) == "expired"
    found = accounts.ask_link("Ann@Example.com")
    assert found is not None
    assert found[0].id == ann.id
    assert accounts.enter_by_link(found[1]).id == ann.id
    assert refused(accounts.enter_by_link, found[1]) == "expired"
    late = accounts.ask_link("ann@example.com")
    clock.now += 901
    assert late is not None
    assert refused(accounts.enter_by_link, late[1]) == "expired"


def test_an_address_belongs_to_one_account(accounts: Accounts) -> None:
    ann, bob = accounts.register("Ann"), accounts.register("Bob")
    accounts.confirm_mail(ann, accounts.ask_mail(ann, "ann@example.com"))
    key = accounts.ask_mail(bob, "ANN@example.com")  # says nothing of whose it is
    assert refused(accounts.confirm_mail, bob, key) == "mail-taken"
    assert refused(accounts.ask_mail, bob, "no address") == "no-mail"
    for _ in range(2):
        accounts.ask_mail(bob, "bob@example.com")
    assert refused(accounts.ask_mail, bob, "bob@example.com") == "too-many-guesses"


@pytest.mark.parametrize("change", ["address", "no address", "password"])
def test_a_link_opens_nothing_after_a_change_that_locks_others_out(
    accounts: Accounts, change: str
) -> None:
    """Whoever reads an old mailbox asks for a link, and its owner sees that and changes this."""
    ann = accounts.register("Ann", password=PASSWORD)
    ann = accounts.confirm_mail(ann, accounts.ask_mail(ann, "old@example.com"))
    _, link = accounts.ask_link("old@example.com") or (None, "")
    if change == "address":
        accounts.confirm_mail(ann, accounts.ask_mail(ann, "new@example.com"))
    elif change == "no address":
        accounts.drop_mail(ann)
    else:
        accounts.set_password(ann, "another horse")
    with pytest.raises(Expired):
        accounts.enter_by_link(link)


def test_of_two_who_confirm_an_address_at_once_one_has_it(accounts: Accounts) -> None:
    two = [accounts.register(name, password=PASSWORD) for name in ("Ann", "Bob")]
    keys = [accounts.ask_mail(one, "both@example.com") for one in two]
    ready = threading.Barrier(2)

    def confirmed(one: Account, key: str) -> bool:
        ready.wait(10)
        try:
            accounts.confirm_mail(one, key)
        except AccountError:
            return False
        return True

    with ThreadPoolExecutor(2) as threads:
        assert sum(threads.map(confirmed, two, keys)) == 1
    assert accounts.ask_link("both@example.com") is not None


def test_an_address_is_found_whatever_its_letters(accounts: Accounts) -> None:
    """SQLite makes only ASCII lower."""
    ann, bob = accounts.register("Ann"), accounts.register("Bob")
    address = "\N{LATIN CAPITAL LETTER E WITH ACUTE}ve@Example.com"
    accounts.confirm_mail(ann, accounts.ask_mail(ann, address))
    key = accounts.ask_mail(bob, address.replace("E", "e"))
    assert refused(accounts.confirm_mail, bob, key) == "mail-taken"
    found = accounts.ask_link(address)
    assert found is not None
    assert found[0].id == ann.id


def test_of_tokens_made_at_once_each_counts(accounts: Accounts, clock: Clock) -> None:
    ann = accounts.register("Ann", password=PASSWORD)

    def made(_: int) -> bool:
        try:
            accounts.tokens.make(ann, "", ["read"], 30, clock())
        except AccountError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(made, range(30))) == len(accounts.tokens.of(ann)) == 20


def test_tokens_have_scopes_and_an_end(accounts: Accounts, clock: Clock) -> None:
    ann = accounts.register("Ann")
    key, token = accounts.tokens.make(ann, "my bot", ["play", "read"], 30, clock())
    found = accounts.tokens.find(key, clock())
    assert found is not None
    assert found[0] == ann
    assert found[1].scopes == {"play", "read"}
    assert accounts.tokens.of(ann)[0].used == clock()
    clock.now += 30 * 86400
    assert accounts.tokens.find(key, clock()) is None
    assert accounts.tokens.end(ann, token.id)
    assert not accounts.tokens.end(ann, token.id)
    for scopes, days, code in (
        (["all"], 30, "scopes"),
        ([], 30, "scopes"),
        (["read"], 0, "days"),
        (["read"], 400, "days"),
    ):
        with pytest.raises(AccountError) as error:
            accounts.tokens.make(ann, "", scopes, days, clock())
        assert error.value.code == code


def test_a_new_secret_of_the_server_loses_no_seat(accounts: Accounts) -> None:
    ann = accounts.register("Ann", password=PASSWORD)
    plans = [SeatPlan("me"), SeatPlan("open")]
    table_id = accounts.tables.create(BARRAGE, plans, person=accounts.person(ann.id)).table_id
    again = Accounts(accounts.tables, "another secret of the server")
    entered = again.enter("Ann", PASSWORD, "here")
    assert entered.person != ann.person
    assert accounts.tables.seat_of(table_id, again.person(ann.id)) == 0
    assert accounts.tables.seat_of(table_id, accounts.person(ann.id)) is None


def test_a_suspended_account_is_not_let_in(accounts: Accounts, clock: Clock) -> None:
    accounts.register("Ann", password=PASSWORD)
    with accounts.store.writing() as connection:
        connection.execute(sa.update(schema.accounts).values(suspended=clock() + 100))
    with pytest.raises(Suspended):
        accounts.enter("Ann", PASSWORD, "here")
    assert refused(accounts.enter, "Ann", "wrong horse", "here") == "not-let-in"
    ann = accounts.known("Ann")
    code, *others = accounts.new_codes(ann)
    with pytest.raises(Suspended):
        accounts.enter_by_code("Ann", code, "here")
    assert accounts.codes_left(ann) == len(others) + 1
    clock.now += 100
    assert accounts.enter_by_code("Ann", code, "here").name == "Ann"
    assert accounts.enter("Ann", PASSWORD, "here").name == "Ann"


def test_a_challenge_that_is_none(accounts: Accounts) -> None:
    answers: tuple[dict[str, Any], ...] = (
        {},
        {"response": {}},
        {"response": {"clientDataJSON": "e30"}},
        {"id": 3},
    )
    for nonsense in answers:
        with pytest.raises(Expired):
            accounts.enter_by_passkey(nonsense, "http://localhost")


def test_the_same_passkey_twice_is_kept_once(accounts: Accounts, clock: Clock) -> None:
    """Whoever it belongs to; and of two at once, the database lets one in."""
    ann, bob = accounts.register("Ann"), accounts.register("Bob")
    passkeys = Passkeys(accounts.store)

    def keep(account: Account) -> str:
        row = {
            "id": "d" * 64,
            "account_id": account.id,
            "credential": "one",
            "public_key": b"k",
            "sign_count": 0,
            "name": "",
            "created": clock(),
            "used": clock(),
        }
        try:
            with accounts.store.writing() as connection:
                passkeys.store(connection, Made(account.id, "", row))
        except AccountError as error:
            return str(error.code)
        return "kept"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(keep, (ann, bob))) == ["kept", "passkey-known"]
    assert keep(ann) == keep(bob) == "passkey-known"
    assert len(passkeys.of(ann.id)) + len(passkeys.of(bob.id)) == 1


def test_a_challenge_is_answered_once_and_in_time(accounts: Accounts, clock: Clock) -> None:
    """What was recorded on its way lets nobody in: its challenge is used, or too old."""

    def answer(seconds: float) -> Callable[[], object]:
        challenge = Passkeys(accounts.store).ask("http://localhost", clock())["challenge"]
        data = json.dumps({"challenge": challenge}).encode()
        coded = base64.urlsafe_b64encode(data).decode().rstrip("=")
        sent = {"id": "unknown", "response": {"clientDataJSON": coded}}
        clock.now += seconds
        return lambda: accounts.enter_by_passkey(sent, "http://localhost")

    again = answer(1)
    with pytest.raises(NotLetIn):
        again()
    with pytest.raises(Expired):
        again()
    with pytest.raises(Expired):
        answer(SECONDS + 1)()
