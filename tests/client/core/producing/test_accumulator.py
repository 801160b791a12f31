"""Where records wait for others that go the same way."""

from __future__ import annotations

from collections import Counter

from moldau.client.core.producing.accumulator import Accumulator
from moldau.client.core.producing.batch import Delivery, packed_batch
from moldau.client.topic_partition import TopicPartition
from tests.client.answers import metadata
from tests.client.batches import data_batch
from tests.client.conversation import context
from tests.client.core.producing.made import record, settings_of


def accumulator(own=None, partitions: int = 4, **settings: str) -> Accumulator:
    around = context()
    topics = {"t": dict.fromkeys(range(partitions), (1, 1))}
    around.cluster.apply_metadata(metadata(topics), 0)
    return Accumulator(around, settings_of(**settings), own)


def partitions_of(made: Accumulator, records: list[Delivery]) -> list[int]:
    for one in records:
        made.add(one, 0)
    return [one.partition for one in records]


def test_keyless_records_stay_together_until_there_is_a_batch_of_them():
    made = accumulator(batch_size="1000")
    found = partitions_of(made, [record(b"x" * 200, partition=-1) for _ in range(40)])
    runs = [found[index] != found[index - 1] for index in range(1, len(found))]
    assert 0 < sum(runs) <= 10


def test_records_of_a_key_have_one_partition():
    made = accumulator()
    assert len(set(partitions_of(made, [record(key=b"k", partition=-1) for _ in range(9)]))) == 1


def test_keys_may_be_left_out_of_it():
    made = accumulator(partitioner_ignore_keys="true", batch_size="1")
    found = partitions_of(made, [record(key=b"k", partition=-1) for _ in range(50)])
    assert len(set(found)) > 1


def test_in_turn_every_partition_gets_as_much():
    made = accumulator(partitioner="round_robin")
    found = partitions_of(made, [record(key=b"k", partition=-1) for _ in range(8)])
    assert set(Counter(found).values()) == {2}


def test_a_partitioner_of_ones_own_sees_the_record_and_the_count():
    seen = []

    def choose(*arguments: object) -> int:
        seen.append(arguments)
        return 2

    made = accumulator(choose)
    assert partitions_of(made, [record(b"v", key=b"k", partition=-1)]) == [2]
    assert seen == [("t", b"k", b"v", 4)]


def test_a_batch_is_never_larger_than_it_should_be():
    made = accumulator(batch_size="500")
    partitions_of(made, [record(b"x" * 90) for _ in range(20)])
    batches = made.lanes[TopicPartition("t", 0)].waiting
    assert len(batches) > 1
    assert all(batch.size <= 500 for batch in batches)


def test_there_is_no_room_beyond_the_buffer():
    made = accumulator(buffer_memory="1000")
    assert made.has_room(5000)
    made.add(record(b"x" * 600), 0)
    assert not made.has_room(400)
    made.released(made.used_bytes)
    assert made.has_room(400)


def test_what_waited_for_its_topic_is_placed_in_order():
    around = context()
    made = Accumulator(around, settings_of(), None)
    first, second = record(partition=0), record(partition=9)
    made.add(first, 0)
    made.add(second, 0)
    around.cluster.apply_metadata(metadata({"t": {0: (1, 1)}}), 0)
    assert len(made.know("t")) == 2
    assert not first.is_done
    assert "has no partition 9" in str(second.error())


def test_batches_of_columns_go_where_they_shall_or_to_any():
    made = accumulator()
    placed = packed_batch(TopicPartition("t", 3), bytearray(data_batch(0, 2)), 0)
    anywhere = packed_batch(TopicPartition("t", -1), bytearray(data_batch(0, 2)), 0)
    made.add(record(partition=3), 0)
    made.add_packed(placed, 0)
    made.add_packed(anywhere, 0)
    assert list(made.lanes[TopicPartition("t", 3)].waiting)[1] is placed
    assert anywhere.part.partition in range(4)
