"""A table in memory, its next version while that is made, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from tianxia.bots import bots, present_name
from tianxia.draw.guides import Due, guide_of
from tianxia.draw.languages import N_
from tianxia.kernel.errors import OptionError, TianxiaError, UnknownGame
from tianxia.kernel.game import Game, Standing
from tianxia.kernel.registry import game as find_game
from tianxia.kernel.registry import known
from tianxia.tables import people, sources
from tianxia.tables.chance import LONGEST_SEED, Chance
from tianxia.tables.clocks import Pace
from tianxia.tables.errors import Damaged, NotNow, NotYourSeat, Refused, SeatTaken, Unplayable
from tianxia.tables.game_log import TO_BOTS, GameLog
from tianxia.tables.snapshot import SeatInfo, SeatPlan, Summary
from tianxia.tables.sources import Beginning, Source
from tianxia.tables.store import Change, Head, Holder, Seat, Stored

KINDS = frozenset({"open", "person", "bot"})
STATUSES = frozenset({"waiting", "playing", "over"})


@dataclass(frozen=True)
class Live:
    """A table in memory: never changed, replaced by the next version."""

    head: Head
    seats: tuple[Seat, ...]
    holders: tuple[Holder, ...]
    game_log: GameLog

    def seat_of(self, person: str) -> int | None:
        """Return the seat that somebody holds; who has left a game holds none."""
        hashed = people.digest(person)
        seat = next((one.seat for one in self.holders if one.person == hashed), None)
        return None if seat is None or self.seats[seat].kind == "bot" else seat

    def seat_left(self, person: str) -> int | None:
        """Return the seat that somebody has held and for which a bot plays."""
        hashed = people.digest(person)
        seat = next((one.seat for one in self.holders if one.person == hashed), None)
        return seat if seat is not None and self.seats[seat].kind == "bot" else None


@dataclass(frozen=True)
class Place:
    """Who somebody is at a table.

    Attributes
    ----------
    seat
        The seat that they hold, or None.
    key
        Its private key, or "".
    away
        Whether a bot plays for their seat until they come back.
    """

    seat: int | None = None
    key: str = ""
    away: bool = False


@dataclass
class Draft:
    """The next version of a table, being made; `live` is what it is based on."""

    live: Live
    game_log: GameLog
    now: float
    change: Change = field(default_factory=Change)
    next_id: str | None = None
    guided: int | None = None
    recoloured: bool = False

    def __post_init__(self) -> None:
        self.game_log.standing = standing_of(self.game_log.game, self.live.seats)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats as they will be."""
        return tuple(self.change.seats.get(i, seat) for i, seat in enumerate(self.live.seats))

    @property
    def holders(self) -> tuple[Holder, ...]:
        """The holders as they will be."""
        new = {holder.person: holder for holder in self.change.holders}
        old = (holder for holder in self.live.holders if holder.person not in new)
        staying = (holder for holder in old if holder.seat not in self.change.left)
        return (*staying, *new.values())

    def done(self) -> Live:
        """Return the next version."""
        game_log, head = self.game_log, self.live.head
        acting, deadline = sum(1 << seat for seat in game_log.acting), game_log.clocks.deadline
        newer = head.rules_version > game_log.game.rules_version
        if newer and not game_log.playable:  # only a worker with the newer rules knows them
            acting, deadline = head.acting, head.deadline
        playing = game_log.status == "playing"
        for place, seat in enumerate(self.seats):
            if seat.standing and place not in game_log.standing:
                self.change.seats = {**self.change.seats, place: replace(seat, standing="")}
        head = replace(
            head,
            version=head.version + 1,
            rules_version=game_log.game.rules_version if game_log.playable else head.rules_version,
            updated=self.now,
            status=game_log.status,
            ending=game_log.ending,
            acting=acting if playing else 0,
            bot_turn=playing and any(acting >> seat & 1 for seat in game_log.bots),
            next_id=self.next_id or head.next_id,
            spec=game_log.game.spec if self.recoloured else head.spec,
            guided=head.guided if self.guided is None else self.guided,
            deadline=deadline if playing else None,
        )
        self.change.rows = game_log.fresh
        return Live(head, self.seats, self.holders, game_log)


def find(spec: str | Game) -> Game:
    """Return a game by its description.

    Raises
    ------
    Refused
        Naming the games, options or values that there are.
    """
    if isinstance(spec, Game):
        return spec
    try:
        return find_game(spec)
    except UnknownGame as error:
        raise Refused("unknown-game", N_("There is no such game here: {why}"), why=error) from error
    except OptionError as error:
        raise Refused("option", N_("This game cannot be made: {why}"), why=error) from error


def planned(game: Game, plans: Sequence[SeatPlan], mine: Seat) -> list[Seat]:
    """Return the seats of a new table; `mine` is its maker's."""
    if len(plans) != game.seats:
        raise Refused(
            "seats",
            N_("{game} has {seats} seats, not {given}."),
            game=game.kind.title,
            seats=game.seats,
            given=len(plans),
        )
    if sum(plan.kind == "me" for plan in plans) > 1:
        raise Refused("one-seat", N_("You can sit at one seat only."))
    seats = []
    for plan in plans:
        if plan.kind == "me":
            seats.append(mine)
        elif plan.kind == "open":
            seats.append(Seat("open"))
        elif plan.kind == "held":
            seats.append(Seat("person", plan.name, reserved=True, account=plan.account))
        elif plan.kind == "kept":
            seats.append(Seat("open", plan.name, reserved=True, account=plan.account))
        else:
            seats.append(Seat("bot", bot=bot_named(plan.bot, game)))
    return seats


NO_BOTS = N_("All who play at a rated table have accounts: bots do not sit there.")


def bot_named(name: str, game: Game) -> str:
    """Return the present name of a bot; raise Refused for one that there is not."""
    present = present_name(name, game.kind)
    if present in bots(game):
        return present
    raise Refused(
        "no-bot",
        N_("No bot of {game} is called {bot}; there are: {bots}."),
        game=game.kind.title,
        bot=name[:40],
        bots=", ".join(bots(game)),
    )


def usually_talk(seats: Sequence[Seat]) -> bool:
    """Say whether there is talk at a table whose maker has not said.

    With two players there is nobody to talk over, and bots do not listen.
    """
    return len(seats) > 2 and sum(seat.kind != "bot" for seat in seats) > 1


def clean_seed(text: str) -> str:
    """Return a seed as it is kept: what can be read back from a transcript's header."""
    return "".join(char for char in text[:LONGEST_SEED] if char.isprintable())


def chance_of(table_id: str, secret: str, seats: Sequence[Seat]) -> Chance:
    """Return the chance of a table."""
    return Chance(table_id, secret, tuple(seat.seed for seat in seats))


def course_of(game: Game, head: Head) -> tuple[Due, ...]:
    """Return the line of play that a guided table follows; none where it is not one."""
    guide = guide_of(game.kind) if head.guided > 0 else None
    return guide.line[: head.guided] if guide and guide.game.spec == head.spec else ()


def beginning_of(live: Live, ply: int) -> Beginning:
    """Return what a game begins with that goes on from a position of a finished one.

    Raises
    ------
    Unplayable
    NotNow
        While the game lasts, or where it was over at that position.
    Refused
        For a position that there is not, or that comes from too many games.
    """
    game_log, head = live.game_log, live.head
    if game_log.status != "over":
        raise NotNow("not-over", N_("This game is not over yet."))
    game_log.check_rules()
    moves = game_log.moves
    if not 0 <= ply <= len(moves):
        raise Refused("no-position", N_("This game has positions 0 to {last}."), last=len(moves))
    if ply == len(moves) and game_log.state.over:
        raise NotNow("over-there", N_("The game is over there: choose an earlier position."))
    known = sources.read(head.sources)
    before = [one for one in known if one.actions < ply]
    if len(before) >= sources.MOST:
        raise Refused(
            "too-many-sources", N_("This position has already been played on too many times.")
        )
    inside = sources.source_of(known, ply)
    chance = game_log.chance
    own = Source(head.id, ply, head.chance_hash, chance.secret, chance.seeds)
    if inside is not None:
        own = replace(inside, actions=ply)
    elif head.guided >= 0:  # the guide has taken the place of chance
        own = Source(head.id, ply)
    line = tuple(Due(move.actor, move.action) for move in moves[:ply])
    return Beginning((*before, own) if ply else (), line)


def bot_seats(seats: Sequence[Seat]) -> list[int]:
    """Return the seats at which bots sit."""
    return [place for place, seat in enumerate(seats) if seat.kind == "bot"]


def standing_of(game: Game, seats: Sequence[Seat]) -> dict[int, tuple[Standing, ...]]:
    """Return the answers that seats have given in advance; names of no answer count for nothing."""
    given = {}
    for place, seat in enumerate(seats):
        names = seat.standing.split() if seat.kind == "person" else []
        if found := tuple(one for one in standing_answers(game) if one.name in names):
            given[place] = found
    return given


def standing_answers(game: Game) -> list[Standing]:
    """Return the answers that can be given in advance in a game with its options."""
    return [one for one in game.kind.standing if one.offered(game.options)]


def find_installed(spec: str) -> Game:
    """Return the game of a table; Unplayable where it is not installed, or without its options."""
    try:
        return known(spec)
    except TianxiaError as error:
        raise Unplayable(
            "missing-game", N_("This game is not installed here: {why}"), why=error
        ) from error


def check_whole(head: Head, seats: Sequence[Seat], held: Sequence[int]) -> None:
    """Refuse what belongs to no table that we have written; `held` are seats with holders."""
    kinds = {one.kind for one in seats}
    held_all = all(0 <= seat < len(seats) for seat in held)
    if not seats or kinds - KINDS or head.status not in STATUSES or not held_all:
        raise Damaged


def read_game_log(stored: Stored) -> GameLog:
    """Build the game log of a table from all its rows."""
    head = stored.head
    game = find_installed(head.spec)
    check_whole(head, stored.seats, [holder.seat for holder in stored.holders])
    if len(stored.seats) != game.seats:
        raise Damaged
    version = game.rules_version if head.status == "waiting" else head.rules_version
    chance = chance_of(head.id, head.chance_secret, stored.seats)
    began = {row.seat for row in stored.rows if row.kind in TO_BOTS}  # as people
    bots_then = [seat for seat in bot_seats(stored.seats) if seat not in began]
    game_log = GameLog(game, chance, version, bots_then, Pace.read(head.pace))
    game_log.course = course_of(game, head) or sources.given(
        stored.rows, sources.read(head.sources)
    )
    game_log.read(stored.rows)
    game_log.status, game_log.ending = head.status, head.ending
    return game_log


def leave(draft: Draft, seat: int) -> None:
    """Let somebody leave a game: the best bot plays on for the seat, or the game is over."""
    game_log = draft.game_log
    if not game_log.goes_on_without(seat):
        game_log.resign(seat, draft.now)
        return
    game_log.leave(seat, draft.now)
    stand_in(draft, seat)


def stand_in(draft: Draft, seat: int) -> None:
    """Let the best bot of the game sit at a seat; whose it was is said there."""
    bot = bots(draft.game_log.game)[-1]
    facts = replace(draft.seats[seat], kind="bot", bot=bot, standing="")
    draft.change.seats = {**draft.change.seats, seat: facts}


def free_colours(
    game: Game, seats: Sequence[Seat | SeatInfo], seat: int | None = None
) -> list[tuple[int, int | None]]:
    """Return the colours that whoever sits down may have, each with a seat that is free.

    None is a colour to be drawn; one of no seat comes with the first free seat. For a seat that is
    taken these are the colours that it may have instead.
    """
    free = _free(seats)
    choosing = free if seat is None else [seat]
    if game.kind.colours is None or not choosing:
        return []
    offered: dict[int | None, int] = {}
    for place in free:
        offered.setdefault(game.chosen.get(place), place)
    for colour in range(len(game.kind.colours.names)):
        if _holder(game, colour) is None:
            with suppress(OptionError):
                _with_colour(game, choosing[0], colour)
                offered[colour] = choosing[0]
    if seat is not None:  # who has chosen has chosen
        return [(seat, colour) for colour in offered if colour is not None]
    return [(place, colour) for colour, place in offered.items()]


def choose_colour(draft: Draft, seat: int, name: str) -> None:
    """Give a seat the colour of this name; a free seat that has it takes the other one.

    Raises
    ------
    Refused
        For a colour that there is not, or where nobody chooses one.
    SeatTaken
        Where somebody has it.
    """
    game = draft.game_log.game
    if game.kind.colours is None:
        title = game.kind.title
        raise Refused("no-colours", N_("In {game} seats have no colours to choose."), game=title)
    try:
        colour = game.kind.colours.number(name)
        holder = _holder(game, colour)
        if holder is not None and holder not in (seat, *_free(draft.live.seats)):
            raise SeatTaken("colour-taken", N_("Somebody else has this colour: choose another."))
        draft.recoloured = True
        draft.game_log.recolour(_with_colour(game, seat, colour))
    except OptionError as error:
        raise Refused("colour", N_("This colour cannot be chosen: {why}"), why=error) from error


def _free(seats: Sequence[Seat | SeatInfo]) -> list[int]:
    return [place for place, one in enumerate(seats) if one.kind == "open" and not one.reserved]


def _holder(game: Game, colour: int) -> int | None:
    """Return the seat that has a colour, None where nobody who plays has it."""
    return next((seat for seat in range(game.seats) if game.chosen.get(seat) == colour), None)


def _with_colour(game: Game, seat: int, colour: int) -> Game:
    """Return a game in which a seat has a colour, and who had that one has the seat's."""
    mine = game.chosen.get(seat)
    given = {s: mine if c == colour else c for s, c in game.chosen.items()} | {seat: colour}
    return game.coloured({s: c for s, c in given.items() if c is not None})


def moved_on(game: Game) -> Game:
    """Return the game of a rematch: seats move on by one, and who sits there keeps the colour."""
    if game.kind.colours is None:
        return game
    count = game.seats
    return game.coloured({(s + 1) % count if s < count else s: c for s, c in game.chosen.items()})


def start_if_full(draft: Draft) -> None:
    """Begin the game where the last seat was taken."""
    seats = draft.seats
    if draft.game_log.status != "waiting" or any(
        seat.kind == "open" or (seat.kind == "person" and seat.reserved) for seat in seats
    ):
        return
    draft.game_log.chance = chance_of(draft.live.head.id, draft.live.head.chance_secret, seats)
    draft.game_log.start(draft.now)


def players(live: Live) -> list[int]:
    """Return the seats that people play, or have left to a bot."""
    left = {row.seat for row in live.game_log.rows if row.kind == "leave"}
    return [
        place
        for place, seat in enumerate(live.seats)
        if seat.kind == "person" or place in left or seat.account or seat.seed
    ]


def hold(change: Change, table_id: str, seat: int, person: str, key: str) -> None:
    """Give somebody a seat with a new private key."""
    hashed = people.digest(key)
    holder = Holder(people.digest(person), seat, hashed, people.seal(key, person, table_id))
    others = [one for one in change.holders if one.person != holder.person]
    change.holders = [*others, holder]
    change.keys = {**change.keys, hashed: seat}


def bring(change: Change, table_id: str, place: int, old: Live, seat: int) -> None:
    """Bring the other devices of a seat along to the next table.

    Their keys cannot be read here; each gets one of its own when it asks.
    """
    known = {holder.person for holder in change.holders}
    change.holders = [
        *change.holders,
        *(
            Holder(one.person, place, "", "")
            for one in old.holders
            if one.seat == seat and one.person not in known
        ),
    ]


def check_kept(live: Live, place: int, old: Live, seat: int) -> None:
    """Refuse a seat of a rematch that is no longer that of who sat at a seat of the game before.

    Who has declined it, or left it, has made room: somebody else may sit there by now, and what
    they see and do is theirs. On another device of the same seat one joins, as on the first.
    """
    facts = live.seats[place]
    before = {one.person for one in old.holders if one.seat == seat}
    same = any(one.person in before for one in live.holders if one.seat == place)
    if facts.kind == "bot" or (facts.kind == "person" and not same):
        raise seat_taken()


def seat_taken() -> SeatTaken:
    """Return the refusal of a seat at which somebody else sits."""
    return SeatTaken("seat-taken", N_("Somebody else has this seat."))


def not_yours() -> NotYourSeat:
    """Return the refusal for whoever has no seat, or not that one."""
    return NotYourSeat("not-your-seat", N_("You have no seat here that could do this."))


def seat_held(live: Live, person: str) -> int:
    """Return somebody's seat, or refuse."""
    seat = live.seat_of(person)
    if seat is None:
        raise not_yours()
    return seat


def summary(head: Head, seats: Sequence[Seat], seat: int | None) -> Summary:
    """Return a table as a line of a list.

    Raises
    ------
    Damaged
        Where its rows do not fit together.
    Unplayable
        Where it waits for players, and its game cannot be played here.
    """
    acting = head.acting
    check_whole(head, seats, () if seat is None else (seat,))
    if seat is None and find_installed(head.spec).seats != len(seats):
        raise Damaged
    if seat is not None and seats[seat].kind == "bot":
        seat = None  # who held it has left
    infos = tuple(
        SeatInfo(
            kind=one.kind,  # type: ignore[arg-type]
            name=one.name,
            bot=one.bot,
            thinking=one.kind == "bot" and bool(acting >> place & 1),
            finished=False,
            reserved=one.reserved,
            account=one.account,
        )
        for place, one in enumerate(seats)
    )
    return Summary(
        id=head.id,
        game=head.game,
        spec=head.spec,
        status=head.status,  # type: ignore[arg-type]
        ending=head.ending,
        seats=infos,
        created=head.created,
        updated=head.updated,
        public=head.public,
        pace=head.pace,
        rated=head.rated,
        falls=head.deadline if Pace.read(head.pace).kind == "mail" else None,
        seat=seat,
        your_turn=seat is not None and acting >> seat & 1 == 1,
    )
