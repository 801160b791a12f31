"""What the names of directories inside a log directory mean.

    orders-3                      partition 3 of orders
    orders-3.<32 hex>-delete      its topic is gone; to be removed
    orders-3.<32 hex>-future      being filled here, moving over from another log directory
    orders-3.<32 hex>-stray       not assigned to this node; kept for operators to look at

Deleted and stray names are cut to 255 bytes by shortening the topic, as file systems ask for; their
topic need not be exact any more. That of a future log is exact, so a partition whose topic has a
very long name cannot move. A topic's name has only letters, digits, `.`, `_` and `-`, so the
last hyphen always stands before the partition. Whatever has another form is not ours.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from moldau.platform.ports.randomness import Random

NAME_BYTES_MAX = 255
_UNIQUE_BYTES = 16
_NAME = re.compile(
    r"([a-zA-Z0-9._-]{1,249})-(0|[1-9][0-9]{0,9})(?:\.([^-.\s]+)-(delete|future|stray))?"
)


class TopicPartition(NamedTuple):
    """One partition of one topic."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class DirectoryState(Enum):
    """What is to be done with a partition's directory."""

    LIVE = ""
    DELETED = "-delete"
    FUTURE = "-future"
    STRAY = "-stray"


class PartitionDirectory(NamedTuple):
    """A directory's name, taken apart."""

    name: str
    partition: TopicPartition
    state: DirectoryState


def directory_name(partition: TopicPartition) -> str:
    return str(partition)


def pending_name(partition: TopicPartition, state: DirectoryState, random: Random) -> str:
    """A name that has what is to be done with it, and that no other directory has."""
    assert state is not DirectoryState.LIVE
    suffix = f"-{partition.partition}.{random.randbytes(_UNIQUE_BYTES).hex()}{state.value}"
    if state is DirectoryState.FUTURE:
        return partition.topic + suffix
    return partition.topic[: NAME_BYTES_MAX - len(suffix)] + suffix


def may_move(partition: TopicPartition) -> bool:
    """Whether a file system takes the name of its future log."""
    suffix = f"-{partition.partition}.{'0' * 2 * _UNIQUE_BYTES}{DirectoryState.FUTURE.value}"
    return len(partition.topic) + len(suffix) <= NAME_BYTES_MAX


def parse_directory_name(name: str) -> PartitionDirectory | None:
    """What the name means; None if it is no partition's."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    topic, number, _, state = match.groups()
    partition = TopicPartition(topic, int(number))
    if partition.partition >= 2**31:
        return None
    return PartitionDirectory(name, partition, DirectoryState(f"-{state}" if state else ""))
