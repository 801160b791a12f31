"""How metadata records lie in the values of the log.

    unsigned varint  1, the version of this frame
    unsigned varint  id of the record
    unsigned varint  version of the record
    bytes            the record in that version

Keys are null. Which version is written is decided by the finalized metadata.version, so that every
node of the cluster can read it.
"""

from __future__ import annotations

from functools import cache

from moldau.broker.metadata.features import METADATA_VERSIONS
from moldau.errors import DecodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.index import OTHERS, load
from moldau.protocol.messages.stored.metadata_brokers import BrokerRegistrationChangeRecord
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.varint import decode_uvarint, encode_uvarint

FRAME_VERSION = 1
MODULES = (
    "stored.metadata_topics",
    "stored.metadata_brokers",
    "stored.metadata_cluster",
    "stored.metadata_security",
    "stored.metadata_transactions",
)
_FRAME = encode_uvarint(FRAME_VERSION)


def encode_record(record: Message, version: int) -> bytes:
    """The value of a log record."""
    return b"".join(
        (_FRAME, encode_uvarint(record.KEY), encode_uvarint(version), encode(record, version))
    )


def decode_record(value: Buffer) -> Message:
    """The metadata record that fills `value`, or `DecodeError`."""
    try:
        frame, position = decode_uvarint(value, 0)
        record_id, position = decode_uvarint(value, position)
        version, position = decode_uvarint(value, position)
    except IndexError as error:
        raise DecodeError("the frame of a metadata record is cut off") from error
    if frame != FRAME_VERSION:
        raise DecodeError(f"metadata record has frame version {frame}; only 1 is known")
    record_class = record_classes().get(record_id)
    if record_class is None:
        raise DecodeError(f"metadata record has id {record_id}, which no record has")
    if version not in record_class.VERSIONS:
        raise DecodeError(
            f"{record_class.__name__} has version {version}; known are {record_class.VERSIONS}"
        )
    return decode(record_class, version, memoryview(value)[position:])


def record_version(record: Message, metadata_version: int) -> int:
    """The version in which this record is written at that metadata.version."""
    if isinstance(record, BrokerRegistrationChangeRecord):
        return _least_version(record)
    level = METADATA_VERSIONS.get(metadata_version)
    assert level is not None, f"metadata.version {metadata_version} is none that we write"
    return level.record_versions.get(record.KEY, 0)


def _least_version(record: BrokerRegistrationChangeRecord) -> int:
    """Kafka writes this one in the first version that can hold it."""
    if record.cordoned_log_dirs is not None:
        return 3
    return 2 if record.log_dirs else int(record.in_controlled_shutdown != 0)


def encode_at(record: Message, metadata_version: int) -> bytes:
    """The value of a log record, in the version that goes with this metadata.version."""
    return encode_record(record, record_version(record, metadata_version))


@cache
def record_classes() -> dict[int, type[Message]]:
    """All records of the metadata log by their ids."""
    classes = (load(module, name) for module in MODULES for name in OTHERS[module])
    return {record_class.KEY: record_class for record_class in classes}
