"""Deciding without knowing any game."""
