"""Walking from batch to batch in a file."""

from __future__ import annotations

import pytest

from moldau.broker.log.segment.batch_walk import WINDOW_BYTES, header_fault, walk
from moldau.errors import CorruptRecordError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch


def file_of(contents: bytes):
    file = SimulatedFiles().open("0.log", create=True)
    file.append(contents)
    return file


def test_every_batch_is_met_whatever_its_size():
    sizes = (1, WINDOW_BYTES - 90, 3 * WINDOW_BYTES, 5, 6, 7)
    batches = [bytes(batch(offset, (b"v" * size,))) for offset, size in enumerate(sizes)]
    contents = b"".join(batches)
    met = list(walk(file_of(contents), 0, len(contents)))
    assert [contents[at : at + header.size] for at, header in met] == batches


def test_the_walk_ends_loudly_where_no_batch_is():
    sound = bytes(batch(0) + batch(1))
    for tail in (b"x", b"x" * 100, bytes(batch(2))[:-1], bytes(batch(1))):
        steps = walk(file_of(sound + tail), 0, len(sound + tail))
        assert [next(steps)[0], next(steps)[0]] == [0, len(sound) // 2]
        with pytest.raises(CorruptRecordError, match=f"{len(sound)}"):
            next(steps)


def test_each_fault_of_a_header_is_named():
    header = read_header(batch(5, (b"a", b"b")))
    assert header_fault(header, 1000, 5) is None
    assert "format 1" in (header_fault(header.replaced(magic=1), 1000, 5) or "")
    assert "claims" in (header_fault(header, 60, 5) or "")
    assert "claims" in (header_fault(header.replaced(length=3), 1000, 5) or "")
    assert "goes back" in (header_fault(header, 1000, 6) or "")
    assert "goes back" in (header_fault(header.replaced(last_offset_delta=-1), 1000, 5) or "")
