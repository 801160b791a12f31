"""Running memberships, in simulated time."""

from __future__ import annotations

from moldau.client.aio.driver import Driver
from moldau.client.aio.membership import MembershipRunner
from moldau.client.aio.pool import Pool
from moldau.client.core.consuming.group_state import Await, Change, GroupState
from moldau.client.core.dialogue import Ask, Asks, Pause
from moldau.client.errors import ClosedError
from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.network import Address
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster
from tests.client.conversation import context

CHANGE = Change(assigned=frozenset({TopicPartition("t", 0)}))


def running(dialogue_of, work):
    """What `work(runner, state, cluster)` comes to while a membership runs."""

    async def main(cluster: ScriptedCluster):
        state = GroupState("g", None)
        driver = Driver(cluster.world, Pool(cluster.world, context()), 1000)
        runner = MembershipRunner(cluster.world, driver, state)
        runner.start(dialogue_of(state))
        return await work(runner, state, cluster)

    return in_cluster(main)


def pausing(state: GroupState):
    while not state.is_leaving:
        yield Pause(1000)


def test_leaving_ends_a_pause():
    async def work(runner, state, cluster):
        await cluster.tasks.sleep(10)
        await runner.leave()
        return runner.is_running, cluster.clock.monotonic_ns() // 1_000_000

    assert running(pausing, work) == (False, 10)


def test_a_change_waits_until_it_is_settled():
    received = []

    def dialogue(state: GroupState):
        state.is_settled = False
        while not state.is_settled:
            yield Await(CHANGE, 50)
            received.append(state.is_settled)

    async def work(runner, state, cluster):
        await cluster.tasks.sleep(120)
        change = runner.change
        runner.settled()
        await cluster.tasks.sleep(1)
        return change, runner.change

    assert running(dialogue, work) == (CHANGE, None)
    assert received == [False, False, True]


def test_what_ends_it_is_kept_for_the_caller():
    def dialogue(state: GroupState):
        yield Pause(1)
        raise ClosedError("the coordinator")

    async def work(runner, state, cluster):
        runner.listener = cluster.tasks.promise()
        await runner.listener.wait()
        return str(runner.error)

    assert "the coordinator" in running(dialogue, work)


def seeking(generation: int, log: list[str]):
    """A dialogue of a member of this generation that looks for its coordinator until it leaves."""

    def dialogue(state: GroupState):
        state.generation = generation
        while not log or log[-1] != "leaves":
            log.append("leaves" if state.is_leaving else "seeks")
            yield Asks((Ask(FindCoordinatorRequest(coordinator_keys=["g"])),))
            yield Pause(10)

    return dialogue


def left(generation: int, log: list[str], after_ms: int):
    """Whether it still runs, and when it had left, where the only broker answers nothing."""

    async def work(runner, state, cluster):
        await cluster.broker("b1")
        await cluster.tasks.sleep(after_ms)
        await runner.leave()
        return runner.is_running, cluster.clock.monotonic_ns() // 1_000_000

    return running(seeking(generation, log), work)


def test_one_that_never_joined_leaves_while_a_broker_is_looked_for():
    log: list[str] = []
    assert left(0, log, 500) == (False, 500)
    assert log == ["seeks"]


def test_one_that_never_joined_looks_for_no_broker_when_its_pause_ends():
    log: list[str] = []
    assert left(-1, log, 1005) == (False, 1005)
    assert log == ["seeks", "leaves"]


def test_one_that_has_joined_looks_for_the_coordinator_that_it_leaves():
    log: list[str] = []
    assert left(1, log, 1005) == (False, 2015)
    assert log == ["seeks", "leaves"]


def test_what_was_sent_to_a_coordinator_is_waited_for():
    def dialogue(_state: GroupState):
        yield Asks((Ask(FindCoordinatorRequest(coordinator_keys=["g"]), node_id=1),))

    async def work(runner, state, cluster):
        await cluster.broker("b1")
        runner._driver._pool._context.cluster.brokers[1] = Address("b1", PORT)
        await cluster.tasks.sleep(500)
        await runner.leave()
        return cluster.clock.monotonic_ns() // 1_000_000

    assert running(dialogue, work) == 1000
