"""From a time, or the name of a place, to an offset of a partition.

    -1  the end that the caller may see          -4  the first offset on this disk
    -2  the start                               -5  the last one in remote storage: there is none
    -3  the record with the largest timestamp   -6  the first that waits to be uploaded: the same

All other numbers are milliseconds: the first record that is not older. Nothing is found at or
beyond the end that the caller may see. Right after an election that end may lie below what was
acknowledged in the leader epoch before; until the watermark has caught up, the answer is "not yet".
"""

from __future__ import annotations

from typing import Final

from moldau.broker.log.reading import Isolation
from moldau.broker.log.timestamps import FoundOffset
from moldau.broker.replica.fetching import upper_bound
from moldau.broker.replica.partition import Partition
from moldau.errors import KafkaError, StorageError
from moldau.protocol.wire.error_codes import ErrorCode

LATEST: Final = -1
EARLIEST: Final = -2
MAX_TIMESTAMP: Final = -3
EARLIEST_LOCAL: Final = -4
LATEST_TIERED: Final = -5
EARLIEST_PENDING_UPLOAD: Final = -6

NO_TIMESTAMP: Final = -1
NO_OFFSET: Final = -1
NO_EPOCH: Final = -1


def find_offset(partition: Partition, timestamp: int, isolation: Isolation) -> FoundOffset | None:
    """The offset of a time or place; None where all records are older."""
    match timestamp:
        case t if t == LATEST:
            _refuse_before_catching_up(partition, isolation)
            end = upper_bound(partition, isolation)
            return FoundOffset(end, NO_TIMESTAMP, partition.leader_epoch)
        case t if t in (EARLIEST, EARLIEST_LOCAL):
            return _earliest(partition)
        case t if t in (LATEST_TIERED, EARLIEST_PENDING_UPLOAD):
            return FoundOffset(NO_OFFSET, NO_TIMESTAMP, NO_EPOCH)
    found = _search(partition, timestamp)
    if found is not None and found.offset < upper_bound(partition, isolation):
        return found
    _refuse_before_catching_up(partition, isolation)
    return None


def _earliest(partition: Partition) -> FoundOffset:
    start = partition.log_start_offset
    first = partition.log.epochs.earliest
    epoch = first.epoch if first is not None and first.start_offset <= start else NO_EPOCH
    return FoundOffset(start, NO_TIMESTAMP, epoch)


def _search(partition: Partition, timestamp: int) -> FoundOffset | None:
    try:
        if timestamp == MAX_TIMESTAMP:
            return partition.log.offset_of_max_timestamp()
        return partition.log.offset_for_timestamp(timestamp)
    except StorageError as error:
        raise partition.failed(error) from error


def _refuse_before_catching_up(partition: Partition, isolation: Isolation) -> None:
    is_behind = partition.high_watermark < partition.epoch_start_offset
    if partition.is_leader and isolation is not Isolation.LOG_END and is_behind:
        raise KafkaError(
            ErrorCode.OFFSET_NOT_AVAILABLE,
            f"{partition.name}: the high watermark {partition.high_watermark} has not reached "
            f"{partition.epoch_start_offset}, where this leader began; ask again",
        )
