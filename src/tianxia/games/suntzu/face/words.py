"""Sun Tzu in words: tokens of actions, sentences for the log, the board as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tianxia.draw.languages import N_, translator
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import lies_unseen
from tianxia.games.suntzu.rules.components import ACTIONS
from tianxia.games.suntzu.rules.state import CHOICE, FINAL, LAYING, SHOWN
from tianxia.kernel.errors import ParseError
from tianxia.kernel.state import State

__all__ = ["describe", "diagram", "read", "write"]

SEAT_NAMES = (N_("Sun Tzu"), N_("King of Chu"))
SEAT_ARMIES = ("indigo", "cinnabar")
IN_SENTENCES = (N_("Sun Tzu"), N_("The King of Chu"))
PROVINCE_NAMES = ("Qin", "Chu", "Jin-Yan", "Han-Qi", "Wu")
PROVINCE_TOKENS = ("Qin", "Chu", "JinYan", "HanQi", "Wu")
EVENT_NAMES = (
    N_("Pandemic"),
    N_("War chariots"),
    N_("Champion’s challenge"),
    N_("Hero’s challenge"),
    N_("Light infantry"),
)
EVENT_TOKENS = ("pandemic", "chariots", "champion", "hero", "infantry")
STRATEGY_LETTERS = "SK"
STRATEGY_TEXTS = (
    (
        N_("in rounds 1 to 6, move one of your armies to a neighbouring province"),
        N_("count your 7, 8, 9 or 10 as a 6, without a mark"),
        N_("at the start, the silver pawn moves one space towards you"),
        N_("put the -1 just played under your deck, discard the deck’s top card"),
        N_("in rounds 1 to 6, add an army of your reserve to a province that you hold"),
    ),
    (
        N_("play your 6 in a province that you have marked"),
        N_("in rounds 1 to 6, an army of a province returns to its reserve"),
        N_("during a Plague, all armies but one are destroyed"),
        N_("counter a Plague: it counts as a 0"),
        N_("put the Plague just played under your deck, discard the deck’s top card"),
    ),
)

Translate = Callable[[str], str]


# --- Tokens ---


def _tokens(letter: str) -> list[str]:
    """Return the tokens of all actions of a player whose strategy cards have this letter."""
    special = c.CARDS[c.BASIC :]
    steps = [f"{PROVINCE_TOKENS[a]}>{PROVINCE_TOKENS[b]}" for a, b in c.STEPS]
    numbers = [f"{letter}{number}" for number in range(1, c.STRATEGIES + 1)]
    return ACTIONS.tokens(
        {
            "lay": ("{1}={0}", c.CARDS, PROVINCE_TOKENS),
            "name": ("next={}", PROVINCE_TOKENS),
            "army": ("from={}", PROVINCE_TOKENS),
            "use": ("{}", numbers),
            "choose": ("choose={}", numbers),
            "remove": ("K2={}", PROVINCE_TOKENS),
            "add": ("S5={}", PROVINCE_TOKENS),
            "move": ("S1={}", steps),
            "stand": ("stand={}", [stand_name(stand) for stand in range(len(c.STANDS))]),
            "event": ("event={}", EVENT_TOKENS),
            **{name: (f"{name}={{}}", special) for name in ("reinforce", "under", "draw")},
            "discard": ("discard={}", special),
            "turn": ("turn={}", PROVINCE_TOKENS),
            "score": ("score={}", PROVINCE_TOKENS),
        }
    )


def stand_name(stand: int) -> str:
    """Return a stand's three values."""
    return "-".join(map(str, c.STANDS[stand].tolist()))


TOKENS = tuple(_tokens(letter) for letter in STRATEGY_LETTERS)
ACTION_OF = tuple(
    {token.lower(): action for action, token in enumerate(tokens)} for tokens in TOKENS
)
ALIASES = {
    **{name[0].lower(): name.lower() for name in PROVINCE_TOKENS},
    **{
        name.lower(): token.lower()
        for name, token in zip(PROVINCE_NAMES, PROVINCE_TOKENS, strict=True)
    },
    "plague": "p",
    "peste": "p",
}
FORMS = {
    "card": "a card is 7 8 9 10 +1 +2 +3 -1 or P",
    "laid": "a card is laid like Wu=5; cards are 1 to 10, +1, +2, +3, -1 and P (Plague)",
    "place": "provinces are Qin, Chu, JinYan, HanQi and Wu",
}


def write(state: State, action: int, seat: int) -> str:
    """Return an action as a token, such as Wu=5, pass, next=Qin, S1=Qin>Chu."""
    return TOKENS[1 if seat == c.RED else 0][action]


def read(state: State, text: str, seat: int) -> int:
    """Return the action that a token means."""
    parts = re.split(r"([=>])", text.lower())
    wanted = "".join(ALIASES.get(part.strip(), part.strip()) for part in parts)
    numbers = ACTION_OF[1 if seat == c.RED else 0]
    if wanted in numbers:
        return numbers[wanted]
    word = ALIASES.get(parts[0].strip(), parts[0].strip())
    if word in map(str.lower, PROVINCE_TOKENS):
        raise ParseError(f"{text[:30]!r}: {FORMS['laid']}")
    if word in ("reinforce", "under", "draw", "discard"):
        raise ParseError(f"{text[:30]!r}: {FORMS['card']}")
    if word in ("next", "from", "turn", "score", "k2", "s5", "s1"):
        raise ParseError(f"{text[:30]!r}: {FORMS['place']}; S1 is written like S1=Qin>Chu")
    raise ParseError(
        f"{text[:30]!r} is not an action; write for example Wu=5, pass, next=Qin, from=Wu, "
        "reserve, reinforce=+2, under=7, choose=K2 or S1=Qin>Chu"
    )


def is_weighty(action: int) -> bool:
    """Say whether a step of chance is told by itself: a fight, points, the silver pawn."""
    return c.TURN <= action < c.TURN + len(PROVINCE_NAMES) or c.SCORE <= action <= c.PAWN


# --- Sentences ---


def card_name(card: int, language: str) -> str:
    """Return the name of a card (1 + its kind; 0: unknown)."""
    if card == 0:
        return "?"
    name = c.CARDS[card - 1]
    return translator(language, __package__).gettext("Plague") if name == "P" else name


def seat_name(seat: int, language: str) -> str:
    """Return the name of a side."""
    return translator(language, __package__).gettext(SEAT_NAMES[seat])


def strategy_name(seat: int, strategy: int, language: str) -> str:
    """Return a strategy card's letter and number, and what it does."""
    text = translator(language, __package__).gettext(STRATEGY_TEXTS[seat][strategy])
    return f"{STRATEGY_LETTERS[seat]}{strategy + 1} ({text})"


def describe(state: State, action: int, seat: int, viewer: int | None, language: str) -> str:
    """Return what an action does, as the viewer may read it; asked before it is applied."""
    _ = translator(language, __package__).gettext
    hidden = (
        viewer is not None and viewer != state.viewer and _is_hidden(state, action, seat, viewer)
    )
    if seat in (c.BLUE, c.RED):
        text = _describe_secret(state, action, seat, hidden, language) or _describe_choice(
            state, action, seat, language
        )
        side = _(IN_SENTENCES[seat])
    elif action < c.OPEN:
        text, side = _describe_draw(state, action, hidden, language)
    else:
        text, side = _describe_step(state, action, language), ""
    sentence = text.replace("{side}", side)
    return " ".join([sentence, *_consequences(state, action, seat, language)])


def _is_hidden(state: State, action: int, seat: int, viewer: int) -> bool:
    if state.viewer is not None:
        return False
    return state.seen(action, seat, viewer) is None


def _describe_secret(state: State, action: int, seat: int, hidden: bool, language: str) -> str:
    """Return what is chosen in secret, or ""; "{side}" stands for the player."""
    _ = translator(language, __package__).gettext
    match ACTIONS.split(action):
        case "lay", kind, province if _is_laying(state):
            if hidden:
                return _("{side} lays cards in secret.")
            text = _("{side} lays {card} in {province}.")
            card = card_name(kind + 1, language)
            return _fill(text, card=card, province=PROVINCE_NAMES[province])
        case "reinforce", special if _is_laying(state):
            if hidden:
                return _("{side} lays cards in secret.")
            card = card_name(c.BASIC + special + 1, language)
            return _fill(_("{side} gives {card} for an army, in secret."), card=card)
        case "choose", strategy:
            if hidden:
                return _("{side} chooses a strategy card.")
            name = strategy_name(seat, strategy, language)
            return _fill(_("{side} chooses the strategy card {name}."), name=name)
        case "under", special:
            if hidden:
                return _("{side} chooses among the cards drawn.")
            card = card_name(c.BASIC + special + 1, language)
            return _fill(_("{side} puts {card} under the deck and keeps the rest."), card=card)
    return ""


def _is_laying(state: State) -> bool:
    return bool(state.fields["phase"] == LAYING)


def _describe_choice(state: State, action: int, seat: int, language: str) -> str:
    """Return what is decided openly; "{side}" stands for the player."""
    _ = translator(language, __package__).gettext
    match ACTIONS.split(action):
        case "lay", _kind, _province:
            return _("{side} lays a card.")
        case "reinforce", special:
            card = card_name(c.BASIC + special + 1, language)
            return _fill(_("{side} discards {card} for good, and an army comes back."), card=card)
        case ("pass",):
            if state.fields["owed"]:
                return _("{side} has no further army to take.")
            if state.fields["phase"] == FINAL:
                return _("{side} asks for no more armies.")
            return _("{side} plays no strategy card.")
        case "name", province:
            return _fill(_("{side} names {province}."), province=PROVINCE_NAMES[province])
        case ("reserve",):
            return _("{side} takes an army from the reserve.")
        case "army", province:
            text = _("{side} takes an army from {province}.")
            return _fill(text, province=PROVINCE_NAMES[province])
        case kind, number:
            strategy = number if kind == "use" else TARGETED[kind]
            name = strategy_name(seat, strategy, language)
            return _fill(_("{side} plays {name}."), name=name)
    return ""


TARGETED = {"remove": c.K2, "add": c.S5, "move": c.S1}
"""The strategy cards that need a target, by the kinds of action."""


def _fill(text: str, **values: object) -> str:
    """Fill in all but the player."""
    return text.format(side="{side}", **values)


def _describe_draw(state: State, action: int, hidden: bool, language: str) -> tuple[str, str]:
    """Return what is drawn or turned up by chance, and by whom."""
    _ = translator(language, __package__).gettext
    match ACTIONS.split(action):
        case "stand", stand:
            province = PROVINCE_NAMES[int((state.fields["stands"] > 0).sum()) % c.PROVINCES]
            text = _("{province} is worth {values}.")
            return _fill(text, province=province, values=stand_name(stand)), ""
        case "event", event:
            return _fill(_("The event {event} is turned up."), event=_(EVENT_NAMES[event])), ""
    taken, want = state.fields["taken"], state.fields["want"]
    side = _(IN_SENTENCES[c.BLUE if taken[0] < want[0] else c.RED])
    if hidden:
        return _("{side} draws a card."), side
    card = card_name(c.BASIC + c.argument(action, 0) + 1, language)
    return _fill(_("{side} draws {card}."), card=card), side


def _describe_step(state: State, action: int, language: str) -> str:
    """Return what happens by itself."""
    _ = translator(language, __package__).gettext
    fields = state.fields
    match ACTIONS.split(action):
        case ("open",):
            return _describe_opening(state, language)
        case "turn", province:
            blue, red = (card_name(int(fields["laid"][s][province]), language) for s in range(2))
            text = _("{province}: Sun Tzu {blue}, the King of Chu {red}.")
            return text.format(province=PROVINCE_NAMES[province], blue=blue, red=red)
        case "discard", special:
            text = _("{card}, the top card of the deck, leaves the game.")
            return text.format(card=card_name(c.BASIC + special + 1, language))
        case "score", province:
            return _describe_scoring(state, province, language)
        case ("pawn",):
            return _describe_pawn(fields, language)
        case ("collect",):
            return _("The cards 1 to 6 return to the hands, the other cards played leave the game.")
    return _("Round {number} begins.").format(number=int(fields["turn"]) + 1)


def _describe_pawn(fields: Any, language: str) -> str:
    _ = translator(language, __package__).gettext
    gain = int(fields["tally"][0]) - int(fields["tally"][1])
    if gain == 0:
        return _("Both score the same: the silver pawn stays.")
    text = _("The silver pawn moves towards {side}: {points}.")
    side = seat_name(c.BLUE if gain > 0 else c.RED, language)
    return text.format(side=side, points=abs(gain))


def _describe_opening(state: State, language: str) -> str:
    _ = translator(language, __package__).gettext
    fields = state.fields
    if fields["phase"] == CHOICE:
        if int(fields["strategy"][c.BLUE]) >> c.S3 & 1:
            text = _("Both have chosen. Sun Tzu shows {name}.")
            return text.format(name=strategy_name(c.BLUE, c.S3, language))
        return _("Both have chosen a strategy card.")
    if fields["phase"] != LAYING:
        return _("The second strategy card is chosen.")
    sentences = [_("Both have laid their five cards.")]
    for seat in range(2):
        given = [
            card_name(c.BASIC + kind + 1, language)
            for kind in range(c.SPECIAL)
            for _i in range(int(fields["spare"][seat][kind]))
        ]
        if given:
            text = _("{side} has given for armies: {cards}.")
            sentences.append(text.format(side=_(IN_SENTENCES[seat]), cards=", ".join(given)))
    return " ".join(sentences)


def _describe_scoring(state: State, province: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    name = PROVINCE_NAMES[province]
    for seat in range(2):
        if state.fields["board"][seat][province]:
            stand = int(state.fields["stands"][province]) - 1
            points = int(c.STANDS[stand, (int(state.fields["turn"]) - 1) // 3])
            text = _("{province}: {points} for {side}.")
            return text.format(province=name, points=points, side=seat_name(seat, language))
    return _("{province}: nobody is there.").format(province=name)


# --- What an action leads to: armies that come and go, events, the end ---


def _consequences(state: State, action: int, seat: int, language: str) -> Iterator[str]:
    """Yield what changes on the board; it is open to all."""
    silent = action < c.PASS and _is_laying(state)
    if state.viewer is not None or state.over or silent or state.refusal(action, seat):
        return
    after = state.clone()
    after.apply(action, seat)
    before, now = state.fields, after.fields
    _ = translator(language, __package__).gettext
    for province, name in enumerate(PROVINCE_NAMES):
        was, held = (_holding(fields, province, language) for fields in (before, now))
        if was != held:
            yield _("{province}: {was} → {now}.").format(province=name, was=was, now=held)
        for side in range(2):
            if now["marks"][side][province] > before["marks"][side][province]:
                text = _("{side} marks {province} with an army.")
                yield text.format(side=_(IN_SENTENCES[side]), province=name)
    for side in range(2):
        lost = int(now["aside"][side]) - int(before["aside"][side])
        if lost > 0:
            text = _("{side} sets armies aside: {count}.")
            yield text.format(side=_(IN_SENTENCES[side]), count=lost)
    if before["event"] and now["event"] != before["event"]:
        event = _(EVENT_NAMES[int(before["event"]) - 1])
        yield _("The event {event} is done with.").format(event=event)
    if after.over:
        yield outcome(after, language)


def _holding(fields: Any, province: int, language: str) -> str:
    """Return whose armies are in a province, and how many."""
    for seat in range(2):
        armies = int(fields["board"][seat][province])
        if armies:
            return f"{seat_name(seat, language)} {armies}"
    return translator(language, __package__).gettext("empty")


def outcome(state: State, language: str) -> str:
    """Return who has won."""
    _ = translator(language, __package__).gettext
    won = int(state.fields["winner"])
    if won not in (1, 2):
        return _("The game is over: a draw.")
    return _("The game is over: {side} wins.").format(side=seat_name(won - 1, language))


# --- The board as text ---


def diagram(state: State, language: str) -> str:
    """Return the board as a table of provinces, and what each player has."""
    _ = translator(language, __package__).gettext
    fields = state.fields
    track = int(fields["track"])
    score = f"{seat_name(c.BLUE if track > 0 else c.RED, language)} +{abs(track)}" if track else "0"
    head = _("Round {turn} of {last} · score {score}").format(
        turn=int(fields["turn"]), last=c.LAST_ROUND, score=score
    )
    if fields["privilege"]:
        name = seat_name(int(fields["privilege"]) - 1, language)
        head += " · " + _("order: {side}").format(side=name)
    if fields["event"]:
        head += " · " + _(EVENT_NAMES[int(fields["event"]) - 1])
    if state.over:
        head += " · " + outcome(state, language)
    rows = [
        ["", *PROVINCE_NAMES],
        [_("worth"), *(stand_name(int(s) - 1) if s else "." for s in fields["stands"])],
        [_("armies"), *(_armies(fields, province) for province in range(c.PROVINCES))],
        *([_("mark of {letter}").format(letter="SK"[s]), *_marks(fields, s)] for s in range(2)),
        *([seat_name(s, language), *_laid(fields, s)] for s in range(2)),
    ]
    width = max(len(row[0]) for row in rows)
    table = [f"{row[0]:<{width}} " + " ".join(f"{cell:^7}" for cell in row[1:]) for row in rows]
    players = [_player(state, seat, language) for seat in range(2)]
    return "\n".join([head, *(line.rstrip() for line in table), *players])


def _armies(fields: Any, province: int) -> str:
    counts = [int(fields["board"][seat][province]) for seat in range(2)]
    return f"S{counts[0]}" if counts[0] else f"K{counts[1]}" if counts[1] else "."


def _marks(fields: Any, seat: int) -> list[str]:
    return ["6" * int(marks) or "." for marks in fields["marks"][seat]]


def _laid(fields: Any, seat: int) -> list[str]:
    return [
        c.CARDS[int(card) - 1] if card else "?" if lies_unseen(fields, seat, province) else "."
        for province, card in enumerate(fields["laid"][seat])
    ]


def _player(state: State, seat: int, language: str) -> str:
    """Return a line on what a player has, as far as it is known."""
    _ = translator(language, __package__).gettext
    fields = state.fields
    known = state.viewer in (None, seat) or state.over
    hand = [c.CARDS[kind] for kind, n in enumerate(fields["hand"][seat]) for _i in range(int(n))]
    cards = " ".join(hand) if known else _("{count} above 6").format(count=fields["hidden"][seat])
    text = _("{side}: reserve {reserve}, aside {aside}, hand {hand}").format(
        side=seat_name(seat, language),
        reserve=int(fields["reserve"][seat]),
        aside=int(fields["aside"][seat]),
        hand=cards or "-",
    )
    drawn = [
        c.CARDS[c.BASIC + k] for k, n in enumerate(fields["drawn"][seat]) for _i in range(int(n))
    ]
    if drawn:
        text += ", " + _("drawn {cards}").format(cards=" ".join(drawn))
    tail = fields["tail"][seat][: int(fields["tail_length"][seat])]
    if len(tail):
        names = " ".join(c.CARDS[(int(card) & ~SHOWN) - 1] if card else "?" for card in tail)
        text += ", " + _("under the deck {cards}").format(cards=names)
    held = int(fields["strategy"][seat])
    names = " ".join(
        f"{STRATEGY_LETTERS[seat]}{i + 1}" for i in range(c.STRATEGIES) if held >> i & 1
    )
    names = names or "?" * int(fields["cards"][seat])
    return text + (", " + _("strategy {cards}").format(cards=names) if names else "")
