"""The pages about being told: what one wants, and how to end it. The app that can be installed."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tianxia.accounts.mail import Mailer
from tianxia.draw.languages import N_, translator
from tianxia.tables import Snapshot, people
from tianxia.telling import PACES, Keys, Teller, Telling
from tianxia.telling.service import Message
from tianxia.web.app_state import AppState
from tianxia.web.bodies import flag, text
from tianxia.web.catalogue import seat_names, title_of
from tianxia.web.errors import Refusal
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, threaded
from tianxia.web.static import static
from tianxia.web.templating import PACKAGE

router = APIRouter(include_in_schema=False)
LONGEST_FIELD = 1000
PACE_WORDS = {
    "quick": N_("quick live games"),
    "calm": N_("longer live games"),
    "mail": N_("games over days"),
    "none": N_("games without a clock"),
}
SUBJECT = N_("Your turn: {game}")
BODY = N_("At the table of {game} it is your turn ({side}).")
COME_SUBJECT = N_("Your game can begin: {game}")
COME_BODY = N_("You are expected at a table of {game}. The game begins when everybody is there.")
ASK_SUBJECT = N_("{name} invites you to a game: {game}")
ASK_BODY = N_("A seat at a table of {game} is kept for you.")


def words_of(base: str) -> Any:
    """Return what says in a language whose turn it is, with addresses under `base`."""

    def words(snapshot: Snapshot, message: Message, language: str) -> tuple[str, str, str]:
        _ = translator(language, PACKAGE).gettext
        kind = snapshot.game.kind
        game = title_of(kind, language)
        side = seat_names(snapshot.game, language)[message.seat]
        address = f"{base}/t/{snapshot.id}"
        if snapshot.seats[message.seat].kind == "open":
            names = ", ".join(one.name for one in snapshot.seats if one.kind == "person")
            title = _(ASK_SUBJECT).format(name=names or _("somebody"), game=game)
            return title, _(ASK_BODY).format(game=game), address
        if snapshot.status == "waiting":
            return _(COME_SUBJECT).format(game=game), _(COME_BODY).format(game=game), address
        return _(SUBJECT).format(game=game), _(BODY).format(game=game, side=side), address

    return words


def stop_token(secret: str, person: str) -> str:
    """Return what ends the letters to a person (a digest), without anybody signing in."""
    made = hmac.new(secret.encode(), b"stop:" + person.encode(), hashlib.sha256).hexdigest()[:32]
    return f"{person}.{made}"


def read_token(secret: str, token: str) -> str:
    """Return the person (a digest) of such a token; refuse one that is not ours."""
    person = token.partition(".")[0]
    if not hmac.compare_digest(stop_token(secret, person).encode(), token.encode()):
        raise Refusal(404)
    return person


def teller_of(app_state: AppState, telling: Telling) -> Teller:
    """Return who tells people of their turns."""
    settings = app_state.settings
    secret, base = settings.signing_key(), settings.base or f"http://localhost:{settings.port}"
    post = Mailer(settings.smtp, settings.mail_from) if settings.smtp else None
    return Teller(
        telling,
        Keys(secret),
        words_of(base),
        contact=f"mailto:{settings.mail_from}" if settings.mail_from else base,
        post=post,
        stop_link=lambda person: f"{base}/told/stop/{stop_token(secret, person)}",
    )


@router.get("/told")
@threaded
def told(request: Request, app_state: Here, context: Anybody) -> Response:
    """Show what one is told, and how."""
    telling = app_state.telling
    digest = people.digest(app_state.person(context))
    wishes = telling.wishes(digest)
    _ = translator(context.language, PACKAGE).gettext
    rows = [
        (pace, _(PACE_WORDS[pace]), ("push", pace) in wishes, ("mail", pace) in wishes)
        for pace in PACES
    ]
    key = Keys(app_state.settings.signing_key()).public
    mail = telling.mail_of(digest)
    mails = bool(app_state.settings.smtp)  # else none is sent, and nothing is to be chosen
    return app_state.page(
        "told", request, rows=rows, key=key, mail=mail[0] if mail else "", mails=mails
    )


@router.post("/told/wish")
@threaded
def wish(app_state: Here, context: Anybody, body: Body) -> Response:
    """Say what one wants to be told."""
    digest = people.digest(app_state.person(context))
    way, pace, wanted = text(body, "way", 8), text(body, "pace", 8), flag(body, "wanted")
    app_state.telling.wish(digest, way, pace, wanted)
    if not context.wants_json:
        return RedirectResponse("/told", SEE_OTHER)
    return JSONResponse({"way": way, "pace": pace, "wanted": wanted})


@router.post("/told/subscribe")
@threaded
def subscribe(app_state: Here, context: Anybody, body: Body) -> Response:
    """Let this browser take messages."""
    endpoint = text(body, "endpoint", LONGEST_FIELD + 1)
    keys = {name: text(body, name, 201, "") for name in ("p256dh", "auth")}
    person = app_state.person(context)
    app_state.telling.subscribe(person, endpoint, keys, context.language)
    return JSONResponse({"subscribed": True}, 201)


@router.post("/told/unsubscribe")
@threaded
def unsubscribe(app_state: Here, body: Body) -> Response:
    """Let this browser take no more messages."""
    endpoint = text(body, "endpoint", LONGEST_FIELD + 1)
    app_state.telling.unsubscribe(endpoint)
    return JSONResponse({"subscribed": False})


@router.get("/told/stop/{token}")
@threaded
def stop_page(request: Request, app_state: Here, token: str) -> Response:
    """Ask whether letters shall end: looking at a link changes nothing."""
    read_token(app_state.settings.signing_key(), token)
    return app_state.page("told_stop", request, token_of=token, done=False)


@router.post("/told/stop/{token}")
@threaded
def stop(request: Request, app_state: Here, token: str) -> Response:
    """End letters; programs of mail ask for it themselves (RFC 8058)."""
    person = read_token(app_state.settings.signing_key(), token)
    app_state.telling.stop(person, "mail")
    return app_state.page("told_stop", request, token_of=token, done=True)


# --- The app ---


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """Say how the site is installed as an app."""
    icon = {"src": static().url("seal.svg"), "sizes": "any", "type": "image/svg+xml"}
    content = {
        "name": "Tianxia",
        "short_name": "Tianxia",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f4eee0",
        "theme_color": "#a3352a",
        "icons": [icon | {"purpose": "any"}],
    }
    return JSONResponse(content, media_type="application/manifest+json")


@router.get("/sw.js")
async def service_worker() -> Response:
    """Send what shows messages while no page is open."""
    return Response(
        static().files["js/sw.js"].content,
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )
