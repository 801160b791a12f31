"""The image that a snapshot, a segment or a whole directory of the metadata log holds.

A directory is read from its last snapshot on. The end of a log may hold records that are not
committed yet; they count here, as with Kafka's shell.
"""

from __future__ import annotations

from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.loader import MetadataLoader
from moldau.broker.metadata.record_codec import decode_record
from moldau.errors import FileMissingError
from moldau.platform.ports.files import Files, read_whole
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import ensure_checksum, iterate_batches, read_header
from moldau.protocol.records.record import iterate_records

__all__ = ["Loaded", "load_metadata"]

METADATA_PARTITION = "__cluster_metadata-0"
SNAPSHOT, SEGMENT = ".checkpoint", ".log"
BOOTSTRAP = "bootstrap.checkpoint"


@dataclass(frozen=True, slots=True)
class Loaded:
    """An image, and when the last batch that is in it was written."""

    image: Image
    time_ms: int


def load_metadata(files: Files, path: str) -> Loaded:
    loader, time_ms = MetadataLoader(EMPTY_IMAGE), 0
    found = _files_at(files, path)
    for name in found:
        time_ms = _load(files, name, loader) or time_ms
        if name != found[-1]:
            _count_from_name(name, loader)
    return Loaded(loader.image, time_ms)


def _load(files: Files, path: str, loader: MetadataLoader) -> int:
    """Batches that are further than what was loaded; the time of the last of them, or 0."""
    time_ms = 0
    is_log = path.endswith(SEGMENT)
    for batch in iterate_batches(read_whole(files, path)):
        header = read_header(batch)
        if is_log and header.base_offset <= loader.image.offset:
            continue
        ensure_checksum(batch, header)
        if header.is_control:
            continue
        records = [decode_record(record.value or b"") for record in iterate_records(batch)]
        loader.load(records, header.base_offset + header.last_offset_delta, header.leader_epoch)
        time_ms = header.max_timestamp
    return time_ms


def _count_from_name(path: str, loader: MetadataLoader) -> None:
    """Let a log go on behind a snapshot, whose own offsets count from 0."""
    digits = path.rpartition("/")[2].partition("-")[0]  # a segment's name has no hyphen
    if digits.isdecimal() and int(digits) - 1 > loader.image.offset:
        loader.advance(int(digits) - 1, loader.image.epoch)


def _files_at(files: Files, path: str) -> list[str]:
    status = files.status(path)
    if status is None:
        raise FileMissingError(path, "there is no such snapshot, segment or directory")
    if not status.is_directory:
        return [path]
    inside = f"{path.rstrip('/')}/{METADATA_PARTITION}"
    folder = inside if files.status(inside) is not None else path.rstrip("/")
    names = sorted(files.list(folder))
    snapshots = [name for name in names if name.endswith(SNAPSHOT) and name != BOOTSTRAP][-1:]
    found = [*snapshots, *(name for name in names if name.endswith(SEGMENT))]
    if not found:
        raise FileMissingError(
            path, f"it has neither snapshots nor segments of {METADATA_PARTITION}"
        )
    return [f"{folder}/{name}" for name in found]
