"""Version, count, lines."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.directory.checkpoint_text import (
    CorruptCheckpointError,
    read_checkpoint,
    split_numbers,
    write_checkpoint,
)
from moldau.platform.system.files import SystemFiles


def test_a_file_is_version_count_and_lines(tmp_path):
    path = tmp_path / "checkpoint"
    write_checkpoint(SystemFiles(), str(path), ["orders 0 1437", "orders 1 0"])
    assert path.read_bytes() == b"0\n2\norders 0 1437\norders 1 0\n"
    assert read_checkpoint(SystemFiles(), str(path)) == ["orders 0 1437", "orders 1 0"]


@pytest.mark.parametrize("contents", [None, b"", b"0\n0\n", b"0\n0"])
def test_no_file_an_empty_one_and_one_without_entries_read_alike(tmp_path, contents):
    path = tmp_path / "checkpoint"
    if contents is not None:
        path.write_bytes(contents)
    assert read_checkpoint(SystemFiles(), str(path)) == []


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        (b"1\n0\n", "version '1' where 0 was expected"),
        (b"0\n", "the second line holds no count"),
        (b"0\nmany\n", "the second line holds no count"),
        (b"0\n2\na\n", "1 entries where 2 were counted"),
        (b"0\n1\na\nb\n", "2 entries where 1 were counted"),
        (b"0\n1\n\xff\n", "no UTF-8 text"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name_and_the_remedy(tmp_path, contents, reason):
    path = tmp_path / "checkpoint"
    path.write_bytes(contents)
    with pytest.raises(CorruptCheckpointError, match=f"{path}: {reason}.*remove the file"):
        read_checkpoint(SystemFiles(), str(path))


def test_numbers_are_the_last_words_of_a_line():
    assert split_numbers("file", "a topic 3 -1", 2) == [3, -1]
    for line in ("a b", "5", "x 1.5 2", "x 1_0 2", "x ² 2", "x 1 " + "9" * 20):
        with pytest.raises(CorruptCheckpointError, match="malformed entry"):
            split_numbers("file", line, 2)


@given(contents=st.binary(max_size=60))
def test_any_bytes_are_entries_or_a_corrupt_checkpoint(tmp_path_factory, contents):
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(contents)
    with suppress(CorruptCheckpointError):
        assert all(isinstance(line, str) for line in read_checkpoint(SystemFiles(), str(path)))
