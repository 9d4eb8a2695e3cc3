"""The command line: ``tianxia serve``, ``play``, ``replay``, ``arena``, ``bench``, ….

Every command imports what it needs when it is called, so that ``tianxia --help`` waits for
nothing. To add one, write a function with a docstring, decorated with ``@app.command()``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup


class Friendly(TyperGroup):
    """Commands whose errors are one sentence and exit status 2 or their own, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        from tianxia.kernel.errors import TianxiaError

        try:
            return super().invoke(ctx)
        except (TianxiaError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            from tianxia.cli.screen import complain

            complain(_sentence(error))
            raise typer.Exit(getattr(error, "exit_status", 2)) from error


def _sentence(error: Exception) -> str:
    """Return what went wrong as a sentence."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename!r}: {error.strerror}; choose another file or folder."
    text = str(error).strip() or type(error).__name__
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


app = typer.Typer(
    name="tianxia",
    cls=Friendly,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

MOST_SEED = 10**11
"""That of `tianxia.arena.plan`: what is made of larger ones would not fit into files of games."""


def seeded(text: str) -> Any:
    """Return what declares a seed."""
    return typer.Option("--seed", min=0, max=MOST_SEED, help=text)


Language = Annotated[
    str | None,
    typer.Option("--language", "-l", metavar="en|fr", help="Your language; else that of LANG."),
]
GameSpec = Annotated[
    str, typer.Argument(help='A game, such as stratego or "stratego(variant=duel)".')
]
Games = Annotated[
    int, typer.Option("--games", "-n", min=1, help="Games of each combination of bots.")
]
Longest = Annotated[
    int, typer.Option("--longest", min=1, help="Actions after which a game is called a draw.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", "-j", min=1, help="Processes; one per core by default.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster instead (extra ray)."),
]


def parquet(file: Path | None) -> Path | None:
    """Refuse a file that programs would not take for Parquet."""
    if file is not None and file.suffix != ".parquet":
        raise typer.BadParameter(f"{str(file)!r} should end in .parquet")
    return file


Decisions = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="FILE",
        callback=parquet,
        help="Parquet file of decisions; the games go beside it.",
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game; `tianxia games` lists them.",
    ),
]

Protocol = Annotated[
    str,
    typer.Option(
        "--protocol",
        metavar="tianxia|evaluator",
        help="What programs speak: our own lines, or what public Stratego bots speak.",
    ),
]


@app.callback(
    invoke_without_command=True,
    epilog="Play: [bold]tianxia play stratego[/]  ·  look again: [bold]tianxia replay FILE[/]",
)
def tianxia(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Show the version and exit.", is_eager=True)
    ] = False,
) -> None:
    """Games of war and intrigue, to play and to study. Without a command, starts the server."""
    if version:
        from tianxia import __version__

        typer.echo(f"tianxia {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve_tables()


@app.command(
    name="serve",
    epilog="[bold]tianxia serve --open[/]  ·  [bold]tianxia serve --host 0.0.0.0 --port 8080[/]",
)
def serve_tables(
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on; 0.0.0.0 means all.")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", "-p", min=0, max=65535, help="Port; 8000 by default.")
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Show it in your browser.")] = False,
) -> None:
    """Play in the browser: serve tables for you and for anybody who can reach this machine."""
    from tianxia.kernel import mode

    mode.answer_people()  # who answers people never compiles; processes of their own think
    from tianxia.web.serve import serve

    serve(host, port, open_browser=browser)


@app.command(epilog="[bold]TIANXIA_DATABASE=postgresql://db/tianxia tianxia think[/]")
def think(
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes", "-j", min=1, max=256, help="How many; one per core by default."
        ),
    ] = None,
) -> None:
    """Let bots think on this machine for a server elsewhere that uses the same database."""
    from tianxia.kernel import mode

    mode.interpret()
    from tianxia.web.serve import think as think_for

    think_for(processes)


@app.command(epilog="[bold]tianxia prepare[/]  ·  [bold]tianxia prepare china stratego[/]")
def prepare(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="All by default.")
    ] = None,
) -> None:
    """Compile what bots need ahead of time, so that their first move comes at once."""
    from tianxia.kernel import mode

    mode.interpret()
    from tianxia.cli.preparing import prepare_games

    raise typer.Exit(prepare_games(games or []))


@app.command(
    epilog="[bold]tianxia play stratego[/]  ·  "
    "[bold]tianxia play stratego -o variant=duel --seat blue[/]  ·  "
    "[bold]tianxia play --resume last[/]"
)
def play(
    game: Annotated[
        str | None,
        typer.Argument(help='A game, such as stratego or "stratego(variant=duel)".'),
    ] = None,
    option: Options = None,
    bot: Annotated[
        str | None, typer.Option("--bot", "-b", help="Your opponent; the best bot by default.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", "-s", help="Your seat: name or number.")
    ] = None,
    seed: Annotated[int | None, seeded("Same seed: same bots, same dice.")] = None,
    language: Language = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            "-r",
            metavar="FILE",
            help="Go on with a saved game; [bold]last[/] is the last one interrupted.",
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="No colours; never clear the screen.")
    ] = False,
) -> None:
    """Play a game against a bot, here in the terminal."""
    from tianxia.cli.playing import play_game

    raise typer.Exit(play_game(game, option or [], bot, seat, seed, language, resume, plain))


@app.command(
    epilog="[bold]tianxia replay game.txt[/]  ·  [bold]tianxia replay game.txt --step[/]  ·  "
    "[bold]tianxia replay game.txt --ply 40 --text[/]"
)
def replay(
    file: Annotated[Path, typer.Argument(help="A transcript, as play saves it.")],
    step: Annotated[bool, typer.Option("--step", help="Step through it with Enter.")] = False,
    ply: Annotated[
        int | None, typer.Option("--ply", min=0, help="Show the position after so many plies.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Plain text, without colours.")] = False,
    language: Language = None,
) -> None:
    """Replay a saved game: check every action and show how it ended."""
    from tianxia.cli.replaying import replay_file

    raise typer.Exit(replay_file(file, step, ply, text, language))


@app.command(epilog="[bold]tianxia verify stratego-Jx0fQ2mZr9sLkT4a.txt[/]")
def verify(
    file: Annotated[Path, typer.Argument(help="The transcript of a finished table.")],
    language: Language = None,
) -> None:
    """Check a table's transcript: legal actions, and chance against its revealed secret."""
    from tianxia.cli.verifying import verify_file

    raise typer.Exit(verify_file(file, language))


@app.command(epilog="[bold]tianxia ratings[/]")
def ratings(
    arena: Annotated[
        list[Path] | None,
        typer.Option(
            "--arena", metavar="FOLDER", help="Also count an arena's games between our bots."
        ),
    ] = None,
) -> None:
    """Work out all ratings afresh from the stored games, the bots' too."""
    from tianxia.cli.backing import own_tables
    from tianxia.ratings import BotRatings, Ratings
    from tianxia.ratings.arenas import matches_of

    found = [matches_of(folder) for folder in arena or ()]  # before anything is counted
    with own_tables() as tables:
        count, bots = Ratings(tables).recompute(), BotRatings(tables)
        new = [bots.add(matches) for matches in found]
        matches = bots.recompute()
    typer.echo(f"Rated games counted: {count}")
    typer.echo(f"Games counted for bots: {matches} (new: {sum(new)})")


@app.command(
    epilog="[bold]tianxia arena stratego skirmisher random --games 200[/]  ·  "
    '[bold]tianxia arena stratego skirmisher "exec:python3 my_bot.py" --seconds 1[/]'
)
def arena(
    game: GameSpec,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Bots by name; [bold]exec:COMMAND[/] is a program of your own, "
            "[bold]module:name[/] a maker of bots in Python. "
            "More bots than seats all meet one another.",
        ),
    ],
    option: Options = None,
    games: Games = 100,
    seed: Annotated[int, seeded("Same seed: same bots, dice.")] = 0,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", "-t", min=0.001, max=3600, help="A bot's time for a decision."),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            "--patience",
            min=0,
            help="Seconds beyond that before a program loses; the first answer may take 120.",
        ),
    ] = 30.0,
    longest: Longest = 20_000,
    protocol: Protocol = "tianxia",
    folder: Annotated[
        Path | None,
        typer.Option("--folder", "-d", help="Where to keep it; TIANXIA_HOME by default."),
    ] = None,
    workers: Workers = None,
    ray: Cluster = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            callback=parquet,
            help="Also write the games as Parquet (extra lab).",
        ),
    ] = None,
    clock: Annotated[
        str,
        typer.Option(
            "--clock",
            metavar="wall|processor",
            help="What measures a bot's time; the processor's is not affected by other work.",
        ),
    ] = "wall",
    language: Language = None,
) -> None:
    """Let bots play matches: paired seats and dice, intervals, ratings, a report."""
    from tianxia.cli.arena import play_arena

    status = play_arena(
        game,
        players,
        option or [],
        games,
        seed,
        seconds,
        patience,
        longest,
        protocol,
        folder,
        workers,
        language,
        data,
        clock,
        ray,
    )
    raise typer.Exit(status)


@app.command(
    epilog="[bold]tianxia selfplay stratego skirmisher --games 1000 --out games.parquet[/]  ·  "
    '[bold]tianxia selfplay "firebulls(players=3)" search drover random --out games.parquet[/]'
)
def selfplay(
    game: GameSpec,
    players: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="As for arena; a single bot takes all seats."),
    ],
    out: Decisions,
    option: Options = None,
    games: Games = 100,
    seed: Annotated[int, seeded("Same seed: same games.")] = 0,
    longest: Longest = 20_000,
    workers: Workers = None,
    ray: Cluster = None,
    language: Language = None,
) -> None:
    """Let bots play games to learn from: each decision, with what its seat knew, as Parquet."""
    from tianxia.cli.recording import play_for_data

    options = option or []
    raise typer.Exit(
        play_for_data(game, players, options, games, seed, longest, out, workers, language, ray)
    )


@app.command(
    epilog="[bold]tianxia puzzles firebulls --count 50 --out puzzles.json[/]  ·  "
    "[bold]tianxia puzzles firebulls --check[/]"
)
def puzzles(
    game: GameSpec,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="JSON; adds to what is there.")
    ] = None,
    option: Options = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many to find.")] = 50,
    seed: Annotated[int, seeded("Same seed: same puzzles.")] = 0,
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="Look through at most this many games.")
    ] = None,
    lead: Annotated[
        float,
        typer.Option(
            "--lead", min=0.01, max=1, help="How far ahead the answer has to be, out of 2."
        ),
    ] = 0.1,
    stored: Annotated[
        bool, typer.Option("--stored", help="Look in this server's public games instead.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Solve the file's puzzles again, or the built-in ones."),
    ] = False,
    language: Language = None,
) -> None:
    """Find positions in which one decision is clearly best, for /puzzles, or check them again."""
    from tianxia.cli.puzzling import check_puzzles, make_puzzles

    if check:
        raise typer.Exit(check_puzzles(game, out, language))
    raise typer.Exit(
        make_puzzles(game, option or [], count, seed, games, out, stored, lead, language)
    )


@app.command(
    epilog="[bold]tianxia exploit stratego novice --response expert --iterations 0[/]  ·  "
    "[bold]tianxia exploit firebulls journeyman --games 100[/]"
)
def exploit(
    game: GameSpec,
    player: Annotated[
        str,
        typer.Argument(metavar="BOT", help="A bot by name, or [bold]module:name[/], its maker."),
    ],
    option: Options = None,
    seeds: Annotated[
        int,
        typer.Option("--seeds", min=1, max=1000, help="Exactly: how many seeds to give the bot."),
    ] = 8,
    seed: Annotated[int, seeded("The first of them. Same seed: same games.")] = 0,
    position: Annotated[
        str | None,
        typer.Option(
            "--position", help="Exactly: play from this position, as if everybody knew it."
        ),
    ] = None,
    largest: Annotated[
        int, typer.Option("--largest", min=1, help="Exactly: the most positions to look at.")
    ] = 200_000,
    search: Annotated[
        bool, typer.Option("--search", help="Search for a response, however small the game is.")
    ] = False,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="Fresh games, after the search.")
    ] = 200,
    trials: Annotated[
        int, typer.Option("--trials", min=2, help="Games of each candidate at first.")
    ] = 8,
    response: Annotated[
        list[str] | None,
        typer.Option(
            "--response",
            "-r",
            metavar="BOT",
            help="A candidate, such as a trained net; the bots of the game by default.",
        ),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model", metavar="BOT", help="A quicker bot that plays for both in simulations."
        ),
    ] = "",
    iterations: Annotated[
        int,
        typer.Option(
            "--iterations", min=0, help="Simulations of a searched decision; 0: only candidates."
        ),
    ] = 64,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", "-d", help="Where games are kept; TIANXIA_HOME by default."),
    ] = None,
    workers: Workers = None,
    language: Language = None,
) -> None:
    """Say what a best response wins against a bot: exactly in a small game, else by searching."""
    from tianxia.arena.responses import Wish
    from tianxia.cli.exploiting import Exact, exploit_bot

    candidates = tuple(response or ())
    wish = Wish(game, player, games, trials, seed, candidates, model, iterations)
    exact = Exact(seeds, position, largest)
    raise typer.Exit(exploit_bot(wish, option or [], exact, search, folder, workers, language))


@app.command(
    epilog="[bold]tianxia learn suntzu --folder trained --against novice[/]  ·  "
    "[bold]tianxia arena suntzu net:trained/net.npz novice[/]"
)
def learn(
    game: GameSpec,
    option: Options = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", "-d", help="Where to keep it; TIANXIA_HOME by default."),
    ] = None,
    decisions: Annotated[
        int, typer.Option("--decisions", min=0, help="Stop after this many of its own.")
    ] = 2_000_000,
    imitate: Annotated[
        list[Path] | None,
        typer.Option(
            "--imitate",
            "-i",
            metavar="FILE",
            help="Learn first from the games in this file of selfplay or arena.",
        ),
    ] = None,
    of: Annotated[
        str, typer.Option("--of", metavar="BOT", help="Imitate only this bot of these games.")
    ] = "",
    passes: Annotated[
        int, typer.Option("--passes", min=1, help="Learn from each of these games so many times.")
    ] = 2,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", "-a", metavar="BOT", help="Measure it in games against this bot."
        ),
    ] = None,
    every: Annotated[
        int, typer.Option("--every", min=1, help="Decisions between measurements.")
    ] = 200_000,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games per measurement.")] = 40,
    seed: Annotated[int, seeded("Same seed: same net.")] = 0,
    threads: Annotated[int, typer.Option("--threads", "-j", min=1, max=256)] = 1,
    device: Annotated[
        str, typer.Option("--device", help="Where torch computes: cpu, cuda, …")
    ] = "cpu",
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="NAME=VALUE",
            help="How it learns: width=128, magnet=0.1, … (tianxia.envs.learning.Settings).",
        ),
    ] = None,
    onnx: Annotated[bool, typer.Option("--onnx", help="Also write net.onnx.")] = False,
    language: Language = None,
) -> None:
    """Train a net, by self-play or from games of others first; it plays as net:FILE."""
    from tianxia.cli.learning import learn_game

    settings = [f"decisions={decisions}", f"seed={seed}", *(setting or [])]
    imitated = (imitate or [], of, passes)
    measure = (tuple(against or ["random"]), every, games)
    options, where = option or [], (device, threads)
    raise typer.Exit(
        learn_game(game, options, settings, folder, imitated, measure, where, onnx, language)
    )


@app.command(epilog="[bold]tianxia export stratego --out public.parquet[/]")
def export(
    game: Annotated[str, typer.Argument(help="A game's name; its options do not matter.")],
    out: Decisions,
    language: Language = None,
) -> None:
    """Write this server's finished public games as selfplay does, without names."""
    from tianxia.cli.recording import export_games

    raise typer.Exit(export_games(game, out, language))


@app.command(
    epilog='[bold]tianxia arena stratego random "exec:tianxia bot stratego --bot skirmisher"[/]'
)
def bot(
    game: Annotated[str, typer.Argument(help="The game that is played, such as stratego.")],
    name: Annotated[
        str | None, typer.Option("--bot", "-b", help="Which bot answers; the best by default.")
    ] = None,
    protocol: Protocol = "tianxia",
    seed: Annotated[int | None, seeded("For evaluator; random by default.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", "-t", min=0.001, help="For evaluator: time for a move."),
    ] = None,
) -> None:
    """Act as a bot for another program: read questions, write answers."""
    from tianxia.cli.speaking import speak_as

    raise typer.Exit(speak_as(game, name, protocol, seed, seconds))


@app.command(epilog="[bold]tianxia backup /var/backups/tianxia --keep 14[/]")
def backup(
    target: Annotated[
        str, typer.Argument(help="A new file, or a folder/ for files named by their time.")
    ],
    keep: Annotated[
        int, typer.Option("--keep", min=0, help="In a folder, how many backups to keep; 0: all.")
    ] = 0,
    every: Annotated[
        float, typer.Option("--every", min=0, max=8760, help="Keep going, one every so many hours.")
    ] = 0,
    language: Language = None,
) -> None:
    """Copy all tables to a file while the server runs, and check that they can be read back."""
    from tianxia.kernel import mode

    mode.interpret()
    from tianxia.cli.backing import back_up

    raise typer.Exit(back_up(target, keep, every, language))


@app.command(epilog="[bold]TIANXIA_DATABASE=sqlite:///new.sqlite3 tianxia restore FILE[/]")
def restore(
    file: Annotated[Path, typer.Argument(help="A backup, made of either kind of database.")],
    language: Language = None,
) -> None:
    """Read a backup into an empty database, and open every table there."""
    from tianxia.kernel import mode

    mode.interpret()
    from tianxia.cli.backing import read_back

    raise typer.Exit(read_back(file, language))


@app.command(epilog="[bold]tianxia admin reports[/]  ·  [bold]tianxia admin suspend Bob 7[/]")
def admin(
    deed: Annotated[
        str,
        typer.Argument(
            metavar="DEED",
            help="reports, settle ID, suspend NAME DAYS, lift NAME, rename NAME NEW, close TABLE, "
            "promote NAME, demote NAME, end-tournament ID, rename-tournament ID NAME, audit.",
        ),
    ],
    given: Annotated[list[str] | None, typer.Argument(help="What it is about.")] = None,
    why: Annotated[str, typer.Option("--why", help="The reason, for the audit.")] = "",
    language: Language = None,
) -> None:
    """Look after this server's people: reports, suspensions, names, tables, tournaments."""
    from tianxia.kernel import mode

    mode.interpret()
    from tianxia.cli.keeping import keep

    raise typer.Exit(keep(deed, given or [], why, language))


@app.command(epilog="[bold]tianxia boards add my-board.json --name mine[/]")
def boards(
    deed: Annotated[str, typer.Argument(metavar="DEED", help="add, or check.")],
    file: Annotated[Path, typer.Argument(help="A board, exported by the page that draws them.")],
    name: Annotated[
        str, typer.Option("--name", help="Its name in games; the file's by default.")
    ] = "",
    language: Language = None,
) -> None:
    """Offer a board that somebody has drawn to everybody on this server."""
    from tianxia.kernel import mode

    mode.interpret()
    from tianxia.cli.adding import boards as add_board

    raise typer.Exit(add_board(deed, file, name, language))


@app.command()
def games() -> None:
    """List the games that are installed: their options, bots and the version of their rules."""
    from tianxia.cli.listing import list_games

    list_games()


@app.command(epilog="[bold]tianxia bench[/]  ·  [bold]tianxia bench stratego --runs 9[/]")
def bench(
    game: Annotated[str | None, typer.Argument(help="A game; all of them by default.")] = None,
    option: Options = None,
    runs: Annotated[
        int, typer.Option("--runs", min=1, max=99, help="Runs of each measurement.")
    ] = 5,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=60, help="About how long a run takes.")
    ] = 1.0,
    seed: Annotated[int, seeded("Which random games are played.")] = 0,
) -> None:
    """Measure how fast games run on one core of this machine: medians of several runs."""
    from tianxia.cli.benchmark import bench_games

    bench_games(game, option or [], runs, seconds, seed)


def main() -> None:
    """Run the command line."""
    app()
