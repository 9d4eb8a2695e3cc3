"""A browser works every draw of a finished game out again, and notices what was changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.people import Person
from tests.e2e.server import Server
from tests.e2e.test_access import check
from tests.tables.helpers import DUEL, people, play_out
from tianxia.kernel.transcript import Transcript
from tianxia.tables import Tables
from tianxia.tables.verify import drawn, verify

pytestmark = pytest.mark.browser
Come = Callable[..., Person]


@pytest.fixture
def ada(person: Come, server: Server) -> Person:
    """Return somebody at a finished game in which there were draws."""
    one = person()
    one.go("/new/firebulls")
    one.page.fill("#nickname", "Ada")
    one.page.select_option("#seat1", "bot:random")
    one.page.click("form button.primary")
    one.at_table()
    one.page.wait_for_selector("#table[data-status=playing]")
    assert one.page.locator("[data-dice]").count() == 0
    one.resign()
    one.page.wait_for_selector("#table[data-status=over]")
    return one


def checked(one: Person) -> str:
    """Press the button and return what the page says."""
    one.tab("info")
    if one.page.get_attribute("#chance", "open") is None:
        one.press("#chance summary")
    one.press("[data-dice]")
    one.page.wait_for_selector("#dice :is(.dice-right, .dice-wrong)")
    text: str = one.page.inner_text("#dice")
    return text


def forged(one: Person, what: str, change: Callable[[str], str]) -> None:
    """Let an answer of the server arrive changed."""

    def answer(route: Any) -> None:
        received = route.fetch()
        route.fulfill(response=received, body=change(received.text()))

    one.page.route(f"**/api/v1/tables/*/{what}", answer)


def outcomes(one: Person) -> list[dict[str, Any]]:
    """Return what chance did and could have done, as the server says it."""
    path = f"{one.url}/api/v1{one.path.replace('/t/', '/tables/')}/chance"
    found: list[dict[str, Any]] = one.context.request.get(path).json()["actions"]
    return [action for action in found if len(action["outcomes"]) > 1]


def test_all_draws_are_right(ada: Person) -> None:
    real = outcomes(ada)
    assert len(real) > 5
    text = checked(ada)
    assert f"✓ Every draw follows from the secret: {len(real)} of {len(real)}." in text
    assert "The secret fits the seal." in text
    ada.press("#dice summary")
    assert ada.page.locator("#dice tbody tr").count() == len(real)
    assert list(check(ada, "dice")) == []


def test_a_changed_outcome_is_noticed(ada: Person) -> None:
    """An action of the transcript is exchanged for another one that was possible."""
    place, action = next(
        (place, action)
        for place, action in enumerate(outcomes(ada), 1)
        if action["outcomes"][0][0] != action["outcomes"][1][0]
    )
    other = next(token for token, _ in action["outcomes"] if token != action["token"])

    def change(text: str) -> str:
        head, _, body = text.partition("\n\n")
        tokens = list(re.finditer(r"(?<= )\S+", body))
        hit = tokens[action["ply"] - 1]
        assert hit.group() == action["token"]
        return f"{head}\n\n{body[: hit.start()]}{other}{body[hit.end() :]}"

    forged(ada, "transcript", change)
    text = checked(ada)
    assert "✗ Draws that do not follow from the secret: 1 of" in text
    wrong = f"Draw {place} (action {action['ply']}) is {other}; the secret gives {action['token']}."
    assert wrong in text


def test_changed_weights_are_noticed(ada: Person) -> None:
    def change(text: str) -> str:
        chance = json.loads(text)
        for action in chance["actions"]:
            action["outcomes"].reverse()
        return json.dumps(chance)

    forged(ada, "chance", change)
    assert "✗ Draws that do not follow" in checked(ada)


def test_an_action_of_chance_that_is_kept_back_is_noticed(ada: Person) -> None:
    def change(text: str) -> str:
        chance = json.loads(text)
        del chance["actions"][3]
        return json.dumps(chance)

    forged(ada, "chance", change)
    assert "the server does not say what it could have been" in checked(ada)


def test_another_secret_is_noticed(ada: Person) -> None:
    forged(ada, "transcript", lambda text: re.sub(r"(chance-secret: )..", r"\g<1>00", text))
    assert "The secret does not fit the seal" in checked(ada)


def test_the_seal_that_was_seen_first_counts(ada: Person) -> None:
    """A server that shows another seal at the end, with a secret that fits it, is found out."""
    key = f"tianxia:seal:{ada.path.removeprefix('/t/')}"
    assert ada.page.evaluate(f"JSON.parse(localStorage['{key}']).length") == 64
    ada.page.evaluate(f"localStorage['{key}'] = JSON.stringify('00'.repeat(32))")
    assert "not the one that this browser saw first" in checked(ada)


def test_a_browser_that_cannot_says_so(ada: Person) -> None:
    ada.page.evaluate("Object.defineProperty(window, 'isSecureContext', {value: false})")
    ada.tab("info")
    ada.press("#chance summary")
    ada.press("[data-dice]")
    ada.page.wait_for_selector("#dice :text('only on pages that come by https')")


# --- The arithmetic alone ---

SEEDS = ("“Zoë” 🎲", "\\ / \u00ad<seed>\"'")


@pytest.fixture
def duel(tmp_path: Path) -> tuple[str, dict[str, Any]]:
    """Return the transcript of a game of dice and draws with seeds, and its outcomes."""
    with Tables(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as tables:
        table_id = people(tables, DUEL, 2, seed=SEEDS[0])
        play_out(tables, table_id, seed=4)
        text = tables.transcript(table_id)
    assert verify(text).ok
    actions = [
        {"ply": one.ply, "token": one.token, "outcomes": [(t, str(w)) for t, w in one.outcomes]}
        for one in drawn(Transcript.read(text))
    ]
    return text, {"table": table_id, "actions": actions}


def test_the_module_agrees_with_ours(
    person: Come, server: Server, duel: tuple[str, dict[str, Any]]
) -> None:
    text, chance = duel
    one = person()
    one.go("/")
    sheet = one.page.get_attribute("link[rel=stylesheet]", "href")
    module = re.sub(r"css/.*", "js/chance.js", sheet)
    seal = Transcript.read(text).extra["chance-hash"]
    report = one.page.evaluate(
        """async ([module, text, chance, seal]) => {
            const found = await (await import(module)).check(text, chance, seal);
            return {draws: found.draws.length, steps: found.steps, problems: found.problems};
        }""",
        [module, text, chance, seal],
    )
    ours = verify(text)
    assert report == {"draws": ours.draws, "steps": ours.steps, "problems": []}
    assert ours.draws > 10
    tickets = one.page.evaluate(
        """async (module) => {
            const {Dice} = await import(module);
            const dice = await Dice.of("table", "ab".repeat(32), ["é🎲", ""]);
            const totals = [2n, 6n, 1000003n, 2n ** 63n + 1n, 2n ** 64n];
            const found = [];
            for (const total of totals) for (const n of [1, 2, 3, 4, 5, 6, 7, 8])
                found.push(String(await dice.ticket(total, n)));
            return found;
        }""",
        module,
    )
    from tianxia.tables.chance import Chance

    ours_dice = Chance("table", "ab" * 32, ("é🎲", ""))
    totals = (2, 6, 1000003, 2**63 + 1, 2**64)
    assert tickets == [str(ours_dice.ticket(t, n)) for t in totals for n in range(1, 9)]


def test_one_plays_on_from_a_position_and_all_draws_are_right_there(ada: Person) -> None:
    before, ply = ada.path, int(ada.page.get_attribute("#table", "data-plies") or 0)
    if ada.page.locator("[data-ending=close]").count():
        ada.page.keyboard.press("Escape")
    ada.press("[data-step=previous]")
    ada.page.wait_for_selector("#table[data-ply]")
    ply = int(ada.page.get_attribute("#table", "data-ply") or 0)
    told = ada.page.evaluate(
        """async () => {
            for (const _ of [0, 1]) document.querySelector("[data-step=play]").click();
            await new Promise((done) => setTimeout(done, 200));
            const now = document.querySelector("#log .is-now").textContent.trim();
            return document.getElementById("status").textContent.split(now).length - 1;
        }"""
    )
    assert told == 1  # begun and stopped at once: nothing is told again
    ada.press("#from-here")
    ada.page.wait_for_selector("form[data-send] #seat")
    assert ada.page.get_attribute("[name=ply]", "value") == str(ply)
    assert list(check(ada, "from here")) == []
    ada.page.select_option("#bot", "bot:random")
    ada.press("form[data-send] button.primary")
    ada.at_table()
    ada.page.wait_for_selector("#table[data-status=playing]")
    assert ada.path != before
    ada.resign()
    ada.page.wait_for_selector("#table[data-status=over]")
    real = outcomes(ada)
    assert f"✓ Every draw follows from the secret: {len(real)} of {len(real)}." in checked(ada)
