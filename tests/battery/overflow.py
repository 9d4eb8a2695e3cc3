"""Break the toy game where compiled code and Python differ, and see that the battery notices.

``python -m tests.battery.overflow`` says what it noticed. NumPy's small integers wrap around,
compiled ones grow: 4 · 4 · 4 · 4 cards are 0 for the one and 256 for the other. The broken
answer is there before anything is compiled, in a cache folder of its own.
"""

from __future__ import annotations

import os
import shutil
import tempfile

os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp()

from typing import Any

import tianxia
from tests.battery import games
from tianxia import testing
from tianxia.kernel import functions as kernel
from tianxia.kernel.jit import FOLDER

assert games.SPECS


def setup(state: Any) -> None:
    """Begin the toy game, and write down how many hands there could be, wrongly."""
    for rank in range(3):
        state.deck[rank] = 4
    state.points[0] = state.deck[0] * state.deck[1] * state.deck[2] * state.deck[0] // 64


def main() -> None:
    known = kernel._answers[kernel.setup]
    right = known[tianxia.game("blind-duel").kind.dtype]
    known.update({kind: setup for kind, answer in known.items() if answer is right})
    try:
        testing.check_equality(tianxia.game("blind-duel"))
    except testing.CheckFailed as error:
        print(str(error).splitlines()[0])
    else:
        print("SURVIVED")
    finally:
        shutil.rmtree(FOLDER.parent)


if __name__ == "__main__":
    main()
