"""Whether a database keeps what it acknowledges; a server does not start on one that may forget."""

import sqlalchemy as sa

from sandtable.server.database.unusable import Unusable


class NotDurable(Unusable):
    """The database may lose what it has acknowledged; the message says which setting to change."""


def see_durable(connection: sa.Connection) -> None:
    """Fail unless the database keeps what it acknowledges, whatever happens to the machine."""
    if connection.dialect.name == "sqlite":
        level = connection.exec_driver_sql("PRAGMA synchronous").scalar_one()
        if level < 2:
            raise NotDurable(f"SQLite's `synchronous` is {level}; it must be FULL (2)")
        return
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        found = connection.exec_driver_sql(f"SHOW {setting}").scalar_one()
        if found not in ("on", "remote_apply", "remote_write"):
            raise NotDurable(f"PostgreSQL's `{setting}` is {found}; set it to on, or acknowledged answers may be lost")
