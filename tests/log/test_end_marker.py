"""Transaction markers."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import CorruptRecordError
from moldau.log.end_marker import EndMarker, MarkerType, read_end_marker

HEADER = bytes(61)
COMMIT = bytes.fromhex("20 00 00 00 08 0000 0001 0c 0000 00000009 00")


def test_a_commit_marker_is_read_with_its_coordinator_epoch():
    assert read_end_marker(HEADER + COMMIT) == EndMarker(MarkerType.COMMIT, 9)
    assert read_end_marker(b"xyz" + HEADER + COMMIT, 3) == EndMarker(MarkerType.COMMIT, 9)


def test_an_abort_marker_is_read():
    abort = COMMIT.replace(b"\0\0\0\1", b"\0\0\0\0")
    assert read_end_marker(HEADER + abort).type is MarkerType.ABORT


@given(st.binary(max_size=40))
def test_any_bytes_are_a_marker_or_corrupt(contents):
    with suppress(CorruptRecordError):
        assert isinstance(read_end_marker(HEADER + contents), EndMarker)


@pytest.mark.parametrize("cut", range(len(COMMIT) - 1))
def test_a_cut_marker_is_corrupt(cut):
    with pytest.raises(CorruptRecordError):
        read_end_marker(HEADER + COMMIT[:cut])
