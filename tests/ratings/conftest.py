"""Accounts on the databases of `tests.tables`."""

from tests.accounts.conftest import accounts
from tests.tables.conftest import file_url, opened, postgres, stored, tables, url

__all__ = ["accounts", "file_url", "opened", "postgres", "stored", "tables", "url"]
