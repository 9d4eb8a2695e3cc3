"""What an arena tells: the table in the terminal, and a page that stands alone."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import tianxia
from tianxia.arena.archive import REPORT, Archive, transcript_file
from tianxia.arena.course import CUT, Outcome
from tianxia.arena.plan import PROCESSOR, Plan
from tianxia.arena.plots import Range, courses, histogram, intervals
from tianxia.arena.ratings import ratings
from tianxia.arena.standings import Standing, by_seat, standings
from tianxia.draw.languages import translator
from tianxia.draw.pictures import template

PACKAGE = "tianxia.arena"
FAULTS = 10
"""The first of the table's columns that count faults."""
DISPENSABLE = (9, 8, 7, 3, 4, 2, 1)
"""Columns that a narrow terminal leaves out, in this order."""
LONGEST_TITLE = 40
UNKNOWN = "–"
MOST_FAULTS = 50  # that are told one by one
CLEAR = 0.9  # the guess of a utility from which on a position is told to have been won


@dataclass(frozen=True)
class Rows:
    """A table as text: heads, rows, and a line below it."""

    heads: list[str]
    rows: list[list[str]]
    foot: str


def percent(share: float) -> str:
    """Return a share as a percentage.

    >>> percent(0.5)
    '50.0 %'
    """
    return f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> [duration(s) for s in (0.0000421, 0.0123, 2.5)]
    ['0.04 ms', '12.3 ms', '2.50 s']
    """
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.1f} ms" if seconds >= 0.001 else f"{1000 * seconds:.2f} ms"


def points(value: float) -> str:
    """Return a rating with its sign.

    >>> points(-24.2)
    '−24'
    """
    return f"{value:+.0f}".replace("-", "−")


def label(standing: Standing) -> str:
    """Return a player's name, with how many there are of it."""
    return standing.name + (f" ×{standing.places}" if standing.places > 1 else "")


def named(plan: Plan, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """Return what the players are called: programs outside by what they call themselves.

    Two that call themselves alike, or like a bot of ours, are told apart by numbers.
    """
    own = {
        plan.players[player]: title
        for outcome in outcomes
        for player, title in zip(outcome.seats, outcome.names, strict=False)
        if title
    }
    shown: dict[str, str] = {}
    for name in plan.players:
        if name not in shown:
            title = name if name not in own else own[name][:LONGEST_TITLE]
            taken, number = {*shown.values(), *plan.players} - {name}, 2
            while title in taken:
                title, number = f"{own.get(name, name)[:LONGEST_TITLE]} ({number})", number + 1
            shown[name] = title
    return tuple(shown[name] for name in plan.players)


def rows(plan: Plan, outcomes: Sequence[Outcome], language: str) -> Rows:
    """Return the standings as a table."""
    _ = translator(language, PACKAGE).gettext
    table = standings(named(plan, outcomes), outcomes)
    heads = [
        _("Player"),
        _("games"),
        _("won"),
        _("drawn"),
        _("lost"),
        _("share"),
        _("95 % interval"),
        _("per decision"),
        _("processor"),
        _("slowest"),
        _("late"),
        _("illegal"),
        _("no answer"),
        _("errors"),
    ]
    cells = [
        [
            label(one),
            str(one.games),
            str(one.wins),
            str(one.joint),
            str(one.losses),
            percent(one.share),
            f"{100 * one.low:.1f} – {100 * one.high:.1f} %",
            duration(one.seconds),
            UNKNOWN if one.cpu is None else duration(one.cpu),
            duration(one.slowest),
            str(one.late),
            str(one.illegal),
            str(one.silent),
            str(one.failed),
        ]
        for one in table
    ]
    return Rows(heads, cells, _foot(plan, outcomes, language))


def _foot(plan: Plan, outcomes: Sequence[Outcome], language: str) -> str:
    """Say what chance alone gives, what each seat has reached, what was broken off."""
    _ = translator(language, PACKAGE).gettext
    seats = tianxia.game(plan.game).seats
    names = seat_names(plan, language)
    reached = by_seat(seats, outcomes)
    lines = [
        _("Equal players would have a share of {fair}.").format(fair=percent(1 / seats)),
        _("By seat: {seats}.").format(
            seats=", ".join(
                f"{name} {percent(one.share)}" for name, one in zip(names, reached, strict=True)
            )
        ),
    ]
    cut = sum(outcome.end == CUT for outcome in outcomes)
    if cut:
        lines.append(_("Broken off as a draw: {n}.").format(n=cut))
    if plan.clock == PROCESSOR:
        lines.append(_("All times are the processor's."))
    return " ".join(lines)


def seat_names(plan: Plan, language: str) -> list[str]:
    """Return what the seats of the game are called."""
    game = tianxia.game(plan.game)
    own = getattr(game.kind.words, "__package__", None) or PACKAGE
    words = translator(language, own)
    template_ = translator(language, PACKAGE).gettext("seat {number}")
    return [
        words.gettext(game.seat_names[seat])
        if seat < len(game.seat_names)
        else template_.format(number=seat + 1)
        for seat in range(game.seats)
    ]


def command(plan: Plan) -> str:
    """Return the command that plays this again."""
    words = ["tianxia", "arena", plan.game, *plan.players, "--games", str(plan.games)]
    words += ["--seed", str(plan.seed)]
    if plan.seconds is not None:
        words += ["--seconds", f"{plan.seconds:g}"]
    usual = Plan(plan.game, plan.players)
    if plan.patience != usual.patience:
        words += ["--patience", f"{plan.patience:g}"]
    if plan.longest != usual.longest:
        words += ["--longest", str(plan.longest)]
    if plan.protocol != usual.protocol:
        words += ["--protocol", plan.protocol]
    if plan.clock != usual.clock:
        words += ["--clock", plan.clock]
    return shlex.join(words)


def running(plan: Plan, outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """Return the share that each name had reached after each of its games."""
    names = named(plan, outcomes)
    found: dict[str, list[float]] = {name: [] for name in dict.fromkeys(names)}
    sums = dict.fromkeys(found, 0.0)
    for outcome in outcomes:
        for seat, player in enumerate(outcome.seats):
            name = names[player]
            sums[name] += outcome.shares[seat]
            found[name].append(sums[name] / (len(found[name]) + 1))
    return found


def page(plan: Plan, outcomes: Sequence[Outcome], language: str) -> str:
    """Return the report as a page of HTML that needs nothing else."""
    words = translator(language, PACKAGE)
    _ = words.gettext
    game = tianxia.game(plan.game)
    played = _("{games} games of {game}, rules version {version}, seed {seed}.").format(
        games=len(outcomes), game=game.spec, version=game.rules_version, seed=plan.seed
    )
    limit = (
        _("Bots took the time that they are used to.")
        if plan.seconds is None
        else _("Time for a decision: {time}.").format(time=duration(plan.seconds))
    )
    names = named(plan, outcomes)
    faults = [
        {**_link(outcome), "text": _fault(outcome, names, words)}
        for outcome in outcomes
        if outcome.note
    ][:MOST_FAULTS]
    return template(PACKAGE, "report.html.jinja").render(
        language=language,
        title=_("Arena: {game}").format(game=game.kind.title),
        subtitle=f"{played} {limit}",
        table=asdict(rows(plan, outcomes, language)),
        plots=_plots(plan, outcomes, words),
        faults=faults,
        faults_title=_("Games lost by a fault"),
        again_title=_("To play this again"),
        games_title=_("All games"),
        command=command(plan),
        games=[
            {**_link(outcome), "text": " – ".join(names[p] for p in outcome.seats)}
            for outcome in outcomes
        ],
    )


def first_faults(plan: Plan, outcomes: Sequence[Outcome], language: str) -> list[str]:
    """Return what was wrong with the first game that each player lost by a fault."""
    words, names = translator(language, PACKAGE), named(plan, outcomes)
    first = {names[one.seats[one.fault]]: one for one in reversed(outcomes) if one.note}
    text = words.gettext("Game {number}, lost by a fault: {fault}")
    return [
        text.format(number=one.number + 1, fault=_fault(one, names, words))
        for one in sorted(first.values(), key=lambda one: one.number)
    ]


def _fault(outcome: Outcome, names: Sequence[str], words: NullTranslations) -> str:
    """Return what was wrong with a game, and how its culprit stood if that was clear."""
    _ = words.gettext
    text = f"{names[outcome.seats[outcome.fault]]}: {outcome.note}"
    if outcome.stood is None or abs(outcome.stood) < CLEAR:
        return text
    won = _("Its position was already won.")
    return f"{text}. " + (won if outcome.stood > 0 else _("Its position was already lost."))


def _link(outcome: Outcome) -> dict[str, Any]:
    """Return a game's number and where its transcript is, as seen from the report."""
    file = transcript_file(Path(), outcome.number)
    return {"number": outcome.number + 1, "href": file.as_posix()}


def _plots(plan: Plan, outcomes: Sequence[Outcome], words: NullTranslations) -> list[Any]:
    """Return the pictures, each with its title and a note."""
    _ = words.gettext
    fair = 1 / tianxia.game(plan.game).seats
    players = named(plan, outcomes)
    table = standings(players, outcomes)
    names = list(dict.fromkeys(players))
    shares = [
        Range(
            label(one),
            100 * one.share,
            100 * one.low,
            100 * one.high,
            percent(one.share),
            names.index(one.name),
        )
        for one in table
    ]
    title = _("Share of the win, with 95 % intervals")
    note = _("The dotted line is the share of equal players.")
    plots = [_plot(title, intervals(title, shares, 0, 100, 100 * fair, " %"), note)]
    if len(table) > 2:
        plots.append(_rating_plot(plan, outcomes, words))
    title = _("How the shares settled")
    plots.append(_plot(title, courses(title, running(plan, outcomes), fair, _("games played"))))
    title = _("How long the games were")
    lengths = [outcome.actions for outcome in outcomes]
    plots.append(_plot(title, histogram(title, lengths, _("actions"))))
    return plots


def _rating_plot(
    plan: Plan, outcomes: Sequence[Outcome], words: NullTranslations
) -> dict[str, Any]:
    _ = words.gettext
    players = named(plan, outcomes)
    found = ratings(players, outcomes)
    names = list(dict.fromkeys(players))
    ranges = [
        Range(one.name, one.points, one.low, one.high, points(one.points), names.index(one.name))
        for one in found
    ]
    low = min(one.low for one in found)
    high = max(one.high for one in found)
    title = _("Ratings on Elo's scale, with 95 % intervals")
    note = _("The mean is 0; 400 points more are a chance of 10 to 1.")
    return _plot(title, intervals(title, ranges, low - 10, high + 10, 0.0), note)


def _plot(title: str, svg: Any, note: str = "") -> dict[str, Any]:
    return {"title": title, "svg": svg, "note": note}


def write(archive: Archive, outcomes: Sequence[Outcome], language: str) -> None:
    """Write the report into an arena's folder."""
    text = page(archive.plan, outcomes, language)
    (archive.folder / REPORT).write_text(text, encoding="utf-8")
