"""What is known of an account."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Account:
    """An account, without what proves whose it is.

    Attributes
    ----------
    id
        Public, and never changes; the name may.
    name
        Unique: see `tianxia.accounts.names`.
    person
        The digest under which tables know it: ``holders.person``.
    bot
        Whether a program decides.
    owner
        Of a bot: the id of the account that has made it; else empty.
    role
        ``admin`` or empty.
    suspended
        Until when it may not be used, in seconds since 1970; None where it may.
    mail
        A confirmed address, or empty.
    created, seen
        When it was made, and the day of its last visit.
    """

    id: str
    name: str
    person: str
    bot: bool
    owner: str
    role: str
    suspended: float | None
    mail: str
    language: str
    created: float
    seen: float

    @property
    def admin(self) -> bool:
        """Whether it looks after the server."""
        return self.role == "admin"
