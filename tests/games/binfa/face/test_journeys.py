"""Ways over several triangles of Bin'Fa: what one drag means, tried out by the rules."""

from __future__ import annotations

import tianxia
from tianxia.draw.scene import Actor, Drawing, Happening, Journey, March, SceneRequest, Stage
from tianxia.kernel import registry

FIELD = (
    "binfa(level=1) * moving 0 40/40 turns=6 armies=rb units={}r12:3r,r14:3r,b6:3b,b11:3b,b13:4b{}"
    " army=r rolled=yes dice=5-{} moves={}"
)


def ways(
    state: tianxia.State, origin: str, target: str, viewer: int = 0, language: str = "en"
) -> list[Journey]:
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    request = SceneRequest(state.view(viewer), viewer, language)
    return list(drawing.journeys(request, origin, target))


def marches(
    state: tianxia.State, *origins: str, viewer: int = 0, language: str = "en"
) -> list[March]:
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    request = SceneRequest(state.view(viewer), viewer, language)
    return list(drawing.marches(request, origins))


def there(units: str, dice: int = 2, moves: int = 3, last: str = "") -> tianxia.State:
    return registry.position(FIELD.format(units, last, dice, moves))


def heights(state: tianxia.State) -> dict[str, int]:
    fields = state.fields["height"].tolist()
    return {f"{'roygbp'[t // 16]}{t % 16 + 1}": n for t, n in enumerate(fields) if n}


def test_three_of_a_pile_go_three_triangles_at_once():
    state = there("r2:4r,")
    found = ways(state, "r2", "r7")
    assert [way.number for way in found] == [4, 3, 2, 1]
    assert found[1].label == "3 units: r2 → r6 → r7"
    for way in found:
        after = state.clone()
        for action in way.actions:
            after.apply(action, 0)  # the rules say whether that is legal
        assert heights(after)["r7"] == way.number
        assert heights(after).get("r2", 0) == 4 - way.number


def test_what_lies_beside_it_or_too_far_is_no_journey():
    state = there("r2:4r,")
    assert ways(state, "r2", "r3") == []  # one step: a gesture of its own
    assert ways(state, "r2", "y16") == []
    assert ways(state, "r2", "r2") == []
    assert ways(there("r2:4r,", 4, 1), "r2", "r7") == []
    assert ways(state, "r2", "nowhere") == []
    assert ways(state, "b6", "b8") == []  # not the army that moves


def test_only_who_is_asked_is_told_ways():
    state = there("r2:4r,")
    assert ways(state, "r2", "r7", viewer=1) == []
    assert ways(state, "r2", "r7", viewer=tianxia.SPECTATOR) == []


def test_a_way_goes_round_what_is_closed():
    (way, *_) = ways(there("r2:2r,r3:2b,"), "r2", "p1")
    assert "r3" not in way.label


def test_what_it_takes_is_told_before():
    state = there("r2:2r,r3:2b,r4:2r,", last=",p3:2r")
    told = {way.number: way.told for way in ways(state, "p3", "r1", language="fr")}
    assert told == {2: "prend 2 Bleu", 1: ""}  # a lone unit closes nothing


def test_what_is_taken_is_staged_where_it_stood():
    state = there("r2:2r,r3:2b,r4:2r,", last=",p3:2r")
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    (way,) = (way for way in ways(state, "p3", "r1") if way.number == 2)
    stages = []
    for action in way.actions:
        told = Happening(0, action, "", state.view(1))
        state.apply(action, 0)
        stages.append(drawing(SceneRequest(state.view(1), 1, "en", (told,))).stage)
    assert stages[:-1] == [None] * (len(stages) - 1)
    assert stages[-1] == Stage(("r3",), (Actor("binfa-unit-indigo", falls=True, note="−2"),))


# --- Several piles at once ---


def test_two_piles_go_two_triangles_and_keep_their_shape():
    state = there("r2:3r,r4:2r,", dice=1, moves=4)
    found = marches(state, "r2", "r4")
    (march,) = (one for one in found if one.goals["r2"] == "r6" and one.whole)
    assert march.goals == march.ends == {"r2": "r6", "r4": "r8"}
    assert march.label == "r2 → r6, r4 → r8 (2 of 4 moves)"
    for one in found:
        after = state.clone()
        for action in one.actions:
            after.apply(action, 0)  # the rules say whether that is legal
        ends = set(one.ends.values())
        assert {t: n for t, n in heights(after).items() if t in ends} == dict(
            zip(one.ends.values(), (3, 2), strict=True)
        )


def test_the_foremost_goes_first_so_that_a_line_does_not_run_into_itself():
    state = there("r2:2r,r5:3r,", dice=1, moves=4)
    (march,) = (one for one in marches(state, "r2", "r5") if one.goals["r2"] == "r5")
    assert march.whole
    assert march.ends == {"r2": "r5", "r5": "r10"}
    for action in march.actions:
        state.apply(action, 0)
    assert (heights(state)["r5"], heights(state)["r10"]) == (2, 3)


def test_a_line_of_neighbours_goes_one_step_along_its_row():
    found = marches(there("r6:2r,r7:2r,r8:2r,"), "r6", "r7", "r8")
    assert {"r6": "r5", "r7": "r6", "r8": "r7"} in [one.ends for one in found if one.whole]
    goals = [one.goals for one in found]
    assert all(goals.count(one) == 1 for one in goals)
    # Inwards the piles at its ends can go, and the one between them has no side there.
    (inwards,) = (one for one in found if one.goals["r6"] == "r2")
    assert inwards.ends == {"r6": "r2", "r7": "r7", "r8": "r4"}


def test_each_goes_as_far_as_it_can_and_who_stays_is_told():
    state = there("r2:2r,r4:2r,r8:2b,r9:2r,", dice=1, moves=4)
    (march,) = (one for one in marches(state, "r2", "r4", "r9") if one.goals["r2"] == "r6")
    assert not march.whole
    assert march.goals["r4"] == "r8"
    assert march.ends == {"r2": "r6", "r4": "r4", "r9": "r15"}  # Blue holds r8
    assert march.label == "r2 → r6, r4 stays, r9 → r15 (2 of 4 moves)"


def test_fewer_than_two_that_can_go_are_no_march():
    state = there("r2:2r,r4:2r,", dice=4, moves=1)
    assert marches(state, "r2", "r4") == []
    assert marches(there("r2:2r,"), "r2", "r2") == []


def test_only_own_piles_that_can_move_march_and_only_for_who_is_asked():
    state = there("r2:2r,r4:2r,")
    assert marches(state, "r2", "b6") == []
    assert marches(state, "r2", "nowhere") == []
    assert marches(state, "r2", "r4", viewer=1) == []
    assert marches(state, "r2", "r4", viewer=tianxia.SPECTATOR) == []


def test_a_march_is_told_in_the_language_of_who_asks():
    state = there("r2:3r,r4:2r,", dice=1, moves=4)
    told = [one.label for one in marches(state, "r2", "r4", language="fr") if one.whole]
    assert "r2 → r6, r4 → r8 (2 mouvements sur 4)" in told


def test_the_page_is_told_where_several_can_go_as_one():
    drawing = Drawing.of(there("r2:2r,").game.kind)
    assert drawing is not None
    for state, offered in ((there("r2:2r,"), True), (there("r2:2r,", 4, 1), False)):
        assert bool(drawing(SceneRequest(state.view(0), 0)).together) is offered
        assert not drawing(SceneRequest(state.view(1), 1)).together
