"""A fetch that is held: what it waits for, and what ends its wait."""

from __future__ import annotations

import pytest

from moldau.broker.server.fetch.answers import SENDFILE_FROM
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import NOT_YET, DataBroker, result_of
from tests.broker.server.fetch.fetch_requests import TWO, bytes_of, fetch, only, responses_of


def throttled(broker: DataBroker, *replicas: str) -> None:
    broker.disk.settings.leader_replication_throttled_replicas = replicas
    broker.replicas.throttles.to_followers.bound = 100


def test_a_fetch_at_the_end_waits_for_records():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        asked = broker.begin(fetch(), 13)
        await broker.tasks.sleep(100)
        before = asked.answer
        broker.partition("topic").append(batch())
        await broker.tasks.sleep(1)
        expired = broker.broker.purgatory.expired
        return before, len(bytes_of(only(asked.answer))) > 0, expired

    assert result_of(scenario) == (NOT_YET, True, {})


def test_a_fetch_waits_no_longer_than_it_asked():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        began = broker.broker.clock.now_ms()
        response = await broker.ask(fetch(max_wait_ms=300), 13)
        waited = broker.broker.clock.now_ms() - began
        return bytes_of(only(response)), 300 <= waited <= 302, broker.broker.purgatory.expired

    assert result_of(scenario) == (b"", True, {"consumer": 1})


def test_a_topic_that_is_deleted_during_the_wait_ends_it():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        asked = broker.begin(fetch(max_wait_ms=10_000), 13)
        broker.delete("topic")
        await broker.tasks.sleep(1)
        return only(asked.answer).error_code

    assert result_of(scenario) == ErrorCode.UNKNOWN_TOPIC_ID


def test_a_leader_that_changes_during_the_wait_ends_it():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        asked = broker.begin(fetch(max_wait_ms=10_000), 10)
        await broker.topic("topic", **{**TWO, "leader": 2, "leader_epoch": 1})
        await broker.tasks.sleep(1)
        return only(asked.answer).error_code

    assert result_of(scenario) == ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_min_bytes_are_waited_for_over_all_partitions():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        one = len(batch())
        asked = broker.begin(fetch(indexes=(0, 1), min_bytes=2 * one, max_wait_ms=10_000), 13)
        seen = []
        for index in (0, 1):
            broker.partition("topic", index).append(batch())
            await broker.tasks.sleep(5)
            seen.append(asked.answer is NOT_YET)
        return seen

    assert result_of(scenario) == [True, False]


def test_records_that_are_not_replicated_are_not_fetched_until_they_are():
    async def scenario(broker: DataBroker):
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

    assert result_of(scenario) == (NOT_YET, 1)


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
    async def scenario(broker: DataBroker):
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

    assert result_of(scenario) == sizes


@pytest.mark.parametrize(("adding", "is_counted"), [([], False), ([2], True), ([3], False)])
def test_what_a_follower_gets_that_a_reassignment_adds_is_counted_apart(adding, is_counted):
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **{**TWO, "isr": [1], "adding_replicas": adding})
        broker.partition("topic").append(batch(0, (b"v" * 900,)))
        state = FetchRequest.ReplicaState(replica_id=2)
        sent = bytes_of(only(await broker.ask(fetch(0, replica_state=state), 18)))
        traffic = broker.broker.traffic
        assert traffic.replicated_out.count == len(sent) > 900
        return traffic.reassigned_out.count == len(sent), traffic.reassigned_out.count > 0

    assert result_of(scenario) == (is_counted, is_counted)


def test_a_follower_that_is_held_back_waits_as_long_as_it_asked():
    async def scenario(broker: DataBroker):
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
        return before, bytes_of(only(asked.answer)), broker.broker.purgatory.expired["follower"]

    assert result_of(scenario) == (NOT_YET, b"", 1)


def test_a_session_sends_only_what_has_changed():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", partitions=3)
        first = await broker.ask(fetch(indexes=(0, 1, 2), session_epoch=0, max_wait_ms=0), 13)
        broker.partition("topic", 1).append(batch())
        again = FetchRequest(
            max_wait_ms=0, min_bytes=1, topics=[], forgotten_topics_data=[],
            replica_state=FetchRequest.ReplicaState(),
            session_id=first.session_id, session_epoch=1,
        )  # fmt: skip
        second = await broker.ask(again, 13)
        return len(responses_of(first)), [one.partition_index for one in responses_of(second)]

    assert result_of(scenario) == (3, [1])


@pytest.mark.parametrize("size", [10, 100_000])
def test_what_is_not_in_the_page_cache_is_read_beside_the_loop(size):
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        sent = batch(0, (b"v" * size,))
        broker.partition("topic").append(sent)
        broker.disk.files.is_cold = True
        asked = broker.begin(fetch(), 13)
        before = asked.answer
        await broker.tasks.sleep(1)
        data = only(asked.answer)
        return before, bool(asked.slices), bytes_of(data) == bytes(sent)

    assert result_of(scenario) == (NOT_YET, size > SENDFILE_FROM, True)


def test_a_refused_partition_is_answered_at_once_beside_one_without_records():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        asked = broker.begin(fetch(indexes=(0, 3)), 13)
        return [one.error_code for one in responses_of(asked.answer)]

    assert result_of(scenario) == [0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


def test_a_follower_that_is_held_has_fetched_when_it_came():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        partition = broker.partition("topic")
        follower = fetch(0, replica_state=FetchRequest.ReplicaState(replica_id=2))
        asked = broker.begin(follower, 18)
        progress = partition.followers[2]
        came_ms = progress.fetched_ms
        await broker.tasks.sleep(100)
        partition.append(batch(0, (b"a",)))
        await broker.tasks.sleep(1)
        return len(bytes_of(only(asked.answer))) > 0, came_ms > 0, progress.fetched_ms - came_ms

    assert result_of(scenario) == (True, True, 0)


@pytest.mark.parametrize("replica_id", [2, -1])
def test_a_partition_that_wakes_without_records_has_no_other_one_looked_at(replica_id):
    async def scenario(broker: DataBroker):
        await broker.topic("topic", partitions=2, **TWO)
        quiet, written = broker.partition("topic", 0), broker.partition("topic", 1)
        state = FetchRequest.ReplicaState(replica_id=replica_id)
        asked = broker.begin(fetch(indexes=(0, 1), replica_state=state, max_wait_ms=9_000), 18)
        written.log.append_as_leader(batch(), written.leader_epoch)
        written.log.high_watermark = written.log_end_offset
        quiet.wake()
        await broker.tasks.sleep(5)
        before = asked.answer
        written.wake()
        await broker.tasks.sleep(5)
        return before, len(responses_of(asked.answer))

    assert result_of(scenario) == (NOT_YET, 2)
