"""Ways over several triangles of Bin'Fa: what one drag means, tried out by the rules."""

from __future__ import annotations

import tianxia
from tianxia.draw.scene import Actor, Drawing, Happening, Journey, SceneRequest, Stage
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
