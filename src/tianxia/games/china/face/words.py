"""China in words: tokens of actions, sentences of the log, the table as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from tianxia.draw.languages import LANGUAGES, N_, translator
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import MAX_SPACES, Board, key_of
from tianxia.games.china.rules.components import ACTIONS
from tianxia.games.china.rules.notation import LETTERS, NOTATION, TILE_LETTERS, dump_set
from tianxia.games.china.rules.state import DEALING, EMPEROR_DRAW, EMPERORS, TURN
from tianxia.kernel.errors import ParseError
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State

__all__ = ["describe", "diagram", "read", "write"]

SEAT_NAMES = (N_("Blue"), N_("Green"), N_("Violet"), N_("Red"), N_("Yellow"))
SEAT_ARMIES = ("indigo", "jade", "plum", "cinnabar", "ochre")
"""With two players the third is the Emperor's."""
EMPEROR_NAME = N_("the Emperor")
CARD_NAMES = (N_("violet"), N_("yellow"), N_("orange"), N_("green"), N_("red"))
TILE_NAMES = CARD_NAMES[1:4]
PROVINCE_NAMES = (
    *(N_("Wei"), N_("Zhao"), N_("Qi"), N_("Ch'in"), N_("Han")),
    *(N_("Lu"), N_("Shu"), N_("Chu"), N_("Wu")),
)
PHASE_TEXTS = (
    N_("The bonus tiles are laid out."),
    N_("The first player is drawn."),
    N_("The cards are dealt."),
    N_("{seat} places pieces or exchanges a card."),
    N_("{seat} may place a second piece in {province}."),
    N_("{seat} chooses the space of a palace in {target}."),
    N_("{seat} keeps one of the cards played."),
    N_("{seat} takes cards."),
    N_("{seat} may place a piece of the Emperor’s."),
    N_("The tiles in {target} are turned up."),
    N_("A province is complete and is scored."),
    N_("{seat} draws a card."),
    N_("The display is filled up."),
    N_("The Emperor’s cards are filled up."),
    N_("The discard becomes the new deck."),
    N_("Final scoring."),
    N_("The game is over."),
)

CARD_WORDS = ("exchange", "take", "keep", "card", "show")
EXAMPLES = (
    "palace:W3:r, palace:W3:yy, emissary:Wei:r, fort:W3:r, post:P1/Wei:or, open:Wei, stop,"
    " exchange:r, take:r, deck, pass"
)

Translate = Callable[[str], str]


# --- Tokens ---


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token, such as ``palace:W3:r`` or ``take:g``."""
    return tokens_of(int(state.fields["land"]))[action]


@lru_cache(64)
def tokens_of(land: int) -> list[str]:
    """Return the tokens of all actions on a board."""
    board = c.board(land)
    spaces = [_space_name(board, space) for space in range(MAX_SPACES)]
    seats = list(map(str, range(c.MAX_PLAYERS)))

    def on_space(space: int, colour: int) -> str:
        known = space < len(board.spaces)
        own = board.colours[board.spaces[space].provinces[0]] if known else -1
        return f"{spaces[space]}:{_price(own, colour)}"

    return ACTIONS.tokens(
        {
            **{name: (f"{name}:{{}}", LETTERS) for name in CARD_WORDS},
            "palace": lambda space, colour: f"palace:{on_space(space, colour)}",
            "fort": lambda space, colour: f"fort:{on_space(space, colour)}",
            "emissary": lambda province, colour: (
                f"emissary:{board.keys[province]}:{_price(board.colours[province], colour)}"
            ),
            "post": partial(_write_post, board),
            "open": ("open:{}", board.keys),
            "swap": ("swap:{}>{}", LETTERS, LETTERS),
            "tile": ("tile:{}", spaces),
            "turn": ("turn:{}", TILE_LETTERS),
            "first": ("first:{}", seats),
            "score": ("score:{}", board.keys),
            "alliance": lambda number: f"alliance:{number + 1}",
            "roads": ("roads:{}", seats),
            "bonus": ("bonus:{}", TILE_LETTERS),
        }
    )


def board_of(state: State) -> Board:
    """Return the board on which a state is played."""
    return c.board(int(state.fields["land"]))


def _space_name(board: Board, space: int) -> str:
    """Return a space's name; a number for one that only other boards have."""
    return board.spaces[space].name if space < len(board.spaces) else f"#{space}"


def _write_post(board: Board, number: int, declared: int, way: int) -> str:
    if number >= len(board.posts):
        return f"post:#{number}/{declared}:{way}"
    space = board.spaces[board.posts[number]]
    price = post_prices(board, number)[way]
    return f"post:{space.name}/{board.keys[space.provinces[declared]]}:{price}"


def _price(own: int, colour: int) -> str:
    return LETTERS[colour] * (1 if colour == own else 2)


def post_prices(board: Board, number: int) -> tuple[str, str, str]:
    """Return the three ways to pay for a post, as cards."""
    one, other = (board.colours[p] for p in board.spaces[board.posts[number]].provinces)
    mixed = "".join(LETTERS[colour] for colour in sorted((one, other)))
    return mixed, LETTERS[one] * 2, LETTERS[other] * 2


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means; names of colours may be English or French."""
    board = board_of(state)
    word, *parts = (part.strip() for part in text.replace(" ", ":", 1).split(":"))
    word = word.casefold()
    if word in ACTIONS.kinds and not ACTIONS.kinds[word].ranges and not any(parts):
        return ACTIONS.join(word)
    if word in CARD_WORDS and len(parts) == 1:
        return ACTIONS.join(word, _read_card(parts[0]))
    if word in READERS and parts:
        return READERS[word](board, parts)
    raise ParseError(f"{text[:20]!r} is not an action; actions are like {EXAMPLES}")


def _read_card(text: str) -> int:
    folded = text.casefold()
    if len(folded) == 1 and folded in LETTERS:
        return LETTERS.index(folded)
    for language in LANGUAGES:
        gettext = translator(language, __package__).gettext
        known = [gettext(name).casefold() for name in CARD_NAMES]
        if folded in known:
            return known.index(folded)
    raise ParseError(f"{text[:20]!r}: should be a colour, one of {' '.join(LETTERS)}")


def _read_space(board: Board, text: str) -> int:
    folded = text.casefold()
    for number, space in enumerate(board.spaces):
        if space.name.casefold() == folded:
            return number
    raise ParseError(f"{text[:20]!r}: this board has no such space; spaces are like W1")


def _read_province(board: Board, text: str) -> int:
    folded = key_of(text).casefold()
    for number, key in enumerate(board.keys):
        if key.casefold() == folded:
            return number
    raise ParseError(f"{text[:20]!r}: should be a province, one of {' '.join(board.keys)}")


def _read_price(text: str, own: int, what: str) -> int:
    """Return the colour that pays for a piece in a province."""
    folded = text.casefold()
    for colour in range(c.COLOURS):
        if folded == _price(own, colour):
            return colour
    pairs = " ".join(_price(own, colour) for colour in range(c.COLOURS) if colour != own)
    raise ParseError(
        f"{text[:20]!r}: {what} costs {LETTERS[own]}, or two of another colour: {pairs} (CHI-18)"
    )


def _read_on_space(kind: str) -> Callable[[Board, Sequence[str]], int]:
    def reader(board: Board, parts: Sequence[str]) -> int:
        space = _read_space(board, parts[0])
        own = board.colours[board.spaces[space].provinces[0]]
        price = _read_price("".join(parts[1:]), own, board.spaces[space].name)
        return ACTIONS.join(kind, space, price)

    return reader


def _read_emissary(board: Board, parts: Sequence[str]) -> int:
    province = _read_province(board, parts[0])
    price = _read_price("".join(parts[1:]), board.colours[province], board.keys[province])
    return ACTIONS.join("emissary", province, price)


def _read_post(board: Board, parts: Sequence[str]) -> int:
    place, _, declared = parts[0].partition("/")
    space, province = _read_space(board, place), _read_province(board, declared)
    if space not in board.posts:
        raise ParseError(f"{place[:20]!r} is no border post")
    number = board.posts.index(space)
    provinces = board.spaces[space].provinces
    if province not in provinces:
        names = " or ".join(board.keys[p] for p in provinces)
        raise ParseError(f"{declared[:20]!r}: {board.spaces[space].name} lies between {names}")
    price = "".join(sorted("".join(parts[1:]).casefold(), key=LETTERS.find))
    prices = post_prices(board, number)
    if price not in prices:
        raise ParseError(f"{price[:20]!r}: this post costs {', '.join(prices)} (CHI-85)")
    return ACTIONS.join("post", number, provinces.index(province), prices.index(price))


def _read_swap(board: Board, parts: Sequence[str]) -> int:
    given, _, taken = parts[0].partition(">")
    return ACTIONS.join("swap", _read_card(given), _read_card(taken))


def _read_tile(board: Board, parts: Sequence[str]) -> int:
    return ACTIONS.join("tile", _read_space(board, parts[0]))


def _read_tile_colour(kind: str) -> Callable[[Board, Sequence[str]], int]:
    def reader(board: Board, parts: Sequence[str]) -> int:
        colour = parts[0].casefold()
        if len(colour) != 1 or colour not in TILE_LETTERS:
            raise ParseError(f"{parts[0][:20]!r}: should be a tile's colour, y o or g")
        return ACTIONS.join(kind, TILE_LETTERS.index(colour))

    return reader


def _read_in_province(kind: str) -> Callable[[Board, Sequence[str]], int]:
    return lambda board, parts: ACTIONS.join(kind, _read_province(board, parts[0]))


def _read_number(kind: str, least: int = 0) -> Callable[[Board, Sequence[str]], int]:
    def reader(board: Board, parts: Sequence[str]) -> int:
        numbers = [str(least + number) for number in range(ACTIONS.kinds[kind].size)]
        if parts[0] not in numbers:
            raise ParseError(f"{parts[0][:20]!r}: should be a number from {least} to {numbers[-1]}")
        return ACTIONS.join(kind, numbers.index(parts[0]))

    return reader


READERS: dict[str, Callable[[Board, Sequence[str]], int]] = {
    "palace": _read_on_space("palace"),
    "fort": _read_on_space("fort"),
    "emissary": _read_emissary,
    "post": _read_post,
    "open": _read_in_province("open"),
    "swap": _read_swap,
    "tile": _read_tile,
    "turn": _read_tile_colour("turn"),
    "first": _read_number("first"),
    "score": _read_in_province("score"),
    "alliance": _read_number("alliance", 1),
    "roads": _read_number("roads"),
    "bonus": _read_tile_colour("bonus"),
}


# --- Names ---


def owner_name(state: State, owner: int, language: str) -> str:
    """Return what a seat, or with two players the Emperor, is called."""
    gettext = translator(language, __package__).gettext
    if state.seats == 2 and owner == c.EMPEROR:
        return gettext(EMPEROR_NAME)
    return gettext(state.game.seat_names[owner])


def card_name(colour: int, language: str) -> str:
    """Return a card's colour in words."""
    return translator(language, __package__).gettext(CARD_NAMES[colour])


def province_name(board: Board, province: int, language: str) -> str:
    """Return a province's name; those of our boards are translated."""
    name = board.provinces[province]
    return translator(language, __package__).gettext(name) if name in PROVINCE_NAMES else name


def cards_in_words(letters: str, language: str) -> str:
    """Return cards that are laid, such as "2 × red"."""
    parts = []
    for colour, letter in enumerate(LETTERS):
        if letter in letters:
            parts.append(f"{letters.count(letter)} × {card_name(colour, language)}")
    return ", ".join(parts)


def is_weighty(action: int) -> bool:
    """Say whether a step of chance is told by itself: what is scored."""
    return action >= c.SCORE


# --- Sentences ---


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action does, as the viewer may read it; asked before it is applied."""
    if seat == CHANCE:
        return _describe_chance(state, action, viewer, language)
    if action < c.OPEN:
        return _describe_piece(state, action, seat, language)
    _ = translator(language, __package__).gettext
    board = board_of(state)
    names = {"seat": owner_name(state, seat, language)}
    match ACTIONS.split(action):
        case "open", province:
            text = _("{seat} will build in {province}: its tiles are turned up.")
            return text.format(province=province_name(board, province, language), **names)
        case "swap", given, taken:
            text = _("{seat} uses a special card: gives {given} to the display and takes {taken}.")
            given, taken = card_name(given, language), card_name(taken, language)
            return text.format(given=given, taken=taken, **names)
        case _, colour:
            names["card"] = card_name(colour, language)
    texts = {
        "exchange": _("{seat} exchanges a card: discards {card}."),
        "take": _("{seat} takes a card of the display: {card}."),
        "keep": _("{seat} keeps a card open: {card}."),
        "stop": _("{seat} places no second piece."),
        "pass": _("{seat} passes."),
        "deck": _("{seat} draws from the deck."),
        "decline": _("{seat} places nothing for the Emperor."),
        "emperor": _("{seat} uses a special card: the Emperor plays first."),
    }
    return texts[ACTIONS.split(action)[0]].format(**names)


def _describe_piece(state: State, action: int, seat: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    board = board_of(state)
    word, place, price = write(state, action, seat).split(":")
    if int(state.fields["course"]) & EMPERORS:
        text = {
            "palace": _("The Emperor ({seat}) builds a palace on {place} with {cards}."),
            "emissary": _("The Emperor ({seat}) sends an emissary to {place} with {cards}."),
        }.get(word, "{seat}: {place}")
    else:
        text = {
            "palace": _("{seat} builds a palace on {place} with {cards}."),
            "fort": _("{seat} places a fortification on {place} with {cards}."),
            "emissary": _("{seat} sends an emissary to {place} with {cards}."),
            "post": _("{seat} builds on a border post, {place}, with {cards}."),
        }[word]
    return text.format(
        seat=owner_name(state, seat, language),
        place=place_in_words(board, word, place, language),
        cards=cards_in_words(price, language),
    )


def place_in_words(board: Board, word: str, place: str, language: str) -> str:
    """Return a space with its province, such as "W3 (Wei)"."""
    if word == "emissary":
        return province_name(board, board.keys.index(place), language)
    name, _, declared = place.partition("/")
    spaces = [space for space in board.spaces if space.name == name]
    if not spaces:
        return place
    province = board.keys.index(declared) if declared else spaces[0].provinces[0]
    return f"{name} ({province_name(board, province, language)})"


def _describe_chance(state: State, action: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    board = board_of(state)
    match ACTIONS.split(action):
        case "tile", space:
            text = _("A bonus tile lies face down on {space}.")
            return text.format(space=_space_name(board, space))
        case "turn", colour:
            return _("A tile is turned up: {colour}.").format(colour=_(TILE_NAMES[colour]))
        case "first", seat:
            return _("{seat} begins.").format(seat=owner_name(state, seat, language))
        case "card", colour:
            return _describe_draw(state, colour, viewer, language)
        case "show", colour:
            text = _("A card comes from the deck into the display: {card}.")
            if _goes_to_emperor(state):
                text = _("The Emperor gets a card from the deck: {card}.")
            return text.format(card=card_name(colour, language))
        case ("shuffle",):
            return _("The deck is exhausted: the discard is shuffled and becomes the new deck.")
    return _describe_scoring(state, action, language)


def _describe_draw(state: State, colour: int, viewer: int | None, language: str) -> str:
    _ = translator(language, __package__).gettext
    seat = _drawer(state)
    who = owner_name(state, seat, language)
    if viewer not in (None, seat) and not state.over:
        return _("{seat} gets a card from the deck.").format(seat=who)
    card = card_name(colour, language)
    return _("{seat} gets a card from the deck: {card}.").format(seat=who, card=card)


def _drawer(state: State) -> int:
    fields = state.fields
    if fields["phase"] == DEALING:
        sizes = fields["hand_sizes"][: state.seats].tolist()
        return next((seat for seat, size in enumerate(sizes) if size < 3), 0)
    return int(fields["active"])


def _goes_to_emperor(state: State) -> bool:
    fields = state.fields
    if fields["phase"] == DEALING:
        return state.seats == 2 and int(fields["imperial"].sum()) < 3
    return bool(fields["phase"] == EMPEROR_DRAW)


def _describe_scoring(state: State, action: int, language: str) -> str:
    """Return what is scored, and who gets how much."""
    _ = translator(language, __package__).gettext
    board = board_of(state)
    if action < c.SCORE_HARBOURS:
        what = _("{province} is scored").format(
            province=province_name(board, action - c.SCORE, language)
        )
    elif action == c.SCORE_HARBOURS:
        what = _("The harbours are scored")
    elif action < c.SCORE_ROADS:
        number = action - c.SCORE_ALLIANCE
        pair = board.alliances[number] if number < len(board.alliances) else (0, 0)
        one, other = (province_name(board, province, language) for province in pair)
        what = _("Alliance {number}, {one} and {other}").format(
            number=number + 1, one=one, other=other
        )
    elif action < c.SCORE_TILES:
        seat = owner_name(state, action - c.SCORE_ROADS, language)
        what = _("The roads of {seat}").format(seat=seat)
    else:
        what = _("Bonus tiles: {colour}").format(colour=_(TILE_NAMES[action - c.SCORE_TILES]))
    gains = _gains(state, action, language)
    return _("{what}: {gains}.").format(what=what, gains=gains or _("nobody scores"))


def _gains(state: State, action: int, language: str) -> str:
    """Return who scores how much by a step, which is tried on a copy."""
    if state.over or state.viewer is not None or state.refusal(action, CHANCE) is not None:
        return ""
    after = state.clone()
    after.apply(action, CHANCE)
    points = zip(after.scores(), state.scores(), strict=True)
    return ", ".join(
        f"{owner_name(state, seat, language)} {new - old:.0f}"
        for seat, (new, old) in enumerate(points)
        if new > old
    )


# --- The table as text ---


def diagram(state: State, language: str) -> str:
    """Return the table as lines: provinces with their pieces, then cards and players."""
    _ = translator(language, __package__).gettext
    fields = state.fields
    lines = [*_province_lines(state, language)]
    text = _("Deck: {number} cards, ran out {times} times; display: {display}; discard: {discard}")
    number, times = int(fields["deck_size"]), int(fields["exhausted"])
    display, discard = (dump_set(fields[name]) for name in ("display", "discard"))
    lines.append(text.format(number=number, times=times, display=display, discard=discard))
    lines += [_seat_line(state, seat, language) for seat in range(state.seats)]
    if state.seats == 2:
        imperial, kept, holders, special = NOTATION.dump(fields).split()[17].split(";")
        text = _("Emperor ({number}): {cards}; kept {kept}; influence {holders}; special {special}")
        parts = {"cards": imperial, "kept": kept, "holders": holders, "special": special}
        lines.append(text.format(number=c.EMPEROR, **parts))
    lines.append(phase_text(state, language))
    return "\n".join(lines)


def _province_lines(state: State, language: str) -> Iterator[str]:
    """Yield a line for each province, and one for the border posts."""
    _ = translator(language, __package__).gettext
    board = board_of(state)
    tokens = NOTATION.dump(state.fields).split()
    spaces, emissaries = tokens[3].split("/"), tokens[4].split("/")
    for number, group in enumerate(board.groups):
        ends = f"{board.spaces[group[0]].name}–{board.spaces[group[-1]].name}"
        if number == len(board.provinces):
            posts = _("border posts")
            yield f"{posts:15} {spaces[number]:8} {ends}"
            continue
        name = province_name(board, number, language)
        colour = card_name(board.colours[number], language)
        parts = [f"{name:6} {colour:8} {spaces[number]:8} {ends}"]
        if emissaries[number] != "-":
            parts.append(_("emissaries {owners}").format(owners=emissaries[number]))
        if tokens[5][number] == "x":
            parts.append(_("scored"))
        if tokens[6] != "-" and tokens[6].split("/")[number] != "-":
            parts.append(_("tiles {tiles}").format(tiles=tokens[6].split("/")[number]))
        yield ", ".join(parts)


def _seat_line(state: State, seat: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    fields = state.fields
    known = state.viewer in (None, seat) or state.over
    size = int(fields["hand_sizes"][seat])
    return _("{number} {seat}: {points} points, hand {hand}, palaces {palaces}").format(
        number=seat,
        seat=owner_name(state, seat, language),
        points=int(state.scores()[seat]),
        hand=dump_set(fields["hands"][seat]) if known else f"?{size}",
        palaces=int(fields["palaces"][seat]).bit_count(),
    )


def phase_text(state: State, language: str) -> str:
    _ = translator(language, __package__).gettext
    fields, board = state.fields, board_of(state)
    phase = int(fields["phase"])
    province, target = (max(int(fields[name]) - 1, 0) for name in ("province", "target"))
    return _(PHASE_TEXTS[phase]).format(
        seat=owner_name(state, int(fields["active"]) if phase >= TURN else 0, language),
        province=province_name(board, province, language),
        target=province_name(board, target, language),
    )
