"""Pages of safety: who sits at a seat, blocks and reports, and what is done for the server."""

from __future__ import annotations

import json
import re

from tests.web.test_accounts import form, registered
from tests.web.world import Visitor, World
from tianxia.web.api_keeping import keeping_of


def met(here: World, name: str, other: str) -> tuple[Visitor, Visitor, str]:
    """Return two accounts, and the path of the table at which they sit."""
    ann, bob = registered(here, name), registered(here, other)
    wish = {"game": "stratego", "seats": ["me", "open"], "talk": True}
    path = f"/t/{ann.post('/api/v1/tables', wish).json()['table']}"
    bob.post(f"/api/v1/tables/{path[3:]}/sit", {"seat": 1})
    return ann, bob, path


def test_behind_a_name_at_the_table_is_what_one_can_do(here: World) -> None:
    ann, _, path = met(here, "Doer", "Done To")
    assert f'href="{path}/seats/1"' in ann.get(path).text
    assert f'href="{path}/seats/0"' not in ann.get(path).text  # that is oneself
    page = ann.get(f"{path}/seats/1").text
    assert "Done To" in page
    assert f'action="{path}/seats/1/report"' in page
    assert "/report" not in ann.get(f"{path}/seats/0").text
    for nobody in (9, -1, 2**63, "x"):
        assert 400 <= ann.get(f"{path}/seats/{nobody}").status_code < 500
    for how, told in (("block", "You have blocked them"), ("none", "You can meet them")):
        answer = ann.post(f"{path}/seats/1/shun", data=form(ann, how=how))
        assert (answer.status_code, answer.headers["location"]) == (
            303,
            f"{path}/seats/1?done={how}",
        )
        assert told in ann.get(answer.headers["location"]).text
        assert ("Done To" in ann.get("/shunned").text) == (how == "block")
    assert ann.post(f"{path}/seats/1/shun", data=form(ann, how="mute")).status_code == 303
    other = re.search(r'name="other" value="(\w+)"', ann.get("/shunned").text)
    assert other
    ann.post("/shunned/forgive", data=form(ann, other=other[1]))
    assert "Done To" not in ann.get("/shunned").text


def test_what_is_wrong_with_a_report_is_said(here: World) -> None:
    ann, _, path = met(here, "Careful", "Careless")
    good = form(ann, reason="talk", text="He insults me")
    assert ann.post(f"{path}/seats/1/report", data=good).headers["location"].endswith("=report")
    bad = ann.post(f"{path}/seats/1/report", data=form(ann, reason="nonsense", text=""))
    assert bad.status_code == 422
    assert "The reason is one of" in bad.text
    assert ann.post(f"{path}/seats/1/shun", data=form(ann, how="hit")).status_code == 400
    assert ann.post(f"{path}/seats/1/report", data={"reason": "talk"}).status_code == 403
    for nobody in ("7", "x", "-1"):
        assert ann.get(f"{path}/seats/{nobody}").status_code in (400, 422)


def test_reports_are_read_and_settled_on_a_page(here: World) -> None:
    host, (ann, bob, path) = registered(here, "Keeperess"), met(here, "Plaintiff", "Culprit")
    bob.post(f"{path}/say", {"text": "You <b>fool</b>"})
    ann.post(f"{path}/seats/1/report", data=form(ann, reason="talk", text="Insults"))
    assert ann.get("/admin").status_code == 403
    assert "/admin" not in ann.get("/account").text
    guest = here.visitor().get("/admin")
    assert guest.headers["location"] == "/sign-in?next=/admin"
    keeping_of(here.app_state).promote("test", "Keeperess", admin=True)
    assert 'href="/admin"' in host.get("/account").text
    page = host.get("/admin").text
    assert "Culprit" in page
    assert "You &lt;b&gt;fool&lt;/b&gt;" in page
    assert f'href="{path}"' in page
    report = re.search(r'id="report-([\w-]+)" aria-labelledby[^>]*>\s*<h3[^>]*>Culprit', page)
    assert report
    deed = {"what": "suspend", "about": "Culprit", "why": "insults"}
    assert ann.post("/admin/do", data=form(ann, **deed, days="7")).status_code == 403
    missing = host.post("/admin/do", data=form(host, **deed, days=""))
    assert missing.status_code == 400
    assert "“days”" in missing.text
    of_json = {"content-type": "application/json"}
    for field, nonsense in (
        ("null", '{"null": null}'),
        ("days", json.dumps({**deed, "days": [7]})),
        ("?", r'{"\ud800": "half of a character"}'),
    ):
        refused = host.post("/admin/do", content=nonsense, headers=of_json)
        assert refused.status_code == 400
        assert f"“{field}”" in refused.text
    assert host.post("/admin/do", data=form(host, **deed, days="7")).status_code == 303
    assert bob.get("/api/v1/account").status_code == 401
    page = host.get("/admin?done=yes").text
    assert 'value="lift"' in page
    assert "insults" in page
    settle = form(host, what="settle", about=report[1], why="suspended for a week")
    host.post("/admin/do", data=settle)
    assert f"report-{report[1]}" not in host.get("/admin").text
    assert "suspended for a week" in host.get("/admin?reports=settled").text
    assert host.post("/admin/do", data=settle).status_code == 409  # nothing waits any more
    unknown = host.post("/admin/do", data=form(host, what="rename", about="Nobody X", name="New"))
    assert unknown.status_code in (404, 422)
    assert "Nobody X" in unknown.text
    assert host.post("/admin/do", data=form(host, what="close", about=path[3:])).status_code == 303
    assert host.get(f"/api/v1/tables/{path[3:]}").json()["status"] == "over"
