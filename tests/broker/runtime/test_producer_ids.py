"""Producer ids come in blocks, and are given out once."""

from __future__ import annotations

import pytest

from moldau.broker.runtime.producer_ids import READY_MS_MAX, RETRY_MS, ProducerIds
from moldau.errors import KafkaError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.broker.allocate_producer_ids import AllocateProducerIdsResponse
from moldau.protocol.wire.error_codes import ErrorCode

SIZE = 20


class Controller:
    """Gives blocks of twenty; fails as often as it is set to."""

    def __init__(self, *failures):
        self.failures = list(failures)
        self.requests = []

    async def ask(self, request):
        self.requests.append(request)
        failure = self.failures.pop(0) if self.failures else 0
        if isinstance(failure, KafkaError):
            raise failure
        first = SIZE * (len(self.requests) - 1)
        return AllocateProducerIdsResponse(
            throttle_time_ms=0, error_code=failure, producer_id_start=first, producer_id_len=SIZE
        )


def result_of(scenario, controller=None):
    controller = controller or Controller()
    clock = SimulatedClock()

    async def main(tasks):
        ids = ProducerIds(3, lambda: 17, controller.ask, tasks)
        return await scenario(ids, tasks)

    return run(main, clock), controller, clock


def test_the_first_one_has_to_come_again():
    async def scenario(ids, tasks):
        with pytest.raises(KafkaError) as refused:
            ids.take()
        await tasks.sleep(1)
        return refused.value.code, ids.take()

    (code, first), controller, _ = result_of(scenario)
    assert (code, first) == (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, 0)
    assert (controller.requests[0].broker_id, controller.requests[0].broker_epoch) == (3, 17)


def test_who_waits_finds_one():
    async def scenario(ids, tasks):
        await ids.ready()
        await ids.ready()
        return ids.take()

    assert result_of(scenario)[0] == 0


def test_no_id_is_given_twice_and_the_next_block_is_there_in_time():
    async def scenario(ids, tasks):
        await ids.ready()
        taken = []
        for _ in range(5 * SIZE):
            taken.append(ids.take())
            await tasks.sleep(1)
        return taken

    taken, controller, _ = result_of(scenario)
    assert taken == list(range(5 * SIZE))
    assert len(controller.requests) == 6


def test_a_controller_that_refuses_is_asked_again():
    stale = KafkaError(ErrorCode.STALE_BROKER_EPOCH, "register first")
    controller = Controller(stale, ErrorCode.NOT_CONTROLLER)
    clock = SimulatedClock()
    start_ms = clock.now_ms()

    async def main(tasks):
        ids = ProducerIds(3, lambda: 17, controller.ask, tasks)
        await ids.ready()
        return ids.take(), clock.now_ms() - start_ms

    assert run(main, clock) == (2 * SIZE, 2 * RETRY_MS)


def test_who_waits_does_not_wait_for_ever():
    controller = Controller(*[ErrorCode.NOT_CONTROLLER] * 500)

    async def scenario(ids, tasks):
        async with tasks.deadline(READY_MS_MAX + 1):
            await ids.ready()
        return True

    assert result_of(scenario, controller)[0]
