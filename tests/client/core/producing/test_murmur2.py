"""Java's hash, bit for bit; that its partitions are Java's is judged in tests/interop."""

from __future__ import annotations

from struct import pack, unpack

import pytest

from moldau.client.core.producing.murmur2 import keyed_partition, keyed_partitions, murmur2

VECTORS = {
    b"21": -973932308,
    b"foobar": -790332482,
    b"a-little-bit-long-string": -985981536,
    b"a-little-bit-longer-string": -1486304829,
    b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
    b"abc": 479470107,
}
"""Kafka's own, from the test of its Utils."""


@pytest.mark.parametrize("key", VECTORS)
def test_the_hash_is_javas(key):
    assert murmur2(key) == VECTORS[key] & 0xFFFFFFFF


def test_a_column_of_keys_has_the_partitions_of_its_keys():
    keys = [b"21", None, b"", b"foobar", b"abc"]
    lengths = [-1 if key is None else len(key) for key in keys]
    starts = [sum(max(length, 0) for length in lengths[:index]) for index in range(len(keys))]
    data = b"".join(key or b"" for key in keys)
    packed = keyed_partitions(data, 0, pack("<5q", *starts), pack("<5q", *lengths), 12)
    expected = [-1 if key is None else keyed_partition(key, 12) for key in keys]
    assert list(unpack("<5i", packed)) == expected
