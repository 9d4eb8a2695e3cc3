"""Deciding, over the kernel's functions; knows no game."""
