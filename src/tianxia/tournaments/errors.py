"""What can be wrong with a tournament, or with what somebody wants of it."""

from __future__ import annotations

from tianxia.draw.languages import N_
from tianxia.tables import NotNow, NotYourSeat, Refused, TableError


class UnknownTournament(TableError):
    """There is no tournament of that id."""

    status = 404

    def __init__(self) -> None:
        super().__init__("unknown-tournament", N_("There is no such tournament."))
        self.of(__name__)


class BadWish(Refused):
    """A tournament that cannot be made so, or somebody who cannot enter."""

    def __init__(self, code: str, template: str, **values: object) -> None:
        super().__init__(code, template, "", "", **values)
        self.of(__name__)


class NotNowHere(NotNow):
    """What could be done at another time."""

    def __init__(self, code: str, template: str, **values: object) -> None:
        super().__init__(code, template, **values)
        self.of(__name__)


class NotYours(NotYourSeat):
    """What only somebody else may do."""

    def __init__(self) -> None:
        text = N_("Only the person who made this tournament can do that.")
        super().__init__("not-your-tournament", text)
        self.of(__name__)
