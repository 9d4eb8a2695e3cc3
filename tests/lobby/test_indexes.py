"""What meeting, watching and looking together ask of the database is found by an index."""

from __future__ import annotations

from tests.tables.helpers import BARRAGE, DUEL, people, play_out
from tests.tables.test_indexes import LARGE, Heard, looks
from tianxia.lobby import Lobby
from tianxia.lobby.company import Company
from tianxia.lobby.gallery import Gallery
from tianxia.lobby.together import Together

GROWING = (*LARGE, "accounts", "seeks", "visitors", "gallery", "looks", "pages", "shunned")


def use(lobby: Lobby) -> None:
    """Do once what people do who meet, and who watch."""
    tables = lobby.tables
    lobby.seek("cid", "Cid", BARRAGE)
    lobby.seeks("dan")
    waiting = lobby.seek("dan", "Dan", BARRAGE, "300+5")
    lobby.look(waiting.id, "dan")
    lobby.give_up(waiting.id, "dan")
    met = lobby.seek("eve", "Eve", BARRAGE)
    assert met.table_id
    tables.waiting()
    tables.watchable()
    tables.asked_to("somebody")
    lobby.visit("cid")
    gallery, running = Gallery(tables, lobby.shunned), people(tables)
    gallery.say(running, "fay", "Fay", "What a move!")
    (remark,) = gallery.lines(running, "gus")
    gallery.speaker(running, "gus", remark.id)
    over = people(tables, DUEL)
    play_out(tables, over, 1)
    together = Together(tables)
    look = together.open(over, 0, "Ada")
    together.step(over, look, 2, "Bob")
    together.look(over, look)
    company = Company(tables)
    company.come("page", over, "ann", look, "Ann")
    company.stay("page")
    company.at(over, look)
    company.go("page", over)


def test_no_statement_looks_through_all(lobby: Lobby) -> None:
    heard = Heard(lobby.store.engine)
    use(lobby)
    assert len(heard.statements) > 20
    assert looks(lobby.tables, heard, GROWING) == {}
