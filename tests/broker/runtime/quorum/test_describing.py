"""The quorum as DescribeQuorum shows it."""

from __future__ import annotations

from moldau.broker.controller.decision import Call
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.quorum_cluster import Cluster

Topic = DescribeQuorumRequest.TopicData


def effect(topic="__cluster_metadata", index=0):
    partition = Topic.PartitionData(partition_index=index)
    return DescribeQuorumRequest(topics=[Topic(topic_name=topic, partitions=[partition])])


def described(cluster, request, version=2):
    async def scene(cluster):
        await cluster.agreed()
        leader = await cluster.leader()
        followers = [one for one in cluster.quorums.values() if one is not leader]
        return await leader.answer(request, Call(version)), await followers[0].answer(
            request, Call(version)
        )

    return cluster.run(scene)


def test_the_leader_shows_voters_and_observers_with_their_progress():
    response, _ = described(Cluster(3, observers=1), effect())
    partition = response.topics[0].partitions[0]
    assert (response.error_message, partition.error_message) == ("", "")
    assert [voter.replica_id for voter in partition.current_voters] == [1, 2, 3]
    assert [observer.replica_id for observer in partition.observers] == [4]
    assert {voter.log_end_offset for voter in partition.current_voters} != {-1}
    assert [node.node_id for node in response.nodes] == [1, 2, 3]
    assert response.nodes[0].listeners[0].port == 9001


def test_older_versions_can_be_written_and_say_nothing_of_directories():
    for version in (0, 1):
        response, _ = described(Cluster(3, observers=1), effect(), version)
        assert encode(response, version)
        assert response.nodes == []


def test_others_say_that_they_do_not_lead():
    leads, follows = described(Cluster(3), effect())
    partition = follows.topics[0].partitions[0]
    assert partition.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert partition.leader_id == leads.topics[0].partitions[0].leader_id


def test_any_other_partition_is_unknown():
    for request in (effect("orders"), effect(index=1)):
        response, _ = described(Cluster(1, observers=1), request)
        partition = response.topics[0].partitions[0]
        assert partition.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        assert partition.current_voters == []


def test_replicas_have_fetched_by_the_clock_on_the_wall():
    cluster = Cluster(3, observers=1)
    response, _ = described(cluster, effect())
    partition = response.topics[0].partitions[0]
    assert (len(partition.current_voters), len(partition.observers)) == (3, 1)
    replicas = [*partition.current_voters, *partition.observers]
    now_ms = cluster.clock.now_ms()
    assert all(now_ms - 5_000 < one.last_fetch_timestamp <= now_ms for one in replicas)
    assert all(now_ms - 5_000 < one.last_caught_up_timestamp <= now_ms for one in replicas)
