"""What plays Sun Tzu: the sensible player, the best one, the levels, hints and reviews."""
