"""Running fetchers, in simulated time."""

from __future__ import annotations

import pytest

from moldau.client.aio.driver import Driver
from moldau.client.aio.fetching import AHEAD_MAX, Fetching
from moldau.client.aio.pool import Pool
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.metadata import refresh_now
from moldau.client.core.offset_lookups import EARLIEST, Isolation
from moldau.client.errors import ClosedError, OffsetGoneError, TimedOutError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import fetched, metadata, offsets, row
from tests.client.batches import data_batch
from tests.client.conversation import context

PART = TopicPartition("t", 0)
METADATA = metadata({"t": {0: (1, 3)}})


def position(request: FetchRequest) -> int:
    return request.topics[0].partitions[0].fetch_offset


def three_records(request):
    return fetched(row(data_batch(position(request))))


def fetching(work, say=three_records, leaders=METADATA, *, is_known=False, **settings: str):
    """What `work(fetching, broker, cluster)` returns; `is_known`: the metadata is there before."""

    async def main(cluster: ScriptedCluster):
        script = {
            MetadataRequest: lambda _: leaders,
            FetchRequest: say,
            ListOffsetsRequest: lambda request: offsets({PART: 50 if is_earliest(request) else 90}),
        }
        broker = await cluster.broker("b1", script)
        around = context(**settings)
        pool = Pool(cluster.world, around)
        driver = Driver(cluster.world, pool, 60_000)
        if is_known:
            await driver.hold(refresh_now(around, frozenset({PART.topic})))
        made = Fetching(cluster.world, around, pool, driver, Isolation.READ_UNCOMMITTED)
        return await work(made, broker, cluster)

    return in_cluster(main)


def is_earliest(request) -> bool:
    return bool(request.topics[0].partitions[0].timestamp == EARLIEST)


async def chunks(made: Fetching, reading: Reading) -> list[tuple[int, int]]:
    inbox = made.begin([reading])[0]
    found = []
    while (chunk := await made.take(inbox)) is not None:
        found.append((chunk.start, chunk.end))
    return found


def test_chunks_come_one_after_another_up_to_the_end():
    async def work(made, broker, cluster):
        return await chunks(made, Reading(PART, 0, 8, 1000))

    assert fetching(work) == [(0, 3), (3, 6), (6, 8)]


def test_the_next_chunks_are_fetched_before_they_are_asked_for_and_no_more_of_them():
    async def work(made, broker, cluster):
        inbox = made.begin([Reading(PART, 0, 100, 1000)])[0]
        await cluster.tasks.sleep(1000)
        before = len(broker.questions(FetchRequest))
        await made.take(inbox)
        await cluster.tasks.sleep(1000)
        return before, len(broker.questions(FetchRequest))

    assert fetching(work) == (AHEAD_MAX, AHEAD_MAX + 1)


def test_readings_of_a_broker_are_asked_for_together_from_the_first_fetch_on():
    async def work(made, broker, cluster):
        for inbox in made.begin(Reading(TopicPartition("t", n), 0, 100, 1000) for n in range(2)):
            await made.take(inbox)
        await cluster.tasks.sleep(1000)
        return [
            [(part.partition, part.fetch_offset) for part in request.topics[0].partitions]
            for request in broker.questions(FetchRequest)
        ]

    def say(request):
        parts = request.topics[0].partitions
        return fetched(
            *(row(data_batch(part.fetch_offset), partition=part.partition) for part in parts)
        )

    both = [[(0, offset), (1, offset)] for offset in (0, 3, 6)]
    leaders = metadata({"t": {0: (1, 3), 1: (1, 3)}})
    assert fetching(work, say, leaders, is_known=True) == both


def test_an_error_comes_after_what_was_there_before_it():
    def say(request):
        if position(request) == 0:
            return three_records(request)
        return fetched(row(code=ErrorCode.OFFSET_OUT_OF_RANGE))

    async def work(made, broker, cluster):
        inbox = made.begin([Reading(PART, 0, 100, 1000)])[0]
        await cluster.tasks.sleep(1000)
        first = await made.take(inbox)
        with pytest.raises(OffsetGoneError) as caught:
            await made.take(inbox)
        return first.end, caught.value.start, caught.value.earliest, caught.value.latest

    assert fetching(work, say) == (3, 3, 50, 90)


def test_a_broker_that_comes_back_is_read_on():
    async def work(made, broker, cluster):
        inbox = made.begin([Reading(PART, 0, 12, 1000)])[0]
        await made.take(inbox)
        cluster.around.crash("b1")
        cluster.tasks.after(5000, lambda: cluster.tasks.spawn("open", broker.open()))
        found = [await made.take(inbox) for _ in range(3)]
        return [chunk.end for chunk in found], cluster.world.now_ms() >= 5000

    assert fetching(work) == ([6, 9, 12], True)


def test_a_leader_that_moves_is_followed_by_its_hint():
    moved_at = 6

    def say(request):
        if position(request) < moved_at:
            return three_records(request)
        gone = row(code=ErrorCode.NOT_LEADER_OR_FOLLOWER, leader=(2, 4))
        return fetched(gone, endpoints={2: "b2"})

    async def work(made, broker, cluster):
        other = await cluster.broker("b2", {FetchRequest: three_records})
        found = await chunks(made, Reading(PART, 0, 12, 1000))
        return found, len(other.questions(FetchRequest)), len(broker.questions(MetadataRequest))

    assert fetching(work, say) == ([(0, 3), (3, 6), (6, 9), (9, 12)], 2, 1)


def test_a_broker_that_does_not_come_back_ends_the_reading():
    async def work(made, broker, cluster):
        inbox = made.begin([Reading(PART, 0, 12, 1000)])[0]
        cluster.around.crash("b1")
        with pytest.raises(TimedOutError, match="reading t-0 from offset 0 after 3000 ms"):
            await made.take(inbox)
        return cluster.world.now_ms()

    assert fetching(work, default_api_timeout_ms="3000") >= 3000


def test_what_is_left_off_is_not_fetched_any_more():
    async def work(made, broker, cluster):
        inbox = made.begin([Reading(PART, 0, 100, 1000)])[0]
        await made.take(inbox)
        made.leave_off(inbox)
        await cluster.tasks.sleep(1000)
        before = len(broker.questions(FetchRequest))
        await cluster.tasks.sleep(1000)
        return len(broker.questions(FetchRequest)) - before

    assert fetching(work) == 0


def test_a_range_that_is_not_answered_ends_the_reading_when_the_time_is_over():
    async def work(made, broker, cluster):
        broker.script.pop(ListOffsetsRequest)
        with pytest.raises(TimedOutError, match=r"looking up offsets of t-0.*within 500 ms"):
            await chunks(made, Reading(PART, 0, 12, 1000))

    out_of_range = fetched(row(code=ErrorCode.OFFSET_OUT_OF_RANGE))
    fetching(work, lambda _: out_of_range, request_timeout_ms="500", default_api_timeout_ms="1000")


def test_what_is_closed_begins_nothing():
    async def work(made, broker, cluster):
        made.close()
        with pytest.raises(ClosedError):
            made.begin([Reading(PART, 0, 12, 1000)])

    fetching(work)


def test_closing_ends_those_who_wait():
    async def work(made, broker, cluster):
        inbox = made.begin([Reading(PART, 0, 100, 1000)])[0]
        cluster.tasks.after(50, made.close)
        with pytest.raises(ClosedError):
            await made.take(inbox)

    fetching(work, lambda _: None)
