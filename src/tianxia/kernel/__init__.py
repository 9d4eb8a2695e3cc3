"""What a game is: state records, the functions every game answers, chance, transcripts.

Knows no game. `tianxia.kernel.functions` is the contract; `game` and `state` are the
Python face; `registry` finds games.
"""
