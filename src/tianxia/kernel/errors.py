"""What can go wrong, as types. Every text says what is wrong and what would be right."""

from __future__ import annotations


class TianxiaError(Exception):
    """The parent of every error that this package raises on purpose."""


def N_(message: str) -> str:  # noqa: N802  (what gettext's tools call it)
    """Mark a message that is translated later, where it is shown; return it as it is."""
    return message


class Worded(TianxiaError):
    """An error whose text is a template with named values, so that pages say it in a language.

    Attributes
    ----------
    template, values
        The English text with places for values, and these; a value may be `Worded` again.
    package
        Whose translations have the template, where that is known.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values) if values else template)
        self.template = template
        self.values = values
        self.package = ""


class UnknownGame(TianxiaError, KeyError):
    """No game of that name is installed."""

    def __str__(self) -> str:
        """Return the text as it is (KeyError would put it in quotes)."""
        return str(self.args[0]) if self.args else ""


class OptionError(Worded, ValueError):
    """An option, or one of its values, that the game does not have."""


class SeatError(TianxiaError, ValueError):
    """A seat that this game does not have, or that may not be asked about here."""


class IllegalAction(TianxiaError, ValueError):
    """An action that the rules forbid now.

    Attributes
    ----------
    action, seat
        What was tried, and for whom.
    statement
        The id of the statement of the rules that forbids it, such as ``"STR-08"``.
    """

    def __init__(self, text: str, action: int, seat: int, statement: str) -> None:
        super().__init__(text)
        self.action = action
        self.seat = seat
        self.statement = statement

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with all four arguments."""
        return type(self), (self.args[0], self.action, self.seat, self.statement)


class ParseError(TianxiaError, ValueError):
    """A text that is not an action here; the text of the error has a hint."""


class NotationError(Worded, ValueError):
    """A one-line notation that describes no position."""


class TranscriptError(TianxiaError, ValueError):
    """A transcript that cannot be read or whose actions are not legal."""


class RulesVersionError(TranscriptError):
    """A transcript of another version of the rules."""


class RngError(TianxiaError, ValueError):
    """Something that is not a random generator of ours."""


class ViewError(TianxiaError, RuntimeError):
    """Something was asked of a view that only the full state can answer."""
