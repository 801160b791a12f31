"""Running senders, in simulated time."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from moldau.client.aio.producing import Producing
from moldau.client.core.context import ClientContext
from moldau.client.core.producing.batch import Delivery, Pending
from moldau.client.errors import BufferFullError, ClosedError, RefusedError
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.records.batch import read_header
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import TOPIC_ID, metadata
from tests.client.core.producing.made import Answer, Row, record, settings_of

METADATA = metadata({"t": {0: (1, 3)}}, brokers=1)


class Log:
    """What the broker has taken, by base sequence."""

    def __init__(self) -> None:
        self.offset = 0
        self.codes: list[ErrorCode] = []
        """To be answered first, one for each request."""

    def answer(self, request: ProduceRequest) -> ProduceResponse:
        code = self.codes.pop(0) if self.codes else ErrorCode.NONE
        records = request.topic_data[0].partition_data[0].records
        assert records is not None
        row = Row(index=0, error_code=code, base_offset=self.offset)
        if code is ErrorCode.NONE:
            self.offset += read_header(records).record_count
        topic = Answer(name="t", topic_id=TOPIC_ID, partition_responses=[row])
        return ProduceResponse(responses=[topic])


def producing(work, log: Log | None = None, **settings: str):
    """What `work(producing, broker, cluster)` comes to."""

    async def main(cluster: ScriptedCluster):
        script = {
            MetadataRequest: lambda _: METADATA,
            InitProducerIdRequest: lambda _: InitProducerIdResponse(
                throttle_time_ms=0, error_code=0, producer_id=7, producer_epoch=0
            ),
            ProduceRequest: (log or Log()).answer,
        }
        broker = await cluster.broker("b1", script)
        chosen = settings_of(**settings)
        made = Producing(cluster.world, ClientContext(chosen, cluster.world.random), chosen)
        try:
            return await work(made, broker, cluster)
        finally:
            made.stop()

    return in_cluster(main)


def test_records_arrive_and_leave_nothing_behind():
    async def work(made, broker, cluster):
        sent = [record() for _ in range(5)]
        for one in sent:
            made.add(one)
        found = [(await made.wait(one)).offset for one in sent]
        return found, made.used_bytes

    assert producing(work) == ([0, 1, 2, 3, 4], 0)


def test_a_broker_that_is_busy_is_asked_again():
    log = Log()
    log.codes = [ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.REQUEST_TIMED_OUT]

    async def work(made, broker, cluster):
        one = record()
        made.add(one)
        return (await made.wait(one)).offset, len(broker.questions(ProduceRequest))

    assert producing(work, log) == (0, 3)


def test_a_flush_waits_for_everything_that_was_there():
    async def work(made, broker, cluster):
        sent = [record() for _ in range(3)]
        for one in sent:
            made.add(one)
        await made.flush()
        return [one.is_done for one in sent], cluster.clock.monotonic_ns() // 1_000_000

    done, now_ms = producing(work, linger_ms="5000", delivery_timeout_ms="60000")
    assert all(done)
    assert now_ms < 5000


def test_callbacks_get_where_it_is_or_why_it_is_not():
    log = Log()
    log.codes = [ErrorCode.NONE, ErrorCode.INVALID_RECORD]
    seen: list[Any] = []

    async def work(made, broker, cluster):
        for _ in range(2):
            one = Delivery(
                "t", b"v", None, 0, 5, (), lambda metadata, error: seen.append((metadata, error))
            )
            made.add(one)
            await made.flush()
        await cluster.tasks.sleep(1)

    producing(work, log)
    assert seen[0][0].offset == 0
    assert isinstance(seen[1][1], RefusedError)


def test_who_finds_no_room_waits_for_it_and_not_for_ever():
    log = Log()

    async def work(made, broker, cluster):
        made.add(record(b"x" * 500))
        assert not made.has_room(600)
        await made.wait_for_room(600)
        assert made.used_bytes == 0
        broker.script[ProduceRequest] = lambda _: None
        made.add(record(b"x" * 500))
        with pytest.raises(BufferFullError, match=r"max\.block\.ms"):
            await made.wait_for_room(600)

    producing(work, log, buffer_memory="1000", max_block_ms="2000")


def test_without_acks_records_count_as_sent_when_they_have_left():
    async def work(made, broker, cluster):
        broker.script[ProduceRequest] = lambda _: None
        one = record()
        made.add(one)
        metadata = await made.wait(one)
        await cluster.tasks.sleep(100)
        return metadata.offset, len(broker.questions(ProduceRequest))

    assert producing(work, acks="0") == (-1, 1)


def test_what_is_on_its_way_when_it_is_stopped_fails():
    async def work(made, broker, cluster):
        broker.script[ProduceRequest] = lambda _: None
        out, waiting = record(), record(partition=-1)
        made.add(out)
        await cluster.tasks.sleep(100)
        made.add(waiting)
        made.stop()
        for one in (out, waiting):
            with pytest.raises(ClosedError):
                await made.wait(one)
        with pytest.raises(ClosedError):
            made.add(record())

    producing(work)


def test_closing_waits_only_as_long_as_it_may():
    async def work(made, broker, cluster):
        broker.script[ProduceRequest] = lambda _: None
        one = record()
        made.add(one)
        await made.close(300)
        return one.is_done

    assert producing(work)


def test_the_partitions_of_a_topic_are_asked_for_once():
    async def work(made, broker, cluster):
        found = [await made.partitions("t") for _ in range(2)]
        return found, len(broker.questions(MetadataRequest))

    assert producing(work) == ([[0], [0]], 1)


def test_a_watcher_in_another_thread_is_woken_once_its_record_has_settled():
    async def work(made, broker, cluster):
        delivery = record()
        woken: list[bool] = []
        uncollected = made.watch(delivery, lambda: woken.append(delivery.is_done))
        made.add(delivery)
        collected = made.watch(delivery, lambda: woken.append(delivery.is_done))
        early = list(woken)
        await made.wait(delivery)
        return uncollected, collected, early, woken

    assert producing(work) == (True, True, [], [True, True])


def test_a_second_watcher_of_what_was_not_collected_has_to_ask_on_the_loop():
    async def work(made, broker, cluster):
        delivery = record()
        found = [made.watch(delivery, lambda: None) for _ in range(2)]
        made.add(delivery)
        await made.wait(delivery)
        return found

    assert producing(work) == [True, False]


def test_a_watcher_that_comes_after_the_end_is_woken_at_once():
    async def work(made, broker, cluster):
        delivery = record()
        made.add(delivery)
        await made.wait(delivery)
        woken: list[bool] = []
        return made.watch(delivery, lambda: woken.append(delivery.is_done)), woken

    assert producing(work) == (True, [True])


def test_a_watcher_of_a_batch_that_was_split_has_to_ask_on_the_loop():
    async def work(made, broker, cluster):
        delivery = record()
        made.add(delivery)
        assert delivery.pending is not None
        before: Pending = delivery.pending

        class SplitMeanwhile(list[Any]):
            def append(self, watcher):
                super().append(watcher)
                delivery.is_part_of(copy(before), 0)

        before.waiters = SplitMeanwhile()
        found = made.watch(delivery, lambda: None)
        delivery.is_part_of(before, 0)
        await made.wait(delivery)
        return found

    assert producing(work) is False
