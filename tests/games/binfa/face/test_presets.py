"""Ready set-ups: they fit every base, whatever lies on it."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.binfa.helpers import begin, part, piles, units, until
from tianxia.draw.scene import Arrangement, Preset, SceneRequest
from tianxia.games.binfa.face.presets import FORMATIONS, arrangement_of, fitted, positions
from tianxia.games.binfa.rules.components import NEIGHBOURS

BY_NAME = {formation.id: formation for formation in FORMATIONS}


def arrangement(state: tianxia.State, seat: int = 0) -> Arrangement:
    found = arrangement_of(SceneRequest(state.view(seat), seat))
    assert found is not None
    return found


def send(state: tianxia.State, preset: Preset, seat: int = 0) -> None:
    """Set a seat up as its page would."""
    for action in arrangement(state, seat).actions(preset.layout, preset.heights):
        state.apply(action, seat)


@pytest.mark.parametrize("formation", FORMATIONS)
def test_a_formation_has_an_army(formation) -> None:
    places = [place for place, _ in formation.piles]
    assert sum(count for _, count in formation.piles) == 12
    assert min(count for _, count in formation.piles) >= 2, "a lone unit is easily covered"
    assert len(set(places)) == len(places)
    assert set(places) <= set(range(16))
    assert BY_NAME[formation.id] is formation


def test_a_pile_goes_to_the_nearest_free_triangle() -> None:
    phalanx = BY_NAME["phalanx"]
    assert fitted(phalanx, range(16)) == {5: 4, 6: 4, 7: 4}
    assert fitted(phalanx, set(range(16)) - {6}) == {5: 4, 7: 4, 12: 4}
    assert fitted(phalanx, {0, 15}) == {0: 8, 15: 4}


def shape(places: list[int]) -> list[int]:
    """Return how far the triangles of a base lie apart, in steps over sides."""
    return sorted(steps(one, other) for one in places for other in places)


def steps(one: int, other: int) -> int:
    reached, number = {one}, 0
    while other not in reached:
        reached |= {t for here in reached for t in NEIGHBOURS[here].tolist() if 0 <= t < 16}
        number += 1
    return number


@pytest.mark.parametrize("formation", FORMATIONS)
def test_a_formation_keeps_its_shape_wherever_it_lies(formation) -> None:
    found = positions(formation)
    assert found[0] is formation
    assert len({frozenset(position.piles) for position in found}) == len(found)
    for position in found:
        assert [units for _, units in position.piles] == [units for _, units in formation.piles]
        places, at_home = ([place for place, _ in one.piles] for one in (position, formation))
        assert set(places) <= set(range(16))
        assert [place % 2 for place in shape(places)] == [place % 2 for place in shape(at_home)]


def test_the_phalanx_can_face_each_side() -> None:
    lines = [{place for place, _ in one.piles} for one in positions(BY_NAME["phalanx"])]
    assert len(lines) == 9
    assert {10, 11, 12} in lines[1:], "in the last row"
    assert {4, 5, 11} not in lines


def test_a_formation_can_be_put_down_in_each_base_of_its_player() -> None:
    state = begin("placing", armies=2, map="ranges", seed=1)
    plan = arrangement(state)
    for preset in plan.presets:
        for placement in preset.placements:
            barred = plan.kinds[placement.kind].barred
            assert sum(units for _, units in placement.piles) == 12
            assert not {slot for slot, _ in placement.piles}.intersection(barred)
        first = {one.kind: one for one in reversed(preset.placements)}
        at_home = {pile for one in first.values() for pile in one.piles}
        assert at_home == {(slot, units) for slot, units in enumerate(preset.heights) if units}


@pytest.mark.parametrize(
    "options",
    [
        {"level": 1},
        {"level": 2, "map": "citadel"},
        {"level": 3, "players": 5},
        {"level": 4, "map": "/r1r3r7"},
        {"armies": 2, "map": "ranges"},
        {"armies": 3},
        {"players": 3, "armies": 2, "map": "spiral"},
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_every_one_is_legal_on_every_map(options: dict[str, object], seed: int) -> None:
    state = begin("placing", seed=seed, **options)
    presets = arrangement(state).presets
    assert len(presets) == sum(f.level <= int(state.game.options["level"]) for f in FORMATIONS)
    for preset in presets:
        done = state.clone()
        send(done, preset)
        assert 0 not in done.acting, "all units stand"


def test_armies_of_one_player_are_set_up_together() -> None:
    state = begin("placing", armies=3, map="steppe", seed=1)
    plan = arrangement(state)
    assert [kind.count for kind in plan.kinds] == [12, 12, 12]
    for index, kind in enumerate(plan.kinds):
        own = [name for slot, name in enumerate(plan.slots) if slot not in kind.barred]
        assert {name[0] for name in own} == {plan.kinds[index].id}
    send(state, plan.presets[0])
    state = until(state, "pawns")
    for army in part(state, "armies")[::2]:
        assert sorted(pile for pile in units(state).values() if army in pile) == [f"4{army}"] * 3


def test_what_stands_already_is_kept() -> None:
    state = begin("placing", level=1, seed=2)
    army = part(state, "armies")[0]
    for _ in range(5):
        state.apply(state.parse(f"{army}7", 0), 0)
    plan = arrangement(state)
    assert plan.kinds[0].count == 7
    assert plan.presets == ()


def test_nobody_sees_what_others_may_set_up() -> None:
    state = begin("placing", level=1, seed=2)
    for viewer in (1, tianxia.SPECTATOR):
        before = arrangement_of(SceneRequest(state.view(viewer), viewer))
        after = state.clone()
        send(after, arrangement(state).presets[1])
        assert arrangement_of(SceneRequest(after.view(viewer), viewer)) == before
        assert piles(part(after.view(viewer), "units")) == {}
    assert arrangement_of(SceneRequest(state.view(tianxia.SPECTATOR), tianxia.SPECTATOR)) is None


def test_the_mirror_is_there_where_all_images_are_free() -> None:
    plan = arrangement(begin("placing", level=1))
    assert [plan.slots[slot][1:] for slot in plan.mirror[:4]] == ["1", "4", "3", "2"]
    assert sorted(plan.mirror) == list(range(16))
    uneven = begin("placing", level=4, map="r2o2y2g2b2p2/r5o5y5")
    assert arrangement(uneven).mirror == ()
