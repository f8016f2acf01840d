"""What Alembic runs: the steps, on the connection that `migrate` holds. Not for the alembic command."""

from alembic import context

from heed.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
