"""Questions with one answer that all can see are not asked."""

from __future__ import annotations

import random
from itertools import pairwise

from tests.tables.helpers import people, step
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.state import FEE_DUE
from tianxia.tables import Snapshot, Tables


def is_fee(action: int | None) -> bool:
    return action is not None and c.ACTIONS.split(action)[0] == "fee"


def played(tables: Tables, seed: int) -> list[Snapshot]:
    """Return what a game of Fire Bulls was after each action of a person."""
    rng = random.Random(seed)
    table_id = people(tables, "firebulls")
    found = [tables.snapshot(table_id)]
    while not found[-1].open_to_all and len(found) < 400:
        found.append(step(tables, table_id, rng))
    return found


def test_FBL_38_a_fee_without_a_choice_is_paid_by_itself(tables: Tables) -> None:
    paid = chosen = 0
    for seed in range(60):  # the chance of a table is its own secret
        if paid and chosen:
            break
        snapshots = played(tables, seed)
        for before, after in pairwise(snapshots):
            acts = [one for one in after.entries[len(before.entries) :] if one.kind == "act"]
            asked = before.state.fields["phase"] == FEE_DUE
            if asked:
                (seat,) = before.acting
                assert len(before.view(seat).legal_actions(seat)) > 1
            paid += sum(is_fee(one.action) for one in acts[1:])
            chosen += asked
    assert paid
    assert chosen
