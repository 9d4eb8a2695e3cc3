"""The databases of `tests.tables`."""

from tests.tables.conftest import file_url, opened, postgres, stored, tables, url

__all__ = ["file_url", "opened", "postgres", "stored", "tables", "url"]
