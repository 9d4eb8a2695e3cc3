"""Random play of Bin'Fa beside OpenSpiel's backgammon in C++, in one run.

    uv run --group bench python bench/binfa.py

`rates.py` says how it is measured.
"""

from __future__ import annotations

from rates import compare, peers, random_play


def main() -> None:
    """Measure and print."""
    rates = {
        "tianxia, level 4, 2 players": random_play("binfa", 1000),
        "tianxia, level 4, 6 players": random_play("binfa(players=6)", 1000),
        "tianxia, level 4, 2 × 3 armies": random_play("binfa(armies=3)", 1000),
        "tianxia, level 1, 2 players": random_play("binfa(level=1)", 1000),
        "tianxia, level 3, 2 players": random_play("binfa(level=3)", 1000),
    }
    rates |= peers({"OpenSpiel backgammon, C++": ("backgammon", 200)})
    compare(rates, "binfa")


if __name__ == "__main__":
    main()
