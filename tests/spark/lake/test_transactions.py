"""A batch is in the table once, whatever happened on the way.

The crash points are those of a query: after the files and before the log, and after the log and
before the checkpoint. Either way the batch comes again with the same number.
"""

from __future__ import annotations

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from moldau.platform.system.clock import SystemClock
from moldau.spark.lake import transactions
from moldau.spark.lake.errors import LostRaceError, SchemaError, TableError
from moldau.spark.lake.transactions import DeltaLog, live_files, open_table
from tests.spark.lake.tables import (
    add,
    commit,
    files_under,
    numbers,
    options_for,
    rows_of,
    write_files,
)


def values_in(path):
    return sorted(row["number"] for row in rows_of(path))


def test_the_first_batch_makes_the_table(tmp_path):
    assert add(options_for(tmp_path), numbers(1, 2), application="query")
    assert values_in(tmp_path) == [1, 2]
    assert DeltaTable(tmp_path).version() == 0


def test_a_batch_that_died_between_files_and_log_is_there_once(tmp_path):
    options = options_for(tmp_path)
    add(options, numbers(1), application="query", version=0)
    write_files(options, numbers(2))  # the process is killed here
    assert values_in(tmp_path) == [1]
    assert add(options, numbers(2), application="query", version=1)
    assert values_in(tmp_path) == [1, 2]


def test_a_batch_that_died_between_log_and_checkpoint_adds_nothing(tmp_path):
    options = options_for(tmp_path)
    assert add(options, numbers(1), application="query", version=7)
    before = files_under(tmp_path)
    assert not add(options, numbers(1), application="query", version=7)
    assert values_in(tmp_path) == [1]
    assert files_under(tmp_path) == before


def test_the_note_outlives_a_checkpoint_of_the_log(tmp_path):
    options = options_for(tmp_path)
    add(options, numbers(1), application="query", version=3)
    DeltaTable(tmp_path).create_checkpoint()
    assert not add(options, numbers(1), application="query", version=3)


def test_applications_do_not_know_each_other(tmp_path):
    options = options_for(tmp_path)
    for application in ("one", "other", None, None):
        assert add(options, numbers(1), application=application)
    assert values_in(tmp_path) == [1, 1, 1, 1]


def test_of_two_writers_of_one_batch_one_adds_it(tmp_path, monkeypatch):
    options = options_for(tmp_path)
    add(options, numbers(0), application="query", version=0)
    stale = open_table(str(tmp_path), {})
    parts = write_files(options, numbers(1))
    add(options, numbers(1), application="query", version=1)
    tables = iter([stale])
    monkeypatch.setattr(
        transactions, "open_table", lambda *given: next(tables, None) or open_table(*given)
    )
    assert not commit(options, numbers(1), parts, application="query", version=1)
    assert values_in(tmp_path) == [0, 1]


def test_of_two_writers_who_make_the_table_both_add_their_rows(tmp_path, monkeypatch):
    options = options_for(tmp_path)
    parts = write_files(options, numbers(1))
    add(options, numbers(2), application="other")
    nothing_yet = iter([None])
    monkeypatch.setattr(
        transactions, "open_table", lambda *given: next(nothing_yet, 0) or open_table(*given)
    )
    assert commit(options, numbers(1), parts, application="one")
    assert values_in(tmp_path) == [1, 2]


def test_a_race_that_is_always_lost_ends_in_a_sentence(tmp_path, monkeypatch):
    options = options_for(tmp_path)
    add(options, numbers(0), application="query")
    stale = open_table(str(tmp_path), {})
    add(options, numbers(1), application="query", version=1)
    monkeypatch.setattr(transactions, "open_table", lambda *_: stale)
    with pytest.raises(LostRaceError, match="changed by others 20 times in a row"):
        commit(
            options, numbers(2), write_files(options, numbers(2)), application="query", version=2
        )


def test_files_that_the_log_knows_are_never_removed(tmp_path):
    options = options_for(tmp_path)
    parts = write_files(options, numbers(1))
    commit(options, numbers(1), parts, application="query")
    stray = write_files(options, numbers(2))
    DeltaLog(options, SystemClock()).remove_unknown([part.path for part in (*parts, *stray)])
    assert files_under(tmp_path) == [part.path for part in parts]
    assert live_files(DeltaTable(tmp_path)) == [part.path for part in parts]


def test_overwriting_takes_away_what_was_there(tmp_path):
    options = options_for(tmp_path)
    add(options, numbers(1))
    add(options, numbers(2), overwrite=True, application="query", version=0)
    add(options, numbers(2), overwrite=True, application="query", version=0)
    assert values_in(tmp_path) == [2]


def test_a_new_column_is_null_where_it_was_not(tmp_path):
    options = options_for(tmp_path)
    add(options, numbers(1))
    add(options, numbers(2, name=["x"]))
    add(options, numbers(3))
    assert sorted((row["number"], row["name"]) for row in rows_of(tmp_path)) == [
        (1, None),
        (2, "x"),
        (3, None),
    ]


def test_rows_that_do_not_fit_change_nothing(tmp_path):
    options = options_for(tmp_path)
    add(options, numbers(1))
    wrong = pa.record_batch({"number": ["one"]})
    with pytest.raises(SchemaError, match="int64 in the table and string in the rows"):
        add(options, wrong)
    with pytest.raises(SchemaError, match="partitioned by nothing and not by day"):
        add(options_for(tmp_path, partitionBy="day"), numbers(2, day=["mon"]))
    assert values_in(tmp_path) == [1]


def test_partition_values_of_every_kind_come_back(tmp_path):
    texts = ["a/b", "ü", "x y", "50%", "a=b", None, "c:d"]
    add(options_for(tmp_path, partitionBy="text"), numbers(*range(7), text=texts))
    assert {row["number"]: row["text"] for row in rows_of(tmp_path)} == dict(enumerate(texts))


def test_a_log_that_cannot_be_read_is_one_sentence(tmp_path):
    log = tmp_path / "_delta_log"
    log.mkdir()
    (log / "00000000000000000000.json").write_text("no log")
    with pytest.raises(TableError, match="cannot be opened"):
        add(options_for(tmp_path), numbers(1))
