"""Messages of formats 0 and 1 as lines; those of batches are in test_log_file."""

from __future__ import annotations

import pytest

from moldau.broker.log.dump.any_file import DumpOptions
from moldau.broker.log.dump.decoders import PlainDecoder, as_text
from moldau.broker.log.dump.log_lines import LogOptions
from moldau.errors import CorruptRecordError
from tests.broker.log.batches import batch
from tests.broker.log.dumped_files import Dumped
from tests.protocol.records.captured import TIME
from tests.protocol.records.legacy_messages import LOG_APPEND_TIME, flipped, message, wrapper

LOG = "00000000000000000000.log"
DEEP = DumpOptions(LogOptions(deep=True))
TEXT = PlainDecoder(as_text, as_text)
DATA = DumpOptions(LogOptions(deep=True, decoder=TEXT))
BARE = DumpOptions(LogOptions(deep=True, decoder=TEXT, skips_metadata=True))


def lines(contents: bytes, options: DumpOptions | None = None) -> list[str]:
    """All but the first line, which has the file's first offset."""
    files = Dumped()
    files.put(LOG, contents)
    return files.lines(LOG, options)[1:]


def test_messages_of_all_formats_lie_one_after_another():
    contents = message(0, b"a", magic=0, key=b"k0") + message(1, b"b") + bytes(batch(2))
    assert lines(contents)[:2] == [
        "offset: 0 position: 0 NoTimestampType: -1 size: 29 magic: 0 compresscodec: none "
        "crc: 3811851970 isvalid: true",
        f"offset: 1 position: 29 CreateTime: {TIME} size: 35 magic: 1 compresscodec: none "
        "crc: 3686661816 isvalid: true",
    ]
    assert lines(contents)[2].startswith("baseOffset: 2 ")


def test_relative_offsets_inside_a_wrapper_are_made_absolute():
    contents = wrapper(12, message(0, b"x"), message(2, None, key=b"k"))
    assert lines(contents, DATA)[1:] == [
        f"| offset: 10 CreateTime: {TIME} keySize: -1 valueSize: 1 isValid: true crc: 652150722 "
        "payload: x",
        f"| offset: 12 CreateTime: {TIME} keySize: 1 valueSize: -1 isValid: true crc: 2213122502 "
        "key: k",
    ]


def test_offsets_inside_a_wrapper_of_format_0_are_absolute_already():
    contents = wrapper(12, message(10, b"x", magic=0), message(12, b"z", magic=0), magic=0)
    shown = [line.partition(" keySize")[0] for line in lines(contents, DEEP)[1:]]
    assert shown == ["| offset: 10 NoTimestampType: -1", "| offset: 12 NoTimestampType: -1"]


def test_the_time_of_appending_is_the_wrappers():
    contents = wrapper(1, message(0, b"x", timestamp=5), more=LOG_APPEND_TIME)
    assert f" LogAppendTime: {TIME} " in lines(contents)[0]
    assert lines(contents, DEEP)[1].startswith(f"| offset: 1 LogAppendTime: {TIME} keySize")


def test_without_metadata_only_data_are_left():
    assert lines(message(0, b"a", key=b"k"), BARE)[1:] == ["| key: k payload: a"]
    assert lines(wrapper(0, message(0, b"a")), BARE)[1:] == ["| payload: a"]


def test_a_flipped_bit_is_reported_where_it_is():
    outer = wrapper(1, flipped(message(0, b"x"), 34), message(1, b"y"))
    assert [line.count("alid: true") for line in lines(outer, DEEP)] == [1, 0, 1]
    assert "isvalid: false" in lines(flipped(message(0, b"x"), 34))[0]


def test_a_length_that_makes_no_sense_is_shown_until_it_has_to_be_read():
    broken = flipped(message(0, b"x"), 31)
    assert "isvalid: false" in lines(broken)[0]
    with pytest.raises(CorruptRecordError, match="claims"):
        lines(broken, DEEP)


def test_a_message_that_is_cut_off_is_counted():
    cut = message(1, b"bbbb")[:-2]
    assert lines(message(0, b"a") + cut)[1] == f"Found {len(cut)} invalid bytes at the end of {LOG}"


def test_gaps_between_messages_inside_are_found():
    files = Dumped()
    files.put(LOG, wrapper(2, message(0, b"x"), message(2, b"z")))
    files.lines(LOG, BARE)
    assert files.findings() == [f"Non-consecutive offsets in {LOG}", "  0 is followed by 2"]
