"""The statements that refuse an action or end the game, by name.

A statement's code is its place in the list of all; its id is what the rulebook calls it.
"""

_IDS = (
    *("D01", "D02", "D03", "D04", "D05", "D06", "D07", "D08", "01a", "01b", "01c", "02a", "02b"),
    *("03", "04a", "04b", "04c", "05a", "05b", "05c", "06", "07a", "07b", "07c", "08a", "08b"),
    *("09", "10a", "10b", "11a", "11b", "11c", "12", "13", "14a", "15a", "16a", "16b", "16c"),
    *("17a", "17b", "17c", "18a", "18b", "19", "20", "21a", "21b", "22", "23", "24", "25a"),
    *("25b", "26", "27", "28a", "28b", "29a", "30a", "30b", "31a", "31b", "32a", "32b", "33a"),
    *("33b", "34", "35a", "35b", "36", "37", "38a", "38b", "39a", "39b", "39c", "39d", "39e"),
    *("40a", "41", "42", "43a", "43b", "44", "45", "46a", "46b", "46c", "47", "47x", "48", "49"),
    *("50a", "A1", "A2", "49b", "51"),
)
CODES = {name: number for number, name in enumerate(_IDS, 1)}
"""The code of each statement, by its id without ``BIN-``."""
STATEMENTS = {number: f"BIN-{name}" for name, number in CODES.items()}

TWELVE_UNITS = CODES["D02"]
COLOURS_ARE_DRAWN = CODES["01a"]
SET_UP_IN_ITS_BASE = CODES["01b"]
LOWEST_BEGINS = CODES["02a"]
ROUND_THE_TABLE = CODES["02b"]
DICE_GIVE_MOVES = CODES["03"]
ACROSS_A_SIDE = CODES["04a"]
NOT_ACROSS_A_CORNER = CODES["04b"]
ALL_MOVES_ARE_MADE = CODES["05a"]
FOREIGN_PILE = CODES["06"]
STOP_AFTER_A_ROLL = CODES["09"]
LAST_OWNER = CODES["13"]
TALLER_THAN_THE_TARGET = CODES["14a"]
TARGET_RETREATS = CODES["16a"]
TWO_TRIANGLES_AWAY = CODES["18a"]
TERRAIN_IS_LAID = CODES["21a"]
NOTHING_CUT_OFF = CODES["21b"]
TERRAIN_IS_CLOSED = CODES["22"]
PAWN_ON_ITS_BASE = CODES["24"]
FIRST_SUPPLIES = CODES["25a"]
MOVE_OR_RESUPPLY = CODES["26"]
A_ROLL_IS_PAID_FOR = CODES["28a"]
BY_A_DIE_OR_BOTH = CODES["29a"]
FROM_THE_STORE = CODES["31a"]
NOTHING_WITHOUT_A_PILE = CODES["31b"]
FROM_ANOTHER_ARMY = CODES["32a"]
CIRCLE_IS_TAKEN = CODES["34"]
STORE_IS_EMPTY = CODES["35a"]
TURN_PASSED_OVER = CODES["35b"]
POOLS_ARE_LAID = CODES["38a"]
INTO_A_POOL = CODES["39a"]
OUT_ON_THE_NEXT_ROLL = CODES["39d"]
ALL_INSIDE_AT_THE_END = CODES["39e"]
POOL_IF_NOTHING_ELSE = CODES["43b"]
OUT_BY_AN_ATTACK = CODES["46a"]
ONE_ARMY_A_TURN = CODES["48"]
TURN_LIMIT = CODES["51"]
ENDS = (LAST_OWNER, TURN_LIMIT)
