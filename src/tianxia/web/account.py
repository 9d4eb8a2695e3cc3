"""The page of one's own account: how it is entered, where it is open, what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.accounts import Account, AccountError
from tianxia.accounts.exporting import exported
from tianxia.accounts.tokens import SCOPES, USUAL_DAYS
from tianxia.draw.languages import N_
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import number, read_body, text
from tianxia.web.errors import Refusal
from tianxia.web.request_context import SESSION_COOKIE, RequestContext, current
from tianxia.web.signing import (
    LONGEST_KEY,
    LONGEST_MAIL,
    LONGEST_NAME,
    LONGEST_PASSWORD,
    SEE_OTHER,
    freshly,
    mailer_of,
    page,
    send_confirmation,
    signed_in,
)

router = APIRouter(include_in_schema=False)
DONE = {
    "password": N_("Your password has been changed, and you are signed out everywhere else."),
    "name": N_("Your name has been changed, at all your tables too."),
    "mail": N_("An e-mail is on its way. The address is yours once you have opened its link."),
    "mail-set": N_("Your address is confirmed."),
    "mail-gone": N_("Your address has been removed."),
    "session": N_("Signed out there."),
    "sessions": N_("Signed out everywhere else."),
    "token": N_("The token has been revoked."),
    "passkey": N_("The passkey has been removed."),
    "passkey-new": N_("The passkey has been added: you can sign in with it from now on."),
}


def day_of(at: float) -> str:
    """Return a day as pages write it."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def account_page(request: Request, problem: Exception | None = None, made: str = "") -> Response:
    """Return the page of one's own account."""
    app_state, context = app_state_of(request), current(request)
    if context.account is None:
        return RedirectResponse("/sign-in?next=/account", SEE_OTHER)
    accounts, account = app_state.accounts, context.account
    session = context.session.id if context.session else ""
    return page(
        "account",
        request,
        problem,
        account=accounts.get(account.id) or account,
        done=DONE.get(request.query_params.get("done", ""), ""),
        asks_password=request.query_params.get("new") == "password",
        has_password=accounts.has_password(account),
        codes_left=accounts.codes_left(account),
        passkeys=accounts.passkeys(account),
        sessions=accounts.sessions.of(account),
        session=session,
        tokens=accounts.tokens.of(account),
        scopes=SCOPES,
        usual_days=USUAL_DAYS,
        made=made,
        day=day_of,
    )


@router.get("/account")
async def account(request: Request) -> Response:
    """Show one's own account."""
    return await app_state_of(request).call(account_page, request)


Step = Callable[[AppState, RequestContext, Account, dict[str, Any]], str | Response]
"""What a form of the page does; returns a word of `DONE`, or a page."""


async def _changed(request: Request, step: Step) -> Response:
    """Do what a form asks for, if whoever asks has signed in just now."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)

    def change() -> Response:
        try:
            done = step(app_state, context, freshly(app_state, context), body)
        except AccountError as error:
            return account_page(request, error)
        except Refusal as refusal:
            if refusal.code != "sign-in-again" and context.account is not None:
                raise
            return page("sign_in", request, refusal, next="/account")
        if isinstance(done, Response):
            return done
        return RedirectResponse(f"/account?done={done}", SEE_OTHER)

    return await app_state.call(change)


@router.post("/account/password")
async def password(request: Request) -> Response:
    """Set another password."""

    def step(
        app_state: AppState, context: RequestContext, account: Account, body: dict[str, Any]
    ) -> str:
        here = context.session.id if context.session else ""
        new = text(body, "password", LONGEST_PASSWORD)
        app_state.accounts.set_password(account, new, here)
        return "password"

    return await _changed(request, step)


@router.post("/account/name")
async def name(request: Request) -> Response:
    """Take another name."""

    def step(app_state: AppState, _: RequestContext, account: Account, body: dict[str, Any]) -> str:
        app_state.accounts.rename(account, text(body, "name", LONGEST_NAME))
        return "name"

    return await _changed(request, step)


@router.post("/account/codes")
async def codes(request: Request) -> Response:
    """Show new recovery codes; the old ones are worth nothing then."""

    def step(
        app_state: AppState, _: RequestContext, account: Account, __: dict[str, Any]
    ) -> Response:
        new = app_state.accounts.new_codes(account)
        return page("codes", request, codes=new, fresh=False)

    return await _changed(request, step)


@router.post("/account/mail")
async def mail(request: Request) -> Response:
    """Give an address, or have it forgotten."""

    def step(
        app_state: AppState, context: RequestContext, account: Account, body: dict[str, Any]
    ) -> str:
        address = text(body, "mail", LONGEST_MAIL).strip()
        if not address:
            app_state.accounts.drop_mail(account)
            return "mail-gone"
        mailer_of(app_state)
        send_confirmation(app_state, context, account, address)
        return "mail"

    return await _changed(request, step)


@router.get("/account/mail/{key}")
async def confirm_page(request: Request, key: str) -> Response:
    """Ask whether to confirm an address: programs that look at links confirm nothing."""
    app_state, context = app_state_of(request), current(request)
    if context.account is None:
        return RedirectResponse(f"/sign-in?next=/account/mail/{key[:LONGEST_KEY]}", SEE_OTHER)
    return await app_state.call(page, "confirm_mail", request, key=key[:LONGEST_KEY])


@router.post("/account/mail/{key}")
async def confirm(request: Request, key: str) -> Response:
    """Confirm an address."""
    app_state, context = app_state_of(request), current(request)
    await read_body(request, app_state.people)
    account = signed_in(context)
    await app_state.call(app_state.accounts.confirm_mail, account, key[:LONGEST_KEY])
    return RedirectResponse("/account?done=mail-set", SEE_OTHER)


@router.post("/account/passkeys/end")
async def end_passkey(request: Request) -> Response:
    """Drop a passkey."""

    def step(app_state: AppState, _: RequestContext, account: Account, body: dict[str, Any]) -> str:
        app_state.accounts.end_passkey(account, text(body, "id", LONGEST_KEY))
        return "passkey"

    return await _changed(request, step)


@router.post("/account/sessions/end")
async def end_session(request: Request) -> Response:
    """Sign out somewhere, or everywhere else."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    which, account = text(body, "id", LONGEST_KEY), signed_in(context)
    here = context.session.id if context.session else ""

    def end() -> Response:
        sessions = app_state.accounts.sessions
        if which == "others":
            sessions.end_all(account, but=here)
            return RedirectResponse("/account?done=sessions", SEE_OTHER)
        sessions.end(account, which)
        return RedirectResponse("/account?done=session", SEE_OTHER)

    return await app_state.call(end)


@router.post("/account/tokens")
async def make_token(request: Request) -> Response:
    """Make a token for a program; it is shown once."""

    def step(
        app_state: AppState, _: RequestContext, account: Account, body: dict[str, Any]
    ) -> Response:
        wanted = [scope for scope in SCOPES if f"scope-{scope}" in body]
        label, days = text(body, "name", LONGEST_NAME, ""), number(body, "days")
        now = app_state.tables.clock()
        key, _token = app_state.accounts.tokens.make(account, label, wanted, days, now)
        return account_page(request, made=key)

    return await _changed(request, step)


@router.post("/account/tokens/end")
async def end_token(request: Request) -> Response:
    """Revoke a token."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    which, account = text(body, "id", LONGEST_KEY), signed_in(context)
    await app_state.call(app_state.accounts.tokens.end, account, which)
    return RedirectResponse("/account?done=token", SEE_OTHER)


@router.post("/account/export")
async def export(request: Request) -> Response:
    """Send all that is stored about the account, as a file."""

    def step(
        app_state: AppState, _: RequestContext, account: Account, __: dict[str, Any]
    ) -> Response:
        content = json.dumps(exported(app_state.accounts, account), ensure_ascii=False, indent=1)
        headers = {"content-disposition": 'attachment; filename="tianxia.json"'}
        return Response(content, media_type="application/json", headers=headers)

    return await _changed(request, step)


@router.post("/account/delete")
async def delete(request: Request) -> Response:
    """Delete the account; its name has to be written once more."""

    def step(
        app_state: AppState, context: RequestContext, account: Account, body: dict[str, Any]
    ) -> Response:
        if text(body, "name", LONGEST_NAME).strip() != account.name:
            raise AccountError("not-the-name", N_("Write the name of this account to delete it."))
        app_state.accounts.delete(account)
        context.drop_cookie(SESSION_COOKIE)
        return RedirectResponse("/", SEE_OTHER)

    return await _changed(request, step)
