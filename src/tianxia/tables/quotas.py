"""How many tables a person, and an address, may have at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tianxia.draw.languages import N_
from tianxia.tables.store import Head

DAY = 86400.0


@dataclass(frozen=True)
class Quota:
    """A limit on tables of one kind.

    Attributes
    ----------
    status, bots_only
        Which tables.
    seconds
        Those that have not changed for so long do not count any more.
    limits
        By ``maker`` (a person) and ``origin`` (an address): how many, and what is said then.
    """

    status: str
    bots_only: bool
    seconds: float
    limits: Mapping[str, tuple[int, str]]


WAITING = Quota(
    "waiting",
    False,
    DAY,
    {
        "maker": (
            20,
            N_("{most} of your tables wait for players already. Wait until one of them begins."),
        ),
        "origin": (
            100,
            N_("{most} tables made from your address wait for players already. Join one of them."),
        ),
    },
)
PLAYING = Quota(
    "playing",
    False,
    30 * DAY,
    {
        "maker": (
            100,
            N_("{most} games that you have begun are running already. End one of them first."),
        ),
        "origin": (
            500,
            N_("{most} games begun from your address are running already. End one of them first."),
        ),
    },
)
BOTS_ALONE = Quota(
    "playing",
    True,
    30 * DAY,
    {
        "maker": (
            4,
            N_("{most} games between bots alone are running for you. Wait until one is over."),
        ),
        "origin": (
            12,
            N_(
                "{most} games between bots alone are running for your address. "
                "Wait until one is over."
            ),
        ),
    },
)
QUOTAS = (WAITING, PLAYING, BOTS_ALONE)


def quota_of(head: Head) -> Quota:
    """Return the limit that a new table falls under."""
    if head.bots_only:
        return BOTS_ALONE
    return WAITING if head.status == "waiting" else PLAYING
