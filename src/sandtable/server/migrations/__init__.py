"""How the tables came to be, step by step, by Alembic; run at every start, one worker at a time."""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

#: Any number does, as long as every worker takes the same.
_ONE_AT_A_TIME = 7_263_001


def migrate(connection: Connection) -> str:
    """Bring a database to the newest form of the tables; gives its revision."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)

    def upgrade(revision: object, context: MigrationContext) -> object:
        return scripts._upgrade_revs("head", revision)  # type: ignore[arg-type]

    with EnvironmentContext(config, scripts, fn=upgrade) as environment:
        environment.configure(connection=connection, transactional_ddl=False)
        environment.run_migrations()
    head = scripts.get_current_head()
    assert head is not None
    return head
