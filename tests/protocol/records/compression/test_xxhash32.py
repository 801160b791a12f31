"""xxHash-32 against the vectors that its authors publish."""

from __future__ import annotations

import pytest

from moldau.protocol.records.compression.xxhash32 import xxhash32

VECTORS = {
    b"": 0x02CC5D05,
    b"a": 0x550D7456,
    b"abc": 0x32D153FF,
    b"Nobody inspects the spammish repetition": 0xE2293B2F,
}


@pytest.mark.parametrize(("data", "expected"), VECTORS.items())
def test_the_published_vectors_hold(data: bytes, expected: int) -> None:
    assert xxhash32(data) == expected
    assert xxhash32(memoryview(data)) == expected
