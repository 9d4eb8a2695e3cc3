"""Accounts in the JSON API: signing in, and what an account can change about itself."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, BeforeValidator, Field
from starlette.requests import Request

from tianxia.accounts import Account, AccountError
from tianxia.accounts.exporting import exported
from tianxia.draw.languages import N_
from tianxia.web.api import RESPONSES
from tianxia.web.api_models import Got, Sent
from tianxia.web.app_state import AppState
from tianxia.web.errors import Refusal
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Anybody, Here, threaded
from tianxia.web.signing import (
    LONGEST_KEY,
    LONGEST_MAIL,
    LONGEST_NAME,
    LONGEST_PASSWORD,
    agent_of,
    freshly,
    later,
    let_in,
    mailer_of,
    send_confirmation,
    send_link,
    sign_out,
    signed_in,
    take_mail,
)

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
AccountName = Annotated[str, Field(max_length=LONGEST_NAME, examples=["Ada"])]
Password = Annotated[str, Field(max_length=LONGEST_PASSWORD, examples=["a long sentence"])]
Key = Annotated[str, Field(min_length=1, max_length=LONGEST_KEY, examples=["wHc1mX0oZfE3kq8W"])]
PathKey = Annotated[str, Path(max_length=LONGEST_KEY)]
Credential = Annotated[
    dict[str, Any],
    Field(description="As the browser gives it.", examples=[{"id": "…", "response": {}}]),
]


class Register(Sent):
    """A new account."""

    name: AccountName
    password: Password


class SignIn(Sent):
    """A name, and a password or a recovery code."""

    name: AccountName
    password: Password | None = None
    code: Annotated[str | None, Field(max_length=LONGEST_KEY)] = None
    keep: Annotated[bool, Field(description="Bring the seats along that you have as a guest.")] = (
        True
    )


class Named(Sent):
    """A name."""

    name: AccountName


class NewPassword(Sent):
    """Another password."""

    password: Password


class Mail(Sent):
    """An address; empty to have it forgotten."""

    mail: Annotated[str, Field(max_length=LONGEST_MAIL, examples=["ada@example.com"])]


class Link(Sent):
    """The key at the end of a link."""

    key: Key


class Answered(Sent):
    """What a browser says of a passkey."""

    credential: Credential
    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    keep: bool = True


class NewToken(Sent):
    """A token for a program."""

    name: Annotated[str, Field(max_length=LONGEST_NAME, examples=["my bot"])] = ""
    scopes: Annotated[list[Literal["read", "play", "talk"]], Field(max_length=10)]
    days: Annotated[int, Field(ge=1, le=366)] = 90


class Entered(BaseModel):
    """The key of a session; send it as `Authorization: Bearer …`. A browser has it as a cookie."""

    name: str
    token: str
    codes: list[str] = []


class Codes(BaseModel):
    """Recovery codes: each opens the account once, with its name."""

    codes: list[str]


class PasskeyInfo(Got):
    """A passkey."""

    id: str
    name: str
    created: float
    used: float


class SessionInfo(BaseModel):
    """Where an account is signed in."""

    id: str
    device: str
    created: float
    seen: float
    here: bool


class TokenInfo(Got):
    """A token, without its key."""

    id: str
    name: str
    scopes: Annotated[list[str], BeforeValidator(sorted)]
    created: float
    expires: float
    used: float | None


class NewTokenInfo(TokenInfo):
    """A token with its key, which is shown once."""

    key: str


class AccountInfo(BaseModel):
    """One's own account."""

    id: str
    name: str
    bot: bool
    mail: str
    password: bool
    codes_left: int
    passkeys: list[PasskeyInfo]
    sessions: list[SessionInfo]
    tokens: list[TokenInfo]


class Done(BaseModel):
    """It is done."""

    done: bool = True


# --- Getting in ---


@router.post("/register", status_code=201)
@threaded
def register(request: Request, app_state: Here, context: Anybody, wish: Register) -> Entered:
    """Make an account; a guest's seats are the account's from then on."""
    app_state.check_room(context)
    account = app_state.accounts.register(
        wish.name,
        password=wish.password,
        guest=context.guest or (None if context.account else context.person),
        language=context.language,
    )
    return _entered(app_state, context, request, account, new=True)


def _entered(
    app_state: AppState,
    context: RequestContext,
    request: Request,
    account: Account,
    *,
    new: bool = False,
    keep: bool = True,
) -> Entered:
    guest = context.person if context.known_by_token and context.account is None else None
    if guest is not None and keep:
        app_state.accounts.adopt(account, guest)
    key = let_in(app_state, context, account, agent_of(request), adopt=keep)
    context.once = True
    codes = app_state.accounts.new_codes(account) if new else []
    return Entered(name=account.name, token=key, codes=codes)


@router.post("/sign-in")
@threaded
def sign_in(request: Request, app_state: Here, context: Anybody, wish: SignIn) -> Entered:
    """Sign in by a name with its password, or with a recovery code."""
    accounts, address = app_state.accounts, context.address
    if wish.code is not None:
        account = accounts.enter_by_code(wish.name, wish.code, address)
    else:
        account = accounts.enter(wish.name, wish.password or "", address)
    return _entered(app_state, context, request, account, keep=wish.keep)


@router.post("/sign-in/mail", status_code=202)
async def sign_in_mail(app_state: Here, context: Anybody, wish: Mail) -> Done:
    """Send a link that signs in, where somebody has this address; nobody is told whether."""
    mailer_of(app_state)
    later(app_state, send_link, app_state, context, wish.mail.strip())
    return Done()


@router.post("/sign-in/link")
@threaded
def sign_in_link(request: Request, app_state: Here, context: Anybody, wish: Link) -> Entered:
    """Sign in with the key of a link sent by e-mail; it works once."""
    account = app_state.accounts.enter_by_link(wish.key)
    return _entered(app_state, context, request, account)


@router.post("/sign-in/passkey")
@threaded
def ask_passkey(app_state: Here, context: Anybody) -> dict[str, Any]:
    """Say what a browser needs to sign in with a passkey."""
    return app_state.accounts.ask_passkey(context.base)


@router.post("/sign-in/passkey/answer")
@threaded
def answer_passkey(request: Request, app_state: Here, context: Anybody, wish: Answered) -> Entered:
    """Sign in with a passkey."""
    account = app_state.accounts.enter_by_passkey(wish.credential, context.base)
    return _entered(app_state, context, request, account, keep=wish.keep)


@router.post("/register/passkey")
@threaded
def register_passkey(app_state: Here, context: Anybody, wish: Named) -> dict[str, Any]:
    """Say what a browser needs to make an account with a passkey, and no password."""
    app_state.check_room(context)
    return app_state.accounts.begin_register(wish.name, context.base)


@router.post("/register/passkey/answer", status_code=201)
@threaded
def registered_passkey(
    request: Request, app_state: Here, context: Anybody, wish: Answered
) -> Entered:
    """Make an account with a passkey."""
    account = app_state.accounts.finish_register(
        wish.credential, context.base, guest=context.guest, language=context.language
    )
    return _entered(app_state, context, request, account, new=True)


@router.post("/sign-out")
@threaded
def leave(app_state: Here, context: Anybody) -> Done:
    """Sign out here."""
    sign_out(app_state, context)
    return Done()


# --- One's own account ---


@router.get("/account")
@threaded
def account(app_state: Here, context: Anybody) -> AccountInfo:
    """Describe your account."""
    return _described(app_state, context, signed_in(context))


def _described(app_state: AppState, context: RequestContext, account: Account) -> AccountInfo:
    accounts = app_state.accounts
    here = context.signed_in_by
    return AccountInfo(
        id=account.id,
        name=account.name,
        bot=account.bot,
        mail=account.mail,
        password=accounts.has_password(account),
        codes_left=accounts.codes_left(account),
        passkeys=[PasskeyInfo.model_validate(one) for one in accounts.passkeys(account)],
        sessions=[
            SessionInfo(
                id=one.id,
                device=one.device,
                created=one.created,
                seen=one.seen,
                here=one.id == here,
            )
            for one in accounts.sessions.of(account)
        ],
        tokens=[TokenInfo.model_validate(one) for one in accounts.tokens.of(account)],
    )


def _again(app_state: AppState, context: RequestContext, account: Account) -> AccountInfo:
    found = app_state.accounts.get(account.id)
    if found is None:
        raise Refusal(401)
    return _described(app_state, context, found)


@router.post("/account/name")
@threaded
def name(app_state: Here, context: Anybody, wish: Named) -> AccountInfo:
    """Take another name, at all your tables too."""
    account = app_state.accounts.rename(freshly(app_state, context), wish.name)
    return _again(app_state, context, account)


@router.post("/account/password")
@threaded
def password(app_state: Here, context: Anybody, wish: NewPassword) -> AccountInfo:
    """Set a password; you are signed out everywhere else."""
    account = freshly(app_state, context)
    here = context.signed_in_by
    app_state.accounts.set_password(account, wish.password, here)
    return _again(app_state, context, account)


@router.post("/account/codes")
@threaded
def codes(app_state: Here, context: Anybody) -> Codes:
    """Make new recovery codes; the old ones no longer work."""
    context.once = True
    return Codes(codes=app_state.accounts.new_codes(freshly(app_state, context)))


@router.post("/account/mail")
@threaded
def mail(app_state: Here, context: Anybody, wish: Mail) -> AccountInfo:
    """Give an address, to be confirmed by e-mail; or remove it."""
    account, address = freshly(app_state, context), wish.mail.strip()
    if address:
        send_confirmation(app_state, context, account, address)
    else:
        app_state.accounts.drop_mail(account)
    return _again(app_state, context, account)


@router.post("/account/mail/confirm")
@threaded
def confirm_mail(app_state: Here, context: Anybody, wish: Link) -> AccountInfo:
    """Confirm an address with the key of the link sent by e-mail."""
    account = take_mail(app_state, signed_in(context), wish.key)
    return _again(app_state, context, account)


@router.post("/account/passkeys")
@threaded
def new_passkey(app_state: Here, context: Anybody) -> dict[str, Any]:
    """Say what a browser needs to make a passkey for your account."""
    account = freshly(app_state, context)
    return app_state.accounts.begin_passkey(account, context.base)


@router.post("/account/passkeys/answer", status_code=201)
@threaded
def made_passkey(app_state: Here, context: Anybody, wish: Answered) -> AccountInfo:
    """Store the passkey that a browser has made."""
    account = freshly(app_state, context)
    app_state.accounts.finish_passkey(account, wish.credential, wish.name, context.base)
    return _again(app_state, context, account)


@router.delete("/account/passkeys/{passkey}")
@threaded
def end_passkey(app_state: Here, context: Anybody, passkey: PathKey) -> AccountInfo:
    """Remove a passkey; the last way into an account stays."""
    account = freshly(app_state, context)
    _check_found(app_state.accounts.end_passkey(account, passkey))
    return _again(app_state, context, account)


@router.delete("/account/sessions/{session}")
@threaded
def end_session(app_state: Here, context: Anybody, session: PathKey) -> AccountInfo:
    """Sign out somewhere; `others` is everywhere else."""
    account, sessions = signed_in(context), app_state.accounts.sessions
    here = context.signed_in_by
    if session == "others":
        sessions.end_all(account, but=here)
    else:
        _check_found(sessions.end(account, session))
    return _again(app_state, context, account)


@router.post("/account/tokens", status_code=201)
@threaded
def new_token(app_state: Here, context: Anybody, wish: NewToken) -> NewTokenInfo:
    """Make a token for a program: for some purposes, and so many days."""
    account, now = freshly(app_state, context), app_state.tables.clock()
    context.once, tokens = True, app_state.accounts.tokens
    key, token = tokens.make(account, wish.name, wish.scopes, wish.days, now)
    return NewTokenInfo.model_validate(asdict(token) | {"key": key})


@router.delete("/account/tokens/{token}")
@threaded
def end_token(app_state: Here, context: Anybody, token: PathKey) -> AccountInfo:
    """Revoke a token."""
    account = signed_in(context)
    _check_found(app_state.accounts.tokens.end(account, token))
    return _again(app_state, context, account)


def _check_found(found: bool) -> None:
    if not found:
        raise Refusal(404, "not-found", N_("There is nothing of that kind in this account."))


@router.get("/account/export")
@threaded
def export(app_state: Here, context: Anybody) -> dict[str, Any]:
    """Send all that is stored about your account."""
    context.once = True
    return exported(app_state.accounts, freshly(app_state, context))


@router.post("/account/delete")
@threaded
def delete(app_state: Here, context: Anybody, wish: Named) -> Done:
    """Delete your account; its name confirms it. Games stay, without a name."""
    account = freshly(app_state, context)
    if wish.name.strip() != account.name:
        raise AccountError("not-the-name", N_("Write the name of this account to delete it."))
    app_state.accounts.delete(account)
    return Done()
