"""Tests of Tianxia."""
