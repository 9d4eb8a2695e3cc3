"""Turns of a log: each is one sentence, with what belongs to it folded behind it.

What a player decides one thing after the other becomes one sentence about him; what nobody
decides, such as cards dealt, belongs to the turn in which it happens. Where people play they
are called by the names they have at the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from tianxia.draw.languages import N_, package_of, translator
from tianxia.kernel.game import Game
from tianxia.web.catalogue import seat_names
from tianxia.web.story import Line
from tianxia.web.templating import PACKAGE

ACTIONS = ("act", "chance")
FOLDABLE = (*ACTIONS, "start")
KEPT = 200
"""Games whose names of players are kept, with all their options."""
MOST_CLAUSES = 4
"""Of more things that somebody does in a turn its sentence tells so many."""
AND = N_("{list} and {last}")
AND_MORE = N_("{list} and {n} more")


@dataclass(frozen=True)
class Turn:
    """A turn as a log tells it.

    Attributes
    ----------
    seat
        Whose it is; None for what nobody decides.
    text
        All of it in a sentence.
    lines
        What happened in it, oldest first; a single one is not folded.
    """

    seat: int | None
    text: str
    lines: tuple[Line, ...]

    @property
    def number(self) -> int:
        """The number of its first line."""
        return self.lines[0].number


@dataclass(frozen=True)
class Voice:
    """In whose words turns are told: the game, the language, and the names of people by seat."""

    game: Game
    language: str
    people: tuple[str, ...] = ()

    def named(self, line: Line) -> str:
        """Return a line that calls people by their names, whoever of them it tells of."""
        subject, rest = self.split(line.text)
        name = "" if line.kind == "chance" else self.name(line.seat)
        return f"{name}{self.said(rest)}" if subject and name else self.said(line.text)

    def said(self, text: str, seat: int | None = None) -> str:
        """Return sentences of a prompt that call people by their names.

        Parameters
        ----------
        seat
            Whose the one sentence is that begins with what is no side, as with an army of his.
        """
        begins = _beginnings(self.game, self.language)
        sides = _sides(self.game, self.language)
        alone = len(begins.findall(text)) == 1

        def call(subject: re.Match[str]) -> str:
            return self.name(sides.get(subject[0], seat if alone else None)) or subject[0]

        return begins.sub(call, text)

    def name(self, seat: int | None) -> str:
        """Return what somebody is called at the table; "" for bots and for nobody."""
        return self.people[seat] if seat is not None and 0 <= seat < len(self.people) else ""

    def split(self, text: str) -> tuple[str, str]:
        """Return who a sentence begins with, and the rest; "" where it is about no player."""
        match = _subjects(self.game, self.language).match(text)
        return (match[0], text[match.end() :]) if match else ("", text)


@lru_cache(KEPT)
def _subjects(game: Game, language: str) -> re.Pattern[str]:
    """Return what matches a player at the beginning of a sentence, by any of his names."""
    words = game.kind.words
    _ = translator(language, package_of(game.kind)).gettext
    others = (*getattr(words, "IN_SENTENCES", ()), *getattr(words, "ARMY_NAMES", ()))
    names = {*seat_names(game, language), *map(_, others)}
    one = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?:{one})(?:/(?:{one}))*(?=\s|:)")


@lru_cache(KEPT)
def _beginnings(game: Game, language: str) -> re.Pattern[str]:
    """Return what matches a player at the beginning of any sentence of a text."""
    return re.compile(rf"(?:^|(?<=[.!?…] )){_subjects(game, language).pattern}")


@lru_cache(KEPT)
def _sides(game: Game, language: str) -> dict[str, int]:
    """Return the seats by their sides' names, by themselves and in sentences."""
    _ = translator(language, package_of(game.kind)).gettext
    within = [_(name) for name in getattr(game.kind.words, "IN_SENTENCES", ())]
    names = (seat_names(game, language), within)
    return {name: seat for some in names for seat, name in enumerate(some)}


Known = Mapping[int, Turn]
"""Turns that were told before, by the ids of their first lines."""


def turns(
    lines: Sequence[Line], voice: Voice, *, over: bool = False, known: Known = MappingProxyType({})
) -> Iterator[Turn]:
    """Yield the turns of a log, oldest first; of the newest one, which goes on, line by line.

    Parameters
    ----------
    known
        Turns that were told in this voice before, and with them their lines; those are kept.
    """
    start, last = 0, len(lines)
    while start < last:
        end = _end(lines, start, known)
        if end < last or over or lines[start].kind == "start":
            yield _told(lines[start:end], voice, known)
        else:
            yield from (_told([line], voice, known) for line in lines[start:])
        start = end


Drawn = tuple[Turn, str]
"""A turn, and its HTML."""


def settled(drawn: Sequence[Drawn], lines: Sequence[Line]) -> tuple[list[Drawn], Sequence[Drawn]]:
    """Return the turns, oldest first, with which a later log begins, too, and the others.

    The newest turn is none of the first: more may come to it.
    """
    first = lines[0] if lines else None
    start = next((n for n, (turn, _) in enumerate(drawn) if turn.lines[0] is first), len(drawn))
    before = [line for turn, _ in drawn[start:] for line in turn.lines]
    if not before or before != list(lines[: len(before)]):
        return [], drawn
    end = len(drawn)
    seats = [turn.seat for turn, _ in drawn if turn.seat is not None]
    while end > start and drawn[end - 1][0].seat in (None, *seats[-1:]):
        end -= 1
    return list(drawn[start:end]), drawn[end:]


def _end(lines: Sequence[Line], start: int, known: Known) -> int:
    """Return where the turn ends that begins with a line: a known one need not be read again."""
    turn = known.get(id(lines[start]))
    end = start + (len(turn.lines) if turn else 1)
    if turn and tuple(lines[start:end]) != turn.lines:
        end = start + 1
    while end < len(lines) and _goes_on(lines[start], lines[end]):
        end += 1
    return end


def _told(group: Sequence[Line], voice: Voice, known: Known) -> Turn:
    """Return a turn, the same as before where its lines are the same."""
    turn = known.get(id(group[0]))
    return turn if turn and turn.lines == tuple(group) else _turn(group, voice)


def newest(lines: Sequence[Line], most: int) -> Sequence[Line]:
    """Return the newest lines, `most` or a few less: they begin with the beginning of a turn.

    A turn that is cut would change with each line that comes, and all of the log with it.
    """
    cut = len(lines) - most
    if cut <= 0:
        return lines
    before = next((line.seat for line in reversed(lines[:cut]) if line.seat is not None), None)
    begins = (place for place in range(cut, len(lines)) if lines[place].seat not in (None, before))
    return lines[next(begins, cut) :]


def _goes_on(first: Line, line: Line) -> bool:
    """Say whether a line belongs to a turn that begins with another."""
    if line.kind not in ACTIONS or line.undone or line.weighty:
        return False
    if first.kind not in FOLDABLE or first.undone:
        return False
    return line.seat is None or line.seat == first.seat


def _turn(group: Sequence[Line], voice: Voice) -> Turn:
    first = group[0]
    if len(group) == 1 or first.seat is None:
        return Turn(first.seat, voice.named(first), tuple(group))
    own = [line for line in group if line.seat == first.seat]
    return Turn(first.seat, _sentence(own, voice), tuple(group))


def _sentence(lines: Sequence[Line], voice: Voice) -> str:
    """Return one sentence of all that somebody has done in a turn."""
    first, clauses = voice.named(lines[0]), list[str]()
    # Cut before somebody is called by name: that of Dr. Who ends no sentence.
    begun = voice.named(replace(lines[0], text=_clause(lines[0].text)))
    for line in lines[1:]:
        subject, rest = voice.split(line.text)
        clause = _clause(rest).strip()
        told_already = clause in begun or clause in clauses
        if subject and not told_already and not rest.lstrip().startswith(":"):
            clauses.append(clause)
    words = translator(voice.language, PACKAGE)
    if not clauses:
        return first
    told = [begun, *clauses[: MOST_CLAUSES - 1]]
    left = len(clauses) + 1 - len(told)
    if left:
        text: str = words.gettext(AND_MORE).format(list=", ".join(told), n=left)
    else:
        text = words.gettext(AND).format(list=", ".join(told[:-1]), last=told[-1])
    return f"{text}."


def _clause(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    return re.split(r"(?<=\w)\.(?:\s|$)", text, maxsplit=1)[0].rstrip(".")


def names_of_people(names: Mapping[int, str], seats: int) -> tuple[str, ...]:
    """Return what people are called, by seat; those who share a name keep their sides'."""
    known = [names.get(seat, "") for seat in range(seats)]
    return tuple("" if known.count(name) > 1 else name for name in known)
