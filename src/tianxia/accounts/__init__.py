"""Accounts: who plays here by a name of their own, and how they prove it. Knows no page.

Nobody needs one: a guest is a random id in a cookie, `person` everywhere at tables. An account is
a person, too, so tables need not know which of both sits there: ``accounts.person(account_id)`` is
the id, and ``seats.account`` names the account of a seat.

>>> from tianxia.accounts import Accounts
>>> from tianxia.tables import Tables
>>> tables = Tables("sqlite://")
>>> accounts = Accounts(tables, "a secret of the server")
>>> ann = accounts.register("Ann", password="correct horse")
>>> accounts.named("ANN") == ann, ann.bot
(True, False)
>>> tables.close()
"""

from __future__ import annotations

from tianxia.accounts.errors import AccountError, NameTaken
from tianxia.accounts.model import Account
from tianxia.accounts.service import Accounts

__all__ = ["Account", "AccountError", "Accounts", "NameTaken"]
