"""The rules of Fire Bulls, statement by statement."""
