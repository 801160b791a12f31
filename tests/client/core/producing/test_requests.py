"""Which batches leave when, and which go together."""

from __future__ import annotations

from typing import Any

from moldau.client.core.producing.events import Answered, Refresh
from tests.client.answers import metadata
from tests.client.core.producing.made import Made, answer_to, begun, headers, record


def test_records_of_a_partition_leave_together_after_lingering():
    made = Made(linger_ms="5")
    made.add(record(b"a"), record(b"b"))
    assert made.sends() == []
    assert made.wake_at_ms == 5
    (send,) = made.sends(later_ms=5)
    assert (send.node_id, headers(send)[0].record_count) == (1, 2)


def test_a_full_batch_leaves_at_once_and_the_next_one_lingers():
    made = Made(linger_ms="5", batch_size="1000")
    made.add(*(record(b"x" * 400) for _ in range(3)))
    (send,) = made.sends()
    assert headers(send)[0].record_count == 2


def test_one_request_has_a_batch_for_every_partition_of_its_broker():
    made = Made(linger_ms="0")
    made.add(record(partition=0), record(partition=1))
    assert sorted(send.node_id for send in made.sends()) == [1, 2]
    made = Made(linger_ms="0")
    made.context.cluster.apply_metadata(metadata({"t": {0: (1, 4), 1: (1, 4)}}), 0)
    made.add(record(partition=0), record(partition=1))
    (send,) = made.sends()
    assert [batch.part.partition for batch in send.batches] == [0, 1]


def test_no_more_requests_are_out_than_a_broker_may_have():
    made = begun(max_in_flight_requests_per_connection="2")
    made.add(*(record() for _ in range(5)))
    first, second = made.sends()
    assert len(made.receives(first)) == 1
    assert len(made.receives(second)) == 1


def test_nothing_leaves_before_the_producer_has_an_id():
    made = Made(identity=False, linger_ms="0")
    made.add(record())
    assert made.sends() == []
    assert len(made.is_named()) == 1


def test_metadata_are_asked_for_once_at_a_time():
    made = Made(knows=False)
    made.add(record())
    (refresh,) = made.step()
    assert isinstance(refresh, Refresh)
    assert made.step() == []


def test_a_flush_does_not_linger():
    made = Made(linger_ms="1000")
    made.add(record())
    assert made.sends() == []
    made.sender.requests.flushers += 1
    assert len(made.sends()) == 1


def test_a_broker_that_throttles_gets_nothing_before():
    made = Made(linger_ms="0", batch_size="1")
    made.add(record())
    (send,) = made.sends()
    answer = answer_to(send)
    answer.throttle_time_ms = 50
    made.step(Answered(send, answer))
    made.add(record())
    assert made.sends(later_ms=49) == []
    assert len(made.sends(later_ms=1)) == 1


def test_partitions_take_turns_where_a_request_has_no_room_for_all():
    plain: dict[str, Any] = {"linger_ms": "0", "batch_size": "1", "enable_idempotence": "false"}
    made = Made(identity=False, max_request_size="1600", **plain)
    made.context.cluster.apply_metadata(metadata({"t": {0: (1, 4), 1: (1, 4)}}), 0)
    for partition in (0, 0, 1, 1):
        made.add(record(b"x" * 900, partition=partition))
    sends = made.sends()
    assert [len(send.batches) for send in sends] == [1, 1, 1, 1]
    assert [send.batches[0].part.partition for send in sends] == [0, 1, 0, 1]
