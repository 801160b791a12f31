"""What was read for one consumer is sent to others, as long as it is what they would read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from moldau.broker.log.reading import FetchResult
from moldau.broker.server.fetch.answers import SENDFILE_FROM
from moldau.broker.server.fetch.kept_reads import KEPT_MAX, KEPT_MS, KeptReads, Key
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, result_of
from tests.broker.server.fetch_histories import (
    FOR_EVER,
    HISTORIES,
    NEVER,
    VERSION,
    World,
    answers_in,
)


@settings(max_examples=150, deadline=None)
@given(HISTORIES)
def test_whatever_happens_a_frame_is_answered_as_its_message(history):
    assert answers_in(history, FOR_EVER, by_frame=True) == answers_in(history, NEVER)


PAUSE = "pause", 0, 3


def fetches(client: int, *wanted: int, **limits: int) -> tuple[Any, ...]:
    return "fetch", client, (wanted, limits)


def begun(client: int, *wanted: int, **limits: int) -> list[tuple[Any, ...]]:
    return [fetches(client, *wanted, **limits), PAUSE] * 2


SMALL = {"partition_max_bytes": 60}
APPENDED = ("append", 0, 1), ("append", 1, 1)


@pytest.mark.parametrize(
    "history",
    [
        [*begun(0, 0), *APPENDED, *begun(0, 0, leader_epoch=9)],
        [*begun(0, 0), *APPENDED, *begun(0, 0, leader_epoch=0)],
        [*begun(0, 1, **SMALL), *begun(1, 0, 1, **SMALL), *APPENDED, *begun(0, 1), *begun(1, 0, 1)],
    ],
)
def test_wrong_epochs_and_small_limits_have_their_answers(history):
    assert answers_in(history, FOR_EVER, by_frame=True) == answers_in(history, NEVER)


def kept_after(*sizes: int) -> tuple[int, int]:
    """Reads that are kept when two consumers have got batches of these sizes, and their answers."""

    async def scenario(broker: DataBroker) -> tuple[int, int]:
        await broker.topic("topic")
        world = World(broker, FOR_EVER, by_frame=True)
        for size in sizes:
            broker.partition("topic").append(batch(0, (b"v" * size,)))
            for client in (0, 1):
                await world.fetch(client, (0,))
                await world.settle(3)
        return len(broker.broker.fetch_reads), len(world.answers)

    return result_of(scenario)


def test_consumers_that_read_the_same_read_it_once():
    assert kept_after(1, 1) == (2, 4)


def test_what_leaves_as_a_slice_is_not_kept():
    assert kept_after(SENDFILE_FROM) == (0, 2)


def test_who_comes_later_gets_what_was_appended_since_others_have_read():
    async def scenario(broker: DataBroker) -> list[int]:
        await broker.topic("topic")
        world = World(broker, FOR_EVER, by_frame=True)
        for client in (0, 1, 0, 1):
            await world.fetch(client, (0,))
            await world.settle(3)
        for client in (0, 1):
            broker.partition("topic").append(batch())
            await world.fetch(client, (0,))
            await world.settle(3)
        return [len(body) // len(batch()) for _, _, body in world.answers[4:]]

    assert result_of(scenario) == [1, 2]


@pytest.mark.parametrize("by_frame", [False, True])
def test_a_fetch_that_another_one_overtakes_has_the_wrong_epoch(by_frame):
    async def scenario(broker: DataBroker) -> tuple[int, int]:
        await broker.topic("topic")
        world = World(broker, FOR_EVER, by_frame=by_frame)
        for _ in range(2):
            await world.fetch(0, (0,))
            await world.settle(3)
        client = world.clients[0]
        await world.fetch(0, (0,), max_wait_ms=500)
        overtaken, client.asked = client.asked, None
        client.session = client.session[0], client.session[1] + 1
        await world.fetch(0, (0,), max_wait_ms=500)
        broker.partition("topic").append(batch())
        await world.settle(3)
        assert overtaken is not None
        (_, _, answered), lost = world.answers[-1], overtaken.body()
        assert lost is not None
        return len(answered) > len(batch()), decode(FetchResponse, VERSION, lost).error_code

    assert result_of(scenario) == (True, ErrorCode.INVALID_FETCH_SESSION_EPOCH)


def read_in(scenario: Any) -> Any:
    """A scenario of a partition with a record, and of what was read there."""

    async def main(broker: DataBroker) -> Any:
        await broker.topic("topic")
        partition = broker.partition("topic")
        partition.append(batch())
        reads = KeptReads()
        found: FetchResult = partition.read(0, 1000)
        key: Key = partition, 0, 1000, False, True
        reads.keep(key, found, found.read())
        return await scenario(broker, reads, key)

    return result_of(main)


def test_a_read_holds_until_its_log_has_changed():
    async def scenario(broker: DataBroker, reads: KeptReads, key: Key) -> list[bool]:
        partition, seen = key[0], [reads.find(key, 0) is not None]
        partition.append(batch())
        seen.append(reads.find(key, 0) is not None)
        reads.keep(key, partition.read(0, 1000), b"records")
        seen.append(reads.find(key, 0) is not None)
        await broker.topic("topic", leader_epoch=1)
        return [*seen, reads.find(key, 0) is not None]

    assert read_in(scenario) == [True, False, True, False]


def test_a_follower_keeps_nothing_for_its_log_may_be_cut_off():
    async def scenario(broker: DataBroker, reads: KeptReads, key: Key) -> list[bool]:
        others: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16)] * 2}
        await broker.topic("topic", leader=2, leader_epoch=1, **others)
        found = FetchResult(None, 0, 1, 1, 0, None)
        return [reads.keep(key, found, b"records") is None, reads.find(key, 0) is None]

    assert read_in(scenario) == [True, True]


def test_a_read_is_kept_for_a_second_and_with_few_others():
    async def scenario(broker: DataBroker, reads: KeptReads, key: Key) -> list[int]:
        partition, found = key[0], FetchResult(None, 0, 1, 1, 0, None)
        for offset in range(KEPT_MAX):
            reads.keep((partition, offset, 0, False, True), found, b"")
        few = len(reads)
        reads.find(key, KEPT_MS)
        return [few <= KEPT_MAX, len(reads)]

    assert read_in(scenario) == [True, 0]
