"""Whose directory it is."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.meta_properties import (
    FILE_NAME,
    MetaProperties,
    read_meta_properties,
    write_meta_properties,
)
from moldau.errors import CorruptRecordError
from moldau.platform.system.files import SystemFiles
from moldau.protocol.wire.uuids import parse_uuid

KAFKAS = b"""#
#Sat Nov 21 12:07:30 UTC 2026
node.id=1
directory.id=y9oY3A2i4qbTHxhXD2z_ZA
version=1
cluster.id=bW9sZGF1LWFuY2hvci0wMQ
"""
PROPERTIES = MetaProperties(
    cluster_id="bW9sZGF1LWFuY2hvci0wMQ",
    node_id=1,
    directory_id=parse_uuid("y9oY3A2i4qbTHxhXD2z_ZA"),
)


def test_kafkas_file_is_read_and_written_byte_by_byte(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(KAFKAS)
    assert read_meta_properties(SystemFiles(), str(tmp_path)) == PROPERTIES
    write_meta_properties(SystemFiles(), str(tmp_path), PROPERTIES, "Sat Nov 21 12:07:30 UTC 2026")
    assert (tmp_path / FILE_NAME).read_bytes() == KAFKAS


def test_a_directory_without_the_file_was_never_formatted(tmp_path):
    assert read_meta_properties(SystemFiles(), str(tmp_path)) is None


def test_version_0_names_its_broker(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"version=0\nbroker.id=5\n")
    assert read_meta_properties(SystemFiles(), str(tmp_path)) == MetaProperties(
        cluster_id=None, node_id=5, version="0"
    )


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        (b"", "it names no version"),
        (b"version=7", "version 7 is unknown"),
        (b"version=1\nnode.id=1", "cluster.id or node.id is missing"),
        (b"version=1\ncluster.id=x", "cluster.id or node.id is missing"),
        (b"version=1\ncluster.id=x\nnode.id=one", "node id 'one' is no number"),
        (b"version=1\ncluster.id=x\nnode.id=1\ndirectory.id=?", "'\\?' is no id"),
        (b"#" * 70_000, "70000 bytes are too many"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name_and_the_remedy(tmp_path, contents, reason):
    (tmp_path / FILE_NAME).write_bytes(contents)
    with pytest.raises(CorruptRecordError, match=f"{FILE_NAME}: {reason}.*format the directory"):
        read_meta_properties(SystemFiles(), str(tmp_path))
