"""The public page of an account, finished games to be found, and who may see what of them."""

from __future__ import annotations

import re

from tests.web.test_accounts import PASSWORD, error_of, form, registered
from tests.web.world import Visitor, World
from tianxia.ratings import Played
from tianxia.web.api_keeping import keeping_of
from tianxia.web.profiles import polyline


def ended(here: World, winner: Visitor, loser: Visitor, *, public: bool = True) -> str:
    """Let a game end by resignation, and file it; return its id."""
    wish = {"game": "stratego", "seats": ["me", "open"], "public": public}
    table = str(winner.post("/api/v1/tables", wish).json()["table"])
    loser.post(f"/api/v1/tables/{table}/sit", {"seat": 1})
    answer = loser.post(f"/api/v1/tables/{table}/resign")
    assert answer.status_code == 200, answer.text
    Played(here.app_state.tables).settle()
    return table


def counted(page: str, row: str) -> list[str]:
    """Return the figures of a row: games, won, lost, drawn."""
    found = re.search(rf'<th scope="row">(?:<a [^>]*>)?{row}.*?</tr>', page, re.DOTALL)
    assert found, page
    return re.findall(r"<td>(\d+)</td>", found[0])[-4:]


def test_a_profile_counts_what_was_played_in_public(here: World) -> None:
    ada, bea = registered(here, "Ada Prime"), registered(here, "Bea Prime")
    table, secret = ended(here, ada, bea), ended(here, bea, ada, public=False)
    page = here.visitor().get("/@Ada%20Prime").text
    assert counted(page, "Stratego") == ["1", "1", "0", "0"]
    assert counted(page, "Bea Prime") == ["1", "1", "0", "0"]
    assert f'href="/t/{table}"' in page
    assert secret not in page
    mine = ada.get("/@Ada%20Prime").text  # private games count on one's own page
    assert counted(mine, "Stratego") == ["2", "1", "1", "0"]
    assert "/@Ada%20Prime/report" not in mine
    assert f'href="/t/{table}"' in mine
    assert f'href="/t/{secret}"' in mine
    listed = [one.get("/games?player=adaprime").text for one in (ada, bea, here.visitor())]
    assert [secret in one for one in listed] == [True, False, False]
    assert ["Only you see your private games" in one for one in listed] == [True, False, False]
    assert all(table in one for one in listed)
    theirs = bea.get("/@Ada%20Prime").text
    assert "you have won 1, Ada Prime has won 1, drawn 0" in theirs
    assert counted(theirs, "Stratego") == ["1", "1", "0", "0"]
    assert 'href="/lobby?to=Ada%20Prime"' in theirs
    answer = here.visitor().get("/@adaprime")  # one address for each
    assert (answer.status_code, answer.headers["location"]) == (303, "/@Ada%20Prime")
    assert here.visitor().get("/@Nobody%20At%20All").status_code == 404


def test_programs_get_the_same(here: World) -> None:
    ada, bea = registered(here, "Ada Second"), registered(here, "Bea Second")
    ended(here, ada, bea)
    ended(here, ada, bea, public=False)
    path = "/api/v1/accounts/Ada Second"
    seen = here.visitor().get(path).json()
    assert (seen["played"], seen["together"]) == ({"won": 1, "lost": 0, "drawn": 0}, None)
    assert [one["name"] for one in seen["opponents"]] == ["Bea Second"]
    assert ada.get(path).json()["played"]["won"] == 2
    assert bea.get(path).json()["together"]["won"] == 2
    assert error_of(here.visitor().get("/api/v1/accounts/Nobody At All")) == "unknown-account"


def test_finished_games_are_found(here: World) -> None:
    ada, bea = registered(here, "Ada Third"), registered(here, "Bea Third")
    tables = [ended(here, ada, bea), ended(here, bea, ada)]
    hidden = ended(here, ada, bea, public=False)
    anybody = here.visitor()

    def found(query: str) -> list[str]:
        answer = anybody.get(f"/api/v1/finished?{query}")
        assert answer.status_code == 200, answer.text
        return [one["table"] for one in answer.json()["games"]]

    assert found("")[:2] == tables[::-1]
    assert hidden not in found("player=Bea Third&game=stratego")
    assert found("player=adathird&result=won") == tables[:1]
    assert found("game=china") == []
    for query, code in (
        ("result=won", "player"),
        ("player=Ada Third&result=best", "result"),
        ("player=Nobody At All", "unknown-account"),
        ("game=chess", "unknown-game"),
        ("before=soon", "before"),
    ):
        answer = anybody.get(f"/api/v1/finished?{query}")
        assert (answer.status_code, error_of(answer)) in ((422, code), (404, code))
    page = anybody.get("/games?player=Ada Third&result=lost").text
    assert tables[1] in page
    assert tables[0] not in page
    wrong = anybody.get("/games?result=won")
    assert wrong.status_code == 422
    assert "name a player" in wrong.text


def test_games_come_page_by_page(here: World) -> None:
    from tianxia.web import profiles

    ada, bea = registered(here, "Ada Fourth"), registered(here, "Bea Fourth")
    tables = [ended(here, ada, bea) for _ in range(3)]
    before, profiles.PER_PAGE = profiles.PER_PAGE, 2
    try:
        page = ada.get("/games?player=Ada Fourth").text
        following = re.search(r'href="([^"]+)" rel="next"', page)
        assert following
        rest = ada.get(following[1].replace("&amp;", "&")).text
    finally:
        profiles.PER_PAGE = before
    assert [table in page for table in tables] == [False, True, True]
    assert [table in rest for table in tables] == [True, False, False]
    assert 'rel="next"' not in rest


def test_who_is_suspended_blocked_or_gone(here: World) -> None:
    ada, bea = registered(here, "Ada Fifth"), registered(here, "Bea Fifth")
    table = ended(here, ada, bea)
    answer = ada.post("/@Bea Fifth/shun", data=form(ada, how="block"))
    assert answer.headers["location"] == "/@Bea%20Fifth?done=block"
    page = ada.get(answer.headers["location"]).text
    assert "You have blocked them" in page
    assert "/lobby?to=" not in page
    assert "You have blocked them" not in bea.get("/@Ada%20Fifth").text  # who is not told
    assert ada.post("/api/v1/accounts/Bea Fifth/shun", {"how": "none"}).status_code == 200
    assert ada.get("/api/v1/shunned").json() == []
    wish = {"reason": "name", "text": "rude"}
    assert ada.post("/api/v1/accounts/Bea Fifth/report", wish).status_code == 201
    own = ada.post("/@Ada Fifth/report", data=form(ada, reason="name", text=""))
    assert (own.status_code, "That is you." in own.text) == (422, True)
    keeping = keeping_of(here.app_state)
    assert [one.text for one in keeping.reports() if one.about == "Bea Fifth"] == ["rude"]
    keeping.suspend("test", "Bea Fifth", 3, "")
    assert "suspended at present" in ada.get("/@Bea%20Fifth").text
    keeping.suspend("test", "Bea Fifth", 0, "")
    here.app_state.accounts.delete(here.app_state.accounts.enter("Bea Fifth", PASSWORD, "home"))
    assert ada.get("/@Bea%20Fifth").status_code == 404
    page = ada.get("/@Ada%20Fifth").text
    assert table in page
    assert "Bea Fifth" not in page


def test_a_curve_stays_within_its_picture() -> None:
    assert polyline([1500]) == ""
    assert polyline([1500, 1500]) == "6.0,84.0 314.0,84.0"
    assert polyline([1500, 1600, 1400]) == "6.0,45.0 160.0,6.0 314.0,84.0"


def test_games_in_other_colours_are_counted_together_and_by_colour(here: World) -> None:
    ada, bea = registered(here, "Ada Hue"), registered(here, "Bea Hue")
    for colours, free in (("red", "green"), ("blue", "red")):
        wish = {
            "game": "firebulls",
            "options": {"colours": colours},
            "seats": ["me", "open"],
            "public": True,
        }
        table = ada.post("/api/v1/tables", wish).json()["table"]
        bea.post(f"/api/v1/tables/{table}/sit", {"seat": 1, "colour": free})
        assert bea.post(f"/api/v1/tables/{table}/resign").status_code == 200
        Played(here.app_state.tables).settle()
    found = ada.get("/api/v1/accounts/Ada Hue").json()
    assert found["by_options"] == {"firebulls": {"won": 2, "lost": 0, "drawn": 0}}
    page = ada.get("/@Ada%20Hue").text
    assert "colours that were chosen" not in page
    assert re.search(r"Fire Bulls.{0,200}Red", page, re.DOTALL)
    assert re.search(r"Fire Bulls.{0,200}Blue", page, re.DOTALL)
