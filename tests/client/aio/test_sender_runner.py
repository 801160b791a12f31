"""When a sender is stepped, in simulated time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from moldau.client.aio.producing import Producing
from moldau.client.core.context import ClientContext
from moldau.platform.ports.tasks import Timer
from moldau.platform.simulated.tasks import SimulatedTasks
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.test_producing import Log, producing
from tests.client.core.producing.made import record, settings_of

MANY = 50


def counts(broker) -> list[int]:
    """Records in each request that the broker was sent."""
    taken: list[Any] = broker.questions(ProduceRequest)
    return [
        int.from_bytes(bytes(data.records)[57:61], "big")
        for request in taken
        for topic in request.topic_data
        for data in topic.partition_data
    ]


class CountedTasks:
    """Counts the timers that are set; all else is done by the tasks of the cluster."""

    def __init__(self, tasks: SimulatedTasks) -> None:
        self._tasks = tasks
        self.timers = 0

    def after(self, duration_ms: float, action: Callable[[], None]) -> Timer:
        self.timers += duration_ms > 0
        return self._tasks.after(duration_ms, action)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tasks, name)


async def warm(made: Producing) -> None:
    """Its topic, identity and connection are there after this."""
    first = record()
    made.add(first)
    await made.wait(first)


def is_out(made: Producing) -> bool:
    (lane,) = made.sender.accumulator.lanes.values()
    return bool(lane.unresolved)


def test_where_nothing_is_on_its_way_a_record_leaves_in_the_call_that_hands_it_over():
    async def work(made, broker, cluster):
        await warm(made)
        one = record()
        made.add(one)
        left_at_once = is_out(made)
        await made.wait(one)
        return left_at_once

    assert producing(work, linger_ms="0")


def test_those_that_come_meanwhile_leave_together():
    async def work(made, broker, cluster):
        await warm(made)
        sent = [record() for _ in range(4)]
        for one in sent:
            made.add(one)
        for one in sent:
            await made.wait(one)
        return counts(broker)

    assert producing(work, linger_ms="0") == [1, 1, 3]


def test_what_lingers_does_not_leave_at_once():
    async def work(made, broker, cluster):
        await warm(made)
        one = record()
        made.add(one)
        left_at_once = is_out(made)
        await made.wait(one)
        return left_at_once

    assert not producing(work, linger_ms="5")


def test_records_one_after_another_set_no_timers():
    async def work(_made, broker, cluster):
        tasks = CountedTasks(cluster.tasks)
        world = replace(cluster.world, tasks=tasks)
        chosen = settings_of(linger_ms="0")
        made = Producing(world, ClientContext(chosen, cluster.world.random), chosen)
        await warm(made)
        set_before = tasks.timers
        for _ in range(MANY):
            one = record()
            made.add(one)
            await made.wait(one)
        made.stop()
        return tasks.timers - set_before

    assert producing(work) < MANY / 10


def test_a_batch_that_is_refused_for_now_goes_again_when_it_is_time():
    log = Log()

    async def work(made, broker, cluster):
        await warm(made)
        log.codes = [ErrorCode.NOT_ENOUGH_REPLICAS] * 3
        one = record()
        made.add(one)
        offset = (await made.wait(one)).offset
        return offset, cluster.clock.monotonic_ns() // 1_000_000

    offset, now_ms = producing(work, log, linger_ms="0", retry_backoff_ms="100")
    assert (offset, 300 < now_ms < 2000) == (1, True)
