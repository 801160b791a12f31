"""Decisions of one turn share batches, and stay whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from moldau.broker.coordinator.encoded_decision import EncodedDecision
from moldau.broker.coordinator.record_codec import encode_stored
from moldau.broker.log.reading import Isolation
from moldau.broker.runtime.joining import (
    JOINED_BATCH_SIZE_MAX,
    NO_LINGER_MS,
    ONE_TURN_MS,
    Joining,
    cut_to_size,
)
from moldau.broker.runtime.shard_loading import ShardPartition
from moldau.errors import KafkaError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.messages.stored.offsets import OffsetCommitKey
from moldau.protocol.records.batch import iterate_batches, read_whole_header
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.replica.broker_world import Broker, SomeSettings
from tests.broker.runtime.tally_shard import TOPIC, TallyRuntime, answer, record, result_of


def decision(record_count: int) -> EncodedDecision:
    pairs = [encode_stored(record(number)) for number in range(record_count)]
    return EncodedDecision(OffsetCommitKey, pairs, answer(0), lambda first_offset, now_ms: None)


HALF = decision(JOINED_BATCH_SIZE_MAX // 2 // 40)
"""Two of them are more than a batch may have."""


def batches(one: TallyRuntime) -> list[int]:
    """How many records each batch of the partition has."""
    partition: ShardPartition = one.manager.partition(TOPIC, 0)
    found = partition.read(0, 1 << 20, Isolation.LOG_END)
    return [read_whole_header(batch).record_count for batch in iterate_batches(found.read())]


def test_decisions_of_one_turn_are_one_batch_in_their_order():
    async def scene(one: TallyRuntime):
        codes = [one.join() for _ in range(3)]
        await one.tasks.sleep(1)
        return codes, batches(one), one.shards[0].applied, one.effects

    assert result_of(scene) == ([[1], [1], [1]], [3], [0, 1, 2], [])


def test_what_is_asked_later_in_the_turn_finds_the_joined_ones_written():
    async def scene(one: TallyRuntime):
        codes = [one.join(), one.join(), [await one.ask("add")], one.join()]
        await one.tasks.sleep(1)
        return codes, batches(one)

    assert result_of(scene) == ([[1], [1], [3], [4]], [2, 1, 1])


def test_a_refused_append_refuses_all_that_were_joined():
    async def scene(one: TallyRuntime):
        one.manager.partition(TOPIC, 0).set_min_insync_replicas(2)
        codes = [one.join() for _ in range(3)]
        await one.tasks.sleep(1)
        return codes, one.shards[0].applied, one.effects

    alone: dict[str, Any] = {"replicas": (1, 2), "isr": (1,), "directories": (bytes(16),) * 2}
    late = ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert result_of(scene, **alone) == ([[late]] * 3, [], [])


def test_what_is_too_large_together_is_written_one_by_one():
    stage = Broker(settings=SomeSettings(max_message_bytes=120))

    async def scene(one: TallyRuntime):
        codes = [one.join() for _ in range(3)]
        await one.tasks.sleep(1)
        return codes, batches(one)

    assert result_of(scene, stage) == ([[1], [1], [1]], [1, 1, 1])


def test_a_shard_that_leaves_writes_no_more_and_refuses_who_is_joined():
    async def scene(one: TallyRuntime):
        codes = one.join()
        running = one.runtime.running(0)
        running.end(KafkaError(ErrorCode.NOT_COORDINATOR))
        await one.tasks.sleep(1)
        return codes, batches(one)

    assert result_of(scene) == ([ErrorCode.NOT_COORDINATOR], [])


def test_no_decision_is_cut_in_two():
    cut = cut_to_size([HALF] * 3)
    assert [len(group) for group in cut] == [1, 1, 1]


def test_as_few_batches_as_the_bound_allows():
    nothing, small = decision(0), decision(1)
    assert [len(group) for group in cut_to_size([nothing, small, nothing])] == [3]
    assert [len(group) for group in cut_to_size([small, HALF, small, HALF, small])] == [3, 2]


def test_how_long_decisions_are_gathered_is_a_setting():
    written: list[tuple[int, int, bool]] = []

    async def main(tasks: SimulatedTasks) -> None:
        for linger_ms in (NO_LINGER_MS, ONE_TURN_MS, 30):
            start_ms = clock.now_ms()

            def write(
                decisions: Sequence[EncodedDecision], is_own_turn: bool, start_ms: int = start_ms
            ) -> None:
                written.append((clock.now_ms() - start_ms, len(decisions), is_own_turn))

            joining = Joining(tasks, linger_ms, write)
            joining.add(decision(0))
            joining.add(decision(0))
            await tasks.sleep(100)

    clock = SimulatedClock()
    run(main, clock)
    assert written == [(0, 1, False), (0, 1, False), (0, 2, True), (30, 2, True)]
