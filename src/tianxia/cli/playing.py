"""``tianxia play``: from the words of the command line to a game at the keyboard."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import tianxia
from tianxia.cli.dialogue import Dialogue
from tianxia.cli.screen import Screen, chosen_language, seat_name
from tianxia.cli.session import Session, default_bot, read_text, resumed, saved_file, seat_of
from tianxia.kernel.errors import OptionError, TianxiaError
from tianxia.kernel.game import Game

SEEDS = 10**6


def game_of(spec: str, options: Sequence[str]) -> Game:
    """Return the game that a name and options like ``variant=duel`` mean.

    Raises
    ------
    TianxiaError
        Naming the games, options or values that there are.
    """
    given = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise OptionError(f"{text!r} is not an option; write it like --option variant=duel")
        given[name.strip()] = value.strip()
    return tianxia.game(spec, **given)


def play_game(
    spec: str | None,
    options: Sequence[str],
    bot: str | None,
    seat: str | None,
    seed: int | None,
    language: str | None,
    resume: str | None,
    plain: bool,
) -> int:
    """Play a game; return the exit status."""
    chosen = chosen_language(language)
    if resume is not None:
        session = _resumed(resume, spec, bot, seat, seed, chosen)
    else:
        if spec is None:
            names = ", ".join(tianxia.games())
            raise TianxiaError(f"say which game: tianxia play GAME, where GAME is one of: {names}")
        game = game_of(spec, options)
        own = 0 if seat is None else _seat(seat, game, chosen)
        number = secrets.randbelow(SEEDS) if seed is None else seed
        session = Session.begin(game, own, bot or default_bot(game), number, chosen)
    return Dialogue(session, Screen(chosen, plain)).run()


def _resumed(
    name: str, spec: str | None, bot: str | None, seat: str | None, seed: int | None, language: str
) -> Session:
    text = read_text(saved_file(name))
    game = tianxia.Transcript.read(text).game
    if spec is not None and tianxia.game(spec).name != game.name:
        raise TianxiaError(f"{name!r} holds a game of {game.spec}, not of {spec}; leave {spec} out")
    own = None if seat is None else _seat(seat, game, language)

    def bot_for(game: Game) -> str:
        return bot or default_bot(game)

    return resumed(text, language, bot_for, own, seed)


def _seat(text: str, game: Game, language: str) -> int:
    names = [seat_name(game, seat, language) for seat in range(game.seats)]
    return seat_of(text, game, names)
