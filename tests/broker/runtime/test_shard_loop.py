"""Shards follow the partitions that are led here."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker
from tests.broker.runtime.tally_shard import GONE, TOPIC, TallyRuntime, answer, result_of, say

IMAGE = Image(offset=5)


def topic_of(broker: Broker) -> bytes:
    return next(iter(broker.image.topics.by_id))


def test_a_led_partition_answers():
    async def scene(one: TallyRuntime):
        return [await one.ask("add"), await one.ask("look")]

    assert result_of(scene) == [1, 1]


def test_a_restart_loads_what_was_written():
    broker = Broker()

    async def write(one: TallyRuntime):
        return [await one.ask("add") for _ in range(3)]

    async def read(one: TallyRuntime):
        return await one.ask("look")

    assert result_of(write, broker) == [1, 2, 3]
    assert result_of(read, broker) == 3


def test_what_is_not_replicated_yet_is_loaded_and_not_reported_before_it_is():
    async def scene(one: TallyRuntime):
        refused = [one.start("add"), one.start("add")]
        await one.tasks.sleep(1)
        one.runtime.on_leading(TOPIC, 0, 5)
        await one.settled()
        codes = one.start("look")
        await one.tasks.sleep(1)
        before = list(codes)
        partition = one.manager.partition(TOPIC, 0)
        partition.followers[2].log_end_offset = 2
        partition.advance_high_watermark()
        await one.tasks.sleep(1)
        return refused, one.shards[-1].applied, before, codes

    two: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16),) * 2}
    gone = ErrorCode.NOT_COORDINATOR
    assert result_of(scene, **two) == ([[gone], [gone]], [0, 1], [], [2])


def test_while_a_partition_is_loaded_requests_are_refused_for_that():
    async def ask_early(one: TallyRuntime):
        one.runtime.on_leading(TOPIC, 0, 5)
        each = await one.refusal(one.runtime.ask_each(say("look"), version=4))
        return await one.refusal(one.ask("look")), each

    loading = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    assert result_of(ask_early) == (loading, loading)


def test_loading_is_counted_while_it_lasts_and_its_time_is_known():
    async def scene(one: TallyRuntime):
        one.runtime.on_leading(TOPIC, 0, 5)
        before = one.runtime.counts
        await one.settled()
        longest = one.runtime.load_times.maximum(one.broker.clock.monotonic_ns() // 1_000_000)
        return before, one.runtime.counts, longest >= 0

    loading = {"loading": 1, "active": 0, "failed": 0}
    active = {"loading": 0, "active": 1, "failed": 0}
    assert result_of(scene) == (loading, active, True)


def test_what_is_not_led_here_has_its_coordinator_elsewhere():
    async def scene(one: TallyRuntime):
        return await one.refusal(one.ask("look"))

    elsewhere: dict[str, Any] = {
        "replicas": (1, 2),
        "isr": (1, 2),
        "leader": 2,
        "directories": (bytes(16),) * 2,
    }
    assert result_of(scene, **elsewhere) == ErrorCode.NOT_COORDINATOR


def test_a_partition_that_is_not_led_here_is_refused_without_a_message():
    async def scene(one: TallyRuntime):
        with pytest.raises(KafkaError) as refused:
            one.runtime.running(7)
        return refused.value.code, refused.value.message

    assert result_of(scene) == (ErrorCode.NOT_COORDINATOR, None)


def test_when_the_partition_goes_who_waits_is_refused():
    async def scene(one: TallyRuntime):
        codes = one.start("wait")
        await one.tasks.sleep(1)
        one.broker.delete_topic(one.manager, topic_of(one.broker))
        await one.tasks.sleep(1)
        return codes, one.runtime.indexes, await one.refusal(one.ask("look"))

    assert result_of(scene) == ([GONE], [], ErrorCode.NOT_COORDINATOR)


def test_a_leader_epoch_that_begins_loads_anew():
    async def scene(one: TallyRuntime):
        await one.ask("add")
        one.broker.change(one.manager, topic_of(one.broker), leader_epoch=1, partition_epoch=1)
        await one.settled()
        return await one.ask("look"), len(one.shards)

    assert result_of(scene) == (1, 2)


def test_other_topics_are_unknown_here():
    async def scene(one: TallyRuntime):
        one.runtime.on_leading("orders", 5, 0)
        one.runtime.on_leaving("orders", 0)
        return one.runtime.indexes

    assert result_of(scene) == [0]


def test_every_shard_is_notified_of_new_metadata():
    async def scene(one: TallyRuntime):
        one.runtime.metadata_changed(Delta(IMAGE), IMAGE)
        return one.shards[0].images

    assert result_of(scene) == [IMAGE]


def test_each_shard_is_asked():
    async def scene(one: TallyRuntime):
        await one.ask("add")
        return await one.runtime.ask_each(say("look"), version=4)

    assert result_of(scene) == [answer(1)]


def test_a_shard_that_goes_while_all_are_asked_is_left_out():
    async def scene(one: TallyRuntime):
        answers: list[object] = []

        async def ask() -> None:
            answers.extend(await one.runtime.ask_each(say("quietly"), version=4))
            answers.append("the end")

        one.tasks.spawn("ask", ask())
        await one.tasks.sleep(1)
        one.runtime.on_leaving(TOPIC, 0)
        await one.tasks.sleep(1)
        return answers

    assert result_of(scene) == ["the end"]


def test_a_closed_runtime_answers_no_client():
    async def scene(one: TallyRuntime):
        codes = one.start("wait")
        await one.tasks.sleep(1)
        one.runtime.close()
        await one.tasks.sleep(0)
        return codes, repr(one.runtime)

    assert result_of(scene) == ([GONE], f"ShardRuntime({TOPIC}, 0 running, 0 loading)")


def test_a_log_that_cannot_be_read_has_no_coordinator(caplog):
    broker = Broker()

    async def spoil(one: TallyRuntime):
        one.manager.partition(TOPIC, 0).append(batch(0, (b"v",), key=b"\0"))

    async def ask(one: TallyRuntime):
        code, counts = await one.refusal(one.ask("look")), one.runtime.counts
        one.runtime.on_leaving(TOPIC, 0)
        return code, counts, one.runtime.counts["failed"]

    result_of(spoil, broker)
    counts = {"loading": 0, "active": 0, "failed": 1}
    assert result_of(ask, broker) == (ErrorCode.NOT_COORDINATOR, counts, 0)
    assert "__consumer_offsets-0 cannot be loaded" in caplog.text
