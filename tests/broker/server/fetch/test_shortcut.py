"""The shortcut answers fetches in sessions as the handler does, byte for byte, and in time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from moldau.broker.server.fetch.answers import SENDFILE_FROM
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.messages.stored.metadata_cluster import ClientQuotaRecord
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, play
from tests.broker.server.fetch_histories import FOR_EVER, HISTORIES, NEVER, VERSION, World, told_in


@settings(max_examples=150, deadline=None)
@given(HISTORIES)
def test_whatever_happens_the_shortcut_says_what_the_handler_says(history):
    assert told_in(history, FOR_EVER, by_frame=True) == told_in(history, NEVER)


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
def test_what_the_handler_has_to_judge_it_does(history):
    assert told_in(history, FOR_EVER, by_frame=True) == told_in(history, NEVER)


def shortened(*, waits: bool = False, before=None, **limits) -> int:
    """How many of the third to fifth fetch of a session need no handler."""

    async def story(broker: DataBroker) -> int:
        await broker.topic("topic", 2)
        world = World(broker, FOR_EVER, by_frame=True)
        assert world.way is not None
        for _ in range(2):
            await world.fetch(0, (0, 1))
            await world.settle(3)
        if before is not None:
            before(broker)
        found = world.way.shortened
        for _ in range(3):
            if waits:
                await world.fetch(0, (0, 1), max_wait_ms=50, **limits)
            broker.partition("topic", 1).append(batch())
            if not waits:
                await world.fetch(0, (0, 1), **limits)
            await world.settle(3)
        assert len(world.told) == 5
        return world.way.shortened - found

    return play(story)


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("limits", [{}, {"isolation_level": 1}, {"max_bytes": 10}])
def test_consumers_that_keep_up_need_no_handler(waits, limits):
    assert shortened(waits=waits, **limits) == 3


def test_who_wants_more_than_a_byte_is_left_to_the_handler():
    assert shortened(min_bytes=2) == 0


def test_partitions_that_are_being_opened_are_waited_for_by_the_handler():
    def open_one(broker: DataBroker) -> None:
        broker.replicas._reconciler.pending[("other", 0)] = None

    assert shortened(before=open_one) == 0


def test_where_a_quota_is_set_the_handler_keeps_to_it():
    def limit(broker: DataBroker) -> None:
        entity = ClientQuotaRecord.EntityData(entity_type="user", entity_name=None)
        broker.write(
            [ClientQuotaRecord(entity=[entity], key="consumer_byte_rate", value=1e9, remove=False)]
        )

    assert shortened(before=limit) == 0


def test_who_comes_later_gets_what_was_appended_since_others_have_read():
    async def story(broker: DataBroker) -> list[int]:
        await broker.topic("topic")
        world = World(broker, FOR_EVER, by_frame=True)
        for client in (0, 1, 0, 1):
            await world.fetch(client, (0,))
            await world.settle(3)
        for client in (0, 1):
            broker.partition("topic").append(batch())
            await world.fetch(client, (0,))
            await world.settle(3)
        return [len(body) // len(batch()) for _, _, body in world.told[4:]]

    assert play(story) == [1, 2]


@pytest.mark.parametrize("by_frame", [False, True])
def test_a_fetch_that_another_one_overtakes_is_told_so(by_frame):
    async def story(broker: DataBroker) -> tuple[int, int]:
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
        (_, _, told), lost = world.told[-1], overtaken.body()
        assert lost is not None
        return len(told) > len(batch()), decode(FetchResponse, VERSION, lost).error_code

    assert play(story) == (True, ErrorCode.INVALID_FETCH_SESSION_EPOCH)


def test_who_catches_up_is_left_to_the_handler_until_an_answer_was_small():
    async def story(broker: DataBroker) -> list[int]:
        await broker.topic("topic")
        world = World(broker, FOR_EVER, by_frame=True)
        assert world.way is not None
        shortened = []
        for size in (1, 1, SENDFILE_FROM, 1, 1):
            broker.partition("topic").append(batch(0, (b"v" * size,)))
            await world.fetch(0, (0,))
            await world.settle(3)
            shortened.append(world.way.shortened)
        return shortened

    assert play(story) == [0, 1, 1, 1, 2]
