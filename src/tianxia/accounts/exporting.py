"""All that is stored about an account, for whoever it belongs to."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from tianxia.accounts.model import Account
from tianxia.tables import schema
from tianxia.tables.game_log import TO_BOTS

if TYPE_CHECKING:
    from tianxia.accounts.service import Accounts

_seats, _holders, _heads = schema.seats.c, schema.holders.c, schema.tables.c
_entries, _talk = schema.entries.c, schema.talk.c
_made, _entered, _paired = schema.tournaments.c, schema.entrants.c, schema.pairings.c
OTHER = {
    "ratings": (schema.ratings.c.account, "game pace mu sigma games"),
    "rated_games": (schema.results.c.account, "ended table_id seat place mu sigma"),
    "programs": (schema.accounts.c.owner, "created name"),
    "told": (schema.told.c.person, "way pace wanted"),
    "browsers": (schema.subscriptions.c.person, "created endpoint language"),
    "messages": (schema.messages.c.person, "since way table_id seat due"),
    "holidays": (schema.holidays.c.person, "since until"),
    "said_while_watching": (schema.gallery.c.person, "at table_id text"),
    "shunned": (schema.shunned.c.person, "at name how"),
    "reports": (schema.reports.c.reporter, "at about_name table_id reason text"),
    "waits_for_somebody": (schema.seeks.c.person, "created spec pace rated"),
    "here": (schema.visitors.c.person, "at"),
    "open_pages": (schema.pages.c.person, "at table_id"),
}
"""What else is stored of somebody: by which column it is theirs, and what of it they are told."""
TIMES = frozenset(("at", "changed", "created", "ended", "until", "since", "due"))
WORDS = {"table_id": "table", "spec": "game", "token": "action", "data": "board"}


def exported(accounts: Accounts, account: Account) -> dict[str, Any]:
    """Return all that is stored about an account, without what would open it for others."""
    found: dict[str, Any] = {
        "account": {
            "id": account.id,
            "name": account.name,
            "bot": account.bot,
            "mail": account.mail,
            "language": account.language,
            "created": _time(account.created),
            "last_day": _time(account.seen),
            "password": accounts.has_password(account),
            "recovery_codes_left": accounts.codes_left(account),
        },
        "passkeys": [
            {"name": one.name, "created": _time(one.created), "used": _time(one.used)}
            for one in accounts.passkeys(account)
        ],
        "sessions": [
            {"device": one.device, "created": _time(one.created), "seen": _time(one.seen)}
            for one in accounts.sessions.of(account)
        ],
        "tokens": [
            {
                "name": one.name,
                "scopes": sorted(one.scopes),
                "created": _time(one.created),
                "expires": _time(one.expires),
            }
            for one in accounts.tokens.of(account)
        ],
    }
    with accounts.store.reading() as connection:
        found["tables"] = _tables(connection, account)
        found["tournaments"] = _tournaments(connection, account)
        found["boards"] = _boards(connection, account)
        found |= {name: _rows(connection, account, *rows) for name, rows in OTHER.items()}
    return found


def _rows(
    connection: sa.Connection, account: Account, whose: sa.Column[str], names: str
) -> list[dict[str, Any]]:
    """Return the rows that belong to an account, or to the person (a digest) that it is."""
    owner = account.person if whose.name in ("person", "reporter") else account.id
    columns = [whose.table.c[name] for name in names.split()]
    return _told(connection, sa.select(*columns).where(whose == owner).order_by(*columns))


def _told(connection: sa.Connection, query: sa.Select[Any]) -> list[dict[str, Any]]:
    """Return the rows that a query finds, their columns by the names that people are told."""
    return [
        {
            WORDS.get(name, name): _time(value) if name in TIMES and value is not None else value
            for name, value in row.items()
        }
        for row in connection.execute(query).mappings()
    ]


def _tables(connection: sa.Connection, account: Account) -> list[dict[str, Any]]:
    """Return what is stored of an account's seats: its own decisions and remarks."""
    query = (
        sa.select(
            _heads.id, _heads.spec, _heads.status, _heads.created, _seats.seat, _seats.name,
            _seats.seed, _seats.standing,
        )
        .join_from(schema.tables, schema.seats)
        .where(_seats.account == account.id)
        .order_by(_heads.created)
    )  # fmt: skip
    return [
        {
            "table": row.id,
            "game": row.spec,
            "status": row.status,
            "created": _time(row.created),
            "seat": row.seat,
            "name": row.name,
            "seed": row.seed,
            "answers_in_advance": row.standing.split(),
            "decisions": _decisions(connection, row.id, row.seat),
            "remarks": _remarks(connection, row.id, row.seat),
        }
        for row in connection.execute(query).all()
    ]


def _decisions(connection: sa.Connection, table_id: str, seat: int) -> list[dict[str, Any]]:
    """Return what a seat's person has done, without what a bot has that plays on for them.

    That is not theirs, and may be secret still.
    """
    query = sa.select(_entries.at, _entries.kind, _entries.token)
    mine = query.where(_entries.table_id == table_id, _entries.seat == seat)
    own, away = list[dict[str, Any]](), False
    for entry in _told(connection, mine.order_by(_entries.number)):
        away = away and entry["kind"] != "return"
        if not away:
            own.append(entry)
        away = away or entry["kind"] in TO_BOTS
    return own


def _remarks(connection: sa.Connection, table_id: str, seat: int) -> list[dict[str, Any]]:
    query = sa.select(_talk.at, _talk.kind, _talk.text)
    mine = query.where(_talk.table_id == table_id, _talk.seat == seat)
    return _told(connection, mine.order_by(_talk.number))


def _tournaments(connection: sa.Connection, account: Account) -> list[dict[str, Any]]:
    """Return the tournaments that an account has made or entered, and what came of its rounds."""
    entered = sa.select(_entered.number).where(
        _entered.tournament_id == _made.id, _entered.account == account.id
    )
    query = (
        sa.select(_made.id, _made.name, _made.created, _made.maker, entered.scalar_subquery())
        .where(
            (_made.maker == account.id)
            | _made.id.in_(sa.select(_entered.tournament_id).where(_entered.account == account.id))
        )
        .order_by(_made.created)
    )
    return [
        {
            "tournament": made_id,
            "name": name,
            "created": _time(created),
            "made": maker == account.id,
            "entered": number is not None,
            "rounds": [] if number is None else _rounds(connection, made_id, number),
        }
        for made_id, name, created, maker, number in connection.execute(query).all()
    ]


def _rounds(connection: sa.Connection, tournament_id: str, number: int) -> list[dict[str, Any]]:
    query = sa.select(_paired.round, _paired.table_id, _paired.points)
    mine = query.where(_paired.tournament_id == tournament_id, _paired.entrant == number)
    return _told(connection, mine.order_by(_paired.round))


def _boards(connection: sa.Connection, account: Account) -> list[dict[str, Any]]:
    drawn = schema.boards.c
    query = sa.select(drawn.id, drawn.changed, drawn.data).where(drawn.person == account.person)
    found = _told(connection, query.order_by(drawn.changed))
    return [one | {"board": json.loads(one["board"])} for one in found]


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
