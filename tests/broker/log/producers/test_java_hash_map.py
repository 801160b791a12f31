"""Java's hash map."""

from __future__ import annotations

import pytest

from moldau.broker.log.producers.java_hash_map import in_map_order, table_size


def test_entries_lie_by_slot_and_within_a_slot_by_arrival():
    numbers = [16, 1, 0, 1000, 2**32, -1]
    assert in_map_order(numbers, int, 16) == [16, 0, -1, 1, 2**32, 1000]


@pytest.mark.parametrize(("entries", "size"), [(0, 16), (12, 16), (13, 32), (24, 32), (25, 64)])
def test_a_map_grows_at_three_quarters(entries, size):
    assert table_size(entries) == size
