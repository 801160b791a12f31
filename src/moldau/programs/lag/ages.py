"""How old the oldest record is that a group has not read: its time, from the log itself.

Of every committed offset with a record after it one batch is read, once: the next look at it is
needed when the group has committed another offset.
"""

from __future__ import annotations

import logging

from moldau.client import TopicPartition
from moldau.client.aio import AsyncConnection
from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.reading import ENDLESS
from moldau.client.errors import ClientError
from moldau.errors import CorruptRecordError
from moldau.platform.ports.tasks import Tasks
from moldau.programs.lag.state import LagState

__all__ = ["look_up_ages", "time_at"]

log = logging.getLogger(__name__)

ONE_BATCH = 1
"""Bytes: a broker sends a whole batch at least."""


async def look_up_ages(
    state: LagState, connection: AsyncConnection, tasks: Tasks, timeout_ms: float
) -> None:
    """Of each partition with a lag; what does not come in time is left for the next call."""
    wanted = state.unread()
    known = state.first_unread_ms
    for place in known.keys() - wanted:
        del known[place]
    for part, offset in sorted(wanted - known.keys()):
        try:
            async with tasks.deadline(timeout_ms):
                time_ms = await time_at(connection, part, offset)
        except (ClientError, CorruptRecordError, TimeoutError) as error:
            log.debug("The record at %s of %s was not read: %s", offset, part, error)
            continue
        if time_ms is not None:
            known[part, offset] = time_ms


async def time_at(connection: AsyncConnection, part: TopicPartition, offset: int) -> int | None:
    """Of the first record at this offset or after it, if the next batches have one."""
    reading = connection.read(part, offset, ENDLESS, "read_uncommitted", ONE_BATCH)
    try:
        chunk = await reading.take()
    finally:
        reading.close()
    if chunk is None:
        return None
    batches = records_of(chunk, check_checksums=False)
    return next((record.timestamp for batch in batches for record in batch), None)
