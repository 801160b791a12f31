"""Keys find their partitions as in Java."""

from __future__ import annotations

from moldau.broker.coordinator.placement import partition_of
from moldau.platform.java_hash import java_hash


def test_a_negative_hash_counts_by_its_absolute_value():
    assert java_hash("zzzzzzzz") == -1910022912
    assert partition_of("zzzzzzzz", 50) == 12


def test_the_one_number_without_an_absolute_value_is_0():
    text = "polygenelubricants"
    assert java_hash(text) == -(1 << 31)
    assert partition_of(text, 50) == 0
