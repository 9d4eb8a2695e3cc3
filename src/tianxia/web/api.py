"""The JSON API under ``/api/v1``: everything that pages can do, with the same refusals."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tianxia.draw.languages import N_
from tianxia.kernel import registry
from tianxia.kernel.errors import ParseError
from tianxia.kernel.game import GameType
from tianxia.kernel.state import State
from tianxia.tables import NotNow, Refused, Snapshot, Summary
from tianxia.web import api_models as models
from tianxia.web import catalogue, chances, hints, seats
from tianxia.web.api_words import INTRODUCTION
from tianxia.web.bodies import read_body
from tianxia.web.desk import (
    Viewer,
    can_act,
    gestures,
    permissions,
    seats_of,
    sprite_of,
    standing_of,
)
from tianxia.web.errors import Refusal
from tianxia.web.gate import refuse_above
from tianxia.web.house import House, house_of
from tianxia.web.pages import least_seats
from tianxia.web.seats import do, make_table, plan, reason
from tianxia.web.visit import Visit, current
from tianxia.web.waiting import Known, Seconds, newer

DESCRIPTION = "\n".join(INTRODUCTION)
WRONG = {
    400: "Not in the form that is described here",
    401: "No valid token was sent",
    403: "Not the asker's seat, or sent from another site",
    404: "No such table or game",
    409: "Not now: stale, not the asker's turn, seat taken, game over",
    413: "Too large",
    415: "Not JSON",
    422: "Refused by the rules, or by the options of the game",
    429: "Too many requests; see Retry-After",
    503: "The database, or the game's compiled rules, are not there yet; see Retry-After",
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Error, "description": text} for status, text in WRONG.items()
}

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
TableId = Annotated[str, Path(max_length=64, examples=["Jx0fQ2mZr9sLkT4a"])]
Name = Annotated[str, Path(max_length=60, examples=["stratego"])]


def house_here(request: Request) -> House:
    """Return the house."""
    return house_of(request)


def visit_here(request: Request) -> Visit:
    """Return who asks."""
    return current(request)


def somebody(request: Request) -> Visit:
    """Return who asks; refuse nobody."""
    visit = current(request)
    if visit.person is None:
        raise Refusal(401)
    return visit


Here = Annotated[House, Depends(house_here)]
Anybody = Annotated[Visit, Depends(visit_here)]
Somebody = Annotated[Visit, Depends(somebody)]


# --- Games and people ---


@router.get("/games")
async def games(house: Here, visit: Anybody) -> list[models.GameInfo]:
    """List the games that are played here."""

    def listed() -> list[models.GameInfo]:
        return [_game_info(kind, house, visit.language) for kind in catalogue.kinds()]

    return await house.call(listed)


@router.get("/games/{game}")
async def game(house: Here, visit: Anybody, game: Name) -> models.GameInfo:
    """Describe a game: its options, seats and bots."""
    return await house.call(_game_info, registry.kind(game), house, visit.language)


@router.get("/games/{game}/rules")
async def rules(visit: Anybody, game: Name) -> models.Rules:
    """Send a rulebook, whole and statement by statement."""
    book = catalogue.rulebook_of(registry.kind(game))
    if book is None:
        raise Refusal(404, "no-rules", N_("This game has no rulebook here."))
    language = visit.language
    return models.Rules(
        language=language,
        markdown=book.markdown(language),
        statements=book.statements(language),
    )


def _game_info(kind: GameType, house: House, language: str) -> models.GameInfo:
    options = [
        models.OptionInfo(
            name=option.name,
            meaning=option.meaning,
            default=option.usual,
            values=[choice.value for choice in option.choices],
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
        stage=house.minds.look(kind.name).stage,
    )


@router.post("/people", status_code=201)
async def people(house: Here, visit: Anybody) -> models.Person:
    """Become somebody: the token holds the seats that are taken with it."""
    refuse_above(house.limits.creations.take(visit.address))
    return models.Person(token=house.people.sign(house.people.new()))


# --- Tables ---


@router.get("/tables")
async def tables(house: Here, visit: Anybody) -> models.Lists:
    """List one's own tables, and those that wait for players."""
    listed = await house.call(house.tables.open_tables, visit.person or "")
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
async def create(house: Here, visit: Somebody, new: models.NewTable) -> models.Made:
    """Make a table; where no seat is open the game begins."""
    game = registry.kind(new.game)(**new.options)
    plans = [plan(written) for written in new.seats]
    body = {"public": new.public, "talk": new.talk}
    table_id = await make_table(house, visit, game, plans, new.nickname, body)
    keys = await house.call(_keys, house, table_id, visit)
    return models.Made(table=table_id, keys=keys)


def _keys(house: House, table_id: str, visit: Visit) -> dict[int, str]:
    viewer = house.look(table_id, visit)[1]
    return {} if viewer.seat is None else {viewer.seat: viewer.key}


@router.get("/tables/{table_id}")
async def table(
    house: Here,
    visit: Anybody,
    table_id: TableId,
    version: Known = "",
    wait: Seconds = 0,
) -> models.Table:
    """Describe a table as the asker may know it; on demand wait until that changes."""
    await house.call(house.check_table, table_id)
    async with house.tables.hub.subscribe(table_id) as news:
        return await newer(lambda: house.call(_table, house, table_id, visit), news, version, wait)


def _table(house: House, table_id: str, visit: Visit) -> models.Table:
    return described(house, *house.look(table_id, visit))


def described(house: House, snapshot: Snapshot, viewer: Viewer) -> models.Table:
    """Return a table as the viewer may know it."""
    view = snapshot.view(viewer.code)
    told = house.desk.told(snapshot, viewer)
    found = models.Table(
        id=snapshot.id,
        version="",
        game=snapshot.game.spec,
        rules_version=snapshot.game.rules_version,
        status=snapshot.status,
        ending=snapshot.ending,
        seat=viewer.seat,
        seats=[models.Seat(**vars(seat)) for seat in seats_of(snapshot, viewer)],
        decision=0 if viewer.seat is None else snapshot.decision(viewer.seat),
        your_turn=can_act(snapshot, viewer),
        legal=legal(snapshot, viewer, view),
        standing=[models.Standing(**vars(one)) for one in standing_of(snapshot, viewer)],
        notation=view.notation(),
        text=view.diagram(viewer.language),
        scores=view.scores(),
        log=[models.LogLine(**vars(line)) for line in told.lines],
        draw_offer=snapshot.draw_offer,
        take_back_ask=snapshot.take_back_ask,
        may=permissions(snapshot, viewer),
        talk=snapshot.talk,
        chance_hash=snapshot.chance_hash,
        chance_secret=snapshot.chance_secret,
        next=snapshot.next_id,
    )
    found.version = hashlib.blake2b(found.model_dump_json().encode(), digest_size=9).hexdigest()
    return found


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
async def my_seat(house: Here, visit: Somebody, table_id: TableId) -> models.MySeat:
    """Say which seat is the asker's, and the private key that opens it elsewhere."""
    return await house.call(_my_seat, house, table_id, visit)


def _my_seat(house: House, table_id: str, visit: Visit) -> models.MySeat:
    viewer = house.look(table_id, visit)[1]
    if viewer.seat is None:
        raise Refusal(403, "not-your-seat", N_("You have no seat here that could do this."))
    return models.MySeat(seat=viewer.seat, key=viewer.key)


@router.post("/tables/{table_id}/sit")
async def sit(house: Here, visit: Somebody, table_id: TableId, wish: models.Sit) -> models.MySeat:
    """Take a free seat."""
    take = house.tables.take_seat
    await house.call(house.check_table, table_id)
    await house.call(take, table_id, wish.seat, visit.person, wish.nickname)
    return await house.call(_my_seat, house, table_id, visit)


@router.post("/tables/{table_id}/enter")
async def enter(
    house: Here, visit: Somebody, table_id: TableId, wish: models.Enter
) -> models.MySeat:
    """Hold the seat of a private key, too."""
    await house.call(house.check_table, table_id)
    await house.call(house.tables.enter, table_id, wish.key, visit.person)
    return await house.call(_my_seat, house, table_id, visit)


@router.post("/tables/{table_id}/rename")
async def rename(
    house: Here, visit: Somebody, table_id: TableId, wish: models.Rename
) -> models.Table:
    """Change the name at one's seat."""
    await do(house, visit, table_id, house.tables.rename, wish.nickname)
    return await house.call(_table, house, table_id, visit)


# --- Playing ---


@router.post("/tables/{table_id}/act")
async def act(house: Here, visit: Somebody, table_id: TableId, wish: models.Act) -> models.Table:
    """Take actions: all of them or none."""

    def acted() -> models.Table:
        snapshot, viewer = house.look(table_id, visit)
        actions = numbers(snapshot, viewer, wish)
        house.tables.act(table_id, visit.person or "", actions, wish.decision)
        return _table(house, table_id, visit)

    return await house.call(acted)


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
        raise Refused("no-action", N_("This is no action of the game: {why}"), why=error) from error


@router.post("/tables/{table_id}/why")
async def why(house: Here, visit: Somebody, table_id: TableId, wish: models.Why) -> models.Reason:
    """Say why an action is refused now."""

    def found() -> models.Reason:
        snapshot, viewer = house.look(table_id, visit)
        number = -1
        if viewer.seat is not None and can_act(snapshot, viewer):
            number = read_action(snapshot.view(viewer.seat), wish.action, viewer.seat)
        problem = reason(snapshot, viewer, number, ())
        if problem is None:
            return models.Reason(statement=None, text=None, link=None)
        return models.Reason(**problem.as_json()["error"])

    return await house.call(found)


@router.get("/tables/{table_id}/hint")
async def hint(house: Here, visit: Somebody, table_id: TableId) -> models.Advice:
    """Say what the asker could do now: up to three ways, the best first, each with a reason.

    Given only to who plays against bots alone, and only from what the asker's seat may know.
    """
    snapshot, viewer, scene, advice = await house.hints(table_id, visit)

    def told() -> models.Advice:
        words = hints.in_words(snapshot.view(viewer.code), viewer, scene, advice)
        return models.Advice(
            decision=advice.decision, hints=[_hint(snapshot, viewer, one) for one in words]
        )

    return await house.call(told)


def _hint(snapshot: Snapshot, viewer: Viewer, words: hints.HintWords) -> models.Hint:
    return models.Hint(
        actions=list(words.hint.actions),
        tokens=hints.tokens(snapshot, viewer.code, words.hint),
        text=words.label,
        reason=words.reason,
        prospects=words.prospects,
    )


async def _plain(house: House, visit: Visit, table_id: str, request: Request, what: Any) -> Any:
    await read_body(request, house.people)
    await do(house, visit, table_id, what)
    return await house.call(_table, house, table_id, visit)


@router.post("/tables/{table_id}/take-back")
async def take_back(
    request: Request, house: Here, visit: Somebody, table_id: TableId
) -> models.Table:
    """Take back what one did last, or ask the others to agree to that."""
    return await _plain(house, visit, table_id, request, house.tables.take_back)


@router.post("/tables/{table_id}/resign")
async def resign(request: Request, house: Here, visit: Somebody, table_id: TableId) -> models.Table:
    """Give the game up."""
    return await _plain(house, visit, table_id, request, house.tables.resign)


@router.post("/tables/{table_id}/standing")
async def standing(
    house: Here, visit: Somebody, table_id: TableId, wish: models.SetStanding
) -> models.Table:
    """Give an answer in advance, or no longer."""
    await do(house, visit, table_id, house.tables.set_standing, wish.name, wish.on)
    return await house.call(_table, house, table_id, visit)


@router.post("/tables/{table_id}/offer-draw")
async def offer_draw(
    request: Request, house: Here, visit: Somebody, table_id: TableId
) -> models.Table:
    """Offer a draw."""
    return await _plain(house, visit, table_id, request, house.tables.offer_draw)


@router.post("/tables/{table_id}/answer-take-back")
async def answer_take_back(
    house: Here, visit: Somebody, table_id: TableId, wish: models.Answer
) -> models.Table:
    """Allow somebody to take back, or not."""
    await do(house, visit, table_id, house.tables.answer_take_back, wish.accept)
    return await house.call(_table, house, table_id, visit)


@router.post("/tables/{table_id}/answer-draw")
async def answer_draw(
    house: Here, visit: Somebody, table_id: TableId, wish: models.Answer
) -> models.Table:
    """Agree to a draw, or decline it."""
    await do(house, visit, table_id, house.tables.answer_draw, wish.accept)
    return await house.call(_table, house, table_id, visit)


@router.post("/tables/{table_id}/rematch")
async def rematch(
    request: Request, house: Here, visit: Somebody, table_id: TableId
) -> models.Rematch:
    """Ask for another game, or join who has asked."""
    await read_body(request, house.people)
    refuse_above(house.limits.creations.take(visit.address))
    return models.Rematch(table=await do(house, visit, table_id, house.tables.rematch))


# --- Pictures and the past ---


@router.post("/tables/{table_id}/review")
async def begin_review(
    request: Request, house: Here, visit: Somebody, table_id: TableId
) -> models.Review:
    """Begin to weigh the decisions of a finished game; ask again until `stage` is `done`."""
    await read_body(request, house.people)
    await seats.begin_review(house, visit, table_id)
    return await house.call(_review, house, visit, table_id)


@router.get("/tables/{table_id}/review")
async def review(house: Here, visit: Anybody, table_id: TableId) -> models.Review:
    """Say how the chances of a finished game moved, and which decisions cost most."""
    return await house.call(_review, house, visit, table_id)


def _review(house: House, visit: Visit, table_id: str) -> models.Review:
    snapshot, viewer = house.look(table_id, visit)
    looked = house.reviews.look(snapshot)
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
async def picture(house: Here, visit: Anybody, table_id: TableId) -> models.Picture:
    """Draw a table: the picture, and the clicks that mean each action."""
    return await house.call(_picture, house, table_id, visit)


def _picture(house: House, table_id: str, visit: Visit) -> models.Picture:
    snapshot, viewer = house.look(table_id, visit)
    scene = house.desk.scene(snapshot, viewer, house.desk.told(snapshot, viewer))
    decision = 0 if viewer.seat is None else snapshot.decision(viewer.seat)
    listed = gestures(scene, decision)
    listed.pop("version")
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
    house: Here, visit: Anybody, table_id: TableId, ply: Annotated[int, Path(ge=0, le=10**6)]
) -> models.Position:
    """Describe a position of a finished game."""
    return await house.call(_position, house, table_id, visit, ply)


def _position(house: House, table_id: str, visit: Visit, ply: int) -> models.Position:
    snapshot, _ = house.look(table_id, visit)
    if not snapshot.open_to_all:
        raise NotNow("not-over", N_("A game can be stepped through when it is over."))
    notations = snapshot.plies_notations
    ply = min(ply, len(notations) - 1)
    text = registry.position(notations[ply]).diagram(visit.language)
    return models.Position(ply=ply, plies=len(notations) - 1, notation=notations[ply], text=text)


TEXT = {"description": "The transcript", "content": {"text/plain": {"schema": {"type": "string"}}}}


@router.get("/tables/{table_id}/transcript", response_class=Response, responses={200: TEXT})
async def transcript(house: Here, visit: Anybody, table_id: TableId) -> Response:
    """Send the game as text, as far as the asker may know it."""

    def written() -> str:
        _, viewer = house.look(table_id, visit)
        return house.tables.transcript(table_id, viewer.code)

    return PlainTextResponse(await house.call(written))


@router.get("/tables/{table_id}/chance")
async def chance(house: Here, visit: Anybody, table_id: TableId) -> models.Chance:
    """Say what chance did in a finished game and could have done, to check it by the secret."""
    return await house.call(_chance, house, table_id, visit)


def _chance(house: House, table_id: str, visit: Visit) -> models.Chance:
    snapshot, _ = house.look(table_id, visit)
    actions = [
        models.ChanceAction(
            ply=one.ply,
            token=one.token,
            outcomes=[(token, str(weight)) for token, weight in one.outcomes],
        )
        for one in house.tables.drawn(table_id)
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


@docs.get("/api/docs")
async def documentation(request: Request) -> Response:
    """Describe the API for people."""
    return await house_of(request).call(_documentation, request)


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
    return house_of(request).page("api", request, routes=routes, introduction=INTRODUCTION)


def _example(route: dict[str, Any], schema: dict[str, Any]) -> str:
    """Return an example of what a route takes, as JSON."""
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
    fields = schema["components"]["schemas"].get(name, {}).get("properties", {})
    known = {field: facts["examples"][0] for field, facts in fields.items() if "examples" in facts}
    example = known or None
    return json.dumps(example, ensure_ascii=False) if example else ""


__all__ = ["DESCRIPTION", "docs", "router"]
