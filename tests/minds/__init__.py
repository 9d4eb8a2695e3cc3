"""Processes that think."""
