"""The routes of tables: looking, sitting down, acting."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

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
from tianxia.tables import Looked, NotYourSeat, SeatPlan, Snapshot, TableError
from tianxia.tables.chance import LONGEST_SEED
from tianxia.web import hints
from tianxia.web.answers import Asked, answered
from tianxia.web.app_state import AppState, app_state_of, remember_name
from tianxia.web.bodies import (
    LARGEST_NUMBER,
    flag,
    is_action,
    is_element,
    listed,
    number,
    read_body,
    text,
)
from tianxia.web.catalogue import FIRST_LEVEL, PLAYERS, rules_address, title_of
from tianxia.web.ending import ending_page
from tianxia.web.errors import Problem, Refusal, problem_of, refused, usual
from tianxia.web.middleware import refuse_above
from tianxia.web.pages import at_once, new_page, usual_bot
from tianxia.web.parts import Piece
from tianxia.web.rendering import (
    Viewer,
    as_json,
    can_act,
    seats_of,
    sprite_of,
    tournament_address,
)
from tianxia.web.request_context import LONGEST_NAME, RequestContext, current
from tianxia.web.sharing import preview_of_table
from tianxia.web.static import game_style, static
from tianxia.web.templating import PACKAGE, render

router = APIRouter(include_in_schema=False)
MOST_ACTIONS = 1000
MOST_TOGETHER = 12
"""Pieces that go as one."""
SEE_OTHER = 303


# --- New tables ---


@router.post("/tables")
async def create(request: Request) -> Response:
    """Make a table from the form of a new one."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    name = text(body, "game", 60)
    kind = registry.kind(name)
    try:
        game, plans = wanted(kind, body)
        table_id = await make_table(
            app_state, context, game, plans, text(body, "nickname", LONGEST_NAME, ""), body
        )
    except (TableError, TianxiaError) as error:
        problem = problem_of(error, context.language)
        if context.wants_json or problem.status != 422:
            raise
        context.code = problem.code
        return await app_state.call(new_page, request, name, body, problem.text, problem.status)
    return made(context, table_id)


@router.post("/play/{game}")
async def play_now(request: Request, game: str) -> Response:
    """Make a table against bots at once, with what suits most; newcomers get an easier one."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    kind = registry.kind(game)
    known = await app_state.call(app_state.tables.open_tables, app_state.person(context))
    newcomer = not any(one.seat is not None and one.game == kind.name for one in known)
    chosen, plans = at_once(kind, newcomer=newcomer)
    table_id = await make_table(app_state, context, chosen, plans, context.nickname, body)
    return made(context, table_id)


@router.post("/learn/{game}")
async def learn(request: Request, game: str) -> Response:
    """Make the table of a guided first game."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    kind = registry.kind(game)
    guide = guide_of(kind)
    if guide is None:
        raise Refusal(404, "no-guide", N_("This game has no guided first game."))
    bot = SeatPlan("bot", usual_bot(kind, FIRST_LEVEL))
    plans = [SeatPlan("me") if seat == guide.seat else bot for seat in range(guide.game.seats)]
    name = context.nickname
    table_id = await make_table(app_state, context, guide.game, plans, name, body, guided=True)
    return made(context, table_id)


def made(context: RequestContext, table_id: str) -> Response:
    """Answer that a table is there; a form leads to it."""
    if context.wants_json:
        return JSONResponse({"table": table_id}, 201, {"location": f"/t/{table_id}"})
    return RedirectResponse(f"/t/{table_id}", SEE_OTHER)


async def make_table(
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
    refuse_above(app_state.limits.creations.take(context.address))
    person = app_state.person(context)
    if nickname:
        remember_name(context, nickname)
    public = bool(body.get("public"))
    made = await app_state.call(
        app_state.tables.create,
        game,
        plans,
        person=person,
        nickname=nickname,
        talk=flag(body, "talk") if body.get("talk") not in (None, "usual") else None,
        public=public,
        origin=app_state.origin_of(context),
        pace=text(body, "pace", 20, ""),
        returns=flag(body, "returns", False),
        rated=flag(body, "rated", False),
        draft=text(body, "promise", 40, ""),
        seed=text(body, "seed", LONGEST_SEED, ""),
        seeded=not guided,
        guided=guided,
    )
    return made.table_id


def wanted(kind: GameType, body: dict[str, Any]) -> tuple[Game, list[SeatPlan]]:
    """Return the game and the seats that a form asks for."""
    options = fields(body, "option-") | {
        name: value for name, value in fields(body, "own-").items() if value.strip()
    }
    game = kind(**options | _colours(kind, options, body))
    return game, [plan(text(body, f"seat{seat}", 60, "open")) for seat in range(game.seats)]


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


def plan(written: str) -> SeatPlan:
    """Return who shall sit at a seat, from ``me``, ``open`` or ``bot:skirmisher``."""
    who, _, bot = written.partition(":")
    if who == "bot" and bot:
        return SeatPlan("bot", bot)
    if written == "me":
        return SeatPlan("me")
    if written == "open":
        return SeatPlan("open")
    raise Refusal(400)


@router.post("/promise")
async def promise(request: Request) -> Response:
    """Promise a table: show the hash of its secret, for a browser that then adds a seed."""
    app_state, context = app_state_of(request), current(request)
    refuse_above(app_state.limits.creations.take(context.address))
    table_id, shown = await app_state.call(app_state.tables.promise)
    return JSONResponse({"promise": table_id, "hash": shown})


@router.post("/t/{table_id}/seed")
async def seed(request: Request, table_id: str) -> Response:
    """Add a seed to the secret of chance, whose hash the page has shown."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    added = text(body, "seed", LONGEST_SEED, "")
    await do(app_state, context, table_id, app_state.tables.add_seed, added)
    return await _now(request, table_id)


# --- Looking ---


@router.get("/t/{table_id}")
async def table(request: Request, table_id: str) -> Response:
    """Show a table."""
    app_state, context = app_state_of(request), current(request)
    snapshot, viewer = await app_state.call(app_state.look, table_id, context)
    piece = await app_state.call(app_state.piece_of, snapshot, viewer)
    kind, style = snapshot.game.kind, game_style(snapshot.game.name)
    app_state.person(context)
    return await app_state.call(
        app_state.page,
        "table",
        request,
        boards=(kind.name,),
        table={"id": table_id, "game": kind.name, "title": title_of(kind, context.language)},
        fragment=Markup(piece.html),  # noqa: S704  (made by our template)
        talk=await _talk(app_state, snapshot, table_id, context),
        sprite=sprite_of(snapshot.game),
        styles=[static().url(style)] if style in static().files else [],
        nickname=context.nickname,
        links={
            "rules": rules_address(snapshot.game),
            "tournament": tournament_address(snapshot),
        },
        preview=await app_state.call(preview_of_table, snapshot, context.language),
    )


async def _talk(
    app_state: AppState, snapshot: Snapshot, table_id: str, context: RequestContext
) -> Markup:
    """Return the talk of a table as a visitor may read it; nothing where there is none."""
    if not snapshot.talk:
        return Markup()
    _, piece = await app_state.call(app_state.talk, table_id, context)
    return Markup(piece.html)  # noqa: S704  (made by our template)


@router.get("/t/{table_id}/fragment")
async def fragment(request: Request, table_id: str) -> Response:
    """Send what a viewer sees of a table, for a page that has lost touch."""
    app_state = app_state_of(request)
    piece = await app_state.call(app_state.piece, table_id, current(request))
    return JSONResponse({"version": piece.version, "html": piece.html})


@router.get("/t/{table_id}/ply/{ply}")
async def past(request: Request, table_id: str, ply: int) -> Response:
    """Send a position of a finished game."""
    app_state, context = app_state_of(request), current(request)

    def drawn() -> str:
        snapshot, viewer = app_state.look(table_id, context)
        return app_state.renderer.past_piece(snapshot, viewer, ply).html

    return JSONResponse({"ply": ply, "html": await app_state.call(drawn)})


@router.get("/t/{table_id}/end")
async def end(request: Request, table_id: str) -> Response:
    """Send how a game has ended: places, where points came from, what decided it."""
    app_state, context = app_state_of(request), current(request)

    def drawn() -> str:
        snapshot, viewer = app_state.look(table_id, context)
        looked = app_state.reviews.look(snapshot)
        return ending_page(app_state.renderer, snapshot, viewer, looked)

    return JSONResponse({"html": await app_state.call(drawn)})


@router.get("/words/dice")
async def dice_words(request: Request) -> Response:
    """Send what a page says while it works a table's draws out; few ask for that."""
    return Response(render("dice_words", current(request).language), media_type="application/json")


@router.get("/t/{table_id}/steps")
async def steps(request: Request, table_id: str, after: int = 0) -> Response:
    """Send what has happened since the viewer's own last decision, step by step."""
    app_state, context = app_state_of(request), current(request)

    def drawn() -> list[dict[str, Any]]:
        return app_state.renderer.steps(*app_state.look(table_id, context), after)

    return JSONResponse({"steps": await app_state.call(drawn)})


@router.get("/t/{table_id}/next-steps")
async def next_steps(request: Request, table_id: str) -> Response:
    """Send the gestures that begin with the elements given (``?e=a4``)."""
    app_state, context = app_state_of(request), current(request)
    begun = tuple(request.query_params.getlist("e")[:20])

    def found() -> dict[str, Any]:
        snapshot, viewer = app_state.look(table_id, context)
        scene = app_state.renderer.scene(
            snapshot, viewer, app_state.renderer.told(snapshot, viewer)
        )
        decision = 0 if viewer.seat is None else snapshot.decision(viewer.seat)
        fitting = [
            as_json(gesture)
            for gesture in scene.gestures
            if begun == tuple(e for step in gesture.steps for e in step.elements)[: len(begun)]
        ]
        return {"decision": decision, "gestures": fitting}

    return JSONResponse(await app_state.call(found))


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
async def journeys(request: Request, table_id: str, origin: str, target: str) -> Response:
    """Send how what stands on one element can go on to another, several actions at once."""
    app_state, context = app_state_of(request), current(request)
    if not (is_element(origin) and is_element(target)):
        raise Refusal(400)

    def found() -> dict[str, Any]:
        asked = _drawing(app_state, table_id, context)
        if asked is None:
            return {"decision": 0, "journeys": []}
        drawing, scene, decision = asked
        ways = drawing.journeys(scene, origin, target)
        question = translator(scene.language, PACKAGE).gettext("How many go to {place}?")
        return {
            "decision": decision,
            "question": question.format(place=target),
            "journeys": [way._asdict() for way in ways],
        }

    return JSONResponse(await app_state.call(found))


@router.get("/t/{table_id}/marches")
async def marches(request: Request, table_id: str) -> Response:
    """Send where what stands on several elements (``?e=r2&e=r3``) can go as one."""
    app_state, context = app_state_of(request), current(request)
    origins = request.query_params.getlist("e")
    if not (1 < len(origins) <= MOST_TOGETHER and all(map(is_element, origins))):
        raise Refusal(400)

    def found() -> dict[str, Any]:
        asked = _drawing(app_state, table_id, context)
        if asked is None:
            return {"decision": 0, "marches": []}
        drawing, scene, decision = asked
        ways, words = drawing.marches(scene, origins), translator(scene.language, PACKAGE)
        told = words.gettext(
            "Places where all of them can go: {n}; where some of them can: {some}."
        )
        whole = sum(way.whole for way in ways)
        return {
            "decision": decision,
            "question": words.gettext("Go there together?"),
            "told": told.format(n=whole, some=len(ways) - whole),
            "marches": [way._asdict() for way in ways],
        }

    return JSONResponse(await app_state.call(found))


@router.get("/t/{table_id}/hint")
async def hint(request: Request, table_id: str) -> Response:
    """Send what the viewer could do now, where hints are given."""
    app_state = app_state_of(request)
    snapshot, viewer, scene, advice = await app_state.hints(table_id, current(request))

    def told() -> dict[str, Any]:
        words = hints.in_words(snapshot.view(viewer.code), viewer, scene, advice)
        return hints.as_page(scene, advice, words)

    return JSONResponse(await app_state.call(told))


@router.get("/t/{table_id}/transcript")
async def transcript(request: Request, table_id: str) -> Response:
    """Send the game as text, as far as the viewer may know it."""
    app_state, context = app_state_of(request), current(request)

    def written() -> tuple[str, str]:
        snapshot, viewer = app_state.look(table_id, context)
        return snapshot.game.name, app_state.tables.transcript(table_id, viewer.code)

    name, content = await app_state.call(written)
    disposition = f'attachment; filename="{name}-{table_id}.txt"'
    return PlainTextResponse(content, headers={"content-disposition": disposition})


# --- Sitting down ---


@router.get("/t/{table_id}/seat/{key}")
async def ask_to_enter(request: Request, table_id: str, key: str) -> Response:
    """Ask whoever has a seat's private link whether to take it; nothing is changed yet."""
    return await app_state_of(request).call(_ask_to_enter, request, table_id, key)


def _ask_to_enter(request: Request, table_id: str, key: str) -> Response:
    app_state, context = app_state_of(request), current(request)
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
async def enter(request: Request, table_id: str, key: str) -> Response:
    """Let whoever has a seat's private link hold that seat."""
    app_state, context = app_state_of(request), current(request)
    await read_body(request, app_state.people)
    await app_state.call(app_state.check_table, table_id)
    person = app_state.person(context)
    await app_state.call(app_state.tables.enter, table_id, key, person)
    return RedirectResponse(f"/t/{table_id}", SEE_OTHER)


@router.post("/t/{table_id}/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take a free seat."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    seat, name = number(body, "seat"), _name(body)
    await app_state.call(app_state.check_table, table_id)
    person = app_state.person(context)
    added, colour = text(body, "seed", LONGEST_SEED, ""), text(body, "colour", 20, "")
    await app_state.call(app_state.tables.take_seat, table_id, seat, person, name, added, colour)
    if name:
        remember_name(context, name)
    return await _now(request, table_id)


def _name(body: dict[str, Any]) -> str:
    return text(body, "name" if "name" in body else "nickname", LONGEST_NAME, "")


# --- Acting ---


@router.post("/t/{table_id}/act")
async def act(request: Request, table_id: str) -> Response:
    """Take actions: all of them or none."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    actions = listed(body, "actions", MOST_ACTIONS, is_action)
    decision = number(body, "decision")
    act = partial(
        app_state.tables.act, lag=context.lag, received=app_state.tables.clock() - context.age
    )
    page = request.query_params.get("page", "")
    with app_state.answering(table_id, context, page) as shows:
        await do(app_state, context, table_id, act, actions, decision)
        return await _now(request, table_id, shows)


async def do(
    app_state: AppState,
    context: RequestContext,
    table_id: str,
    what: Callable[..., Any],
    *arguments: Any,
) -> Any:
    """Do something at a table for a visitor who has a seat there."""
    app_state.check_table(table_id)
    if context.person is None:
        await app_state.call(app_state.tables.snapshot, table_id)
        raise NotYourSeat("not-your-seat", N_("You have no seat here that could do this."))
    return await app_state.call(what, table_id, context.person, *arguments)


async def _now(
    request: Request, table_id: str, shows: Callable[[Piece], None] = lambda _: None
) -> Response:
    """Answer with what the visitor sees now, and say what that is; a form leads to the table."""
    app_state, context = app_state_of(request), current(request)
    if not context.wants_json:
        return RedirectResponse(f"/t/{table_id}", SEE_OTHER)
    known = request.query_params.get("known", "")[:80]

    def drawn() -> tuple[Piece, dict[str, Any]]:
        # What was just done is in memory: nothing older can be.
        snapshot, viewer = app_state.look(table_id, context, 0)
        base = app_state.renderer.known(snapshot, viewer, known) if known else None
        piece = app_state.piece_of(snapshot, viewer)
        return piece, piece.since(base)

    piece, message = await app_state.call(drawn)
    shows(piece)
    return JSONResponse(message)


@router.post("/t/{table_id}/take-back")
async def take_back(request: Request, table_id: str) -> Response:
    """Take back, or ask to."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.take_back)


@router.post("/t/{table_id}/leave-guide")
async def leave_guide(request: Request, table_id: str) -> Response:
    """Follow a guided game no longer."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.leave_guide)


@router.post("/t/{table_id}/resign")
async def resign(request: Request, table_id: str) -> Response:
    """Give the game up."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.resign)


@router.post("/t/{table_id}/abort")
async def abort(request: Request, table_id: str) -> Response:
    """Ask to end a game without a result that cannot be played on."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.abort)


@router.post("/t/{table_id}/standing")
async def standing(request: Request, table_id: str) -> Response:
    """Give an answer in advance, or no longer."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    name, on = text(body, "name", 60), flag(body, "on")
    await do(app_state, context, table_id, app_state.tables.set_standing, name, on)
    return await _now(request, table_id)


@router.post("/t/{table_id}/offer-draw")
async def offer_draw(request: Request, table_id: str) -> Response:
    """Offer a draw."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.offer_draw)


async def _plain(
    request: Request, table_id: str, what: Callable[[AppState], Callable[..., Any]]
) -> Response:
    app_state, context = app_state_of(request), current(request)
    await read_body(request, app_state.people)
    await do(app_state, context, table_id, what(app_state))
    return await _now(request, table_id)


@router.post("/t/{table_id}/answer-take-back")
async def answer_take_back(request: Request, table_id: str) -> Response:
    """Allow somebody to take back, or not."""
    return await _answer(request, table_id, lambda app_state: app_state.tables.answer_take_back)


@router.post("/t/{table_id}/answer-draw")
async def answer_draw(request: Request, table_id: str) -> Response:
    """Agree to a draw, or decline it."""
    return await _answer(request, table_id, lambda app_state: app_state.tables.answer_draw)


async def _answer(
    request: Request, table_id: str, what: Callable[[AppState], Callable[..., Any]]
) -> Response:
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    await do(app_state, context, table_id, what(app_state), flag(body, "accept"))
    return await _now(request, table_id)


@router.post("/t/{table_id}/rematch")
async def rematch(request: Request, table_id: str) -> Response:
    """Ask for another game, or join whoever has asked."""
    app_state, context = app_state_of(request), current(request)
    await read_body(request, app_state.people)
    refuse_above(app_state.limits.creations.take(context.address))
    new = await do(app_state, context, table_id, app_state.tables.rematch)
    if not context.wants_json:
        return RedirectResponse(f"/t/{new}", SEE_OTHER)
    return JSONResponse({"rematch": {"table": new}})


@router.post("/t/{table_id}/review")
async def review(request: Request, table_id: str) -> Response:
    """Begin to look back at a finished game; pages are told how far it is."""
    app_state, context = app_state_of(request), current(request)
    await read_body(request, app_state.people)
    await begin_review(app_state, context, table_id)
    return await _now(request, table_id)


async def begin_review(app_state: AppState, context: RequestContext, table_id: str) -> Looked:
    """Begin to look back at a finished game, or say how far that is."""
    await app_state.call(app_state.check_table, table_id)
    refuse_above(app_state.limits.creations.take(context.address))
    return await app_state.call(app_state.reviews.ask, table_id)


@router.post("/t/{table_id}/rename")
async def rename(request: Request, table_id: str) -> Response:
    """Change the name at your seat."""
    app_state, context = app_state_of(request), current(request)
    name = _name(await read_body(request, app_state.people))
    await do(app_state, context, table_id, app_state.tables.rename, name)
    remember_name(context, name)
    return await _now(request, table_id)


# --- Clocks, and those who do not come ---


@router.get("/t/{table_id}/clock")
async def clock(request: Request, table_id: str) -> Response:
    """Say what time it is here, and what may be done about somebody who is silent."""
    app_state, context = app_state_of(request), current(request)

    def found() -> dict[str, Any]:
        snapshot, viewer = app_state.look(table_id, context)
        seat = viewer.seat
        wishes = () if seat is None else app_state.tables.timing.wishes(snapshot, seat)
        return {"now": app_state.tables.clock(), "wishes": list(wishes)}

    return JSONResponse(await app_state.call(found), headers={"cache-control": "no-store"})


@router.post("/t/{table_id}/call-off")
async def call_off(request: Request, table_id: str) -> Response:
    """Call a game off before everybody has decided something."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.timing.call_off)


@router.post("/t/{table_id}/come-back")
async def come_back(request: Request, table_id: str) -> Response:
    """Play on at a seat for which a bot has played."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.timing.come_back)


@router.post("/t/{table_id}/close")
async def close(request: Request, table_id: str) -> Response:
    """Close a table that waits for players."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.timing.close)


@router.post("/t/{table_id}/leave-table")
async def leave_table(request: Request, table_id: str) -> Response:
    """Leave a table that waits for players."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.timing.leave)


@router.post("/t/{table_id}/fill")
async def fill(request: Request, table_id: str) -> Response:
    """Let bots take the free seats."""
    return await _plain(request, table_id, lambda app_state: app_state.tables.timing.fill)


@router.post("/t/{table_id}/claim")
async def claim(request: Request, table_id: str) -> Response:
    """Wait no longer for somebody who is silent."""
    app_state, context = app_state_of(request), current(request)
    wish = text(await read_body(request, app_state.people), "wish", 20)
    await do(app_state, context, table_id, app_state.tables.timing.claim, wish)
    return await _now(request, table_id)


# --- What is this, and why not? ---


@router.get("/t/{table_id}/ask")
async def ask(
    request: Request,
    table_id: str,
    e: str,
    action: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
    ply: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
) -> Response:
    """Say what an element of the picture is, from what the visitor may know."""
    app_state, context = app_state_of(request), current(request)
    if not is_element(e):
        raise Refusal(400)

    def told() -> dict[str, Any]:
        snapshot, viewer = app_state.look(table_id, context)
        return answered(app_state.renderer, snapshot, viewer, Asked(e, action, ply))

    return JSONResponse(await app_state.call(told))


@router.post("/t/{table_id}/why")
async def why(request: Request, table_id: str) -> Response:
    """Say why an action, or a click on these elements, is refused."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    elements = tuple(listed(body, "elements", 40, is_element)) if "elements" in body else ()
    action = number(body, "action") if "action" in body else None

    def found() -> Problem | None:
        snapshot, viewer = app_state.look(table_id, context)
        return reason(snapshot, viewer, action, elements)

    problem = await app_state.call(found)
    if problem is None:
        return JSONResponse({"statement": None, "text": None, "link": None})
    return JSONResponse(problem.as_json()["error"])


def reason(
    snapshot: Snapshot, viewer: Viewer, action: int | None, elements: tuple[str, ...]
) -> Problem | None:
    """Return why an action is refused; None where it is legal, or nothing is meant.

    Asked of the viewer's own view: what he cannot know has no part in the answer.
    """
    if viewer.seat is None or not can_act(snapshot, viewer):
        return usual(409, viewer.language, "not-now", N_("It is not your turn."))
    view = snapshot.view(viewer.seat)
    meant = getattr(snapshot.game.kind.scene, "meant", None)
    if action is None and meant is not None:
        wish: int | str | None = meant(view, viewer.seat, elements)
        if isinstance(wish, str):  # the statement that forbids what is no action at all
            return refused(wish, viewer.language)
        action = wish
    if action is None:
        return None
    statement = view.refusal(action, viewer.seat)
    if statement == NO_ACTION:
        return usual(422, viewer.language, "no-action", N_("That is not an action of this game."))
    return None if statement is None else refused(statement, viewer.language)
