"""What holds in every position of China, and in every view of one.

Where the rules say it already, the rules are asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules import pieces, placing
from tianxia.games.china.rules import state as s
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.ending import step_counts
from tianxia.games.china.rules.scoring import next_complete
from tianxia.kernel.decks import hidden_cards, last_shuffle_fits
from tianxia.kernel.fields import Fields, everybody, is_open, knows
from tianxia.kernel.notation import Invariants

INVARIANTS = invariant = Invariants()

SETUP = range(s.TURN)
IN_A_TURN = range(s.TURN, s.FINAL)
END = (s.FINAL, s.ENDED)
CARDS_DRAWN = (s.DRAWING, s.DISPLAYING, s.EMPEROR_DRAW)


def two(p: Fields) -> bool:
    return bool(p.seats == 2)


def nothing(p: Fields, *names: str) -> bool:
    """Say whether all of these fields are zero."""
    return not any(np.any(getattr(p, name)) for name in names)


def in_order(items: Any) -> bool:
    """Say whether more comes before less."""
    return list(items) == sorted(items, reverse=True)


def _seats(p: Fields) -> list[tuple[str, int]]:
    return [(f"seat {seat}", seat) for seat in everybody(p)]


def _owners(p: Fields) -> list[tuple[str, int]]:
    return [(f"owner {owner}", owner) for owner in range(c.MAX_PLAYERS)]


def _provinces(p: Fields) -> list[tuple[str, int]]:
    return [(key, province) for province, key in enumerate(c.board(p.land).keys)]


# --- Cards ---


def _unseen(p: Fields) -> Any:
    """Return the cards by colour that are neither open nor in a hand that is known."""
    used = p.display + p.discard + p.imperial + p.played + p.kept.sum(axis=0)
    return c.CARDS[p.seats] - used - p.hands.sum(axis=0)


@invariant("there are 57, 52 or 47 province cards, by the number of players (CHI-02, CHI-06)")
def province_cards(p: Fields) -> bool:
    left = _unseen(p) - p.deck
    return min(left) >= 0 and sum(left) == hidden_cards(p, p.hand_sizes)


@invariant("the deck at its last shuffle is what is in it and what was drawn from it")
def deck_at_its_last_shuffle(p: Fields) -> bool:
    return last_shuffle_fits(p)


@invariant(f"a hand has {c.HAND} cards at most (CHI-12)", each=_seats)
def hand_limit(p: Fields, seat: int) -> bool:
    return bool(p.hand_sizes[seat] <= c.HAND)


@invariant(f"{c.DISPLAY} cards lie open, and {c.HAND} before the Emperor (CHI-07, CHI-68)")
def open_cards(p: Fields) -> bool:
    return sum(p.display) <= c.DISPLAY and sum(p.imperial) <= c.HAND


@invariant("no more cards are surely in a hand than it has", each=_seats)
def memory_fits_hands(p: Fields, seat: int) -> bool:
    known = p.known[seat]
    seen = not knows(p, seat) or (known <= p.hands[seat]).all()
    return bool(sum(known) <= p.hand_sizes[seat] and seen)


@invariant("these cards cannot all be where they are said to be")
def a_world_fits_the_view(p: Fields) -> bool:
    return is_open(p) or _fits(p, _unseen(p))


def _fits(p: Fields, unseen: Any) -> bool:
    """Say whether deck and hidden hands can be made of these cards."""
    others = [seat for seat in everybody(p) if not knows(p, seat)]
    left = unseen - p.known[others].sum(axis=0)
    possible = np.minimum(left, p.fresh - p.drawn.sum(axis=0))
    return bool(min(left) >= 0 and sum(possible) >= p.deck_size)


# --- Pieces ---


@invariant("pieces and tiles belong to those who play, or to the Emperor of two", each=_owners)
def pieces_have_owners(p: Fields, owner: int) -> bool:
    fields = (p.palaces, p.emissaries, p.tiles_taken)
    return owner < pieces.owners(p) or not any(np.any(field[owner]) for field in fields)


@invariant(f"there are {c.PALACES} palaces of each colour (CHI-02)", each=_owners)
def palaces(p: Fields, owner: int) -> bool:
    return bool(pieces.palaces_left(p, owner) >= 0)


@invariant(f"there are {c.EMISSARIES} emissaries to place of each colour (CHI-05)", each=_owners)
def emissaries(p: Fields, owner: int) -> bool:
    return bool(pieces.emissaries_left(p, owner) >= 0)


@invariant("each player has one fortification, if there are any, in supply or built (CHI-10)")
def fortifications(p: Fields) -> bool:
    wanted = p.seats if p.options.fortifications else 0
    return bool(p.forts.bit_count() + sum(p.forts_left) == wanted)


@invariant(
    "a province has as many emissaries as its leader has palaces at most (CHI-28)", each=_provinces
)
def emissaries_of_a_province(p: Fields, province: int) -> bool:
    return bool(pieces.emissaries_in(p, province) <= pieces.majority(p, province))


@invariant(
    "a province is scored when it is full, and not before (CHI-34)",
    {*range(s.PHASES)} - {s.SCORING, *END},
    each=_provinces,
)
def scored(p: Fields, province: int) -> bool:
    return (pieces.free_spaces(p, province) == 0) == bool(p.scored >> province & 1)


# --- Tiles ---


@invariant("there are 18 tiles, six of each colour and two for each province (CHI-79)")
def tiles(p: Fields) -> bool:
    lying, total = sum(p.tile_space.ravel() > 0), c.TILES_OF_COLOUR * c.TILE_COLOURS
    complete = p.phase == s.TILING or lying + p.tiles_taken.sum() == total
    return not p.options.tiles or bool(min(p.tiles_down) >= 0 and complete)


def _tiled(p: Fields) -> list[tuple[str, int]]:
    return _provinces(p) if p.options.tiles else []


def _lying(p: Fields, province: int) -> tuple[list[int], list[bool]]:
    """Return the spaces of a province's tiles, and which of these are turned."""
    pairs = zip(p.tile_space[province], p.tile_colour[province], strict=True)
    lying = [(int(space) - 1, bool(colour)) for space, colour in pairs if space]
    return [space for space, _ in lying], [turned for _, turned in lying]


@invariant(
    "tiles lie in their province, in the order of their spaces, on no post and no"
    " intersection (CHI-79)",
    each=_tiled,
)
def where_tiles_lie(p: Fields, province: int) -> bool:
    spaces, _ = _lying(p, province)
    tiled = int(c.TILED[c.row(p.land), province])
    return spaces == sorted(set(spaces)) and all(tiled >> space & 1 for space in spaces)


@invariant("a palace on a tile takes it, and nothing else does (CHI-81)", each=_tiled)
def tiles_taken(p: Fields, province: int) -> bool:
    spaces, _ = _lying(p, province)
    built = pieces.occupied(p)
    lost = len(spaces) < c.TILES_IN_PROVINCE and p.phase != s.TILING
    entered = built & int(c.WITHIN[c.row(p.land), province])
    return not any(built >> space & 1 for space in spaces) and bool(entered or not lost)


@invariant("tiles are turned for the first palace of a province, one by one (CHI-80)", each=_tiled)
def tiles_turned(p: Fields, province: int) -> bool:
    spaces, turned = _lying(p, province)
    entered = bool(pieces.occupied(p) & int(c.WITHIN[c.row(p.land), province]))
    here = p.target == province + 1
    if here and p.phase == s.TURNING:
        return in_order(turned) and not all(turned)
    if p.phase == s.TILING or not spaces:
        return not (any(turned) or (entered and p.phase == s.TILING))
    if any(turned):
        return all(turned) and (entered or (here and p.phase == s.SPACE))
    # A first palace by a border post may still have its tiles face down.
    waits = c.board(p.land).disputed and p.phase in (s.SCORING, s.TURNING, *END)
    return bool(not entered or waits)


# --- The set-up ---


@invariant("the first player is the one who was chosen")
def chosen_player(p: Fields) -> bool:
    chosen = p.options.first
    begins = (p.first + p.options.chosen[p.first]) % c.MAX_PLAYERS
    return not (chosen and p.phase > s.BEGINNING) or bool(begins == chosen - 1)


@invariant("during the set-up nothing stands on the board, and nobody has done anything", SETUP)
def nothing_done_yet(p: Fields) -> bool:
    board = ("palaces", "forts", "scored", "points", "exhausted")
    turn = ("course", "placed", "province", "target", "owed", "played", "step")
    cards = ("discard", "known", "kept")
    return nothing(p, *board, *turn, *cards) and bool(
        not two(p) or (p.special == s.ALL_SPECIAL).all()
    )


@invariant("the first player begins, and is 0 until he is drawn", SETUP)
def first_player(p: Fields) -> bool:
    return p.active == p.first and not (p.phase < s.DEALING and p.active)


@invariant("tiles are laid out first, province by province", SETUP)
def tiles_laid_out(p: Fields) -> bool:
    if not p.options.tiles:
        return p.phase != s.TILING
    numbers = [len(_lying(p, province)[0]) for province in range(PROVINCES)]
    return in_order(numbers) and (numbers[-1] < c.TILES_IN_PROVINCE) == (p.phase == s.TILING)


@invariant(
    "three cards are dealt to each seat, then the Emperor's, then the display (CHI-07)", SETUP
)
def deal(p: Fields) -> bool:
    sizes, need = p.hand_sizes[: p.seats], c.HAND if two(p) else 0
    dealt, imperial, display = int(sum(sizes)), int(sum(p.imperial)), int(sum(p.display))
    wanted = np.clip(dealt - c.HAND * np.arange(p.seats), 0, c.HAND)
    full = dealt == c.HAND * p.seats
    early = ((imperial or display) and not full) or (display and imperial < need)
    fits = (sizes == wanted).all() and imperial <= need and display < c.DISPLAY
    return bool(fits and not early and not (dealt and p.phase < s.DEALING))


@invariant("all hands come from the deck", SETUP)
def hands_from_the_deck(p: Fields) -> bool:
    return bool((p.draws == p.hand_sizes).all())


# --- The end ---


@invariant("the final scoring belongs to no turn", END)
def final_turn(p: Fields) -> bool:
    return nothing(p, "course", "placed", "province", "target", "owed", "played")


@invariant("this step of the final scoring brings nothing and is left out", (s.FINAL,))
def final_step(p: Fields) -> bool:
    return p.step < c.STEPS and bool(step_counts(p, p.step))


# --- A turn ---


@invariant("without influence cards no card is kept (CHI-78)")
def no_influence(p: Fields) -> bool:
    return not (two(p) and p.options.light) or nothing(p, "kept", "influence", "played")


@invariant("the first kept card of a colour takes its influence card (CHI-70)")
def influence(p: Fields) -> bool:
    plays = two(p) and not p.options.light
    return not plays or bool(((p.influence > 0) == p.kept.any(axis=0)).all())


@invariant("b is written as soon as something was done in a turn", IN_A_TURN)
def begun(p: Fields) -> bool:
    return bool(p.course & s.BEGUN) != (p.phase == s.TURN and not p.course)


@invariant("the province of a turn is that of its first piece", IN_A_TURN)
def province_of_the_turn(p: Fields) -> bool:
    return (p.placed > 0) == (p.province > 0) and not (p.course & s.SINGLE and not p.placed)


@invariant(
    "only two players move the Emperor, once in a turn, and first with a card (CHI-67, 77)",
    IN_A_TURN,
)
def emperor(p: Fields) -> bool:
    moves, first = p.course & s.EMPERORS, p.course & s.PLAYED_FIRST
    if not two(p):
        return not (moves or first or p.phase == s.EMPEROR_DRAW)
    card = p.special[p.active] & s.EMPEROR_CARD
    return not (first and (card or (moves and p.placed)))


@invariant("the Emperor's piece is e in the phases of it, and in no others", IN_A_TURN)
def emperor_under_way(p: Fields) -> bool:
    moves = bool(p.course & s.EMPERORS)
    never = (s.TURN, s.MORE, s.KEEPING, s.TAKING, s.DRAWING, s.DISPLAYING)
    if p.phase in (s.EMPEROR_TURN, s.EMPEROR_DRAW):
        return moves
    return not (moves and p.phase in never)


@invariant("a province is committed to, or its tiles are turned, in a game with tiles", IN_A_TURN)
def target(p: Fields) -> bool:
    aims = p.phase in (s.SPACE, s.TURNING)
    return aims == (p.target > 0) and not (p.target and not p.options.tiles)


@invariant("a turn begins without pieces", (s.TURN,))
def fresh_turn(p: Fields) -> bool:
    return p.placed == 0


@invariant("a second piece needs a card, and a province that was not empty (CHI-15)", (s.MORE,))
def second_piece(p: Fields) -> bool:
    single = p.course & s.SINGLE and not placing.may_roam(p)
    return bool(p.placed == 1 and p.hand_sizes[p.active] and not single)


@invariant("a card is chosen if cards of two colours were played (CHI-69)", (s.KEEPING,))
def keeping(p: Fields) -> bool:
    return bool(sum(p.played > 0) >= 2 and not p.options.keep)


@invariant(
    "cards lie played during a turn of two, until they are kept or discarded (CHI-69)", IN_A_TURN
)
def played(p: Fields) -> bool:
    phases = (s.MORE, s.SPACE, s.KEEPING, s.TURNING, s.SCORING)
    fits = p.phase in phases and two(p) and p.placed and not p.course & s.EMPERORS
    return bool(fits or not any(p.played))


@invariant("three cards are played and held at most (CHI-19)", IN_A_TURN)
def cards_of_a_turn(p: Fields) -> bool:
    return bool(sum(p.played) + p.hand_sizes[p.active] <= c.HAND)


@invariant(
    "two pieces are placed at most, and one into an empty province (CHI-15, CHI-16)", IN_A_TURN
)
def placed(p: Fields) -> bool:
    if p.placed < 2:
        return True
    return (two(p) or not p.course & s.SINGLE) and (p.phase != s.SPACE or p.course & s.EMPERORS > 0)


@invariant("only the first palace of a province is committed to (CHI-80)", (s.SPACE,))
def first_palace(p: Fields) -> bool:
    return not pieces.occupied(p) & int(c.WITHIN[c.row(p.land), p.target - 1])


@invariant("who commits to a palace has one, and can pay for it (CHI-80)", (s.SPACE, s.TURNING))
def promise(p: Fields) -> bool:
    province = p.target - 1
    if pieces.occupied(p) & int(c.WITHIN[c.row(p.land), province]):
        return True
    if pieces.palaces_left(p, pieces.owner_at_turn(p)) <= 0:
        return False
    if p.course & s.EMPERORS or knows(p, p.active):
        return bool(placing.can_pay_somehow(p, province))
    prices = np.diag([placing.price(p, province, colour) for colour in range(c.COLOURS)])
    return any(_may_hold(p, p.active, cards) for cards in prices)


def _may_hold(p: Fields, seat: int, cards: Any) -> bool:
    """Say whether a hand that is not seen may have some cards."""
    lacking = np.maximum(cards - p.known[seat], 0)
    room = sum(lacking) + sum(p.known[seat]) <= p.hand_sizes[seat]
    return bool(room and _fits(p, _unseen(p) - lacking))


@invariant("the Emperor is moved if he can place something (CHI-72)", (s.EMPEROR_TURN,))
def emperor_can_place(p: Fields) -> bool:
    return bool(placing.emperor_can_place(p))


@invariant("no province is complete", (s.SCORING,))
def something_to_score(p: Fields) -> bool:
    return bool(next_complete(p) >= 0)


# --- Deck, display, and what is owed ---


@invariant(
    "an empty deck is shuffled anew at once, but for the second time (CHI-43, 45)", IN_A_TURN
)
def shuffled_at_once(p: Fields) -> bool:
    empty = p.deck_size == 0 and p.exhausted < c.LAST_EXHAUSTION
    late = p.exhausted == c.LAST_EXHAUSTION and p.deck_size
    return empty == (p.phase == s.SHUFFLING) and not late


@invariant("without a discard there is nothing to shuffle", (s.SHUFFLING,))
def something_to_shuffle(p: Fields) -> bool:
    return any(p.discard)


@invariant("nothing is drawn from an empty deck", CARDS_DRAWN)
def something_to_draw(p: Fields) -> bool:
    return p.deck_size > 0


@invariant(f"the display has {c.DISPLAY} cards already (CHI-07)", (s.DISPLAYING,))
def display(p: Fields) -> bool:
    return sum(p.display) < c.DISPLAY


@invariant(f"the Emperor has {c.HAND} cards already (CHI-72)", (s.EMPEROR_DRAW,))
def emperors_cards(p: Fields) -> bool:
    return sum(p.imperial) < c.HAND


@invariant(
    "as many cards are owed as the hand lacks, one for an exchange (CHI-12, CHI-46)", IN_A_TURN
)
def owed(p: Fields) -> bool:
    fits = bool(p.owed + p.hand_sizes[p.active] <= c.HAND)
    if p.phase in (s.TAKING, s.DRAWING):
        return fits and (p.owed == 1 or (p.owed > 1 and p.placed > 0))
    return fits if p.phase == s.SHUFFLING else not p.owed


@invariant("there is no card to take", (s.TAKING,))
def something_to_take(p: Fields) -> bool:
    return bool(p.deck_size or any(p.display))
