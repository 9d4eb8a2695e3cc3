"""What the database holds. `migrations` builds exactly this; a test compares."""

from __future__ import annotations

import sqlalchemy as sa

HEAD = "0024"
"""The newest migration."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

ID = sa.String(32)
HASH = sa.String(64)


def _of_table() -> sa.Column[str]:
    return sa.Column(
        "table_id", ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )


tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("talk", sa.Boolean, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("updated", sa.Float(53), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # every change makes it one larger
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("ending", sa.String(20), nullable=False),
    sa.Column("acting", sa.Integer, nullable=False),  # who may act, as bits
    sa.Column("bot_turn", sa.Boolean, nullable=False),  # whether a bot may
    sa.Column("chance_secret", HASH, nullable=False),
    sa.Column("chance_hash", HASH, nullable=False),
    sa.Column("next_id", ID, nullable=True),  # the rematch
    # Who made it, as digests of the person and of the address; only bots sit at `bots_only`.
    sa.Column("maker", HASH, nullable=False, server_default=""),
    sa.Column("origin", HASH, nullable=False, server_default=""),
    sa.Column("bots_only", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("pace", sa.String(12), nullable=False, server_default=""),  # see `clocks.Pace`
    # Whether who comes back has the seat again that a bot has played for him.
    sa.Column("returns", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("deadline", sa.Float(53), nullable=True),  # when the next flag falls
    # Whether everybody who plays has to add a seed to the secret of chance.
    sa.Column("seeded", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("ix_tables_deadline", "deadline"),
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("ix_tables_rated_updated", "rated", "updated"),
    # Of which tournament it is a game; empty: of none.
    sa.Column("tournament_id", ID, nullable=False, server_default=""),
    # How many actions follow the guided first game of the game; -1: it is none.
    sa.Column("guided", sa.Integer, nullable=False, server_default="-1"),
    # From which finished games its first actions come, as JSON; see `sources`.
    sa.Column("sources", sa.Text, nullable=False, server_default=""),
    sa.Index("ix_tables_status_updated", "status", "updated"),
    sa.Index("ix_tables_bot_turn", "bot_turn"),
    sa.Index("ix_tables_bots_only_status", "bots_only", "status"),
    sa.Index("ix_tables_public_status", "public", "status"),
    sa.Index("ix_tables_public_status_created", "public", "status", "created"),
    # With `updated`, else quotas would be counted through all tables of a status.
    sa.Index("ix_tables_maker_status_updated", "maker", "status", "updated"),
    sa.Index("ix_tables_origin_status_updated", "origin", "status", "updated"),
)

seats = sa.Table(
    "seats",
    metadata,
    _of_table(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("bot", sa.String(60), nullable=False),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("reserved", sa.Boolean, nullable=False),  # for who had a seat in the game before
    # Names of answers that it has given in advance, with spaces between.
    sa.Column("standing", sa.Text, nullable=False, server_default=""),
    sa.Column("stand_in", sa.Boolean, nullable=False, server_default=sa.false()),
    # Who plays, or has played, for it; empty for guests and bots of ours.
    sa.Column("account", ID, nullable=False, server_default=""),
    sa.Index("ix_seats_account", "account"),
)

keys = sa.Table(
    "keys",
    metadata,
    _of_table(),
    sa.Column("key_hash", HASH, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
)

holders = sa.Table(
    "holders",
    metadata,
    _of_table(),
    sa.Column("person", HASH, primary_key=True),  # a digest: the id itself is not stored
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("key_hash", HASH, nullable=False),
    sa.Column("key_sealed", sa.Text, nullable=False),
    sa.Index("ix_holders_person", "person"),
)

entries = sa.Table(
    "entries",
    metadata,
    _of_table(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("seat", sa.Integer, nullable=True),
    sa.Column("action", sa.Integer, nullable=True),
    sa.Column("batch", sa.Integer, nullable=False),  # the first entry of those sent together
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("token", sa.Text, nullable=True),  # the action in words that need no rules
    sa.Column("position", sa.LargeBinary, nullable=True),  # see `log.pack`
    sa.Column("undone", sa.Text, nullable=True),  # entries taken back, as JSON
    sa.Column("seconds", sa.Float(53), nullable=False, server_default="0"),  # see `log.Row`
)

presence = sa.Table(  # when a seat's page was last open
    "presence",
    metadata,
    _of_table(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float(53), nullable=False),
)

holidays = sa.Table(
    "holidays",
    metadata,
    sa.Column("person", HASH, primary_key=True),
    sa.Column("since", sa.Float(53), primary_key=True),
    sa.Column("until", sa.Float(53), nullable=False),
)

beats = sa.Table(  # when clocks, and tournaments, were looked after last: a row each
    "beats",
    metadata,
    sa.Column("name", sa.String(20), primary_key=True),
    sa.Column("at", sa.Float(53), nullable=False),
)

leases = sa.Table(
    "leases",
    metadata,
    _of_table(),
    sa.Column("owner", sa.String(120), nullable=False),
    sa.Column("until", sa.Float(53), nullable=False),
    sa.Column("version", sa.Integer, nullable=False, server_default="0"),  # that it is about
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),  # that have failed
)

talk = sa.Table(
    "talk",
    metadata,
    _of_table(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("id", sa.String(16), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("audience", sa.Integer, nullable=False),  # the seats that may read it, as bits
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("about", sa.String(16), nullable=False),  # a pact's id, or a seat that is muted
)

reviews = sa.Table(
    "reviews",
    metadata,
    _of_table(),
    sa.Column("found", sa.Text, nullable=False),  # JSON: see `tianxia.tables.reviews`
)

questions = sa.Table(  # what people ask minds; see `tianxia.tables.work`
    "questions",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("table_id", ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("decision", sa.Integer, nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("stage", sa.String(10), nullable=False),
    sa.Column("part", sa.Integer, nullable=False),  # per cent
    sa.Column("answer", sa.Text, nullable=False),  # JSON
    sa.Column("owner", sa.String(120), nullable=False),
    sa.Column("until", sa.Float(53), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Index("ix_questions_stage_at", "stage", "at"),
    sa.Index("ix_questions_table_id", "table_id"),
)

notices = sa.Table(  # what PostgreSQL says by NOTIFY, for the processes that share an SQLite file
    "notices",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("channel", sa.String(20), nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("origin", sa.String(16), nullable=False),  # who need not be told
)

minds = sa.Table(  # how far the code of each game's bots is on each machine
    "minds",
    metadata,
    sa.Column("host", sa.String(60), primary_key=True),
    sa.Column("game", sa.String(60), primary_key=True),
    sa.Column("stage", sa.String(10), nullable=False),
    sa.Column("part", sa.Integer, nullable=False),  # per cent
    sa.Column("seconds", sa.Integer, nullable=True),  # left, about
    sa.Column("at", sa.Float(53), nullable=False),
)

samples = sa.Table(  # what processes have counted: a row each, for five minutes
    "samples",
    metadata,
    sa.Column("slot", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("process", sa.String(120), primary_key=True),
    sa.Column("figures", sa.Text, nullable=False),  # JSON: see `tianxia.tables.samples`
)


looks = sa.Table(  # finished games that are looked at together; see `tianxia.lobby.together`
    "looks",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("table_id", ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # one larger with every step
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("name", sa.Text, nullable=False),  # of whoever stepped there
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Index("ix_looks_table_id", "table_id"),
    sa.Index("ix_looks_at", "at"),
)


# --- Ratings: see `tianxia.ratings` ---

results = sa.Table(  # of rated games, in the order in which they were counted
    "results",
    metadata,
    _of_table(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),  # of the game
    sa.Column("account", ID, nullable=False),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("ended", sa.Float(53), nullable=False),
    sa.Column("place", sa.Integer, nullable=False),  # 0 is the best; equal ones are ties
    sa.Column("mu", sa.Float(53), nullable=False),  # after the game
    sa.Column("sigma", sa.Float(53), nullable=False),
    sa.Index("ix_results_number_seat", "number", "seat", unique=True),
    sa.Index("ix_results_account_game_pace_number", "account", "game", "pace", "number"),
)

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("account", ID, primary_key=True),
    sa.Column("game", sa.String(60), primary_key=True),
    sa.Column("pace", sa.String(8), primary_key=True),
    sa.Column("mu", sa.Float(53), nullable=False),
    sa.Column("sigma", sa.Float(53), nullable=False),
    sa.Column("points", sa.Float(53), nullable=False),  # what leaderboards go by
    sa.Column("games", sa.Integer, nullable=False),
    sa.Index("ix_ratings_game_pace_points", "game", "pace", "points"),
)

bot_matches = sa.Table(  # games that count for bots, in their order: see `ratings.bots`
    "bot_matches",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("source", sa.String(60), nullable=False),  # a table, or a game of an arena
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("players", sa.Text, nullable=False),  # JSON: bots, and the ratings of people then
    sa.Column("places", sa.Text, nullable=False),  # JSON
    sa.Index("ix_bot_matches_source", "source", unique=True),
)

bot_ratings = sa.Table(
    "bot_ratings",
    metadata,
    sa.Column("game", sa.String(60), primary_key=True),
    sa.Column("bot", sa.String(60), primary_key=True),
    sa.Column("mu", sa.Float(53), nullable=False),
    sa.Column("sigma", sa.Float(53), nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
)

played = sa.Table(  # finished games by seat, for profiles and lists: see `ratings.played`
    "played",
    metadata,
    _of_table(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("account", ID, nullable=False),  # of a person; else empty
    sa.Column("bot", sa.String(60), nullable=False),  # which has played; else empty
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("ended", sa.Float(53), nullable=False),
    sa.Column("result", sa.String(5), nullable=False),  # won, lost, drawn; none: it does not count
    sa.Column("opening", sa.Text, nullable=False),  # tokens of what an account chose first
    sa.Index("ix_played_ended", "ended"),
    sa.Index("ix_played_account_ended", "account", "ended", "table_id"),
    sa.Index("ix_played_account_public_ended", "account", "public", "ended", "table_id"),
    sa.Index("ix_played_public_seat_ended", "public", "seat", "ended", "table_id"),
    sa.Index("ix_played_public_seat_game_ended", "public", "seat", "game", "ended", "table_id"),
)


# --- Being told: see `tianxia.telling`. People are digests here, as in `holders`. ---

subscriptions = sa.Table(  # browsers that take push messages
    "subscriptions",
    metadata,
    sa.Column("id", HASH, primary_key=True),  # the digest of `endpoint`
    sa.Column("person", HASH, nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),
    sa.Column("keys", sa.Text, nullable=False),  # JSON: p256dh and auth
    sa.Column("language", sa.String(5), nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Index("ix_subscriptions_person", "person"),
)

told = sa.Table(  # of what somebody does not want to be told, and how
    "told",
    metadata,
    sa.Column("person", HASH, primary_key=True),
    sa.Column("way", sa.String(8), primary_key=True),  # "push" or "mail"
    sa.Column("pace", sa.String(8), primary_key=True),  # see `clocks.Pace.category`
    sa.Column("wanted", sa.Boolean, nullable=False),
)

messages = sa.Table(  # what is on its way to somebody; rows go a day after their turn
    "messages",
    metadata,
    sa.Column("id", HASH, primary_key=True),  # the digest of person, way and turn
    sa.Column("person", HASH, nullable=False),
    sa.Column("way", sa.String(8), nullable=False),
    sa.Column("table_id", ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("since", sa.Float(53), nullable=False),  # when the seat was asked
    sa.Column("due", sa.Float(53), nullable=True),  # None once it is sent, or given up
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Index("ix_messages_due", "due"),
    sa.Index("ix_messages_since", "since"),
    sa.Index("ix_messages_table_id", "table_id"),
)


# --- Accounts: see `tianxia.accounts` ---


def _of_account(*, primary_key: bool = False, nullable: bool = False) -> sa.Column[str]:
    key = sa.ForeignKey("accounts.id", ondelete="CASCADE")
    return sa.Column("account_id", ID, key, primary_key=primary_key, nullable=nullable)


accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("name_key", sa.String(60), nullable=False),  # see `accounts.names.key`
    # The digest of the person that it is at tables: `holders.person`, `tables.maker`.
    sa.Column("person", HASH, nullable=False),
    sa.Column("bot", sa.Boolean, nullable=False),  # a program decides
    sa.Column("owner", ID, nullable=False, server_default=""),  # of a bot: whose account made it
    sa.Column("role", sa.String(10), nullable=False, server_default=""),  # or "admin"
    sa.Column("suspended", sa.Float(53), nullable=True),  # until when
    sa.Column("password", sa.Text, nullable=False, server_default=""),
    sa.Column("mail", sa.Text, nullable=False, server_default=""),  # confirmed, or empty
    sa.Column("language", sa.String(5), nullable=False, server_default=""),
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("seen", sa.Float(53), nullable=False),  # to the day
    sa.Index("ix_accounts_name_key", "name_key", unique=True),
    sa.Index("ix_accounts_person", "person", unique=True),
    sa.Index("ix_accounts_mail", "mail"),
    sa.Index("ix_accounts_owner", "owner"),
)

passkeys = sa.Table(
    "passkeys",
    metadata,
    sa.Column("id", HASH, primary_key=True),  # the digest of `credential`
    _of_account(),
    sa.Column("credential", sa.Text, nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("used", sa.Float(53), nullable=False),
    sa.Index("ix_passkeys_account_id", "account_id"),
)

recovery_codes = sa.Table(
    "recovery_codes",
    metadata,
    _of_account(primary_key=True),
    sa.Column("code_hash", HASH, primary_key=True),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", HASH, primary_key=True),  # the digest of what the cookie holds
    _of_account(),
    sa.Column("device", sa.Text, nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("seen", sa.Float(53), nullable=False),  # to the hour
    sa.Column("expires", sa.Float(53), nullable=False),
    sa.Index("ix_sessions_account_id", "account_id"),
    sa.Index("ix_sessions_expires", "expires"),
)

pending = sa.Table(  # what is confirmed once, and before it expires: links by mail, challenges
    "pending",
    metadata,
    sa.Column("id", HASH, primary_key=True),  # the digest of what is sent back
    _of_account(nullable=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("about", sa.Text, nullable=False, server_default=""),
    sa.Column("expires", sa.Float(53), nullable=False),
    sa.Index("ix_pending_account_id", "account_id"),
    sa.Index("ix_pending_expires", "expires"),
)

tokens = sa.Table(  # of programs
    "tokens",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _of_account(),
    sa.Column("hash", HASH, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),  # with spaces between
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("expires", sa.Float(53), nullable=False),
    sa.Column("used", sa.Float(53), nullable=True),
    sa.Index("ix_tokens_account_id", "account_id"),
    sa.Index("ix_tokens_hash", "hash", unique=True),
)

guesses = sa.Table(  # how often somebody has tried to get in: buckets that leak
    "guesses",
    metadata,
    sa.Column("id", HASH, primary_key=True),  # of a name, or an address
    sa.Column("level", sa.Float(53), nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),
)


# --- Meeting: see `tianxia.lobby`. People are digests here, as in `holders`. ---

seeks = sa.Table(  # who waits to be paired
    "seeks",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("person", HASH, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("pace", sa.String(12), nullable=False),
    sa.Column("table_id", ID, nullable=False, server_default=""),  # where they have met
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),  # when they were last there
    # Whether the game shall be rated, where all who meet want that and have accounts.
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("origin", HASH, nullable=False, server_default=""),  # a digest of their address
    sa.Index("ix_seeks_person", "person"),
    sa.Index("ix_seeks_table_id_at", "table_id", "at"),
    sa.Index("ix_seeks_at", "at"),
)

visitors = sa.Table(  # who is here
    "visitors",
    metadata,
    sa.Column("person", HASH, primary_key=True),
    sa.Column("account", ID, nullable=False, server_default=""),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Index("ix_visitors_at", "at"),
)

pages = sa.Table(  # pages of tables that are open now; see `tianxia.lobby.company`
    "pages",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _of_table(),
    sa.Column("person", HASH, nullable=False),
    sa.Column("look", ID, nullable=False),  # of `looks`, or empty
    sa.Column("name", sa.Text, nullable=False),  # of a guest
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Index("ix_pages_table_id", "table_id"),
    sa.Index("ix_pages_at", "at"),
)

gallery = sa.Table(  # what those who watch a table say to one another
    "gallery",
    metadata,
    _of_table(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("id", sa.String(16), nullable=False),
    sa.Column("person", HASH, nullable=False),
    sa.Column("account", ID, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)

shunned = sa.Table(  # whom somebody does not want to meet, or to hear
    "shunned",
    metadata,
    sa.Column("person", HASH, primary_key=True),
    sa.Column("other", HASH, primary_key=True),
    sa.Column("how", sa.String(5), nullable=False),  # "block" or "mute"
    sa.Column("name", sa.Text, nullable=False),  # what the other was called
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Index("ix_shunned_other", "other"),
)

reports = sa.Table(  # what somebody thinks that the host should see
    "reports",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("reporter", HASH, nullable=False),
    sa.Column("reporter_name", sa.Text, nullable=False),
    sa.Column("about", HASH, nullable=False),  # a person, or empty
    sa.Column("account", ID, nullable=False),  # theirs, or empty
    sa.Column("about_name", sa.Text, nullable=False),
    sa.Column("table_id", ID, nullable=False),  # kept when the table is gone
    sa.Column("reason", sa.String(20), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("context", sa.Text, nullable=False),  # JSON: what was said, and who sat where
    sa.Column("settled", sa.Float(53), nullable=True),
    sa.Column("verdict", sa.Text, nullable=False, server_default=""),
    sa.Index("ix_reports_settled_at", "settled", "at"),
    sa.Index("ix_reports_reporter_at", "reporter", "at"),
)

audit = sa.Table(  # what those who look after the server have done
    "audit",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("what", sa.String(20), nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
)


# --- Tournaments: see `tianxia.tournaments` ---

tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("maker", ID, nullable=False),  # an account; empty once that is deleted
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("pace", sa.String(12), nullable=False),
    sa.Column("system", sa.String(12), nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("bots", sa.Boolean, nullable=False),  # whether accounts of programs may enter
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("starts", sa.Float(53), nullable=True),  # by itself
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("due", sa.Float(53), nullable=True),  # until when people may come to their games
    sa.Column("version", sa.Integer, nullable=False),  # every change makes it one larger
    sa.Index("ix_tournaments_public_status_created", "public", "status", "created"),
    sa.Index("ix_tournaments_status_starts", "status", "starts"),
    sa.Index("ix_tournaments_maker_status", "maker", "status"),
)


def _of_tournament() -> sa.Column[str]:
    key = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    return sa.Column("tournament_id", ID, key, primary_key=True)


entrants = sa.Table(
    "entrants",
    metadata,
    _of_tournament(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("account", ID, nullable=True),  # none once it is deleted
    sa.Column("strength", sa.Float(53), nullable=False),  # the rating when they entered
    sa.Column("gone", sa.Boolean, nullable=False),  # whether they are paired no more
    sa.Index("ix_entrants_tournament_id_account", "tournament_id", "account", unique=True),
    sa.Index("ix_entrants_account", "account"),
)

pairings = sa.Table(  # a row for each entrant and round
    "pairings",
    metadata,
    _of_tournament(),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("board", sa.Integer, nullable=True),  # none: they have nobody to play
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("table_id", ID, nullable=False),  # empty until there is one
    sa.Column("points", sa.Float(53), nullable=True),  # none while the game lasts
    sa.Index("ix_pairings_table_id", "table_id"),
)


# --- Boards that people have drawn: see `tables.boards`. People are digests, as in `holders`. ---

boards = sa.Table(
    "boards",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("person", HASH, nullable=False),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),  # JSON
    sa.Column("changed", sa.Float(53), nullable=False),
    sa.Index("ix_boards_person_changed", "person", "changed"),
)
