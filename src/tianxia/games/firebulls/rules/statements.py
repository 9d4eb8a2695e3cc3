"""The statements that refuse an action or end the game, by name; a number n is FBL-n."""

DECK_IS_EMPTY = 2  # there are no more attack cards of that kind
BOX_IS_EMPTY = 5  # nor point cards
POWERS = 10
PAWNS_ARE_PLACED = 15
CARDS_ARE_DEALT = 16
ACTIVE_PLAYER = 17
ONE_THING = 18  # in a turn
RESERVE = 19
STEP_AFTER_DRAWING = 20
CORNER_STEP = 22
NO_STEP_AFTER_TAKING = 23
STRAIGHT_ON = 24
PAYMENT = 25
ATTACK_LENGTH = 30
DEVIATION = 33
CORNER_DEVIATION = 35
FEE = 38
HAND_LIMIT = 39
ROWS_CLOSE_UP = 40
GENERAL_ASIDE = 44
TWO_EMPTY_PILES = 45
THIRD_EXHAUSTION = 46
PENALTY = 47
ONE_PAWN_EACH = 54  # before a direction
