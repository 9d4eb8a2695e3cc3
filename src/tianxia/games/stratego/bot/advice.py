"""Advice: what the Strategos makes of each move, and a sentence why one is good."""

from __future__ import annotations

import math
from dataclasses import replace

from tianxia.draw.languages import N_, translator
from tianxia.games.stratego import face
from tianxia.games.stratego.bot.strategos import Skill, Strategos, weights_of
from tianxia.games.stratego.bot.tactics import STEP
from tianxia.games.stratego.face.words import rank_name
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import WIN, remains
from tianxia.games.stratego.rules.state import MOVED, SETUP
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.advice import PATIENCE
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

SURE = 150.0
"""How many points ahead make a side three quarters sure of winning."""
NOT_PLANNED = 0.02
"""How much less another rank is thought to be worth while setting up than the planned one."""

SETUPS = {
    c.Rank.FLAG: N_("The Flag is safest on the back row, with Bombs around it."),
    c.Rank.BOMB: N_("Bombs stand well behind: before the Flag, or where it is only suspected."),
    c.Rank.MINER: N_("Miners are needed late; they wait behind."),
    c.Rank.SPY: N_("The Spy stays close to its Marshal and General, never in front."),
    c.Rank.UNKNOWN: N_("This square stays free, so that others can pass."),
}
PLACED = N_("A good place for this rank, in the plan of this army.")
TAKES_FLAG = N_("It takes the Flag and wins the game.")
DEFUSES = N_("The Miner defuses the Bomb.")
TAKES = N_("It takes the {rank}, which it beats for certain.")
TRADES = N_("It exchanges itself for the {rank}.")
SPENDS = N_("It is lost against the {rank}; there is nothing better.")
LOOKS = N_("A Scout is cheap, and shows what stands there.")
TRIES_MOVED = N_("That piece has moved: it is not a Bomb, and probably beaten.")
TRIES_STILL = N_("That piece has never moved: it may be what the Flag hides behind, or the Flag.")
FLEES = N_("It leaves before the {rank} takes it.")
HUNTS = N_("It goes after the {rank}, which it beats.")
GUARDS = N_("It stays near its own Flag.")
ADVANCES = N_("It comes nearer to pieces that it may take.")
KEEPS = N_("A quiet move that shows nothing and puts nothing at risk.")


def weigh(bot: Bot, view: State) -> list[Finding]:
    """Return what each legal action is worth, the best first."""
    player = bot if isinstance(bot, Strategos) else Strategos(view.game, view.viewer or 0, 0)
    legal = view.legal_actions(player.seat)
    if view.fields["phase"] == SETUP:
        planned = player.choose(view)
        ordered = sorted(legal, key=lambda action: (action != planned, action))
        return [
            Finding(one, 1, -NOT_PLANNED * (one != planned), float(one == planned))
            for one in ordered
        ]
    weighed = player.weigh(view)
    standing = player.standing()
    chances = weights_of(weighed, player.skill.temperature)
    found, value = [], 1.0
    for one, chance in zip(weighed, chances, strict=True):
        # Who was dropped early was never seen to be better than those looked at longer.
        value = min(value, math.tanh((standing + one.points) / SURE))
        found.append(
            Finding(one.action, player.skill.worlds, value, round(chance / sum(chances), 6))
        )
    return found


def patient(game: Game, seat: int, seed: int) -> Bot:
    """Return a Strategos who looks at ten times as much: more worlds, and a move further."""
    best = Skill()
    more = replace(best, worlds=3 * best.worlds, depth=best.depth + 1, nodes=PATIENCE * best.nodes)
    return Strategos(game, seat, seed, more)


def reason(view: State, seat: int, action: int, language: str) -> str:
    """Return one sentence: why a move is good, or what it does."""
    _ = translator(language, face.__name__).gettext
    if c.kind_of(action) == c.RANK:
        return _(SETUPS.get(c.Rank(action), PLACED))
    origin, target = c.squares_of(action)
    board, ranks = view.fields["board"], view.fields["rank"]
    rank = int(ranks[int(board[origin]) - 1])
    other = int(board[target]) - 1
    if other >= 0:
        known = int(ranks[other])
        text = _fight(rank, known) if known else _try(rank, int(view.fields["marks"][other]))
        return _(text).format(rank=rank_name(known, language))
    text, named = _step(view, seat, rank, origin, target)
    return _(text).format(rank=rank_name(named, language))


def _fight(rank: int, known: int) -> str:
    """Say what an attack on a known piece does."""
    if known == c.FLAG:
        return TAKES_FLAG
    if known == c.BOMB and rank == c.MINER:
        return DEFUSES
    outcome = int(remains(rank, known))
    return TAKES if outcome == WIN else TRADES if outcome == 0 else SPENDS


def _try(rank: int, marks: int) -> str:
    """Say what an attack on an unknown piece is for."""
    if rank == c.SCOUT:
        return LOOKS
    return TRIES_MOVED if marks & MOVED else TRIES_STILL


def _step(view: State, seat: int, rank: int, origin: int, target: int) -> tuple[str, int]:
    """Say what a quiet move is for, and which rank the sentence names."""
    for other in _known_beside(view, seat, origin):
        if remains(other, rank) == WIN:
            return FLEES, other
    for other in _known_beside(view, seat, target):
        if remains(rank, other) == WIN:
            return HUNTS, other
    if _home_beside(view, seat, target):
        return GUARDS, 0
    forward = (target - origin) // c.SIDE * (1 if seat == 0 else -1)
    return (ADVANCES, 0) if forward > 0 else (KEEPS, 0)


def _known_beside(view: State, seat: int, square: int) -> list[int]:
    """Return the ranks of known opposing pieces beside a square that can move."""
    found = []
    for near in STEP[square].tolist():
        piece = int(view.fields["board"][near]) - 1 if near >= 0 else -1
        if piece >= 0 and piece // c.SLOTS != seat:
            rank = int(view.fields["rank"][piece])
            if 0 < rank < c.BOMB:
                found.append(rank)
    return found


def _home_beside(view: State, seat: int, square: int) -> bool:
    """Say whether a seat's own Flag is beside a square."""
    for near in STEP[square].tolist():
        piece = int(view.fields["board"][near]) - 1 if near >= 0 else -1
        if piece >= 0 and piece // c.SLOTS == seat and view.fields["rank"][piece] == c.FLAG:
            return True
    return False
