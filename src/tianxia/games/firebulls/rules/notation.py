"""Fire Bulls on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come eighteen tokens, for example::

    turn 0 37/36 24 Sb,X,F/Wy,Wy,Sg/B,F,C 15/15/15 piles -/- - b9y8… b10y10… b1g2 - \
b2r1/y1w2 b2r1/y1w2 -/-,=,= 0 -

1. what is being decided or drawn: one of `PHASES`; an end has its statement, ``end:46``;
2. the active player's seat; 3. plies / the ply before which nobody may take back;
4. the direction of each pawn, 0 where it has none yet;
5. the three rows, each from the pawns away, with ``-`` on an empty place;
6. cards in the piles; 7. where the General is: ``piles``, ``aside`` or ``won``;
8. Victory piles by seat; 9. point cards out of the game;
10. the deck, in a view ``?`` and its number of cards; 11. the deck at its last shuffle
without what came openly from it; 12. the Reserve; 13. the discard;
14. hands by seat, ``?5`` where a view hides them; 15. what each drew unseen since the last
shuffle, in the same way;
16. cards that are surely in hands, by holder, as everybody knows and then as each seat
knows: ``=`` where that is the same, ``?`` where a view does not tell;
17. how often the deck ran out;
18. the rest of an unfinished turn: direction (``d3``, ``dG``), cards won (``+Sb``), Warriors
without fee (``w1``), draws owed (``o2``), what follows the draws (``>step``, ``>line``,
``>end``), the seat robbed next (``v1``); ``-`` if there is nothing of it.

Attack cards are ``b y n r g`` (blue, yellow, brown, red, green) and ``w`` (Warrior), each
with its number. Point cards: ``Sb`` Soldier, ``Wb`` Wu, ``Ww`` white Wu, ``X`` Xi, ``B`` Bo,
``C`` Colonel, ``G`` General, ``F`` Fortification.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tianxia.games.firebulls.rules.components import (
    AT_GENERAL,
    ATTACK_CARDS,
    ATTACK_KINDS,
    BO,
    COLONEL,
    COLOURS,
    DEALT,
    DECK,
    DEVIATED,
    DIRECT,
    DIRECTIONS,
    GENERAL,
    HAND_LIMIT,
    LAST_EXHAUSTION,
    LINE,
    PILE,
    PILES,
    PLACES,
    POINT_CARDS,
)
from tianxia.games.firebulls.rules.state import (
    ASIDE,
    BEGINNING,
    COLONELS,
    DEALING,
    ENDED,
    FEE_DUE,
    HAND_DRAW,
    IN_PILES,
    LIMIT,
    NEXT_CARD,
    PENALISING,
    PLACING,
    POWER,
    PUBLIC,
    REFILLING,
    RESERVE_DRAW,
    ROWS,
    SHUFFLING,
    SLIDING,
    STEP,
    THEFT,
    TO_END,
    TO_LINE,
    TO_STEP,
    TURN,
    WON,
)
from tianxia.kernel.errors import NotationError
from tianxia.kernel.record import Pool
from tianxia.kernel.tokens import read_number, read_word, write_set

LETTERS = "bynrgw"
POINT_SYMBOLS = (
    *(f"S{letter}" for letter in LETTERS[:COLOURS]),
    *(f"W{letter}" for letter in LETTERS),
    *"XBCGF",
)
PHASE_NAMES = (
    *("place", "rows", "deal", "first", "turn", "step", "more", "power", "fee", "limit"),
    *("draw", "reserve", "shuffle", "colonel", "theft", "slide", "refill", "penalty", "end"),
)
GENERALS = ("piles", "aside", "won")
RESUMES = ("", ">step", ">line", ">end")
ATTACK_SET = re.compile(r"-|(?:[byngrw]\d{1,2})+")
POINT_SET = re.compile(r"-|(?:(?:S[byngr]|W[byngrw]|[XBCGF])\d{1,2})+")
DETAIL = re.compile(
    r"(?:d([1-5G]))?((?:\+[A-Za-z]{1,2}){0,3})(?:w(\d))?(?:o(\d))?(>step|>line|>end)?(?:v(\d))?"
)


# --- Writing ---


def dump(record: Any) -> str:
    """Return the tokens of a position's record."""
    seats, phase = range(int(record["seats"])), int(record["phase"])
    open_to_viewer = [_knows(record, seat) for seat in seats]
    tokens = [
        PHASE_NAMES[phase] + (f":{record['reason']}" if record["over"] else ""),
        str(record["active"]),
        f"{record['plies']}/{record['sealed']}",
        "".join(str(record["pawns"][seat]) for seat in seats),
        "/".join(",".join(_dump_row(record, row)) for row in range(PILES)),
        "/".join(str(cards) for cards in record["piles"]),
        GENERALS[int(record["general"])],
        "/".join(write_set(record["victory"][seat], POINT_SYMBOLS) for seat in seats),
        write_set(record["removed"], POINT_SYMBOLS),
        write_set(record["deck"], LETTERS) if all(open_to_viewer) else f"?{record['deck_size']}",
        *(write_set(record[name], LETTERS) for name in ("fresh", "reserve", "discard")),
        *("/".join(_dump_hidden(record, *names)) for names in HIDDEN),
        _dump_memory(record),
        str(record["exhausted"]),
        _dump_detail(record),
    ]
    return " ".join(tokens)


HIDDEN = (("hands", "hand_sizes"), ("drawn", "draws"))


def _knows(record: Any, seat: int) -> bool:
    """Say whether the record tells what a seat has and remembers."""
    return bool(record["viewer"] in (0, seat + 1) or record["over"])


def _dump_row(record: Any, row: int) -> Iterator[str]:
    for place in range(row, PLACES, PILES):
        kind = int(record["rows"][place])
        yield POINT_SYMBOLS[kind - 1] if kind else "-"


def _dump_hidden(record: Any, name: str, number: str) -> Iterator[str]:
    for seat in range(int(record["seats"])):
        known = _knows(record, seat)
        yield write_set(record[name][seat], LETTERS) if known else f"?{record[number][seat]}"


def _dump_memory(record: Any) -> str:
    seats = range(int(record["seats"]))
    rows = [
        "/".join(write_set(record["known"][row][seat], LETTERS) for seat in seats)
        for row in (PUBLIC, *seats)
    ]
    others = (("=" if rows[i + 1] == rows[0] else rows[i + 1]) for i in seats)
    return ",".join([rows[0], *(o if _knows(record, i) else "?" for i, o in enumerate(others))])


def _dump_detail(record: Any) -> str:
    direction, warriors, owed, victim = (
        int(record[name]) for name in ("direction", "warriors", "owed", "victim")
    )
    parts = [
        f"d{'?12345G'[direction]}" if direction else "",
        *(f"+{POINT_SYMBOLS[int(kind) - 1]}" for kind in record["won"] if kind),
        f"w{warriors}" if warriors else "",
        f"o{owed}" if owed else "",
        RESUMES[int(record["resume"])],
        f"v{victim - 1}" if victim else "",
    ]
    return "".join(parts) or "-"


# --- Reading ---


def load(text: str, pool: Pool) -> None:
    """Fill a record from `dump`'s tokens; raise NotationError where they are no position."""
    tokens = text.split()
    if len(tokens) != 18:
        raise NotationError(f"a position of Fire Bulls has 18 parts, not {len(tokens)}")
    record = pool[0]
    _load_phase(record, tokens[0], tokens[1])
    record["plies"], record["sealed"] = _numbers(tokens[2], "plies/sealed", 2, 10**9)
    record["pawns"][: record["seats"]] = _numbers(
        "/".join(tokens[3]), "pawns", int(record["seats"]), DIRECTIONS
    )
    _load_rows(record, tokens[4])
    record["piles"] = _numbers(tokens[5], "piles", PILES, PILE)
    record["general"] = read_word(tokens[6], GENERALS, "where the General is")
    for seat, part in enumerate(_by_seat(record, tokens[7], "Victory piles")):
        _load_set(part, record["victory"][seat], POINT_SYMBOLS, "Victory pile")
    _load_set(tokens[8], record["removed"], POINT_SYMBOLS, "point cards out of the game")
    if tokens[9].startswith("?"):
        record["deck_size"] = read_number(tokens[9][1:], "deck", DECK)
    else:
        _load_set(tokens[9], record["deck"], LETTERS, "deck")
        record["deck_size"] = record["deck"].sum()
    for i, name in enumerate(("fresh", "reserve", "discard"), 10):
        _load_set(tokens[i], record[name], LETTERS, name)
    for token, names in zip(tokens[13:15], HIDDEN, strict=True):
        _load_hidden(record, token, *names)
    _load_memory(record, tokens[15])
    record["exhausted"] = read_number(tokens[16], "times the deck ran out", LAST_EXHAUSTION)
    _load_detail(record, tokens[17])
    _load_unseen(record)
    wrong = _wrong_attack_cards(record) or _wrong_memory(record) or _wrong_course(record)
    if wrong:
        raise NotationError(wrong)
    if dump(record) != " ".join(tokens):
        raise NotationError(f"this position should be written {dump(record)!r}")


def _numbers(text: str, what: str, count: int, most: int) -> list[int]:
    parts = text.split("/")
    if len(parts) != count:
        raise NotationError(f"{what}: {text[:20]!r} should be {count} numbers")
    return [read_number(part, what, most) for part in parts]


def _by_seat(record: Any, text: str, what: str) -> list[str]:
    parts = text.split("/")
    if len(parts) != record["seats"]:
        raise NotationError(f"{what}: {text[:40]!r} should be one for each seat")
    return parts


def _load_phase(record: Any, phase: str, active: str) -> None:
    name, colon, reason = phase.partition(":")
    record["phase"] = read_word(name, PHASE_NAMES, "phase")
    record["active"] = read_number(active, "active player", int(record["seats"]) - 1)
    if record["phase"] == ENDED:
        record["over"] = 1
        if reason not in ("45", "46"):
            raise NotationError(f"{phase[:20]!r} should be end:45 or end:46")
        record["reason"] = int(reason)
    elif colon:
        raise NotationError(f"{phase[:20]!r}: only an end has a statement")
    elif TURN <= record["phase"] <= LIMIT:
        record["acting"] = 1 << int(record["active"])


def _load_rows(record: Any, text: str) -> None:
    rows = [row.split(",") for row in text.split("/")]
    if [len(row) for row in rows] != [PLACES // PILES] * PILES:
        raise NotationError(f"rows: {text[:40]!r} should be three rows of three cards")
    for row, cards in enumerate(rows):
        for i, card in enumerate(cards):
            if card != "-":
                kind = read_word(card, POINT_SYMBOLS, "point card")
                if kind == GENERAL:
                    raise NotationError("the General lies in no row")
                record["rows"][row + PILES * i] = kind + 1


def _load_set(text: str, cards: Any, symbols: Sequence[str], what: str) -> None:
    pattern = ATTACK_SET if len(symbols) == ATTACK_KINDS else POINT_SET
    if not pattern.fullmatch(text):
        raise NotationError(f"{what}: {text[:30]!r} should be like {symbols[0]}2{symbols[1]}1 or -")
    for symbol, count in re.findall(r"([A-Za-z]+)(\d+)", text):
        cards[symbols.index(symbol)] = int(count)


def _load_hidden(record: Any, text: str, name: str, number: str) -> None:
    for seat, part in enumerate(_by_seat(record, text, name)):
        if part.startswith("?") != (not _knows(record, seat)):
            raise NotationError(f"{name}: {part[:20]!r} does not fit what the viewer may know")
        if part.startswith("?"):
            record[number][seat] = read_number(part[1:], name, DECK)
        else:
            _load_set(part, record[name][seat], LETTERS, name)
            record[number][seat] = record[name][seat].sum()


def _load_memory(record: Any, text: str) -> None:
    parts = text.split(",")
    seats = int(record["seats"])
    if len(parts) != seats + 1:
        raise NotationError(f"cards surely in hands: {len(parts)} parts instead of {seats + 1}")
    for row, part in zip((PUBLIC, *range(seats)), parts, strict=True):
        if row != PUBLIC and (part == "?") != (not _knows(record, row)):
            raise NotationError(f"{part[:20]!r} does not fit what the viewer may know")
        if part == "=":
            record["known"][row] = record["known"][PUBLIC]
        elif part != "?":
            for seat, cards in enumerate(_by_seat(record, part, "cards surely in hands")):
                _load_set(cards, record["known"][row][seat], LETTERS, "cards surely in hands")


def _load_detail(record: Any, text: str) -> None:
    match = DETAIL.fullmatch("" if text == "-" else text)
    if not match:
        raise NotationError(f"{text[:30]!r} should be like d3+Sbw1o1>line, or -")
    direction, won, warriors, owed, resume, victim = match.groups()
    if direction:
        record["direction"] = "?12345G".index(direction)
    for i, card in enumerate(won.split("+")[1:]):
        record["won"][i] = 1 + read_word(card, POINT_SYMBOLS, "point card")
    record["warriors"] = int(warriors or 0)
    record["owed"] = int(owed or 0)
    record["resume"] = RESUMES.index(resume or "")
    if victim:
        record["victim"] = 1 + read_number(victim, "who is robbed", int(record["seats"]) - 1)


def _load_unseen(record: Any) -> None:
    """Work out which point cards are in the piles."""
    unseen = POINT_CARDS - record["removed"] - record["victory"].sum(axis=0)
    for kind in record["rows"]:
        if kind:
            unseen[int(kind) - 1] -= 1
    unseen[GENERAL] -= record["general"] == ASIDE
    if (unseen < 0).any() or unseen.sum() != record["piles"].sum():
        raise NotationError(f"there are {POINT_CARDS.sum()} point cards (FBL-05, FBL-53)")
    if (unseen[GENERAL] > 0) != (record["general"] == IN_PILES):
        raise NotationError("the General is not where he is said to be")
    record["unseen"] = unseen


# --- What cannot be ---


def _wrong_attack_cards(record: Any) -> str | None:
    """Say what is wrong with the attack cards, if anything is."""
    seats = range(int(record["seats"]))
    table = record["reserve"].astype(int) + record["discard"]
    left = ATTACK_CARDS - table - record["hands"].sum(axis=0) - record["deck"]
    known = all(_knows(record, seat) for seat in seats)
    hidden = sum(int(record["hand_sizes"][s]) for s in seats if not _knows(record, s))
    hidden += 0 if known else int(record["deck_size"])
    if not known and record["deck"].any():
        return "a view does not show the deck"
    if (left < 0).any() or left.sum() != hidden:
        return f"there are {DECK} attack cards: 10 of each colour and 4 Warriors (FBL-02, FBL-53)"
    fresh = record["fresh"].astype(int) - record["drawn"].sum(axis=0) - record["deck"]
    drawn = sum(int(record["draws"][s]) for s in seats if not _knows(record, s))
    drawn += 0 if known else int(record["deck_size"])
    if (fresh < 0).any() or fresh.sum() != drawn:
        return "the deck at its last shuffle is what is in it and what was drawn from it"
    return None


def _wrong_memory(record: Any) -> str | None:
    """Say what is wrong with the cards that are said to be surely in hands."""
    seats = range(int(record["seats"]))
    viewers = [row for row in (*seats, PUBLIC) if row == PUBLIC or _knows(record, row)]
    for row in viewers:
        for seat in seats:
            bound = record["known"][row][seat].astype(int)
            if bound.sum() > record["hand_sizes"][seat]:
                return "more cards are surely in a hand than it has"
            if _knows(record, seat) and (bound > record["hands"][seat]).any():
                return "cards are surely in a hand that does not have them"
            if (bound < record["known"][PUBLIC][seat]).any():
                return "everybody knows what all know"
    own = int(record["viewer"]) - 1
    if own == -1 or record["over"]:
        return None
    row = own if own >= 0 else PUBLIC
    others = [seat for seat in seats if seat != own]
    left = ATTACK_CARDS - record["reserve"] - record["discard"] - record["hands"].sum(axis=0)
    left = left - record["known"][row][others].sum(axis=0)
    fresh = record["fresh"].astype(int) - record["drawn"].sum(axis=0)
    possible = [min(int(a), int(b)) for a, b in zip(left, fresh, strict=True)]
    if min(left) < 0 or sum(possible) < record["deck_size"]:
        return "these cards cannot all be where they are said to be"
    return None


def _wrong_course(record: Any) -> str | None:
    """Say what is wrong with the course of the game, if anything is."""
    phase, seats = int(record["phase"]), int(record["seats"])
    if record["sealed"] > record["plies"]:
        return "plies/sealed: the second number cannot be the larger one"
    placed = [int(pawn) for pawn in record["pawns"] if pawn]
    if len(set(placed)) != len(placed):
        return "no two pawns stand before one direction (FBL-54)"
    wanted = [bool(pawn) for pawn in record["pawns"][:seats]]
    if wanted != sorted(wanted, reverse=True) or all(wanted) == (phase == PLACING):
        return "pawns are placed first, seat by seat"
    return _wrong_setup(record, phase) if phase < TURN else _wrong_play(record, phase)


def _wrong_setup(record: Any, phase: int) -> str | None:
    """Say what is wrong with a set-up in progress."""
    seats = int(record["seats"])
    empty = [place for place in range(PLACES) if not record["rows"][place]]
    if _dump_detail(record) != "-" or record["active"] or record["exhausted"]:
        return "during the set-up nobody has done anything yet"
    if record["victory"].any() or record["removed"].any() or record["discard"].any():
        return "during the set-up nothing was won or laid yet"
    if record["known"].any():
        return "during the set-up nobody has taken anything openly"
    if phase < ROWS and len(empty) < PLACES:
        return "the rows are laid out after the pawns"
    if (phase > ROWS) != (not empty) and phase != PLACING:
        return "the rows are laid out first"
    order = [place for row in range(PILES) for place in range(row, PLACES, PILES)]
    if [place in empty for place in order] != sorted(place in empty for place in order):
        return "the rows are laid out one after the other, from the pawns away"
    wrong = _wrong_piles(record, order)
    sizes = [int(size) for size in record["hand_sizes"][:seats]]
    reserve = int(record["reserve"].sum())
    dealt = sum(sizes)
    expected = [min(max(dealt - DEALT * seat, 0), DEALT) for seat in range(seats)]
    full = dealt == DEALT * seats
    early = (reserve and not full) or (dealt and phase < DEALING)
    if sizes != expected or reserve > DEALT or early:
        return "three cards are dealt to each, then three to the Reserve"
    if [int(draws) for draws in record["draws"][:seats]] != sizes:
        return "all hands come from the deck"
    if (reserve == DEALT) != (phase == BEGINNING):
        return "the first player is drawn when all cards are dealt"
    return wrong


def _wrong_piles(record: Any, order: Sequence[int]) -> str | None:
    """Say what is wrong with the piles while the rows are laid out."""
    gone = [0] * PILES
    for place in order:
        gone[place % PILES] += bool(record["rows"][place])
    extra = [PILE - int(record["piles"][pile]) - gone[pile] for pile in range(PILES)]
    if min(extra) < 0 or sum(extra) != (record["general"] == ASIDE) or record["general"] == WON:
        return "the cards missing from the piles lie in their rows"
    first_gap = next((place for place in order if not record["rows"][place]), None)
    last = PILES - 1 if first_gap is None else first_gap % PILES
    if any(extra[last + 1 :]):
        return "the General comes from a pile of which cards were drawn"
    return None


DETAILS = {  # phase: what was begun in the turn
    TURN: "none",
    STEP: "gathering",
    NEXT_CARD: "attack",
    POWER: "attack",
    FEE_DUE: "attack",
    LIMIT: "any",
    HAND_DRAW: "drawing",
    RESERVE_DRAW: "gathering",
    SHUFFLING: "drawing",
    COLONELS: "robbing",
    THEFT: "robbing",
    SLIDING: "attack",
    REFILLING: "attack",
    PENALISING: "none",
    ENDED: "none",
}


def _wrong_play(record: Any, phase: int) -> str | None:
    """Say what is wrong with a position after the set-up."""
    names = ("direction", "warriors", "owed", "resume", "victim", "active")
    direction, warriors, owed, resume, victim, active = (int(record[name]) for name in names)
    won = [int(kind) - 1 for kind in record["won"] if kind]
    kind_of_phase = DETAILS[phase]
    attack = bool(won)
    if bool(resume) != (kind_of_phase == "drawing") or bool(victim) != (kind_of_phase == "robbing"):
        return "what was begun in this turn does not fit the phase"
    if kind_of_phase in ("none", "gathering") and (direction or attack or warriors):
        return "an attack does not fit the phase"
    if kind_of_phase in ("attack", "robbing") and not attack:
        return "an attack has won a card by then"
    if bool(direction) != attack:
        return "cards are won by an attack along a direction"
    return (
        _wrong_supplies(record, phase)
        or _wrong_attack(record, phase, direction, won, warriors, active)
        or _wrong_draws(record, phase, owed, resume, len(won))
        or _wrong_victim(record, phase, victim - 1, active)
    )


def _wrong_supplies(record: Any, phase: int) -> str | None:
    """Say what is wrong with the deck and the hands in this phase."""
    deck, exhausted = int(record["deck_size"]), int(record["exhausted"])
    reserve = int(record["reserve"].sum())
    if reserve < DEALT - (phase == RESERVE_DRAW):
        return "the Reserve has three cards or more (FBL-16)"
    if (deck == 0 and exhausted < LAST_EXHAUSTION) != (phase == SHUFFLING):
        return "an empty deck is shuffled anew at once, but for the third time"
    if exhausted == LAST_EXHAUSTION and (deck or phase == TURN):
        return "when the deck has run out three times, the turn is the last"
    if phase == SHUFFLING and not record["discard"].any():
        return "without a discard there is nothing to shuffle"
    if phase in (HAND_DRAW, RESERVE_DRAW) and not deck:
        return "nothing is drawn from an empty deck"
    sizes = [int(size) for size in record["hand_sizes"][: record["seats"]]]
    active = int(record["active"])
    over = [size > HAND_LIMIT for seat, size in enumerate(sizes) if seat != active]
    mine = sizes[active] > HAND_LIMIT
    closed = phase in (TURN, SLIDING, REFILLING, PENALISING, ENDED)
    if any(over) or (phase == LIMIT and not mine) or (closed and mine):
        return "a turn ends with eight cards in hand at most (FBL-39)"
    if phase in (PENALISING, ENDED):
        lost = exhausted == LAST_EXHAUSTION
        if lost != (phase == PENALISING or record["reason"] == 46):
            return "with the third exhaustion, and with it only, comes the penalty"
    if phase == ENDED and record["reason"] == 45:
        if record["general"] != WON or sum(int(pile) == 0 for pile in record["piles"]) < 2:
            return "the game ends with two empty piles and the General won (FBL-45)"
    return None


def _wrong_attack(
    record: Any, phase: int, direction: int, won: list[int], warriors: int, active: int
) -> str | None:
    """Say what is wrong with the attack of this turn."""
    if warriors > ATTACK_CARDS[-1]:
        return f"there are {ATTACK_CARDS[-1]} Warriors"
    pawn = int(record["pawns"][active])
    if direction == AT_GENERAL:
        if won != [GENERAL] or record["general"] != WON:
            return "the General is attacked where he lies, alone (FBL-44)"
    elif direction:
        if abs(direction - pawn) > 1 or GENERAL in won:
            return "an attack goes along one's own direction or one beside it (FBL-33)"
        if len(won) > (DIRECT if direction == pawn else DEVIATED):
            return "a deviated attack wins two cards at most (FBL-33)"
    if any(won.count(kind) > record["victory"][active][kind] for kind in won):
        return "what was won in this turn lies in the Victory pile"
    if phase == NEXT_CARD and not _has_target(record, direction, pawn, won):
        return "the attack meets no card"
    powers = {POWER: (BO, COLONEL, GENERAL), COLONELS: (COLONEL,), THEFT: (GENERAL,)}
    if phase in powers and won[-1] not in powers[phase]:
        return "the card won last has no such power (FBL-10)"
    if phase == POWER and won[-1] == BO and not record["deck_size"]:
        return "a Bo's power needs a deck"
    others = [s for s in range(int(record["seats"])) if s != active]
    if phase == POWER and won[-1] != BO and not record["hand_sizes"][others].any():
        return "this power needs opponents with cards"
    if phase == FEE_DUE:
        earlier = record["victory"][active].sum() - len(won)
        if not warriors or earlier <= 0:
            return "a fee is due for Warriors, in cards won earlier (FBL-38)"
    return _wrong_rows(record, phase)


def _has_target(record: Any, direction: int, pawn: int, won: list[int]) -> bool:
    if direction == AT_GENERAL:
        return False
    limit = DIRECT if direction == pawn else DEVIATED
    return len(won) < limit and any(record["rows"][place] for place in LINE[direction])


def _wrong_rows(record: Any, phase: int) -> str | None:
    """Say what is wrong with the gaps of the rows."""
    rows = [
        [bool(record["rows"][place]) for place in range(row, PLACES, PILES)] for row in range(PILES)
    ]
    slid = all(row == sorted(row, reverse=True) for row in rows)
    gaps = [not all(row) and record["piles"][i] > 0 for i, row in enumerate(rows)]
    if phase == SLIDING and slid:
        return "no card can slide"
    if phase == REFILLING and (not slid or not any(gaps)):
        return "no row can be refilled"
    quiet = phase in (TURN, STEP, RESERVE_DRAW, PENALISING, ENDED)
    if quiet and (not slid or any(gaps)):
        return "rows are closed up and refilled at the end of a turn (FBL-40)"
    return None


def _wrong_draws(record: Any, phase: int, owed: int, resume: int, won: int) -> str | None:
    """Say what is wrong with the draws that are owed."""
    if phase == HAND_DRAW and not owed:
        return "nothing is drawn that is not owed"
    if owed and phase not in (HAND_DRAW, SHUFFLING):
        return "draws are owed while cards are drawn only"
    most = {0: 0, TO_STEP: 1, TO_LINE: 1, TO_END: max(won - 1, 0)}[resume]
    if owed > most - (phase == SHUFFLING and most > 0):
        return "more draws are owed than there can be"
    if (resume == TO_STEP and won) or (resume == TO_LINE and not won):
        return "what follows the draws does not fit the turn"
    if resume == TO_LINE:
        if [int(kind) for kind in record["won"] if kind][-1] != BO + 1:
            return "only a Bo lets an attacker draw"
    return None


def _wrong_victim(record: Any, phase: int, victim: int, active: int) -> str | None:
    """Say what is wrong with who is robbed."""
    if phase in (COLONELS, THEFT) and (victim == active or not record["hand_sizes"][victim]):
        return "an opponent with cards is robbed"
    return None
