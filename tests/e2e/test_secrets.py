"""Nothing that a browser receives tells what its owner may not know.

Two games take the same course; only the hidden ranks of one army are exchanged. All that
the opponent and a spectator have received, by HTTP and WebSocket, has to be the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.e2e.people import Person

pytestmark = pytest.mark.browser
Come = Callable[..., Person]

# What differs between any two tables or visits, and tells nothing: random ids and keys,
# the seal of chance, digests of pieces (made of what is compared here) and form tokens.
RANDOM = (
    (re.compile(r"/seat/[\w-]+"), "/seat/KEY"),
    (re.compile(r"\bt[0-9a-f]{8}-"), "PREFIX-"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "SEAL"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "TOKEN"),
    (re.compile(r"\b[0-9a-f]{18}\b"), "VERSION"),
    (re.compile(r'(?<=\{"now":)[0-9.]+'), "NOW"),
)
WHENEVER = {"beat", "version", "company"}
"""What comes when it comes: signs of life, and who has a page open, which everybody may know."""
CLOCK = '{"now":NOW,"wishes":[]}'
"""The time, asked for now and then: how often somebody has heard it depends on the hour."""


def same(text: str, table: str) -> str:
    """Return a text without what differs between any two tables."""
    text = text.replace(table.removeprefix("/t/"), "TABLE")
    for pattern, name in RANDOM:
        text = pattern.sub(name, text)
    return text


@dataclass(frozen=True)
class Received:
    """What somebody was sent: all texts, and the pushes in their order.

    A page that has heard nothing for some seconds asks once more for what it has: the same
    text may come twice, by HTTP or as a push, on a slow machine.
    """

    texts: frozenset[str]
    pushes: tuple[str, ...]

    @classmethod
    def by(cls, one: Person, table: str) -> Received:
        """Collect what a person has received so far."""
        pushes = [same(text, table) for frame in one.frames if (text := whole(frame))]
        texts = [same(whole(text), table) for text in (*one.kept, *one.bodies())]
        said = frozenset(texts) - {CLOCK, ""} | frozenset(pushes)
        return cls(said, tuple(dict.fromkeys(pushes)))


def whole(text: str) -> str:
    """Return the page's piece in an answer or a push, or the text if it holds none.

    Nothing of what comes when it comes: on a slow machine it did in one game and not in the other.
    """
    if not text.startswith("{"):
        return text
    message = json.loads(text)
    return str(message.get("html", "" if message.keys() <= WHENEVER else text))


def told(people: tuple[Person, ...], *words: str) -> None:
    """Wait until the page of each says all of this.

    Pushes that nobody waited for may come as one: what is received would depend on the hour.
    """
    for one in people:
        for word in words:
            one.until(f"document.getElementById('table').outerHTML.includes({json.dumps(word)})")


def newest(one: Person) -> int:
    """Return the number of the newest line of the log; turns that are over fold theirs."""
    lines = "[...document.querySelectorAll('#log li[id^=log-]')].map(line => +line.id.slice(4))"
    number: int = one.page.evaluate(f"Math.max(...{lines})")
    return number


def game(person: Come, *, exchanged: bool) -> dict[str, Received]:
    """Play a few moves without a fight; return what opponent and spectator have received."""
    ada, bob, eve = (person(record=True) for _ in range(3))
    table = ada.open_table(variant="classic")
    eve.go(table)
    eve.at_table()
    bob.sit_down(table, "Bob")
    told((ada, eve), "Bob")
    # Whether the page that he leaves by sitting down still hears of it depends on the hour.
    bob.at_table()
    bob.frames.clear()
    bob.set_up(1)
    told((ada, bob, eve), 'id="log-2"')
    ada.page.select_option("#tray-presets", index=1)
    if exchanged:
        # All that stands on the first row changes places with the row before it.
        for column in "acdefghi":
            ada.page.click(f'[data-e="{column}1"]')
            ada.page.click(f'[data-e="{column}2"]')
    before = ada.decision()
    ada.page.click("#tray-ready")
    ada.changed(before)
    people = (ada, bob, eve)
    told(people, "The game begins.", "Both armies stand")
    for mover, other in [(ada, bob), (bob, ada)] * 4:
        before = newest(other)
        gestures = mover.facts()["gestures"]["gestures"]
        quiet = [g for g in gestures if not g["f"] and g["s"][0][0][1:] in ("4", "7")]
        mover.play(quiet[0])
        other.page.wait_for_selector("#table[data-your-turn]")
        told(people, f'id="log-{before + 1}"')
    return {
        name: Received.by(one, table)
        for name, one in (("owner", ada), ("opponent", bob), ("spectator", eve))
    }


def test_hidden_ranks_are_in_nothing_that_is_received(person: Come) -> None:
    first, second = game(person, exchanged=False), game(person, exchanged=True)
    assert first["owner"] != second["owner"]
    for name in ("opponent", "spectator"):
        assert len(first[name].pushes) > 4  # what one does oneself is not pushed
        assert first[name] == second[name]
