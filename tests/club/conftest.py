"""Servers that the club's tests share, and an empty store in each database."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from companion.benchmarks.mosquitto import Mosquitto
from companion.club.database import open_database
from companion.club.store import Store
from tests.club.servers import mosquitto, postgresql


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with postgresql() as address:
        yield address


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """Empty, for one test."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres_server


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path / "broker") as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of an empty database, once of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "club.db")
    return str(request.getfixturevalue("postgres"))


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    found = Store(open_database(address))
    yield found
    found.close()
