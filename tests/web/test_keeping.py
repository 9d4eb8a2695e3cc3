"""Reports, blocks and the host's deeds over the API: who may, and what comes of it."""

from __future__ import annotations

from tests.web.test_accounts import error_of, form, registered
from tests.web.world import World
from tianxia.web.api_keeping import keeping_of


def test_only_who_looks_after_the_server_sees_reports(here: World) -> None:
    host, bad, ann = (registered(here, name) for name in ("Hostess", "Badmouth", "Victim"))
    table = ann.post("/api/v1/tables", {"game": "stratego", "seats": ["me", "open"]}).json()
    path = f"/api/v1/tables/{table['table']}"
    bad.post(f"{path}/sit", {"seat": 1})
    wish = {"seat": 1, "reason": "cheating", "text": "He knows my Marshal"}
    assert ann.post(f"{path}/report", wish).status_code == 201
    assert ann.get("/api/v1/admin").status_code == 403
    deed = {"what": "suspend", "about": "Badmouth", "why": "cheats"}
    assert ann.post("/api/v1/admin", deed).status_code == 403
    keeping_of(here.app_state).promote("test", "Hostess", admin=True)
    reports = host.get("/api/v1/admin").json()["reports"]
    assert [(one["about"], one["text"]) for one in reports] == [("Badmouth", "He knows my Marshal")]
    assert host.post("/api/v1/admin", deed).json() == {"done": True}
    assert bad.get("/api/v1/account").status_code == 401
    refused = here.visitor().post(
        "/api/v1/sign-in", {"name": "Badmouth", "password": "correct horse"}
    )
    assert (refused.status_code, error_of(refused)) == (403, "suspended")
    assert host.get("/api/v1/admin").json()["audit"][0]["who"] == "Hostess"


def test_whom_one_blocks_one_is_not_challenged_by(here: World) -> None:
    pest, ann = registered(here, "Pest"), registered(here, "Peaceful")
    table = ann.post("/api/v1/tables", {"game": "stratego", "seats": ["me", "open"]}).json()
    path = f"/api/v1/tables/{table['table']}"
    pest.post(f"{path}/sit", {"seat": 1})
    assert error_of(ann.post(f"{path}/shun", {"seat": 0, "how": "block"})) == "yourself"
    assert ann.post(f"{path}/shun", {"seat": 1, "how": "block"}).status_code == 200
    assert [one["name"] for one in ann.get("/api/v1/shunned").json()] == ["Pest"]
    wish = {"to": "Peaceful", "game": "stratego"}
    assert error_of(pest.post("/api/v1/challenges", wish)) == "not-asked"
    ann.post(f"{path}/resign")
    for again in (f"{path}/rematch", f"/t/{table['table']}/rematch"):  # nor by way of a rematch
        assert error_of(pest.post(again, {})) == "not-asked"
    assert here.app_state.tables.snapshot(table["table"]).next_id is None
    ann.post(f"{path}/shun", {"seat": 1, "how": "none"})
    assert pest.post("/api/v1/challenges", wish).status_code == 201
    assert pest.post(f"{path}/rematch").status_code == 200


def test_the_reasons_of_a_report_are_the_same_everywhere() -> None:
    from tianxia.lobby.keeping import REASONS
    from tianxia.web import keeping

    assert tuple(keeping.REASONS) == REASONS


def test_who_looks_after_the_server_renames_and_ends_tournaments(here: World) -> None:
    maker, host = registered(here, "Cupmaker"), registered(here, "Cuphost")
    wish = {"name": "Rude", "game": "stratego", "pace": "300+5"}
    cup = maker.post("/api/v1/tournaments", wish).json()["id"]
    deed = {"what": "rename-tournament", "about": cup, "name": "Fair", "why": "rude"}
    assert maker.post("/api/v1/admin", deed).status_code == 403
    keeping_of(here.app_state).promote("test", "Cuphost", admin=True)
    assert host.post("/api/v1/admin", deed).json() == {"done": True}
    sent = form(host, what="end-tournament", about=cup, why="spam")
    assert host.post("/admin/do", data=sent).status_code == 303
    shown = maker.get(f"/api/v1/tournaments/{cup}").json()
    assert (shown["name"], shown["status"]) == ("Fair", "off")
    page = host.get("/admin").text
    assert "renamed a tournament" in page
    assert "Rude → Fair" in page
    gone = host.post("/admin/do", data=form(host, what="end-tournament", about="nothing"))
    assert gone.status_code == 404
