"""The picture of China: emissaries beside names, markers that have been round the track."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

import tianxia
from tests.games.china.helpers import table
from tianxia.draw.scene import Drawing, Happening, SceneRequest
from tianxia.games.china.face.gestures import gestures_of, placing
from tianxia.games.china.face.prompts import status, told
from tianxia.games.china.face.scene import GROUPS
from tianxia.games.china.face.words import board_of
from tianxia.games.china.rules.components import ACTIONS
from tianxia.games.china.rules.state import MORE, SPACE, TAKING, TURN

DEN = 33.0
"""So far from the dragon nothing else is written."""
RADIUS, TALLY = 17.0, (13.0, 12.0, 10.0)
"""Of an emissary; and where the number of several lies, with its radius."""


def drawn(state: tianxia.State) -> str:
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    return drawing(SceneRequest(state.view(0), 0, "en", prefix="t-")).svg


@pytest.mark.parametrize("number", range(1, 6))
def test_emissaries_stay_on_their_dragon_whatever_their_number(number: int):
    scale, spots = GROUPS[number]
    assert len(set(spots)) == number
    for x, y in spots:
        assert (x * x + y * y) ** 0.5 + scale * RADIUS <= DEN + 1


def test_after_the_last_round_nobody_is_told_that_it_is_being_played():
    state, dice = tianxia.game("china(players=3)").new(), Random(3)
    while not state.over:
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        found = state.legal_actions(seat)
        state.apply(dice.choice(found), seat)
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    cards = drawing(SceneRequest(state, 0)).panels[0].html
    assert "the last round is played" in cards
    assert "this is the last round" not in cards


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["discard: 1 card", "violet (1)", "Display: violet (1)"]),
        ("fr", ["défausse\xa0: 1 carte", "violet (1)", "Cartes visibles\xa0: violet (1)"]),
    ],
)
def test_a_card_says_whether_it_lies_in_the_display(language: str, names: list[str]):
    state = table("v1r1", "o2", "y2", display="v1y1o1g1", discard="g1")
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    (cards, *_) = drawing(SceneRequest(state.view(0), 0, language)).panels
    found = Counter(re.findall(r'aria-label="([^"]*)"', cards.html))
    assert [found[name] for name in names] == [1, 1, 1]


def test_a_marker_that_has_been_round_the_track_says_so():
    state = tianxia.game("china").new()
    assert 'class="ch-lap"' not in drawn(state)
    pool = state.record
    pool[0]["points"][0][0] = 57
    svg = drawn(tianxia.State(state.game, pool))
    (marker,) = re.findall(r'id="t-m-\d" [^\n]*class="ch-lap"[^\n]*', svg)
    assert re.findall(r"#digit-(\d)", marker) == ["5", "0"]


def test_what_is_scored_is_staged_with_who_gets_points():
    dice, state = Random(0), tianxia.game("china", players=3, board="border").new()
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    staged: Counter[str] = Counter()
    while not state.over:
        before, seat = state.view(0), state.acting[0] if state.acting else tianxia.CHANCE
        legal = (
            state.legal_actions(seat) if state.acting else [a for a, _ in state.chance_outcomes()]
        )
        action = dice.choice(legal)
        told = Happening(seat, state.seen(action, seat, 0), "", before)
        state.apply(action, seat)
        scene = drawing(SceneRequest(state.view(0), 0, "en", (told,), "t-"))
        gained = [now - was for now, was in zip(state.scores(), before.scores(), strict=True)]
        kind = ACTIONS.split(action)[0]
        scored = kind in ("score", "harbours", "alliance", "roads") and any(gained)
        assert (scene.stage is not None) == scored
        if scene.stage is not None:
            staged[kind] += 1
            assert [one.note for one in scene.stage.cast] == [f"+{n:.0f}" for n in gained if n > 0]
            assert all(f'data-e="{name}"' in scene.svg for name in scene.stage.on)
    assert set(staged) == {"score", "harbours", "alliance", "roads"}


def test_a_space_alone_is_enough_where_there_is_one_way_to_pay():
    dice, state = Random(2), tianxia.game("china", players=3).new()
    paid: Counter[int] = Counter()
    while state.plies < 40:
        if not state.acting:
            state.apply(dice.choice([action for action, _ in state.chance_outcomes()]))
            continue
        seat = state.acting[0]
        gestures = list(gestures_of(SceneRequest(state.view(seat), seat, "en")))
        ways: dict[str, set[int]] = {}
        for one in gestures:
            if (place := one.steps[0].elements[0])[:4] not in ("card", "show"):
                ways.setdefault(place, set()).add(one.action)
        for place, actions in ways.items():
            if len(actions) == 1:
                short = [g for g in gestures if g.steps[0].elements[0] == place]
                assert [len(one.steps) for one in short] == [1], place
                (pays,) = [g for g in gestures if g.action in actions and len(g.steps) > 1] or short
                paid[len(pays.steps[0].elements)] += 1
        state.apply(dice.choice(state.legal_actions(seat)), seat)
    assert paid[1]
    assert paid[2]


def test_the_emperor_pays_with_his_own_cards_where_tiles_were_turned_for_his_palace():
    state = tianxia.position(
        "china(players=2,tiles=yes) * space 0/0 51/51 ......./....../...../.2.2.0/...../..../"
        "...../......../..... -/-/-/-/-/-/-/-/- ......... W1?,W6?/Z1?,Z2?/Q2?,Q4?/C1o,C3o/H3?,H4?/"
        "L1?,L4?/S2g,S5g/U6?,U7?/V1?,V4? -/-/- v5y4o6g7r8 v6y4o8g8r10 y2g2 y2o1 v1o1r1/v1r2 "
        "v1o1g1/o1r2 r1/v1 0,0,0,0,0,0/0,0,0,0,0,0 0 v1o1g1;y1/-;y0;t/ets - bef>Shu"
    )
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    scene = drawing(SceneRequest(state.view(0), 0, "en"))
    clicked = {step.elements for one in scene.gestures for step in one.steps}
    assert clicked == {("imperial-green",), ("S1",), ("S2",), ("S3",), ("S4",), ("S5",)}
    assert {one.label for one in scene.gestures} == {
        f"The Emperor: a palace on S{space} (Shu) with 1 × green" for space in range(1, 6)
    }
    assert {one.puts for one in scene.gestures} == {"china-palace-plum"}
    assert drawing.meant(state.view(0), 0, ("S2",)) in state.legal_actions(0)


def test_what_somebody_did_is_told_and_not_that_a_card_was_turned_up():
    view = tianxia.game("china", players=3).new().view(0)
    did = Happening(1, ACTIONS.join("take", 0), "Green takes a card.", view)
    shown = Happening(tianxia.CHANCE, ACTIONS.join("show", 0), "A card comes.", view)
    drawn = Happening(tianxia.CHANCE, None, "Green gets a card.", view)
    scored = Happening(tianxia.CHANCE, ACTIONS.join("score", 0), "Wei: Green 3.", view)
    for last, expected in (
        ((did, shown, drawn), did),
        ((shown,), shown),
        ((did, scored, shown), scored),
    ):
        assert told(SceneRequest(view, 0, "en", last, "t-")) == expected.sentence


@pytest.mark.parametrize(
    ("spec", "seed"),
    [("china(players=2,fortifications=yes,tiles=yes)", 4), ("china(players=5,board=b)", 113)],
)
def test_a_prompt_offers_nothing_that_cannot_be_done(spec: str, seed: int):
    dice, state = Random(seed), tianxia.game(spec).new()
    offers = {
        "exchange it": {"exchange"},
        "from the deck": {"deck"},
        "or none": {"stop", "decline"},
        "second piece in": {"palace", "fort", "emissary", "post", "open"},
        "or pass": {"pass"},
    }
    said = set()
    while not state.over:
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        legal = state.legal_actions(seat)
        if seat >= 0:
            kinds = {ACTIONS.split(action)[0] for action in legal}
            prompt = status(SceneRequest(state.view(seat), seat, "en"))
            said.add(prompt.split(" in ")[0])
            for words, kind in offers.items():
                assert words not in prompt or "no second" in prompt or kinds & kind, prompt
            assert ("no second" in prompt) == (kinds == {"stop"})
        state.apply(dice.choice(legal), seat)
    assert "You can place no second piece" in said
    assert len(said) > 3


def test_a_fortification_has_a_button_only_while_pieces_are_placed():
    dice, state = Random(3), tianxia.game("china(fortifications=yes,tiles=yes)").new()
    found = set()
    while not state.over:
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        if seat >= 0:
            drawing = Drawing.of(state.game.kind)
            assert drawing is not None
            (cards, *_) = drawing(SceneRequest(state.view(seat), seat, "en")).panels
            found.add((int(state.fields["phase"]), "Build a fortification" in cards.html))
        legal = [a for a in state.legal_actions(seat) if ACTIONS.split(a)[0] != "fort"]
        state.apply(dice.choice(legal), seat)
    assert found == {(TURN, True), (MORE, True), (SPACE, False), (TAKING, False)}


def test_a_second_piece_is_asked_for_where_it_may_be_placed():
    said: Counter[str] = Counter()
    for seed in range(6):
        dice, state = Random(seed), tianxia.game("china(players=2)").new()
        while not state.over:
            seat = state.acting[0] if state.acting else tianxia.CHANCE
            legal = state.legal_actions(seat)
            if state.fields["phase"] == MORE and len(legal) > 1:
                board, here = board_of(state), int(state.fields["province"]) - 1
                found = [place for a in legal if (place := placing(board, a))]
                own = {f"dragon-{board.keys[here]}"}
                own |= {board.spaces[space].name for space in board.spaces_of(here)}
                there = {place.place in own for place in found}
                prompt = status(SceneRequest(state.view(seat), seat, "en"))
                said[prompt.partition(board.provinces[here])[2]] += 1
                assert True not in there or "other than" not in prompt
                assert False not in there or "with your special card" in prompt
            state.apply(dice.choice(legal), seat)
    assert len(said) == 3
