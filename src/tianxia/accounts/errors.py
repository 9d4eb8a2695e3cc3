"""What can go wrong with an account. Each kind has an HTTP status, each case a stable code."""

from __future__ import annotations

from typing import ClassVar

from tianxia.draw.languages import N_
from tianxia.tables.errors import TableError


class AccountError(TableError):
    """The parent of all that is refused about accounts."""

    status: ClassVar[int] = 422

    def __init__(self, code: str, template: str, **values: object) -> None:
        super().__init__(code, template, **values)
        self.package = __package__ or ""


class UnknownAccount(AccountError):
    """There is no account of that name."""

    status = 404

    def __init__(self) -> None:
        super().__init__("unknown-account", N_("Nobody has an account under this name here."))


class NameTaken(AccountError):
    """Somebody else has that name, or one that looks like it."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "name-taken", N_("This name is taken, or looks too much like one that is. Try another.")
        )


class NotLetIn(AccountError):
    """A wrong name, password, passkey or code: nobody is told which of them."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "not-let-in",
            N_("The name and what you entered with it do not match. Check both, and try again."),
        )


class Suspended(AccountError):
    """An account that may not be used for a while."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "suspended", N_("This account is suspended. Whoever runs the server knows why.")
        )


class TooManyGuesses(AccountError):
    """Too many attempts to get in; ``values["seconds"]`` says how long to wait."""

    status = 429

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "too-many-guesses",
            N_("Too many attempts. Try again in {seconds} s."),
            seconds=seconds,
        )


class Expired(AccountError):
    """A link or a challenge that was used already, or is too old."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            "expired", N_("This has been used already, or is too old. Ask for a new one.")
        )
