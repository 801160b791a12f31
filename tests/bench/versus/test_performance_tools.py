"""What Kafka's performance tools print, as 4.3.1 printed it."""

from __future__ import annotations

import pytest

from bench.versus.performance_tools import MIB_IN_MB, consumed, produced

PRODUCED = """\
15001 records sent, 3000.2 records/sec (2.86 MB/sec), 412.5 ms avg latency, 700.0 ms max latency.
30000 records sent, 56179.775281 records/sec (53.58 MB/sec), 89.52 ms avg latency, \
211.00 ms max latency, 90 ms 50th, 131 ms 95th, 146 ms 99th, 187 ms 99.9th.
"""
CONSUMED = """\
start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, \
rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec
2026-11-21 18:20:01:112, 2026-11-21 18:20:04:812, 57.2205, 15.4650, 60000, 16216.2, \
3166, 534, 107.1544, 112359.5506
"""


def test_the_producers_summary_is_read_and_its_windows_are_not():
    found = produced(PRODUCED)
    assert (found.records, found.records_per_s) == (30_000, 56_179.775281)
    assert (found.p50_ms, found.p95_ms, found.p99_ms, found.p999_ms) == (90, 131, 146, 187)
    assert found.slowest_ms == 211
    assert found.mb_per_s == pytest.approx(53.58 * MIB_IN_MB)


def test_the_last_summary_counts_for_the_warm_up_has_one_too():
    later = PRODUCED.replace("90 ms 50th", "7 ms 50th")
    assert produced(PRODUCED + later).p50_ms == 7


def test_the_consumers_speed_leaves_out_the_time_to_find_its_group():
    found = consumed(CONSUMED)
    assert (found.records, found.records_per_s) == (60_000, 112_359.5506)
    assert found.mb_per_s == pytest.approx(107.1544 * MIB_IN_MB)


@pytest.mark.parametrize("read", [produced, consumed])
def test_output_without_a_summary_is_refused_with_its_end(read):
    with pytest.raises(ValueError, match=r"no summary: Exception in thread"):
        read("Exception in thread")
