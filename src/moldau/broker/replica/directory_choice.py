"""In which log directory a partition belongs.

The controller names a directory by its id (KIP-858), or leaves the choice to the broker by one of
three reserved ids. A broker chooses the directory that holds the fewest partitions, the first in
`log.dirs` where several do; a directory that is offline is never chosen.

A named directory that is not there may be one of those that are offline: then nothing takes its
place, for it has the records. Where all that the node has are online it is gone for good, as when a
disk was replaced, and the replica begins anew in another and gets its records from the leader.

A directory that an operator has preferred for a partition before it came goes before both. The
preference is removed once the partition is here, and lost when the node stops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.metadata.topics import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY
from moldau.broker.replica.assignment import Assignment

PREFERRED_MAX: Final = 100_000
"""As many partitions as may come at once; with more the oldest preference is removed."""
RESERVED = frozenset({UNASSIGNED_DIRECTORY, LOST_DIRECTORY, MIGRATING_DIRECTORY})


def assigned_directory(assignment: Assignment, node_id: int) -> bytes:
    """The id of the directory that this node shall use, or a reserved one."""
    replicas = assignment.replicas
    for index, directory_id in enumerate(assignment.directories):
        if index < len(replicas) and replicas[index] == node_id:
            return directory_id
    return UNASSIGNED_DIRECTORY


def choose_directory(
    online: Sequence[LogDirectory],
    counts: Mapping[str, int],
    wanted: bytes,
    *,
    all_online: bool = False,
) -> LogDirectory | None:
    """The wanted one if it is online, else the emptiest; None where none may be used."""
    for directory in online:
        if wanted not in RESERVED and directory.properties.directory_id == wanted:
            return directory
    if not online or (wanted not in RESERVED and not all_online):
        return None
    return min(online, key=lambda directory: counts.get(directory.path, 0))


class PreferredDirectories:
    """Where partitions that are not here yet are to begin (KIP-113)."""

    def __init__(self) -> None:
        self._paths: dict[TopicPartition, str] = {}

    def __repr__(self) -> str:
        return f"PreferredDirectories({len(self._paths)} partitions)"

    def note(self, name: TopicPartition, path: str) -> None:
        self._paths[name] = path
        if len(self._paths) > PREFERRED_MAX:
            del self._paths[next(iter(self._paths))]

    def take(self, name: TopicPartition, online: Sequence[LogDirectory]) -> LogDirectory | None:
        """The directory, if one is preferred and online; it is not preferred any more."""
        path = self._paths.pop(name, None)
        return next((one for one in online if one.path == path), None)
