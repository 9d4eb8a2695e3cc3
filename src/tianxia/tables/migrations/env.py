"""What Alembic runs: always on the connection that `tianxia.tables.upgrade` hands over."""

from __future__ import annotations

from alembic import context

from tianxia.tables.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
