"""Transaction markers."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.producers.end_marker import (
    EndMarker,
    holds_marker,
    marker_in,
    read_end_marker,
)
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import CONTROL_BIT, read_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.control import ControlType, build_marker_batch, pack_key


def marker_batch(marker: EndMarker) -> bytearray:
    return build_marker_batch(marker, producer_id=7, producer_epoch=0, timestamp=5)


@pytest.mark.parametrize("marker", [EndMarker(True, 9), EndMarker(False, 0)])
def test_a_marker_is_read_wherever_its_batch_lies(marker):
    batch = marker_batch(marker)
    assert read_end_marker(batch) == marker
    assert read_end_marker(b"xyz" + batch + batch, 3) == marker


def test_a_marker_is_in_what_ends_a_transaction_and_in_nothing_else():
    marker = EndMarker(True, 9)
    end = marker_batch(marker)
    header = read_header(end)
    assert (holds_marker(header), marker_in(header, end)) == (True, marker)
    emptied, of_no_producer = header.replaced(record_count=0), header.replaced(producer_id=-1)
    data = header.replaced(attributes=header.attributes & ~CONTROL_BIT)
    for other in (emptied, of_no_producer, data):
        assert (holds_marker(other), marker_in(other, end)) == (False, None)


def test_a_control_batch_without_a_marker_is_corrupt():
    builder = BatchBuilder(BatchFields(is_control=True))
    builder.append(0, pack_key(ControlType.LEADER_CHANGE), b"")
    with pytest.raises(CorruptRecordError, match="without a transaction marker"):
        read_end_marker(builder.build())


@given(position=st.integers(61, 77), byte=st.integers(0, 255))
def test_any_record_is_a_marker_or_corrupt(position, byte):
    batch = marker_batch(EndMarker(True, 9))
    assert read_header(batch).size > position
    batch[position] = byte
    with suppress(CorruptRecordError):
        assert isinstance(read_end_marker(batch), EndMarker)
