"""The games of a tournament: what they are worth, and what becomes of those who do not come."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tianxia.bots import bots
from tianxia.draw.languages import N_
from tianxia.ratings.service import ranks
from tianxia.tables import NotNow, Snapshot, Tables, seating
from tianxia.tables.seating import Draft
from tianxia.tournaments.standings import points_of

COMPANY = 2
"""So many people there have to be at a table, or there is no game."""


def missing(tables: Tables, table_id: str, seats: Collection[int]) -> Snapshot:
    """Wait no longer for those at some seats who have not come to a table.

    Where two others have come bots play for them; where fewer are left there is no game. Who
    has come by now plays.
    """

    def go_on(draft: Draft) -> None:
        absent = {seat for seat in seats if draft.seats[seat].reserved}
        if draft.game_log.status != "waiting" or not absent:
            raise NotNow("come", N_("Everybody has come."))
        others = {seat: one for seat, one in enumerate(draft.seats) if seat not in absent}
        if len(others) < COMPANY:  # they have won, and need not come for it
            here = {seat: replace(one, reserved=False) for seat, one in others.items()}
            draft.change.seats = here
            draft.game_log.close(min(absent), draft.now)
            return
        if any(one.reserved for one in others.values()):
            raise NotNow("come", N_("Others may come yet."))
        bot = bots(draft.game_log.game)[-1]
        draft.change.seats = {
            seat: replace(draft.seats[seat], kind="bot", bot=bot) for seat in absent
        }
        draft.game_log.bots |= absent
        seating.start_if_full(draft)

    try:
        return tables.change(table_id, go_on)
    except NotNow:
        return tables.snapshot(table_id)


def points_at(snapshot: Snapshot) -> tuple[list[float], list[int]]:
    """Return the points of each seat of a finished game, and the seats that were not there.

    These never came, or never decided anything before their time was over.
    """
    absent = [seat for seat, one in enumerate(snapshot.seats) if one.reserved]
    if snapshot.ending == "closed" and absent:
        most = float(len(snapshot.seats) - 1)
        return [0.0 if one.reserved else most for one in snapshot.seats], absent
    how, _, who = snapshot.ending.partition(" ")
    fallen = [int(who)] if how == "clock" else range(len(snapshot.seats))
    if how in ("clock", "clocks"):
        absent += [seat for seat in fallen if seat not in snapshot.decided]
    points = points_of(ranks(snapshot))
    return [0.0 if seat in absent else one for seat, one in enumerate(points)], absent
