"""Which process thinks about what: claims that end with their time, or with their owner."""

from __future__ import annotations

import os
import secrets
import socket
import time

from tianxia.tables.work import Question, Turn, Work

HOST = socket.gethostname()[:60]

_alive: set[str] = set()
"""The owners in this very process."""


class Leases:
    """The claims of one mind.

    Attributes
    ----------
    owner
        Who it is: machine, process, and something random.
    """

    def __init__(self, work: Work, seconds: float) -> None:
        # Only the random part tells minds of one process apart.
        self.owner = f"{HOST}/{os.getpid()}/{secrets.token_hex(4)}"
        self._work = work
        self._seconds = seconds
        _alive.add(self.owner)

    def has_other(self, claimed: Turn | Question) -> bool:
        """Say whether another living mind has claimed something."""
        return claimed.until > time.time() and self.known(claimed)

    def known(self, claimed: Turn | Question) -> bool:
        """Say whether another living mind has thought about this so far."""
        return claimed.owner not in ("", self.owner) and not is_dead(claimed.owner)

    def claim(self, turn: Turn) -> int | None:
        """Get hold of a turn, or keep it; see `Work.claim`."""
        now = time.time()
        return self._work.claim(turn, self.owner, now, now + self._seconds, _gone(turn.owner))

    def take(self, question: Question) -> int | None:
        """Get hold of a question; see `Work.take`."""
        now = time.time()
        gone = _gone(question.owner)
        return self._work.take(question.id, self.owner, now, now + self._seconds, gone)

    def close(self) -> None:
        """Let others take over at once."""
        _alive.discard(self.owner)


def _gone(owner: str) -> list[str]:
    return [owner] if is_dead(owner) else []


def is_dead(owner: str) -> bool:
    """Say whether a mind was one of a process of this machine that has ended."""
    host, _, rest = owner.partition("/")
    number = rest.partition("/")[0]
    if host != HOST or not number.isdecimal():
        return False
    if int(number) == os.getpid():
        return owner not in _alive  # in a container, a restart often has the same number
    return not is_running(int(number))


def is_running(process: int) -> bool:
    """Say whether there is a process of that number; where nobody can tell, there is."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
