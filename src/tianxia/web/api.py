"""The JSON API under ``/api/v1``: everything that pages can do, with the same refusals."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Path, Query
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tianxia.draw.languages import N_
from tianxia.kernel import registry
from tianxia.kernel.errors import ParseError
from tianxia.kernel.game import GameType
from tianxia.kernel.state import State
from tianxia.tables import NotNow, Refused, Snapshot, Summary
from tianxia.web import api_models as models
from tianxia.web import catalogue, chances, hints, manual, table_routes
from tianxia.web.answers import Asked, answered
from tianxia.web.api_words import INTRODUCTION
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import LARGEST_NUMBER, read_body
from tianxia.web.errors import Refusal
from tianxia.web.middleware import refuse_above
from tianxia.web.pages import least_seats
from tianxia.web.rendering import (
    SeatWords,
    Viewer,
    can_act,
    free_colours_of,
    gestures,
    permissions,
    seats_of,
    sprite_of,
    standing_of,
)
from tianxia.web.request_context import RequestContext, current
from tianxia.web.table_routes import do, make_table, plan, reason
from tianxia.web.waiting import Known, Seconds, newer

DESCRIPTION = "\n".join(INTRODUCTION)
WRONG = {
    400: "Not in the form that is described here",
    401: "No valid token was sent",
    403: "Not the asker's seat, or sent from another site",
    404: "No such table or game",
    409: "Not now: stale, not the asker's turn, seat taken, game over",
    410: "Used already, or too old",
    413: "Too large",
    415: "Not JSON",
    422: "Refused by the rules, or by the options of the game",
    429: "Too many requests; see Retry-After",
    503: "The database, or the game's compiled rules, are not there yet; see Retry-After",
}
SCHEMAS = "#/components/schemas/{model}"
FAILED = {"application/json": {"schema": {"$ref": SCHEMAS.format(model="Error")}}}
RESPONSES: dict[int | str, dict[str, Any]] = {  # as a model each would be built for every route
    status: {"description": text, "content": FAILED} for status, text in WRONG.items()
}

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
TableId = Annotated[str, Path(max_length=64, examples=["Jx0fQ2mZr9sLkT4a"])]
Name = Annotated[str, Path(max_length=60, examples=["stratego"])]


def app_state_here(request: Request) -> AppState:
    """Return the state of the application."""
    return app_state_of(request)


def context_here(request: Request) -> RequestContext:
    """Return who asks."""
    return current(request)


def somebody(request: Request) -> RequestContext:
    """Return who asks; refuse nobody."""
    context = current(request)
    if context.person is None:
        raise Refusal(401)
    return context


Here = Annotated[AppState, Depends(app_state_here)]
Anybody = Annotated[RequestContext, Depends(context_here)]
Somebody = Annotated[RequestContext, Depends(somebody)]


# --- Games and people ---


@router.get("/games")
async def games(app_state: Here, context: Anybody) -> list[models.GameInfo]:
    """List the games that are played here."""

    def listed() -> list[models.GameInfo]:
        return [_game_info(kind, app_state, context.language) for kind in catalogue.kinds()]

    return await app_state.call(listed)


@router.get("/games/{game}")
async def game(app_state: Here, context: Anybody, game: Name) -> models.GameInfo:
    """Describe a game: its options, seats and bots."""
    return await app_state.call(_game_info, registry.kind(game), app_state, context.language)


@router.get("/games/{game}/rules")
async def rules(context: Anybody, game: Name) -> models.Rules:
    """Send a rulebook, whole and statement by statement."""
    book = catalogue.rulebook_of(registry.kind(game))
    if book is None:
        raise Refusal(404, "no-rules", N_("This game has no rulebook here."))
    language = context.language
    return models.Rules(
        language=language,
        markdown=book.markdown(language),
        statements=book.statements(language),
    )


def _game_info(kind: GameType, app_state: AppState, language: str) -> models.GameInfo:
    options = [
        models.OptionInfo(
            name=option.name,
            meaning=option.meaning,
            default=option.usual,
            values=[choice.value for choice in option.choices],
            labels=[choice.label for choice in option.choices],
            least=None if option.choices else option.least,
            most=None if option.choices else option.most,
            example=option.example or None,
        )
        for option in catalogue.options_of(kind, language)
    ]
    return models.GameInfo(
        name=kind.name,
        title=catalogue.title_of(kind, language),
        rules_version=kind.rules_version,
        seats=list(range(least_seats(kind), catalogue.most_seats(kind) + 1)),
        options=options,
        bots=catalogue.bot_names(kind),
        stage=app_state.minds.look(kind.name).stage,
    )


@router.post("/people", status_code=201)
async def people(app_state: Here, context: Anybody) -> models.Person:
    """Become somebody: the token holds the seats that are taken with it."""
    refuse_above(app_state.limits.creations.take(context.address))
    return models.Person(token=app_state.people.sign(app_state.people.new()))


# --- Tables ---


@router.get("/tables")
async def tables(app_state: Here, context: Anybody) -> models.Lists:
    """List your tables, and those that wait for players."""
    listed = await app_state.call(app_state.tables.open_tables, context.person or "")
    listed.sort(key=lambda table: -table.created)
    return models.Lists(
        mine=[_listed(table) for table in listed if table.seat is not None],
        waiting=[_listed(table) for table in listed if table.seat is None],
    )


def _listed(table: Summary) -> models.Listed:
    return models.Listed(
        id=table.id,
        game=table.spec,
        status=table.status,
        ending=table.ending,
        seat=table.seat,
        your_turn=table.your_turn,
        seats=[{"kind": seat.kind, "name": seat.name, "bot": seat.bot} for seat in table.seats],
    )


@router.post("/tables", status_code=201)
async def create(app_state: Here, context: Somebody, new: models.NewTable) -> models.Made:
    """Make a table; where no seat is open the game begins."""
    game = registry.kind(new.game)(**new.options)
    plans = [plan(written) for written in new.seats]
    body = new.model_dump(include={"public", "talk", "pace", "returns", "rated", "promise", "seed"})
    table_id = await make_table(app_state, context, game, plans, new.nickname, body)
    keys = await app_state.call(_keys, app_state, table_id, context)
    return models.Made(table=table_id, keys=keys)


def _keys(app_state: AppState, table_id: str, context: RequestContext) -> dict[int, str]:
    viewer = app_state.look(table_id, context)[1]
    return {} if viewer.seat is None else {viewer.seat: viewer.key}


@router.post("/promise", status_code=201)
async def promise(app_state: Here, context: Anybody) -> models.Promise:
    """Promise a table, and show the hash of its secret: make the table with it and a seed."""
    refuse_above(app_state.limits.creations.take(context.address))
    table_id, shown = await app_state.call(app_state.tables.promise)
    return models.Promise(promise=table_id, hash=shown)


@router.post("/tables/{table_id}/seed")
async def add_seed(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.AddSeed
) -> models.Table:
    """Add a seed to the secret of chance, before the game; who was paired comes by that."""
    await do(app_state, context, table_id, app_state.tables.add_seed, wish.seed)
    return await app_state.call(table_of, app_state, table_id, context)


@router.get("/tables/{table_id}")
async def table(
    app_state: Here,
    context: Anybody,
    table_id: TableId,
    version: Known = "",
    wait: Seconds = 0,
) -> models.Table:
    """Describe a table as the asker may know it; on demand wait until that changes."""
    await app_state.call(app_state.check_table, table_id)
    async with app_state.tables.hub.subscribe(table_id) as news:
        return await newer(
            lambda: app_state.call(table_of, app_state, table_id, context), news, version, wait
        )


def table_of(app_state: AppState, table_id: str, context: RequestContext) -> models.Table:
    """Return a table as the asker may know it now."""
    return described(app_state, *app_state.look(table_id, context))


def described(app_state: AppState, snapshot: Snapshot, viewer: Viewer) -> models.Table:
    """Return a table as the viewer may know it."""
    view = snapshot.view(viewer.code) if snapshot.readable else None
    told = app_state.renderer.told(snapshot, viewer)
    found = models.Table(
        id=snapshot.id,
        version="",
        game=snapshot.game.spec,
        rules_version=snapshot.game.rules_version,
        status=snapshot.status,
        ending=snapshot.ending,
        seat=viewer.seat,
        seats=[seat_model(seat) for seat in seats_of(snapshot, viewer)],
        decision=0 if viewer.seat is None else snapshot.decision(viewer.seat),
        your_turn=can_act(snapshot, viewer),
        legal=legal(snapshot, viewer, view) if view else [],
        standing=[models.Standing(**vars(one)) for one in standing_of(snapshot, viewer)],
        notation=view.notation() if view else "",
        text=view.diagram(viewer.language) if view else "",
        scores=view.scores() if view else [],
        log=[models.LogLine(**vars(line)) for line in told.lines],
        draw_offer=snapshot.draw_offer,
        take_back_ask=snapshot.take_back_ask,
        may=permissions(snapshot, viewer),
        free_colours=[
            models.FreeColour(seat=one.seat, colour=one.name)
            for one in free_colours_of(snapshot, viewer)
        ],
        talk=snapshot.talk,
        pace=str(snapshot.pace),
        returns=snapshot.returns,
        rated=snapshot.rated,
        chance_hash=snapshot.chance_hash,
        chance_secret=snapshot.chance_secret,
        next=snapshot.next_id,
        sources=[
            models.SourceInfo(table=one.table, actions=one.actions) for one in snapshot.sources
        ],
    )
    found.version = hashlib.blake2b(found.model_dump_json().encode(), digest_size=9).hexdigest()
    return found


def seat_model(seat: SeatWords) -> models.Seat:
    """Return a seat as programs get it."""
    clock = None if seat.clock is None else vars(seat.clock)
    return models.Seat(**vars(seat) | {"clock": clock})


def legal(snapshot: Snapshot, viewer: Viewer, view: State) -> list[models.Legal]:
    """Return what the viewer can do now."""
    if not can_act(snapshot, viewer) or viewer.seat is None:
        return []
    seat, write = viewer.seat, snapshot.game.kind.words.write
    return [
        models.Legal(action=action, token=write(view, action, seat))
        for action in view.legal_actions(seat)
    ]


# --- Seats ---


@router.get("/tables/{table_id}/seat")
async def my_seat(app_state: Here, context: Somebody, table_id: TableId) -> models.MySeat:
    """Say which seat is the asker's, and the private key that opens it elsewhere."""
    return await app_state.call(_my_seat, app_state, table_id, context)


def _my_seat(app_state: AppState, table_id: str, context: RequestContext) -> models.MySeat:
    viewer = app_state.look(table_id, context)[1]
    if viewer.seat is None:
        raise Refusal(403, "not-your-seat", N_("You have no seat here that could do this."))
    return models.MySeat(seat=viewer.seat, key=viewer.key)


@router.post("/tables/{table_id}/sit")
async def sit(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Sit
) -> models.MySeat:
    """Take a free seat."""
    take = app_state.tables.take_seat
    await app_state.call(app_state.check_table, table_id)
    how = (wish.nickname, wish.seed, wish.colour)
    await app_state.call(take, table_id, wish.seat, context.person, *how)
    return await app_state.call(_my_seat, app_state, table_id, context)


@router.post("/tables/{table_id}/enter")
async def enter(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Enter
) -> models.MySeat:
    """Hold the seat of a private key, too."""
    await app_state.call(app_state.check_table, table_id)
    await app_state.call(app_state.tables.enter, table_id, wish.key, context.person)
    return await app_state.call(_my_seat, app_state, table_id, context)


@router.post("/tables/{table_id}/rename")
async def rename(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Rename
) -> models.Table:
    """Change the name at your seat."""
    await do(app_state, context, table_id, app_state.tables.rename, wish.nickname)
    return await app_state.call(table_of, app_state, table_id, context)


# --- Playing ---


@router.post("/tables/{table_id}/act")
async def act(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Act
) -> models.Table:
    """Take actions: all of them or none."""

    def acted() -> models.Table:
        snapshot, viewer = app_state.look(table_id, context)
        actions = numbers(snapshot, viewer, wish)
        received = app_state.tables.clock() - context.age
        person = context.person or ""
        app_state.tables.act(table_id, person, actions, wish.decision, received=received)
        return table_of(app_state, table_id, context)

    return await app_state.call(acted)


def numbers(snapshot: Snapshot, viewer: Viewer, wish: models.Act) -> list[int]:
    """Return actions as numbers; tokens are read in the position that each one finds."""
    if all(isinstance(action, int) for action in wish.actions):
        return [int(action) for action in wish.actions]
    if viewer.seat is None or not can_act(snapshot, viewer):
        return [-1 if isinstance(action, str) else action for action in wish.actions]
    if wish.decision != snapshot.decision(viewer.seat):
        return [0]  # stale, whatever they mean
    state, found = snapshot.state, []
    for action in wish.actions:
        number = read_action(state, action, viewer.seat)
        found.append(number)
        if state.refusal(number, viewer.seat) is not None:
            break  # the service refuses it, naming the statement
        state.apply(number, viewer.seat)
        if viewer.seat not in state.acting:
            break
    return found + [-1] * (len(wish.actions) - len(found))


def read_action(state: State, action: int | str, seat: int) -> int:
    """Return the number of an action that is given by number or token."""
    if isinstance(action, int):
        return action
    try:
        return state.parse(action, seat)
    except ParseError as error:
        raise Refused(
            "no-action", N_("This is not an action of the game: {why}"), why=error
        ) from error


@router.post("/tables/{table_id}/why")
async def why(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Why
) -> models.Reason:
    """Say why an action is refused now."""

    def found() -> models.Reason:
        snapshot, viewer = app_state.look(table_id, context)
        number = -1
        if viewer.seat is not None and can_act(snapshot, viewer):
            number = read_action(snapshot.view(viewer.seat), wish.action, viewer.seat)
        problem = reason(snapshot, viewer, number, ())
        if problem is None:
            return models.Reason(statement=None, text=None, link=None)
        return models.Reason(**problem.as_json()["error"])

    return await app_state.call(found)


@router.get("/tables/{table_id}/ask")
async def ask(
    app_state: Here,
    context: Anybody,
    table_id: TableId,
    element: Annotated[str, Query(min_length=1, max_length=40, examples=["a4"])],
    action: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
    ply: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
) -> models.Told:
    """Say what an element of the picture is: facts, rules, and what an action would change.

    An action that the asker cannot take now is passed over; `ply` is for finished games.
    """

    def told() -> models.Told:
        snapshot, viewer = app_state.look(table_id, context)
        asked = Asked(element, action, ply)
        return models.Told(**answered(app_state.renderer, snapshot, viewer, asked))

    return await app_state.call(told)


@router.get("/tables/{table_id}/hint")
async def hint(app_state: Here, context: Somebody, table_id: TableId) -> models.Advice:
    """Say what the asker could do now: up to three ways, the best first, each with a reason.

    Given only to people who play against bots alone, and only from what the asker's seat may know.
    """
    snapshot, viewer, scene, advice = await app_state.hints(table_id, context)

    def told() -> models.Advice:
        words = hints.in_words(snapshot.view(viewer.code), viewer, scene, advice)
        return models.Advice(
            decision=advice.decision, hints=[_hint(snapshot, viewer, one) for one in words]
        )

    return await app_state.call(told)


def _hint(snapshot: Snapshot, viewer: Viewer, words: hints.HintWords) -> models.Hint:
    return models.Hint(
        actions=list(words.hint.actions),
        tokens=hints.tokens(snapshot, viewer.code, words.hint),
        text=words.label,
        reason=words.reason,
        prospects=words.prospects,
    )


async def _plain(
    app_state: AppState, context: RequestContext, table_id: str, request: Request, what: Any
) -> Any:
    await read_body(request, app_state.people)
    await do(app_state, context, table_id, what)
    return await app_state.call(table_of, app_state, table_id, context)


@router.post("/tables/{table_id}/take-back")
async def take_back(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """Take back your last action, or ask the others to agree to that."""
    return await _plain(app_state, context, table_id, request, app_state.tables.take_back)


@router.post("/tables/{table_id}/resign")
async def resign(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """Give the game up."""
    return await _plain(app_state, context, table_id, request, app_state.tables.resign)


@router.post("/tables/{table_id}/abort")
async def abort(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """End a game without a result that the rules installed cannot go on with.

    It ends when all who play have asked for that.
    """
    return await _plain(app_state, context, table_id, request, app_state.tables.abort)


@router.post("/tables/{table_id}/standing")
async def standing(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.SetStanding
) -> models.Table:
    """Give an answer in advance, or no longer."""
    await do(app_state, context, table_id, app_state.tables.set_standing, wish.name, wish.on)
    return await app_state.call(table_of, app_state, table_id, context)


@router.post("/tables/{table_id}/offer-draw")
async def offer_draw(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """Offer a draw."""
    return await _plain(app_state, context, table_id, request, app_state.tables.offer_draw)


@router.post("/tables/{table_id}/answer-take-back")
async def answer_take_back(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Answer
) -> models.Table:
    """Allow somebody to take back, or not."""
    await do(app_state, context, table_id, app_state.tables.answer_take_back, wish.accept)
    return await app_state.call(table_of, app_state, table_id, context)


@router.post("/tables/{table_id}/answer-draw")
async def answer_draw(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Answer
) -> models.Table:
    """Agree to a draw, or decline it."""
    await do(app_state, context, table_id, app_state.tables.answer_draw, wish.accept)
    return await app_state.call(table_of, app_state, table_id, context)


@router.post("/tables/{table_id}/rematch")
async def rematch(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Rematch:
    """Ask for another game, or join whoever has asked."""
    await read_body(request, app_state.people)
    refuse_above(app_state.limits.creations.take(context.address))
    return models.Rematch(table=await do(app_state, context, table_id, app_state.tables.rematch))


# --- Pictures and the past ---


@router.post("/tables/{table_id}/review")
async def begin_review(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Review:
    """Begin to weigh the decisions of a finished game; ask again until `stage` is `done`."""
    await read_body(request, app_state.people)
    await table_routes.begin_review(app_state, context, table_id)
    return await app_state.call(_review, app_state, context, table_id)


@router.get("/tables/{table_id}/review")
async def review(app_state: Here, context: Anybody, table_id: TableId) -> models.Review:
    """Say how the chances of a finished game moved, and which decisions cost most."""
    return await app_state.call(_review, app_state, context, table_id)


def _review(app_state: AppState, context: RequestContext, table_id: str) -> models.Review:
    snapshot, viewer = app_state.look(table_id, context)
    looked = app_state.reviews.look(snapshot)
    found = looked.review
    if found is None:
        return models.Review(stage=looked.stage, part=looked.part, points=[], costly=[])
    before = chances.positions(snapshot, [one.ply for one in found.costly])
    words = chances.chart(snapshot, found, viewer.language).costly
    return models.Review(
        stage=looked.stage,
        part=looked.part,
        points=[models.ReviewPoint(**vars(point)) for point in found.points],
        costly=[
            models.CostlyDecision(
                ply=one.ply,
                seat=one.seat,
                chosen=before[one.ply].text(one.chosen, one.seat),
                better=before[one.ply].text(one.better, one.seat),
                cost=one.cost,
                text=told.better,
                reason=told.reason,
            )
            for one, told in zip(found.costly, words, strict=True)
        ],
    )


@router.get("/tables/{table_id}/picture")
async def picture(app_state: Here, context: Anybody, table_id: TableId) -> models.Picture:
    """Draw a table: the picture, and the clicks that mean each action."""
    return await app_state.call(_picture, app_state, table_id, context)


def _picture(app_state: AppState, table_id: str, context: RequestContext) -> models.Picture:
    snapshot, viewer = app_state.look(table_id, context)
    scene = app_state.renderer.scene(snapshot, viewer, app_state.renderer.told(snapshot, viewer))
    decision = 0 if viewer.seat is None else snapshot.decision(viewer.seat)
    listed = gestures(scene, decision, viewer.language)
    return models.Picture(
        svg=scene.svg,
        sprite=sprite_of(snapshot.game),
        style=getattr(snapshot.game.kind.scene, "style", ""),
        text=scene.text,
        status=scene.status,
        panels=[
            {"id": panel.id, "title": panel.title, "html": panel.html, "place": panel.place}
            for panel in scene.panels
        ],
        gestures=listed,
    )


@router.get("/tables/{table_id}/plies/{ply}")
async def position(
    app_state: Here, context: Anybody, table_id: TableId, ply: Annotated[int, Path(ge=0, le=10**6)]
) -> models.Position:
    """Describe a position of a finished game."""
    return await app_state.call(_position, app_state, table_id, context, ply)


def _position(
    app_state: AppState, table_id: str, context: RequestContext, ply: int
) -> models.Position:
    snapshot, _ = app_state.look(table_id, context)
    if not snapshot.open_to_all:
        raise NotNow("not-over", N_("A game can be stepped through when it is over."))
    notations = snapshot.plies_notations
    ply = min(ply, len(notations) - 1)
    text = registry.position(notations[ply]).diagram(context.language)
    return models.Position(ply=ply, plies=len(notations) - 1, notation=notations[ply], text=text)


TEXT = {"description": "The transcript", "content": {"text/plain": {"schema": {"type": "string"}}}}


@router.get("/tables/{table_id}/transcript", response_class=Response, responses={200: TEXT})
async def transcript(app_state: Here, context: Anybody, table_id: TableId) -> Response:
    """Send the game as text, as far as the asker may know it."""

    def written() -> str:
        _, viewer = app_state.look(table_id, context)
        return app_state.tables.transcript(table_id, viewer.code)

    return PlainTextResponse(await app_state.call(written))


@router.get("/tables/{table_id}/chance")
async def chance(app_state: Here, context: Anybody, table_id: TableId) -> models.Chance:
    """Say what chance did in a finished game and could have done, to check it by the secret."""
    return await app_state.call(_chance, app_state, table_id, context)


def _chance(app_state: AppState, table_id: str, context: RequestContext) -> models.Chance:
    snapshot, _ = app_state.look(table_id, context)
    actions = [
        models.ChanceAction(
            ply=one.ply,
            token=one.token,
            outcomes=[(token, str(weight)) for token, weight in one.outcomes],
        )
        for one in app_state.tables.drawn(table_id)
    ]
    return models.Chance(
        table=table_id,
        hash=snapshot.chance_hash,
        secret=snapshot.chance_secret or "",
        seeds=list(snapshot.chance_seeds),
        actions=actions,
    )


# --- Documentation ---

docs = APIRouter(include_in_schema=False)


class Described(FastAPI):
    """An application whose description says what an error looks like."""

    def openapi(self) -> dict[str, Any]:
        """Return the description of all routes."""
        if not self.openapi_schema:
            _, errors = models_json_schema([(models.Error, "serialization")], ref_template=SCHEMAS)
            super().openapi()["components"]["schemas"].update(errors["$defs"])
        return super().openapi()


@docs.get("/api/docs")
async def documentation(request: Request) -> Response:
    """Describe the API for people."""
    return await app_state_of(request).call(_documentation, request)


def _documentation(request: Request) -> Response:
    schema = request.app.openapi()
    routes = [
        {
            "method": method.upper(),
            "path": path,
            "summary": " ".join((route.get("description") or route.get("summary", "")).split()),
            "example": _example(route, schema),
        }
        for path, methods in schema["paths"].items()
        for method, route in methods.items()
    ]
    return app_state_of(request).page(
        "api", request, routes=routes, introduction=INTRODUCTION, manual=manual.is_built()
    )


def _example(route: dict[str, Any], schema: dict[str, Any]) -> str:
    """Return an example of what a route takes, as JSON."""
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
    fields = schema["components"]["schemas"].get(name, {}).get("properties", {})
    known = {field: facts["examples"][0] for field, facts in fields.items() if "examples" in facts}
    example = known or None
    return json.dumps(example, ensure_ascii=False) if example else ""


__all__ = ["DESCRIPTION", "Described", "docs", "router"]
