"""CHI-67 to CHI-78: two players and the Emperor."""

from __future__ import annotations

from collections import Counter

import pytest

import tianxia
from tests.games.china.helpers import (
    active,
    begin,
    by_chance,
    cards,
    deck,
    discard,
    display,
    emissaries,
    finished,
    gained,
    hand,
    in_game,
    legal,
    on,
    part,
    phase,
    play,
    province,
    refusal,
    table,
    two,
)
from tianxia import SPECTATOR
from tianxia.kernel.errors import NotationError, OptionError

pytestmark = pytest.mark.rules

WEI = {1: "W1"}


def at_emperor(*hands: str, **position: object) -> tianxia.State:
    """Return the phase in which the Emperor may place, after an exchange."""
    position.setdefault("display", "v1y1o1g1")
    hands = hands or ("g1r2", "-")
    state = play(table(*hands, **position), "exchange:r", "deck")  # type: ignore[arg-type]
    by_chance(state)
    return state


def emperor(state: tianxia.State) -> str:
    return two(state)[0]


def kept(state: tianxia.State) -> list[str]:
    return two(state)[1].split("/")


def influence(state: tianxia.State) -> str:
    return two(state)[2]


def special(state: tianxia.State) -> list[str]:
    return two(state)[3].split("/")


# --- Set-up ---


def test_CHI_67_set_up_as_for_three() -> None:
    state = begin(2)
    assert len(part(state, 4).replace("/", "")) == 51  # side A
    everything = sum(
        map(cards, [*part(state, 13).split("/"), deck(state), display(state), emperor(state)]),
        Counter(),
    )
    assert everything == in_game(3)
    assert everything.total() == 47
    assert len(state.scores()) == 2  # the Emperor has no score


def test_CHI_67_the_emperors_pieces() -> None:
    twenty = " ".join(province("A", "W") + province("A", "Z") + province("A", "U"))[: 20 * 3 - 1]
    state = at_emperor(palaces={2: twenty}, emperor="r1v1y1")
    assert refusal(state, "palace:W7:r") == "CHI-21"
    assert refusal(state, "palace:V1:r") == "CHI-21"
    assert refusal(state, "emissary:Wei:r") is None
    there = {"Wei": "2222222", "Zhao": "2"}
    state = at_emperor(palaces={0: twenty}, emissaries=there, emperor="o1v1y1")
    assert refusal(state, "emissary:Zhao:o") == "CHI-21"
    with pytest.raises(NotationError):
        table("r3", "r3", palaces={0: twenty}, emissaries={"Wei": "2222222", "Zhao": "22"})


def test_CHI_67_the_emperor_has_no_fortification() -> None:
    state = at_emperor(palaces=WEI, emperor="r3", fortifications=True)
    assert part(state, 19) == "11"
    assert legal(state, "fort") == set()
    assert refusal(state, "fort:W2:r") == "CHI-72"


def test_CHI_68_what_lies_open() -> None:
    state = begin(2)
    assert cards(emperor(state)).total() == 3
    assert kept(state) == ["-", "-"]
    assert influence(state) == "-"
    assert special(state) == ["ets", "ets"]
    for viewer in (0, 1, SPECTATOR):
        assert two(state.view(viewer)) == two(state)


def test_CHI_68_dealt_in_this_order() -> None:
    told = [token.split(":")[0] for token in by_chance(tianxia.game("china", players=2).new())]
    assert told == ["first"] + ["card"] * 6 + ["show"] * 7


# --- Kept cards and influence ---


@pytest.mark.parametrize("colour", ["r", "y"])
def test_CHI_69_one_card_is_kept(colour: str) -> None:
    state = table("y2r1", "-", palaces=WEI, discard="v1")
    play(state, "palace:W2:r", "palace:W3:yy")
    assert phase(state) == "keep"
    assert legal(state) == {"keep:r", "keep:y"}
    assert refusal(state, "keep:g") == "CHI-69"
    assert refusal(state, "deck") == "CHI-69"
    play(state, f"keep:{colour}")
    assert kept(state) == [f"{colour}1", "-"]
    assert cards(discard(state)) == cards("v1y2r1") - cards(f"{colour}1")
    assert phase(state) == "take"  # before the hand is filled


def test_CHI_69_one_colour_is_no_choice() -> None:
    state = play(table("r3", "-", palaces=WEI), "palace:W2:r", "palace:W3:r")
    assert (phase(state), kept(state), discard(state)) == ("take", ["r1", "-"], "r1")
    state = play(table("y3", "-", palaces=WEI), "palace:W2:yy", "stop")
    assert (phase(state), kept(state), discard(state)) == ("take", ["y1", "-"], "y1")


def test_CHI_69_a_fortification_is_a_piece() -> None:
    state = table("y1r2", "-", palaces=WEI, fortifications=True)
    play(state, "fort:W2:r", "stop")
    assert kept(state) == ["r1", "-"]


def test_CHI_69_nothing_is_kept_of_an_exchange() -> None:
    state = play(table("r3", "-", palaces=WEI), "exchange:r", "deck")
    by_chance(state)
    assert (kept(state), discard(state)) == (["-", "-"], "r1")
    assert refusal(state, "keep:r") == "CHI-72"  # it is the Emperor's phase


def test_CHI_69_keep_at_another_time() -> None:
    assert refusal(table("r3", "-", palaces=WEI), "keep:r") == "CHI-69"


def test_CHI_69_all_are_kept_if_the_table_chooses() -> None:
    state = table("y2r1", "-", palaces=WEI, keep="all")
    play(state, "palace:W2:r", "palace:W3:yy")
    assert (phase(state), kept(state), discard(state)) == ("take", ["y2r1", "-"], "-")
    assert influence(state) == "y0r0"
    with pytest.raises(OptionError):
        tianxia.game("china", players=3, keep="all")


def test_CHI_69_kept_cards_are_never_shuffled_in() -> None:
    state = table("r3", "-", palaces=WEI, deck="v1", kept=("o1", "g2"), influence="o0g1")
    before = cards(discard(state))
    play(state, "palace:W2:r", "stop", "deck", "card:v", "shuffle")
    assert cards(deck(state)) == before
    assert kept(state) == ["o1r1", "g2"]


def test_CHI_70_the_first_card_of_a_colour() -> None:
    state = table("r3", "-", palaces=WEI, kept=("-", "g1"), influence="g1")
    play(state, "palace:W2:r", "stop")
    assert influence(state) == "g1r0"


@pytest.mark.parametrize(
    ("mine", "yours", "holder"),
    [(0, 1, 0), (0, 2, 1), (1, 2, 0), (1, 3, 1), (2, 2, 0), (2, 1, 0)],
)
def test_CHI_71_at_least_as_many(mine: int, yours: int, holder: int) -> None:
    """The card just laid makes the number one larger."""
    before = (f"r{mine}" if mine else "-", f"r{yours}")
    state = table("r3", "-", palaces=WEI, kept=before, influence="r1")
    play(state, "palace:W2:r", "stop")
    assert kept(state) == [f"r{mine + 1}", f"r{yours}"]
    assert influence(state) == f"r{holder}"


def test_CHI_71_who_has_it_keeps_it() -> None:
    state = table("r3", "-", palaces=WEI, kept=("r1", "r3"), influence="r0")
    play(state, "palace:W2:r", "stop")
    assert influence(state) == "r0"


def test_CHI_71_only_the_colour_just_laid() -> None:
    state = table("r3", "-", palaces=WEI, kept=("g2", "g2"), influence="g1")
    play(state, "palace:W2:r", "stop")
    assert influence(state) == "g1r0"


def test_CHI_71_the_printed_colour_of_a_joker() -> None:
    state = table("y3", "-", palaces=WEI, kept=("-", "y1"), influence="y1")
    play(state, "palace:W2:yy", "stop")
    assert influence(state) == "y0"


def test_CHI_71_after_the_score_of_the_same_turn() -> None:
    """The province is scored with the influence cards as they lie."""
    palaces = {0: "W1 W2 W3 W4", 1: "W5", 2: "W6"}
    state = table("r3", "-", palaces=palaces, kept=("-", "r1"), influence="r1")
    play(state, "palace:W7:r", "score:Wei")
    assert gained(state, "influence") == [0, 5]
    play(state, "stop")
    assert influence(state) == "r0"


# --- The Emperor's turn ---


def test_CHI_72_he_follows_placing() -> None:
    state = table("r3", "y3", palaces=WEI, emperor="r2g1")
    play(state, "palace:W2:r", "stop", "take:v", "show:o")  # the display before the Emperor
    assert (phase(state), active(state), state.acting) == ("emperor", 0, (0,))
    assert display(state) == "y1o2g1"
    play(state, "palace:W3:r")
    assert on(state, "W3") == "2"
    assert emperor(state) == "g1r1"
    assert discard(state) == "r1"  # his card; the player's is kept
    assert phase(state) == "imperial"
    play(state, "show:v")
    assert emperor(state) == "v1g1r1"
    assert display(state) == "y1o2g1"
    assert (phase(state), active(state)) == ("turn", 1)


def test_CHI_72_he_follows_an_exchange_and_a_pass() -> None:
    state = at_emperor(palaces=WEI, emperor="r1v1y1")
    assert phase(state) == "emperor"
    state = table("-", "r1", palaces=WEI, emperor="r1v1y1", deck="-", exhausted=2)
    play(state, "pass")
    assert phase(state) == "emperor"


def test_CHI_72_one_piece_or_none() -> None:
    state = at_emperor(palaces={1: "W1 W2"}, emperor="r3")
    assert refusal(state, "decline") is None
    play(state, "emissary:Wei:r")
    assert emissaries(state, "Wei") == "2"
    by_chance(state)
    assert (phase(state), active(state)) == ("turn", 1)
    state = play(at_emperor(palaces=WEI, emperor="r3"), "decline")
    assert (phase(state), active(state), emperor(state)) == ("turn", 1, "r3")


def test_CHI_72_by_the_usual_rules() -> None:
    state = at_emperor(palaces={1: "W1 V1"}, emissaries={"Wei": "0"}, emperor="g2r1")
    assert legal(state) == {
        *(f"palace:{x}:{pay}" for x in province("A", "W")[1:] + province("A", "V")[1:]
          for pay in ("r", "gg")),
        "emissary:Wu:r",
        "emissary:Wu:gg",
        "decline",
    }  # fmt: skip
    assert refusal(state, "emissary:Wei:r") == "CHI-28"
    assert refusal(state, "palace:W1:r") == "CHI-25"
    assert refusal(state, "palace:W2:yy") == "CHI-18"
    assert refusal(state, "stop") == "CHI-72"
    assert refusal(state, "exchange:g") == "CHI-72"
    play(state, "palace:W2:gg", "show:v", "show:r")
    assert emperor(state) == "v1r2"


def test_CHI_72_not_asked_when_he_can_place_nothing() -> None:
    """His three cards are of Chu, which is full and has as many emissaries as it takes."""
    state = at_emperor(
        palaces={0: "U1 U2 U3", 1: "U4 U5 U6", 2: "U7 U8"},
        emissaries={"Chu": "001"},
        emperor="v1y1o1",
    )
    assert (phase(state), active(state)) == ("emperor", 0)  # Qi, Zhao and others are empty
    state = at_emperor(
        palaces={0: "U1 U2 U3", 1: "U4 U5 U6", 2: "U7 U8"}, emissaries={"Chu": "001"}, emperor="v3"
    )
    assert {token[-3:] for token in legal(state, "palace")} == {":vv"}
    assert on(state, "U1") == "0"
    twenty = " ".join(province("A", "U") + province("A", "W") + province("A", "H"))
    state = at_emperor(palaces={2: twenty}, emissaries={"Chu": "2222222", "Han": "2"}, emperor="v3")
    assert (phase(state), active(state)) == ("turn", 1)  # no pieces, so he is passed over


def test_CHI_72_drawn_unseen_never_from_the_display() -> None:
    state = at_emperor(palaces=WEI, emperor="r3", deck="y2")
    play(state, "palace:W2:r")
    assert legal(state) == {"show:y"}


def test_CHI_72_the_reshuffle_in_his_refill() -> None:
    state = play(table("r3", "-", palaces=WEI, emperor="r3", deck="y1"), "exchange:r", "take:v")
    assert phase(state) == "display"
    play(state, "show:y", "shuffle")
    play(state, "palace:W2:r")
    assert phase(state) == "imperial"
    state = table("r3", "-", palaces=WEI, emperor="r3", deck="y2")
    before = cards(discard(state))
    play(state, "exchange:r", "deck", "card:y", "palace:W2:r", "show:y", "shuffle")
    assert cards(deck(state)) == before + cards("r2")
    assert (phase(state), active(state), emperor(state)) == ("turn", 1, "y1r2")
    state = table("r3", "r1", palaces=WEI, emperor="r3", deck="-", exhausted=2)
    play(state, "exchange:r", "take:v", "palace:W2:r")
    assert (phase(state), active(state), emperor(state)) == ("turn", 1, "r2")


def test_CHI_72_in_the_last_turn_of_the_game_too() -> None:
    state = table("-", "-", palaces=WEI, emperor="r3", deck="-", exhausted=2, active=1)
    play(state, "pass")
    assert phase(state) == "emperor"
    play(state, "palace:W2:r")
    by_chance(state)
    assert state.over
    assert gained(state, "palaces") == [0, 2]


def test_CHI_73_not_into_an_empty_province() -> None:
    state = at_emperor(palaces={1: "V1"}, emperor="r1g1o1")
    assert refusal(state, "palace:W1:r") == "CHI-73"
    assert refusal(state, "palace:H1:g") == "CHI-73"
    assert legal(state, "palace") == {f"palace:V{n}:r" for n in (2, 3, 4, 5)}


def test_CHI_73_unless_he_can_do_nothing_else() -> None:
    state = at_emperor(palaces={1: "U1"}, emperor="r1g1o1")
    assert {token[7] for token in legal(state, "palace")} == set("WVHSZL")
    state = at_emperor(palaces={1: "U1"}, emperor="r2o1")  # a joker pays in Chu
    assert {token[7] for token in legal(state, "palace")} == {"U"}
    assert refusal(state, "palace:W1:r") == "CHI-73"


def test_CHI_73_a_piece_of_any_kind_is_enough() -> None:
    state = at_emperor(forts="V1", emperor="r1g1o1", fortifications=True, left="10")
    assert refusal(state, "palace:W1:r") == "CHI-73"
    assert refusal(state, "palace:V1:r") is None
    state = at_emperor(palaces={1: "V1 V2 V3 V4 V5"}, emperor="r1g1o1")  # an emissary goes there
    assert legal(state) == {"emissary:Wu:r", "decline"}


# --- His points ---


@pytest.mark.parametrize(
    ("held", "keeps", "extra"),
    [("v0", ("v1", "-"), [2, 0]), ("v1", ("-", "v1"), [0, 2]), ("-", ("-", "-"), [0, 0])],
)
def test_CHI_74_the_emperors_points(held: str, keeps: tuple[str, str], extra: list[int]) -> None:
    """Blue has five palaces in Chu, Green two, the Emperor one."""
    palaces = {0: "U1 U2 U3 U4", 1: "U5 U6", 2: "U7"}
    state = table("v1", "-", palaces=palaces, kept=keeps, influence=held)
    play(state, "palace:U8:v", "score:Chu")
    assert gained(state, "palaces") == [8, 5]
    assert gained(state, "influence") == extra
    assert state.scores() == [8 + extra[0], 5 + extra[1]]


def test_CHI_74_he_takes_a_place_like_a_player() -> None:
    state = table("v1", "-", palaces={0: "U1", 1: "U2 U3", 2: "U4 U5 U6 U7"})
    play(state, "palace:U8:v", "score:Chu")
    assert gained(state, "palaces") == [4, 4]


def test_CHI_74_his_points_are_not_the_active_players() -> None:
    palaces = {0: "U1 U2 U3 U4", 1: "U5", 2: "U6 U7"}
    state = table("-", "v1", palaces=palaces, kept=("v1", "-"), influence="v0", active=1)
    play(state, "palace:U8:v", "score:Chu")
    assert gained(state, "influence") == [4, 0]
    assert gained(state, "palaces") == [8, 4]


def test_CHI_74_by_the_colour_of_the_province() -> None:
    palaces = {0: "U1 U2 U3 U4", 1: "U5", 2: "U6 U7"}
    state = table("v1", "-", palaces=palaces, kept=("r1", "g1"), influence="g1r0")
    play(state, "palace:U8:v", "score:Chu")
    assert gained(state, "influence") == [0, 0]


def test_CHI_74_in_the_final_scoring_too() -> None:
    state = finished(2, palaces={0: "U1", 2: "U2 U3"}, kept=("-", "v1"), influence="v1")
    by_chance(state)
    assert gained(state, "palaces") == [2, 0]
    assert gained(state, "influence") == [0, 3]


def test_CHI_74_doubled_by_a_fortification() -> None:
    state = finished(
        2,
        palaces={0: "U1", 2: "U2 U3"},
        forts="U3",
        kept=("-", "v1"),
        influence="v1",
        fortifications=True,
        left="01",
    )
    by_chance(state)
    assert gained(state, "influence") == [0, 6]
    assert gained(state, "palaces") == [2, 0]


def test_CHI_75_example() -> None:
    """Archie five palaces and the violet card, Barney one, the Emperor two."""
    palaces = {0: "U1 U2 U3 U4", 1: "U6", 2: "U7 U8"}
    state = table("v1", "-", palaces=palaces, kept=("v1", "-"), influence="v0")
    play(state, "palace:U5:v", "score:Chu")
    assert state.scores() == [13, 2]
    assert (gained(state, "palaces"), gained(state, "influence")) == ([8, 2], [5, 0])


@pytest.mark.parametrize(
    ("wei", "zhao", "points"),
    [
        ("2", "2", [0, 0]),
        ("022", "0", [0, 0]),  # he has the majority in Wei
        ("02", "02", [4, 0]),  # level with him in both
        ("0012", "02", [6, 0]),
    ],
)
def test_CHI_76_alliances_pay_the_emperor_nothing(wei: str, zhao: str, points: list[int]) -> None:
    palaces = {1: "W1 W2 W5 W6", 0: "Z1 Z2"}
    state = finished(
        2, palaces=palaces, emissaries={"Wei": wei, "Zhao": zhao}, kept=("-", "r1"), influence="r1"
    )
    told = by_chance(state)
    assert gained(state, "alliances") == points
    assert ("alliance:1" in told) == any(points)


def test_CHI_76_roads_pay_the_emperor_nothing() -> None:
    state = finished(2, palaces={2: "W1 W2 W3 Z1 Z2"}, kept=("r1o1", "-"), influence="o0r0")
    told = by_chance(state)
    assert not any(token.startswith("roads") for token in told)
    assert gained(state, "roads") == [0, 0]


# --- Special cards ---


def test_CHI_77_the_emperor_first() -> None:
    state = table("r3", "-", palaces={1: "W1 W2"}, emperor="o2r1")
    play(state, "emperor")
    assert (phase(state), special(state)[1]) == ("emperor", "ets")
    assert refusal(state, "decline") == "CHI-77"
    play(state, "palace:W3:r", "show:y")
    assert special(state) == ["ts", "ets"]
    assert (phase(state), active(state), emperor(state)) == ("turn", 0, "y1o2")
    assert refusal(state, "emperor") == "CHI-77"  # used
    play(state, "palace:W4:r", "stop", "deck", "card:v")
    assert (phase(state), active(state)) == ("turn", 1)  # he does not place again


def test_CHI_77_the_emperors_piece_opens_a_province() -> None:
    state = table("r3", "-", emperor="v1o1r1")
    play(state, "emperor", "palace:W1:r", "show:y", "palace:W2:r")
    assert phase(state) == "more"


def test_CHI_77_first_and_then_an_exchange_or_nothing() -> None:
    state = table("r3", "-", palaces=WEI, emperor="o2r1")
    play(state, "emperor", "palace:W3:r", "show:y", "exchange:r", "deck", "card:v")
    assert (phase(state), active(state)) == ("turn", 1)


def test_CHI_77_swap_before_and_after_the_emperor_first() -> None:
    state = table("r3", "-", palaces=WEI, emperor="o2r1")
    play(state, "emperor")
    assert refusal(state, "swap:r>o") == "CHI-72"  # his piece is due
    play(state, "palace:W3:r", "show:y")
    assert refusal(state, "swap:r>o") is None


def test_CHI_77_only_when_he_can_place() -> None:
    twenty = " ".join(province("A", "U") + province("A", "W") + province("A", "H"))
    state = table(
        "r3", "-", palaces={2: twenty}, emissaries={"Chu": "2222222", "Han": "2"}, emperor="v3"
    )
    assert refusal(state, "emperor") == "CHI-77"
    assert "emperor" not in legal(state)


@pytest.mark.parametrize("token", ["emperor", "swap:r>o"])
def test_CHI_77_before_the_action_only(token: str) -> None:
    state = table("r3", "-", palaces=WEI)
    assert refusal(state, token) is None
    assert refusal(state, token, 1) == "CHI-11"
    play(state, "palace:W2:r")
    assert refusal(state, token) == "CHI-77"


def test_CHI_77_each_once_in_the_game() -> None:
    state = table("r3", "-", palaces=WEI, special="-/ets")
    assert refusal(state, "emperor") == "CHI-77"
    assert refusal(state, "swap:r>o") == "CHI-77"
    state = table("-", "r3", palaces=WEI, special="-/ets", active=1)
    assert refusal(state, "swap:r>o") is None


def test_CHI_77_exchange_with_the_display() -> None:
    state = table("y1r2", "-", palaces=WEI)
    before = (deck(state), discard(state), emperor(state))
    play(state, "swap:r>o")
    assert (hand(state, 0), display(state)) == ("y1o1r1", "v1y1g1r1")
    assert (deck(state), discard(state), emperor(state)) == before
    assert special(state) == ["et", "ets"]
    assert (phase(state), active(state)) == ("turn", 0)  # and the turn is still to come
    assert refusal(state, "swap:y>v") == "CHI-77"
    assert refusal(state, "palace:W2:r") is None


def test_CHI_77_exchange_of_cards_that_are_there() -> None:
    state = table("y1r2", "-", palaces=WEI, emperor="r3")
    assert refusal(state, "swap:g>o") == "CHI-77"
    assert refusal(state, "swap:y>r") == "CHI-77"  # the Emperor's cards are no part of it
    play(state, "swap:y>y")  # equal colours are legal, and spend the card
    assert (hand(state, 0), special(state)[0]) == ("y1r2", "et")


def test_CHI_77_two_provinces() -> None:
    state = table("o1r2", "-", palaces={1: "W1 Z1"})
    play(state, "palace:W2:r")
    assert refusal(state, "palace:Z2:o") is None
    assert special(state)[0] == "ets"
    play(state, "palace:Z2:o")
    assert special(state)[0] == "es"
    assert phase(state) == "keep"  # two pieces are all
    assert [on(state, x) for x in ("W2", "Z2")] == ["0", "0"]


def test_CHI_77_two_empty_provinces() -> None:
    state = play(table("o1r2", "-"), "palace:W1:r")
    assert phase(state) == "more"
    assert refusal(state, "palace:W2:r") == "CHI-15"
    play(state, "palace:Z1:o")
    assert (phase(state), special(state)[0]) == ("keep", "es")


def test_CHI_77_each_province_has_its_own_rules() -> None:
    state = play(table("o1r2", "-", palaces={1: "W1 Z1"}, emissaries={"Zhao": "1"}), "palace:W2:r")
    assert refusal(state, "emissary:Zhao:o") == "CHI-28"
    assert refusal(state, "palace:Z1:o") == "CHI-25"
    assert refusal(state, "emissary:Qi:rr") == "CHI-29"
    assert refusal(state, "palace:V1:r") is None
    state = play(table("g2r1", "-", palaces={1: "W1 Z1"}), "palace:W2:gg")
    assert refusal(state, "palace:V1:r") is None
    assert refusal(state, "palace:Z2:r") == "CHI-18"


def test_CHI_77_spent_only_in_another_province() -> None:
    state = play(table("r3", "-", palaces={1: "W1"}), "palace:W2:r", "palace:W3:r")
    assert special(state)[0] == "ets"


def test_CHI_77_without_it_one_province() -> None:
    state = play(table("o1r2", "-", palaces={1: "W1 Z1"}, special="es/ets"), "palace:W2:r")
    assert refusal(state, "palace:Z2:o") == "CHI-14"
    state = play(table("o1r2", "-", special="es/ets"), "palace:W1:r")
    assert phase(state) == "take"  # the province was empty


def test_CHI_77_never_for_the_emperors_piece() -> None:
    state = table("r3", "-", palaces={1: "W1 Z1"}, emperor="o2r1")
    play(state, "palace:W2:r", "stop", "deck", "card:v", "palace:W3:r")
    by_chance(state)
    assert (phase(state), active(state)) == ("turn", 1)
    assert special(state)[0] == "ets"


def test_CHI_77_several_in_one_turn() -> None:
    state = table("o1r2", "-", palaces={1: "W1 Z1"}, emperor="o2r1")
    play(state, "swap:r>g", "emperor", "palace:W2:r", "show:y", "palace:W3:r", "palace:Z2:o")
    assert special(state) == ["-", "ets"]


# --- The lighter game ---


def test_CHI_78_without_influence_cards() -> None:
    state = table("y2r1", "-", palaces=WEI, light=True)
    play(state, "palace:W2:r", "palace:W3:yy")
    assert (phase(state), discard(state)) == ("take", "y2r1")  # nothing is kept
    assert two(state)[1:3] == ["-/-", "-"]


def test_CHI_78_the_emperors_points_are_lost() -> None:
    state = table("v1", "-", palaces={0: "U1 U2 U3 U4", 1: "U6", 2: "U7 U8"}, light=True)
    play(state, "palace:U5:v", "score:Chu")
    assert (state.scores(), gained(state, "influence")) == ([8, 2], [0, 0])


def test_CHI_78_special_cards_stay() -> None:
    state = table("r3", "-", palaces=WEI, emperor="r3", light=True)
    assert {"emperor", "swap:r>o"} <= legal(state)


@pytest.mark.parametrize("options", [{"players": 3}, {"keep": "all"}])
def test_CHI_78_for_two_only(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        tianxia.game("china", **{"players": 2, "light": True, **options})


def test_CHI_49_the_emperor_counts_too() -> None:
    """With two players the game goes on as long as the Emperor could place something."""
    palaces = {
        0: "W1 W2 W3 Z1 Z2 Q1 Q2 C1 C2 H1 H2 L1 L2 S1 S2 U1 U2 U3",
        1: "W4 W5 Z3 Z4 Q3 Q4 C3 C4 H3 H4 L3 L4 S3 S4 U4 U5 U6 V1 V2",
        2: "W6 W7 Z5 Z6 Q5 C5 C6 H5 S5 U7 U8 V3 V4",
    }
    there = {
        "Wei": "000",
        "Zhao": "00",
        "Qi": "00",
        "Chin": "01",
        "Han": "11",
        "Lu": "11",
        "Shu": "11",
        "Chu": "122",
        "Wu": "2",
    }
    state = table("g2r1", "-", palaces=palaces, emissaries=there)
    play(state, "palace:V5:r", "score:Wu")
    assert phase(state) == "more"  # only the Emperor has emissaries left
    there["Wu"] = "22"
    state = table("g2r1", "-", palaces=palaces, emissaries=there)
    play(state, "palace:V5:r", "score:Wu")
    assert phase(state) == "final"
    assert kept(state) == ["-", "-"]  # no card is kept at an immediate end
    assert cards(discard(state))["r"] == 1
