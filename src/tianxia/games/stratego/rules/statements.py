"""The statements that refuse an action or end the game, by name; a number n is STR-n."""

ARMIES = (2, 36, 43)  # by variant
OWN_ROWS = 3
ONE_MOVE = 4  # in turn, of a piece of one's own
ONE_STEP = 5
LAKES = 6
ONE_TO_A_SQUARE = 7
PACING = 8
CHASE = 10
BOMBS_AND_FLAG_STAY = 12
SCOUT_NEEDS_FREE_LINE = 14
SCOUT_PACING = 16
ATTACK_FROM_BESIDE = 17
BOMBS_AND_FLAG_DO_NOT_ATTACK = 29
FLAG_TAKEN = 30
NO_MOVE_LEFT = 31
NOBODY_CAN_MOVE = 32
BOTH_SET_UP_FIRST = 37
TOO_LONG_WITHOUT_ATTACK = 42
