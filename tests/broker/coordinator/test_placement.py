"""Keys find their partitions as in Java."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.placement import java_hash, partition_of

KNOWN = {"": 0, "a": 97, "hello": 99162322, "my-group": -1906497762, "\U0001f600": 1772899}


@pytest.mark.parametrize(("text", "number"), KNOWN.items())
def test_a_hash_is_that_of_java(text, number):
    assert java_hash(text) == number


def test_a_negative_hash_counts_by_its_absolute_value():
    assert java_hash("zzzzzzzz") == -1910022912
    assert partition_of("zzzzzzzz", 50) == 12


def test_the_one_number_without_an_absolute_value_is_0():
    text = "polygenelubricants"
    assert java_hash(text) == -(1 << 31)
    assert partition_of(text, 50) == 0
