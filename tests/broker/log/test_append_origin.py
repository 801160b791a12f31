"""Origins of appends."""

from __future__ import annotations

from moldau.broker.log.append_origin import AppendOrigin


def test_there_are_kafkas_four_origins():
    assert [origin.name for origin in AppendOrigin] == [
        "CLIENT",
        "REPLICATION",
        "COORDINATOR",
        "RAFT_LEADER",
    ]
