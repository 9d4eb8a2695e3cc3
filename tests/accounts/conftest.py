"""Accounts to test with: those of the fixtures of tables, on both kinds of databases."""

from __future__ import annotations

import pytest

from tests.tables.conftest import file_url, opened, postgres, stored, tables, url
from tianxia.accounts import Accounts
from tianxia.tables import Tables

__all__ = ["file_url", "opened", "postgres", "stored", "tables", "url"]

SECRET = "a secret for tests only"


@pytest.fixture
def accounts(stored: Tables) -> Accounts:
    """Return accounts on SQLite, then on PostgreSQL."""
    return Accounts(stored, SECRET)
