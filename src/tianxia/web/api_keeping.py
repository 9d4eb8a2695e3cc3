"""Reports, blocks and mutes in the JSON API; and for those who look after the server."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import Field

from tianxia.draw.languages import N_
from tianxia.lobby.keeping import LONGEST, Keeping, Reason
from tianxia.tables import Refused
from tianxia.tables.people import digest
from tianxia.tournaments import Tournaments
from tianxia.web.api import RESPONSES, TableId
from tianxia.web.api_account import Done
from tianxia.web.api_models import SeatNumber, Sent
from tianxia.web.app_state import AppState
from tianxia.web.errors import Refusal
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Here, Somebody, threaded
from tianxia.web.signing import freshly, signed_in

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
Text = Annotated[str, Field(max_length=LONGEST, examples=["He insults everybody."])]


class Complaint(Sent):
    """Why the host should look at somebody."""

    reason: Reason
    text: Text = ""


class NewReport(Complaint):
    """Whom the host should look at, and why."""

    seat: SeatNumber


class Shunning(Sent):
    """That one does not want to meet somebody, or to hear them; `none` lifts that."""

    how: Annotated[Literal["block", "mute", "none"], Field(examples=["block"])]


class Shun(Shunning):
    """Whom one does not want to meet, or to hear; `none` lifts that."""

    seat: SeatNumber


class Deed(Sent):
    """Something to do about an account, a table or a report."""

    what: Literal[
        "settle", "suspend", "lift", "rename", "close", "end-tournament", "rename-tournament"
    ]
    about: Annotated[str, Field(max_length=60, examples=["Bob"])]
    days: Annotated[float, Field(ge=0, le=3660)] = 7
    name: Annotated[str, Field(max_length=60)] = ""
    why: Text = ""


def keeping_of(app_state: AppState) -> Keeping:
    """Return what looks after the server."""
    return Keeping(app_state.accounts)


def admin(app_state: AppState, context: RequestContext, *, changes: bool) -> str:
    """Return the name of who looks after the server; refuse everybody else."""
    account = freshly(app_state, context) if changes else signed_in(context)
    if not account.admin or context.scopes is not None:
        raise Refusal(403)
    return account.name


@router.post("/tables/{table_id}/report", status_code=201)
@threaded
def report(app_state: Here, context: Somebody, table_id: TableId, wish: NewReport) -> Done:
    """Report whoever sits at a seat to the host, with the talk that the asker could read."""
    app_state.check_table(table_id)
    what = keeping_of(app_state).report
    what(table_id, context.who, wish.seat, wish.reason, wish.text)
    return Done()


@router.post("/tables/{table_id}/shun")
@threaded
def shun(app_state: Here, context: Somebody, table_id: TableId, wish: Shun) -> Done:
    """Block whoever sits at a seat (no pairing, no talk), mute them (no talk), or neither."""
    shun_seat(app_state, context, table_id, wish.seat, wish.how)
    return Done()


def shun_seat(
    app_state: AppState, context: RequestContext, table_id: str, seat: int, how: str
) -> None:
    """Block or mute who sits at a seat, or neither; their talk at this table with it."""
    app_state.check_table(table_id)
    snapshot, person = app_state.tables.snapshot(table_id), context.who
    other = keeping_of(app_state).holder(table_id, seat)
    if not other:
        raise Refused("no-seat", N_("There is nobody at that seat to block.")).of(__name__)
    shun_person(app_state, context, other, snapshot.seats[seat].name, how)
    if snapshot.talk and app_state.tables.seat_of(table_id, person) is not None:
        app_state.tables.talk.mute(table_id, person, seat, how != "none")


def shun_person(
    app_state: AppState, context: RequestContext, other: str, name: str, how: str
) -> None:
    """Block or mute somebody, or neither; `other` is a digest."""
    shunned, who = app_state.lobby.shunned, digest(context.who)
    if how == "none":
        shunned.forgive(who, other)
    elif how in ("block", "mute"):
        shunned.shun(who, other, how, name, app_state.tables.clock())  # type: ignore[arg-type]
    else:
        raise Refusal(400)


@router.get("/shunned")
@threaded
def shunned(app_state: Here, context: Somebody) -> list[dict[str, Any]]:
    """List whom you have blocked or muted."""
    found = app_state.lobby.shunned.of(context.who)
    return [{"name": one.name, "how": one.how, "at": one.at} for one in found]


@router.get("/admin")
@threaded
def waiting(app_state: Here, context: Somebody) -> dict[str, Any]:
    """Show whoever looks after the server what was reported, and what was done."""
    admin(app_state, context, changes=False)
    keeping = keeping_of(app_state)
    reports = keeping.reports(reader=context.account)
    deeds = keeping.audit()
    return {"reports": [asdict(one) for one in reports], "audit": [asdict(one) for one in deeds]}


@router.post("/admin")
@threaded
def act(app_state: Here, context: Somebody, wish: Deed) -> Done:
    """Settle a report, suspend or rename an account, close a table; end or rename a tournament."""
    deed(app_state, context, wish)
    return Done()


def deed(app_state: AppState, context: RequestContext, wish: Deed) -> None:
    """Do what somebody asks for whoever looks after the server; refuse everybody else."""
    who, keeping = admin(app_state, context, changes=True), keeping_of(app_state)
    if wish.what == "settle":
        keeping.settle(who, wish.about, wish.why)
    elif wish.what == "rename":
        keeping.rename(who, wish.about, wish.name, wish.why)
    elif wish.what == "close":
        app_state.check_table(wish.about)
        keeping.close(who, wish.about, wish.why)
    elif wish.what == "end-tournament":
        Tournaments(app_state.accounts).close(who, wish.about, wish.why)
    elif wish.what == "rename-tournament":
        Tournaments(app_state.accounts).rename(who, wish.about, wish.name, wish.why)
    else:
        keeping.suspend(who, wish.about, wish.days if wish.what == "suspend" else 0, wish.why)
