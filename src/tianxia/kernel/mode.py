"""How rules run in this process: compiled, or interpreted as the plain Python that they are.

Compiled rules are fast, but have to be made and loaded first. Interpreted ones need no
compiler at all: Numba is not even imported. ``NUMBA_DISABLE_JIT=1`` asks for them, and so
do ``TIANXIA_RULES=interpreted``, which a server's processes inherit, and `interpret`. The first
module of the kernel that asks settles it for the process. A server interprets them unless
``TIANXIA_RULES=compiled`` says otherwise.

Between the two, ``TIANXIA_RULES=bots`` compiles only what bots think with: positions are
interpreted, so that a bot that has just been asked for waits for nothing else.
"""

from __future__ import annotations

import os

RULES = "TIANXIA_RULES"
INTERPRETED, COMPILED = "interpreted", "compiled"
BOTS = "bots"

_settled: list[bool] = []


def interpret() -> None:
    """Let rules run interpreted in this process.

    Raises
    ------
    RuntimeError
        Where they are compiled already: this comes before all that imports rules.
    """
    if _settled == [False]:
        raise RuntimeError(
            "rules are compiled in this process already: call interpret() before any module "
            "of tianxia but tianxia.kernel.mode is imported"
        )
    _settled[:] = [True]


def answer_people() -> None:
    """Let rules run in this process as the server is to run them: see `interpret`."""
    if os.environ.get(RULES) != COMPILED:
        interpret()


def interpreted() -> bool:
    """Say whether rules run interpreted; the first answer stays."""
    if not _settled:
        asked = os.environ.get(RULES) == INTERPRETED
        _settled.append(asked or bool(int(os.environ.get("NUMBA_DISABLE_JIT") or 0)))
    return _settled[0]


def positions_interpreted() -> bool:
    """Say whether positions are interpreted, whatever bots think with."""
    return interpreted() or os.environ.get(RULES) == BOTS
