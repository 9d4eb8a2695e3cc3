"""Tests of Stratego."""
