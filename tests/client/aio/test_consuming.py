"""Running consumers, in simulated time."""

from __future__ import annotations

import pytest

from moldau.client.aio.consuming import Consuming
from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.group_state import Change
from moldau.client.core.context import ClientContext
from moldau.client.errors import (
    ClosedError,
    InvalidArgumentError,
    LogTruncatedError,
    NoOffsetError,
    OffsetGoneError,
)
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest, OffsetFetchResponse
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import TOPIC_ID, coordinator, fetched, metadata, offsets, row
from tests.client.batches import data_batch

PART = TopicPartition("t", 0)
METADATA = metadata({"t": {0: (1, 3)}}, brokers=1)


def three_records(request):
    wanted = request.topics[0].partitions[0].fetch_offset
    return fetched(row(data_batch(wanted)))


def consuming(work, say=three_records, earliest=7, script=None, **settings: str):
    """What `work(consuming, cluster)` comes to."""

    async def main(cluster: ScriptedCluster):
        answers = {
            MetadataRequest: lambda _: METADATA,
            FetchRequest: say,
            ListOffsetsRequest: lambda request: offsets({PART: earliest}),
        }
        await cluster.broker("b1", answers | (script or {}))
        given = {name.replace("_", "."): value for name, value in settings.items()}
        chosen = ConsumerSettings.of({"bootstrap.servers": "b1:9092", **given})
        made = Consuming(cluster.world, ClientContext(chosen, cluster.world.random), chosen)
        try:
            return await work(made, cluster)
        finally:
            await made.close(100)

    return in_cluster(main)


def test_records_come_in_order_and_no_more_than_are_asked_for():
    async def work(made, cluster):
        made.assign([PART])
        found = [await made.records(2, 1000) for _ in range(4)]
        return [[one.offset for one in records] for records in found], await made.position(PART)

    assert consuming(work) == ([[7, 8], [9], [10, 11], [12]], 13)


def test_a_change_that_another_has_replaced_is_not_settled():
    async def work(made, cluster):
        made.state.is_settled = False
        made.runner.change = another = Change(is_loss=True)
        made.settle(Change(assigned=frozenset({PART})))
        left = made.runner.change is another, made.state.is_settled, dict(made.places.places)
        made.settle(another)
        return left, made.runner.change, made.state.is_settled

    assert consuming(work) == ((True, False, {}), None, True)


def test_a_seek_forgets_what_was_fetched():
    async def work(made, cluster):
        made.assign([PART])
        await made.records(1, 1000)
        made.seek(PART, CommittedOffset(50))
        return [one.offset for one in await made.records(10, 1000)]

    assert consuming(work) == [50, 51, 52]


def test_what_is_paused_is_not_returned_and_goes_on_where_it_was():
    async def work(made, cluster):
        made.assign([PART])
        await made.records(2, 1000)
        made.pause(PART, is_paused=True)
        nothing = await made.records(10, 1000)
        made.pause(PART, is_paused=False)
        return nothing, [one.offset for one in await made.records(10, 1000)]

    assert consuming(work) == ([], [9, 10, 11])


def test_without_an_offset_and_a_policy_it_is_an_error():
    async def work(made, cluster):
        made.assign([PART])
        with pytest.raises(NoOffsetError):
            await made.records(1, 1000)

    consuming(work, auto_offset_reset="none")


def test_an_offset_that_is_gone_is_reset_by_the_policy():
    def say(request):
        wanted = request.topics[0].partitions[0].fetch_offset
        if wanted == 90:
            return fetched(row(code=ErrorCode.OFFSET_OUT_OF_RANGE))
        return three_records(request)

    async def work(made, cluster):
        made.assign([PART])
        made.seek(PART, CommittedOffset(90))
        return [one.offset for one in await made.records(10, 5000)]

    assert consuming(work, say, auto_offset_reset="earliest") == [7, 8, 9]

    async def fail(made, cluster):
        made.assign([PART])
        made.seek(PART, CommittedOffset(90))
        with pytest.raises(OffsetGoneError):
            await made.records(10, 5000)

    consuming(fail, say, auto_offset_reset="none")


def of_group(offset: int, epoch: int):
    """A script for a group that has committed this."""
    group = OffsetFetchResponse.OffsetFetchResponseGroup
    topic = group.OffsetFetchResponseTopics
    found = topic.OffsetFetchResponsePartitions(
        partition_index=0,
        committed_offset=offset,
        committed_leader_epoch=epoch,
        metadata="",
        error_code=0,
    )
    groups = [group(group_id="g", topics=[topic(name="t", topic_id=TOPIC_ID, partitions=[found])])]
    return {
        FindCoordinatorRequest: lambda _: coordinator(1),
        OffsetFetchRequest: lambda _: OffsetFetchResponse(groups=groups),
    }


def test_a_consumer_commits_with_an_offset_the_epoch_of_what_it_read():
    kept = []

    def keep(request):
        found = request.topics[0].partitions[0]
        kept.append((found.committed_offset, found.committed_leader_epoch))
        topic = OffsetCommitResponse.OffsetCommitResponseTopic
        rows = [topic.OffsetCommitResponsePartition(partition_index=0, error_code=0)]
        return OffsetCommitResponse(topics=[topic(name="t", topic_id=TOPIC_ID, partitions=rows)])

    def say(request):
        wanted = request.topics[0].partitions[0].fetch_offset
        return fetched(row(data_batch(wanted, leader_epoch=wanted // 10)))

    async def work(made, cluster):
        made.assign([PART])
        await made.records(2, 1000)
        await made.commit(None)
        made.seek(PART, CommittedOffset(40))
        await made.commit(None)
        await made.records(3, 1000)
        await made.commit({PART: CommittedOffset(41)})
        made.seek(PART, CommittedOffset(50, 4))
        await made.commit(None)
        await made.commit({PART: CommittedOffset(51, 4)})

    script = of_group(22, 2) | {OffsetCommitRequest: keep}
    given = {"group_id": "g", "enable_auto_commit": "false"}
    consuming(work, say, script=script, **given)
    assert kept == [(24, 2), (40, -1), (41, -1), (50, 4), (51, 4)]


def test_a_long_poll_looks_again_and_again_for_a_topic_that_is_not_there_yet():
    looks = []

    def refuse(request):
        looks.append(request)
        return metadata({}, brokers=1, refused={"t": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION})

    async def work(made, cluster):
        made.state.topics = frozenset({"t"})
        return await made.records(1, 3500)

    assert consuming(work, script={MetadataRequest: refuse}) == []
    assert len(looks) == 4  # one a second, the first at once


def test_what_is_never_polled_is_late_since_it_was_subscribed():
    async def work(made, cluster):
        began_ms = made.state.polled_ms
        await made.subscribe(["t"], None, None)
        return began_ms, made.state.polled_ms == cluster.world.now_ms()

    assert consuming(work, script=of_group(22, 2), group_id="g") == (None, True)


def test_a_log_that_lost_what_the_group_had_read_is_noticed_where_it_goes_on():
    """As with Java's consumer: it goes on where the logs part, or raises without a policy."""
    asked = []

    def say(request):
        wanted = request.topics[0].partitions[0]
        asked.append((wanted.fetch_offset, wanted.last_fetched_epoch))
        if wanted.last_fetched_epoch == 2:
            return fetched(row(b"", diverging=(1, 15)))
        return three_records(request)

    async def work(made, cluster):
        made.assign([PART])
        return [one.offset for one in await made.records(10, 5000)]

    given = {"group_id": "g", "enable_auto_commit": "false"}
    assert consuming(work, say, script=of_group(22, 2), **given) == [15, 16, 17]
    assert asked[:2] == [(22, 2), (15, -1)]

    async def fail(made, cluster):
        made.assign([PART])
        with pytest.raises(LogTruncatedError, match="from 15 to 21"):
            await made.records(10, 5000)

    consuming(fail, say, script=of_group(22, 2), auto_offset_reset="none", **given)


def test_what_goes_together_with_nothing_is_refused():
    async def work(made, cluster):
        with pytest.raises(InvalidArgumentError, match="group_id="):
            await made.subscribe(["t"], None, None)
        with pytest.raises(InvalidArgumentError, match="not assigned"):
            made.seek(PART, CommittedOffset(0))
        await made.close(10)
        with pytest.raises(ClosedError):
            await made.records(1, 10)

    consuming(work)


def test_patterns_of_the_server_need_its_protocol():
    async def work(made, cluster):
        with pytest.raises(InvalidArgumentError, match=r"group\.protocol=consumer"):
            await made.subscribe([], None, "t.*")
        made.assign([PART])
        with pytest.raises(InvalidArgumentError, match="unsubscribe before"):
            await made.subscribe(["t"], None, None)

    consuming(work, group_id="g")


def test_who_gives_up_waiting_does_not_make_the_look_up_begin_anew():
    asked = []

    def look_up(request):
        asked.append(request)
        return offsets({PART: 7})

    async def work(made, cluster):
        made.assign([PART])
        for _ in range(5):
            with pytest.raises(TimeoutError):
                async with cluster.tasks.deadline(0.01):
                    await made.position(PART)
            assert await made.records(1, 0) == []
        return await made.position(PART), [one.offset for one in await made.records(9, 1000)]

    assert consuming(work, script={ListOffsetsRequest: look_up}) == (7, [7, 8, 9])
    assert len(asked) == 1


def test_why_a_look_up_has_failed_is_raised_by_the_next_poll():
    async def work(made, cluster):
        made.assign([PART])
        assert await made.records(1, 0) == []
        await cluster.tasks.sleep(100)
        with pytest.raises(NoOffsetError):
            await made.records(1, 0)
        assert await made.records(1, 0) == []
        await cluster.tasks.sleep(100)
        made.seek(PART, CommittedOffset(7))  # it is not wanted any more
        return [one.offset for one in await made.records(9, 1000)]

    assert consuming(work, auto_offset_reset="none") == [7, 8, 9]


def test_where_the_user_has_sought_meanwhile_the_look_up_has_no_say():
    async def work(made, cluster):
        made.assign([PART])
        assert await made.records(1, 0) == []
        made.seek(PART, CommittedOffset(50))
        await cluster.tasks.sleep(100)
        return [one.offset for one in await made.records(9, 1000)]

    assert consuming(work) == [50, 51, 52]
