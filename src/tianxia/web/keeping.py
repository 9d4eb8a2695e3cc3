"""Pages of safety: who sits at a seat, whom one shuns, and what is done for the server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tianxia.accounts import AccountError
from tianxia.draw.languages import N_
from tianxia.lobby.keeping import LONGEST, Reason
from tianxia.tables import Refused, TableError
from tianxia.tables.people import digest
from tianxia.web.api_keeping import Deed, admin, deed, keeping_of, shun_person, shun_seat
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import LARGEST_NUMBER, text
from tianxia.web.errors import Refusal
from tianxia.web.moments import moment_of
from tianxia.web.request_context import RequestContext, current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, threaded
from tianxia.web.signing import page

router = APIRouter(include_in_schema=False)
LONGEST_ID = 64
SeatNumber = Annotated[int, Path(ge=0, le=LARGEST_NUMBER)]
REASONS: dict[Reason, str] = {
    "talk": N_("insults or threats in the talk"),
    "name": N_("the name"),
    "cheating": N_("cheating"),
    "leaving": N_("leaving games again and again"),
    "other": N_("something else"),
}
HOW = {
    "block": N_(
        "You have blocked them: you will not be paired, and you no longer see what they write."
    ),
    "mute": N_("You have muted them: you no longer see what they write."),
}
DONE = {
    "block": N_("Blocked. They are not told, but can no longer challenge you."),
    "mute": N_("Muted. They are not told."),
    "none": N_("You can meet them and read them again."),
    "report": N_("Thank you. Whoever looks after this server will read it."),
}
DEEDS = {
    "settle": N_("settled a report"),
    "suspend": N_("suspended"),
    "lift": N_("lifted the suspension"),
    "rename": N_("renamed"),
    "close": N_("closed a table"),
    "end-tournament": N_("ended a tournament"),
    "rename-tournament": N_("renamed a tournament"),
    "promote": N_("made to look after the server"),
    "demote": N_("no longer looks after the server"),
}


def safety(app_state: AppState, context: RequestContext, other: str) -> dict[str, Any]:
    """Return what `safety.html.jinja` needs about somebody, by their digest."""
    how = app_state.lobby.shunned.how(digest(context.who), other)
    return {"how": how or "", "hows": HOW, "reasons": REASONS, "longest": LONGEST}


# --- Who sits at a seat ---


@router.get("/t/{table_id}/seats/{seat}")
@threaded
def person(request: Request, app_state: Here, table_id: str, seat: SeatNumber) -> Response:
    """Show who sits at a seat, and what one can do about them."""
    return _person(request, table_id, seat)


def _person(
    request: Request, table_id: str, seat: int, problem: Exception | None = None
) -> Response:
    app_state, context = app_state_of(request), current(request)
    app_state.check_table(table_id)
    snapshot, who = app_state.tables.snapshot(table_id), app_state.person(context)
    other = keeping_of(app_state).holder(table_id, seat)
    if not other or snapshot.seats[seat].kind != "person":
        raise Refused("no-seat", N_("There is nobody at that seat to report.")).of(__name__)
    info = snapshot.seats[seat]
    return page(
        "person",
        request,
        problem,
        title=info.name,
        account=app_state.accounts.get(info.account) if info.account else None,
        own=other == digest(who),
        back=f"/t/{table_id}",
        where=f"/t/{table_id}/seats/{seat}",
        with_talk=snapshot.talk and app_state.tables.seat_of(table_id, who) is not None,
        done=DONE.get(request.query_params.get("done", ""), ""),
        **safety(app_state, context, other),
    )


@router.post("/t/{table_id}/seats/{seat}/shun")
@threaded
def shun(
    request: Request, app_state: Here, context: Anybody, table_id: str, seat: SeatNumber, body: Body
) -> Response:
    """Block or mute who sits at a seat, or neither."""

    def step() -> str:
        how = text(body, "how", 5)
        shun_seat(app_state, context, table_id, seat, how)
        return how

    return acted(request, step, _person, table_id, seat)


@router.post("/t/{table_id}/seats/{seat}/report")
@threaded
def report(
    request: Request, app_state: Here, context: Anybody, table_id: str, seat: SeatNumber, body: Body
) -> Response:
    """Report who sits at a seat."""

    def step() -> str:
        app_state.check_table(table_id)
        reason, why = text(body, "reason", 20), text(body, "text", LONGEST, "")
        who = app_state.person(context)
        keeping_of(app_state).report(table_id, who, seat, reason, why)
        return "report"

    return acted(request, step, _person, table_id, seat)


def acted(
    request: Request, step: Callable[[], str], shown: Callable[..., Response], *arguments: Any
) -> Response:
    """Do what a form asks for, and show its page again, with what was refused.

    Parameters
    ----------
    step
        Does it; returns a word of `DONE`.
    """
    json = current(request).wants_json
    try:
        done = step()
    except TableError as error:
        if json:
            raise
        return shown(request, *arguments, error)
    if json:
        return JSONResponse({"done": done})
    where = request.url.path.rpartition("/")[0]
    return RedirectResponse(f"{where}?done={done}", SEE_OTHER)


# --- Whom one shuns ---


@router.get("/shunned")
@threaded
def shunned(request: Request, app_state: Here) -> Response:
    """Show whom one has blocked or muted."""
    return _shunned(request)


def _shunned(request: Request) -> Response:
    app_state, context = app_state_of(request), current(request)
    found = app_state.lobby.shunned.of(app_state.person(context))
    return page("shunned", request, people=found)


@router.post("/shunned/forgive")
@threaded
def forgive(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Shun somebody no more."""

    def step() -> str:
        shun_person(app_state, context, text(body, "other", LONGEST_ID), "", "none")
        return "none"

    return acted(request, step, _shunned)


# --- Looking after the server ---


@router.get("/admin")
@threaded
def keeping(request: Request, app_state: Here) -> Response:
    """Show whoever looks after the server what was reported, and what was done."""
    return _keeping(request)


def _keeping(
    request: Request, problem: Exception | None = None, fields: dict[str, Any] | None = None
) -> Response:
    app_state, context = app_state_of(request), current(request)
    if context.account is None:
        return RedirectResponse("/sign-in?next=/admin", SEE_OTHER)
    admin(app_state, context, changes=False)
    kept, settled = keeping_of(app_state), request.query_params.get("reports") == "settled"
    reports = kept.reports(settled=settled, reader=context.account)
    return page(
        "admin",
        request,
        problem,
        fields=fields or {},
        settled=settled,
        reports=reports,
        accounts=app_state.accounts.several([one.account for one in reports if one.account]),
        suspended=kept.suspended(),
        audit=kept.audit(),
        reasons=REASONS,
        deeds=DEEDS,
        moment=partial(moment_of, language=context.language),
        done=request.query_params.get("done", "") == "yes",
    )


@router.post("/admin/do")
@threaded
def do(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Do something about an account, a table or a report."""
    try:
        deed(app_state, context, _wish(body))
    except (TableError, AccountError) as error:
        return _keeping(request, error, body)
    except Refusal as refusal:
        if refusal.code == "sign-in-again":
            return page("sign_in", request, refusal, next="/admin")
        if refusal.code in ("no-account", ""):
            raise
        return _keeping(request, refusal, body)
    return RedirectResponse("/admin?done=yes", SEE_OTHER)


def _wish(body: dict[str, Any]) -> Deed:
    """Return what a form of the page wants done.

    Raises
    ------
    Refusal
        Naming the field that is wrong.
    """
    try:
        return Deed.model_validate_strings(body)
    except ValidationError as error:
        # Of what is no text, as JSON may have it, the error does not say where it is: of a value,
        # or of a name with half of a character in it.
        no_text = [key for key, value in body.items() if not isinstance(value, str)]
        name = str([*error.errors()[0]["loc"], *no_text, *body][0])
        name = name.encode(errors="replace").decode()
        wrong = N_("“{name}” is missing, or is not what it should be.")
        raise Refusal(400, "malformed", wrong, name=name) from error
