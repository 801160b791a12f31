"""Which partition a record goes to that names none."""

from __future__ import annotations

from collections import Counter
from random import Random
from zlib import crc32

import pytest

from moldau.client.core.producing.murmur2 import keyed_partition
from moldau.client.core.producing.partitioners import (
    InTurn,
    Sticky,
    key_partitioner,
    own_partition,
)
from moldau.client.errors import InvalidArgumentError, PartitionerError


def test_keys_go_by_javas_hash_or_by_librdkafkas():
    java, librdkafka = key_partitioner("murmur2"), key_partitioner("consistent_random")
    assert java is not None
    assert java(b"key", 7) == keyed_partition(b"key", 7)
    assert librdkafka is not None
    assert librdkafka(b"key", 7) == crc32(b"key") % 7
    assert librdkafka(b"", 7) == -1


def test_in_turn_no_key_has_a_say():
    assert key_partitioner("round_robin") is None
    turn = InTurn(5)
    assert [turn.choose([0, 1, 2]) for _ in range(4)] == [0, 1, 2, 0]


def test_a_sticky_partition_stays_until_it_has_had_a_batch():
    sticky = Sticky(Random(1), 100)
    assert sticky.choose([4], None) == 4
    assert not sticky.took(99)
    assert sticky.took(1)


def test_partitions_with_less_to_do_are_drawn_more_often():
    sticky = Sticky(Random(1), 100)
    drawn = Counter(sticky.choose([0, 1, 2], [9, 4, 0]) for _ in range(1600))
    assert drawn[0] < drawn[1] < drawn[2]
    assert drawn[0] == pytest.approx(1600 / 17, rel=0.4)


def test_with_equal_loads_all_are_drawn_alike():
    sticky = Sticky(Random(1), 100)
    drawn = Counter(sticky.choose([0, 1], [3, 3]) for _ in range(1000))
    assert drawn[0] == pytest.approx(500, rel=0.2)


@pytest.mark.parametrize("chosen", [3, -2, "1"])
def test_a_partitioner_of_ones_own_chooses_what_is_there(chosen):
    with pytest.raises(InvalidArgumentError, match="0 to 2"):
        own_partition(lambda *_: chosen, "t", None, None, 3)
    assert own_partition(lambda *_: None, "t", None, None, 3) == -1
    assert own_partition(lambda *_: 2, "t", None, None, 3) == 2


def test_a_partitioner_of_ones_own_that_raises_is_named_with_its_topic():
    with pytest.raises(PartitionerError, match=r"record to t.*ZeroDivisionError") as found:
        own_partition(lambda *_: 1 // 0, "t", None, None, 3)
    assert isinstance(found.value.__cause__, ZeroDivisionError)
