"""What one pass reads of the partitions: limits, isolation, refusals."""

from __future__ import annotations

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.broker.server.fetch.reader import FetchReader
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, result_of
from tests.broker.server.fetch.fetch_requests import (
    SENDER,
    TWO,
    bytes_of,
    fetch,
    only,
    responses_of,
)


@pytest.mark.parametrize("version", [4, 12, 13, 18])
def test_what_was_produced_is_fetched_as_it_lies_in_the_log(version):
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        sent = batch(0, (b"a", b"b"))
        broker.partition("topic").append(sent)
        data = only(await broker.ask(fetch(), version))
        return bytes_of(data) == bytes(sent), data.high_watermark, data.last_stable_offset

    assert result_of(scenario) == (True, 2, 2)


def test_large_slices_leave_as_slices():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        broker.partition("topic").append(batch(0, (b"a" * 100_000,)))
        asked = broker.begin(fetch(), 13)
        await broker.tasks.sleep(1)
        (piece,) = asked.slices
        return only(asked.answer).records == piece.read()

    assert result_of(scenario)


def test_a_follower_reads_to_the_end_of_the_log():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        broker.partition("topic").append(batch(0, (b"a",)))
        follower = fetch(0, replica_state=FetchRequest.ReplicaState(replica_id=2))
        data = only(await broker.ask(follower, 18))
        return len(bytes_of(data)) > 0, data.high_watermark, data.aborted_transactions

    assert result_of(scenario) == (True, 0, None)


@pytest.mark.parametrize("is_read_fast", [False, True])
def test_a_follower_is_noted_with_its_end_and_its_epoch(is_read_fast):
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        partition = broker.partition("topic")
        partition.append(batch(0, (b"a",)))
        state = FetchRequest.ReplicaState(replica_id=2, replica_epoch=77)
        follower = fetch(1, replica_state=state, max_wait_ms=0)
        body = encode(follower, 18)
        read = FetchReader(18).read(SENDER, memoryview(body), body, 0, EMPTY_IMAGE)
        assert read is not None
        broker.begin(follower, 18, read=read if is_read_fast else None)
        await broker.tasks.sleep(1)
        return partition.followers[2].broker_epoch, partition.high_watermark

    assert result_of(scenario) == (77, 1)


def test_a_stranger_that_calls_itself_a_replica_is_refused():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        stranger = fetch(
            0, replica_state=FetchRequest.ReplicaState(replica_id=9), current_leader_epoch=0
        )
        return only(await broker.ask(stranger, 18)).error_code

    assert result_of(scenario) == ErrorCode.UNKNOWN_LEADER_EPOCH


def test_the_first_batch_is_whole_however_small_the_limits_and_the_next_partition_empty():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        for index in (0, 1):
            broker.partition("topic", index).append(batch(0, (b"v" * 500,)))
        data = responses_of(await broker.ask(fetch(indexes=(0, 1), max_bytes=10), 13))
        return [len(bytes_of(one)) for one in data]

    assert result_of(scenario) == [len(batch(0, (b"v" * 500,))), 0]


@pytest.mark.parametrize(
    ("limits", "aborted"), [({"max_bytes": 10}, []), ({"partition_max_bytes": 10}, None)]
)
def test_aborts_are_not_sent_beside_a_batch_that_was_cut_short(limits, aborted):
    async def scenario(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        for index in (0, 1):
            broker.partition("topic", index).append(batch(0, (b"v" * 500,)))
        request = fetch(indexes=(0, 1), isolation_level=1, **limits)
        second = responses_of(await broker.ask(request, 13))[1]
        return bytes_of(second), second.aborted_transactions

    assert result_of(scenario) == (b"", aborted)


def test_committed_readers_stop_at_open_transactions_and_learn_of_aborts():
    async def scenario(broker: DataBroker):
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

    assert result_of(scenario) == (b"", [], [(9, 0)], 2)


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
    async def scenario(broker: DataBroker):
        await broker.topic("topic", leader_epoch=5)
        response = await broker.ask(request_, version)
        return response.error_code or only(response).error_code

    assert result_of(scenario) == code


def test_unknown_partitions_stand_behind_all_others():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", leader_epoch=5)
        response = await broker.ask(fetch(indexes=(3, 0)), 13)
        return [one.partition_index for one in response.responses[0].partitions]

    assert result_of(scenario) == [0, 3]


def test_a_fetcher_that_has_diverged_learns_where():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", leader_epoch=5)
        partition = broker.partition("topic")
        partition.log.append_as_leader(batch(), 5)
        await broker.topic("topic", leader_epoch=8)
        partition.append(batch())
        data = only(await broker.ask(fetch(2, last_fetched_epoch=6), 13))
        return data.diverging_epoch.epoch, data.diverging_epoch.end_offset, bytes_of(data)

    assert result_of(scenario) == (5, 1, b"")
