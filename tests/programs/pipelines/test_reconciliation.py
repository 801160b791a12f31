"""Counts of batches, beside what the tables hold."""

from __future__ import annotations

import pyarrow as pa
from deltalake import write_deltalake

from moldau.platform.system.clock import SystemClock
from moldau.programs.pipelines.reconciliation import Counts, count_of, note, reconcile, rows_of
from moldau.programs.pipelines.tables import LakeTables

COUNTS = Counts(read=10, known=1, good=6, rejected={"late": 2, "empty": 1})


def tables_in(path):
    return LakeTables(str(path), {}, {}, "query", SystemClock())


def test_a_batch_is_counted_once_however_often_it_is_run(tmp_path):
    for _ in range(2):
        note(tables_in(tmp_path), 0, COUNTS, 5)
    note(tables_in(tmp_path), 1, COUNTS, 5)
    found = reconcile(str(tmp_path), {}, [])
    assert (found.read, found.known, found.good, found.rejected) == (20, 2, 12, 6)
    assert found.differences == []
    assert found.sentence == "it adds up: 20 in = 12 out + 6 rejected + 2 known already"


def test_a_batch_that_does_not_add_up_is_named(tmp_path):
    note(tables_in(tmp_path), 0, Counts(read=10, known=0, good=9), 5)
    found = reconcile(str(tmp_path), {}, [])
    assert found.differences == ["batch 0: 10 in, 9 out, 0 rejected"]


def test_a_table_that_has_other_rows_is_named(tmp_path):
    note(tables_in(tmp_path), 0, Counts(read=3, known=0, good=3), 5)
    write_deltalake(tmp_path / "silver", pa.table({"x": [1, 2]}))
    found = reconcile(str(tmp_path), {}, ["silver"])
    assert found.differences == ["silver has 2 rows, and the batches gave it 3"]
    assert found.sentence.startswith("it does not add up: 3 in")


def test_a_line_for_the_terminal_says_what_matters():
    assert count_of(3, COUNTS, 1_250) == (
        "batch 3: 10 in, 6 out, 3 rejected (2 late, 1 empty), 1 known already in 1.2 s, 8 records/s"
    )
    assert count_of(0, Counts(read=1_000, known=0, good=1_000), 500, lag=7_000) == (
        "batch 0: 1,000 in, 1,000 out in 0.5 s, 2,000 records/s, lag 7,000"
    )


def test_a_table_that_is_not_there_has_no_rows(tmp_path):
    assert rows_of(str(tmp_path / "none"), {}) == []
    assert reconcile(str(tmp_path), {}, ["silver"]).rows == {"silver": 0}
