"""Random play of Bin'Fa beside OpenSpiel's backgammon in C++, in one run.

    uv run --group bench python bench/binfa.py

`rates.py` says how it is measured.
"""

from __future__ import annotations

from rates import compare, peers, random_play

CAP = "turns=1000"
"""Random play seldom ends by itself."""


def main() -> None:
    """Measure and print."""
    rates = {
        "tianxia, level 4, 2 players": random_play(f"binfa({CAP})", 1000),
        "tianxia, level 4, 6 players": random_play(f"binfa(players=6,{CAP})", 1000),
        "tianxia, level 4, 2 × 3 armies": random_play(f"binfa(armies=3,{CAP})", 1000),
        "tianxia, level 1, 2 players": random_play(f"binfa(level=1,{CAP})", 1000),
        "tianxia, level 3, 2 players": random_play(f"binfa(level=3,{CAP})", 1000),
    }
    rates |= peers({"OpenSpiel backgammon, C++": ("backgammon", 200)})
    compare(rates, "binfa")


if __name__ == "__main__":
    main()
