"""Games of every version of every rule book so far, and what the present rules make of them.

Each file holds games of one version: the rows of a table's log, with all positions. They are
judged by the code that decides at a server's start which running games go on, so a change of
rules shows which games it touches: `verdicts.txt` changes. To add games of the versions that
are installed, and to write the verdicts anew::

    python -m tests.corpus

Files of older versions are never written again. What is committed is what was played.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tianxia
from tianxia.tables import SeatPlan, TableError, Tables
from tianxia.tables import log as logs
from tianxia.tables.chance import Chance
from tianxia.tables.game_log import GameLog, OtherGame
from tianxia.tables.log import Row

FOLDER = Path(__file__).parent
VERDICTS = FOLDER / "verdicts.txt"
MOST_ACTIONS = 260
"""Of one game; beyond that nothing new happens, as a rule."""
TAKEN_BACK = 0.02
"""How often somebody takes back."""
PLAYED = {
    "stratego": (
        "stratego(variant=duel)",
        "stratego(variant=barrage,two_squares=5)",
        "stratego(variant=classic)",
        "stratego(variant=barrage,two_squares=0,draw_after=30)",
    ),
    "firebulls": (
        "firebulls(players=2)",
        "firebulls(players=3)",
        "firebulls(players=5)",
    ),
    "suntzu": (
        "suntzu(events=yes)",
        "suntzu(deck=beginner,strategies=no)",
        "suntzu(events=yes,plague=spares)",
        "suntzu(strategies=no)",
    ),
    "china": (
        "china(players=2,tiles=yes)",
        "china(players=3,fortifications=yes,tiles=yes)",
        "china(players=4,board=border,tiles=yes)",
        "china(players=5)",
    ),
    "binfa": (
        "binfa(level=1,players=3)",
        "binfa(level=2,players=2)",
        "binfa(players=3,map=placed)",
        "binfa(armies=2)",
        "binfa(map=valley,turns=30)",
    ),
}


def file_of(game: str, version: int) -> Path:
    return FOLDER / f"{game}-{version}.jsonl.xz"


def play(spec: str, seed: int) -> dict[str, Any]:
    """Play a game at a table at random, now and then back; return all that is stored of it."""
    dice, game = random.Random(seed), tianxia.game(spec)
    people = [f"person {seat}" for seat in range(game.seats)]
    with Tables("sqlite://") as tables:
        plans = [SeatPlan("me"), *[SeatPlan("open")] * (game.seats - 1)]
        table = tables.create(spec, plans, person=people[0]).table_id
        for seat, person in enumerate(people[1:], 1):
            tables.take_seat(table, seat, person)
        for _ in range(MOST_ACTIONS):
            snapshot = tables.snapshot(table)
            if snapshot.open_to_all:
                break
            seat = dice.choice(snapshot.acting)
            if dice.random() < TAKEN_BACK and snapshot.may_take_back(seat):
                tables.take_back(table, people[seat])
                continue
            action = dice.choice(snapshot.view(seat).legal_actions(seat))
            tables.act(table, people[seat], [action], snapshot.decision(seat))
        stored = tables.store.load(table)
    assert stored is not None
    rows, before = [], ""
    for row in stored.rows:
        positions = logs.unpack(row.position, before) if row.position is not None else []
        before = positions[-1] if positions else before
        rows.append([row.kind, row.seat, row.action, row.batch, list(row.undone), positions])
    head = stored.head
    return {
        "spec": spec,
        "rules": head.rules_version,
        "status": head.status,
        "table": head.id,
        "secret": head.chance_secret,
        "rows": rows,
    }


def write(game: str, version: int) -> None:
    """Play games of the rules that are installed, and keep them."""
    lines = [json.dumps(play(spec, seed)) for seed, spec in enumerate(PLAYED[game], 1)]
    file_of(game, version).write_bytes(lzma.compress("\n".join(lines).encode(), preset=9))


def stored(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the games in a file."""
    for line in lzma.decompress(file.read_bytes()).decode().split("\n"):
        yield json.loads(line)


def game_log(kept: dict[str, Any]) -> GameLog:
    """Return a game as a server reads it that has other rules."""
    game = tianxia.game(kept["spec"])
    chance = Chance(kept["table"], kept["secret"], ("",) * game.seats)
    read, rows, before = GameLog(game, chance, -1, ()), [], ""
    for number, (kind, seat, action, batch, undone, positions) in enumerate(kept["rows"], 1):
        packed = logs.pack(positions, before) if positions else None
        before = positions[-1] if positions else before
        rows.append(Row(number, kind, seat, action, batch, 0.0, None, packed, tuple(undone)))
    read.read(rows)
    read.status = kept["status"]
    return read


def verdict(kept: dict[str, Any]) -> str:
    """Return what the rules installed make of a game, as a line."""
    name = f"{kept['spec']} of rules {kept['rules']}, {len(kept['rows'])} rows"
    try:
        game_log(kept).under_present_rules(0.0)
    except OtherGame as other:
        kind = kept["rows"][other.number - 1][0]
        return f"{name}: another game from row {other.number} ({kind}) on"
    except TableError as error:
        return f"{name}: {error.code}"
    return f"{name}: the same"


def verdicts() -> str:
    """Return what the rules installed make of all games."""
    lines = [verdict(kept) for file in sorted(FOLDER.glob("*.xz")) for kept in stored(file)]
    return "\n".join(lines) + "\n"
