"""What plays China: the sensible player, the best one, the levels, hints and reviews."""
