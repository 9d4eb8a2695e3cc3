"""What went wrong, as a page for people and as JSON for programs; never a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tianxia.draw.languages import N_, said, translator
from tianxia.kernel.errors import OptionError, TianxiaError, UnknownGame
from tianxia.tables.errors import Refused, TableError
from tianxia.web.catalogue import rule_link, rule_text
from tianxia.web.malformed import in_words
from tianxia.web.request_context import RequestContext, current
from tianxia.web.static import static
from tianxia.web.templating import PACKAGE, render

LONGEST_TEXT = 500
"""Of an error that may repeat what was sent."""
TITLES = {
    400: N_("That could not be understood"),
    401: N_("Who are you?"),
    403: N_("You are not allowed to do that"),
    404: N_("Nothing is here"),
    405: N_("That cannot be done here"),
    409: N_("The table has moved on"),
    410: N_("That is over"),
    413: N_("That is too much"),
    415: N_("That format is not accepted here"),
    422: N_("The rules do not allow that"),
    429: N_("Too fast"),
    500: N_("Something went wrong here"),
    503: N_("Not just now"),
}
TEXTS = {
    400: N_("What was sent is not in the form that this address expects."),
    401: N_("This needs a valid token; get one at /api/v1/people."),
    403: N_("This cannot be done from here."),
    404: N_("There is no page at this address. It may have been copied incompletely."),
    405: N_("This address does not take requests of this kind."),
    413: N_("What was sent is too large."),
    415: N_("Send JSON, with the header Content-Type: application/json."),
    429: N_("Too many requests came from here in a short time. Please wait a moment."),
    500: N_("The server made a mistake. Nothing was changed; please try again."),
    503: N_("The server cannot do this at the moment. Nothing was changed; please try again."),
}
NOT_VALID = N_(
    "This token is not valid: it is wrong, revoked or too old, or its account is suspended."
)
CODES = {
    400: "malformed",
    401: "no-token",
    403: "forbidden",
    404: "not-found",
    405: "method",
    410: "expired",
    413: "too-large",
    415: "media-type",
    422: "invalid",
    429: "too-many",
    500: "failed",
    503: "unavailable",
}


class Refusal(Exception):
    """A request that is refused.

    Parameters
    ----------
    status
        The HTTP status.
    code
        A word for programs; "" is the usual one of the status.
    text
        A sentence, marked with `N_`; "" is the usual one of the status.
    values
        What the sentence's names in braces stand for.
    """

    def __init__(self, status: int, code: str = "", text: str = "", **values: object) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code
        self.text = text
        self.values = values
        self.headers: dict[str, str] = {}
        self.link: str | None = None


def no_token() -> Refusal:
    """Return the refusal of a token that is none, or none any more."""
    return Refusal(401, "no-token", NOT_VALID)


@dataclass(frozen=True)
class Problem:
    """A refusal or failure in somebody's language.

    Attributes
    ----------
    status, code
        The HTTP status; a word for programs that never changes.
    text
        A sentence. Of a refusal by the rules: the statement that forbids it.
    statement, link
        The id of that statement, and where it stands in the rule pages; or a page that helps.
    place
        Which of several actions is refused, from 1; 0: there was one, or none.
    """

    status: int
    code: str
    text: str
    statement: str | None = None
    link: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    place: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return what programs get."""
        told = {
            "code": self.code,
            "text": self.text,
            "statement": self.statement,
            "link": self.link,
        }
        return {"error": told | ({"place": self.place} if self.place else {})}


def usual(status: int, language: str, code: str = "", text: str = "") -> Problem:
    """Return the problem of a status with its usual words, or better ones."""
    _ = translator(language, PACKAGE).gettext
    message = text or TEXTS.get(status) or TEXTS[400 if status < 500 else 500]
    return Problem(status, code or CODES.get(status, "refused"), _(message))


def problem_of(error: Exception, language: str) -> Problem:
    """Return what an exception means to whoever asked."""
    if isinstance(error, TableError):
        return _of_table(error, language)
    if isinstance(error, Refusal):
        found = usual(error.status, language, error.code, error.text)
        text = found.text.format(**error.values) if error.values else found.text
        return Problem(found.status, found.code, text, link=error.link, headers=error.headers)
    if isinstance(error, HTTPException):
        found = usual(error.status_code, language)
        return Problem(found.status, found.code, found.text, headers=error.headers or {})
    if isinstance(error, UnknownGame):
        return usual(404, language, "unknown-game", N_("No game of that name is played here."))
    if isinstance(error, OptionError):
        found = usual(422, language, "options", N_("These options are not possible: {reason}"))
        reason = _shortened(said(error, language))
        return Problem(422, found.code, found.text.format(reason=reason))
    if isinstance(error, TianxiaError):
        return Problem(400, "malformed", _shortened(str(error)))
    return usual(500, language)


def _shortened(text: str) -> str:
    """Return what an error says without most of what somebody has sent us."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def _of_table(error: TableError, language: str) -> Problem:
    place = error.place if isinstance(error, Refused) else 0
    if isinstance(error, Refused) and rule_text(error.statement, language):
        return refused(error.statement, language, place)
    wait = {503: 2, 429: error.values.get("seconds")}.get(error.status)
    headers = {} if wait is None else {"retry-after": str(wait)}
    text = _shortened(error.text(language))
    return Problem(error.status, error.code, text, headers=headers, place=place)


def refused(statement: str, language: str, place: int = 0) -> Problem:
    """Return the refusal that a statement of the rules demands."""
    text, link = rule_text(statement, language), rule_link(statement)
    return Problem(422, "refused", text, statement, link, place=place)


def respond(context: RequestContext, problem: Problem) -> Response:
    """Return the answer that tells of a problem, as a page or as JSON."""
    context.code = problem.code
    context.note = problem.statement or ""
    headers = {**problem.headers, "cache-control": "no-store", "x-request-id": context.id}
    if context.wants_json:
        return JSONResponse(problem.as_json(), problem.status, headers)
    title = translator(context.language, PACKAGE).gettext(TITLES.get(problem.status, TITLES[400]))
    page = render(
        "error",
        context.language,
        context=context,
        problem=problem,
        title=title,
        sheets=static().sheets(),
        switch=lambda name, value: f"/?{name}={value}",
        path="",
    )
    return HTMLResponse(page, problem.status, headers)


async def on_error(request: Request, error: Exception) -> Response:
    """Answer a request that raised an exception; of a WebSocket the middleware does."""
    if request.scope["type"] != "http":
        raise error
    context = current(request)
    problem = problem_of(error, context.language)
    context.error = error if problem.status >= 500 else None
    return respond(context, problem)


async def on_invalid(request: Request, error: Exception) -> Response:
    """Answer a request whose form or values are not those of its address."""
    context = current(request)
    problem = usual(400, context.language)
    if isinstance(error, RequestValidationError):
        told = in_words(error.errors(), error.body, context.language)
        problem = replace(problem, text=told or problem.text)
    return respond(context, problem)
