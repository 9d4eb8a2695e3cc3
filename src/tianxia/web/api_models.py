"""What programs send and get: the models of the JSON API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from tianxia.tables.chance import LONGEST_SEED
from tianxia.web.bodies import LARGEST_NUMBER
from tianxia.web.request_context import LONGEST_NAME

LONGEST_SENT = 8000
"""What is read of a text at all; the tables say how long it may be."""

Small = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
Token = Annotated[str, Field(min_length=1, max_length=40)]
Ordered = Annotated[list[int], BeforeValidator(sorted)]
GameName = Annotated[str, Field(max_length=60, examples=["stratego"])]
Options = Annotated[
    dict[str, str | int | bool], Field(max_length=40, examples=[{"variant": "duel"}])
]
Nickname = Annotated[str, Field(max_length=LONGEST_NAME, examples=["Ada"])]
Promised = Annotated[
    str, Field(max_length=40, description="From `POST /promise`: shown before your seed.")
]
BotName = Annotated[str, Field(max_length=60, examples=["skirmisher"])]
SeatNumber = Annotated[Small, Field(examples=[1])]


class Sent(BaseModel):
    """What programs send: exactly the members listed, of exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid")

    @field_validator("*")
    @classmethod
    def without_nul(cls, value: Any) -> Any:
        """Refuse a text that PostgreSQL cannot hold: it would seem to be away."""
        if isinstance(value, str) and "\0" in value:
            raise PydanticCustomError("nul", "no text holds U+0000")
        return value


class Got(BaseModel):
    """What programs get, where it is made of something with the same attributes."""

    model_config = ConfigDict(from_attributes=True)


class NewTable(Sent):
    """A table to be made."""

    game: GameName
    options: Options = {}
    seats: Annotated[
        list[Annotated[str, Field(max_length=60)]],
        Field(
            max_length=16,
            examples=[["me", "bot:skirmisher"]],
            description="Who sits where: `me`, `open` (whoever has the link) or `bot:NAME`.",
        ),
    ]
    nickname: Nickname = ""
    public: Annotated[bool, Field(description="List it while it waits for players.")] = False
    promise: Promised = ""
    seed: Annotated[
        str, Field(max_length=LONGEST_SEED, description="Random; added to the secret of chance.")
    ] = ""
    talk: Annotated[
        bool | None,
        Field(description="Whether players can talk; null: where three or more play."),
    ] = None
    pace: Annotated[
        str,
        Field(
            max_length=20,
            examples=["300+5"],
            description="Seconds to begin with and for each turn (`300+5`), days for each decision "
            "(`1d`, `2d`, `3d`, `7d`), or nothing: no clock.",
        ),
    ] = ""
    returns: Annotated[
        bool, Field(description="Whoever was away and comes back gets the seat back.")
    ] = False
    rated: Annotated[bool, Field(description="It counts; all who play have accounts.")] = False


Seed = Annotated[
    str,
    Field(
        max_length=LONGEST_SEED,
        description="Added to the secret of chance, once you have been shown its hash: random.",
        examples=["6f1e4c2b9a7d"],
    ),
]


class Sit(Sent):
    """A free seat to be taken."""

    seat: SeatNumber
    nickname: Nickname = ""
    seed: Seed = ""
    colour: Annotated[
        str,
        Field(
            max_length=20,
            examples=["red"],
            description="A free colour; nothing: the one that the seat has.",
        ),
    ] = ""


class AddSeed(Sent):
    """A seed for the secret of chance."""

    seed: Seed


class Promise(BaseModel):
    """A table to come, and the hash of its secret."""

    promise: str
    hash: str


class Enter(Sent):
    """The private key of a seat, from its link."""

    key: Annotated[str, Field(max_length=100, examples=["wHc1mX0oZfE3kq8W2r5TgA"])]


class Act(Sent):
    """Actions to be taken together or not at all."""

    actions: Annotated[
        list[Small | Token],
        Field(
            min_length=1,
            max_length=1000,
            examples=[["a4-a5"]],
            description="Numbers of actions, or their tokens.",
        ),
    ]
    decision: Annotated[
        Small, Field(examples=[1], description="`decision` of the table as it was decided on.")
    ]


class SetStanding(Sent):
    """An answer to be given in advance, or no longer."""

    name: Annotated[str, Field(max_length=60, examples=["keep-around-fights"])]
    on: Annotated[bool, Field(examples=[True])]


class Answer(Sent):
    """Yes or no."""

    accept: Annotated[bool, Field(examples=[True])]


class Claim(Sent):
    """What to do about somebody who is silent."""

    wish: Annotated[Literal["claim", "bot", "abort"], Field(examples=["bot"])]


class Fill(Sent):
    """Which bot takes the free seats; nothing: the best."""

    bot: BotName = ""


class Holiday(Sent):
    """Days of holiday from now on; 0 ends one."""

    days: Annotated[Small, Field(examples=[3])]


class Resting(BaseModel):
    """Until when clocks by mail stand."""

    until: float


class Wish(Sent):
    """Whether to be told of one's turns, in a way and at tables of a pace."""

    way: Annotated[Literal["push", "mail"], Field(examples=["mail"])]
    pace: Annotated[Literal["quick", "calm", "mail", "none"], Field(examples=["mail"])]
    wanted: Annotated[bool, Field(examples=[True])]


class Rated(BaseModel):
    """How strong an account is at a game and a pace."""

    name: str
    rating: int
    deviation: Annotated[int, Field(description="How far off it may be, in 95 of 100 cases.")]
    games: int
    provisional: Annotated[bool, Field(description="Whether there are few games yet.")]
    bot: Annotated[bool, Field(description="Whether a program decides.")] = False
    ours: Annotated[bool, Field(description="Whether it is a bot of this server.")] = False


class PaceRating(Rated):
    """A rating of an account; `curve` has the points after each of its newest games."""

    game: str
    pace: str
    curve: list[int]


class Tally(Got):
    """How many games, and what came of them."""

    won: int
    lost: int
    drawn: int


class Met(Tally):
    """Whom an account has met: another one, or a bot of a game."""

    name: str
    bot: str
    game: str


class Profile(BaseModel):
    """What an account has played."""

    name: str
    bot: Annotated[bool, Field(description="Whether a program decides.")]
    ratings: list[PaceRating]
    played: Tally
    whole: Annotated[bool, Field(description="Whether all games are counted, or the newest.")]
    by_game: dict[str, Tally]
    by_options: dict[str, Tally]
    opponents: list[Met]
    longest: Annotated[int, Field(description="Most games won one after another.")]
    together: Annotated[Tally | None, Field(description="Of the games with the asker.")]


class FinishedSeat(Got):
    """Who sat at a seat of a finished game."""

    name: str
    bot: str
    result: str


class FinishedGame(BaseModel):
    """A finished public game."""

    table: str
    game: str
    ended: float
    players: list[FinishedSeat]


class Finished(BaseModel):
    """A page of finished games."""

    games: list[FinishedGame]
    next: str | None


class Messages(BaseModel):
    """At tables of which paces one is told of one's turns, by way."""

    told: dict[str, list[str]]


class Rename(Sent):
    """A new name at one's seat."""

    nickname: Nickname


class Recolour(Sent):
    """Another colour for one's seat."""

    colour: Annotated[
        str, Field(max_length=20, examples=["red"], description="One of `free_colours`.")
    ]


class Why(Sent):
    """An action about which is asked."""

    action: Annotated[Small | Token, Field(examples=["a4-a6"])]


class Say(Sent):
    """Something to be said, or a pact to be proposed."""

    text: Annotated[
        str,
        Field(
            max_length=LONGEST_SENT,
            examples=["Shall we hold the river together?"],
            description="Up to 500 characters (code points); longer ones are refused.",
        ),
    ]
    to: Annotated[
        list[Small] | None,
        Field(max_length=32, examples=[[1]], description="Seats; null: all at the table."),
    ] = None


class Mark(Sent):
    """What has become of a pact."""

    kept: Annotated[bool, Field(examples=[True])]


class Mute(Sent):
    """Whom not to hear."""

    seat: SeatNumber
    off: Annotated[bool, Field(examples=[True], description="false: to hear the seat again.")]


# --- What programs get ---


class Failure(BaseModel):
    """What is wrong."""

    code: Annotated[str, Field(examples=["refused"])]
    text: Annotated[str, Field(examples=["A piece moves one square along its row or column."])]
    statement: Annotated[str | None, Field(examples=["STR-05"])] = None
    link: Annotated[str | None, Field(examples=["/rules/stratego#STR-05"])] = None
    place: Annotated[
        int | None, Field(description="Which of several actions is refused, from 1.")
    ] = None


class Error(BaseModel):
    """Every refusal and failure has this form."""

    error: Failure


class Person(BaseModel):
    """Somebody new; the token says who it is in ``Authorization: Bearer …``."""

    token: str


class OptionInfo(BaseModel):
    """An option of a game; where there is an `example`, people can write other values."""

    name: str
    meaning: str
    default: str
    values: list[str]
    labels: list[str]
    least: int | None = None
    most: int | None = None
    example: str | None = None


class GameInfo(BaseModel):
    """A game that is played here."""

    name: str
    title: str
    rules_version: int
    seats: list[int]
    options: list[OptionInfo]
    bots: list[str]
    stage: Literal["asleep", "waking", "ready", "failed"]


class Rules(BaseModel):
    """A rulebook."""

    language: str
    markdown: str
    statements: dict[str, str]


class Clock(Got):
    """A seat's clock."""

    text: str
    left: Annotated[float, Field(description="Seconds; where it runs, as it began to run.")]
    falls: Annotated[
        float | None, Field(description="When the flag falls, in seconds since 1970; null: stands.")
    ]
    away: Annotated[float, Field(description="Until when the seat is on holiday.")]


class Seat(Got):
    """A seat of a table."""

    number: int
    side: str
    colour: Annotated[
        str, Field(description="Where seats choose their colours; nothing: not chosen yet.")
    ] = ""
    name: str
    kind: Literal["open", "person", "bot"]
    you: bool
    acting: bool
    thinking: bool
    finished: bool
    won: bool
    awaits_seed: Annotated[
        bool,
        Field(
            description="Whether the game waits for the seed of whoever sits there: "
            "`POST /tables/{id}/seed`."
        ),
    ] = False
    clock: Clock | None = None


class FreeColour(BaseModel):
    """A colour for whoever sits down, and a seat that can have it; no name: it is drawn."""

    seat: int
    colour: str


class LogLine(Got):
    """A line of the log, as its reader has seen it."""

    number: int
    seat: int | None
    text: str
    kind: str
    ply: int | None
    undone: bool


class Standing(Got):
    """An answer that one's seat can give in advance, and whether it has."""

    name: str
    text: str
    on: bool


class Legal(BaseModel):
    """An action that is possible now."""

    action: int
    token: str


class SourceInfo(Got):
    """A finished game from which another goes on, and up to which of its own actions."""

    table: str
    actions: int


class Table(BaseModel):
    """A table as the asker may know it.

    Where the rules installed cannot read the position, `notation`, `text` and `scores` are empty.
    """

    id: str
    version: Annotated[str, Field(description="Another one when anything here is.")]
    game: Annotated[str, Field(examples=["stratego(variant=duel)"])]
    rules_version: int
    status: Literal["waiting", "playing", "over"]
    ending: str
    seat: int | None
    seats: list[Seat]
    decision: int
    your_turn: bool
    legal: list[Legal]
    standing: list[Standing]
    notation: str
    text: str
    scores: list[float]
    log: list[LogLine]
    draw_offer: int | None
    take_back_ask: int | None
    may: dict[str, Any]
    free_colours: list[FreeColour] = []
    talk: Annotated[bool, Field(description="Whether players can talk here.")]
    pace: Annotated[str, Field(examples=["300+5"], description="See `NewTable`.")] = ""
    returns: bool = False
    rated: bool = False
    chance_hash: str
    chance_secret: str | None
    next: str | None
    sources: list[SourceInfo] = []


class Listed(BaseModel):
    """A table in a list."""

    id: str
    game: str
    status: str
    ending: str
    seat: int | None
    your_turn: bool
    seats: list[dict[str, Any]]


class Lists(BaseModel):
    """One's own tables, and those that wait for players."""

    mine: list[Listed]
    waiting: list[Listed]


class Made(BaseModel):
    """A new table; the private keys open its maker's seats on other devices."""

    table: str
    keys: dict[int, str]


class MySeat(BaseModel):
    """One's seat, and the private key that opens it on other devices."""

    seat: int
    key: str


class Rematch(BaseModel):
    """The table of the next game."""

    table: str


class Reason(BaseModel):
    """Why an action is refused; all members are null where it is legal."""

    statement: str | None
    text: str | None
    link: str | None
    code: str | None = None


class Fact(BaseModel):
    """One thing that is said of an element."""

    name: str
    text: str
    after: Annotated[
        str | None, Field(description="The same after the action asked about, where it differs.")
    ]


class Rule(BaseModel):
    """A statement of the rules."""

    statement: str
    text: str
    link: str | None


class Told(BaseModel):
    """What an element of the picture is, as far as the asker may know."""

    element: str
    title: str
    facts: list[Fact]
    rules: list[Rule]
    lights: Annotated[
        list[str], Field(description="Elements that belong to it, such as those of a road.")
    ]


class Hint(BaseModel):
    """One way to decide."""

    actions: Annotated[
        list[int],
        Field(description="One action, or a whole row of secret ones, to be sent together."),
    ]
    tokens: list[str]
    text: str
    reason: str
    prospects: Annotated[
        int | None,
        Field(description="What it makes of the game: 0 (lost) to 100 (won); null: not weighed."),
    ]


class Advice(BaseModel):
    """What the asker could do at this decision, the best first."""

    decision: int
    hints: list[Hint]


class ReviewPoint(Got):
    """What a seat could expect after so many actions: its utility, from -1 to 1."""

    ply: int
    seat: int
    value: float


class CostlyDecision(BaseModel):
    """A decision, as a token, and what would have been better, as a token and in words."""

    ply: int
    seat: int
    chosen: str
    better: str
    cost: Annotated[float, Field(description="The utility that was lost; these go from -1 to 1.")]
    text: str
    reason: str


class Review(BaseModel):
    """How far the review of a finished game is, and what it has found."""

    stage: Literal["none", "waiting", "working", "done", "failed"]
    part: Annotated[int, Field(description="How much of it is done, in per cent.")]
    points: list[ReviewPoint]
    costly: list[CostlyDecision]


class Picture(BaseModel):
    """What a page draws of a table."""

    svg: str
    sprite: str
    style: str
    text: str
    status: str
    panels: list[dict[str, str]]
    gestures: dict[str, Any]


class Position(BaseModel):
    """A position of a finished game."""

    ply: int
    plies: int
    notation: str
    text: str


class TalkLine(Got):
    """Something that was said."""

    id: str
    kind: Annotated[str, Field(description="say, pact, agree, decline, kept or broken.")]
    seat: int
    to: Annotated[list[int], Field(description="The seats that can read it.")]
    at: Annotated[float, Field(description="Seconds since 1970.")]
    text: str
    pact: Annotated[str | None, Field(description="The id of the pact that it is, or is about.")]
    open: Annotated[bool, Field(description="Whether everybody can read it by now.")]


class Pact(Got):
    """What some seats have promised one another. It binds nobody."""

    id: str
    seat: Annotated[int, Field(description="Who has proposed it.")]
    parties: list[int]
    at: float
    text: str
    state: Literal["proposed", "declined", "agreed"]
    agreed: Ordered
    declined: Ordered
    marks: Annotated[
        dict[int, Literal["kept", "broken"]],
        Field(description="What parties say has become of it, by seat."),
    ]


class Talk(BaseModel):
    """The talk of a table as the asker may know it."""

    version: Annotated[str, Field(description="Another one when anything here is.")]
    on: Annotated[bool, Field(description="Whether players can talk here.")]
    seat: int | None
    lines: list[TalkLine]
    pacts: list[Pact]
    muted: Annotated[list[int], Field(description="The seats that the asker does not hear.")]
    opened: Annotated[list[int], Field(description="The seats that agree that everybody may read.")]


class ChanceAction(BaseModel):
    """An action of chance, and all that it could have been."""

    ply: Annotated[int, Field(description="Which action of the transcript it is, from 1.")]
    token: str
    outcomes: Annotated[
        list[tuple[str, str]],
        Field(
            examples=[[["roll1", "1"], ["roll2", "1"]]],
            description="Token and weight (an integer below 2**64, as text) of each outcome, in "
            "the order of their actions. Where there is but one, nothing was drawn.",
        ),
    ]


class Chance(BaseModel):
    """What is needed to check every draw of a finished game; how is in `docs/tables.md`."""

    table: str
    hash: Annotated[str, Field(description="SHA-256 of the secret, shown when the table opened.")]
    secret: str
    seeds: list[str]
    actions: list[ChanceAction]
