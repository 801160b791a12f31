"""The indexes of a segment, checked and rebuilt."""

from __future__ import annotations

import pytest

from moldau.broker.log.segment.segment_indexes import SegmentIndexes
from moldau.errors import CorruptRecordError, FileMissingError
from moldau.platform.simulated.files import SimulatedFiles


def indexes_on(files: SimulatedFiles) -> SegmentIndexes:
    return SegmentIndexes(files, lambda kind: f"0{kind}", 0, 24)


def test_they_are_opened_when_asked_for_and_say_what_is_wrong():
    files = SimulatedFiles()
    indexes = indexes_on(files)
    with pytest.raises(FileMissingError):
        indexes.open_time()
    files.open("0.index", create=True).append(b"\0\0\0\1\0\0\0\7")
    assert indexes.open_offset(8).last == (1, 7)
    with pytest.raises(CorruptRecordError):
        indexes_on(files).open_offset(7)


def test_starting_empty_replaces_what_is_there():
    files = SimulatedFiles()
    files.open("0.index", create=True).append(b"nonsense")
    indexes = indexes_on(files)
    offset_index, time_index = indexes.start_empty()
    assert (offset_index.entries, time_index.entries) == (0, 0)
    assert not indexes.are_full
    time_index.append(1, 1)
    indexes.sync()
    indexes.close()
    assert indexes.open_offset(8).entries == 0
