"""The Skirmisher: a quick, honest player that counts.

For every legal move it adds up what it is worth, in points of `WORTH`:

- a *fight*: what the exact counts (`beliefs`) say it gains on average, what it tells, and
  what it gives away;
- *danger*: what stands to be lost on the square it goes to, less than on the one it leaves;
- *purpose*: each rank's gains spread from their targets over the free squares like a smell
  that fades with every step (`spread`); quiet moves follow it. So Scouts go to look at
  unknown pieces, Miners to Bombs, strong pieces after weaker ones, all towards the Flag;
- *patience*: the longer nobody has attacked, the less it minds a loss, unless it is behind;
  and arrangements of its army that have stood before are worth less. So it does not shuffle.

It looks no move ahead. Its memory is the arrangements since the last fight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.arrangements import Arrangements
from tianxia.games.stratego.bot.beliefs import BESIDE_SQUARE, Beliefs
from tianxia.games.stratego.face.deployment import deploy
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS, TIE, WIN
from tianxia.games.stratego.rules.state import MOVED, RAN, SETUP, SHOWN
from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player

Floats = NDArray[np.float64]

WORTH = np.array([0.0, 16, 4, 10, 6, 10, 17, 28, 45, 70, 95, 10, 250])
"""What a piece is worth, by rank. The Flag: enough to risk a lot for, not everything."""

SCARCE_MINER = 14  # a Miner's extra worth when it is one of the last two
TOLD = 0.18  # share of an unknown piece's worth that is won by learning its rank
GIVEN_AWAY = 0.06  # share of one's own worth that is lost by showing one's rank
GUARD = 60  # what a Bomb beside the opposing Flag, or an attacker beside one's own, adds
FADE = 0.9  # how much of a smell remains a step further
FRIEND = 0.75  # the same where a piece of one's own has to step aside first
FAR = 22  # steps after which nothing is smelt
POST = 10  # what it costs to leave the side of one's own Flag
PACE = 0.25  # what following a smell is worth, compared with having the gain
AGAIN = 1.5  # what is lost each time the same arrangement comes back
CALM = 16  # moves without an attack after which patience begins to wane
EAGER_KNOWN, EAGER_MOVED, EAGER_UNMOVED = 1.0, 0.5, 0.2
"""How likely an opposing piece is to attack what it can beat: known, unknown ones."""
DOUBT = 0.35  # how likely it still is where it does not know what it would attack
NOISE = 0.2  # ties and near-ties are broken by chance


def _remains() -> NDArray[np.int64]:
    """Return the outcome for the attacker, by its rank and the defender's."""
    from tianxia.games.stratego.rules.answers import remains

    call = getattr(remains, "py_func", remains)  # no need to compile for a table
    return np.array([[call(mine, theirs) for theirs in range(c.RANKS)] for mine in range(c.RANKS)])


OUTCOME = _remains()
WINS: Floats = (OUTCOME[: c.BOMB] == WIN).astype(float)
TIES: Floats = (OUTCOME[: c.BOMB] == TIE).astype(float)
LOSES: Floats = (OUTCOME[: c.BOMB] == LOSS).astype(float)
BEATEN: Floats = np.pad(WINS[:, : c.BOMB].T, ((0, 0), (0, c.RANKS - c.BOMB)))
"""By own rank and opposing rank: 1 where that piece, attacking, would take ours."""


class Skirmisher(Player):
    """Plays every variant of Stratego, from a seat's views alone."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat, seed)
        self.setup = deploy(c.VARIANTS.index(str(game.options["variant"])), new_rng(seed))
        self.before = Arrangements(seat)

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Remember how one's own army has stood since the last attack."""
        super().observe(actor, action, view)
        self.before.note(actor, view)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the next rank of the set-up, or the move that adds up to most."""
        legal = view.legal_actions(self.seat)
        if view.fields["phase"] == SETUP:
            planned = self.setup[int(view.fields["placed"][self.seat])]
            return planned if planned in legal else legal[-1]
        if len(legal) == 1:
            return legal[0]
        look = Look(view, self.seat)
        rng = new_rng(self.seed, self.decided)
        values = [self.value(look, action) + NOISE * below(rng, 1000) / 1000 for action in legal]
        return legal[values.index(max(values))]

    def value(self, look: Look, action: int) -> float:
        """Return what a move is worth, rounded so that every machine decides the same."""
        return round(look.value(action) - AGAIN * self.repeats(look, action), 6)

    def repeats(self, look: Look, action: int) -> int:
        """Return how often one's army has stood as it would after a quiet move."""
        origin, target = c.squares_of(action)
        if look.board[target]:
            return 0
        return self.before.repeats(look.square, look.board[origin] - 1, target)


class Look:
    """What a seat makes of one view. All tables are by own rank, then by square."""

    def __init__(self, view: State, seat: int) -> None:
        fields = view.fields
        self.seat = seat
        self.board: list[int] = fields["board"].tolist()
        self.square: list[int] = fields["square"].tolist()
        self.rank: list[int] = fields["rank"].tolist()
        self.marks: list[int] = fields["marks"].tolist()
        variant = int(fields["options"]["variant"])
        self.theirs = Beliefs(variant, 1 - seat, self.square, self.rank, self.marks)
        self.where = [self.square[piece] - 1 for piece in self.theirs.pieces]
        self.own = [p for p in range(seat * c.SLOTS, seat * c.SLOTS + c.SLOTS) if self.square[p]]
        self.left = [0] * c.RANKS
        for piece in self.own:
            self.left[self.rank[piece]] += 1
        self.home = next((self.square[p] - 1 for p in self.own if self.rank[p] == c.FLAG), 0)
        self.own_worth = worth_of(self.left)
        self.their_worth = worth_of(self.theirs.left)
        self.caution = self._caution(fields)
        self._count_fights()
        self.smell = spread(self.gain, self._passable()).tolist()

    def _caution(self, fields: Any) -> float:
        """Return how much a loss counts: less and less while nothing happens.

        Who is behind can live with a draw and stays careful.
        """
        mine = float(self.own_worth @ self.left)
        other = float(self.their_worth @ self.theirs.left)
        limit = int(fields["options"]["draw_after"]) or 200
        waited = max(int(fields["quiet"]) - CALM, 0) / (limit / 2)
        lead = (mine - FLAG_WORTH) / max(other - FLAG_WORTH, 1)
        if lead < 0.7:
            waited /= 3
        return max(1 - waited, 0.15) * min(max(1.1 - 0.1 * lead, 0.7), 1.0)

    def _count_fights(self) -> None:
        """Work out all fights between a rank of ours and a piece of theirs, by the counts."""
        chances = self.theirs.chances.T
        known = chances.max(axis=0) == 1
        prey = chances * self.their_worth[:, None]
        lost = self.caution * self.own_worth[: c.BOMB, None]
        self.wins: Floats = WINS @ chances
        gain = (WINS + TIES) @ prey  # what falls of theirs …
        gain -= (1 - self.wins) * lost  # … and of ours
        gain += TOLD * LOSES @ prey * ~known
        gain += self.wins * self._prizes()
        self.beaten: Floats = BEATEN @ chances
        self.gain: Floats = np.zeros((c.BOMB, c.SQUARES))
        self.gain[:, self.where] = gain
        self._lists(known)

    def _lists(self, known: NDArray[np.bool_]) -> None:
        """Keep what single moves look up as plain lists: quicker than arrays, one by one."""
        self.gains: list[list[float]] = self.gain.tolist()
        self.losing: list[dict[int, float]] = [
            dict(zip(self.where, row, strict=True)) for row in self.beaten.tolist()
        ]
        self.eager = {}
        self.price = {}
        worth = (self.theirs.chances @ self.their_worth).tolist()
        for i, piece in enumerate(self.theirs.pieces):
            moved = self.marks[piece] & MOVED
            eager = EAGER_KNOWN if known[i] else EAGER_MOVED if moved else EAGER_UNMOVED
            self.eager[self.where[i]] = eager
            self.price[self.where[i]] = worth[i]

    def _prizes(self) -> Floats:
        """Return what taking each piece is worth beyond its rank.

        A piece that may be a Bomb before the Flag, and one that stands near our own.
        """
        flag_chance = dict(zip(self.where, self.theirs.chances[:, c.FLAG].tolist(), strict=True))
        prizes = np.zeros(len(self.where))
        for i, square in enumerate(self.where):
            if self.theirs.chances[i, c.BOMB] > 0:
                behind = sum(flag_chance.get(other, 0.0) for other in BESIDE_SQUARE[square])
                prizes[i] = GUARD * behind * self.theirs.chances[i, c.BOMB]
            steps = abs(square // c.SIDE - self.home // c.SIDE) + abs(
                square % c.SIDE - self.home % c.SIDE
            )
            if steps <= 4:
                prizes[i] += GUARD / steps**2
        return prizes

    def _passable(self) -> Floats:
        """Return how much of a smell each square lets through."""
        through = np.full(c.SQUARES, FADE)
        through[list(c.LAKES)] = 0
        through[self.where] = 0
        for piece in self.own:
            through[self.square[piece] - 1] = FRIEND if self.rank[piece] < c.BOMB else 0
        return through

    def value(self, action: int) -> float:
        """Return what a move is worth."""
        origin, target = c.squares_of(action)
        piece = self.board[origin] - 1
        rank = self.rank[piece]
        shown = bool(self.marks[piece] & (SHOWN | RAN))
        stays = self.danger(origin, rank, shown, origin)
        stays -= POST * (origin in BESIDE_SQUARE[self.home])
        if self.board[target]:
            goes = self.danger(target, rank, True, origin, target)
            secret = 0.0 if shown else GIVEN_AWAY * float(self.own_worth[rank])
            i = self.where.index(target)
            return self.gains[rank][target] - secret + stays - float(self.wins[rank, i]) * goes
        shown = shown or abs(origin - target) not in (1, c.SIDE)
        goes = self.danger(target, rank, shown, origin)
        return PACE * (self.smell[rank][target] - self.smell[rank][origin]) + stays - goes

    def danger(self, square: int, rank: int, shown: bool, origin: int, fallen: int = -1) -> float:
        """Return what a piece of ours stands to lose on a square, to its worst neighbour."""
        worst = 0.0
        losing, worth = self.losing[rank], float(self.own_worth[rank])
        for other in BESIDE_SQUARE[square]:
            if other not in losing or other == fallen:
                continue
            loss = losing[other] * worth
            if loss and self.backed(square, other, origin):
                loss = max(loss - 0.7 * self.price[other], 0.2 * loss)
            loss *= self.eager[other] * (1 if shown else DOUBT)
            worst = max(worst, loss)
        return worst

    def backed(self, square: int, attacker: int, origin: int) -> bool:
        """Say whether another piece of ours would take back on a square."""
        for other in BESIDE_SQUARE[square]:
            piece = self.board[other] - 1
            if piece < 0 or piece // c.SLOTS != self.seat or other == origin:
                continue
            if self.rank[piece] < c.BOMB and self.gains[self.rank[piece]][attacker] > 0:
                return True
        return False


FLAG_WORTH = float(WORTH[c.FLAG])


def worth_of(left: list[int]) -> Floats:
    """Return the worth of each rank in an army: the last Miners are worth more."""
    worth = WORTH.copy()
    if left[c.MINER] <= 2:
        worth[c.MINER] += SCARCE_MINER
    return worth


def spread(gain: Floats, through: Floats) -> Floats:
    """Spread each rank's gains from their squares over all squares that can be walked.

    A square smells of the best target: its gain, faded by every step of the way.
    """
    board = np.zeros((len(gain), c.SIDE + 2, c.SIDE + 2))
    inner = board[:, 1:-1, 1:-1]
    inner[:] = np.maximum(gain, 0).reshape(-1, c.SIDE, c.SIDE)
    fade = through.reshape(c.SIDE, c.SIDE)
    for _ in range(FAR):
        near = np.maximum(board[:, :-2, 1:-1], board[:, 2:, 1:-1])
        np.maximum(near, board[:, 1:-1, :-2], out=near)
        np.maximum(near, board[:, 1:-1, 2:], out=near)
        near *= fade
        np.maximum(near, inner, out=near)
        if np.array_equal(near, inner):
            break
        inner[:] = near
    return inner.reshape(-1, c.SQUARES)
