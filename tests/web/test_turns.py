"""The log as a story: a turn is one sentence, its details folded; names; truth after the end."""

from __future__ import annotations

import re
from random import Random

import pytest

import tianxia
from tests.web.world import World
from tianxia.draw.languages import LANGUAGES, package_of, translator
from tianxia.draw.scene import Drawing, SceneRequest
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.state import State
from tianxia.tables import Entry
from tianxia.web.catalogue import seat_names
from tianxia.web.story import Glances, Line, Story
from tianxia.web.turns import Turn, Voice, names_of_people, newest, turns

SPECS = ("china(players=3)", "binfa(level=3)", "firebulls(players=3)", "suntzu", "stratego")


def entries(game: Game, seed: int, most: int = 300) -> list[Entry]:
    """Return the log of a random game: each decision by itself, an hour after the other."""
    dice, state = Random(seed), game.new()
    found = [Entry(1, "start", None, None, 0, 0.0)]
    while not state.over and len(found) < most:
        seat = dice.choice(state.acting) if state.acting else CHANCE
        if state.acting:
            action = dice.choice(state.legal_actions(seat))
        else:
            action = dice.choice(state.chance_outcomes())[0]
        state.apply(action, seat)
        number = len(found) + 1
        kind = "chance" if seat == CHANCE else "act"
        found.append(Entry(number, kind, seat, action, number - 1, 3600.0 * number))
    return found


def told(game: Game, viewer: int = 0, language: str = "en", **how: bool) -> tuple[Line, ...]:
    return Story(game).tell(entries(game, 5), viewer, language, **how).lines


def voice(game: Game, language: str = "en", *people: str) -> Voice:
    return Voice(game, language, people)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", SPECS)
def test_turns_hold_every_line_once_and_say_more_than_one_in_a_sentence(
    spec: str, language: str
) -> None:
    game = tianxia.game(spec)
    lines = told(game, language=language)
    found = list(turns(lines, voice(game, language), over=True))
    assert [line for turn in found for line in turn.lines] == list(lines)
    assert len(found) < len(lines) or spec == "stratego"
    for turn in found:
        assert turn.text.strip()
        assert "{" not in turn.text
        seats = {line.seat for line in turn.lines if line.seat is not None}
        assert seats <= {turn.seat}


@pytest.mark.parametrize("spec", SPECS)
def test_a_log_that_is_cut_begins_with_a_whole_turn(spec: str) -> None:
    game = tianxia.game(spec)
    lines = told(game)
    whole = {turn.number: turn for turn in turns(lines, voice(game), over=True)}
    for end in range(1, len(lines) + 1):
        for most in (5, 40):
            kept = newest(lines[:end], most)
            assert kept == lines[max(0, end - len(kept)) : end]
            assert len(kept) <= most
            if len(kept) < end:
                (first, *_) = turns(kept, voice(game), over=True)
                assert first.number in whole or len(kept) == most


@pytest.mark.parametrize("name", ["Ada", "Dr. Who", "Ada B. Jr.", "A? B!", "{n}"])
def test_two_pieces_and_a_card_are_one_sentence_and_what_is_dealt_is_folded(name: str) -> None:
    game = tianxia.game("china(players=3)")
    lines = [
        Line(1, 1, "Green builds a palace on H1 (Han) with 1 × green.", "act"),
        Line(2, 1, "Green builds a palace on H2 (Han) with 1 × green.", "act"),
        Line(3, 1, "Green takes a card of the display: red.", "act"),
        Line(4, None, "A card comes from the deck into the display: yellow.", "chance"),
        Line(5, 0, "Blue passes.", "act"),
    ]
    first, second = turns(lines, voice(game, "en", "", name, ""))
    assert first.text == (
        f"{name} builds a palace on H1 (Han) with 1 × green, builds a palace on H2 (Han) with "
        "1 × green and takes a card of the display: red."
    )
    assert [line.number for line in first.lines] == [1, 2, 3, 4]
    assert (second.seat, second.text) == (0, "Blue passes.")


def test_what_everybody_waits_for_is_told_by_itself() -> None:
    game = tianxia.game("china(players=3)")
    lines = [
        Line(1, 1, "Green builds a palace on H1 (Han) with 1 × green.", "act"),
        Line(2, None, "Han is scored.", "chance", weighty=True),
        Line(3, None, "A card comes from the deck.", "chance"),
    ]
    assert [len(turn.lines) for turn in turns(lines, voice(game), over=True)] == [1, 2]
    assert [len(turn.lines) for turn in turns(lines, voice(game))] == [1, 1, 1]
    weighty = {line.text for line in told(tianxia.game("suntzu")) if line.weighty}
    assert any(text.startswith("Wu: Sun Tzu") for text in weighty)


def test_taken_back_and_offered_things_stand_by_themselves() -> None:
    game = tianxia.game("stratego")
    lines = [
        Line(1, 0, "Red: Scout a4 to a5.", "act", undone=True),
        Line(2, 0, "Red takes back.", "takeback"),
        Line(3, 0, "Red: Scout a4 to a6.", "act"),
        Line(4, 0, "Red offers a draw.", "offer"),
    ]
    found = list(turns(lines, voice(game, "en", "Ada", "")))
    assert [turn.text for turn in found] == [
        "Ada: Scout a4 to a5.",
        "Ada takes back.",
        "Ada: Scout a4 to a6.",
        "Ada offers a draw.",
    ]


def test_views_are_made_of_what_is_shown_only(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tianxia.game("stratego(variant=duel)")
    played = entries(game, 3, most=80)
    one_by_one, at_once, made = Story(game), Story(game), []
    view = Glances.view

    def counted(glances: Glances, state: State, viewer: int) -> State:
        made.append(viewer)
        return view(glances, state, viewer)

    for end in range(1, len(played)):
        for viewer in (0, 1, SPECTATOR):
            one_by_one.tell(played[:end], viewer, "en")
    monkeypatch.setattr(Glances, "view", counted)
    told = at_once.tell(played, 0, "en")
    assert len(made) == len(told.steps) < len(played) / 4
    same = one_by_one.tell(played, 0, "en")
    assert (same.lines, same.past) == (told.lines, told.past)
    shown = [
        [(line, step.sentence, step.before.to_bytes()) for line, step in one.steps]
        for one in (same, told)
    ]
    assert shown[0] == shown[1]


def test_people_who_share_a_name_keep_their_sides() -> None:
    assert names_of_people({0: "Ada", 1: "Ada", 2: "Bob"}, 3) == ("", "", "Bob")
    assert isinstance(Turn(0, "", ()).text, str)


@pytest.mark.parametrize(
    ("game", "text", "seat", "said"),
    [
        ("stratego", "Red: Scout at a5 attacks.", 0, "Ada: Scout at a5 attacks."),
        ("stratego", "Blue moves.", None, "Bob moves."),
        ("stratego", "Redoubt.", 0, "Redoubt."),
        ("suntzu", "Sun Tzu +1. The King of Chu passes.", 0, "Ada +1. Bob passes."),
        ("binfa", "Green moved from g11 to g12.", 1, "Bob moved from g11 to g12."),
        ("binfa", "Green moved. Blue rolled.", 1, "Green moved. Blue rolled."),  # whose was which?
        ("firebulls", "Yellow loses a card. Blue goes on.", 0, "Bob loses a card. Ada goes on."),
    ],
)
def test_a_prompt_calls_people_by_name(game: str, text: str, seat: int | None, said: str) -> None:
    assert voice(tianxia.game(game), "en", "Ada", "Bob").said(text, seat) == said
    assert voice(tianxia.game(game)).said(text, seat) == text  # of bots the sides are told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", SPECS)
def test_the_log_calls_people_as_the_prompt_does(spec: str, language: str) -> None:
    game = tianxia.game(spec)
    speaker = voice(game, language, *"ABCDEF"[: game.seats])
    for line in told(game, language=language):
        assert speaker.named(line) == speaker.said(line.text, line.seat)


@pytest.mark.parametrize("game", ["china", "binfa"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_winner_is_called_by_name_in_each_language(game: str, language: str) -> None:
    words = translator(language, package_of(tianxia.game(game).kind))
    why = ": nobody else has an army left" if game == "binfa" else ""
    won = words.gettext(f"{{players}} has won{why}.")
    side = seat_names(tianxia.game(game), language)[0]
    called = voice(tianxia.game(game), language, "Ada", "Bob").said(won.format(players=side), 0)
    assert called == won.format(players="Ada")


def test_a_game_of_hidden_ranks_tells_the_truth_when_it_is_over_and_not_before() -> None:
    game = tianxia.game("stratego(variant=barrage)")
    hidden = Story(game).tell(entries(game, 5), SPECTATOR, "en").lines
    truth = Story(game).tell(entries(game, 5), SPECTATOR, "en", over=True).lines
    assert len(hidden) == len(truth)
    assert any("unknown piece" in line.text for line in hidden)
    assert not any("unknown piece" in line.text for line in truth)


def test_a_page_folds_turns_and_calls_people_by_name(here: World) -> None:
    table = here.seated("me", "open", "open", game="china", players="3")
    for seat in (1, 2):
        table.guest(seat)
    page = table.host.get(f"/t/{table.id}").text
    assert 'class="log-turn' in page
    assert "The game begins.</summary>" in page


@pytest.mark.parametrize("spec", SPECS)
def test_lines_point_at_places_of_the_board(spec: str) -> None:
    game = tianxia.game(spec)
    drawing, state = Drawing.of(game.kind), game.new()
    assert drawing is not None
    log = entries(game, 5)
    drawn = set[str]()
    for number, entry in enumerate(log[1:]):
        state.apply(entry.action or 0, entry.seat or 0)
        if number % 3 == 0:
            scene = drawing(SceneRequest(state.view(0), 0))
            page = scene.svg + "".join(panel.html for panel in scene.panels)
            drawn.update(re.findall(r'data-e="([^"]+)"', page))
    lines = Story(game).tell(log, 0, "en").lines
    named = {place for line in lines for place in line.touched}
    assert len(named) > 3
    assert named <= drawn


def test_every_line_of_fire_bulls_that_speaks_of_a_place_points_at_it() -> None:
    speaks = re.compile(r"Reserve|deck|direction \d|to the (?:left|right)|turned up|slide|attack")
    lines = told(tianxia.game("firebulls"), 0)
    spoken = [line for line in lines if speaks.search(line.text) and "ends" not in line.text]
    assert len(spoken) > 20
    dumb = [line.text for line in spoken if not line.touched]
    assert all("gets a card from the deck." in text for text in dumb)  # whose, only they know


def test_what_is_done_in_secret_points_nowhere() -> None:
    lines = told(tianxia.game("suntzu"), SPECTATOR)
    secret = [line for line in lines if "in secret" in line.text]
    assert secret
    assert not any(line.touched for line in secret)
