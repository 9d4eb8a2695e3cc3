"""What plays Stratego: the sensible player, the best one, the levels, hints and reviews."""
