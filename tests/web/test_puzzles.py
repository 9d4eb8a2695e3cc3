"""Puzzles on pages and for programs: judged here, told afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.world import Visitor, World
from tianxia.bots.puzzles import Book, OtherRules, Puzzle, shipped
from tianxia.kernel import registry
from tianxia.web import puzzles

KIND = registry.kind("firebulls")
DAY = 86400.0
PAGE, API = "/puzzles/firebulls/1", "/api/v1/puzzles/firebulls/1"


def one() -> Puzzle:
    return shipped(KIND).puzzles[0]


def wrong() -> str:
    return one().next


@pytest.fixture
def visitor(here: World) -> Visitor:
    return here.visitor()


# --- Programs ---


def test_a_program_sees_the_seats_view_and_no_answer(visitor: Visitor) -> None:
    told = visitor.get(API).json()
    view = one().view()
    assert told["position"] == one().position
    assert told["seat"] == view.viewer
    assert [action["action"] for action in told["actions"]] == view.legal_actions(told["seat"])
    assert not {"answer", "reason", "prospects"} & set(told)


def test_a_wrong_answer_can_be_followed_by_the_right_one(visitor: Visitor) -> None:
    no = visitor.post(API, {"action": wrong()}).json()
    assert not no["right"]
    assert no["solution"] is None
    yes = visitor.post(API, {"action": one().answer}).json()
    assert yes["right"]
    assert yes["solution"]["reason"] == one().reason["en"]
    number = yes["solution"]["action"]
    assert visitor.post(API, {"action": number}).json() == yes
    assert visitor.get(f"{API}/solution").json() == yes["solution"]


@pytest.mark.parametrize("action", [-5, 999_999, 10**12, "nonsense", ""])
def test_what_is_no_action_is_refused(visitor: Visitor, action: Any) -> None:
    answer = visitor.post(API, {"action": action})
    assert answer.status_code == 422
    assert answer.json()["error"]["text"]


def test_what_the_rules_forbid_is_refused_by_its_statement(visitor: Visitor) -> None:
    view = one().view()
    seat = view.viewer
    assert seat is not None
    actions = range(view.game.num_actions)
    action = next(n for n in actions if view.refusal(n, seat) not in (None, "no-action"))
    error = visitor.post(API, {"action": action}).json()["error"]
    assert error["statement"] == view.refusal(action, seat)


def test_the_answer_of_another_form_is_refused(visitor: Visitor) -> None:
    assert visitor.post(API, {"action": 1.5}).status_code == 400
    assert visitor.post(API, {}).status_code == 400


# --- What there is ---


def test_the_puzzle_of_the_day_is_the_same_for_all_and_goes_round() -> None:
    days = [puzzles.of_today(5, 1_000_000 * DAY / 1000 + n * DAY) for n in range(6)]
    assert sorted(days[:5]) == [1, 2, 3, 4, 5]
    assert days[5] == days[0]
    assert puzzles.of_today(5, 10 * DAY) == puzzles.of_today(5, 11 * DAY - 1)


def test_the_list_leads_to_the_puzzle_of_the_day(here: World, visitor: Visitor) -> None:
    games = {one["game"]: one for one in visitor.get("/api/v1/puzzles").json()}
    today = puzzles.of_today(games["firebulls"]["count"], here.app_state.tables.clock())
    assert games["firebulls"]["today"] == today
    assert f'href="/puzzles/firebulls/{today}"' in visitor.get("/puzzles").text
    answer = visitor.get("/puzzles/firebulls")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/puzzles/firebulls/{today}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("firebulls/0", "There is no puzzle 0 of this game"),
        ("firebulls/9999", "There is no puzzle 9999 of this game"),
        ("firebulls/one", "There is no puzzle one of this game"),
        ("checkers/1", "No game of that name is played here."),
    ],
)
def test_a_puzzle_that_is_not_there_is_told_in_a_sentence(
    visitor: Visitor, path: str, text: str
) -> None:
    for address in ("/puzzles/", "/api/v1/puzzles/"):
        answer = visitor.get(f"{address}{path}")
        assert answer.status_code == 404
        assert text in answer.text


def test_puzzles_of_other_rules_are_not_shown(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def old(kind: Any) -> Book:
        raise OtherRules("made for version 9")

    monkeypatch.setattr(puzzles, "shipped", old)
    answer = visitor.get(PAGE)
    assert answer.status_code == 404
    assert "made for another version of its rules" in answer.text
    assert "There are no puzzles here yet." in visitor.get("/puzzles").text


def test_a_game_without_puzzles_says_so(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "shipped", lambda kind: Book(kind.name, kind.rules_version))
    answer = visitor.get(PAGE)
    assert answer.status_code == 404
    assert "There are no puzzles of this game yet." in answer.text


# --- The page ---


def test_the_page_shows_the_board_and_keeps_the_answer(visitor: Visitor) -> None:
    text = visitor.get(PAGE).text
    assert 'data-e="' in text
    assert f'value="{one().answer}"' in text  # among all that is legal
    assert one().reason["en"] not in text
    french = visitor.get(PAGE, headers={"accept-language": "fr"}).text
    assert "Une décision est nettement la meilleure" in french


def sent(visitor: Visitor, **fields: str) -> str:
    visitor.become()
    form = {"token": visitor.token(), **fields}
    return visitor.ask("POST", PAGE, data=form).text


def test_whoever_plays_an_army_is_called_by_it(visitor: Visitor) -> None:
    page = visitor.get("/puzzles/binfa/6").text
    assert "You are playing Red." in page


def test_one_army_is_no_armies(visitor: Visitor) -> None:
    assert "Sun Tzu: 1 army aside" in visitor.get("/puzzles/suntzu/4").text
    french = visitor.get("/puzzles/suntzu/4", headers={"accept-language": "fr"}).text
    assert "Sun Tzu\xa0: 1 armée à l’écart" in french


def test_without_its_module_the_page_is_a_form(visitor: Visitor) -> None:
    no = sent(visitor, action=wrong())
    assert "Something else is clearly better. Look again." in no
    assert one().reason["en"] not in no
    yes = sent(visitor, action=one().answer)
    assert "Correct." in yes
    assert one().reason["en"] in yes
    assert one().reason["en"] in sent(visitor, wish="solution")
    assert "That is not an action of this game." in sent(visitor, action="nonsense")


def test_every_puzzle_that_ships_can_be_drawn() -> None:
    for kind, count in puzzles.with_puzzles([registry.kind(name) for name in registry.games()]):
        for number in range(1, count + 1):
            shown, _, _ = puzzles.shown(kind.name, str(number), "fr")
            known = {gesture.action for gesture in shown.gestures()}
            assert known == set(shown.view.legal_actions(shown.seat))
            assert shown.solution()["label"]
