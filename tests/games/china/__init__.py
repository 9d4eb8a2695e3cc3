"""The rules of China, statement by statement."""
