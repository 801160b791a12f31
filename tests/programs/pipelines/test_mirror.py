"""The same changes give the same mirror and history, in any order and any number of times."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from moldau.programs.pipelines.envelope import Change
from moldau.programs.pipelines.mirror import (
    changed_rows,
    columns_of_rows,
    history_of,
    mirror_of,
    table_of,
)

COLUMNS = {"n": pa.int64()}
STEPS = st.lists(
    st.tuples(st.sampled_from(["c", "u", "d", "r", "t"]), st.sampled_from("ab"), st.integers(0, 9)),
    max_size=12,
)


def changes(steps):
    return [
        Change(
            "t", "" if op == "t" else key, f"{place:04d}", op, json.dumps({"n": n}), "", place * 10
        )
        for place, (op, key, n) in enumerate(steps)
    ]


def plain(steps):
    """The source itself."""
    rows = dict[str, Any]()
    for op, key, n in steps:
        if op == "t":
            rows.clear()
        elif op == "d":
            rows.pop(key, None)
        else:
            rows[key] = n
    return rows


def mirror(history):
    return {row["_key"]: row["n"] for row in mirror_of(history, COLUMNS) if not row["_is_gone"]}


@given(STEPS, st.randoms(use_true_random=False), st.integers(0, 12))
def test_the_mirror_is_the_source_whatever_the_order_and_the_batches(steps, draw, cut):
    written = changes(steps) + draw.choices(changes(steps), k=3) if steps else []
    draw.shuffle(written)
    first = history_of(changed_rows(written[:cut], COLUMNS))
    both = history_of([*first, *changed_rows(written[cut:], COLUMNS)])
    assert mirror(both) == plain(steps)
    in_order = history_of(changed_rows(changes(steps), COLUMNS))
    assert sorted(map(repr, both)) == sorted(map(repr, in_order))


@given(STEPS)
def test_versions_of_a_key_follow_each_other_without_a_gap(steps):
    for key in "ab":
        history = history_of(changed_rows(changes(steps), COLUMNS))
        versions = sorted(
            (row for row in history if row["_key"] == key), key=lambda row: row["_place"]
        )
        assert sum(row["_is_current"] for row in versions) == (key in plain(steps))
        for row, later in pairwise(versions):
            assert row["_from"] <= row["_to"] <= later["_from"]


def test_columns_are_those_that_came_first_and_what_does_not_fit_is_kept():
    columns = columns_of_rows([{"a": 1, "b": None}, {"a": "x", "c": True, "d": [1]}], {})
    assert columns == {"a": pa.int64(), "c": pa.bool_(), "d": pa.string()}
    change = Change("t", "k", "1", "c", '{"a": "x", "c": true, "d": [1]}', "", 0)
    (row,) = changed_rows([change], columns)
    assert (row["a"], row["c"], row["d"], row["_misfits"]) == (None, True, "[1]", '{"a": "x"}')
    assert columns_of_rows([{"a": 1.5}], {"a": pa.int64()}) == {"a": pa.int64()}


def test_a_whole_number_fits_where_numbers_are():
    change = Change("t", "k", "1", "c", '{"a": 2}', "", 0)
    assert changed_rows([change], {"a": pa.float64()})[0]["a"] == 2.0


def test_a_number_beyond_64_bits_is_kept_as_text():
    columns = columns_of_rows([{"a": 2**63}], {"b": pa.int64(), "c": pa.float64()})
    assert columns["a"] == pa.string()
    change = Change("t", "k", "1", "c", json.dumps(dict.fromkeys("abc", 2**1100)), "", 0)
    (row,) = changed_rows([change], columns)
    assert (row["a"], row["b"], row["c"]) == (str(2**1100), None, None)
    assert json.loads(row["_misfits"]) == {"b": 2**1100, "c": 2**1100}


def test_rows_have_a_type_for_every_column():
    rows = history_of(changed_rows(changes([("c", "a", 1)]), COLUMNS))
    table = table_of(rows, COLUMNS)
    assert table.schema.field("n").type == pa.int64()
    assert table.schema.field("_to").type == pa.timestamp("us", "UTC")
    assert table_of(mirror_of(rows, COLUMNS), COLUMNS)["_is_gone"].to_pylist() == [False]
