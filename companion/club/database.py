"""The two databases that results are kept in, behind one way to speak to them. Knows no table of theirs."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import psycopg

POSTGRES = ("postgresql://", "postgres://")
PATIENCE_SECONDS = 10  # for another server that writes at this moment
_SETTING_UP = 7_310_119  # what those who make the tables at the same time wait for
Value = str | int | float | None
Row = Sequence[Value]


class StoreError(Exception):
    """The database cannot be used: which, why, what to do."""


class Database(Protocol):
    """A place for tables. Statements have `?` for each value, in both."""

    name: str

    def transaction(self, *, reading: bool = False) -> "AbstractContextManager[Work]":
        """All of it or nothing; it is on disk when this has been left. `reading`: it changes nothing."""
        ...

    def close(self) -> None: ...


class Work(Protocol):
    """What a transaction does."""

    def run(self, statement: str, *values: Value) -> int:
        """How many rows it concerned."""
        ...

    def rows(self, statement: str, *values: Value) -> Sequence[Row]: ...

    def alone(self) -> None:
        """Nobody else makes tables until this is over."""
        ...


def open_database(where: str) -> Database:
    """The database of that address, or the SQLite file of that name."""
    if where.startswith(POSTGRES):
        return Postgres(where)
    return SQLite(Path(where))


# --- SQLite ----------------------------------------------------------------------------------------------


class _SQLiteWork:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, *values: Value) -> int:
        return self._connection.execute(statement, values).rowcount

    def rows(self, statement: str, *values: Value) -> Sequence[Row]:
        return self._connection.execute(statement, values).fetchall()

    def alone(self) -> None:
        """Every transaction is alone here."""


class SQLite:
    """A file; several servers on one machine may share it."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._mutex = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
        except (sqlite3.Error, OSError) as error:
            raise self._trouble(error) from None

    @contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[Work]:
        with self._mutex:
            try:
                self._connection.execute("BEGIN" if reading else "BEGIN IMMEDIATE")
                try:
                    yield _SQLiteWork(self._connection)
                except BaseException:
                    self._connection.rollback()
                    raise
                self._connection.commit()
            except sqlite3.Error as error:
                raise self._trouble(error) from None

    def _trouble(self, error: Exception) -> StoreError:
        said = error.strerror if isinstance(error, OSError) else str(error)
        return StoreError(f"the results in {self.name} cannot be used: {said}; check the file and the disk")

    def close(self) -> None:
        with self._mutex:
            self._connection.close()


# --- PostgreSQL ------------------------------------------------------------------------------------------


class _PostgresWork:
    def __init__(self, connection: "psycopg.Connection") -> None:
        self._connection = connection

    def run(self, statement: str, *values: Value) -> int:
        return self._connection.execute(_dialect(statement), values).rowcount

    def rows(self, statement: str, *values: Value) -> Sequence[Row]:
        return self._connection.execute(_dialect(statement), values).fetchall()

    def alone(self) -> None:
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SETTING_UP,))


def _dialect(statement: str) -> bytes:
    return (
        statement.replace("?", "%s").replace("REAL", "DOUBLE PRECISION").replace("INTEGER", "BIGINT").encode()
    )


class Postgres:
    """A server; connected anew when the connection was lost."""

    def __init__(self, address: str) -> None:
        try:
            import psycopg  # noqa: PLC0415 - only who keeps results there needs it
        except ImportError:
            text = 'results in PostgreSQL need the package psycopg: pip install "boxlid[club]"'
            raise StoreError(text) from None
        self._psycopg = psycopg
        self._address = address
        self._mutex = threading.Lock()
        self._connection: psycopg.Connection | None = None
        self.name = without_password(address)
        with self.transaction():
            """Whether it can be reached is said at once."""

    @contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[Work]:  # noqa: ARG002 - readers wait for nobody
        with self._mutex:
            try:
                connection = self._connected()
                with connection.transaction():
                    yield _PostgresWork(connection)
            except (self._psycopg.OperationalError, self._psycopg.InterfaceError) as error:
                self._drop()
                raise self._trouble(error) from None
            except self._psycopg.Error as error:
                raise self._trouble(error) from None

    def _connected(self) -> "psycopg.Connection":
        if self._connection is None or self._connection.closed:
            self._connection = self._psycopg.connect(
                self._address, autocommit=True, connect_timeout=PATIENCE_SECONDS, client_encoding="UTF8"
            )
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _trouble(self, error: Exception) -> StoreError:
        said = " ".join(str(error).split()) or type(error).__name__
        return StoreError(f"the results in {self.name} cannot be used: {said}; is that PostgreSQL running?")

    def close(self) -> None:
        with self._mutex:
            self._drop()


def without_password(address: str) -> str:
    """As it may stand in a message."""
    scheme, _, rest = address.partition("://")
    who, at, where = rest.rpartition("@")
    return f"{scheme}://{who.partition(':')[0]}{at}{where}".partition("?")[0]
