"""What lies in the log directories of all brokers, as totals: asked for and added up in pieces.

Of a large cluster the partitions of a page of topics are asked for at a time (`all_topics`). Of a
small one all are asked for at once, those among them that no topic has any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple

from moldau.client import AsyncAdmin
from moldau.client.admin import LogDir
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.console.lookups.all_topics import partitions_of, topics_in_pages

__all__ = ["Stored", "StoredIn", "stored"]


@dataclass(slots=True)
class StoredIn:
    """One log directory."""

    error: MoldauError | None
    total_bytes: int | None
    usable_bytes: int | None
    replicas: int = 0
    bytes_by_topic: Counter[str] = field(default_factory=Counter)


class Stored(NamedTuple):
    """What brokers show of it."""

    by_broker: Mapping[int, Mapping[str, StoredIn]]
    """And by path."""
    error: MoldauError | None
    """Why one of the brokers shows nothing."""


async def stored(admin: AsyncAdmin, nodes: Iterable[int]) -> Stored:
    error: MoldauError | None = None
    found: dict[int, dict[str, StoredIn]] = {node: {} for node in nodes}
    is_first = True
    async for page in topics_in_pages(admin):
        is_small = is_first and not page.has_more
        is_first = False
        answer = await admin.describe_log_dirs(found, None if is_small else partitions_of(page))
        error = next(iter(answer.errors.values()), error)
        for node, directories in answer.values.items():
            _add(found[node], directories)
    return Stored(found, error)


def _add(sums: dict[str, StoredIn], directories: Mapping[str, LogDir]) -> None:
    for path, one in directories.items():
        total = sums.setdefault(path, StoredIn(one.error, one.total_bytes, one.usable_bytes))
        total.replicas += len(one.replicas)
        for part, replica in one.replicas.items():
            total.bytes_by_topic[part.topic] += replica.size
