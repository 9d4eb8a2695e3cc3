"""China passes the battery, with all of its options."""

from tests.battery.cases import battery

test_game_passes, test_whole_games_pass, test_compiled_equals_interpreted = battery("china")
