"""The state record of Sun Tzu."""

from __future__ import annotations

from tianxia.games.suntzu.rules.components import KINDS, PROVINCES, SPECIAL
from tianxia.kernel.record import record

# --- Phases: what is being done; where nobody may act, chance does the next step of it ---

(
    SETTING_STANDS,  # five stands are drawn
    FIRST_EVENT,
    CHOICE,  # both choose a strategy card; then it counts (OPEN)
    DEAL,
    LAYING,  # both lay five cards; then all know that they lie (OPEN)
    BEFORE,  # strategy cards before the fights
    ORDER,  # the next province is named, or turned up
    FIGHT,  # see the steps
    AFTER,  # strategy cards after the fights
    SCORING,
    COLLECTING,
    DRAWING,
    KEEPING,  # both choose what goes under the deck; then the next round begins (ROUND)
    FINAL,  # the last reinforcements, when the score is level
    END,
) = range(15)

# --- Steps of a fight in one province, in order; first and second are those of SUN-R28 ---

(
    NO_STEP,
    ASK_S2,
    ASK_K4,
    ASK_K3,
    MARK_FIRST,
    MARK_SECOND,
    COST_FIRST,
    COST_SECOND,
    PLACE,
    TOLL_FIRST,  # what an event takes
    TOLL_SECOND,
    SECOND_CARD,  # of War chariots
    NEXT_EVENT,
    RECYCLE_FIRST,
    TOP_FIRST,  # the deck's top card leaves the game
    RECYCLE_SECOND,
    TOP_SECOND,
) = range(17)

COUNTED_AS_6, COUNTERED, SEVERE, MARKED = 1, 2, 4, 8
"""Bits of `effects` in this province: S2, K4, K3; a 6 was marked (Red's: the next bit)."""

SHOWN = 16
"""Added to a card under the deck that all have seen."""
TAIL = 12  # room for cards under the deck
NOBODY, DRAWN_GAME = 0, 3
"""Field `winner`: 0 while the game lasts, 1 + seat, or 3."""

# A card is 1 + its kind wherever 0 means none. Of arrays by seat, Blue's come first. What a
# view cannot know is 0 in it: hands, laid cards, drawn cards and decks of others, their
# strategy cards, and what they put under their decks unseen.
STATE = record(
    options={"deck": "i1", "strategies": "i1", "events": "i1", "plague": "i1"},
    fields=[
        ("phase", "i1"),
        ("step", "i1"),  # of a fight
        ("turn", "i1"),  # the round, 1 to 9
        ("winner", "i1"),
        ("reason", "i1"),  # number of the statement that ended the game
        ("track", "i1"),  # the silver pawn: steps towards Blue, negative towards Red
        ("tally", "i1", (2,)),  # points of the scoring that goes on
        ("stands", "i1", (PROVINCES,)),  # 1 + number
        ("event", "i1"),  # that lies open; 0: none
        ("events_left", "i1"),  # bits
        ("plagues", "i1"),  # played since the start
        ("privilege", "i1"),  # 1 + seat that last decided the order; 0: nobody did
        ("done", "i1"),  # bits: provinces that are turned up
        ("province", "i1"),  # 1 + the one in question
        ("effects", "i1"),  # bits: see above
        ("owed", "i1"),  # armies that who is asked has still to find
        ("passes", "i1"),  # in a row, in a phase of strategy cards; or who has declined
        ("reserve", "i1", (2,)),
        ("aside", "i1", (2,)),  # not in play at the start, paid or removed
        ("board", "i1", (2, PROVINCES)),  # armies
        ("marks", "i1", (2, PROVINCES)),  # armies in the small boxes
        ("hand", "i1", (2, KINDS)),  # cards by kind
        ("laid", "i1", (2, PROVINCES)),
        ("spare", "i1", (2, SPECIAL)),  # discarded for armies while laying, not yet shown
        ("gone", "i1", (2, SPECIAL)),  # out of the game, seen by all
        ("drawn", "i1", (2, SPECIAL)),  # just drawn; then what is to go under the deck
        ("want", "i1", (2,)),  # cards to draw in this round
        ("keep", "i1", (2,)),  # of these, cards to keep
        ("taken", "i1", (2,)),  # drawn so far
        ("deck", "i1", (2, SPECIAL)),  # the shuffled part; it lies on the tail
        ("tail", "i1", (2, TAIL)),  # put under the deck, uppermost first
        ("tail_length", "i1", (2,)),
        ("strategy", "i1", (2,)),  # bits: cards held
        ("cards", "i1", (2,)),  # how many all know that he holds
        ("spent", "i1", (2,)),  # bits: strategy cards used
        ("hidden", "i1", (2,)),  # in views: unknown cards above 6 in hand, laid or drawn
    ],
)
