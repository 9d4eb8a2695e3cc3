"""The routes of tables: looking, sitting down, acting."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from tianxia.draw.guides import guide_of
from tianxia.draw.languages import N_, labelled, translator
from tianxia.draw.scene import Drawing, SceneRequest
from tianxia.kernel import registry
from tianxia.kernel.colours import COLOURS
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.state import NO_ACTION
from tianxia.tables import Created, NotNow, NotYourSeat, SeatPlan, Snapshot, TableError, Tables
from tianxia.tables.advising import hurry
from tianxia.tables.chance import LONGEST_SEED
from tianxia.web import hints
from tianxia.web.answers import Asked, answered
from tianxia.web.app_state import AppState, remember_name
from tianxia.web.bodies import (
    LARGEST_NUMBER,
    flag,
    is_action,
    is_element,
    listed,
    number,
    text,
)
from tianxia.web.catalogue import FIRST_LEVEL, PLAYERS, rulebook_of, rules_address, title_of
from tianxia.web.ending import ending_page
from tianxia.web.errors import Problem, Refusal, problem_of, refused, usual
from tianxia.web.malformed import NO_SEAT
from tianxia.web.pages import at_once, is_new_to, new_page, usual_bot
from tianxia.web.parts import Piece
from tianxia.web.rendering import (
    Viewer,
    as_json,
    can_act,
    seats_of,
    sprite_of,
    tournament_address,
)
from tianxia.web.request_context import LONGEST_NAME, RequestContext
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, lead_on, threaded
from tianxia.web.sharing import preview_of_table
from tianxia.web.static import game_style, static
from tianxia.web.templating import PACKAGE, render

router = APIRouter(include_in_schema=False)
Found = TypeVar("Found")
MOST_ACTIONS = 1000
MOST_TOGETHER = 12
"""Pieces that go as one."""


# --- New tables ---


@router.post("/tables")
@threaded
def create(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Make a table from the form of a new one."""
    name = text(body, "game", 60)
    kind = registry.kind(name)
    try:
        game, plans = wanted(kind, body)
        table_id = make_table(
            app_state, context, game, plans, text(body, "nickname", LONGEST_NAME, ""), body
        )
    except (TableError, TianxiaError) as error:
        problem = problem_of(error, context.language)
        if context.wants_json or problem.status != 422:
            raise
        context.code = problem.code
        return new_page(request, name, body, problem.text, problem.status)
    return made(context, table_id)


@router.post("/play/{game}")
@threaded
def play_now(app_state: Here, context: Anybody, game: str, body: Body) -> Response:
    """Make a table against bots at once, with what suits most; newcomers get an easier one."""
    kind = registry.kind(game)
    newcomer = is_new_to(kind, app_state, app_state.person(context))
    chosen, plans = at_once(kind, newcomer=newcomer)
    table_id = make_table(app_state, context, chosen, plans, context.nickname, body)
    return made(context, table_id)


@router.post("/learn/{game}")
@threaded
def learn(app_state: Here, context: Anybody, game: str, body: Body) -> Response:
    """Make the table of a guided first game."""
    kind = registry.kind(game)
    guide = guide_of(kind)
    if guide is None:
        raise Refusal(404, "no-guide", N_("This game has no guided first game."))
    bot = SeatPlan("bot", usual_bot(kind, FIRST_LEVEL))
    plans = [SeatPlan("me") if seat == guide.seat else bot for seat in range(guide.game.seats)]
    name = context.nickname
    table_id = make_table(app_state, context, guide.game, plans, name, body, guided=True)
    return made(context, table_id)


def made(context: RequestContext, table_id: str) -> Response:
    """Answer that a table is there; a form leads to it."""
    if context.wants_json:
        return JSONResponse({"table": table_id}, 201, {"location": f"/t/{table_id}"})
    return RedirectResponse(f"/t/{table_id}", SEE_OTHER)


def make_table(
    app_state: AppState,
    context: RequestContext,
    game: Game,
    plans: list[SeatPlan],
    nickname: str,
    body: dict[str, Any],
    *,
    guided: bool = False,
) -> str:
    """Make a table for a visitor; return its id."""
    person, draft = host_of(app_state, context, nickname), text(body, "promise", 40, "")
    make = partial(
        app_state.tables.create,
        game,
        plans,
        person=person,
        nickname=nickname,
        talk=flag(body, "talk") if body.get("talk") not in (None, "usual") else None,
        public=bool(body.get("public")),
        origin=app_state.origin_of(context),
        pace=text(body, "pace", 20, ""),
        returns=flag(body, "returns", False),
        rated=flag(body, "rated", False),
        draft=draft,
        seed=text(body, "seed", LONGEST_SEED, ""),
        seeded=not guided,
        guided=guided,
    )
    return once(app_state, person, draft, game, make)


def once(
    app_state: AppState, person: str, draft: str, game: Game, make: Callable[[], Created]
) -> str:
    """Make a table and return its id.

    Whoever asks for the same game again with the same promise, since the answer was lost, has it
    already.
    """
    try:
        return make().table_id
    except NotNow as error:
        if error.code != "no-promise" or not _has_made(app_state, draft, game, person):
            raise
    return draft


def _has_made(app_state: AppState, table_id: str, game: Game, person: str) -> bool:
    with suppress(TableError):
        snapshot, place = app_state.tables.look(table_id, person)
        return snapshot.game == game and place.seat is not None
    return False


def host_of(app_state: AppState, context: RequestContext, nickname: str) -> str:
    """Return who makes a table, if there is room for one more; keep their name."""
    app_state.check_room(context)
    person = app_state.person(context)
    if nickname:
        remember_name(context, nickname)
    return person


def wanted(kind: GameType, body: dict[str, Any]) -> tuple[Game, list[SeatPlan]]:
    """Return the game and the seats that a form asks for."""
    options = fields(body, "option-") | {
        name: value for name, value in fields(body, "own-").items() if value.strip()
    }
    game = kind(**options | _colours(kind, options, body))
    return game, [
        plan(text(body, f"seat{seat}", 60, "open"), f"seat{seat}") for seat in range(game.seats)
    ]


def _colours(kind: GameType, options: dict[str, str], body: dict[str, Any]) -> dict[str, str]:
    """Return the colours that a form asks for, as an option; the usual ones are nobody's choice."""
    asked = fields(body, "colour")
    if kind.colours is None or not asked:
        return {}
    players = {name: value for name, value in options.items() if name == PLAYERS}
    usual = {} if kind.colours.drawn else dict(enumerate(kind.colours.names))
    chosen = {
        seat: kind.colours.number(name)
        for seat in range(kind(**players).seats)
        if (name := asked.get(str(seat), "")) not in ("", usual.get(seat))
    }
    return {COLOURS: kind.colours.written(chosen)}


def fields(body: dict[str, Any], prefix: str) -> dict[str, str]:
    """Return the texts of a form whose names begin so, by the rest of their names."""
    return {
        name.removeprefix(prefix): value
        for name, value in body.items()
        if name.startswith(prefix) and isinstance(value, str)
    }


def plan(written: str, field: str) -> SeatPlan:
    """Return who shall sit at a seat, from ``me``, ``open`` or ``bot:skirmisher``.

    Parameters
    ----------
    field
        Where that was written, for whoever has written something else.
    """
    who, _, bot = written.partition(":")
    if who == "bot" and bot:
        return SeatPlan("bot", bot)
    if written == "me":
        return SeatPlan("me")
    if written == "open":
        return SeatPlan("open")
    raise Refusal(400, "", NO_SEAT, field=field)


@router.post("/promise")
@threaded
def promise(app_state: Here, context: Anybody) -> Response:
    """Promise a table: show the hash of its secret, for a browser that then adds a seed."""
    app_state.check_room(context)
    table_id, shown = app_state.tables.promise()
    return JSONResponse({"promise": table_id, "hash": shown})


# --- Looking ---


@router.get("/t/{table_id}")
@threaded
def table(request: Request, app_state: Here, context: Anybody, table_id: str) -> Response:
    """Show a table."""
    snapshot, viewer = app_state.look(table_id, context)
    piece = app_state.piece_of(snapshot, viewer)
    kind, style = snapshot.game.kind, game_style(snapshot.game.name)
    app_state.person(context)
    talk = app_state.talk(table_id, context)[1].html if snapshot.talk else ""
    return app_state.page(
        "table",
        request,
        boards=(kind.name,),
        table={"id": table_id, "game": kind.name, "title": title_of(kind, context.language)},
        fragment=Markup(piece.html),  # noqa: S704  (made by our template)
        talk=Markup(talk),  # noqa: S704  (made by our template)
        sprite=sprite_of(snapshot.game),
        styles=[static().url(style)] if style in static().files else [],
        nickname=context.nickname,
        links={
            "rules": rules_address(snapshot.game) if rulebook_of(kind) else "",
            "tournament": tournament_address(snapshot),
        },
        preview=preview_of_table(snapshot, context.language),
    )


@router.get("/t/{table_id}/fragment")
@threaded
def fragment(app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send what a viewer sees of a table, for a page that has lost touch."""
    piece = app_state.piece(table_id, context)
    return JSONResponse({"version": piece.version, "html": piece.html})


@router.get("/t/{table_id}/ply/{ply}")
@threaded
def past(app_state: Here, context: Anybody, table_id: str, ply: int) -> Response:
    """Send a position of a finished game."""
    piece = app_state.renderer.past_piece(*app_state.look(table_id, context), ply)
    return JSONResponse({"ply": ply, "html": piece.html})


@router.get("/t/{table_id}/end")
@threaded
def end(app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send how a game has ended: places, where points came from, what decided it."""
    snapshot, viewer = app_state.look(table_id, context)
    looked = app_state.reviews.look(snapshot)
    return JSONResponse({"html": ending_page(app_state.renderer, snapshot, viewer, looked)})


@router.get("/words/dice")
async def dice_words(context: Anybody) -> Response:
    """Send what a page says while it works a table's draws out; few ask for that."""
    return Response(render("dice_words", context.language), media_type="application/json")


@router.get("/t/{table_id}/steps")
@threaded
def steps(app_state: Here, context: Anybody, table_id: str, after: int = 0) -> Response:
    """Send what has happened since the viewer's own last decision, step by step."""
    found = app_state.renderer.steps(*app_state.look(table_id, context), after)
    return JSONResponse({"steps": found})


@router.get("/t/{table_id}/next-steps")
@threaded
def next_steps(request: Request, app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send the gestures that begin with the elements given (``?e=a4``)."""
    begun = tuple(request.query_params.getlist("e")[:20])
    snapshot, viewer = app_state.look(table_id, context)
    scene = app_state.renderer.scene(snapshot, viewer, app_state.renderer.told(snapshot, viewer))
    decision = 0 if viewer.seat is None else snapshot.decision(viewer.seat)
    fitting = [
        as_json(gesture)
        for gesture in scene.gestures
        if begun == tuple(e for step in gesture.steps for e in step.elements)[: len(begun)]
    ]
    return JSONResponse({"decision": decision, "gestures": fitting})


def _drawing(
    app_state: AppState, table_id: str, context: RequestContext
) -> tuple[Drawing, SceneRequest, int] | None:
    """Return how a game is drawn, what a player is shown, and at which decision; None to others."""
    snapshot, viewer = app_state.look(table_id, context)
    drawing = Drawing.of(snapshot.game.kind)
    if viewer.seat is None or drawing is None or not snapshot.readable:
        return None
    wanted = SceneRequest(snapshot.view(viewer.code), viewer.code, viewer.language)
    return drawing, wanted, snapshot.decision(viewer.seat)


@router.get("/t/{table_id}/journeys")
@threaded
def journeys(
    app_state: Here, context: Anybody, table_id: str, origin: str, target: str
) -> Response:
    """Send how what stands on one element can go on to another, several actions at once."""
    if not (is_element(origin) and is_element(target)):
        raise Refusal(400)
    asked = _drawing(app_state, table_id, context)
    if asked is None:
        return JSONResponse({"decision": 0, "journeys": []})
    drawing, scene, decision = asked
    ways = drawing.journeys(scene, origin, target)
    question = translator(scene.language, PACKAGE).gettext("How many go to {place}?")
    return JSONResponse(
        {
            "decision": decision,
            "question": question.format(place=target),
            "journeys": [way._asdict() for way in ways],
        }
    )


@router.get("/t/{table_id}/marches")
@threaded
def marches(request: Request, app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send where what stands on several elements (``?e=r2&e=r3``) can go as one."""
    origins = request.query_params.getlist("e")
    if not (1 < len(origins) <= MOST_TOGETHER and all(map(is_element, origins))):
        raise Refusal(400)
    asked = _drawing(app_state, table_id, context)
    if asked is None:
        return JSONResponse({"decision": 0, "marches": []})
    drawing, scene, decision = asked
    ways, words = drawing.marches(scene, origins), translator(scene.language, PACKAGE)
    told = words.gettext("Places where all of them can go: {n}; where some of them can: {some}.")
    whole = sum(way.whole for way in ways)
    return JSONResponse(
        {
            "decision": decision,
            "question": words.gettext("Go there together?"),
            "told": told.format(n=whole, some=len(ways) - whole),
            "marches": [way._asdict() for way in ways],
        }
    )


@router.get("/t/{table_id}/hint")
async def hint(app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send what the viewer could do now, where hints are given."""
    hinted = await app_state.hints(table_id, context)
    return JSONResponse(await app_state.call(hints.as_page, *hinted))


@router.get("/t/{table_id}/transcript")
@threaded
def transcript(app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send the game as text, as far as the viewer may know it."""
    snapshot, viewer = app_state.look(table_id, context)
    content = app_state.tables.transcript(table_id, viewer.code)
    disposition = f'attachment; filename="{snapshot.game.name}-{table_id}.txt"'
    return PlainTextResponse(content, headers={"content-disposition": disposition})


# --- Sitting down ---


@router.get("/t/{table_id}/seat/{key}")
@threaded
def ask_to_enter(
    request: Request, app_state: Here, context: Anybody, table_id: str, key: str
) -> Response:
    """Ask whoever has a seat's private link whether to take it; nothing is changed yet."""
    snapshot, viewer = app_state.look(table_id, context)
    seat = app_state.tables.seat_of_key(table_id, key)
    if seat == viewer.seat:
        return RedirectResponse(f"/t/{table_id}", SEE_OTHER)
    app_state.person(context)
    seats, kind = seats_of(snapshot, viewer), snapshot.game.kind

    def called(seat: int) -> str:
        return labelled(seats[seat].side, seats[seat].name, context.language)

    return app_state.page(
        "take_seat",
        request,
        table=table_id,
        key=key,
        title=title_of(kind, context.language),
        seat=called(seat),
        own="" if viewer.seat is None else called(viewer.seat),
    )


@router.post("/t/{table_id}/seat/{key}")
@threaded
def enter(app_state: Here, context: Anybody, table_id: str, key: str, _: Body) -> Response:
    """Let whoever has a seat's private link hold that seat."""
    app_state.check_table(table_id)
    person = app_state.person(context)
    app_state.tables.enter(table_id, key, person)
    return RedirectResponse(f"/t/{table_id}", SEE_OTHER)


@router.post("/t/{table_id}/sit")
@threaded
def sit(request: Request, app_state: Here, context: Anybody, table_id: str, body: Body) -> Response:
    """Take a free seat."""
    seat, name = number(body, "seat"), _name(body)
    app_state.check_table(table_id)
    person = app_state.person(context)
    added, colour = text(body, "seed", LONGEST_SEED, ""), text(body, "colour", 20, "")
    app_state.tables.take_seat(table_id, seat, person, name, added, colour)
    if name:
        remember_name(context, name)
    return now(request, app_state, context, table_id)


def _name(body: dict[str, Any]) -> str:
    return text(body, "name" if "name" in body else "nickname", LONGEST_NAME, "")


# --- Acting ---


@router.post("/t/{table_id}/act")
async def act(
    request: Request, app_state: Here, context: Anybody, table_id: str, body: Body
) -> Response:
    """Take actions: all of them or none."""
    actions = listed(body, "actions", MOST_ACTIONS, is_action)
    decision = number(body, "decision")
    act = partial(
        app_state.tables.act, lag=context.lag, received=app_state.tables.clock() - context.age
    )
    page = request.query_params.get("page", "")

    def acted() -> tuple[Response, Piece | None]:
        do(app_state, context, table_id, act, actions, decision)
        return _now(request, app_state, context, table_id)

    with app_state.answering(table_id, context, page) as shows:
        answer, piece = await app_state.call(acted)
        if piece is not None:
            shows(piece)
        return answer


def do(
    app_state: AppState,
    context: RequestContext,
    table_id: str,
    what: Callable[..., Found],
    *arguments: Any,
) -> Found:
    """Do something at a table for a visitor who has a seat there."""
    app_state.check_table(table_id)
    if context.person is None:
        app_state.tables.snapshot(table_id)
        raise NotYourSeat("not-your-seat", N_("You have no seat here that could do this."))
    return what(table_id, context.person, *arguments)


def now(request: Request, app_state: AppState, context: RequestContext, table_id: str) -> Response:
    """Answer with what the visitor sees now; a form leads to the table."""
    return _now(request, app_state, context, table_id)[0]


def _now(
    request: Request, app_state: AppState, context: RequestContext, table_id: str
) -> tuple[Response, Piece | None]:
    """Return the same, and the piece that it brings."""
    if not context.wants_json:
        return RedirectResponse(f"/t/{table_id}", SEE_OTHER), None
    known = request.query_params.get("known", "")[:80]
    # What was just done is in memory: nothing older can be.
    snapshot, viewer = app_state.look(table_id, context, 0)
    base = app_state.renderer.known(snapshot, viewer, known) if known else None
    piece = app_state.piece_of(snapshot, viewer)
    return JSONResponse(piece.since(base)), piece


Wish = Callable[[Tables, dict[str, Any]], tuple[Any, ...]]
"""What is to be called for what was sent, and with what after table and person."""
WISHES: dict[str, Wish] = {
    "seed": lambda tables, body: (tables.add_seed, text(body, "seed", LONGEST_SEED, "")),
    "take-back": lambda tables, _: (tables.take_back,),
    "leave-guide": lambda tables, _: (tables.leave_guide,),
    "resign": lambda tables, _: (tables.resign,),
    "abort": lambda tables, _: (tables.abort,),
    "standing": lambda tables, body: (
        tables.set_standing,
        text(body, "name", 60),
        flag(body, "on"),
    ),
    "hurry": lambda tables, _: (partial(hurry, tables),),
    "offer-draw": lambda tables, _: (tables.offer_draw,),
    "answer-take-back": lambda tables, body: (tables.answer_take_back, flag(body, "accept")),
    "answer-draw": lambda tables, body: (tables.answer_draw, flag(body, "accept")),
    "call-off": lambda tables, _: (tables.timing.call_off,),
    "come-back": lambda tables, _: (tables.timing.come_back,),
    "close": lambda tables, _: (tables.timing.close,),
    "leave-table": lambda tables, _: (tables.timing.leave,),
    "fill": lambda tables, _: (tables.timing.fill,),
    "colour": lambda tables, body: (tables.timing.recolour, text(body, "colour", 20)),
    "claim": lambda tables, body: (tables.timing.claim, text(body, "wish", 20)),
}


def wished(wish: Wish, shown: Callable[..., Response]) -> Callable[..., Any]:
    """Return the route of a wish, which answers with what is shown then."""

    @threaded
    def posted(
        request: Request, app_state: Here, context: Anybody, table_id: str, body: Body
    ) -> Response:
        what, *arguments = wish(app_state.tables, body)
        do(app_state, context, table_id, what, *arguments)
        if not context.wants_json:  # a form leads back to the table
            return RedirectResponse(f"/t/{table_id}", SEE_OTHER)
        return shown(request, app_state, context, table_id)

    return posted


for name, wish in WISHES.items():
    router.add_api_route(f"/t/{{table_id}}/{name}", wished(wish, now), methods=["POST"])


@router.post("/t/{table_id}/rematch")
@threaded
def rematch(app_state: Here, context: Anybody, table_id: str, _: Body) -> Response:
    """Ask for another game, or join whoever has asked."""
    return lead_on(context, f"/t/{asked_again(app_state, context, table_id)}")


def asked_again(app_state: AppState, context: RequestContext, table_id: str) -> str:
    """Ask the others for another game, or join whoever has asked; return its table.

    Nobody is asked by whom they have blocked: a rematch is a challenge, and they are told of it.
    """
    app_state.check_room(context)

    def check(others: Collection[str]) -> None:
        if any(app_state.lobby.blocks(context.who, one) for one in others):
            text = N_("Somebody who has played here does not want to be challenged.")
            raise NotNow("not-asked", text).of(__name__)

    return do(app_state, context, table_id, app_state.tables.rematch, check)


@router.post("/t/{table_id}/review")
@threaded
def review(request: Request, app_state: Here, context: Anybody, table_id: str, _: Body) -> Response:
    """Begin to look back at a finished game; pages are told how far it is."""
    begin_review(app_state, context, table_id)
    return now(request, app_state, context, table_id)


def begin_review(app_state: AppState, context: RequestContext, table_id: str) -> None:
    """Begin to look back at a finished game."""
    app_state.check_table(table_id)
    app_state.check_room(context)
    app_state.reviews.ask(table_id)


@router.post("/t/{table_id}/rename")
@threaded
def rename(
    request: Request, app_state: Here, context: Anybody, table_id: str, body: Body
) -> Response:
    """Change the name at your seat."""
    name = _name(body)
    do(app_state, context, table_id, app_state.tables.rename, name)
    remember_name(context, name)
    return now(request, app_state, context, table_id)


@router.get("/t/{table_id}/clock")
@threaded
def clock(app_state: Here, context: Anybody, table_id: str) -> Response:
    """Say what time it is here, and what may be done about somebody who is silent."""
    snapshot, viewer = app_state.look(table_id, context)
    seat = viewer.seat
    wishes = () if seat is None else app_state.tables.timing.wishes(snapshot, seat)
    return JSONResponse(
        {"now": app_state.tables.clock(), "wishes": list(wishes)},
        headers={"cache-control": "no-store"},
    )


# --- What is this, and why not? ---


@router.get("/t/{table_id}/ask")
@threaded
def ask(
    app_state: Here,
    context: Anybody,
    table_id: str,
    e: str,
    action: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
    ply: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
) -> Response:
    """Say what an element of the picture is, from what the visitor may know."""
    if not is_element(e):
        raise Refusal(400)
    snapshot, viewer = app_state.look(table_id, context)
    return JSONResponse(answered(app_state.renderer, snapshot, viewer, Asked(e, action, ply)))


@router.post("/t/{table_id}/why")
@threaded
def why(app_state: Here, context: Anybody, table_id: str, body: Body) -> Response:
    """Say why an action, or a click on these elements, is refused."""
    elements = tuple(listed(body, "elements", 40, is_element)) if "elements" in body else ()
    action = number(body, "action") if "action" in body else None
    problem = reason(*app_state.look(table_id, context), action, elements)
    if problem is None:
        return JSONResponse({"statement": None, "text": None, "link": None})
    return JSONResponse(problem.as_json()["error"])


def reason(
    snapshot: Snapshot, viewer: Viewer, action: int | None, elements: tuple[str, ...]
) -> Problem | None:
    """Return why an action is refused; None where it is legal, or nothing is meant.

    Asked of the viewer's own view: what he cannot know has no part in the answer.
    """
    if snapshot.status == "over":
        return usual(409, viewer.language, "over", N_("This game is over."))
    if viewer.seat is None or not can_act(snapshot, viewer):
        return usual(409, viewer.language, "not-now", N_("It is not your turn."))
    view = snapshot.view(viewer.seat)
    meant = getattr(snapshot.game.kind.scene, "meant", None)
    if action is None and meant is not None:
        wish: int | str | None = meant(view, viewer.seat, elements)
        if isinstance(wish, str):  # the statement that forbids what is not an action at all
            return refused(wish, viewer.language)
        action = wish
    if action is None:
        return None
    statement = view.refusal(action, viewer.seat)
    if statement == NO_ACTION:
        return usual(422, viewer.language, "no-action", N_("That is not an action of this game."))
    if statement is None:
        return None
    problem, lacking = refused(statement, viewer.language), ""
    if drawing := Drawing.of(snapshot.game.kind):
        lacking = drawing.lacking(view, action, statement, viewer.language)
    return replace(problem, text=f"{lacking} {problem.text}") if lacking else problem
