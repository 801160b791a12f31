"""What lies in the log directories of all brokers, as totals: asked for and added up in pieces.

A node that serves this console has the answers decoded in its own loop. One with 50,000 partitions
would hold it up for 0.1 s and more, so of a large cluster some partitions are asked for at a time,
in the order of the topics' names; between two pieces others are served. Of a small one all are
asked for at once, those among them that no topic has any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final

from moldau.client import AsyncAdmin, TopicPartition
from moldau.client.admin import LogDir
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["AT_ONCE", "StoredIn", "stored"]

AT_ONCE: Final = 2_000
"""Partitions: some milliseconds of work for the caller, and for each broker."""


@dataclass(slots=True)
class StoredIn:
    """One log directory."""

    error: MoldauError | None
    total_bytes: int | None
    usable_bytes: int | None
    replicas: int = 0
    bytes_by_topic: Counter[str] = field(default_factory=Counter)


async def stored(admin: AsyncAdmin, nodes: Iterable[int]) -> dict[int, dict[str, StoredIn]]:
    """By broker and path, as far as brokers show it."""
    found: dict[int, dict[str, StoredIn]] = {node: {} for node in nodes}
    begin = None
    while True:
        page = await admin.describe_first_topics(partitions=AT_ONCE, begin=begin)
        parts = [
            TopicPartition(view.name, one.partition)
            for view in page.topics.values()
            for one in view.partitions
        ]
        is_small = begin is None and not page.has_more
        answer = await admin.describe_log_dirs(found, None if is_small else parts)
        for node, directories in answer.values.items():
            _add(found[node], directories)
        if page.next_topic is None:
            return found
        begin = page.next_topic


def _add(sums: dict[str, StoredIn], directories: Mapping[str, LogDir]) -> None:
    for path, one in directories.items():
        total = sums.setdefault(path, StoredIn(one.error, one.total_bytes, one.usable_bytes))
        total.replicas += len(one.replicas)
        for part, replica in one.replicas.items():
            total.bytes_by_topic[part.topic] += replica.size
