"""What every game's pictures and texts are made of: it knows no game."""
