"""Signing in and out, and making accounts: pages, and what they share with the JSON API."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.accounts import Account, AccountError
from tianxia.accounts.mail import Mailer
from tianxia.draw.languages import LANGUAGES, N_, translator
from tianxia.tables.causes import cause_of
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import text
from tianxia.web.errors import Refusal, problem_of
from tianxia.web.request_context import (
    PERSON_COOKIE,
    SESSION_COOKIE,
    RequestContext,
    current,
)
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, threaded
from tianxia.web.templating import PACKAGE

log = logging.getLogger("tianxia.web")
router = APIRouter(include_in_schema=False)
LONGEST_NAME, LONGEST_PASSWORD, LONGEST_KEY, LONGEST_MAIL = 60, 400, 100, 200
FRESH_SECONDS = 900.0
"""How long ago somebody may have signed in who changes how the account is entered."""
TRIES = 3
BROWSERS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "CrOS", "Linux")
NAMES = {"Edg": "Edge", "OPR": "Opera", "Mac OS": "macOS", "CrOS": "ChromeOS"}


# --- What pages and programs share ---


def device_of(agent: str) -> str:
    """Return what a browser says it is, in two words; of a program its own first word."""
    found = [
        next((NAMES.get(name, name) for name in known if name in agent), "")
        for known in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, found)) or re.split(r"[/\s]", agent[:40])[0]


def let_in(
    app_state: AppState, context: RequestContext, account: Account, agent: str, *, adopt: bool
) -> str:
    """Sign a visitor in; return the key, which the cookie holds too.

    Whatever cookie the browser had before is worth nothing afterwards.
    """
    accounts, now = app_state.accounts, app_state.tables.clock()
    old = context.signed_in_by
    key = accounts.sessions.open(account, device_of(agent), now, old)
    if context.guest is not None and not context.known_by_token and adopt:
        accounts.adopt(account, context.guest)
        context.set_cookie(PERSON_COOKIE, app_state.people.sign(app_state.people.new()))
    context.account, context.person = account, accounts.person(account.id)
    context.set_cookie(SESSION_COOKIE, key)
    return key


def sign_out(app_state: AppState, context: RequestContext) -> None:
    """End the session of a visitor, who is a guest then."""
    if context.account and context.session:
        app_state.accounts.sessions.end(context.account, context.session.id)
    context.drop_cookie(SESSION_COOKIE)


def signed_in(context: RequestContext) -> Account:
    """Return whose account this is; refuse guests."""
    if context.account is None:
        raise Refusal(401, "no-account", N_("This is for accounts: sign in first."))
    return context.account


def freshly(app_state: AppState, context: RequestContext) -> Account:
    """Return the same; refuse who has not signed in just now, and programs."""
    account, session = signed_in(context), context.session
    if session is None or app_state.tables.clock() - session.created > FRESH_SECONDS:
        text = N_("To change this, sign in again first: somebody may have found this screen open.")
        raise Refusal(403, "sign-in-again", text)
    return account


def mailer_of(app_state: AppState) -> Mailer:
    """Return what sends letters; refuse where the host has not set any server for them."""
    settings = app_state.settings
    if not settings.smtp:
        raise Refusal(404, "no-mail-here", N_("This server sends no e-mail."))
    return Mailer(settings.smtp, settings.mail_from)


def send(mailer: Mailer, to: str, subject: str, letter: str) -> None:
    """Send a letter; who waits for it is told nothing, whatever becomes of it."""
    for attempt in range(TRIES):
        try:
            mailer.send(to, subject, letter)
        except OSError as error:
            if attempt == TRIES - 1:
                log.warning("a letter was not taken", extra={"event": {"cause": cause_of(error)}})
        else:
            return


def send_link(app_state: AppState, context: RequestContext, address: str) -> None:
    """Send a link to whoever has confirmed an address; nobody is told whether somebody has."""
    mailer = mailer_of(app_state)
    found = app_state.accounts.ask_link(address)
    if found is None:
        return
    account, key = found
    language = account.language if account.language in LANGUAGES else context.language
    _ = translator(language, PACKAGE).gettext
    lines = (
        _("Hello {name},").format(name=account.name),
        _("this link signs you in. It works once, for a quarter of an hour:"),
        f"{context.base}/sign-in/link/{key}",
        _("If you have not asked for it, do nothing: without the link nobody gets in."),
    )
    send(mailer, account.mail, _("Sign in to Tianxia"), "\n\n".join(lines))


def send_confirmation(
    app_state: AppState, context: RequestContext, account: Account, address: str
) -> None:
    """Send a link that shows whose an address is."""
    mailer = mailer_of(app_state)
    key = app_state.accounts.ask_mail(account, address)
    _ = translator(context.language, PACKAGE).gettext
    lines = (
        _("Hello,"),
        _(
            "{name} has given this address at Tianxia. If that is you, confirm it within a day:"
        ).format(name=account.name),
        f"{context.base}/account/mail/{key}",
        _("If it is somebody else, do nothing: the address will not be used."),
    )
    send(mailer, address, _("Your address at Tianxia"), "\n\n".join(lines))


def take_mail(app_state: AppState, account: Account, key: str) -> Account:
    """Take the address to which a key was sent; of turns that have begun by now nothing goes there.

    Raises
    ------
    AccountError
        As `Accounts.confirm_mail`.
    """
    app_state.telling.pass_over(account.person)
    return app_state.accounts.confirm_mail(account, key)


# --- Pages ---


def back_to(body: dict[str, Any]) -> str:
    """Return where a visitor came from: a page of ours, else the home page."""
    path = text(body, "next", 200, "/")
    safe = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe else "/"


def page(name: str, request: Request, problem: Exception | None = None, **values: Any) -> Response:
    """Return a page with a form, filled in again where something was wrong with it."""
    app_state, context = app_state_of(request), current(request)
    app_state.person(context)
    told = problem_of(problem, context.language) if problem else None
    if told is not None:
        context.code = told.code
    return app_state.page(
        name,
        request,
        told.status if told else 200,
        problem=told.text if told else "",
        mails=bool(app_state.settings.smtp),
        **{"filled": "", "next": "/", **values},
    )


@router.get("/sign-in")
@threaded
def sign_in_page(request: Request, app_state: Here) -> Response:
    """Show the ways to sign in."""
    came = back_to(dict(request.query_params))
    return page("sign_in", request, next=came)


@router.post("/sign-in")
@threaded
def sign_in(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Sign in by a name with its password, or with a recovery code."""
    name, came = text(body, "name", LONGEST_NAME), back_to(body)
    secret = text(body, "password", LONGEST_PASSWORD)
    by_code = text(body, "with", 10, "password") == "code"
    accounts = app_state.accounts
    try:
        if by_code:
            account = accounts.enter_by_code(name, secret, context.address)
        else:
            account = accounts.enter(name, secret, context.address)
    except AccountError as error:
        return page("sign_in", request, error, filled=name, next=came)
    adopt = text(body, "keep", 10, "yes") == "yes"
    let_in(app_state, context, account, agent_of(request), adopt=adopt)
    return RedirectResponse("/account?new=password" if by_code else came, SEE_OTHER)


def agent_of(request: Request) -> str:
    """Return what a browser says it is."""
    return request.headers.get("user-agent", "")


@router.post("/sign-in/mail")
@threaded
def ask_link(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Send a link by mail, to whoever has this address."""
    address = text(body, "mail", LONGEST_MAIL).strip()
    mailer_of(app_state)
    later(app_state, send_link, app_state, context, address)
    return page("sent", request)


def later(app_state: AppState, what: Any, *arguments: Any) -> None:
    """Do something after the answer: how long it takes shall tell nothing."""
    app_state.aside.submit(_quietly, what, *arguments)


def _quietly(what: Any, *arguments: Any) -> None:
    try:
        what(*arguments)
    except AccountError:  # too many letters: nobody is told, since that would tell of others
        return
    except Exception as error:  # noqa: BLE001  (nobody waits for it)
        log.warning("a letter was not sent", extra={"event": {"cause": cause_of(error)}})


@router.get("/sign-in/link/{key}")
@threaded
def link_page(request: Request, app_state: Here, key: str) -> Response:
    """Ask whether to sign in: whoever only looks at links opens nothing.

    Says as whom: a link that somebody else has sent hands one's seats to them.
    """
    key = key[:LONGEST_KEY]
    account = app_state.accounts.behind_link(key)
    return page("link", request, key=key, account=account)


@router.post("/sign-in/link/{key}")
@threaded
def link(request: Request, app_state: Here, context: Anybody, key: str, _: Body) -> Response:
    """Sign in by a link that came by mail."""
    account = app_state.accounts.enter_by_link(key[:LONGEST_KEY])
    let_in(app_state, context, account, agent_of(request), adopt=True)
    return RedirectResponse("/account", SEE_OTHER)


@router.get("/register")
@threaded
def register_page(request: Request, app_state: Here) -> Response:
    """Show the form of a new account."""
    return page("register", request, next=back_to(dict(request.query_params)), wrong="")


@router.post("/register")
@threaded
def register(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Make an account with a password, and show its recovery codes."""
    name, password = text(body, "name", LONGEST_NAME), text(body, "password", LONGEST_PASSWORD)
    came = back_to(body)
    app_state.check_room(context)
    try:
        account = app_state.accounts.register(
            name, password=password, guest=context.guest, language=context.language
        )
    except AccountError as error:
        wrong = next((one for one in ("name", "password") if error.code.startswith(one)), "")
        return page("register", request, error, filled=name, next=came, wrong=wrong)
    let_in(app_state, context, account, agent_of(request), adopt=True)
    context.once, codes = True, app_state.accounts.new_codes(account)
    return page("codes", request, codes=codes, fresh=True, next=came)


@router.post("/sign-out")
@threaded
def leave(app_state: Here, context: Anybody, _: Body) -> Response:
    """Sign out here."""
    sign_out(app_state, context)
    return RedirectResponse("/", SEE_OTHER)


__all__: Sequence[str] = ["let_in", "page", "router"]
