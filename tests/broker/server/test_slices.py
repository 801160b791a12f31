"""Long work is done to the same end, with others between its slices."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.server.slices import (
    DROP_STEP,
    FEW,
    STEP,
    Pace,
    dismantle,
    each,
    in_slices,
)
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.server.hasty_clock import HastyClock


def result_of(scenario, clock=None):
    """Run `scenario(broker)`; what it returns, and how many turns others had meanwhile."""
    turns = 0

    async def main(tasks):
        async def others():
            nonlocal turns
            while True:
                turns += 1
                await tasks.sleep(0)

        broker: Any = SimpleNamespace(clock=clock or SimulatedClock(), tasks=tasks)
        beside = tasks.spawn("others", others())
        found = await scenario(broker)
        beside.cancel()
        return found

    return simulated_tasks.run(main), turns


def double(number):
    return 2 * number


def test_each_element_is_worked_on_in_its_order():
    async def scenario(broker):
        return await in_slices(broker, each(double, range(100)))

    assert (
        result_of(scenario)[0]
        == result_of(scenario, HastyClock())[0]
        == list(map(double, range(100)))
    )


def test_others_have_a_turn_after_each_slice_and_none_within_it():
    async def scenario(broker):
        return await in_slices(broker, each(double, range(10 * STEP)))

    assert result_of(scenario)[1] == 0
    assert result_of(scenario, HastyClock())[1] >= 10


def test_work_that_waits_is_paced_too():
    async def later(number):
        return double(number)

    async def scenario(broker):
        return await Pace(broker).each(later, range(10))

    assert result_of(scenario) == (list(map(double, range(10))), 0)
    found, turns = result_of(scenario, HastyClock())
    assert found == list(map(double, range(10)))
    assert turns >= 10


def test_many_short_pieces_of_work_share_a_slice():
    async def scenario(broker):
        pace = Pace(broker)
        return [await pace.run(each(double, [number])) for number in range(10)]

    assert result_of(scenario)[1] == 0
    assert result_of(scenario, HastyClock())[1] >= 9


def test_long_lists_are_given_back_by_and_by():
    topic = MetadataRequest.MetadataRequestTopic
    request = MetadataRequest(topics=[topic(name="x") for _ in range(3 * DROP_STEP)])
    pauses = len(list(dismantle(request)))
    assert (pauses, len(request.topics or ())) == (2, DROP_STEP)


def test_long_lists_inside_a_few_elements_are_given_back_too():
    topic = ListOffsetsRequest.ListOffsetsTopic
    partitions = [topic.ListOffsetsPartition(partition_index=0, timestamp=0)] * (2 * DROP_STEP)
    topics = [topic(name="x", partitions=list(partitions)) for _ in range(FEW - 1)]
    request = ListOffsetsRequest(replica_id=-1, isolation_level=0, topics=topics)
    assert len(list(dismantle(request))) == FEW - 1
