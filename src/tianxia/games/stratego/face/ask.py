"""What the squares of Stratego say when they are asked.

Of an unknown piece: which ranks it may still have, counted exactly from what the viewer has
seen; where it has been; and how an attack on it would end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from tianxia.draw.asking import Answer, Fact, Question
from tianxia.draw.languages import labelled, translator
from tianxia.games.stratego.face.words import rank_name, seat_name
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS, TIE, WIN, remains
from tianxia.games.stratego.rules.notation import square_name, square_number
from tianxia.games.stratego.rules.state import MOVED, PLAY, RAN, SETUP, SHOWN
from tianxia.kernel.errors import TianxiaError

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
Shares = Mapping[int, Fraction]
"""By rank, how likely it is."""
RULES = {
    c.SPY: ("STR-27", "STR-28"),
    c.SCOUT: ("STR-13", "STR-15"),
    c.MINER: ("STR-26",),
    c.BOMB: ("STR-12", "STR-25"),
    c.FLAG: ("STR-12", "STR-30"),
}
"""What is special about a rank; for all others the order of ranks."""
MOST_RANKS = 6
"""Ranks that are told one by one."""


def answer(question: Question) -> Answer | None:
    """Return what stands on a square; None where there is no such square."""
    try:
        square = square_number(question.element)
    except (TianxiaError, ValueError):
        return None
    _ = translator(question.language, PACKAGE).gettext
    name = square_name(square)
    piece = int(question.view.fields["board"][square]) - 1
    if piece < 0:
        return _empty(question, square)
    rank, side = int(question.view.fields["rank"][piece]), piece // c.SLOTS
    title = _("{square}: {rank} of {side}").format(
        square=name,
        rank=rank_name(rank, question.language),
        side=seat_name(side, question.language),
    )
    been = _been(question, piece)
    facts = [*_chances(question, piece), *_known(question, piece), *_attack(question, piece)]
    if len(been) > 1:
        facts.append(Fact(_("Where it has been"), " – ".join(been)))
    elif question.view.fields["phase"] == PLAY and not question.view.fields["marks"][piece] & MOVED:
        facts.append(Fact(_("Where it has been"), _("it has not moved")))
    statements = RULES.get(rank, ("STR-24",) if rank else ("STR-35", "STR-12"))
    return Answer(title, tuple(facts), statements, tuple(been))


def _empty(question: Question, square: int) -> Answer:
    _ = translator(question.language, PACKAGE).gettext
    setup = question.view.fields["phase"] == SETUP
    text = _("lake") if square in c.LAKES else _("empty")
    statements = ("STR-06",) if square in c.LAKES else ("STR-03",) if setup else ("STR-05",)
    return Answer(labelled(square_name(square), text, question.language), (), statements)


# --- What it may be ---


def possible(view: State, piece: int) -> Shares:
    """Return how likely each rank of a piece is, from what the viewer has seen alone.

    All ways to share the ranks that are left among the unknown pieces count the same: Bombs
    and the Flag among those that never moved, all others among the rest.
    """
    fields = view.fields
    rank, owner = int(fields["rank"][piece]), piece // c.SLOTS
    if rank:
        return {rank: Fraction(1)}
    army = range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS)
    ranks = fields["rank"].tolist()
    left = Counter(dict(enumerate(c.COUNTS[int(fields["options"]["variant"])].tolist())))
    left.subtract(ranks[other] for other in army if ranks[other])
    unknown = [other for other in army if fields["square"][other] and not ranks[other]]
    moved = sum(bool(fields["marks"][other] & MOVED) for other in unknown)
    movers = sum(left[rank] for rank in range(1, c.BOMB))
    has_moved = bool(fields["marks"][piece] & MOVED)
    still = len(unknown) - moved
    shares = {}
    for number in range(1, c.RANKS):
        if number >= c.BOMB:
            share = Fraction(0 if has_moved else left[number], max(still, 1))
        else:
            share = Fraction(left[number], max(movers, 1))
            share *= 1 if has_moved else Fraction(movers - moved, max(still, 1))
        if share > 0:
            shares[number] = share
    return shares


def _chances(question: Question, piece: int) -> list[Fact]:
    """Return what an unknown piece may still be, the likeliest first."""
    view = question.view
    if view.fields["rank"][piece] or view.fields["phase"] == SETUP:
        return []
    language = question.language
    _ = translator(language, PACKAGE).gettext
    shares = sorted(possible(view, piece).items(), key=lambda found: (-found[1], found[0]))
    told = [f"{rank_name(rank, language)} {_percent(s, language)}" for rank, s in shares]
    if len(told) > MOST_RANKS:
        rest = sum((share for _rank, share in shares[MOST_RANKS:]), Fraction(0))
        told = [*told[:MOST_RANKS], _("others {share}").format(share=_percent(rest, language))]
    return [Fact(_("May still be"), ", ".join(told))]


def _percent(share: Fraction, language: str) -> str:
    """Return a share in per cent; what is possible is never 0, what is not sure never 100."""
    number = round(100 * share)
    if 0 < share < 1:
        number = min(max(number, 1), 99)
    return translator(language, PACKAGE).gettext("{n}%").format(n=number)


# --- What is known of it, and where it has been ---


def _known(question: Question, piece: int) -> list[Fact]:
    view, _ = question.view, translator(question.language, PACKAGE).gettext
    marks, mine = int(view.fields["marks"][piece]), piece // c.SLOTS == question.viewer
    if view.over or view.fields["phase"] == SETUP:
        return []
    if marks & (SHOWN | RAN):
        text = _("its rank was shown in a fight") if marks & SHOWN else _("it ran: a Scout")
    elif marks & MOVED:
        text = _("it has moved: neither Bomb nor Flag")
    else:
        text = _("nothing")
    name = _("What the other side knows") if mine else _("What all have seen")
    return [Fact(name, text)]


def _been(question: Question, piece: int) -> list[str]:
    """Return the squares on which a piece has stood, as far as the moves seen tell."""
    at = c.start_square(piece)
    squares = [at]
    for _seat, action in question.past:
        if c.kind_of(action) == c.MOVE:
            origin, target = c.squares_of(action)
            if origin == at:
                at = target
                squares.append(at)
    now = int(question.view.fields["square"][piece]) - 1
    return [square_name(square) for square in squares] if at == now else []


# --- How an attack would end ---


def _attack(question: Question, piece: int) -> list[Fact]:
    """Return how the attack that is chosen would end, where it is one on this piece."""
    if question.action is None or c.kind_of(question.action) != c.MOVE:
        return []
    fields = question.view.fields
    origin, target = c.squares_of(question.action)
    if int(fields["board"][target]) - 1 != piece:
        return []
    attacker = int(fields["rank"][int(fields["board"][origin]) - 1])
    ends: dict[int, Fraction] = dict.fromkeys((WIN, TIE, LOSS), Fraction(0))
    for rank, share in possible(question.view, piece).items():
        ends[int(remains(attacker, rank))] += share
    _ = translator(question.language, PACKAGE).gettext
    names = {WIN: _("wins {share}"), TIE: _("both fall {share}"), LOSS: _("is lost {share}")}
    told = [
        text.format(share=_percent(ends[end], question.language)) for end, text in names.items()
    ]
    name = _("Attack by your {rank}").format(rank=rank_name(attacker, question.language))
    return [Fact(name, "", ", ".join(told))]
