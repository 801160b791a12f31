"""Fetch: what is read at once, what is waited for, and what a session leaves out."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.server.fetch.answers import SENDFILE_FROM
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import NOT_YET, DataBroker, play, topic_id

TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}
Asked = FetchRequest.FetchTopic.FetchPartition


def fetch(
    offset: int = 0, *, topic: str = "topic", indexes: tuple[int, ...] = (0,), **fields: Any
) -> FetchRequest:
    of_partition = {
        name: fields.pop(name)
        for name in ("current_leader_epoch", "last_fetched_epoch")
        if name in fields
    }
    asked = [
        Asked(
            partition=index,
            fetch_offset=offset,
            partition_max_bytes=fields.get("partition_max_bytes", 1 << 20),
            **of_partition,
        )
        for index in indexes
    ]
    fields.pop("partition_max_bytes", None)
    topics = [FetchRequest.FetchTopic(topic=topic, topic_id=topic_id(topic), partitions=asked)]
    given = {"max_wait_ms": 500, "min_bytes": 1, "topics": topics, **fields}
    given.setdefault("replica_state", FetchRequest.ReplicaState())
    return FetchRequest(forgotten_topics_data=[], **given)


def told(response: Any) -> list[Any]:
    return [one for topic in response.responses for one in topic.partitions]


def only(response: Any) -> Any:
    (one,) = told(response)
    return one


def bytes_of(data: Any) -> bytes:
    records = data.records
    return records.read() if isinstance(records, FileSlice) else bytes(records)


@pytest.mark.parametrize("version", [4, 12, 13, 18])
def test_what_was_produced_is_fetched_as_it_lies_in_the_log(version):
    async def story(broker: DataBroker):
        await broker.topic("topic")
        sent = batch(0, (b"a", b"b"))
        broker.partition("topic").append(sent)
        data = only(await broker.ask(fetch(), version))
        return bytes_of(data) == bytes(sent), data.high_watermark, data.last_stable_offset

    assert play(story) == (True, 2, 2)


def test_large_slices_leave_as_slices():
    async def story(broker: DataBroker):
        await broker.topic("topic")
        broker.partition("topic").append(batch(0, (b"a" * 100_000,)))
        asked = broker.begin(fetch(), 13)
        await broker.tasks.sleep(1)
        (piece,) = asked.slices
        return only(asked.answer).records == piece.read()

    assert play(story)


def test_a_fetch_at_the_end_waits_for_records():
    async def story(broker: DataBroker):
        await broker.topic("topic")
        asked = broker.begin(fetch(), 13)
        await broker.tasks.sleep(100)
        before = asked.answer
        broker.partition("topic").append(batch())
        await broker.tasks.sleep(1)
        return before, len(bytes_of(only(asked.answer))) > 0

    assert play(story) == (NOT_YET, True)


def test_a_fetch_waits_no_longer_than_it_said():
    async def story(broker: DataBroker):
        await broker.topic("topic")
        began = broker.broker.clock.now_ms()
        response = await broker.ask(fetch(max_wait_ms=300), 13)
        waited = broker.broker.clock.now_ms() - began
        return bytes_of(only(response)), 300 <= waited <= 302

    assert play(story) == (b"", True)


def test_a_topic_that_is_deleted_during_the_wait_ends_it():
    async def story(broker: DataBroker):
        await broker.topic("topic")
        asked = broker.begin(fetch(max_wait_ms=10_000), 13)
        broker.delete("topic")
        await broker.tasks.sleep(1)
        return only(asked.answer).error_code

    assert play(story) == ErrorCode.UNKNOWN_TOPIC_ID


def test_a_leader_that_changes_during_the_wait_ends_it():
    async def story(broker: DataBroker):
        await broker.topic("topic", **TWO)
        asked = broker.begin(fetch(max_wait_ms=10_000), 10)
        await broker.topic("topic", **{**TWO, "leader": 2, "leader_epoch": 1})
        await broker.tasks.sleep(1)
        return only(asked.answer).error_code

    assert play(story) == ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_min_bytes_are_waited_for_over_all_partitions():
    async def story(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        one = len(batch())
        asked = broker.begin(fetch(indexes=(0, 1), min_bytes=2 * one, max_wait_ms=10_000), 13)
        seen = []
        for index in (0, 1):
            broker.partition("topic", index).append(batch())
            await broker.tasks.sleep(5)
            seen.append(asked.answer is NOT_YET)
        return seen

    assert play(story) == [True, False]


def test_records_that_are_not_replicated_are_not_fetched_until_they_are():
    async def story(broker: DataBroker):
        await broker.topic("topic", **TWO)
        partition = broker.partition("topic")
        partition.append(batch(0, (b"a",)))
        asked = broker.begin(fetch(), 13)
        await broker.tasks.sleep(10)
        before = asked.answer
        follower = fetch(1, replica_state=FetchRequest.ReplicaState(replica_id=2), max_wait_ms=0)
        await broker.ask(follower, 18)
        await broker.tasks.sleep(1)
        return before, only(asked.answer).high_watermark

    assert play(story) == (NOT_YET, 1)


def test_a_follower_reads_to_the_end_of_the_log():
    async def story(broker: DataBroker):
        await broker.topic("topic", **TWO)
        broker.partition("topic").append(batch(0, (b"a",)))
        follower = fetch(0, replica_state=FetchRequest.ReplicaState(replica_id=2))
        data = only(await broker.ask(follower, 18))
        return len(bytes_of(data)) > 0, data.high_watermark, data.aborted_transactions

    assert play(story) == (True, 0, None)


def throttled(broker: DataBroker, *replicas: str) -> None:
    broker.disk.settings.leader_replication_throttled_replicas = replicas
    broker.replicas.throttles.to_followers.bound = 100


@pytest.mark.parametrize(
    ("isr", "listed", "sizes"),
    [
        ([1], ("0:1",), [1, 0, 0, 1]),
        ([1], ("*",), [1, 0, 0, 1]),
        ([1], ("1:1", "0:2"), [1, 1, 1, 1]),
        ([1, 2], ("*",), [1, 1, 1, 1]),
    ],
)
def test_a_follower_that_is_behind_and_too_fast_gets_nothing_for_a_while(isr, listed, sizes):
    async def story(broker: DataBroker):
        await broker.topic("topic", **{**TWO, "isr": isr})
        throttled(broker, *listed)
        broker.partition("topic").append(batch(0, (b"v" * 900,)))
        state = FetchRequest.ReplicaState(replica_id=2)
        follower = fetch(0, replica_state=state, max_wait_ms=0)
        got = []
        for pause_ms in (1_000, 1_000, 12_000, 0):
            got.append(min(len(bytes_of(only(await broker.ask(follower, 18)))), 1))
            await broker.tasks.sleep(pause_ms)
        return got

    assert play(story) == sizes


def test_a_follower_that_is_held_back_waits_as_long_as_it_said():
    async def story(broker: DataBroker):
        await broker.topic("topic", **{**TWO, "isr": [1]})
        throttled(broker, "*")
        broker.partition("topic").append(batch(0, (b"v" * 900,)))
        state = FetchRequest.ReplicaState(replica_id=2)
        await broker.ask(fetch(0, replica_state=state), 18)
        asked = broker.begin(fetch(0, replica_state=state, max_wait_ms=500), 18)
        broker.partition("topic").append(batch(0, (b"v",)))
        await broker.tasks.sleep(400)
        before = asked.answer
        await broker.tasks.sleep(200)
        return before, bytes_of(only(asked.answer))

    assert play(story) == (NOT_YET, b"")


def test_a_stranger_that_calls_itself_a_replica_is_refused():
    async def story(broker: DataBroker):
        await broker.topic("topic")
        stranger = fetch(
            0, replica_state=FetchRequest.ReplicaState(replica_id=9), current_leader_epoch=0
        )
        return only(await broker.ask(stranger, 18)).error_code

    assert play(story) == ErrorCode.UNKNOWN_LEADER_EPOCH


def test_the_first_batch_is_whole_however_small_the_limits_and_the_next_partition_empty():
    async def story(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        for index in (0, 1):
            broker.partition("topic", index).append(batch(0, (b"v" * 500,)))
        data = told(await broker.ask(fetch(indexes=(0, 1), max_bytes=10), 13))
        return [len(bytes_of(one)) for one in data]

    assert play(story) == [len(batch(0, (b"v" * 500,))), 0]


@pytest.mark.parametrize(
    ("limits", "aborted"), [({"max_bytes": 10}, []), ({"partition_max_bytes": 10}, None)]
)
def test_aborts_are_not_told_beside_a_batch_that_was_cut_short(limits, aborted):
    async def story(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        for index in (0, 1):
            broker.partition("topic", index).append(batch(0, (b"v" * 500,)))
        request = fetch(indexes=(0, 1), isolation_level=1, **limits)
        second = told(await broker.ask(request, 13))[1]
        return bytes_of(second), second.aborted_transactions

    assert play(story) == (b"", aborted)


def test_committed_readers_stop_at_open_transactions_and_learn_of_aborts():
    async def story(broker: DataBroker):
        await broker.topic("topic")
        partition = broker.partition("topic")
        partition.log.producers.verify_transactions = False
        partition.append(batch(0, (b"a",), attributes=0x10, producer=(9, 0, 0)))
        before = only(await broker.ask(fetch(isolation_level=1, max_wait_ms=0), 13))
        partition.append(
            build_marker_batch(
                EndMarker(is_commit=False, coordinator_epoch=0),
                producer_id=9,
                producer_epoch=0,
                timestamp=1000,
            ),
            origin=AppendOrigin.COORDINATOR,
        )
        after = only(await broker.ask(fetch(isolation_level=1), 13))
        aborted = [(one.producer_id, one.first_offset) for one in after.aborted_transactions]
        return bytes_of(before), before.aborted_transactions, aborted, after.last_stable_offset

    assert play(story) == (b"", [], [(9, 0)], 2)


@pytest.mark.parametrize(
    ("request_", "version", "code"),
    [
        (fetch(topic="other"), 12, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (fetch(topic="other"), 13, ErrorCode.UNKNOWN_TOPIC_ID),
        (fetch(indexes=(3,)), 13, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (fetch(7), 13, ErrorCode.OFFSET_OUT_OF_RANGE),
        (fetch(current_leader_epoch=1), 13, ErrorCode.FENCED_LEADER_EPOCH),
        (fetch(current_leader_epoch=9), 13, ErrorCode.UNKNOWN_LEADER_EPOCH),
        (fetch(session_id=5, session_epoch=1), 13, ErrorCode.FETCH_SESSION_ID_NOT_FOUND),
    ],
)
def test_what_cannot_be_read_is_refused_at_once(request_, version, code):
    async def story(broker: DataBroker):
        await broker.topic("topic", leader_epoch=5)
        response = await broker.ask(request_, version)
        return response.error_code or only(response).error_code

    assert play(story) == code


def test_unknown_partitions_are_told_behind_all_others():
    async def story(broker: DataBroker):
        await broker.topic("topic", leader_epoch=5)
        response = await broker.ask(fetch(indexes=(3, 0)), 13)
        return [one.partition_index for one in response.responses[0].partitions]

    assert play(story) == [0, 3]


def test_a_fetcher_that_has_diverged_is_told_where():
    async def story(broker: DataBroker):
        await broker.topic("topic", leader_epoch=5)
        partition = broker.partition("topic")
        partition.log.append_as_leader(batch(), 5)
        await broker.topic("topic", leader_epoch=8)
        partition.append(batch())
        data = only(await broker.ask(fetch(2, last_fetched_epoch=6), 13))
        return data.diverging_epoch.epoch, data.diverging_epoch.end_offset, bytes_of(data)

    assert play(story) == (5, 1, b"")


def test_a_session_tells_only_what_has_changed():
    async def story(broker: DataBroker):
        await broker.topic("topic", partitions=3)
        first = await broker.ask(fetch(indexes=(0, 1, 2), session_epoch=0, max_wait_ms=0), 13)
        broker.partition("topic", 1).append(batch())
        again = FetchRequest(
            max_wait_ms=0, min_bytes=1, topics=[], forgotten_topics_data=[],
            replica_state=FetchRequest.ReplicaState(),
            session_id=first.session_id, session_epoch=1,
        )  # fmt: skip
        second = await broker.ask(again, 13)
        return len(told(first)), [one.partition_index for one in told(second)]

    assert play(story) == (3, [1])


@pytest.mark.parametrize("size", [10, 100_000])
def test_what_is_not_in_the_page_cache_is_read_beside_the_loop(size):
    async def story(broker: DataBroker):
        await broker.topic("topic")
        sent = batch(0, (b"v" * size,))
        broker.partition("topic").append(sent)
        broker.disk.files.is_cold = True
        asked = broker.begin(fetch(), 13)
        before = asked.answer
        await broker.tasks.sleep(1)
        data = only(asked.answer)
        return before, bool(asked.slices), bytes_of(data) == bytes(sent)

    assert play(story) == (NOT_YET, size > SENDFILE_FROM, True)
