"""Log directories, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.log_dirs import (
    Replica,
    ReplicaLogDirs,
    alter_replica_log_dirs,
    describe_log_dirs,
    describe_replica_log_dirs,
)
from moldau.protocol.messages.cluster.describe_log_dirs import DescribeLogDirsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, cluster, talk

Dir = DescribeLogDirsResponse.DescribeLogDirsResult


def one_dir(path: str, *, is_future: bool = False, code: int = 0) -> Dir:
    stored = Dir.DescribeLogDirsTopic.DescribeLogDirsPartition(
        partition_index=0, partition_size=5, offset_lag=7, is_future_key=is_future
    )
    topics = [Dir.DescribeLogDirsTopic(name="t", partitions=[stored])]
    return Dir(error_code=code, log_dir=path, topics=topics)


def test_a_replica_is_in_one_directory_and_moves_to_another():
    wanted = [Replica("t", 0, 1), Replica("t", 0, 9)]
    held = talk(describe_replica_log_dirs(call(), wanted)).receives(cluster(1))
    rows = [one_dir("/a"), one_dir("/b", is_future=True)]
    held.receives(DescribeLogDirsResponse(throttle_time_ms=0, results=rows))
    assert held.result[wanted[0]] == ReplicaLogDirs("/a", 7, "/b", 7)
    assert "broker 9" in str(held.result.errors[wanted[1]])
    (asked,) = held.asked[-1][1].topics
    assert (asked.topic, asked.partitions) == ("t", [0])


def test_a_directory_that_is_offline_has_its_error():
    held = talk(describe_log_dirs(call(), [1])).receives(cluster(1))
    rows = [one_dir("/a", code=ErrorCode.KAFKA_STORAGE_ERROR)]
    held.receives(DescribeLogDirsResponse(throttle_time_ms=0, results=rows))
    found = held.result[1]["/a"]
    assert "/a" in str(found.error)
    assert found.total_bytes is None


def test_an_old_broker_that_shows_nothing_has_refused():
    held = talk(describe_log_dirs(call(), [1])).receives(cluster(1))
    held.receives(DescribeLogDirsResponse(throttle_time_ms=0, results=[]))
    assert "not allowed" in str(held.result.errors[1])


def test_moves_are_asked_of_each_replicas_own_broker():
    paths = {Replica("t", 0, 1): "/a", Replica("t", 1, 1): "/a", Replica("t", 0, 2): "/b"}
    held = talk(alter_replica_log_dirs(call(), paths)).receives(cluster(1, 2))
    assert [(node, request.dirs[0].path) for node, request in held.asked[1:]] == [
        (1, "/a"),
        (2, "/b"),
    ]
