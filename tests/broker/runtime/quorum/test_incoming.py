"""What others ask a member, and when it answers."""

from __future__ import annotations

import pytest

from moldau.broker.controller.decision import Call
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.messages.quorum.vote import VoteRequest
from moldau.protocol.messages.stored.metadata_cluster import NoOpRecord
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import METADATA_TOPIC_ID
from tests.broker.runtime.quorum_world import CALL, OneNode, topics

OLDEST_FETCH, NEWEST_FETCH = 4, 18
IDLE_MS, NS_PER_MS = 500, 1_000_000


def fetch(offset, epoch, *, wait_ms=500, known=1 << 60, cluster_id="cluster", name=""):
    partition = FetchRequest.FetchTopic.FetchPartition(
        partition=0,
        current_leader_epoch=1,
        fetch_offset=offset,
        last_fetched_epoch=epoch,
        partition_max_bytes=1 << 20,
        high_watermark=known,
    )
    topic = FetchRequest.FetchTopic(topic=name, topic_id=METADATA_TOPIC_ID, partitions=[partition])
    return FetchRequest(
        cluster_id=cluster_id,
        replica_state=FetchRequest.ReplicaState(replica_id=9),
        max_wait_ms=wait_ms,
        min_bytes=0,
        topics=[topic],
        forgotten_topics_data=[],
    )


def partition_of(response):
    return response.responses[0].partitions[0]


def test_a_fetch_gets_the_log_from_its_offset_on():
    async def scene(quorum, tasks):
        return partition_of(await quorum.answer(fetch(0, 0), Call(NEWEST_FETCH)))

    partition = OneNode().run(scene)
    assert len(partition.records) > 300
    assert partition.high_watermark > 0
    assert partition.current_leader.leader_id == 1


@pytest.mark.parametrize(("offset", "epoch"), [(0, 0), (10_000, 1)])
def test_a_fetch_in_an_old_version_is_answered_in_its_terms(offset, epoch):
    async def scene(quorum, tasks):
        asked = fetch(offset, epoch, wait_ms=0, name="__cluster_metadata")
        return await quorum.answer(asked, Call(OLDEST_FETCH))

    response = OneNode().run(scene)
    assert encode(response, OLDEST_FETCH)
    assert partition_of(response).error_code == 0


def test_a_fetch_that_finds_nothing_waits_for_the_next_record():
    async def scene(quorum, tasks):
        end = quorum.node.log.end
        begun_ms = node.clock.now_ms()
        tasks.after(100, lambda: tasks.spawn("client", write(quorum)))
        response = await quorum.answer(
            fetch(end.offset, end.epoch, wait_ms=450), Call(NEWEST_FETCH)
        )
        return len(partition_of(response).records) > 0, node.clock.now_ms() - begun_ms

    async def write(quorum):
        await quorum.ask(topics("orders"), CALL)

    node = OneNode(max_idle_ms=0)
    found, waited_ms = node.run(scene)
    assert found
    assert waited_ms == 100


def test_a_fetch_waits_no_longer_than_it_says():
    async def scene(quorum, tasks):
        end = quorum.node.log.end
        begun_ms = node.clock.now_ms()
        response = await quorum.answer(
            fetch(end.offset, end.epoch, wait_ms=300), Call(NEWEST_FETCH)
        )
        return partition_of(response).error_code, node.clock.now_ms() - begun_ms

    node = OneNode(max_idle_ms=0)
    assert node.run(scene) == (ErrorCode.NONE, 300)


def test_who_does_not_know_what_is_committed_is_reported_at_once():
    async def scene(quorum, tasks):
        end = quorum.node.log.end
        begun_ms = node.clock.now_ms()
        await quorum.answer(fetch(end.offset, end.epoch, known=0), Call(NEWEST_FETCH))
        return node.clock.now_ms() - begun_ms

    node = OneNode(max_idle_ms=0)
    assert node.run(scene) == 0


@pytest.mark.parametrize("by_controller", [True, False])
def test_that_a_noop_is_committed_is_no_news(by_controller):
    async def scene(quorum, tasks):
        if by_controller:
            controller = node.controllers[0]
            controller.tick_records = [NoOpRecord()]
            controller.tick_at_ms = node.clock.monotonic_ns() // NS_PER_MS + 1
            await quorum.ask(topics("orders"), CALL)
        known = quorum.high_watermark
        await tasks.sleep(IDLE_MS)
        end = quorum.node.log.end
        begun_ms = node.clock.now_ms()
        asked = fetch(end.offset, end.epoch, wait_ms=IDLE_MS // 2, known=known)
        await quorum.answer(asked, Call(NEWEST_FETCH))
        return end.offset - known, quorum.high_watermark - known, node.clock.now_ms() - begun_ms

    node = OneNode(max_idle_ms=0 if by_controller else IDLE_MS)
    assert node.run(scene) == (1, 1, IDLE_MS // 2)


def test_another_clusters_requests_are_refused_whole():
    async def scene(quorum, tasks):
        fetched = await quorum.answer(fetch(0, 0, cluster_id="other"), Call(NEWEST_FETCH))
        voted = await quorum.answer(VoteRequest(cluster_id="other", topics=[]), Call(2))
        return fetched.error_code, voted.error_code

    refused = ErrorCode.INCONSISTENT_CLUSTER_ID
    assert OneNode().run(scene) == (refused, refused)


def test_describing_needs_no_turn_in_the_loop():
    async def scene(quorum, tasks):
        response = await quorum.answer(DescribeQuorumRequest(topics=[]), Call(2))
        return response.error_code, response.topics

    assert OneNode().run(scene) == (ErrorCode.NONE, [])
