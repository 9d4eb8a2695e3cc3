"""Tests of Sun Tzu."""
