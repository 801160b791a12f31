"""What was cut off a log can be read, with the positions that it had there."""

from __future__ import annotations

import pytest

from moldau.broker.log.dump.any_file import DumpOptions
from moldau.broker.log.dump.log_lines import LogOptions
from moldau.errors import CorruptRecordError
from tests.broker.log.batches import batch
from tests.broker.log.dumped_files import Dumped

NAME = "00000000000000000010-0000000500.cut"
DEEP = DumpOptions(LogOptions(deep=True))


def dumped(contents, name=NAME) -> Dumped:
    files = Dumped()
    files.put(name, contents)
    return files


def test_sound_batches_are_shown_behind_damaged_ones_and_other_bytes_are_counted():
    damaged, sound = bytearray(batch(20, (b"1",))), batch(21, (b"2", b"3"))
    damaged[-1] ^= 1
    lines = dumped(damaged + sound + b"\0" * 9).lines(NAME, DEEP)
    at = 500 + len(damaged)
    assert lines[0] == "Cut off the log starting offset: 10 position: 500"
    assert lines[1] == f"Found {len(damaged)} bytes without a sound batch at position: 500"
    assert lines[2].startswith("baseOffset: 21 lastOffset: 22 ")
    assert f" position: {at} " in lines[2]
    assert [line[:11] for line in lines[3:5]] == ["| offset: 2"] * 2
    assert lines[5] == f"Found 9 bytes without a sound batch at position: {at + len(sound)}"


def test_another_name_is_refused():
    with pytest.raises(CorruptRecordError, match="lacks the position"):
        dumped(b"", "notes.cut").lines("notes.cut")
