"""Games as Parquet: a row for each decision in one file, a row for each game in another.

A Parquet file has one kind of row, and what is said once a game would stand there hundreds of
times; ``game`` joins the two. What both were made with is in the metadata of either, as JSON
under ``tianxia``. The same games give the same bytes, whoever played them in which order.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

import tianxia
from tianxia.arena.archive import Archive, kept_opinions, transcript_file
from tianxia.arena.course import Outcome
from tianxia.arena.made import commit
from tianxia.arena.plan import Plan
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, Pool, room
from tianxia.kernel.state import State
from tianxia.kernel.transcript import Transcript
from tianxia.search.opinions import Opinion

if TYPE_CHECKING:
    import pyarrow as pa

KEY = b"tianxia"
FORMAT = 1
ROWS = 20_000
"""Decisions that are written together, in whole games."""
DECISIONS, GAMES = "decisions", "games"


class DataError(TianxiaError):
    """A file that cannot be written, or is not what it should be."""


def arrow() -> ModuleType:
    """Return pyarrow with its Parquet half.

    Raises
    ------
    DataError
        Where it is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        text = 'Parquet files need pyarrow: pip install ".[lab]" in a clone'
        raise DataError(text) from error
    return pa


@dataclass(frozen=True)
class Played:
    """A game that is over, as it goes into the files.

    Attributes
    ----------
    number
        Its number in the files.
    state
        Its last position, whose history is the game.
    players, shares
        By seat: who played, and the share of the win; see `Outcome`.
    end, fault, note
        How it ended: see `Outcome`.
    round, seed, bot_seeds
        See `Fixture` and `Plan.bot_seed`; None of games at tables.
    opinions
        What bots thought of the decisions, in order; may be shorter.
    """

    number: int
    state: State
    players: Sequence[str]
    end: str
    fault: int
    shares: Sequence[float]
    note: str = ""
    round: int | None = None
    seed: int | None = None
    bot_seeds: Sequence[int] | None = None
    opinions: Sequence[Opinion | None] = ()

    @property
    def utilities(self) -> list[float]:
        """Each seat's utility, by the shares: who gives up has lost."""
        seats = len(self.shares)
        return [(seats * share - 1) / (seats - 1) for share in self.shares]


# --- Writing ---


def games_file(file: Path | str) -> Path:
    """Return where the games stand whose decisions are in a file."""
    file = Path(file)
    return file.with_name(f"{file.stem}.{GAMES}{file.suffix or '.parquet'}")


def about(game: Game, source: str, **more: Any) -> dict[str, Any]:
    """Return what the metadata say of games of one kind."""
    return {
        "format": FORMAT,
        "source": source,
        "game": game.spec,
        "options": {name: str(value) for name, value in game.options.items()},
        "rules_version": game.rules_version,
        "record_bytes": game.kind.dtype.itemsize,
        "versions": {
            "tianxia": tianxia.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "pyarrow": arrow().__version__,
        },
        "commit": commit(),
        **more,
    }


def write(file: Path, game: Game, games: Iterable[Played], facts: Mapping[str, Any]) -> int:
    """Write games into a new file, and one beside it; return how many there were.

    Neither file is ever half there: what stops this leaves none of the two behind under its
    name.
    """
    pa = arrow()
    count = 0
    files = {DECISIONS: file, GAMES: games_file(file)}
    fresh = {kind: one.with_name(f"{one.name}.new") for kind, one in files.items()}
    schemas = {
        kind: schema.with_metadata({KEY: json.dumps({**facts, "rows": kind}).encode()})
        for kind, schema in _schemas(game).items()
    }
    rows: dict[str, list[dict[str, Any]]] = {DECISIONS: [], GAMES: []}
    writers = {
        kind: pa.parquet.ParquetWriter(fresh[kind], schemas[kind], compression="zstd")
        for kind in files
    }

    def flush() -> None:
        for kind, writer in writers.items():
            if rows[kind]:
                writer.write_table(pa.Table.from_pylist(rows[kind], schemas[kind]))
                rows[kind].clear()

    try:
        for played in games:
            rows[GAMES].append(_game_row(played))
            rows[DECISIONS] += _decision_rows(played)
            count += 1
            if len(rows[DECISIONS]) >= ROWS:
                flush()
        flush()
    except BaseException:
        for kind, writer in writers.items():
            writer.close()
            fresh[kind].unlink()
        raise
    for writer in writers.values():
        writer.close()
    for kind in (GAMES, DECISIONS):  # where the latter is, both are
        fresh[kind].replace(files[kind])
    return count


def _schemas(game: Game) -> dict[str, pa.Schema]:
    pa = arrow()
    return {
        DECISIONS: pa.schema(
            [
                ("game", pa.int32()),
                ("ply", pa.int32()),
                ("seat", pa.int8()),
                ("action", pa.int32()),
                ("legal", pa.int32()),
                ("policy", pa.list_(pa.float32())),
                ("visits", pa.list_(pa.int32())),
                ("value", pa.float32()),
                ("view", pa.binary(game.kind.dtype.itemsize)),
                ("result", pa.float32()),
            ]
        ),
        GAMES: pa.schema(
            [
                ("game", pa.int32()),
                ("spec", pa.string()),
                ("round", pa.int32()),
                ("players", pa.list_(pa.string())),
                ("seed", pa.int64()),
                ("bot_seeds", pa.list_(pa.int64())),
                ("end", pa.string()),
                ("fault", pa.int8()),
                ("utilities", pa.list_(pa.float64())),
                ("scores", pa.list_(pa.float64())),
                ("actions", pa.int32()),
                ("decisions", pa.int32()),
                ("note", pa.string()),
            ]
        ),
    }


def _game_row(played: Played) -> dict[str, Any]:
    history = list(played.state.history())
    return {
        "game": played.number,
        "spec": played.state.game.spec,
        "round": played.round,
        "players": list(played.players),
        "seed": played.seed,
        "bot_seeds": played.bot_seeds,
        "end": played.end,
        "fault": played.fault,
        "utilities": played.utilities,
        "scores": played.state.scores(),
        "actions": len(history),
        "decisions": sum(actor != CHANCE for actor, _ in history),
        "note": played.note,
    }


def _decision_rows(played: Played) -> Iterator[dict[str, Any]]:
    """Yield what each seat decided, from what it knew."""
    position, utilities = played.state.start(), played.utilities
    decided = 0
    for ply, (seat, action) in enumerate(played.state.history()):
        if seat != CHANCE:
            view = position.view(seat)
            found = played.opinions[decided] if decided < len(played.opinions) else None
            thought = found or Opinion()
            decided += 1
            yield {
                "game": played.number,
                "ply": ply,
                "seat": seat,
                "action": action,
                "legal": len(view.legal_actions(seat)),
                "policy": thought.policy,
                "visits": thought.visits,
                "value": thought.value,
                "view": view.to_bytes(),
                "result": utilities[seat],
            }
        position.apply(action, seat)


def of_archive(archive: Archive, outcomes: Sequence[Outcome]) -> Iterator[Played]:
    """Yield the games of an arena, in order."""
    plan = archive.plan
    fixtures = {fixture.number: fixture for fixture in plan.fixtures()}
    for outcome in sorted(outcomes, key=lambda one: one.number):
        file = transcript_file(archive.folder, outcome.number)
        last = Transcript.read(file.read_text(encoding="utf-8"))
        fixture = fixtures[outcome.number]
        yield Played(
            number=outcome.number,
            state=last.replay(),
            players=[plan.players[player] for player in outcome.seats],
            end=outcome.end,
            fault=outcome.fault,
            shares=outcome.shares,
            note=outcome.note,
            round=outcome.round,
            seed=fixture.seed,
            bot_seeds=[plan.bot_seed(fixture, player) for player in outcome.seats],
            opinions=kept_opinions(archive.folder, outcome.number),
        )


def write_archive(file: Path, archive: Archive, source: str = "arena") -> int:
    """Write the games of an arena; return how many there were."""
    game = tianxia.game(archive.plan.game)
    made = None if archive.made is None else asdict(archive.made)
    facts = about(game, source, plan=asdict(archive.plan), made=made)
    wanted = {fixture.number for fixture in archive.plan.fixtures()}
    outcomes = [one for one in archive.outcomes() if one.number in wanted]
    return write(file, game, of_archive(archive, outcomes), facts)


# --- Reading ---


class Data:
    """Games from a file of decisions, and the file of games beside it.

    Parameters
    ----------
    file
        The file of decisions.

    Attributes
    ----------
    about
        What the metadata say: versions, plan, seeds, options, commit.
    game
        The game with its options; games of a server differ in options, see ``spec``.

    Raises
    ------
    DataError
        For a file that is none of ours, or of other rules than those installed.
    """

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)
        self.about = _facts(self.file, DECISIONS)
        self.game = tianxia.game(self.about["game"])
        _check(self.file, self.about, self.game)

    def decisions(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the decisions, or some of their columns; raise DataError where there are none."""
        there = arrow().parquet.read_schema(self.file).names
        if isinstance(columns, str):
            raise DataError(f"{columns!r} is not a list of columns; there are {', '.join(there)}")
        if unknown := [one for one in columns or () if one not in there]:
            raise DataError(f"{unknown[0]!r} is not a column; there are {', '.join(there)}")
        return _read(self.file, columns)

    def games(self) -> pa.Table:
        """Return the games."""
        file = games_file(self.file)
        if _facts(file, GAMES) != {**self.about, "rows": GAMES}:
            raise DataError(f"{file} is about other games than {self.file}")
        return _read(file)

    def views(self, column: Any = None) -> Pool:
        """Return views as a pool: all, or those of a column ``view`` (of some rows).

        What each seat knew before it decided; `kernel.batches` works on it as it is.

        Parameters
        ----------
        column
            One of pyarrow, polars or pandas.

        Raises
        ------
        DataError
            For what is no column of views of this game.
        """
        if column is None:
            column = self.decisions(["view"])["view"]
        column = self._as_views(column)
        size = self.game.kind.dtype.itemsize
        pool = room(self.game.kind.dtype, len(column))
        target, done = pool.view(np.uint8).reshape(len(pool), size), 0
        for chunk in getattr(column, "chunks", [column]):
            data = np.frombuffer(chunk.buffers()[1], np.uint8)
            rows = data.reshape(-1, size)[chunk.offset : chunk.offset + len(chunk)]
            target[done : done + len(rows)] = rows
            done += len(rows)
        return pool

    def _as_views(self, column: Any) -> pa.ChunkedArray | pa.Array:
        """Return a column as one of views; other libraries forget how long all of them are."""
        pa, size = arrow(), self.game.kind.dtype.itemsize
        wrong = DataError(f"a column of views of {self.game.name} has {size} bytes in each row")
        try:
            if hasattr(column, "to_arrow"):  # polars
                column = column.to_arrow()
            elif hasattr(column, "iloc"):  # pandas
                column = pa.array(column)
            found = column.cast(pa.binary(size))
        except (AttributeError, KeyError, TypeError, pa.ArrowException) as error:
            raise wrong from error
        if found.null_count:
            raise wrong
        return found


def _facts(file: Path, kind: str) -> dict[str, Any]:
    """Return the metadata of a file; raise DataError where it has none of ours."""
    pa = arrow()
    if not file.is_file():
        raise DataError(f"there is no file {file}")
    try:
        found = (pa.parquet.read_schema(file).metadata or {}).get(KEY)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{file} is not a Parquet file: {error}") from error
    if found is None:
        raise DataError(f"{file} holds no games of Tianxia: its schema has no 'tianxia'")
    facts: dict[str, Any] = json.loads(found)
    if facts["format"] != FORMAT:
        text = f"{file} is of format {facts['format']}; this Tianxia reads format {FORMAT}"
        raise DataError(text)
    if facts["rows"] != kind:
        raise DataError(f"a row of {file} is one of {facts['rows']}, not of {kind}")
    return facts


def _read(file: Path, columns: Sequence[str] | None = None) -> pa.Table:
    try:
        return arrow().parquet.read_table(file, columns=columns)
    except (arrow().ArrowException, OSError) as error:
        raise DataError(f"{file} is damaged: {error}") from error


def _check(file: Path, facts: Mapping[str, Any], game: Game) -> None:
    """Refuse what the rules installed would read wrongly."""
    remedy = f"use Tianxia {facts['versions']['tianxia']}, or make the data anew"
    size = game.kind.dtype.itemsize
    if facts["rules_version"] != game.rules_version:
        raise DataError(
            f"{file} was played under version {facts['rules_version']} of the rules of "
            f"{game.name}; this is version {game.rules_version}: {remedy}"
        )
    if facts["record_bytes"] != size:
        raise DataError(
            f"{file} has records of {facts['record_bytes']} bytes; those of {game.name} "
            f"have {size} now: {remedy}"
        )


# --- Self-play ---


def demand_folder(file: Path) -> None:
    """Raise DataError where a file has no folder to lie in."""
    if not file.parent.is_dir():
        raise DataError(f"there is no folder {file.parent}")


def demand_place(file: Path, plan: Plan) -> None:
    """See that games of a plan can be written to a file, or written anew with more of them.

    Raises
    ------
    DataError
        Where pyarrow or the folder is missing, or the file holds something else.
    """
    arrow()
    demand_folder(file)
    if file.exists():
        known = _facts(file, DECISIONS).get("plan") or {}
        if {**known, "games": plan.games} != _as_kept(plan):
            raise _holds_others(file)


def _as_kept(plan: Plan) -> dict[str, Any]:
    """Return a plan as files keep it."""
    kept: dict[str, Any] = json.loads(json.dumps(asdict(plan)))
    return kept


def _holds_others(file: Path) -> DataError:
    return DataError(f"{file} holds other games: name another file, or remove it")


def selfplay_archive(file: Path, plan: Plan) -> Archive | None:
    """Return where games are kept until all are done; None where the file is there already.

    Raises
    ------
    DataError
        Where the file holds something else.
    """
    arrow()
    demand_folder(file)
    if file.exists():
        if Data(file).about.get("plan") == _as_kept(plan):
            return None
        raise _holds_others(file)
    return Archive(file.with_name(f"{file.name}.part"), plan)
