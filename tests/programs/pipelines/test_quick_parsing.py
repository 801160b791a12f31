"""What is read by columns is what `from_json` reads; what it would reject is never taken."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import types

from moldau.programs.pipelines.parsing import parsed
from moldau.programs.pipelines.quick_parsing import SIZE_MAX, QuickJson
from moldau.spark.lake.schemas import arrow_schema
from tests.programs.pipelines.test_parsing import VALUES, records

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]
KINDS = {
    "id": types.LongType(), "n": types.IntegerType(), "s": types.ShortType(),
    "price": types.DoubleType(), "ok": types.BooleanType(), "name": types.StringType(),
    "at": types.TimestampType(),
}  # fmt: skip
SCHEMA = types.StructType([types.StructField(name, kind) for name, kind in KINDS.items()])
LIMIT = 100_000
GOOD = (
    b'{"id": 1, "n": 2, "s": 3, "price": 2.5, "ok": true, "name": "x", '
    b'"at": "2026-11-21T11:30:00Z"}'
)
BY_HAND = [
    GOOD,
    b"{}",
    b'{"id": null, "more": {"deep": [1, {"id": "x"}]}}',
    b'{"\\u0069d": 7, "name": "\\u00e9\\n\\ud83d\\ude00"}',
    b'{\n "id" : 5 }',
    b' {"id": 5} ',
    b'{"id": 1, "id": 2}',
    b'{"id": 1}, "r": {"id": 2}',
    b'{"id": 1}}{"r":{"id": 2}',
    b'{"id": 1}}\n{"r":{"id": 2}',
    b'{"id": 1}, "x": {"id": 2}',
    b'{"id": 1} trailing',
    b'{"id": 1}{"id": 2}',
    b'{"id": 1}\n{"id": 2}',
    b'{"id": {"x": 1}',
    b'{"id": [{"x": 1}',
    b'{"id": 1}}\0}',
    b'{"name": "a\0b"}',
    b'{"id": 1.0}',
    b'{"id": 1e2}',
    b'{"id": -0}',
    b'{"id": 01}',
    b'{"id": +1}',
    b'{"id": 9223372036854775807, "n": -2147483648, "s": -32768}',
    b'{"id": 9223372036854775808}',
    b'{"n": 2147483648}',
    b'{"s": 32768}',
    b'{"id": "1"}',
    b'{"price": 5}',
    b'{"price": 12345678901234567890123}',
    b'{"price": 0.1e-320}',
    b'{"price": 1e400}',
    b'{"price": -0.0}',
    b'{"price": NaN}',
    b'{"price": Infinity}',
    b'{"price": "NaN"}',
    b'{"price": 1.' + b"0" * 1_000 + b"}",
    b'{"ok": "true"}',
    b'{"ok": 1}',
    b'{"name": 5}',
    b'{"name": {"a": 1}}',
    b'{"name": ""}',
    b'{"name": "\\ud800"}',
    b'{"name": "\xff"}',
    b'{"name": "\xed\xa0\x80"}',
    b'{"name": "a\tb"}',
    b"{'id': 1}",
    b'{"id": 1,}',
    b'{"id": 1 /* one */}',
    b'{"ID": 1}',
    b'\xef\xbb\xbf{"id": 1}',
    b'{"x": ' * 990 + b"1" + b"}" * 990,
    b'{"x": ' * 1_100 + b"1" + b"}" * 1_100,
    b'{"x": ' + b"[" * 1_100 + b"]" * 1_100 + b"}",
    b'{"name": "' + b"x" * 2_000 + b'"}',
    b'{"x": "' + b"x" * LIMIT + b'"}',
    b'{"' + b"x" * (SIZE_MAX + 10) + b'": 1}',
    b"null",
    b'[{"id": 1}]',
    *(
        b'{"at": "%s"}' % time
        for time in (
            b"2026-11-21", b"2026-11-21T11:30:00", b"2026-11-21 11:30:00Z",
            b"2026-02-30T00:00:00Z", b"2024-02-29T00:00:00Z", b"2026-04-31T00:00:00Z",
            b"2026-12-31T23:59:59.999999Z", b"2026-11-21T11:30:00.1234567Z",
            b"2026-11-21T11:30:00+02:00", b"2026-11-21T11:30:00-17:59", b"2026-11-21T24:00:00Z",
            b"1900-01-01T00:00:00Z", b"2026-11-21T11:30:60Z",
            b"1795260600", b"", b"2026-11-21T11:30:00UTC",
        )
    ),
]  # fmt: skip
PIECES = (
    "1", "-5", "1.5", "1e5", "null", "true", '"x"', '"1"', '"2026-11-21T11:30:00.5Z"', "[1]", "{}",
    '{"id": 1}', '""', "99999999999", '"é\\n"', "}", '"',
)  # fmt: skip


def reader():
    return QuickJson(arrow_schema(SCHEMA), LIMIT)


def read(values, quick=None):
    places, rows = (quick or reader()).read(pa.array(values, pa.binary()))
    return dict(zip(places.tolist(), rows.to_pylist(), strict=True))


def drawn(count, draw):
    """Objects of these fields, most of them good, with any piece in any place."""
    names = ("id", "n", "s", "price", "ok", "name", "at", "more")
    fitting = ("1", "2", "3", "4.5", "true", '"x"', '"2026-11-21T11:30:00Z"', "{}")
    for _ in range(count):
        fields = [
            f'"{name}": {draw.choice(PIECES) if draw.random() < 0.05 else fit}'
            for name, fit in zip(names, fitting, strict=True)
            if draw.random() < 0.8
        ]
        yield ("{" + ", ".join(fields) + "}").encode()


def agree(spark, values, piece):
    """Each value that is taken is good to Spark, with the same row; how many are taken."""
    judged = parsed(records(spark, values), "json", SCHEMA, size_max=LIMIT).collect()
    quick, found = reader(), dict[int, dict[str, Any]]()
    for start in range(0, len(values), piece):
        read_here = read(values[start : start + piece], quick)
        found |= {start + place: row for place, row in read_here.items()}
    for place, row in found.items():
        wanted = judged[place]
        assert wanted["reason"] is None, values[place][:200]
        kept = {name: wanted["row"][name] for name in row}
        stamp = row["at"]
        row["at"] = stamp and stamp.replace(tzinfo=None)
        assert repr(row) == repr(kept), values[place][:200]
    return len(found), sum(row["reason"] is None for row in judged)


def test_what_is_taken_is_what_spark_reads(spark):
    odd = [*BY_HAND, *(value for value in VALUES if value is not None), None]
    for piece in (1, 9):  # alone, and beside others
        taken, _ = agree(spark, odd, piece)
        assert taken >= 20


def test_drawn_objects_are_taken_as_spark_reads_them(spark, seed):
    taken, good = agree(spark, list(drawn(3_000, random.Random(seed))), piece=100)
    assert taken > good * 0.9


def test_misfits_cost_no_good_record():
    values = [GOOD if number % 7 else b'{"price": "5 EUR"}' for number in range(5_000)]
    assert len(read(values)) == sum(value is GOOD for value in values)


def test_a_value_that_is_two_lines_moves_no_other():
    values = [b'{"id": %d}' % number for number in range(50)]
    values[20] = b'{"id": 1}}{"r":{"id": 2}'
    found = read(values)
    assert {place: row["id"] for place, row in found.items()} == {
        number: number for number in range(50) if number != 20
    }


def test_a_batch_of_doubts_is_given_up_in_the_end():
    class Counted(QuickJson):
        reads = 0

        def _rows(self, values):
            self.reads += 1
            return super()._rows(values)

    quick = Counted(arrow_schema(SCHEMA), LIMIT)
    read([b'{"id": 1.5}'] * 5_000, quick)
    assert quick.reads <= 150


def test_only_columns_that_are_read_alike_are_read():
    def can(**kinds):
        fields = [types.StructField(name, kind) for name, kind in kinds.items()]
        return QuickJson.can_read(types.StructType(fields))

    assert can(**KINDS)
    assert not can()
    assert not can(d=types.DateType())
    assert not can(f=types.FloatType())
    assert not can(t=types.StringType("UNICODE_CI"))
    assert not can(a=types.ArrayType(types.LongType()))
    assert not can(a=types.LongType(), A=types.LongType())


def test_nothing_at_all_is_read_to_nothing():
    places, rows = reader().read(pa.array([None, b""], pa.binary()))
    assert (len(places), rows.num_rows, np.asarray(places).dtype.kind) == (0, 0, "i")
