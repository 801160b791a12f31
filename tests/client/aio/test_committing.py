"""Commits of one consumer, in simulated time."""

from __future__ import annotations

from moldau.client.aio.consuming import Consuming
from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.context import ClientContext
from moldau.client.errors import ClosedError, RefusedError
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import TOPIC_ID, coordinator, metadata

PART = TopicPartition("t", 0)
Topic = OffsetCommitResponse.OffsetCommitResponseTopic


def kept(code: ErrorCode = ErrorCode.NONE) -> OffsetCommitResponse:
    row = Topic.OffsetCommitResponsePartition(partition_index=0, error_code=code)
    return OffsetCommitResponse(topics=[Topic(name="t", topic_id=TOPIC_ID, partitions=[row])])


def committing(work, answer):
    """What `work(consuming)` comes to, where commits are answered so."""

    async def main(cluster: ScriptedCluster):
        script = {
            MetadataRequest: lambda _: metadata({"t": {0: (1, 3)}}, brokers=1),
            FindCoordinatorRequest: lambda _: coordinator(1),
            OffsetCommitRequest: answer,
        }
        await cluster.broker("b1", script)
        settings = ConsumerSettings.of({"bootstrap.servers": "b1:9092", "group.id": "g"})
        made = Consuming(cluster.world, ClientContext(settings, cluster.world.random), settings)
        try:
            return await work(made)
        finally:
            await made.close(100)

    return in_cluster(main)


def test_each_waits_for_those_before_it_and_ends_for_itself():
    asked, ended = [], []

    def answer(request):
        asked.append(request.topics[0].partitions[0].committed_offset)
        return kept(ErrorCode.INVALID_COMMIT_OFFSET_SIZE if asked[-1] == 2 else ErrorCode.NONE)

    async def work(made):
        for offset in (3, 2, 1):
            made.begin_commit({PART: CommittedOffset(offset)}, "", lambda *seen: ended.append(seen))
        await made.commit({PART: CommittedOffset(0)})
        for on_commit, offsets, error in made.committing.finished():
            on_commit(offsets, error)

    committing(work, answer)
    assert asked == [3, 2, 1, 0]
    assert [offsets[PART] for offsets, _ in ended] == [3, 2, 1]
    assert [type(error) for _, error in ended] == [type(None), RefusedError, type(None)]


def test_what_has_not_ended_when_the_consumer_does_says_so():
    async def work(made):
        made.begin_commit({PART: CommittedOffset(1)}, "", print)
        made.begin_commit({PART: CommittedOffset(2)}, "", print)
        await made.close(100)
        return list(made.committing.finished())

    first, second = committing(work, lambda _: None)
    assert (first.offsets, second.offsets) == (
        {PART: 1},
        {PART: 2},
    )
    assert isinstance(first.error, ClosedError)
    assert isinstance(second.error, ClosedError)
