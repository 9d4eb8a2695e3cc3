"""What tests of minds share with those of tables."""

from __future__ import annotations

from tests.tables.conftest import file_url, opened, postgres, stored, tables, url

__all__ = ["file_url", "opened", "postgres", "stored", "tables", "url"]
