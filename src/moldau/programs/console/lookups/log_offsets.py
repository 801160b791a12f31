"""Where logs begin and end, asked for in pieces.

A node that serves the console works on the answers in its own loop, and others are served between
two of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from moldau.client import AsyncAdmin, TopicPartition
from moldau.client.admin import OffsetPlace

__all__ = ["log_offsets"]

PAGE_PARTITIONS: Final = 500


async def log_offsets(
    admin: AsyncAdmin,
    parts: Iterable[TopicPartition],
    place: OffsetPlace = OffsetPlace.LATEST,
) -> dict[TopicPartition, int]:
    """Of the partitions whose leaders answer."""
    wanted = list(parts)
    offsets: dict[TopicPartition, int] = {}
    for start in range(0, len(wanted), PAGE_PARTITIONS):
        asked = dict.fromkeys(wanted[start : start + PAGE_PARTITIONS], place)
        found = (await admin.list_offsets(asked)).values
        offsets |= {part: one.offset for part, one in found.items() if one.offset is not None}
    return offsets
