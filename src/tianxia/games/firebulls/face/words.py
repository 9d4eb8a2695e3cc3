"""Fire Bulls in words: tokens of actions, sentences of the log, the table as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import mul

from tianxia.draw.languages import LANGUAGES, N_, translator
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.components import ACTIONS
from tianxia.games.firebulls.rules.notation import LETTERS, POINT_SYMBOLS
from tianxia.games.firebulls.rules.state import DEALING, HAND_DRAW
from tianxia.kernel.errors import ParseError
from tianxia.kernel.state import State
from tianxia.kernel.tokens import write_set

__all__ = ["describe", "diagram", "read", "write"]

SEAT_NAMES = (N_("Blue"), N_("Yellow"), N_("Brown"), N_("Red"), N_("Green"))
SEAT_ARMIES = ("indigo", "ochre", "umber", "cinnabar", "jade")
COLOUR_NAMES = (N_("blue"), N_("yellow"), N_("brown"), N_("red"), N_("green"))
BULL_NAMES = (
    N_("blue Bull"),
    N_("yellow Bull"),
    N_("brown Bull"),
    N_("red Bull"),
    N_("green Bull"),
    N_("Warrior"),
)
POINT_NAMES = (
    *(N_("blue Soldier"), N_("yellow Soldier"), N_("brown Soldier")),
    *(N_("red Soldier"), N_("green Soldier"), N_("blue Wu"), N_("yellow Wu")),
    *(N_("brown Wu"), N_("red Wu"), N_("green Wu"), N_("white Wu")),
    *(N_("Xi"), N_("Bo"), N_("Colonel"), N_("General"), N_("Fortification")),
)
PHASE_TEXTS = (
    N_("The pawns are placed."),
    N_("The rows are laid out."),
    N_("The attack cards are dealt."),
    N_("The first player is drawn."),
    N_("{seat} gathers or attacks."),
    N_("{seat} may move the pawn one step."),
    N_("{seat} goes on or stops."),
    N_("{seat} may use the power of the card just won."),
    N_("{seat} gives up a point card for a Warrior."),
    N_("{seat} has too many cards and puts some into the Reserve."),
    N_("{seat} draws."),
    N_("The Reserve is refilled."),
    N_("The discard becomes the new deck."),
    N_("The Colonel’s power: {victim} loses a card."),
    N_("The General’s power: {victim} is robbed of a card."),
    N_("The rows slide towards the pawns."),
    N_("The rows are refilled."),
    N_("All lose their highest card."),
    N_("The game is over."),
)

ARGUMENTS: dict[str, Sequence[str]] = {
    **dict.fromkeys(("take", "drop", "card", "lose", "steal"), LETTERS),
    **dict.fromkeys(("fee", "reveal"), POINT_SYMBOLS),
    "place": ("1", "2", "3", "4", "5"),
    "first": LETTERS[: c.MAX_PLAYERS],
}
AIMS = "12345G"  # of attacks: the directions, and the General
PAYMENT_TOKENS = tuple("".join(map(mul, LETTERS, cards)) for cards in c.PAYMENT.tolist())
TOKENS = ACTIONS.tokens(
    {
        **{name: (f"{name}:{{}}", symbols) for name, symbols in ARGUMENTS.items()},
        "attack": ("{}:{}", AIMS, PAYMENT_TOKENS),
    }
)
EXAMPLES = "take:b, draw, left, 3:bbw, G:rrrrggg, stop, use, decline, fee:Sb, drop:g"

Translate = Callable[[str], str]


# --- Tokens ---


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token, such as ``take:b``, or ``3:bbw`` for an attack."""
    if c.FIRST <= action < c.FIRST + c.MAX_PLAYERS:
        return f"first:{LETTERS[state.game.colours[action - c.FIRST]]}"
    return TOKENS[action]


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means; a few words in English or French will do, too."""
    word, _, rest = text.partition(":")
    if not rest:
        word, _, rest = text.partition(" ")
    word, rest = word.strip().casefold(), rest.strip()
    if len(word) == 1 and word.upper() in AIMS:
        return c.attack(AIMS.index(word.upper()) + 1, _read_payment(rest))
    if word == "first":
        return c.FIRST + state.game.colours.index(_read_symbol(word, rest))
    if word in ARGUMENTS:
        return ACTIONS.of(word)[_read_symbol(word, rest)]
    if word in TOKENS and not rest:
        return TOKENS.index(word)
    raise ParseError(f"{text[:20]!r} is not an action; actions are like {EXAMPLES}")


def _read_symbol(word: str, text: str) -> int:
    symbols = ARGUMENTS[word]
    folded = text.casefold()
    for i, symbol in enumerate(symbols):
        if folded == symbol.casefold():
            return i
    names = _names_of(word)
    for language in LANGUAGES:
        gettext = translator(language, __package__).gettext
        known = [gettext(name).casefold() for name in names]
        if folded in known:
            return known.index(folded)
    raise ParseError(f"{text[:20]!r} after {word}: should be one of {' '.join(symbols)}")


def _names_of(word: str) -> Sequence[str]:
    if word in ("fee", "reveal"):
        return POINT_NAMES
    if word == "first":
        return SEAT_NAMES
    return (*COLOUR_NAMES, BULL_NAMES[c.WARRIOR]) if ARGUMENTS[word] is LETTERS else ()


def _read_payment(text: str) -> int:
    letters = re.sub(r"[\s+,]", "", text.casefold())
    odd = sorted(set(letters) - set(LETTERS))
    if odd or not letters:
        raise ParseError(
            f"{text[:20]!r} is no payment: write one letter for each card, of b y n r g w"
            " (blue, yellow, brown, red, green, Warrior)"
        )
    cards = tuple(letters.count(letter) for letter in LETTERS)
    if cards not in c.NUMBER_OF_PAYMENT:
        raise ParseError(f"{letters[:20]!r}: no point card is taken with exactly these (FBL-25)")
    return c.NUMBER_OF_PAYMENT[cards]


# --- Names ---


def seat_name(state: State, seat: int, language: str) -> str:
    """Return what a seat is called."""
    return translator(language, __package__).gettext(state.game.seat_names[seat])


def point_name(kind: int, language: str) -> str:
    """Return what a point card is called."""
    return translator(language, __package__).gettext(POINT_NAMES[kind])


def attack_name(kind: int, language: str) -> str:
    """Return what an attack card is called."""
    return translator(language, __package__).gettext(BULL_NAMES[kind])


def cards_in_words(cards: Sequence[int], language: str) -> str:
    """Return a set of attack cards, such as "2 × blue Bull, 1 × Warrior"."""
    named = [(attack_name(kind, language), count) for kind, count in enumerate(cards) if count]
    return ", ".join(f"{count} × {name}" for name, count in named)


def is_weighty(action: int) -> bool:
    """Say whether a step of chance is told by itself: the penalty at the end."""
    return action == c.PENALTY


# --- Sentences ---


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action does, as the viewer may read it; asked before it is applied."""
    _ = translator(language, __package__).gettext
    kind, *arguments = ACTIONS.split(action)
    if action >= c.PLACE:
        return _describe_chance(state, action, viewer, language)
    if kind == "attack":
        return _describe_attack(state, seat, arguments, language)
    texts = {
        "take": _("{seat} takes a card of the Reserve: {card}."),
        "draw": _("{seat} draws from the deck."),
        "stay": _("{seat} leaves the pawn where it is."),
        "left": _("{seat} moves the pawn one step to the left."),
        "right": _("{seat} moves the pawn one step to the right."),
        "stop": _("{seat} ends the attack."),
        "use": _("{seat} uses the power of the card just won."),
        "decline": _("{seat} does without the power of the card just won."),
        "fee": _("{seat} gives up a point card for a Warrior: {card}."),
        "drop": _("{seat} puts a card into the Reserve: {card}."),
    }
    named = point_name if kind == "fee" else attack_name
    card = named(arguments[0], language) if arguments else ""
    return texts[kind].format(seat=seat_name(state, seat, language), card=card)


def _describe_attack(state: State, seat: int, laid: Sequence[int], language: str) -> str:
    _ = translator(language, __package__).gettext
    direction, payment = laid
    kind = _target(state, direction)
    if kind == c.GENERAL or direction == c.AT_GENERAL:
        text = _("{seat} attacks the General with {cards} and wins him.")
    elif kind < 0:
        text = _("{seat} lays {cards}.")
    elif state.fields["direction"]:
        text = _("{seat} goes on with {cards} and wins a card: {card}.")
    elif direction == int(state.fields["pawns"][seat]):
        text = _("{seat} attacks along direction {direction} with {cards} and wins a card: {card}.")
    else:
        text = _(
            "{seat} makes a deviated attack along direction {direction} with {cards} and wins"
            " a card: {card}."
        )
    return text.format(
        seat=seat_name(state, seat, language),
        direction=direction,
        cards=cards_in_words(c.PAYMENT[payment].tolist(), language),
        card=point_name(max(kind, 0), language),
    )


def _target(state: State, direction: int) -> int:
    """Return the kind of the point card that is attacked next, −1 if there is none."""
    fields = state.fields
    if direction == c.AT_GENERAL:
        return c.GENERAL
    places = [int(place) for place in c.LINE[direction]]
    return next((int(fields["rows"][p]) - 1 for p in places if fields["rows"][p]), -1)


def _describe_chance(state: State, action: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    match ACTIONS.split(action):
        case "card", card:
            return _describe_draw(state, card, viewer, language)
        case "lose" | "steal" as kind, card:
            return _describe_robbery(state, kind, card, viewer, language)
        case "place", direction:
            seat = _first(state.fields["pawns"][: state.seats].tolist(), 0)
            text = _("{seat}’s pawn is placed before direction {direction}.")
            return text.format(seat=seat_name(state, seat, language), direction=direction)
        case "reveal", card if card == c.GENERAL:
            return _("The General is turned up and lies aside, where anybody can attack him.")
        case "reveal", card:
            text = _("A point card is turned up: {card}.")
            return text.format(card=point_name(card, language))
        case "first", seat:
            return _("{seat} begins.").format(seat=seat_name(state, seat, language))
        case ("shuffle",):
            return _("The deck is exhausted: the discard is shuffled and becomes the new deck.")
        case ("slide",):
            return _("The rows slide towards the pawns.")
    return _("The deck is exhausted for the third time: all lose their highest card.")


def _describe_draw(state: State, kind: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    seat = _drawer(state)
    card = attack_name(kind, language)
    if seat < 0:
        return _("A card comes from the deck into the Reserve: {card}.").format(card=card)
    who = seat_name(state, seat, language)
    if viewer not in (None, seat) and not state.over:
        return _("{seat} gets a card from the deck.").format(seat=who)
    return _("{seat} gets a card from the deck: {card}.").format(seat=who, card=card)


def _describe_robbery(state: State, kind: str, card: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    victim = int(state.fields["victim"]) - 1
    thief = int(state.fields["active"])
    names = {
        "victim": seat_name(state, victim, language),
        "thief": seat_name(state, thief, language),
    }
    if kind == "lose":
        text = _("{victim} loses a card, which is discarded: {card}.")
        return text.format(card=attack_name(card, language), **names)
    if viewer not in (None, victim, thief) and not state.over:
        return _("{thief} takes a card out of {victim}’s hand.").format(**names)
    text = _("{thief} takes a card out of {victim}’s hand: {card}.")
    return text.format(card=attack_name(card, language), **names)


def _first(values: list[int], wanted: int) -> int:
    return values.index(wanted) if wanted in values else 0


def _drawer(state: State) -> int:
    """Return the seat that gets the next card of the deck, −1 for the Reserve."""
    fields = state.fields
    if fields["phase"] == DEALING:
        sizes = fields["hand_sizes"][: state.seats].tolist()
        short = [seat for seat, size in enumerate(sizes) if size < 3]
        return short[0] if short else -1
    return int(fields["active"]) if fields["phase"] == HAND_DRAW else -1


# --- The table as text ---


def diagram(state: State, language: str) -> str:
    """Return the table as lines: piles and rows, pawns below them, then cards and players."""
    _ = translator(language, __package__).gettext
    fields = state.fields
    piles = "".join(f"{f'[{cards}]':>6}" for cards in fields["piles"].tolist())
    lines = ["  " + piles]
    for first in range(c.PLACES - c.PILES, -1, -c.PILES):
        kinds = fields["rows"][first : first + c.PILES].tolist()
        lines.append("  " + "".join(f"{POINT_SYMBOLS[k - 1] if k else '·':>6}" for k in kinds))
    pawns = fields["pawns"].tolist()
    names = [
        seat_name(state, pawns.index(direction), language)[:5] if direction in pawns else "-"
        for direction in range(1, c.DIRECTIONS + 1)
    ]
    lines.append("".join(f"{f'{i}:{name}':>8}" for i, name in enumerate(names, 1)))
    text = _("General: {where}")
    where = (_("in the piles"), _("lies aside"), _("won"))[int(fields["general"])]
    lines.append(text.format(where=where))
    lines.append(_("Reserve: {cards}").format(cards=write_set(fields["reserve"], LETTERS)))
    text = _("Deck: {number} cards, ran out {times} times; discard: {cards}")
    discard = write_set(fields["discard"], LETTERS)
    deck, times = int(fields["deck_size"]), int(fields["exhausted"])
    lines.append(text.format(number=deck, times=times, cards=discard))
    scores = state.scores()
    for seat in range(state.seats):
        known = state.viewer in (None, seat) or state.over
        size = int(fields["hand_sizes"][seat])
        text = _("{seat}: {points} points, hand {hand}, won {cards}")
        line = text.format(
            seat=seat_name(state, seat, language),
            points=int(scores[seat]),
            hand=write_set(fields["hands"][seat], LETTERS) if known else f"?{size}",
            cards=write_set(fields["victory"][seat], POINT_SYMBOLS),
        )
        lines.append(line)
    lines.append(_phase_text(state, language))
    return "\n".join(lines)


def _phase_text(state: State, language: str) -> str:
    _ = translator(language, __package__).gettext
    fields = state.fields
    victim = max(int(fields["victim"]) - 1, 0)
    text = _(PHASE_TEXTS[int(fields["phase"])])
    seat = seat_name(state, int(fields["active"]), language)
    return text.format(seat=seat, victim=seat_name(state, victim, language))
