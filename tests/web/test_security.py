"""Headers, cookies, requests from other sites, limits."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.web.conftest import Log
from tests.web.world import QUICK, World, world
from tianxia.kernel import registry
from tianxia.minds.preparing import installed
from tianxia.web.security import POLICY, Buckets, People, neighbourhood, same_origin
from tianxia.web.settings import Settings, SettingsError, kept_secret, unknown

# --- Headers ---


@pytest.mark.parametrize(
    "path", ["/", "/static/x/seal.svg", "/api/v1/games", "/nothing", "/healthz"]
)
def test_every_answer_has_the_headers(here: World, path: str) -> None:
    headers = here.visitor().get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in headers


def test_the_policy_is_strict() -> None:
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["style-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["base-uri"] == "'none'"
    assert not {"'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "data:", "*"} & {
        word for rule in rules.values() for word in rule.split()
    }


@pytest.mark.parametrize("game", installed())
def test_pages_need_no_exception(here: World, game: str) -> None:
    visitor = here.visitor()
    visitor.become()
    least = registry.kind(game)().seats
    seats = ["me", *["bot:random"] * (least - 1)]
    table = visitor.post("/api/v1/tables", {"game": game, "seats": seats}).json()["table"]
    for path in ("/", f"/new/{game}", f"/rules/{game}", f"/t/{table}"):
        page = visitor.get(path)
        assert page.status_code == 200
        assert not re.search(r"<[^>]+\sstyle=|<[^>]+\son\w+=|<style", page.text), path


def test_https_is_insisted_on_where_it_is_used() -> None:
    settings = dataclasses.replace(QUICK, public_url="https://play.example")
    with world(settings) as running:
        visitor = running.visitor(origin="https://play.example")
        answer = visitor.get("/new/stratego")
        assert "max-age" in answer.headers["strict-transport-security"]
        assert "secure" in answer.headers["set-cookie"].lower()


# --- Cookies ---


def test_the_cookie_of_a_person_is_signed_and_out_of_reach(here: World) -> None:
    answer = here.visitor().get("/new/stratego")
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("tianxia_person=")
    for part in ("httponly", "samesite=lax", "path=/", "max-age="):
        assert part in cookie
    assert "secure" not in cookie  # this was plain HTTP


@pytest.mark.parametrize("path", ["/", "/rules/stratego", "/about", "/static/x/seal.svg"])
def test_whoever_only_reads_gets_no_cookie(here: World, path: str) -> None:
    assert "set-cookie" not in here.visitor().get(path).headers


@pytest.mark.parametrize(
    "other",
    ['prefs={"lang": "fr"}', "seen", "list=a b c", "name=André", "a[b]=1", '"='],
)
def test_cookies_of_others_on_the_same_host_hide_none_of_ours(here: World, other: str) -> None:
    """Browsers send all cookies of a host, whatever its ports: other programs may run there."""
    visitor = here.visitor()
    visitor.become()
    own = visitor.client.cookies["tianxia_person"]
    visitor.client.cookies.clear()
    for sent in (f"{other}; tianxia_person={own}", f"tianxia_person={own}; {other}"):
        cookie = {"cookie": sent.encode("latin-1")}
        page = visitor.get("/new/stratego", headers=cookie)
        assert page.status_code == 200
        assert "set-cookie" not in page.headers, "he was taken for somebody new"


def test_signatures_are_checked() -> None:
    people, others = People("one secret"), People("another secret")
    person = people.new()
    assert people.read(people.sign(person)) == person
    assert others.read(people.sign(person)) is None
    for wrong in ("", person, person + ".", people.sign(person)[:-1] + "\u20ac", "x" * 10_000):
        assert people.read(wrong) is None
    assert people.read(people.sign("short")) is None
    assert people.is_form_token(person, people.form_token(person))
    assert not people.is_form_token(person, people.form_token(people.new()))
    assert not people.is_form_token(person, "é")


# --- Other sites ---


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://us"}, False),
        ({"origin": "http://us"}, True),
        ({"origin": "https://us"}, True),
        ({"origin": "http://us:81"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://us.evil"}, False),
        ({"origin": "http://[::1"}, False),
        ({"origin": "http://us:x"}, False),
    ],
)
def test_where_requests_come_from(headers: dict[str, str], ours: bool) -> None:
    assert same_origin(headers, ("http://us",)) is ours


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "", "origin": "https://evil.example"},
    ],
)
@pytest.mark.parametrize("path", ["/tables", "/t/x/act", "/api/v1/tables", "/api/v1/people"])
def test_other_sites_change_nothing(
    here: World, path: str, headers: dict[str, str], log: Log
) -> None:
    visitor = here.visitor()
    visitor.become()
    answer = visitor.post(path, {}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "cross-site"
    assert len(log.lines()) == 1


def test_a_program_with_a_token_needs_no_origin(here: World) -> None:
    program = here.visitor(sec_fetch_site="cross-site", origin="https://elsewhere.example")
    token = here.visitor().post("/api/v1/people").json()["token"]
    wish = {"game": "stratego", "seats": ["me", "open"]}
    answer = program.post("/api/v1/tables", wish, headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 201
    answer = program.post("/api/v1/tables", wish, headers={"authorization": "Bearer wrong"})
    assert answer.status_code == 403


@pytest.mark.parametrize("token", ["", "0" * 32, None])
def test_forms_need_their_token(here: World, token: str | None) -> None:
    visitor = here.visitor()
    visitor.become()
    fields = {"game": "stratego", "seat0": "me", "seat1": "open"}
    if token is not None:
        fields["token"] = token
    answer = visitor.ask("POST", "/tables", data=fields)
    assert answer.status_code == 403
    assert here.visitor().ask("POST", "/tables", data=fields).status_code == 403


def test_forms_are_bounded(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    headers = {"content-type": "application/x-www-form-urlencoded"}
    for content in (urlencode([(f"f{i}", "x") for i in range(200)]).encode(), b"a=%ff", b"a=\xff"):
        answer = visitor.ask("POST", "/tables", content=content, headers=headers)
        assert answer.status_code == 400


# --- Limits ---


def test_buckets_fill_again_and_are_forgotten() -> None:
    now = [0.0]
    buckets = Buckets(2.0, 4.0, most=3, clock=lambda: now[0])
    assert [buckets.take("a") for _ in range(4)] == [0.0] * 4
    assert buckets.take("a") == pytest.approx(0.5)
    now[0] = 0.5
    assert buckets.take("a") == 0.0
    assert buckets.take("a") > 0
    now[0] = 100.0
    assert [buckets.take("a") for _ in range(4)] == [0.0] * 4
    assert buckets.take("a") > 0
    for name in "bcdefg":
        buckets.take(name)
    assert len(buckets) == 3
    unlimited = Buckets(0, 0)
    assert not any(unlimited.take("a") for _ in range(100))
    assert len(unlimited) == 0


def test_networks_are_limited_together() -> None:
    assert neighbourhood("192.0.2.7") == "192.0.2.7"
    assert neighbourhood("2001:db8:1:2:3:4:5:6") == neighbourhood("2001:db8:1:2::9")
    assert neighbourhood("2001:db8:1:2::1") != neighbourhood("2001:db8:1:3::1")
    assert neighbourhood("::ffff:192.0.2.7") == "192.0.2.7"
    assert len(neighbourhood("x" * 1000)) <= 64


def test_too_many_requests_have_to_wait(log: Log) -> None:
    with world(dataclasses.replace(QUICK, rate=0.05)) as running:
        one, other = running.visitor("192.0.2.1"), running.visitor("192.0.2.2")
        answers = [one.get("/about").status_code for _ in range(25)]
        assert answers[:20] == [200] * 20
        assert 429 in answers
        assert other.get("/about").status_code == 200
        last = one.get("/about")
        assert int(last.headers["retry-after"]) >= 1
        assert one.get("/static/x/seal.svg").status_code == 200
        refused = answers.count(429) + 1
        assert [line["status"] for line in log.lines()] == [429] * refused


def test_new_tables_are_limited() -> None:
    with world(dataclasses.replace(QUICK, rate=0.1)) as running:
        visitor = running.visitor()
        visitor.become()
        wish = {"game": "stratego", "seats": ["me", "open"]}
        answers = [visitor.post("/api/v1/tables", wish).status_code for _ in range(5)]
        assert answers[:3] == [201] * 3
        assert answers[-1] == 429


def test_frames_are_limited() -> None:
    with world(dataclasses.replace(QUICK, rate=0.1)) as running:
        table = running.seated("me", "open")
        with table.host.live(table.id) as socket:
            socket.receive()
            for _ in range(5):
                socket.send("{}")
            assert socket.end() == 1008


# --- Settings ---


def test_settings_come_from_the_environment() -> None:
    found = Settings.from_environment(
        {"TIANXIA_PORT": "9000", "TIANXIA_URL": "https://play.example/", "TIANXIA_LOG": "debug"}
    )
    assert (found.port, found.base, found.log_level) == (9000, "https://play.example", "debug")
    assert Settings.from_environment({}) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TIANXIA_PORT", "http"),
        ("TIANXIA_PORT", "70000"),
        ("TIANXIA_WORKERS", "0"),
        ("TIANXIA_NICENESS", "20"),
        ("TIANXIA_BOT_SECONDS", "-1"),
        ("TIANXIA_BOT_SECONDS", "nan"),
        ("TIANXIA_RATE", "inf"),
        ("TIANXIA_LOG", "loud"),
        ("TIANXIA_RULES", "bots"),
        ("TIANXIA_URL", "play.example"),
        ("TIANXIA_URL", "https://play.example/below"),
        ("TIANXIA_SECRET", "short"),
        ("TIANXIA_DATABASE", "mysql://me@here/games"),
        ("TIANXIA_DATABASE", "/var/lib/tianxia/tables.sqlite3"),
        ("TIANXIA_DATABASE", "postgresql://me@here:port/games"),
        ("TIANXIA_DATABASE", "postgresql+asyncpg://me@here/games"),
        ("TIANXIA_PROXIES", "caddy"),
        ("TIANXIA_PROXIES", "127.0.0.1, *"),
        ("TIANXIA_METRICS", "127.0.0.1, me"),
        ("TIANXIA_PUSH", "https://push.example"),
    ],
)
def test_wrong_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({name: value})


def test_without_its_driver_postgresql_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tianxia.web.settings.find_spec", lambda _: None)
    with pytest.raises(SettingsError, match="extra `postgres`"):
        Settings(database="postgresql:///tianxia")


def test_a_slip_in_a_name_is_seen() -> None:
    known = {"TIANXIA_HOME": "/srv", "TIANXIA_BACKUPS": "none", "TIANXIA_LOG": "info", "PATH": ""}
    assert unknown(known) == []
    assert unknown({**known, "TIANXIA_WORKER": "3"}) == ["TIANXIA_WORKER"]


def test_the_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "secret"
    secret = kept_secret(file)
    assert kept_secret(file) == secret
    assert len(secret) > 40
    assert file.stat().st_mode & 0o077 == 0
    assert [entry.name for entry in file.parent.iterdir()] == ["secret"]
    file.write_text("")
    with pytest.raises(SettingsError, match="remove it"):
        kept_secret(file)


@pytest.mark.parametrize("token", ["nope", "tx_nope", "ts_nope", "", "a.b"])
def test_a_token_that_is_none_is_refused_wherever_it_is_sent(here: World, token: str) -> None:
    table = here.seated("me", "open")
    stranger = here.visitor(authorization=f"Bearer {token}")
    stranger.become()  # a cookie does not stand in for it
    for path in (f"/tables/{table.id}", "/tables", "/account", "/games", "/events?once=true"):
        answer = stranger.get(f"/api/v1{path}")
        assert answer.status_code == 401, path
        assert answer.json()["error"]["code"] == "no-token"
        assert "not valid" in answer.json()["error"]["text"]
    assert stranger.post("/api/v1/people").status_code == 401
    french = here.visitor(authorization=f"bearer {token}", accept_language="fr")
    assert "jeton" in french.get("/api/v1/tables").json()["error"]["text"]
    with here.visitor().live(table.id, authorization=f"Bearer {token}") as socket:
        assert (socket.accepted, socket.status) == (False, 401)
    assert here.visitor(authorization="Basic abc").get("/api/v1/tables").status_code == 200
