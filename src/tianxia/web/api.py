"""The JSON API under ``/api/v1``: everything that pages can do, with the same refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tianxia.draw.languages import N_
from tianxia.draw.scene import Scene
from tianxia.kernel import registry
from tianxia.kernel.errors import ParseError
from tianxia.kernel.game import GameType
from tianxia.kernel.state import State
from tianxia.tables import Advice, NotNow, Refused, Snapshot, Summary
from tianxia.tables.advising import hurry as let_hurry
from tianxia.web import api_models as models
from tianxia.web import catalogue, chances, hints, manual, table_routes
from tianxia.web.answers import Asked, answered
from tianxia.web.app_state import AppState
from tianxia.web.bodies import LARGEST_NUMBER
from tianxia.web.errors import Refusal
from tianxia.web.pages import least_seats
from tianxia.web.rendering import (
    Viewer,
    can_act,
    free_colours_of,
    gestures,
    permissions,
    seats_of,
    sprite_of,
    standing_of,
)
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Anybody, Body, Here, Somebody, threaded
from tianxia.web.table_routes import do, make_table, plan, reason
from tianxia.web.waiting import Known, Seconds, newer, versioned

INTRODUCTION = (
    N_("Get a token at `POST /api/v1/people`, send it as `Authorization: Bearer TOKEN`."),
    N_("Texts come in the language of `Accept-Language` (English or French)."),
    N_(
        'Every refusal has the form `{"error": {"code", "text", "statement", "link"}}`; '
        "`statement` is the id of the rule that forbids an action, `link` where it "
        "stands."
    ),
)
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


# --- Games and people ---


@router.get("/games")
@threaded
def games(app_state: Here, context: Anybody) -> list[models.GameInfo]:
    """List the games that are played here."""
    return [_game_info(kind, app_state, context.language) for kind in catalogue.kinds()]


@router.get("/games/{game}")
@threaded
def game(app_state: Here, context: Anybody, game: Name) -> models.GameInfo:
    """Describe a game: its options, seats and bots."""
    return _game_info(registry.kind(game), app_state, context.language)


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
    app_state.check_room(context)
    return models.Person(token=app_state.people.sign(app_state.people.new()))


# --- Tables ---


@router.get("/tables")
@threaded
def tables(app_state: Here, context: Anybody) -> models.Lists:
    """List your tables, and those that wait for players."""
    listed = app_state.tables.open_tables(context.who)
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
        seats=seats_listed(table),
    )


def seats_listed(table: Summary) -> list[dict[str, str]]:
    """Return who sits at a table, as lists of tables have it."""
    return [{"kind": seat.kind, "name": seat.name, "bot": seat.bot} for seat in table.seats]


@router.post("/tables", status_code=201)
@threaded
def create(app_state: Here, context: Somebody, new: models.NewTable) -> models.Made:
    """Make a table; where no seat is open the game begins."""
    game = registry.kind(new.game)(**new.options)
    plans = [plan(written, f"seats[{place}]") for place, written in enumerate(new.seats)]
    body = new.model_dump(include={"public", "talk", "pace", "returns", "rated", "promise", "seed"})
    table_id = make_table(app_state, context, game, plans, new.nickname, body)
    return models.Made(table=table_id, keys=keys_of(app_state, table_id, context))


def keys_of(app_state: AppState, table_id: str, context: RequestContext) -> dict[int, str]:
    """Return the private key of the asker's seat; none to a token that is not good for all."""
    viewer = app_state.look(table_id, context)[1]
    return {viewer.seat: viewer.key} if viewer.seat is not None and viewer.key else {}


@router.post("/promise", status_code=201)
@threaded
def promise(app_state: Here, context: Anybody) -> models.Promise:
    """Promise a table, and show the hash of its secret: make the table with it and a seed."""
    app_state.check_room(context)
    table_id, shown = app_state.tables.promise()
    return models.Promise(promise=table_id, hash=shown)


@router.post("/tables/{table_id}/seed")
@threaded
def add_seed(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.AddSeed
) -> models.Table:
    """Add a seed to the secret of chance, before the game; who was paired comes by that."""
    return changed(app_state, context, table_id, app_state.tables.add_seed, wish.seed)


@router.get("/tables/{table_id}")
async def table(
    app_state: Here, context: Anybody, table_id: TableId, version: Known = "", wait: Seconds = 0
) -> models.Table:
    """Describe a table as the asker may know it; on demand wait until that changes."""
    await app_state.call(app_state.check_table, table_id)
    async with app_state.tables.hub.subscribe(table_id) as news:
        asked = table_of, app_state, table_id, context, version
        return await newer(lambda: app_state.call(*asked), news, version, wait)


def table_of(
    app_state: AppState, table_id: str, context: RequestContext, known: str = ""
) -> models.Table:
    """Return a table as the asker may know it now; `known` is as of `AppState.piece`."""
    return app_state.shown_of(partial(_described, app_state), table_id, context, known)


def _described(app_state: AppState, snapshot: Snapshot, viewer: Viewer) -> models.Table:
    """Return a table as a viewer may know it."""
    view = snapshot.view(viewer.code) if snapshot.readable else None
    told = app_state.renderer.told(snapshot, viewer)
    return versioned(
        models.Table(
            id=snapshot.id,
            version="",
            game=snapshot.game.spec,
            rules_version=snapshot.game.rules_version,
            status=snapshot.status,
            ending=snapshot.ending,
            seat=viewer.seat,
            seats=_seats(snapshot, viewer),
            decision=0 if viewer.seat is None else snapshot.decision(viewer.seat),
            your_turn=can_act(snapshot, viewer),
            legal=legal(snapshot, viewer, view) if view else [],
            standing=[models.Standing.model_validate(one) for one in standing_of(snapshot, viewer)],
            notation=view.notation() if view else "",
            text=view.diagram(viewer.language) if view else "",
            scores=view.scores() if view else [],
            log=[models.LogLine.model_validate(line) for line in told.lines],
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
            sources=[models.SourceInfo.model_validate(one) for one in snapshot.sources],
        )
    )


def _seats(snapshot: Snapshot, viewer: Viewer) -> list[models.Seat]:
    """Return the seats of a table, and of which of them the seed is waited for."""
    waits = snapshot.status == "waiting"
    return [
        models.Seat.model_validate(seat).model_copy(
            update={"awaits_seed": waits and info.kind == "person" and info.reserved}
        )
        for seat, info in zip(seats_of(snapshot, viewer), snapshot.seats, strict=True)
    ]


def changed(
    app_state: AppState,
    context: RequestContext,
    table_id: str,
    what: Callable[..., Any],
    *arguments: Any,
) -> models.Table:
    """Do something at a table for somebody with a seat there; return how it stands then."""
    do(app_state, context, table_id, what, *arguments)
    return table_of(app_state, table_id, context)


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
@threaded
def my_seat(app_state: Here, context: Somebody, table_id: TableId) -> models.MySeat:
    """Say which seat is the asker's, and the private key that opens it elsewhere."""
    return _my_seat(app_state, table_id, context)


def _my_seat(app_state: AppState, table_id: str, context: RequestContext) -> models.MySeat:
    viewer = app_state.look(table_id, context)[1]
    if viewer.seat is None:
        raise Refusal(403, "not-your-seat", N_("You have no seat here that could do this."))
    return models.MySeat(seat=viewer.seat, key=viewer.key)


@router.post("/tables/{table_id}/sit")
@threaded
def sit(app_state: Here, context: Somebody, table_id: TableId, wish: models.Sit) -> models.MySeat:
    """Take a free seat."""
    app_state.check_table(table_id)
    how = (wish.nickname, wish.seed, wish.colour)
    app_state.tables.take_seat(table_id, wish.seat, context.who, *how)
    return _my_seat(app_state, table_id, context)


@router.post("/tables/{table_id}/enter")
@threaded
def enter(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Enter
) -> models.MySeat:
    """Hold the seat of a private key, too."""
    app_state.check_table(table_id)
    app_state.tables.enter(table_id, wish.key, context.who)
    return _my_seat(app_state, table_id, context)


@router.post("/tables/{table_id}/rename")
@threaded
def rename(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Rename
) -> models.Table:
    """Change the name at your seat."""
    return changed(app_state, context, table_id, app_state.tables.rename, wish.nickname)


# --- Playing ---


@router.post("/tables/{table_id}/act")
@threaded
def act(app_state: Here, context: Somebody, table_id: TableId, wish: models.Act) -> models.Table:
    """Take actions: all of them or none."""
    snapshot, viewer = app_state.look(table_id, context)
    actions = numbers(snapshot, viewer, wish)
    received = app_state.tables.clock() - context.age
    person = context.who
    app_state.tables.act(table_id, person, actions, wish.decision, received=received)
    return table_of(app_state, table_id, context)


def numbers(snapshot: Snapshot, viewer: Viewer, wish: models.Act) -> list[int]:
    """Return actions as numbers; tokens are read in the position that each one finds.

    What follows one that is refused, ends the turn or shows something is not read at all: the
    service refuses all of them, whatever it says, so that it tells nothing of what was shown.
    """
    if all(isinstance(action, int) for action in wish.actions):
        return [int(action) for action in wish.actions]
    if viewer.seat is None or not can_act(snapshot, viewer):
        return [-1 if isinstance(action, str) else action for action in wish.actions]
    if wish.decision != snapshot.decision(viewer.seat):
        return [0]  # stale, whatever they mean
    state, found = snapshot.state, []
    for action in wish.actions:
        sealed, number = state.sealed, read_action(state, action, viewer.seat)
        found.append(number)
        if state.refusal(number, viewer.seat) is not None:
            break
        state.apply(number, viewer.seat)
        if viewer.seat not in state.acting or state.has_shown(sealed):
            break
    unread = wish.actions[len(found) :]
    return found + [action if isinstance(action, int) else 0 for action in unread]


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
@threaded
def why(app_state: Here, context: Somebody, table_id: TableId, wish: models.Why) -> models.Reason:
    """Say why an action is refused now."""
    snapshot, viewer = app_state.look(table_id, context)
    number = -1
    if viewer.seat is not None and can_act(snapshot, viewer):
        number = read_action(snapshot.view(viewer.seat), wish.action, viewer.seat)
    problem = reason(snapshot, viewer, number, ())
    if problem is None:
        return models.Reason(statement=None, text=None, link=None)
    return models.Reason(**problem.as_json()["error"])


@router.get("/tables/{table_id}/ask")
@threaded
def ask(
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
    snapshot, viewer = app_state.look(table_id, context)
    asked = Asked(element, action, ply)
    return models.Told(**answered(app_state.renderer, snapshot, viewer, asked))


@router.get("/tables/{table_id}/hint")
async def hint(app_state: Here, context: Somebody, table_id: TableId) -> models.Advice:
    """Say what the asker could do now: up to three ways, the best first, each with a reason.

    Given only to people who play against bots alone, and only from what the asker's seat may know.
    """
    return await app_state.call(_advice, *await app_state.hints(table_id, context))


def _advice(snapshot: Snapshot, viewer: Viewer, scene: Scene, advice: Advice) -> models.Advice:
    found = [
        models.Hint(
            actions=list(words.hint.actions),
            tokens=hints.tokens(snapshot, viewer.code, words.hint),
            text=words.label,
            reason=words.reason,
            prospects=words.prospects,
        )
        for words in hints.in_words(snapshot, viewer, scene, advice)
    ]
    return models.Advice(decision=advice.decision, hints=found)


@router.post("/tables/{table_id}/hurry")
@threaded
def hurry(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Let the bots move at once, until it is somebody's turn.

    For people who play against bots alone. Where nobody waits for bots (`may.hurry`), nothing
    happens.
    """
    return changed(app_state, context, table_id, partial(let_hurry, app_state.tables))


@router.post("/tables/{table_id}/take-back")
@threaded
def take_back(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Take back your last action, or ask the others to agree to that."""
    return changed(app_state, context, table_id, app_state.tables.take_back)


@router.post("/tables/{table_id}/resign")
@threaded
def resign(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Give the game up."""
    return changed(app_state, context, table_id, app_state.tables.resign)


@router.post("/tables/{table_id}/abort")
@threaded
def abort(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """End a game without a result that the rules installed cannot go on with.

    It ends when all who play have asked for that.
    """
    return changed(app_state, context, table_id, app_state.tables.abort)


@router.post("/tables/{table_id}/standing")
@threaded
def standing(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.SetStanding
) -> models.Table:
    """Give an answer in advance, or no longer."""
    return changed(app_state, context, table_id, app_state.tables.set_standing, wish.name, wish.on)


@router.post("/tables/{table_id}/offer-draw")
@threaded
def offer_draw(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Offer a draw."""
    return changed(app_state, context, table_id, app_state.tables.offer_draw)


@router.post("/tables/{table_id}/answer-take-back")
@threaded
def answer_take_back(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Answer
) -> models.Table:
    """Allow somebody to take back, or not."""
    return changed(app_state, context, table_id, app_state.tables.answer_take_back, wish.accept)


@router.post("/tables/{table_id}/answer-draw")
@threaded
def answer_draw(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Answer
) -> models.Table:
    """Agree to a draw, or decline it."""
    return changed(app_state, context, table_id, app_state.tables.answer_draw, wish.accept)


@router.post("/tables/{table_id}/rematch")
@threaded
def rematch(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Rematch:
    """Ask for another game, or join whoever has asked."""
    return models.Rematch(table=table_routes.asked_again(app_state, context, table_id))


# --- Pictures and the past ---


@router.post("/tables/{table_id}/review")
@threaded
def begin_review(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Review:
    """Begin to weigh the decisions of a finished game; ask again until `stage` is `done`."""
    table_routes.begin_review(app_state, context, table_id)
    return _review(app_state, context, table_id)


@router.get("/tables/{table_id}/review")
@threaded
def review(app_state: Here, context: Anybody, table_id: TableId) -> models.Review:
    """Say how the chances of a finished game moved, and which decisions cost most."""
    return _review(app_state, context, table_id)


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
        points=[models.ReviewPoint.model_validate(point) for point in found.points],
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
@threaded
def picture(app_state: Here, context: Anybody, table_id: TableId) -> models.Picture:
    """Draw a table: the picture, and the clicks that mean each action."""
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
@threaded
def position(
    app_state: Here, context: Anybody, table_id: TableId, ply: Annotated[int, Path(ge=0, le=10**6)]
) -> models.Position:
    """Describe a position of a finished game."""
    snapshot, _ = app_state.look(table_id, context)
    if not snapshot.open_to_all:
        raise NotNow("not-over", N_("A game can be stepped through when it is over."))
    notations = snapshot.plies_notations
    ply = min(ply, len(notations) - 1)
    text = registry.position(notations[ply]).diagram(context.language)
    return models.Position(ply=ply, plies=len(notations) - 1, notation=notations[ply], text=text)


TEXT = {"description": "The transcript", "content": {"text/plain": {"schema": {"type": "string"}}}}


@router.get("/tables/{table_id}/transcript", response_class=Response, responses={200: TEXT})
@threaded
def transcript(app_state: Here, context: Anybody, table_id: TableId) -> Response:
    """Send the game as text, as far as the asker may know it."""
    _, viewer = app_state.look(table_id, context)
    return PlainTextResponse(app_state.tables.transcript(table_id, viewer.code))


@router.get("/tables/{table_id}/chance")
@threaded
def chance(app_state: Here, context: Anybody, table_id: TableId) -> models.Chance:
    """Say what chance did in a finished game and could have done, to check it by the secret."""
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
    """An application whose description says what an error looks like, and titles what it can do.

    Such a title is what the route's text begins with: of the names of functions some come twice.
    """

    def openapi(self) -> dict[str, Any]:
        """Return the description of all routes."""
        if not self.openapi_schema:
            _, errors = models_json_schema([(models.Error, "serialization")], ref_template=SCHEMAS)
            described = super().openapi()
            described["components"]["schemas"].update(errors["$defs"])
            for route in (one for path in described["paths"].values() for one in path.values()):
                route["summary"] = route["description"].partition("\n")[0].rstrip(".")
        return super().openapi()


@docs.get("/api/docs")
@threaded
def documentation(request: Request, app_state: Here) -> Response:
    """Describe the API for people."""
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
    return app_state.page(
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
