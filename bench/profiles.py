"""What pages about people cost where much was played: CPU time of the server for each.

::

    NUMBA_DISABLE_JIT=1 python bench/profiles.py --games 10000 --accounts 1000
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.web.test_accounts import registered
from tests.web.world import World, world
from tianxia.tables import SeatPlan, schema

GAMES = ("stratego", "stratego(variant=barrage)", "suntzu", "binfa", "firebulls(players=2)")
ROUNDS = 20


def filled(here: World, games: int, accounts: int) -> None:
    """Store accounts, finished games and ratings; the first accounts play most."""
    dice, now = random.Random(1), here.app_state.tables.clock()
    mine = here.app_state.accounts.named("Ada Bench")
    assert mine is not None
    ids = [mine.id, *(f"account{number:05}" for number in range(1, accounts))]
    weights = [1 / (place + 1) for place in range(accounts)]
    people = [
        {
            "id": one, "name": f"Name {one}", "name_key": f"name{one}", "person": f"p{one}",
            "bot": False, "created": now, "seen": now,
        }
        for one in ids[1:]
    ]  # fmt: skip
    heads, seats, played, results = [], [], [], []
    ratings: dict[tuple[str, str], dict[str, object]] = {}
    for number in range(games):
        spec, table, ended = dice.choice(GAMES), f"bench{number:06}", now - 60.0 * number
        one, other = ids[0], ids[0]
        while one == other:
            one, other = dice.choices(ids, weights, k=2)
        game, won = spec.partition("(")[0], dice.choice((0, 0, 1, 1, 2))
        heads.append(
            {
                "id": table, "game": game, "spec": spec, "rules_version": 1, "talk": False,
                "public": number % 5 > 0, "created": ended - 900, "updated": ended, "version": 9,
                "status": "over", "ending": "rules", "acting": 0, "bot_turn": False,
                "chance_secret": "", "chance_hash": "", "pace": "300+5", "rated": True,
            }
        )  # fmt: skip
        for seat, account in enumerate((one, other)):
            result = "drawn" if won == 2 else "won" if won == seat else "lost"
            place = {"table_id": table, "seat": seat, "account": account}
            seats.append({**place, "kind": "person", "name": f"N{account}", "bot": "", "seed": "",
                          "reserved": False})  # fmt: skip
            played.append({**place, "bot": "", "game": game, "spec": spec, "ended": ended,
                           "public": number % 5 > 0, "result": result,
                           "opening": f"opening {dice.randrange(9)}"})  # fmt: skip
            mu = dice.gauss(25, 5)
            results.append({**place, "number": games - number, "game": game, "pace": "quick",
                            "ended": ended, "place": 0, "mu": mu, "sigma": 2.0})  # fmt: skip
            ratings[account, game] = {"account": account, "game": game, "pace": "quick", "mu": mu,
                                      "sigma": 2.0, "points": mu - 6, "games": 30}  # fmt: skip
    with here.app_state.tables.store.writing() as connection:
        for relation, rows in (
            (schema.accounts, people),
            (schema.tables, heads),
            (schema.seats, seats),
            (schema.played, played),
            (schema.results, results),
            (schema.ratings, list(ratings.values())),
        ):
            connection.execute(sa.insert(relation), rows)


def gathered(here: World, count: int) -> None:
    """Let people wait in the lobby, in each way, and play in public."""
    tables, lobby = here.app_state.tables, here.app_state.lobby
    plans = [SeatPlan("me"), SeatPlan("open")]
    for number in range(count):
        person, pace = f"person {number}", f"{60 * (number % 50 + 1)}+{number // 50}"
        lobby.seek(person, f"Waits {number}", GAMES[1], pace)
        tables.create(GAMES[1], plans, person=person, public=True, pace=pace)
        made = tables.create(GAMES[1], plans, person=person, public=True, pace=pace)
        tables.take_seat(made.table_id, 1, f"other {number}")


def main() -> None:
    """Print the median and the largest CPU time of each page, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--accounts", type=int, default=1_000)
    parser.add_argument("--gathered", type=int, default=100)
    given = parser.parse_args()
    with world(awake=False) as here:
        ada = registered(here, "Ada Bench")
        filled(here, given.games, given.accounts)
        gathered(here, given.gathered)
        other = "/@Name%20account00001"
        for path in (
            "/@Ada%20Bench",
            other,
            "/games",
            "/games?game=stratego",
            "/games?player=Ada%20Bench&result=drawn",
            "/ratings/stratego",
            "/lobby",
        ):
            spent = []
            for _ in range(ROUNDS):
                begun = time.process_time()
                answer = ada.get(path)
                spent.append(1000 * (time.process_time() - begun))
                assert answer.status_code == 200, answer.text
            print(f"{path:44} median {statistics.median(spent):5.1f} ms  largest {max(spent):5.1f}")


if __name__ == "__main__":
    main()
