"""What can go wrong at a table. Each kind has an HTTP status, each case a stable code.

A text is a template with named values, so that pages say it in their own language::

    error.text("fr")
"""

from __future__ import annotations

from typing import ClassVar, Self

from tianxia.draw.languages import N_, SOURCE, said
from tianxia.kernel.errors import Worded

NO_RESTART = 78
"""EX_CONFIG of sysexits.h, the exit status where no restart helps until somebody mends it."""


class TableError(Worded):
    """The parent of all that is refused at a table.

    Attributes
    ----------
    status
        The status of HTTP that says the same.
    code
        A stable word for programs.
    """

    status: ClassVar[int] = 409

    def __init__(self, code: str, template: str, **values: object) -> None:
        super().__init__(template, **values)
        self.code = code
        self.package = __package__ or ""

    def of(self, module: str) -> Self:
        """Return this error, whose text is translated in the package of a module."""
        self.package = module.rpartition(".")[0]
        return self

    def text(self, language: str = SOURCE) -> str:
        """Return the text in a language."""
        return said(self, language)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without calling the constructor, whose arguments differ by kind."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[TableError], args: tuple[object, ...], fields: dict[str, object]) -> object:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class UnknownTable(TableError):
    """There is no table of that id."""

    status = 404

    def __init__(self, table_id: str) -> None:
        shown = table_id[:40].encode("ascii", "replace").decode()
        super().__init__("unknown-table", N_("There is no table {table}."), table=shown)


class NotYourSeat(TableError):
    """Somebody who has no seat here, or not that one."""

    status = 403


class UnknownPact(TableError):
    """There is no pact of that id among those of the seat."""

    status = 404

    def __init__(self) -> None:
        super().__init__("unknown-pact", N_("You have no such pact at this table."))


class TooFast(TableError):
    """Too many remarks in a short time; ``values["seconds"]`` says how long to wait."""

    status = 429

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "too-fast",
            N_("Too many messages in a short time. Let others be read, too: wait {seconds} s."),
            seconds=seconds,
        )


class Stale(TableError):
    """Decided on a page that is no longer the newest; nothing was done."""

    def __init__(self) -> None:
        super().__init__(
            "stale", N_("The table has changed since this was decided; look again, then decide.")
        )


class NotNow(TableError):
    """Possible at another time only."""


class TimeOver(NotNow):
    """The time of who acts is over, and the flag has to fall."""

    def __init__(self) -> None:
        super().__init__("time-over", N_("Your time had already run out."))


class SeatTaken(TableError):
    """A seat that somebody else has."""


class Refused(TableError):
    """Refused by the rules of the game, or because it makes no sense.

    Attributes
    ----------
    statement
        The id of the statement of the rules that forbids it, such as ``"STR-08"``; empty
        where no rule of the game is concerned.
    reason
        That statement, in English; ``game.kind.rulebook(statement, language)`` has it in
        other languages.
    place
        Which of several actions is refused, from 1; 0: there was one, or none.
    """

    status = 422

    def __init__(
        self, code: str, template: str, statement: str = "", reason: str = "", **values: object
    ) -> None:
        super().__init__(
            code, template, **({"statement": statement} if statement else {}), **values
        )
        self.statement = statement
        self.reason = reason
        place = values.get("place")
        self.place = place if isinstance(place, int) else 0


class Unplayable(TableError):
    """A table that can be looked at, but not played on with the rules installed here."""


class Damaged(Unplayable):
    """A table of which something stored cannot be read."""

    def __init__(self) -> None:
        super().__init__(
            "damaged",
            N_("What is stored of this table cannot be read here. The server's log says why."),
        )


class TooMuch(TableError):
    """More is asked for than this server can work out."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "too-much",
            N_("Too many people here are waiting for something like this. Try again in a while."),
        )


class TooMany(TableError):
    """More tables than somebody, or some address, may have at once."""

    status = 429

    def __init__(self, template: str, most: int) -> None:
        super().__init__("too-many", template, most=most)


class TooManyWaiting(TableError):
    """More public tables than one may have waiting."""

    status = 429

    def __init__(self, most: int) -> None:
        super().__init__(
            "too-many-waiting",
            N_("{most} public tables of yours wait for players. Fill or close one first."),
            most=most,
        )


class NoAnswer(TableError):
    """No mind has answered in time."""

    status = 503

    def __init__(self) -> None:
        super().__init__("no-answer", N_("The bots have not answered yet. Ask again in a moment."))


class Unavailable(TableError):
    """The database is locked, full or away: nothing was stored, nothing has changed."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "unavailable",
            N_("The tables cannot be reached just now, and nothing was changed. Try again soon."),
        )


class Unopened(Unavailable):
    """A database that cannot be opened: says where it is, and why, to whoever starts something."""

    def __init__(self, place: str, why: str) -> None:
        text = N_("The tables in {place} cannot be opened: {why}")
        TableError.__init__(self, "unavailable", text, place=place, why=why)
