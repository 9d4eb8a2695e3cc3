"""Holidays on a page: begun, told to the others, and ended; and where their page is linked."""

from __future__ import annotations

from tests.web.test_accounts import form
from tests.web.world import World


def test_a_holiday_is_begun_and_ended_on_a_page(here: World) -> None:
    host, guest = here.visitor(), here.visitor()
    for one in (host, guest):
        one.become()
    wish = {"game": "stratego", "seats": ["me", "open"], "pace": "3d", "nickname": "Ada"}
    table = host.post("/api/v1/tables", wish).json()["table"]
    guest.post(f"/t/{table}/sit", {"seat": 1, "name": "Bob"})
    assert 'href="/holidays"' in host.get(f"/t/{table}").text
    assert 'href="/holidays"' not in here.visitor().get(f"/t/{table}").text
    assert "30 days are left." in host.get("/holidays").text
    answer = host.post("/holidays", data=form(host, days="5"))
    assert answer.headers["location"] == "/holidays"
    assert "You are on holiday until" in host.get("/holidays").text
    assert "Vous êtes en vacances" in host.get("/holidays", headers={"accept-language": "fr"}).text
    assert "Ada goes on holiday" in guest.get(f"/t/{table}").text
    host.post("/holidays", data=form(host, days="0"))
    assert "You are on holiday" not in host.get("/holidays").text
    assert "Ada is back from holiday." in guest.get(f"/t/{table}").text
    refused = host.post("/holidays", data=form(host, days="31"))
    assert refused.status_code == 422
    assert "days of holiday left" in refused.text


def test_holidays_stop_clocks_of_days_only(here: World) -> None:
    table = here.seated("me", "open")
    assert 'href="/holidays"' not in table.host.get(f"/t/{table.id}").text
    assert 'href="/holidays"' in here.visitor().get("/told").text
