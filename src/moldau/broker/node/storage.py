"""The directories of a node: formatted, locked, judged, and left in order.

A node that is alone formats its directories itself when none of them is; others are formatted on
purpose, by `moldau format`, because a disk that is not mounted looks like one that is blank.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

from moldau.broker.log.directory.directories import LogDirectories, open_directories
from moldau.broker.log.directory.directory import DirectoryRefusedError, LogDirectory
from moldau.broker.log.directory.meta_properties import (
    FILE_NAME,
    MetaProperties,
    read_meta_properties,
    write_meta_properties,
)
from moldau.broker.log.directory.names import DirectoryState, parse_directory_name
from moldau.broker.log.segment.file_names import LOG
from moldau.broker.node.format_plan import FormatOptions, plan_format
from moldau.broker.node.formatting import METADATA_PARTITION, Formatter, all_directories
from moldau.broker.node.world import NodeWorld
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import MoldauError
from moldau.platform.ports.files import Files
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import new_uuid, uuid_text

__all__ = ["Storage", "format_alone", "open_storage"]

log = logging.getLogger(__name__)

UNKNOWN_EPOCH = -1


@dataclass(slots=True)
class Storage:
    """All directories of a node, open."""

    directories: LogDirectories
    """Those of `log.dirs`, where partitions may be."""
    everything: LogDirectories
    """Those, and the one of `metadata.log.dir` if it is another."""
    metadata_directory: str
    cluster_id: str

    @property
    def was_clean(self) -> bool:
        """Whether the metadata log was left in order."""
        return any(one.was_clean for one in self.everything if one.path == self.metadata_directory)

    @property
    def metadata_directory_id(self) -> bytes:
        for one in self.everything:
            if one.path == self.metadata_directory:
                return one.properties.directory_id or NULL_UUID
        return NULL_UUID

    @property
    def directory_ids(self) -> list[bytes]:
        """The ids of the directories that can be used."""
        found = (one.properties.directory_id for one in self.directories)
        return [directory_id for directory_id in found if directory_id is not None]

    @property
    def offline_ids(self) -> list[bytes]:
        """The ids of the directories whose disk has failed since they were opened."""
        found = (
            one.properties.directory_id for one in self.directories.opened if not one.is_online
        )
        return [directory_id for directory_id in found if directory_id is not None]

    def ids_of(self, paths: Collection[str]) -> list[bytes]:
        """The ids of the directories at these paths."""
        found = (one.properties.directory_id for one in self.directories if one.path in paths)
        return [directory_id for directory_id in found if directory_id is not None]

    @property
    def previous_epoch(self) -> int:
        """The broker's epoch when it last stopped in order, -1 if any directory has another."""
        epochs = {one.clean_shutdown_epoch for one in self.everything}
        only = epochs.pop() if len(epochs) == 1 else None
        return UNKNOWN_EPOCH if only is None else only

    @property
    def holds_partitions(self) -> bool:
        """Whether there are logs of topics, which only metadata can have made."""
        listings = (one.list_partitions() for one in self.directories)
        return any(
            found.state is DirectoryState.LIVE and found.name != METADATA_PARTITION
            for listing in listings
            for found in listing.partitions
        )

    def known_offset(self, *, votes_alone: bool) -> int:
        """What the metadata log reaches, by all that lies beside it.

        A broker's epoch is the offset of its registration. Where no other node could bring them,
        the metadata that made the logs of topics have to be here.
        """
        if self.previous_epoch > UNKNOWN_EPOCH:
            return self.previous_epoch + 1
        return int(votes_alone and self.holds_partitions)

    def mark_clean(self, broker_epoch: int) -> None:
        for one in self.everything:
            one.mark_clean(broker_epoch)

    def leave_as_found(self) -> None:
        """The node refuses what is here: the next start has to see the same."""
        for one in self.everything:
            if one.clean_shutdown_epoch is not None:
                one.mark_clean(one.clean_shutdown_epoch)

    def close(self) -> None:
        self.everything.close()


def open_storage(
    files: Files,
    settings: BrokerSettings,
    random: Random,
    judge: Callable[[LogDirectories], None] = lambda directories: None,
) -> Storage:
    """Open every directory, unless `judge` raises; from then on a crash counts as one."""
    paths = list(all_directories(settings))
    cluster_id = _cluster_id(files, paths)
    everything = open_directories(files, paths, cluster_id=cluster_id, node_id=settings.node_id)
    try:
        judge(everything)
    except MoldauError:
        everything.close()
        raise
    for one in everything:
        if one.properties.directory_id is None:
            _give_id(files, one, settings.node_id, random)
        one.take_clean_shutdown()
    directories = _of_logs(everything, settings)
    return Storage(directories, everything, settings.metadata_directory, cluster_id)


def _give_id(files: Files, directory: LogDirectory, node_id: int, random: Random) -> None:
    """One of before Kafka 3.7 has none, and the controller knows directories by their ids."""
    properties = MetaProperties(
        cluster_id=directory.properties.cluster_id,
        node_id=node_id,
        directory_id=new_uuid(random),
    )
    write_meta_properties(files, directory.path, properties)
    directory.properties = properties
    log.info("%s/%s had no directory.id and has one now", directory.path, FILE_NAME)


def _of_logs(everything: LogDirectories, settings: BrokerSettings) -> LogDirectories:
    """A directory for the metadata log alone takes no partitions."""
    opened = (one for one in everything.opened if one.path in settings.directories)
    failed = {path: why for path, why in everything.offline.items() if path in settings.directories}
    return LogDirectories(opened, failed)


def format_alone(world: NodeWorld, settings: BrokerSettings) -> None:
    """Format the directories for a new cluster of this node alone, unless one of them is."""
    paths = list(all_directories(settings))
    if any(read_meta_properties(world.files, path) for path in paths):
        return
    for path in paths:
        _ensure_blank(world.files, path)
    options = FormatOptions(
        cluster_id=uuid_text(new_uuid(world.random)),
        standalone=not settings.controller_quorum_voters,
    )
    formatter = Formatter(world.files, world.clock, world.random, log.info)
    formatter.format(settings, plan_format(settings, options, world.random), ignore_formatted=False)


def _ensure_blank(files: Files, path: str) -> None:
    """A cluster of its own has no use for the logs of another, and would make an end of them."""
    if files.status(path) is None:
        return
    for name in files.list_directories(path):
        is_log = parse_directory_name(name) is not None
        if is_log and any(held.endswith(LOG) for held in files.list(f"{path}/{name}")):
            raise DirectoryRefusedError(
                path, f"{FILE_NAME} is gone while {name} has records; restore it from a copy"
            )


def _cluster_id(files: Files, paths: list[str]) -> str:
    """Of the first directory that has one; a difference is found when they are opened."""
    for path in paths:
        properties: MetaProperties | None = read_meta_properties(files, path)
        if properties is not None and properties.cluster_id is not None:
            return properties.cluster_id
    raise DirectoryRefusedError(
        paths[0], "it is not formatted; run `moldau format`, or mount the disk that belongs there"
    )
