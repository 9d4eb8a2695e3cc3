"""Tournaments in the JSON API."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from tianxia.kernel import registry
from tianxia.tournaments import Found, Tournament, Wish
from tianxia.tournaments.service import LONGEST_NAME
from tianxia.web.api import RESPONSES
from tianxia.web.api_lobby import PaceName
from tianxia.web.api_models import GameName, Options, Sent
from tianxia.web.app_state import AppState
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Anybody, Body, Here, Somebody, threaded
from tianxia.web.signing import signed_in
from tianxia.web.tournaments import begin_making, do, tournaments_of
from tianxia.web.waiting import Known, Seconds, newer

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
TournamentId = Annotated[str, Path(max_length=40)]
Deed = Literal["enter", "withdraw", "begin", "end"]


class NewTournament(Sent):
    """A tournament to be made."""

    name: Annotated[str, Field(max_length=2 * LONGEST_NAME, examples=["Cup of the week"])]
    game: GameName
    options: Options = Field(default_factory=dict)
    pace: PaceName
    system: Annotated[str, Field(max_length=20, description="`swiss` or `round-robin`.")] = "swiss"
    rounds: Annotated[int, Field(ge=0, le=99, description="Of a Swiss tournament.")] = 5
    public: Annotated[bool, Field(description="List it for everybody.")] = True
    rated: bool = True
    bots: Annotated[bool, Field(description="Accounts of programs may enter.")] = False
    starts: Annotated[
        float | None,
        Field(description="When it begins by itself, in seconds since 1970; null: see `begin`."),
    ] = None


class TournamentInfo(BaseModel):
    """A tournament in a list; `status` is `open`, `playing`, `over` or `off` (it never began)."""

    id: str
    name: str
    game: str
    pace: str
    system: str
    rounds: int
    public: bool
    rated: bool
    bots: bool
    starts: float | None
    status: str
    round: int
    entrants: int


class StandingInfo(BaseModel):
    """Somebody's place. Equal points are told apart by `strength`, then by `quality`."""

    number: int
    name: str
    bot: bool
    withdrawn: bool
    place: int
    points: float
    strength: float
    quality: float


class PairingInfo(BaseModel):
    """A table of a round, by seat: numbers of the standings, and points once it is over."""

    round: int
    table: str | None
    players: list[int]
    points: list[float | None]


class TournamentState(TournamentInfo):
    """A tournament as it stands; `table` is where the asker has to play now."""

    standings: list[StandingInfo]
    pairings: list[PairingInfo]
    table: str | None
    version: str


def _info(tournament: Tournament, entrants: int) -> dict[str, object]:
    facts = {
        name: getattr(tournament, name)
        for name in TournamentInfo.model_fields
        if name not in ("game", "entrants")
    }
    return {**facts, "game": tournament.spec, "entrants": entrants}


def _state(found: Found, context: RequestContext) -> TournamentState:
    tournament, rounds = found.tournament, range(1, found.tournament.round + 1)
    games = [(number, board) for number in rounds for board in found.boards(number).values()]
    alone = [(number, [row]) for number in rounds for row in found.byes(number)]
    table = found.table_of(context.account.id) if context.account else ""
    return TournamentState.model_validate(
        {
            **_info(tournament, len(found.entrants)),
            "standings": [
                StandingInfo(
                    number=one.entrant,
                    name=found.by_number[one.entrant].name,
                    bot=found.by_number[one.entrant].bot,
                    withdrawn=found.by_number[one.entrant].gone,
                    place=one.place,
                    points=one.points,
                    strength=one.strength,
                    quality=one.quality,
                )
                for one in found.standings
            ],
            "pairings": [
                PairingInfo(
                    round=number,
                    table=rows[0].table_id or None,
                    players=[row.entrant for row in rows],
                    points=[row.points for row in rows],
                )
                for number, rows in sorted(games + alone, key=lambda one: one[0])
            ],
            "table": table or None,
            "version": str(tournament.version),
        }
    )


@router.get("/tournaments")
@threaded
def tournaments(
    app_state: Here,
    context: Anybody,
    status: Annotated[Literal["open", "playing", "over", "mine"], Query()] = "open",
) -> list[TournamentInfo]:
    """List public tournaments; `mine` are those that you have made or entered."""
    all_ = tournaments_of(app_state)
    mine = status == "mine"
    found = all_.of_account(signed_in(context).id) if mine else all_.listed(status)
    people = all_.how_many(one.id for one in found)
    infos = [_info(one, people.get(one.id, 0)) for one in found]
    return [TournamentInfo.model_validate(one) for one in infos]


@router.post("/tournaments", status_code=201)
@threaded
def make(app_state: Here, context: Somebody, wish: NewTournament) -> TournamentState:
    """Make a tournament; whoever makes it does not enter by that."""
    account = signed_in(context)
    facts = wish.model_dump(exclude={"game", "options"})
    spec = registry.kind(wish.game)(**wish.options).spec
    found = begin_making(app_state, context, account, Wish(spec=spec, **facts))
    return _look(app_state, context, found)


def _look(app_state: AppState, context: RequestContext, tournament_id: str) -> TournamentState:
    app_state.see_who_is_here(context)
    return _state(tournaments_of(app_state).get(tournament_id), context)


@router.get("/tournaments/{tournament_id}")
async def tournament(
    app_state: Here,
    context: Anybody,
    tournament_id: TournamentId,
    known: Known = "",
    wait: Seconds = 0,
) -> TournamentState:
    """Describe a tournament: standings, pairings, your table; on demand wait for news."""
    async with app_state.tables.lobby.subscribe(tournament_id) as news:
        return await newer(
            lambda: app_state.call(_look, app_state, context, tournament_id), news, known, wait
        )


@router.post("/tournaments/{tournament_id}/{deed}")
@threaded
def act(
    app_state: Here, context: Somebody, tournament_id: TournamentId, deed: Deed, _: Body
) -> TournamentState:
    """Enter, or come back; withdraw after this game; begin or end one that you have made."""
    account = signed_in(context)
    do(app_state, context, tournament_id, deed, account)
    return _look(app_state, context, tournament_id)
