"""Long polls: an answer at once, or as soon as it is another one than is known already."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Annotated, Protocol, TypeVar

from fastapi import Query

from tianxia.tables import Subscription

LONGEST_WAIT = 25.0
Known = Annotated[str, Query(max_length=80, description="What is known already.")]
Seconds = Annotated[
    float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for another version.")
]


class Versioned(Protocol):
    """An answer that names its version."""

    version: str

    def model_dump_json(self) -> str:
        """Return the answer as it is sent."""


Answer = TypeVar("Answer", bound=Versioned)


async def newer(
    look: Callable[[], Awaitable[Answer]], news: Subscription, known: str, seconds: float
) -> Answer:
    """Return what `look` finds; where that is known, wait for something else.

    Parameters
    ----------
    news
        Says when to look again. Subscribe before.
    known
        The version that the asker has; empty: none, nothing is waited for.
    seconds
        After how long what is known is returned once more.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    while True:
        found = await look()
        left = deadline - asyncio.get_running_loop().time()
        if not known or found.version != known or left <= 0:
            return found
        try:
            await asyncio.wait_for(anext(news, None), left)
        except TimeoutError:
            return found


def versioned(answer: Answer) -> Answer:
    """Return an answer without a version, named by its own digest."""
    answer.version = hashlib.blake2b(answer.model_dump_json().encode(), digest_size=9).hexdigest()
    return answer
