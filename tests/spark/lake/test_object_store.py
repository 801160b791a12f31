"""A table in an object store: an S3 server in a process of its own, on loopback."""

from __future__ import annotations

import pytest
from deltalake import DeltaTable

from moldau.spark.lake.errors import TableError
from moldau.spark.lake.store import Store
from moldau.spark.lake.transactions import open_table
from moldau.spark.lake.upkeep import compact, vacuum
from tests.judges.object_store import BUCKET, object_store
from tests.spark.lake.tables import add, commit, numbers, options_for, write_files


@pytest.fixture(scope="module")
def storage():
    """The options with which a client finds the server."""
    with object_store() as settings:
        yield settings


def options_in(storage, table, **given):
    named = {f"storage.{name}": text for name, text in storage.items()}
    return options_for(f"{BUCKET}/{table}", **named, **given)


def values_in(storage, table):
    found = DeltaTable(f"{BUCKET}/{table}", storage_options=storage).to_pyarrow_table()
    return sorted(found["number"].to_pylist())


@pytest.mark.timeout(300)
def test_a_batch_is_there_once(storage):
    options = options_in(storage, "once", partitionBy="kind")
    for version, value in ((0, 1), (0, 1), (1, 2)):
        add(options, numbers(value, kind=["a b/ž"]), application="query", version=version)
    assert values_in(storage, "once") == [1, 2]


@pytest.mark.timeout(300)
def test_a_batch_that_comes_again_leaves_no_file(storage):
    options = options_in(storage, "again")
    add(options, numbers(1), application="query", version=0)
    parts = write_files(options, numbers(1))
    store = Store(options.path, options.storage)
    assert store.has(parts[0].path)
    assert not commit(options, numbers(1), parts, application="query", version=0)
    assert not store.has(parts[0].path)


@pytest.mark.timeout(300)
def test_of_two_writers_both_add_their_rows(storage, monkeypatch):
    options = options_in(storage, "race")
    add(options, numbers(0), application="one", version=0)
    stale = open_table(options.path, dict(storage))
    add(options, numbers(1), application="one", version=1)
    tables = iter([stale])
    monkeypatch.setattr(
        "moldau.spark.lake.transactions.open_table",
        lambda *given: next(tables, None) or open_table(*given),
    )
    assert add(options, numbers(2), application="other", version=0)
    assert values_in(storage, "race") == [0, 1, 2]


@pytest.mark.timeout(300)
def test_small_files_go_together_and_needless_ones_away(storage):
    options = options_in(storage, "upkeep")
    for value in range(3):
        add(options, numbers(value), application="query", version=value)
    assert compact(options.path, storage=storage).added == 1
    assert len(vacuum(options.path, storage=storage, retention_hours=0)) == 3
    assert values_in(storage, "upkeep") == [0, 1, 2]


@pytest.mark.timeout(300)
def test_a_store_that_refuses_is_one_sentence(storage):
    with pytest.raises(TableError, match="s3://nowhere/table"):
        add(
            options_for("s3://nowhere/table", **{f"storage.{k}": v for k, v in storage.items()}),
            numbers(1),
        )
