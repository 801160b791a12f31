"""The files of a segment bear one suffix and come and go in an order that no crash can hurt."""

from __future__ import annotations

import pytest

from moldau.broker.log.segment.file_names import DELETED, LOG, SEGMENT_KINDS, TRANSACTION_INDEX
from moldau.broker.log.segment.segment_files import SegmentFiles
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.errors import FileMissingError
from moldau.platform.simulated.files import SimulatedFiles


def whole(suffix: str = "") -> tuple[SimulatedFiles, SegmentFiles]:
    files = SimulatedFiles()
    files.make_directory("t-0")
    segment = SegmentFiles(files, "t-0", 7, suffix)
    segment.create_log()
    segment.transaction_index.append(AbortedTransaction(1, 7, 8, 9))
    return files, segment


def test_a_beginning_segment_replaces_what_lies_in_its_way():
    files, segment = whole()
    segment.close()
    SegmentFiles(files, "t-0", 7, "").create_log()
    assert files.list("t-0") == ["00000000000000000007.log"]


def test_every_file_gets_the_suffix_and_stays_usable():
    files, segment = whole()
    log, names = segment.log, files.list("t-0")
    segment.change_suffix(DELETED)
    assert sorted(files.list("t-0")) == sorted(f"{name}{DELETED}" for name in names)
    log.append(b"still open")
    assert segment.path(LOG) == "t-0/00000000000000000007.log.deleted"
    assert len(segment.transaction_index) == 1


def test_what_is_removed_is_gone():
    files, segment = whole()
    segment.close()
    segment.remove()
    assert files.list("t-0") == []
    with pytest.raises(FileMissingError, match="is gone"):
        assert segment.modified_ms


def test_files_are_opened_again_after_a_close():
    _, segment = whole()
    segment.close()
    assert segment.opened_log is None
    assert segment.log.size() == 0
    assert {TRANSACTION_INDEX, LOG} < set(SEGMENT_KINDS)
