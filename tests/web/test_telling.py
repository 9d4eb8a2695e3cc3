"""The pages about being told, and the stream for programs."""

from __future__ import annotations

import json

from tests.web.world import World
from tianxia.tables import people
from tianxia.web.telling import stop_token

SECRET = "a secret for tests only"


def test_the_page_says_what_one_is_told(here: World) -> None:
    visitor = here.visitor()
    page = visitor.get("/told").text
    assert page.count("data-way=") == 8
    assert page.count(" checked") == 6
    answer = visitor.post("/told/wish", {"way": "push", "pace": "mail", "wanted": False})
    assert answer.status_code == 200, answer.text
    assert visitor.get("/told").text.count(" checked") == 5
    assert visitor.post("/told/wish", {"way": "x", "pace": "y", "wanted": True}).status_code == 422


def test_only_push_services_are_taken(here: World) -> None:
    body = {"endpoint": "https://10.0.0.1/x", "p256dh": "a", "auth": "b"}
    assert here.visitor().post("/told/subscribe", body).status_code == 422
    body["endpoint"] = "https://fcm.googleapis.com/fcm/send/x"
    assert here.visitor().post("/told/subscribe", body).status_code == 201


def test_letters_end_by_a_link_that_asks_first(here: World) -> None:
    digest = people.digest("somebody")
    token = stop_token(SECRET, digest)
    stranger = here.visitor()
    assert "Stop e-mails" in stranger.get(f"/told/stop/{token}").text
    assert ("mail", "mail") in here.app_state.telling.wishes(digest)
    assert stranger.post(f"/told/stop/{token}", {}).status_code == 200
    assert ("mail", "mail") not in here.app_state.telling.wishes(digest)
    assert stranger.get(f"/told/stop/{token[:-1]}").status_code == 404


def test_the_app_can_be_installed(here: World) -> None:
    visitor = here.visitor()
    manifest = visitor.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    assert visitor.get(json.loads(manifest.text)["icons"][0]["src"]).status_code == 200
    assert "showNotification" in visitor.get("/sw.js").text


def test_a_program_is_told_how_its_tables_stand(here: World) -> None:
    table = here.seated("me", "bot:random", game="stratego")
    answer = table.host.get("/api/v1/events?once=true")
    assert answer.status_code == 200, answer.text
    lines = answer.text.splitlines()
    (event,) = [json.loads(line) for line in lines]
    assert (event["type"], event["table"], event["seat"]) == ("turn", table.id, 0)
    assert here.visitor().get("/api/v1/events?once=true").status_code == 401


def test_a_program_chooses_what_it_is_told(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    wish = {"way": "mail", "pace": "mail", "wanted": False}
    sent = visitor.post("/api/v1/told", wish)
    assert sent.status_code == 200, sent.text
    answer = sent.json()
    assert answer["told"]["mail"] == ["none"]
    assert visitor.get("/api/v1/told").json() == answer
