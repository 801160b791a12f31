"""Only turns on the loop are charged, and all of them."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.server.monitoring.processor_time import Turns, charged
from moldau.broker.server.quota.quotas import Quotas
from moldau.errors import KafkaError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.transaction.write_txn_markers import WriteTxnMarkersRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of

LIMITED = QuotaImage({(("client-id", None),): {"request_percentage": 0.001}})
MS = 1_000_000


class Work:
    """Keeps the processor, waits, keeps it again."""

    def __init__(self, clock, tasks):
        self.clock = clock
        self.tasks = tasks

    async def handle(self, ends=None):
        self.clock.advance_ns(3 * MS)
        await self.tasks.sleep(1000)
        self.clock.advance_ns(4 * MS)
        await self.tasks.sleep(1000)
        self.clock.advance_ns(5 * MS)
        if ends is not None:
            raise ends
        return


def result_of(scenario):
    clock = SimulatedClock()
    return run(lambda tasks: scenario(Work(clock, tasks)), clock)


def test_waits_are_left_out():
    async def scenario(work):
        turns = Turns(work.handle(), work.clock)
        return await turns, turns.spent_ns, "Turns(<coroutine" in repr(turns)

    assert result_of(scenario) == (None, 12 * MS, True)


def test_an_error_comes_through_and_its_turn_counts():
    async def scenario(work):
        turns = Turns(work.handle(KafkaError(ErrorCode.NOT_CONTROLLER)), work.clock)
        with pytest.raises(KafkaError):
            await turns
        return turns.spent_ns

    assert result_of(scenario) == 12 * MS


def test_what_is_cancelled_ends_in_order_and_has_cost_what_it_has_cost():
    ended = []

    async def wait(work):
        try:
            await work.handle()
        finally:
            work.clock.advance_ns(MS)
            ended.append("inside")

    async def scenario(work):
        turns = Turns(wait(work), work.clock)
        with pytest.raises(TimeoutError):
            async with work.tasks.deadline(1500):
                await turns
        return turns.spent_ns

    assert (result_of(scenario), ended) == (8 * MS, ["inside"])


def test_what_was_never_awaited_can_be_closed():
    async def scenario(work):
        turns = Turns(work.handle(), work.clock)
        turns.close()
        return turns.spent_ns

    assert result_of(scenario) == 0


@pytest.mark.parametrize(
    ("code", "throttle_ms"),
    [(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, 1000), (ErrorCode.NOT_CONTROLLER, 0)],
)
def test_a_refused_node_is_charged_only_if_it_is_none(code, throttle_ms):
    async def scenario(work):
        broker = broker_with(tasks=work.tasks)
        broker.clock = work.clock
        broker.quotas = Quotas(work.clock, lambda: LIMITED)
        call = call_of(WriteTxnMarkersRequest(markers=[]), 1)
        with pytest.raises(KafkaError):
            await charged(call, broker, work.handle(KafkaError(code)))
        return call.throttle_ms

    assert result_of(scenario) == throttle_ms


@pytest.mark.parametrize(("known", "throttle_ms"), [(LIMITED, 1000), (QuotaImage({}), 0)])
def test_the_sender_is_charged_where_quotas_are_set(known, throttle_ms):
    async def scenario(work):
        broker = broker_with(tasks=work.tasks)
        broker.clock = work.clock
        broker.quotas = Quotas(work.clock, lambda: known)
        call = call_of(ApiVersionsRequest(), 0)
        await charged(call, broker, work.handle())
        return call.throttle_ms

    assert result_of(scenario) == throttle_ms
