"""A bot of its own: plays every game of Tianxia by lot, and attacks where it can.

tianxia arena stratego "exec:python3 examples/line_bot.py" random --games 10
"""

import random
import sys


def choose(view, tokens, rng):
    """Return one of the legal actions, by its token; `view` is all that we may know."""
    attacks = [token for token in tokens if "x" in token]
    return rng.choice(attacks or tokens)


def main():
    """Answer the two messages that want an answer; take note of the others."""
    rng, view = random.Random(), ""
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "game":  # game stratego(variant=duel) seat 0 seed 7 protocol 1
            rng.seed(int(rest.split()[4]))
            print("ready line_bot", flush=True)
        elif word == "view":  # view stratego(variant=duel) 0 setup rb 0/0 …
            view = rest
        elif word == "choose":  # choose 1.000 a4-a5 b4-b5 …
            print("action", choose(view, rest.split()[1:], rng), flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
