"""How far a group is behind."""

from __future__ import annotations


def test_a_lag_is_what_is_not_committed(rest, group):
    lag = rest.v3("GET", f"consumer-groups/{group}/lags/{group}/partitions/0")[1]
    assert (lag["current_offset"], lag["log_end_offset"], lag["lag"]) == (2, 5, 3)
    summary = rest.v3("GET", f"consumer-groups/{group}/lag-summary")[1]
    assert (summary["total_lag"], summary["max_lag_partition_id"]) == (3, 0)
    consumer = rest.get(summary["max_lag_consumer"]["related"].removeprefix(rest.url))
    assert consumer["consumer_id"] == lag["consumer_id"]
    assert [one["lag"] for one in rest.v3("GET", f"consumer-groups/{group}/lags")[1]["data"]] == [3]
    assert rest.code("GET", f"consumer-groups/{group}/lags/{group}/partitions/1") == (404, 404)
