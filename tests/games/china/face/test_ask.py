"""What provinces, spaces and cards of China answer."""

from __future__ import annotations

import tianxia
from tests.draw.test_every_answer import ask
from tests.games.china.helpers import table
from tianxia.draw.asking import Answer


def facts(answer: Answer | None) -> dict[str, tuple[str, str]]:
    assert answer is not None
    return {fact.name: (fact.text, fact.after) for fact in answer.facts}


def board() -> tianxia.State:
    return table(
        "r2g1", "y1o1v1", "g2r1",
        palaces={0: "W1 W2 W3 C1", 1: "W4"},
        emissaries={"Wei": "01", "Chin": "0"},
    )  # fmt: skip


def test_a_province_says_what_its_places_pay_and_what_an_alliance_brings():
    told = facts(ask(board().view(0), 0, "dragon-Wei"))
    assert told["Wei"][0] == "4 of 7 spaces built; not scored yet"
    assert told["Wei: Blue"][0] == "3 palaces, worth 4 points"
    assert told["Wei: Green"][0] == "1 palace, worth 3 points"
    assert told["Emissaries"][0] == "Blue 1, Green 1"
    assert told["Room for emissaries"][0] == "for 1 more"
    assert told["Alliance with Ch'in"][0] == "Blue 3"
    assert told["Alliance with Zhao"][0] == "nobody (worth 2)"


def test_the_chosen_action_is_set_beside_what_holds_now():
    state = board()
    action = state.parse("palace:W5:r", 0)
    told = facts(ask(state.view(0), 0, "W5", action=action))
    assert told["Here stands"] == ("nothing yet", "palace of Blue")
    assert told["Wei: Blue"] == ("3 palaces, worth 4 points", "4 palaces, worth 5 points")
    assert told["Points if it ended now"][1]


def test_a_palace_shows_its_road():
    state = table("r2g1", "y1o1v1", "g2r1", palaces={0: "W1 W2 W3 Z1 Z2", 1: "W6"})
    answer = ask(state.view(0), 0, "W2")
    assert facts(answer)["Road of Blue"][0] == "5 palaces in a row"
    assert answer is not None
    assert set(answer.lights) == {"W1", "W2", "W3", "Z1", "Z2"}
    assert facts(ask(state.view(0), 0, "W6"))["Road of Green"][0] == "in no row of 4 or more"


def test_a_card_counts_what_the_viewer_sees_and_no_more():
    mine = facts(ask(board().view(0), 0, "card-red"))
    watched = facts(ask(board().view(tianxia.SPECTATOR), tianxia.SPECTATOR, "card-red"))
    assert mine["In your hand"][0] == "2"
    assert int(watched["Out of sight"][0]) == int(mine["Out of sight"][0]) + 2
