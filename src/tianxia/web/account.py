"""The page of one's own account: how it is entered, where it is open, what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.accounts import Account, AccountError, Accounts
from tianxia.accounts.exporting import exported
from tianxia.accounts.tokens import SCOPES, USUAL_DAYS
from tianxia.draw.languages import N_
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import number, text
from tianxia.web.errors import Refusal
from tianxia.web.moments import day_of
from tianxia.web.request_context import SESSION_COOKIE, RequestContext, current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, threaded
from tianxia.web.signing import (
    LONGEST_KEY,
    LONGEST_MAIL,
    LONGEST_NAME,
    LONGEST_PASSWORD,
    freshly,
    page,
    send_confirmation,
    signed_in,
    take_mail,
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


def account_page(request: Request, problem: Exception | None = None, made: str = "") -> Response:
    """Return the page of one's own account."""
    app_state, context = app_state_of(request), current(request)
    if context.account is None:
        return RedirectResponse("/sign-in?next=/account", SEE_OTHER)
    accounts, account = app_state.accounts, context.account
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
        session=context.signed_in_by,
        tokens=accounts.tokens.of(account),
        scopes=SCOPES,
        usual_days=USUAL_DAYS,
        made=made,
        day=partial(day_of, language=context.language),
    )


@router.get("/account")
@threaded
def account(request: Request, app_state: Here) -> Response:
    """Show one's own account."""
    return account_page(request)


@dataclass(frozen=True)
class Form:
    """A form of the page that was sent, by somebody who has signed in just now."""

    request: Request
    app_state: AppState
    context: RequestContext
    account: Account
    body: dict[str, Any]

    @property
    def accounts(self) -> Accounts:
        """All accounts."""
        return self.app_state.accounts


def changes(step: Callable[[Form], str | Response]) -> Callable[..., Any]:
    """Return the route of a form; what it does returns a word of `DONE`, or a page."""

    @threaded
    def changed(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
        try:
            account = freshly(app_state, context)
            done = step(Form(request, app_state, context, account, body))
        except AccountError as error:
            return account_page(request, error)
        except Refusal as refusal:
            if refusal.code != "sign-in-again" and context.account is not None:
                raise
            return page("sign_in", request, refusal, next="/account")
        if isinstance(done, Response):
            return done
        return RedirectResponse(f"/account?done={done}", SEE_OTHER)

    return changed


@router.post("/account/password")
@changes
def password(form: Form) -> str:
    """Set another password."""
    new = text(form.body, "password", LONGEST_PASSWORD)
    form.accounts.set_password(form.account, new, form.context.signed_in_by)
    return "password"


@router.post("/account/name")
@changes
def name(form: Form) -> str:
    """Take another name."""
    form.accounts.rename(form.account, text(form.body, "name", LONGEST_NAME))
    return "name"


@router.post("/account/codes")
@changes
def codes(form: Form) -> Response:
    """Show new recovery codes; the old ones are worth nothing then."""
    form.context.once, codes = True, form.accounts.new_codes(form.account)
    return page("codes", form.request, codes=codes, fresh=False, next="/account")


@router.post("/account/mail")
@changes
def mail(form: Form) -> str:
    """Give an address, or have it forgotten."""
    address = text(form.body, "mail", LONGEST_MAIL).strip()
    if not address:
        form.accounts.drop_mail(form.account)
        return "mail-gone"
    send_confirmation(form.app_state, form.context, form.account, address)
    return "mail"


@router.get("/account/mail/{key}")
@threaded
def confirm_page(request: Request, app_state: Here, context: Anybody, key: str) -> Response:
    """Ask whether to confirm an address: programs that look at links confirm nothing."""
    if context.account is None:
        return RedirectResponse(f"/sign-in?next=/account/mail/{key[:LONGEST_KEY]}", SEE_OTHER)
    return page("confirm_mail", request, key=key[:LONGEST_KEY])


@router.post("/account/mail/{key}")
@threaded
def confirm(app_state: Here, context: Anybody, key: str, _: Body) -> Response:
    """Confirm an address."""
    take_mail(app_state, signed_in(context), key[:LONGEST_KEY])
    return RedirectResponse("/account?done=mail-set", SEE_OTHER)


@router.post("/account/passkeys/end")
@changes
def end_passkey(form: Form) -> str:
    """Drop a passkey."""
    form.accounts.end_passkey(form.account, text(form.body, "id", LONGEST_KEY))
    return "passkey"


@router.post("/account/sessions/end")
@threaded
def end_session(app_state: Here, context: Anybody, body: Body) -> Response:
    """Sign out somewhere, or everywhere else."""
    which, account = text(body, "id", LONGEST_KEY), signed_in(context)
    sessions = app_state.accounts.sessions
    if which == "others":
        sessions.end_all(account, but=context.signed_in_by)
        return RedirectResponse("/account?done=sessions", SEE_OTHER)
    sessions.end(account, which)
    return RedirectResponse("/account?done=session", SEE_OTHER)


@router.post("/account/tokens")
@changes
def make_token(form: Form) -> Response:
    """Make a token for a program; it is shown once."""
    wanted = [scope for scope in SCOPES if f"scope-{scope}" in form.body]
    label, days = text(form.body, "name", LONGEST_NAME, ""), number(form.body, "days")
    now = form.app_state.tables.clock()
    key, _token = form.accounts.tokens.make(form.account, label, wanted, days, now)
    form.context.once = True
    return account_page(form.request, made=key)


@router.post("/account/tokens/end")
@threaded
def end_token(app_state: Here, context: Anybody, body: Body) -> Response:
    """Revoke a token."""
    which, account = text(body, "id", LONGEST_KEY), signed_in(context)
    app_state.accounts.tokens.end(account, which)
    return RedirectResponse("/account?done=token", SEE_OTHER)


@router.post("/account/export")
@changes
def export(form: Form) -> Response:
    """Send all that is stored about the account, as a file."""
    form.context.once = True
    content = json.dumps(exported(form.accounts, form.account), ensure_ascii=False, indent=1)
    headers = {"content-disposition": 'attachment; filename="tianxia.json"'}
    return Response(content, media_type="application/json", headers=headers)


@router.post("/account/delete")
@changes
def delete(form: Form) -> Response:
    """Delete the account; its name has to be written once more."""
    if text(form.body, "name", LONGEST_NAME).strip() != form.account.name:
        raise AccountError("not-the-name", N_("Write the name of this account to delete it."))
    form.accounts.delete(form.account)
    form.context.drop_cookie(SESSION_COOKIE)
    return RedirectResponse("/", SEE_OTHER)
