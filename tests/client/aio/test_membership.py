"""Running memberships, in simulated time."""

from __future__ import annotations

from moldau.client.aio.driver import Driver
from moldau.client.aio.membership import MembershipRunner
from moldau.client.aio.pool import Pool
from moldau.client.core.consuming.group_state import Await, Change, GroupState
from moldau.client.core.dialogue import Pause
from moldau.client.errors import ClosedError
from moldau.client.topic_partition import TopicPartition
from tests.client.aio.scripted_broker import Town, in_town
from tests.client.conversation import context

CHANGE = Change(assigned=frozenset({TopicPartition("t", 0)}))


def running(dialogue_of, work):
    """What `work(runner, state, town)` comes to while a membership runs."""

    async def main(town: Town):
        state = GroupState("g", None)
        driver = Driver(town.world, Pool(town.world, context()), 1000)
        runner = MembershipRunner(town.world, driver, state)
        runner.start(dialogue_of(state))
        return await work(runner, state, town)

    return in_town(main)


def pausing(state: GroupState):
    while not state.is_leaving:
        yield Pause(1000)


def test_leaving_ends_a_pause():
    async def work(runner, state, town):
        await town.tasks.sleep(10)
        await runner.leave()
        return runner.is_running, town.clock.monotonic_ns() // 1_000_000

    assert running(pausing, work) == (False, 10)


def test_a_change_waits_until_it_is_settled():
    received = []

    def dialogue(state: GroupState):
        state.is_settled = False
        while not state.is_settled:
            yield Await(CHANGE, 50)
            received.append(state.is_settled)

    async def work(runner, state, town):
        await town.tasks.sleep(120)
        change = runner.change
        runner.settled()
        await town.tasks.sleep(1)
        return change, runner.change

    assert running(dialogue, work) == (CHANGE, None)
    assert received == [False, False, True]


def test_what_ends_it_is_kept_for_whoever_asks():
    def dialogue(state: GroupState):
        yield Pause(1)
        raise ClosedError("the coordinator")

    async def work(runner, state, town):
        runner.listener = town.tasks.promise()
        await runner.listener.wait()
        return str(runner.error)

    assert "the coordinator" in running(dialogue, work)
