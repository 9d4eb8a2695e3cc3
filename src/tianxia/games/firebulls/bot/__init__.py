"""What plays Fire Bulls: the sensible player, the best one, the levels, hints and reviews."""
