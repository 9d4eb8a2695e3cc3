"""Guided first games: each is followed to its end, left, and kept from everybody else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.web.world import Visitor, World
from tianxia.draw.guides import Guide, guide_of
from tianxia.kernel import registry

GUIDED = [name for name in registry.games() if guide_of(registry.kind(name))]


def guide_named(name: str) -> Guide:
    guide = guide_of(registry.kind(name))
    assert guide is not None
    return guide


def begin(visitor: Visitor, game: str) -> str:
    table = visitor.post(f"/learn/{game}", {}).json()["table"]
    assert isinstance(table, str)
    return table


def page(visitor: Visitor, table: str) -> str:
    html = visitor.get(f"/t/{table}/fragment").json()["html"]
    assert isinstance(html, str)
    return html


def decision(html: str) -> dict[str, Any]:
    found = re.search(r'id="gestures"[^>]*>(.*?)</script>', html, re.S)
    assert found is not None
    read = json.loads(found[1])
    assert isinstance(read, dict)
    return read


def points(html: str) -> list[str]:
    found = re.search(r"data-points='([^']*)'", html)
    assert found is not None
    read = json.loads(found[1])
    assert isinstance(read, list)
    return read


def sent_by_tray(arrangement: dict[str, Any], shown: dict[str, Any]) -> list[int]:
    """Return what the tray of the page sends for a layout, in its order."""
    layout, kinds = shown["layout"], arrangement["kinds"]
    offsets = arrangement["offsets"] or [0] * len(layout)
    if arrangement["piles"]:
        heights = shown["heights"]
        return [
            kinds[kind]["action"] + offsets[slot]
            for slot, kind in enumerate(layout)
            for _ in range(heights[slot])
        ]
    end = max(slot for slot, kind in enumerate(layout) if kind >= 0) + 1
    return [
        arrangement["empty"] if kind < 0 else kinds[kind]["action"] + offsets[slot]
        for slot, kind in enumerate(layout[:end])
    ]


def follow(visitor: Visitor, table: str, guide: Guide, language: str) -> None:
    """Do what is asked, as its page says it, and look at each step."""
    told: set[int] = set()
    batch: list[int] = []
    rest = [one for one in guide.line if one.asked is not None]
    for one, after in zip(rest, [*rest[1:], None], strict=True):
        assert one.asked is not None
        html = page(visitor, table)
        if one.asked not in told:
            told.add(one.asked)
            words = visitor.get(f"/t/{table}/hint").json()["hints"][0]
            assert words["reason"] == guide.steps[one.asked].text(language)
            assert words["gesture"] or words["layout"], one
            assert 'id="guide"' in html
            for element in points(html):
                assert f'data-e="{element}"' in html, (one, element)
            assert points(html) or words["layout"]
            if words["layout"]:
                meant = [other.action for other in rest if other.asked == one.asked]
                assert sent_by_tray(decision(html)["arrangement"], words["layout"]) == meant
        batch.append(one.action)
        if decision(html)["arrangement"] and after and after.asked == one.asked:
            continue
        sent = {"actions": batch, "decision": decision(html)["decision"]}
        answer = visitor.post(f"/t/{table}/act", sent)
        assert answer.status_code == 200, (one, answer.text)
        batch = []


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GUIDED)
def test_a_guided_game_is_followed_to_its_end(here: World, game: str, language: str) -> None:
    visitor = here.visitor(accept_language=language)
    table, guide = begin(visitor, game), guide_named(game)
    follow(visitor, table, guide, language)
    html = page(visitor, table)
    assert 'id="guide"' in html
    assert "leave-guide" not in html


def test_what_the_guide_does_not_ask_for_is_refused_and_changes_nothing(here: World) -> None:
    visitor = here.visitor()
    table, guide = begin(visitor, "stratego"), guide_named("stratego")
    before = page(visitor, table)
    asked = next(one for one in guide.line if one.asked is not None)
    other = next(a for a in guide.game.new().legal_actions(0) if a != asked.action)
    sent = {"actions": [other], "decision": decision(before)["decision"]}
    answer = visitor.post(f"/t/{table}/act", sent)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "guided"
    assert page(visitor, table) == before


def test_who_leaves_the_guide_plays_on_as_he_likes(here: World) -> None:
    visitor = here.visitor()
    table, guide = begin(visitor, "stratego"), guide_named("stratego")
    assert visitor.post(f"/t/{table}/leave-guide", {}).status_code == 200
    html = page(visitor, table)
    assert 'id="guide"' not in html
    asked = next(one for one in guide.line if one.asked is not None)
    other = next(a for a in guide.game.new().legal_actions(0) if a != asked.action)
    sent = {"actions": [other], "decision": decision(html)["decision"]}
    assert visitor.post(f"/t/{table}/act", sent).status_code == 200


def test_an_ordinary_table_has_no_guide_to_leave(here: World) -> None:
    visitor = here.visitor()
    table = visitor.post("/play/stratego", {}).json()["table"]
    assert visitor.post(f"/t/{table}/leave-guide", {}).status_code == 409
    assert 'id="guide"' not in page(visitor, table)


def test_who_watches_is_told_nothing_by_the_guide(here: World) -> None:
    visitor, other = here.visitor(), here.visitor()
    table = begin(visitor, "stratego")
    assert 'id="guide"' not in page(other, table)


@pytest.mark.parametrize("path", ["/learn/stratego", "/", "/rules/stratego", "/new/stratego"])
def test_the_guided_game_is_offered(here: World, path: str) -> None:
    assert "/learn/stratego" in here.visitor().get(path).text
