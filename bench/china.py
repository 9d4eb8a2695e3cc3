"""Random play of China beside OpenSpiel's goofspiel in C++, in one run.

    uv run --group bench python bench/china.py

`rates.py` says how it is measured.
"""

from __future__ import annotations

from rates import GOOFSPIEL, compare, peers, random_play, sampling


def main() -> None:
    """Measure and print."""
    everything = "china(players=5,fortifications=yes,tiles=yes)"
    rates = {
        "tianxia, 3 players": random_play("china", 3000),
        "tianxia, 2 players": random_play("china(players=2)", 3000),
        "tianxia, 5, forts and tiles": random_play(everything, 3000),
        "tianxia, 4, border disputes": random_play("china(players=4,board=border)", 3000),
    }
    rates |= peers({"OpenSpiel goofspiel, C++": (GOOFSPIEL, 20_000)})
    rates["tianxia, sampled worlds, 2"] = sampling("china(players=2)", 1, 120)
    rates["tianxia, sampled worlds, 5"] = sampling("china(players=5)", 1, 120)
    compare(rates, "china")


if __name__ == "__main__":
    main()
