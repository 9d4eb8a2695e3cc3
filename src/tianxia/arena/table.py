"""Where games of an arena are played, one at a time, in whichever process."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import tianxia
from tianxia.arena.archive import Finished
from tianxia.arena.course import (
    CUT,
    RULES,
    SILENT,
    Clock,
    Course,
    Fault,
    Outcome,
    fault_of,
    forfeited,
    shares_of,
)
from tianxia.arena.plan import PROCESSOR, WALL, Fixture, Plan
from tianxia.arena.players import OUTSIDE, USUAL, Bench
from tianxia.bots import lines
from tianxia.bots.evaluator import Evaluated
from tianxia.bots.program import Program, ProgramError
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.kernel.transcript import Transcript
from tianxia.search.bot import Bot, clocked, tell


@dataclass
class Table:
    """Where one process plays its games.

    Attributes
    ----------
    folder
        Where programs' standard errors are kept; None drops them.
    """

    plan: Plan
    folder: Path | None

    def __post_init__(self) -> None:
        """Prepare for players."""
        self.bench = Bench(self.plan.patience, self.plan.protocol, self.folder)

    def warm_up(self) -> None:
        """Let each bot of ours decide and observe once.

        What it compiles or loads is then on no clock.
        """
        game = tianxia.game(self.plan.game)
        state, rng = game.new(), new_rng(self.plan.seed)
        while not state.over and all(len(state.legal_actions(s)) < 2 for s in state.acting):
            actor = min(state.acting, default=CHANCE)
            choice = state.draw_chance(rng) if actor == CHANCE else state.legal_actions(actor)[0]
            state.apply(choice, actor)
        if state.over:
            return
        seat = max(state.acting, key=lambda s: len(state.legal_actions(s)))
        outside = [name for name in self.plan.players if name.startswith(OUTSIDE)]
        if outside and self.plan.protocol == USUAL:
            _prepare_messages(state, seat)
        for player, name in enumerate(self.plan.players):
            if name not in outside:
                with suppress(Exception, SystemExit):  # its games will tell
                    bot = self.bench.seat(player, name, game, seat, 0)
                    action = bot.choose(state.view(seat))
                    tell(state.clone(), action, seat, [(seat, bot)])

    def play(self, fixture: Fixture) -> Finished:
        """Play a game; return all that is to be kept of it."""
        plan, game = self.plan, tianxia.game(self.plan.game)
        bots: list[Bot] = []
        course = Course(game, bots, fixture.seed, plan.seconds, plan.longest)
        before: list[float | None] = []
        end, fault, note = RULES, -1, ""
        try:
            for seat, player in enumerate(fixture.seats):
                bots.append(self._seat(game, seat, player, plan.bot_seed(fixture, player)))
                before.append(_cpu_outside(bots[-1]))
                course.clocks[seat].reading = _clock(plan, bots[-1])
            with clocked(CLOCKS[plan.clock]):
                end = course.play()
        except Fault as problem:
            end, fault, note = problem.end, problem.seat, problem.note
        cpu = [
            _cpu(bot, was, clock)
            for bot, was, clock in zip(bots, before, course.clocks, strict=False)
        ]
        shares = self._shares(game.seats, course.state, end, fault)
        self._farewell(fixture, bots, end, fault, shares)
        outcome = Outcome(
            number=fixture.number,
            round=fixture.round,
            seats=list(fixture.seats),
            end=end,
            fault=fault,
            shares=shares,
            scores=course.state.scores(),
            actions=course.actions,
            decisions=[clock.decisions for clock in course.clocks],
            seconds=[round(clock.seconds, 6) for clock in course.clocks],
            slowest=[round(clock.slowest, 6) for clock in course.clocks],
            late=[clock.late for clock in course.clocks],
            note=note,
            cpu=cpu,
            names=[getattr(bot, "title", "") for bot in bots],
            stood=round(course.state.evaluate()[fault], 3) if fault >= 0 else None,
        )
        return Finished(outcome, self._transcript(course.state, outcome), course.opinions)

    def _seat(self, game: tianxia.Game, seat: int, player: int, seed: int) -> Bot:
        try:
            return self.bench.seat(player, self.plan.players[player], game, seat, seed)
        except (Exception, SystemExit) as error:
            raise fault_of(seat, error) from error

    @staticmethod
    def _shares(seats: int, state: State, end: str, fault: int) -> list[float]:
        if fault >= 0:
            return forfeited(seats, fault)
        if end == CUT:
            return [1 / seats] * seats
        return shares_of(state.utilities())

    def _farewell(
        self, fixture: Fixture, bots: list[Bot], end: str, fault: int, shares: list[float]
    ) -> None:
        """Tell programs how it ended; stop the one at fault."""
        seats = len(fixture.seats)
        utilities = [(seats * share - 1) / (seats - 1) for share in shares]
        for seat, player in enumerate(fixture.seats):
            bot = bots[seat] if seat < len(bots) else None
            failed = seat == fault
            if isinstance(bot, Program | Evaluated) and not failed:
                try:
                    bot.over(end, utilities)
                except ProgramError:
                    failed = True
            if failed:
                self.bench.drop(player, self.plan.players[player])

    def _transcript(self, state: State, outcome: Outcome) -> str:
        """Return the game as text, with who played it."""
        way = "clock" if outcome.end == SILENT else "resignation"
        ending = {RULES: "rules", CUT: "none"}.get(outcome.end, f"{way} {outcome.fault}")
        found = Transcript.of(state, ending=ending)
        names = [self.plan.players[player] for player in outcome.seats]
        found.extra = {"players": "; ".join(names), "round": str(outcome.round)}
        if outcome.note:
            found.extra["note"] = " ".join(outcome.note.split())
        return found.write()


def _prepare_messages(state: State, seat: int) -> None:
    """Write once what a program may be told, so that nothing is compiled on its clock."""
    view, action = state.view(seat), state.legal_actions(seat)[0]
    lines.view_message(view)
    lines.seen_message(seat, action, view)
    lines.state_message(view)
    lines.features_message(view)
    lines.legal_message(view, seat, {view.text(action, seat): action})
    lines.worlds_message(view, 1, new_rng(0))


CLOCKS = {WALL: time.monotonic, PROCESSOR: time.process_time}


def _clock(plan: Plan, bot: Bot) -> Callable[[], float]:
    """Return what tells the time of a bot: of a program outside, its own processor's time."""
    if plan.clock == PROCESSOR and isinstance(bot, Program | Evaluated):
        return lambda: bot.connection.cpu() or 0.0
    return CLOCKS[plan.clock]


def _cpu_outside(bot: Bot) -> float | None:
    """Return the processor's time that a program outside has had; None of others."""
    return bot.connection.cpu() if isinstance(bot, Program | Evaluated) else None


def _cpu(bot: Bot, before: float | None, clock: Clock) -> float | None:
    """Return the processor's time that a bot has had in this game: see `Outcome.cpu`."""
    if not isinstance(bot, Program | Evaluated):
        return round(clock.cpu, 6)
    now = _cpu_outside(bot)
    return None if now is None or before is None else round(now - before, 6)
