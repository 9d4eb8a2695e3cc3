"""Random play of Fire Bulls beside OpenSpiel's goofspiel in C++, in one run.

    uv run --group bench python bench/firebulls.py

`rates.py` says how it is measured.
"""

from __future__ import annotations

from rates import GOOFSPIEL, compare, peers, random_play, sampling


def main() -> None:
    """Measure and print."""
    rates = {
        "tianxia, 2 players": random_play("firebulls(players=2)", 5000),
        "tianxia, 5 players": random_play("firebulls(players=5)", 5000),
    }
    rates |= peers({"OpenSpiel goofspiel, C++": (GOOFSPIEL, 20_000)})
    rates["tianxia, sampled worlds, 2"] = sampling("firebulls(players=2)", 1, 120)
    rates["tianxia, sampled worlds, 5"] = sampling("firebulls(players=5)", 1, 120)
    compare(rates, "firebulls")


if __name__ == "__main__":
    main()
