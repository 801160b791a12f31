"""A log is flushed when a segment has rolled, or when `flush.ms` is over."""

from __future__ import annotations

import pytest

from moldau.broker.replica.flushing import flush, must_flush, unflushed
from moldau.errors import KafkaError
from moldau.platform.simulated.disk_faults import Fault
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker


def with_log(scenario, count: int, **settings: int):
    broker = Broker()
    broker.settings.segment_bytes = 300
    for name, value in settings.items():
        setattr(broker.settings, name, value)
    broker.add_topic(None)

    async def act(manager, tasks):
        partition = manager.leader("topic", 0)
        for _ in range(count):
            partition.append(batch(0, (b"v" * 100,)))
        return await scenario(broker, tasks, partition)

    return broker.run(act)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_whatever_must_be_flushed_is_unflushed(count):
    async def scenario(broker, tasks, partition):
        late_ms = broker.clock.now_ms() + partition.log.settings.flush_ms
        before = unflushed([partition]), must_flush(partition, late_ms)
        await flush(tasks, partition, late_ms)
        return before, unflushed([partition]), partition

    before, after, partition = with_log(scenario, count, flush_ms=1000)
    assert before == ([partition] * bool(count), bool(count))
    assert after == []


@pytest.mark.parametrize(("count", "is_due"), [(1, False), (5, True)])
def test_a_rolled_segment_is_due(count, is_due):
    async def scenario(broker, tasks, partition):
        before = must_flush(partition, broker.clock.now_ms())
        await flush(tasks, partition, broker.clock.now_ms())
        return before, must_flush(partition, broker.clock.now_ms())

    assert with_log(scenario, count) == (is_due, False)


def test_flush_ms_brings_the_active_segment_to_disk_too():
    async def scenario(broker, tasks, partition):
        await tasks.sleep(150)
        now_ms = broker.clock.now_ms()
        due = must_flush(partition, now_ms)
        await flush(tasks, partition, now_ms)
        return due, partition.log.recovery_point

    assert with_log(scenario, 1, flush_ms=100) == (True, 1)


def test_a_failed_sync_refuses_everything_from_then_on():
    async def scenario(broker, tasks, partition):
        broker.files.faults.add(Fault("sync", "*.log"))
        with pytest.raises(KafkaError):
            await flush(tasks, partition, broker.clock.now_ms())
        with pytest.raises(KafkaError) as caught:
            partition.append(batch())
        return caught.value.code, must_flush(partition, broker.clock.now_ms())

    assert with_log(scenario, 5) == (ErrorCode.KAFKA_STORAGE_ERROR, False)
