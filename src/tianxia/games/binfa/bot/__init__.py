"""What plays Bin'Fa: the sensible player, the best one, the levels, hints and reviews."""
