"""Checking the dice of a finished game from its transcript alone.

A table's transcript has these lines in its header besides the usual ones::

    table: Jx0f…           the id of the table
    chance-hash: 5d1e…     the SHA-256 of the secret, shown when the table opened
    chance-seeds: ["",""]  what each seat has added, as JSON
    chance-secret: 9a0b…   shown when the game was over
    chance-people: [0]     the seats that have to add a seed, as JSON: of a seat without one
                           nobody knows that the secret was not chosen to harm it
    chance-before: [{"table": …, "actions": 12, "hash": …, "secret": …, "seeds": […]}]
                           of a game that goes on from a position of another: from which table
                           the actions up to a number come, and what that one drew with

How a draw follows from them stands in `tianxia.tables.chance`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tianxia.draw.languages import N_, SOURCE, translator
from tianxia.kernel.errors import ParseError, TranscriptError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State
from tianxia.kernel.transcript import Transcript
from tianxia.tables import sources
from tianxia.tables.chance import HEX, Chance, commitment
from tianxia.tables.sources import Source

TABLE, HASH, SEEDS, SECRET = "table", "chance-hash", "chance-seeds", "chance-secret"
PEOPLE, BEFORE = "chance-people", "chance-before"
MOST_PROBLEMS = 20


@dataclass(frozen=True)
class Problem:
    """Something that is wrong: an English template with its values, for translation."""

    template: str
    values: dict[str, object] = field(default_factory=dict)

    def text(self, language: str = SOURCE) -> str:
        """Return it in a language."""
        return translator(language, __package__ or "").gettext(self.template).format(**self.values)

    def __str__(self) -> str:
        return self.template.format(**self.values)


@dataclass(frozen=True)
class Report:
    """What checking a transcript has found.

    Attributes
    ----------
    game
        The game that was replayed; every action of it was legal.
    table, chance_hash
        To be compared with what the table has shown when it opened: who forges the
        whole file forges this too.
    draws
        How many draws of chance were checked against the secret.
    steps
        How many steps of chance had one outcome only, so that nothing was drawn.
    sources, unchecked
        From which games the first actions come, and how many draws among these nobody can
        check, since a guide had taken the place of chance there.
    problems
        What is wrong; empty when all is well.
    """

    game: Game
    table: str
    chance_hash: str
    draws: int
    steps: int
    sources: tuple[Source, ...]
    unchecked: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether everything fits."""
        return not self.problems


def chance_header(
    table_id: str,
    chance_hash: str,
    seeds: Sequence[str],
    secret: str | None,
    demanded: Sequence[int] | None = None,
) -> dict[str, str]:
    """Return the lines that a table adds to its transcript's header.

    `demanded` are the seats that have to add a seed; None at tables where none have to.
    """
    lines = {TABLE: table_id, HASH: chance_hash, SEEDS: json.dumps(list(seeds))}
    if demanded is not None:
        lines[PEOPLE] = json.dumps(list(demanded))
    return lines if secret is None else {**lines, SECRET: secret}


def verify(text: str) -> Report:
    """Replay a table's transcript, checking every draw of chance against the secret.

    Raises
    ------
    TranscriptError
        Where the text is not a transcript, has no lines about chance (or wrong ones), or
        does not replay.
    """
    transcript = Transcript.read(text)
    table, shown, seeds = _facts(transcript)
    problems: list[Problem] = []
    chance = None
    secret = transcript.extra.get(SECRET)
    if secret is None:
        problems.append(
            Problem(N_("The secret of chance is not in this file: the game was not over."))
        )
    elif not _sealed(secret, shown):
        problems.append(
            Problem(N_("The secret does not fit the hash that was shown when the table opened."))
        )
    else:
        chance = Chance(table, secret, seeds)
    problems += [
        Problem(
            N_(
                "Seat {seat} has added no seed: whoever ran the server could have looked for a "
                "secret that suits them."
            ),
            {"seat": seat + 1},
        )
        for seat in _demanded(transcript)
        if not seeds[seat]
    ]
    before = _before(transcript)
    problems += [
        Problem(
            N_("The secret of table {table}, from which this game goes on, does not fit its hash."),
            {"table": one.table},
        )
        for one in before
        if one.secret and not _sealed(one.secret, one.hash)
    ]
    counted, wrong = _replayed(transcript, chance, before)
    found = (*problems, *wrong)[:MOST_PROBLEMS]
    return Report(
        *(transcript.game, table, shown, counted.checked, counted.steps),
        *(before, counted.unchecked, found),
    )


def _sealed(secret: str, shown: str) -> bool:
    return bool(HEX.fullmatch(secret)) and commitment(secret) == shown


def _before(transcript: Transcript) -> tuple[Source, ...]:
    """Return from which games the first actions come."""
    try:
        found = sources.read(transcript.extra.get(BEFORE, ""))
    except TranscriptError as error:
        raise TranscriptError(f"{BEFORE}: {error}") from error
    if found and found[-1].actions > len(transcript.actions):
        raise TranscriptError(f"{BEFORE}: names more actions than there are")
    return found


def _facts(transcript: Transcript) -> tuple[str, str, tuple[str, ...]]:
    """Return the id of the table, the hash and the seeds."""
    extra = transcript.extra
    for name in (TABLE, HASH, SEEDS):
        if name not in extra:
            raise TranscriptError(
                f"its header has no line '{name}: …', so this is not a table's transcript: "
                "there is nothing to check chance against"
            )
    if not HEX.fullmatch(extra[HASH]):
        raise TranscriptError(f"{HASH}: should be a SHA-256 in hexadecimal")
    try:
        seeds = json.loads(extra[SEEDS])
    except ValueError as error:
        raise TranscriptError(f"{SEEDS}: should be a list of texts in JSON") from error
    if not isinstance(seeds, list) or not all(isinstance(seed, str) for seed in seeds):
        raise TranscriptError(f"{SEEDS}: should be a list of texts in JSON")
    if len(seeds) != transcript.game.seats:
        raise TranscriptError(f"{SEEDS}: should have a text for each seat")
    return extra[TABLE], extra[HASH], tuple(seeds)


def _demanded(transcript: Transcript) -> list[int]:
    """Return the seats that have to add a seed; none in transcripts of before."""
    try:
        found = json.loads(transcript.extra.get(PEOPLE, "[]"))
    except ValueError as error:
        raise TranscriptError(f"{PEOPLE}: should be a list of seats in JSON") from error
    seats = range(transcript.game.seats)
    if not isinstance(found, list) or not all(
        type(seat) is int and seat in seats for seat in found
    ):
        raise TranscriptError(f"{PEOPLE}: should be a list of seats in JSON")
    return found


@dataclass(frozen=True, slots=True)
class Drawn:
    """An action of chance in a transcript, with all that it could have been.

    Attributes
    ----------
    ply
        Which action of the transcript it is, from 1.
    token
        As it stands in the transcript.
    outcomes
        (token, weight) of each action that was possible, in the order of the actions. Where
        there is but one, nothing was drawn.
    """

    ply: int
    token: str
    outcomes: tuple[tuple[str, int], ...]


def drawn(transcript: Transcript) -> Iterator[Drawn]:
    """Yield all actions of chance of a full transcript; replays it by the rules.

    Raises
    ------
    RulesVersionError, TranscriptError
        As `Transcript.positions`.
    """
    for ply, token, state in _chance(transcript):
        weights = sorted(state.chance_weights())
        outcomes = ((state.text(action, CHANCE), weight) for action, weight in weights)
        yield Drawn(ply, token, tuple(outcomes))


def _chance(transcript: Transcript) -> Iterator[tuple[int, str, State]]:
    """Yield the place and token of each action of chance, and the position before it."""
    for ply, (pair, state) in enumerate(
        zip(transcript.actions, transcript.positions(), strict=False), 1
    ):
        if pair[0] == CHANCE:
            yield ply, pair[1], state


@dataclass(slots=True)
class _Counted:
    """How often chance acted: draws that were checked or cannot be, and steps."""

    checked: int = 0
    unchecked: int = 0
    steps: int = 0


def _replayed(
    transcript: Transcript, own: Chance | None, before: Sequence[Source]
) -> tuple[_Counted, list[Problem]]:
    """Replay; return how often chance acted, and what is wrong."""
    draws, counted = 0, _Counted()
    wrong: list[Problem] = []
    for number, token, state in _chance(transcript):
        weights = state.chance_weights()
        if len(weights) < 2:
            counted.steps += 1
            continue
        draws += 1
        source = sources.source_of(before, number)
        chance = source.chance if source else own
        if chance is None:
            counted.unchecked += source is not None
            continue
        counted.checked += 1
        right = chance.draw(weights, draws)
        try:
            taken = state.parse(token, CHANCE)
        except ParseError as error:
            raise TranscriptError(f"action {number}, {token!r} of chance: {error}") from error
        if taken != right:
            wrong.append(
                Problem(
                    N_("Draw {draw} (action {action}) is {taken}; the secret gives {right}."),
                    {
                        "draw": draws,
                        "action": number,
                        "taken": token,
                        "right": state.text(right, CHANCE),
                    },
                )
            )
    transcript.replay()
    return counted, wrong
