"""Control records: what Kafka itself writes between the records of users.

A control batch has the control bit set, and the keys of its records have their type: int16
version, int16 type. Consumers step over them, the log reads them.

- Abort and commit markers end a transaction on one partition (KIP-98). They are alone in their
  batch, which names the producer and is transactional; their value is int16 version and int32
  epoch of the coordinator that decided.
- The metadata quorum writes the others: who leads (KIP-595), where a snapshot begins and ends
  (KIP-630), its own format version and its voters (KIP-853). Their values are messages, which
  `moldau.protocol.messages` declares; here they are bytes.

A key of a later version still begins like this, and unknown types are skipped, not refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from struct import Struct
from typing import NamedTuple

from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import NO_LEADER_EPOCH
from moldau.protocol.records.builder import BatchBuilder, BatchFields

KEY_VERSION = 0
MARKER_VERSION = 0

_KEY = Struct(">hh")
_MARKER = Struct(">hi")


class ControlType(IntEnum):
    """What a control record holds."""

    UNKNOWN = -1
    ABORT = 0
    COMMIT = 1
    LEADER_CHANGE = 2
    SNAPSHOT_HEADER = 3
    SNAPSHOT_FOOTER = 4
    KRAFT_VERSION = 5
    KRAFT_VOTERS = 6


class EndMarker(NamedTuple):
    """The end of a transaction on a partition."""

    is_commit: bool
    coordinator_epoch: int


def pack_key(control_type: ControlType) -> bytes:
    return _KEY.pack(KEY_VERSION, control_type)


def parse_key(key: bytes | None) -> ControlType:
    """The type that a control record's key names; one from the future is UNKNOWN."""
    if key is None or len(key) < _KEY.size:
        raise CorruptRecordError(f"control record with key {key!r}: it needs {_KEY.size} bytes")
    version, number = _KEY.unpack_from(key)
    if version < 0:
        raise CorruptRecordError(f"control record with key version {version}")
    try:
        return ControlType(number)
    except ValueError:
        return ControlType.UNKNOWN


def pack_marker(marker: EndMarker) -> tuple[bytes, bytes]:
    """Key and value of a marker."""
    key = pack_key(ControlType.COMMIT if marker.is_commit else ControlType.ABORT)
    return key, _MARKER.pack(MARKER_VERSION, marker.coordinator_epoch)


def parse_marker(key: bytes | None, value: bytes | None) -> EndMarker | None:
    """The marker that a control record is, or None where it is something else."""
    control_type = parse_key(key)
    if control_type not in (ControlType.ABORT, ControlType.COMMIT):
        return None
    if value is None or len(value) < _MARKER.size:
        raise CorruptRecordError(f"transaction marker with value {value!r}")
    version, coordinator_epoch = _MARKER.unpack_from(value)
    if version < 0:
        raise CorruptRecordError(f"transaction marker with value version {version}")
    return EndMarker(control_type is ControlType.COMMIT, coordinator_epoch)


def build_marker_batch(
    marker: EndMarker,
    *,
    producer_id: int,
    producer_epoch: int,
    timestamp: int,
    base_offset: int = 0,
    leader_epoch: int = NO_LEADER_EPOCH,
) -> bytearray:
    """The batch that ends the producer's transaction on a partition."""
    fields = BatchFields(
        base_offset=base_offset,
        leader_epoch=leader_epoch,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        is_transactional=True,
        is_control=True,
    )
    builder = BatchBuilder(fields)
    builder.append(timestamp, *pack_marker(marker))
    return builder.build()


def build_quorum_batch(
    records: Sequence[tuple[ControlType, bytes]],
    *,
    timestamp: int,
    base_offset: int = 0,
    leader_epoch: int = NO_LEADER_EPOCH,
) -> bytearray:
    """A batch of the metadata quorum's own records; each value is an encoded message."""
    fields = BatchFields(base_offset=base_offset, leader_epoch=leader_epoch, is_control=True)
    builder = BatchBuilder(fields)
    for control_type, value in records:
        builder.append(timestamp, pack_key(control_type), value)
    return builder.build()
