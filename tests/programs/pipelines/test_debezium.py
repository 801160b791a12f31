"""Records of Debezium become a frame of changes, whatever is among them."""

from __future__ import annotations

import json

import pytest

from moldau.programs.pipelines.debezium import changes_of

SOURCE = {"table": "customers", "lsn": 42, "ts_ms": 1_000}
GOOD = {"op": "c", "after": {"id": 7}, "source": SOURCE}
VALUES = {
    json.dumps(GOOD): None,
    json.dumps({**GOOD, "note": "x" * 300}): "oversized",
    json.dumps({**GOOD, "source": {**SOURCE, "ts_ms": 2**70}}): "drifted",
    json.dumps({**GOOD, "after": {"id": "\ud800"}}): "unparsable",
    "[" * 190: "unparsable",
    json.dumps({"op": "c"}): "incomplete",
}


@pytest.mark.judge
@pytest.mark.timeout(300)
def test_each_record_is_a_change_or_has_a_reason(spark):
    rows = [(b'{"id": 7}', value.encode()) for value in VALUES]
    found = changes_of(spark.createDataFrame(rows, "key binary, value binary"), 200).collect()
    assert [row.reason for row in found] == list(VALUES.values())
    assert (found[0].row.table, found[0].row.id, found[0].row.op) == ("customers", '{"id": 7}', "c")
    assert found[1].detail == f"{len([*VALUES][1])} bytes"
