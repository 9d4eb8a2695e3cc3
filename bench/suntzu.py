"""Random play of Sun Tzu beside OpenSpiel's C++ goofspiel, in one run.

    uv run --group bench python bench/suntzu.py

Goofspiel is the nearest thing there: two players choose cards at the same time, too, but it
has hardly any rules; the actions of both players are counted as two. `rates.py` says how it
is measured.
"""

from __future__ import annotations

from rates import GOOFSPIEL, compare, peers, random_play, sampling

SPECS = ("suntzu", "suntzu(events=yes)", "suntzu(deck=beginner,strategies=no)")


def main() -> None:
    """Measure and print."""
    rates = {spec: random_play(spec, 4000) for spec in SPECS}
    rates |= peers({"OpenSpiel goofspiel, C++": (GOOFSPIEL, 4000)})
    rates["sampled worlds"] = sampling("suntzu", 1, 90)
    compare(rates, "suntzu")


if __name__ == "__main__":
    main()
