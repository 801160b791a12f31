"""Logs as lines, whatever is wrong with them."""

from __future__ import annotations

import pytest

from moldau.broker.log.dump.any_file import DumpOptions
from moldau.broker.log.dump.decoders import PlainDecoder, as_text
from moldau.broker.log.dump.log_lines import LogOptions
from moldau.errors import CorruptRecordError
from tests.broker.log.batches import batch
from tests.broker.log.dumped_files import Dumped

LOG = "00000000000000000000.log"
DEEP = DumpOptions(LogOptions(deep=True))
DATA = DumpOptions(LogOptions(deep=True, decoder=PlainDecoder(as_text, as_text)))
BARE = DumpOptions(
    LogOptions(deep=True, decoder=PlainDecoder(as_text, as_text), skips_metadata=True)
)


def dumped(contents) -> Dumped:
    files = Dumped()
    files.put(LOG, contents)
    return files


def test_a_batch_is_a_line_and_deep_iteration_adds_its_records():
    files = dumped(batch(0, (b"1", b"2")))
    assert files.lines(LOG)[1].startswith("baseOffset: 0 lastOffset: 1 count: 2 baseSequence: -1 ")
    assert files.lines(LOG)[1].endswith("isvalid: true")
    assert files.lines(LOG, DEEP)[2:] == [
        f"| offset: {offset} CreateTime: 1000 keySize: 1 valueSize: 1 sequence: -1 headerKeys: []"
        for offset in (0, 1)
    ]


def test_data_can_be_shown_with_and_without_metadata():
    files = dumped(batch(0, (b"1",)))
    assert files.lines(LOG, DATA)[2].endswith("headerKeys: [] key: k payload: 1")
    assert files.lines(LOG, BARE)[2] == "| key: k payload: 1"


def test_a_flipped_bit_is_shown_as_invalid():
    contents = batch(0)
    contents[-2] ^= 1
    assert dumped(contents).lines(LOG)[1].endswith("isvalid: false")


def test_bytes_behind_the_last_batch_are_counted():
    files = dumped(batch(0) + batch(1)[:-1])
    size = len(batch(1)) - 1
    assert files.lines(LOG)[-1] == f"Found {size} invalid bytes at the end of {LOG}"
    limited = DumpOptions(LogOptions(max_bytes=len(batch(0)) + 5))
    assert len(files.lines(LOG, limited)) == 2


def test_gaps_between_offsets_are_found():
    files = dumped(batch(0) + batch(5))
    files.lines(LOG, DEEP)
    assert files.findings() == [f"Non-consecutive offsets in {LOG}", "  0 is followed by 5"]


@pytest.mark.parametrize(
    ("position", "byte", "reason"),
    [(11, 3, "a batch of 3 bytes"), (16, 3, "has format 3, which is none")],
)
def test_what_cannot_be_shown_ends_the_dump(position, byte, reason):
    contents = batch(0)
    contents[position] = byte
    with pytest.raises(CorruptRecordError, match=reason):
        dumped(contents).lines(LOG)


def test_a_name_without_an_offset_is_refused():
    files = Dumped()
    files.put("orders.log", batch(0))
    with pytest.raises(CorruptRecordError, match="lacks the offset at which it begins"):
        files.lines("orders.log")
