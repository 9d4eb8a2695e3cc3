"""What the cards, the event and the provinces of Sun Tzu answer."""

from __future__ import annotations

import pytest

from tests.draw.test_every_answer import ask
from tests.games.suntzu.war import BLUE, RED, SPECTATOR, war
from tianxia.draw.asking import Answer

EVENTS = {
    "pandemic": "SUN-41",
    "chariots": "SUN-42",
    "champion": "SUN-43",
    "hero": "SUN-44",
    "infantry": "SUN-45",
}


def facts(answer: Answer | None) -> dict[str, str]:
    assert answer is not None
    return {fact.name: fact.text for fact in answer.facts}


@pytest.mark.parametrize("event", EVENTS)
def test_the_open_event_names_its_rule(event: str):
    answer = ask(war(event=event, left="", plagues=2).view(BLUE), BLUE, "event")
    assert answer is not None
    assert answer.statements[0] == EVENTS[event]
    assert (facts(answer).get("Plagues played") == "2 of 4") == (event == "pandemic")


@pytest.mark.parametrize(
    ("element", "rule"), [("S3", "SUN-66"), ("K5", "SUN-63"), ("card-6", "SUN-48")]
)
def test_cards_name_the_rule_that_says_what_they_do(element: str, rule: str):
    answer = ask(war().view(BLUE), BLUE, element)
    assert answer is not None
    assert rule in answer.statements


def test_a_province_says_who_holds_it_and_what_it_is_worth():
    state = war(armies={"Wu": "b3"}, turn=4, stands="124 135 143 232 234")
    told = facts(ask(state.view(RED), RED, "Wu"))
    assert told["Held by"] == "Sun Tzu, with 3 armies"
    assert "Worth after round 3" not in told
    assert (told["Worth after round 6"], told["Worth after round 9"]) == ("3", "4")
    assert told["Borders on"] == "Chu, Han-Qi"


def test_a_card_that_lies_face_down_is_named_to_its_owner_only():
    state = war(blue="4", province="Wu")
    assert facts(ask(state.view(BLUE), BLUE, "Wu"))["Card of Sun Tzu"] == "4"
    for viewer in (RED, SPECTATOR):
        assert facts(ask(state.view(viewer), viewer, "Wu"))["Card of Sun Tzu"] == "face down"
