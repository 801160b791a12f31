"""The logs of one log directory: what lay there at the start, and how they are opened and removed.

Everything here blocks, and is called beside the loop. What the checkpoints held at the start is
read once; it is true for a log until it is opened, for nothing else writes in the directory.

A directory that carries another topic's id is a stray: the topic was deleted, or deleted and
created anew, while this node was away. It is renamed, never removed, for people to look at. What
was marked as deleted before the stop is removed. A directory that does not say clearly whose it is
is left as it is, and its partition refused.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from typing import NamedTuple

from moldau.broker.log.directory.directory import DirectoryRefusedError, LogDirectory
from moldau.broker.log.directory.names import (
    DirectoryState,
    PartitionDirectory,
    TopicPartition,
    directory_name,
    pending_name,
)
from moldau.broker.log.directory.partition_metadata import (
    PartitionMetadata,
    read_partition_metadata,
    write_partition_metadata,
)
from moldau.broker.log.findings import Finding, FindingKind, OpeningReport
from moldau.broker.log.leftovers import refuse_directories
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.errors import MoldauError, StorageError, WrongKindError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.uuids import uuid_text

log = logging.getLogger(__name__)


@dataclass(slots=True)
class LogDirScan:
    """A log directory with the partitions that were found in it."""

    directory: LogDirectory
    found: dict[TopicPartition, str] = field(default_factory=dict)
    """Names of live partitions that are not opened yet."""
    futures: dict[TopicPartition, str] = field(default_factory=dict)
    """Copies on their way here from another directory."""
    deleted: list[str] = field(default_factory=list)
    recovery_points: dict[TopicPartition, int] = field(default_factory=dict)
    log_start_offsets: dict[TopicPartition, int] = field(default_factory=dict)
    high_watermarks: dict[TopicPartition, int] = field(default_factory=dict)
    gone: dict[TopicPartition, int] = field(default_factory=dict)
    """Partitions that the checkpoints know and that have no directory: up to where they reached."""
    complaints: list[str] = field(default_factory=list)
    """Checkpoints that made no sense: lines for the node's log."""

    @property
    def path(self) -> str:
        return self.directory.path

    @property
    def directory_id(self) -> bytes | None:
        return self.directory.properties.directory_id

    def remembered(self, name: TopicPartition, *, clean: bool | None = None) -> Remembered:
        """What the checkpoints say; `clean` where the directory itself does not know yet."""
        recovery_point = self.recovery_points.get(name, 0)
        high_watermark = self.high_watermarks.get(name, 0)
        return Remembered(
            clean=self.directory.was_clean if clean is None else clean,
            recovery_point=recovery_point,
            log_start_offset=self.log_start_offsets.get(name, 0),
            high_watermark=high_watermark,
            reached_offset=max(recovery_point, high_watermark),
        )


METADATA_TOPIC = "__cluster_metadata"
"""Lies among the partitions, but is the quorum's."""


def scan_log_dirs(directory: LogDirectory) -> LogDirScan:
    """Look what is there."""
    scan = LogDirScan(directory)
    with directory.guard():
        listed = directory.list_partitions().partitions
        for entry in listed:
            if entry.partition.topic != METADATA_TOPIC:
                _sort_in(scan, entry)
        _read_checkpoints(scan)
    there = {entry.partition for entry in listed if entry.state is not DirectoryState.STRAY}
    scan.gone = {
        name: max(point, scan.high_watermarks.get(name, 0))
        for name, point in scan.recovery_points.items()
        if name not in there
    }
    return scan


def _sort_in(scan: LogDirScan, entry: PartitionDirectory) -> None:
    match entry.state:
        case DirectoryState.LIVE:
            scan.found[entry.partition] = entry.name
        case DirectoryState.FUTURE:
            scan.futures[entry.partition] = entry.name
        case DirectoryState.DELETED:
            scan.deleted.append(entry.name)
        case DirectoryState.STRAY:
            pass


def _read_checkpoints(scan: LogDirScan) -> None:
    directory = scan.directory
    for checkpoint, numbers in (
        (directory.recovery_points, scan.recovery_points),
        (directory.log_start_offsets, scan.log_start_offsets),
        (directory.high_watermarks, scan.high_watermarks),
    ):
        offsets, complaint = checkpoint.read_or_forget()
        numbers.update(offsets)
        scan.complaints += [] if complaint is None else [complaint]


class Opening(NamedTuple):
    """A log that shall be opened."""

    name: TopicPartition
    topic_id: bytes
    settings: LogSettings
    leader_epoch: int | None = None
    """In which it is led here; None where it is not."""


def open_partitions(
    world: World, scan: LogDirScan, openings: Sequence[Opening]
) -> list[PartitionLog | MoldauError]:
    """Open each, or return why not; the names of new directories are synced together."""
    try:
        with scan.directory.guard():
            _make_directories(world, scan, openings)
    except StorageError as error:
        return [error] * len(openings)
    logs: list[PartitionLog | MoldauError] = []
    for opening in openings:
        try:
            logs.append(open_partition(world, scan, *opening))
        except MoldauError as error:
            logs.append(error)
    return logs


def _make_directories(world: World, scan: LogDirScan, openings: Sequence[Opening]) -> None:
    fresh = [
        f"{scan.path}/{directory_name(opening.name)}"
        for opening in openings
        if opening.name not in scan.found
    ]
    for path in fresh:
        with suppress(WrongKindError):  # refuses this partition alone, when it is opened
            world.files.make_directory(path)
    if fresh:
        world.files.sync_directory(scan.path)


def open_partition(
    world: World,
    scan: LogDirScan,
    name: TopicPartition,
    topic_id: bytes,
    settings: LogSettings,
    leader_epoch: int | None = None,
) -> PartitionLog:
    """Open the partition's log here, or begin one; a stray of the same name steps aside."""
    path = f"{scan.path}/{directory_name(name)}"
    with scan.directory.guard(), _wrong_kinds_refused():
        is_known, is_named = _judge(world, scan, name, topic_id)
        remembered = scan.remembered(name) if is_known else Remembered(clean=True)
        if not is_named:
            _begin(world, scan, path, topic_id)
        opened = PartitionLog.open(world, path, settings, remembered, leader_epoch)
        if not is_known and scan.gone.get(name):
            opened.report = gone_report(scan, name)
            del scan.gone[name]
        if not is_named and (is_known or not opened.state.names_synced):
            opened.state.sync_names()
        scan.found.pop(name, None)
    return opened


def gone_report(scan: LogDirScan, name: TopicPartition) -> OpeningReport:
    """The report of a partition whose whole directory is missing."""
    path = f"{scan.path}/{directory_name(name)}"
    finding = Finding(FindingKind.MISSING, path, "is missing", end_offset=scan.gone[name])
    return OpeningReport(path, scan.directory.was_clean, 0, 0, (finding,))


@contextmanager
def _wrong_kinds_refused() -> Iterator[None]:
    """What contradicts itself is refused; the disk is well, and the directory stays online."""
    try:
        yield
    except WrongKindError as error:
        raise DirectoryRefusedError(error.path, error.reason) from error


def _judge(
    world: World, scan: LogDirScan, name: TopicPartition, topic_id: bytes
) -> tuple[bool, bool]:
    """Whether this topic's log is here, and has its id in its files; another's steps aside."""
    if name not in scan.found:
        return False, False
    path = f"{scan.path}/{directory_name(name)}"
    refuse_directories(world.files, path)
    metadata = read_partition_metadata(world.files, path)
    if metadata is None or metadata.topic_id == topic_id:
        return True, metadata is not None
    target = set_aside(world, scan, name, DirectoryState.STRAY)
    log.warning(
        "%s has the log of topic id %s and %s has the id %s: it is renamed to %s, and %s begins "
        "empty; see whether its records are needed before you remove it",
        path,
        uuid_text(metadata.topic_id),
        name.topic,
        uuid_text(topic_id),
        target,
        name,
    )
    return False, False


def _begin(world: World, scan: LogDirScan, path: str, topic_id: bytes) -> None:
    """Say whose the directory is; the caller syncs its names, once for all files."""
    status = world.files.status(path)
    if status is None or not status.is_directory:
        world.files.make_directory(path)
        world.files.sync_directory(scan.path)
    metadata = PartitionMetadata(topic_id)
    write_partition_metadata(world.files, path, metadata, syncs_directory=False)


def set_aside(world: World, scan: LogDirScan, name: TopicPartition, state: DirectoryState) -> str:
    """Rename a partition's directory to say what becomes of it; the new path."""
    with scan.directory.guard():
        target = f"{scan.path}/{pending_name(name, state, world.random)}"
        world.files.rename(f"{scan.path}/{directory_name(name)}", target)
        world.files.sync_directory(scan.path)
    for numbers in (scan.recovery_points, scan.log_start_offsets, scan.high_watermarks):
        numbers.pop(name, None)
    scan.found.pop(name, None)
    return target


def set_strays_aside(
    world: World, scan: LogDirScan, refused: Container[TopicPartition]
) -> list[str]:
    """What is here and was not opened by the time all assigned partitions are: their new paths.

    What could not be opened stays where it is, for people to mend.
    """
    strays = [name for name in scan.found if name not in refused]
    return [_set_stray_aside(world, scan, name) for name in strays]


def _set_stray_aside(world: World, scan: LogDirScan, name: TopicPartition) -> str:
    target = set_aside(world, scan, name, DirectoryState.STRAY)
    log.warning(
        "%s/%s is no partition of this node: it is renamed to %s; see whether its records are "
        "needed before you remove it",
        scan.path,
        directory_name(name),
        target,
    )
    return target


def remove_deleted(world: World, scan: LogDirScan) -> None:
    """Finish the deletions of before the stop."""
    with scan.directory.guard():
        for directory in scan.deleted:
            world.files.remove_tree(f"{scan.path}/{directory}")
    scan.deleted.clear()
