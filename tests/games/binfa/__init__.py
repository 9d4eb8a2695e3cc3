"""The rules of Bin'Fa, statement by statement."""
