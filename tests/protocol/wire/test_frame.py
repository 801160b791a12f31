"""Frames and header versions."""

from __future__ import annotations

import pytest

from moldau.errors import DecodeError
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.wire.frame import (
    RequestStart,
    frame_parts,
    read_request_start,
    read_size,
    request_header_version,
    response_header_version,
)


def test_a_frame_begins_with_the_size_of_all_its_pieces():
    large = memoryview(bytes(5))
    parts = frame_parts(b"abc", large)
    assert parts == [b"\0\0\0\x08", b"abc", large]
    assert parts[2] is large


@pytest.mark.parametrize("claim", [-1, 2**31 - 1, 101])
def test_an_absurd_size_is_refused_before_anything_is_read(claim):
    with pytest.raises(DecodeError, match="at most 100 are accepted"):
        read_size(claim.to_bytes(4, "big", signed=True), limit=100)


def test_a_size_within_the_limit_is_taken():
    assert read_size(b"..\0\0\0\x64", 2, limit=100) == 100


def test_a_request_has_api_version_and_correlation_first():
    assert read_request_start(b"\0\x12\0\3\0\0\0\7rest") == RequestStart(18, 3, 7)
    with pytest.raises(DecodeError, match="shorter than its header"):
        read_request_start(b"\0\x12\0\3")


def test_flexible_versions_have_flexible_headers():
    assert [request_header_version(ProduceRequest, v) for v in (8, 9)] == [1, 2]
    assert [response_header_version(ProduceResponse, v) for v in (8, 9)] == [0, 1]


def test_answers_to_api_versions_always_have_the_oldest_header():
    assert request_header_version(ApiVersionsRequest, 3) == 2
    assert [response_header_version(ApiVersionsResponse, v) for v in (0, 3, 4)] == [0, 0, 0]
