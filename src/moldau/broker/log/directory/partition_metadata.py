"""Which topic a partition's directory belongs to: `partition.metadata` (KIP-516).

    version: 0
    topic_id: 2d3Jf8JzTQ-vKk3CJyDf5A

without a line end behind the last line. A topic that is deleted and created anew has another id,
so a directory that was away meanwhile is recognised. The file is on disk before the first record,
or a crash could leave records without a known topic.
"""

from __future__ import annotations

from moldau.errors import CorruptRecordError, DecodeError, FileMissingError
from moldau.platform.ports.files import Files, replace_whole
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.uuids import is_null_uuid, parse_uuid, uuid_text

FILE_NAME = "partition.metadata"
VERSION = 0
_SIZE_MAX = 4096
"""The file has two short lines; whatever is larger is something else."""


@dataclass(frozen=True, slots=True)
class PartitionMetadata:
    """The contents of the file."""

    topic_id: bytes
    """16 bytes."""

    def encode(self) -> bytes:
        return f"version: {VERSION}\ntopic_id: {uuid_text(self.topic_id)}".encode()


def read_partition_metadata(files: Files, directory: str) -> PartitionMetadata | None:
    """The topic id in the directory of a partition; None where the file was never written."""
    path = f"{directory}/{FILE_NAME}"
    try:
        file = files.open(path, read_only=True)
    except FileMissingError:
        return None
    try:
        if file.size() > _SIZE_MAX:
            raise _corrupt(path, f"{file.size()} bytes are too many")
        return _decode(path, file.read_at(0, file.size()))
    finally:
        file.close()


def write_partition_metadata(
    files: Files, directory: str, metadata: PartitionMetadata, *, syncs_directory: bool = True
) -> None:
    """Durably, before the partition takes its first record; or the caller syncs the directory."""
    path = f"{directory}/{FILE_NAME}"
    replace_whole(files, path, metadata.encode(), syncs_directory=syncs_directory)


def _decode(path: str, contents: bytes) -> PartitionMetadata:
    lines = contents.decode("utf-8", "replace").removesuffix("\n").split("\n")
    pairs = [line.partition(": ") for line in lines]
    if [name for name, _, _ in pairs] != ["version", "topic_id"]:
        raise _corrupt(path, "it has not the two lines version and topic_id")
    version, topic_id = (value for _, _, value in pairs)
    if version != str(VERSION):
        raise _corrupt(path, f"version {version} where {VERSION} was expected")
    try:
        identity = parse_uuid(topic_id)
    except DecodeError as error:
        raise _corrupt(path, str(error)) from error
    if is_null_uuid(identity):
        raise _corrupt(path, "the topic id is all zeros")
    return PartitionMetadata(identity)


def _corrupt(path: str, reason: str) -> CorruptRecordError:
    return CorruptRecordError(
        f"{path}: {reason}; restore the file, or remove it if the records beside it are the topic's"
    )
