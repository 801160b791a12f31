"""A node's share coordinators keep their topic short."""

from __future__ import annotations

import pytest

from moldau.broker.log.reading import Isolation
from moldau.broker.server.topic.creation import OFFSETS_TOPIC, SHARE_STATE_TOPIC
from moldau.config.broker.shares import DEFAULT_PERSISTER, NO_OP_PERSISTER
from moldau.protocol.records.batch import iterate_batches, read_whole_header
from moldau.protocol.records.compression import Codec
from tests.broker.server.share_cluster import ACCEPT, SETTINGS, ShareCluster, run


def test_state_that_is_written_again_later_is_deleted_from_the_log():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        for offset in range(9):
            await member.acknowledge({0: [(offset, offset, ACCEPT)]})
        await cluster.machine.tasks.sleep(300_000)
        replicas = cluster.node.broker.replicas
        partitions = [replicas.leader(SHARE_STATE_TOPIC, index) for index in (0, 1)]
        return max(one.log_start_offset for one in partitions)

    assert run(main, share_coordinator_snapshot_update_records_per_snapshot=3) > 0


def test_share_coordinators_end_with_their_node():
    async def main(cluster):
        await cluster.member("m")
        return cluster.node.broker.share_states.runtime

    assert run(main).indexes == []


@pytest.mark.parametrize(
    ("persister", "acquired_again"),
    [(DEFAULT_PERSISTER, {}), (NO_OP_PERSISTER, {0: [(0, 9, 1)]}), ("", {0: [(0, 9, 1)]})],
)
def test_what_is_acknowledged_is_known_after_a_restart_if_there_is_a_persister(
    persister, acquired_again
):
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        assert await member.fetch() == {0: [(0, 9, 1)]}
        assert await member.acknowledge({0: [(0, 9, ACCEPT)]}) == 0
        assert await member.fetch() == {}
        await cluster.node.stop()
        later = ShareCluster(cluster.machine, cluster.machine.node(**SETTINGS, **chosen))
        later.topic_id = cluster.topic_id
        await later.node.start()
        later.client = await cluster.machine.connect(later.node)
        acquired = await (await later.member("n")).fetch()
        topics = later.node.broker.metadata.image.topics.by_name
        await later.node.stop()
        return acquired, SHARE_STATE_TOPIC in topics

    chosen = {"group_share_persister_class_name": persister}
    assert run(main, **chosen) == (acquired_again, persister == DEFAULT_PERSISTER)


def test_coordinators_write_with_their_codec_and_load_what_they_wrote():
    """In pieces of the smallest size, of which each is one batch."""

    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        assert await member.acknowledge({0: [(0, 9, ACCEPT)]}) == 0
        codecs = {topic: codecs_in(cluster, topic) for topic in (OFFSETS_TOPIC, SHARE_STATE_TOPIC)}
        await cluster.node.stop()
        later = ShareCluster(cluster.machine, cluster.machine.node(**SETTINGS, **chosen))
        later.topic_id = cluster.topic_id
        await later.node.start()
        later.client = await cluster.machine.connect(later.node)
        acquired = await (await later.member("n")).fetch()
        await later.node.stop()
        return codecs, acquired

    chosen = {
        "offsets_topic_compression_codec": int(Codec.ZSTD),
        "offsets_load_buffer_size": 1,
        "share_coordinator_state_topic_compression_codec": int(Codec.GZIP),
        "share_coordinator_load_buffer_size": 1,
    }
    codecs = {OFFSETS_TOPIC: {Codec.ZSTD}, SHARE_STATE_TOPIC: {Codec.GZIP}}
    assert run(main, **chosen) == (codecs, {})


def codecs_in(cluster, topic):
    """Those of all batches in the topic."""
    partitions = [one for one in cluster.node.broker.replicas if one.topic == topic]
    return {
        read_whole_header(piece).codec
        for one in partitions
        for piece in iterate_batches(one.read(0, 1 << 20, Isolation.LOG_END).read())
    }
