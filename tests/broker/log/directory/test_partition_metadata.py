"""Which topic a directory belongs to."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.partition_metadata import (
    FILE_NAME,
    PartitionMetadata,
    read_partition_metadata,
    write_partition_metadata,
)
from moldau.errors import CorruptRecordError
from moldau.platform.system.files import SystemFiles
from moldau.protocol.wire.uuids import parse_uuid

TOPIC_ID = "y9oY3A2i4qbTHxhXD2z_ZA"
METADATA = PartitionMetadata(parse_uuid(TOPIC_ID))


def test_the_file_has_two_lines_and_no_line_end(tmp_path):
    write_partition_metadata(SystemFiles(), str(tmp_path), METADATA)
    assert (tmp_path / FILE_NAME).read_text() == f"version: 0\ntopic_id: {TOPIC_ID}"
    assert read_partition_metadata(SystemFiles(), str(tmp_path)) == METADATA


def test_it_may_be_missing(tmp_path):
    assert read_partition_metadata(SystemFiles(), str(tmp_path)) is None


@pytest.mark.parametrize(
    "contents",
    [
        "",
        "version: 0",
        f"version: 1\ntopic_id: {TOPIC_ID}",
        f"topic_id: {TOPIC_ID}\nversion: 0",
        "version: 0\ntopic_id: short",
        "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA",
        f"version: 0\ntopic_id: {TOPIC_ID}\nmore: 1",
        "x" * 5_000,
    ],
)
def test_a_damaged_file_is_refused(tmp_path, contents):
    (tmp_path / FILE_NAME).write_text(contents)
    with pytest.raises(
        CorruptRecordError, match=rf"{FILE_NAME}: .*; restore the file, or remove it"
    ):
        read_partition_metadata(SystemFiles(), str(tmp_path))
