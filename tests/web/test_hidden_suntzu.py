"""Nobody is sent what he may not know of Sun Tzu's cards, nor why somebody declines.

The same game is played on two servers, with the same chance. On the second, Sun Tzu holds
another strategy card, changes his mind while he lays, and puts another card under his deck.
In both he has answered in advance that he keeps his strategy card. All that the King and a
spectator are sent has to be the same, byte for byte and in the same order.
"""

from __future__ import annotations

import itertools
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import Log
from tests.web.test_hidden import Watched, difference, same_chance
from tests.web.world import BASE, QUICK, Table, Visitor, world
from tianxia.tables import Tables
from tianxia.web import live

ORDERS = ("Qin=1", "Chu=2", "JinYan=3", "HanQi=4", "Wu=5")
ANSWER = ("Qin=2", "Chu=3", "JinYan=4", "HanQi=5", "Wu=1")
AROUND, WITHIN = "keep-around-fights", "keep-in-fights"


class Curious(Watched):
    """Somebody who asks for all that Sun Tzu's page can ask for."""

    def ask(self) -> None:
        """Ask for it, and try what is not his to do."""
        api, page = f"/api/v1/tables/{self.table}", f"/t/{self.table}"
        for path in (api, f"{api}/picture", f"{api}/transcript", f"{page}/steps?after=0", page):
            self.visitor.get(path)
        for element in ("Wu", "Qin", "card-7", "drawn-7", "S4", "S1", "K1", "reserve", "pawn"):
            self.visitor.get(f"{page}/ask?e={element}&action=80")
            self.visitor.get(f"{api}/ask?element={element}")
        for number in (3, 80, 84, 101, 130, 155):
            self.visitor.post(f"{page}/why", {"action": number})
        for elements in (["card-7", "Qin"], ["K2", "Wu"], ["pass"], ["aside"]):
            self.visitor.post(f"{page}/why", {"elements": elements})


def send(table: Table, visitor: Visitor, *tokens: str) -> None:
    """Act by tokens, through the API."""
    api = f"/api/v1/tables/{table.id}"
    decision = visitor.get(api).json()["decision"]
    answer = visitor.post(f"{api}/act", {"actions": [*tokens], "decision": decision})
    assert answer.status_code == 200, answer.text


def device(visitor: Visitor) -> Visitor:
    """Return another device of somebody."""
    other = visitor.world.visitor()
    name, domain = "tianxia_person", urlsplit(BASE).hostname or ""
    other.client.cookies.set(name, visitor.client.cookies[name], domain=domain)
    return other


def named(table: Table, visitor: Visitor) -> str:
    """Return the province that somebody would name next, "" where he is not asked."""
    legal = visitor.get(f"/api/v1/tables/{table.id}").json()["legal"]
    return next((a["token"] for a in legal if a["token"].startswith("next=")), "")


def put_under(table: Table, visitor: Visitor, which: int) -> None:
    """Put one of the cards drawn under the deck: the first that there is, or the last."""
    legal = visitor.get(f"/api/v1/tables/{table.id}").json()["legal"]
    assert len(legal) > 1, "another seed of chance is needed: both cards drawn are the same"
    send(table, visitor, legal[which]["token"])


def hesitate(table: Table, visitor: Visitor) -> None:
    """Lay two cards, discard one in secret, take all of it back."""
    send(table, visitor, "Qin=5", "Wu=1")
    legal = visitor.get(f"/api/v1/tables/{table.id}").json()["legal"]
    send(table, visitor, next(a["token"] for a in legal if a["token"].startswith("reinforce")))
    for _ in range(2):
        assert visitor.post(f"/t/{table.id}/take-back", {}).status_code == 200


def story(
    card: str, which: int, monkeypatch: pytest.MonkeyPatch, log: Log, *, change_of_mind: bool
) -> tuple[list[bytes], ...]:
    """Play two rounds; return what the King and a spectator were sent.

    The King decides on another device than the one he watches on: there answers and pushes
    would overtake one another.
    """
    log.clear()
    monkeypatch.setattr(live, "BEAT_SECONDS", 1e6)
    tables = Tables("sqlite://", clock=itertools.count(1_000_000.0).__next__)
    tables.clock = lambda: 1_000_000.0
    with same_chance(monkeypatch), world(QUICK, tables) as running:
        table = running.seated("open", "me", game="suntzu")
        blue, red, spectator = table.guest(0), table.host, running.visitor(accept_language="fr")
        spectator.become()
        hand = device(red)
        with red.live(table.id) as one, spectator.live(table.id) as two:
            watching = [Curious(red, one, table.id), Curious(spectator, two, table.id)]

            def look(*, ask: bool = True) -> None:
                # Pushes that nobody waited for may come as one, depending on the hour.
                for who in watching:
                    who.catch_up()
                    if ask:
                        who.ask()

            look()
            send(table, hand, "choose=K1")
            look(ask=False)
            send(table, blue, f"choose={card}")
            look(ask=False)
            for person, name in itertools.product((blue, hand), (AROUND, WITHIN)):
                wish = {"name": name, "on": True}
                assert person.post(f"/t/{table.id}/standing", wish).status_code == 200
                look(ask=False)
            look()
            for _ in range(2):
                if change_of_mind:
                    hesitate(table, blue)
                assert one.silent(0.05)
                send(table, blue, *ORDERS)
                look()
                send(table, hand, *ANSWER)
                look()
                while name := named(table, hand):
                    send(table, hand, name)
                    look(ask=False)
                put_under(table, hand, 0)
                look(ask=False)
                put_under(table, blue, which)
                look()
        return red.received, hand.received, spectator.received


@pytest.mark.timeout(300)
def test_another_card_and_another_choice_change_no_byte_for_others(
    monkeypatch: pytest.MonkeyPatch, log: Log
) -> None:
    first = story("S4", 0, monkeypatch, log, change_of_mind=False)
    second = story("S1", -1, monkeypatch, log, change_of_mind=True)
    for who, mine, theirs in zip(("King", "his hand", "spectator"), first, second, strict=True):
        assert len(mine) > 10
        for place, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            assert a == b, f"{who}, message {place}: {difference(a, b)}"
