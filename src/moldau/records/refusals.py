"""Why a broker refuses a batch; `code` is what the wire answers.

InvalidRecordError
└── BatchRefusedError
    ├── InvalidBatchError        87
    ├── InvalidTimestampError    32
    └── BatchTooLargeError       10

A batch that fails its checksum, or whose records cannot be read, is a `CorruptRecordError` (2).
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from moldau.errors import InvalidRecordError


class RecordError(NamedTuple):
    """What is wrong with one record of the batch (KIP-467)."""

    batch_index: int
    reason: str


class BatchRefusedError(InvalidRecordError):
    """The batch breaks a rule; where single records do, `record_errors` names some of them."""

    code: ClassVar[int]

    def __init__(self, reason: str, record_errors: tuple[RecordError, ...] = ()) -> None:
        super().__init__(reason)
        self.record_errors = record_errors


class InvalidBatchError(BatchRefusedError):
    """The batch contradicts itself, or what the topic demands of records."""

    code = 87


class InvalidTimestampError(BatchRefusedError):
    """A record is too old or from too far in the future."""

    code = 32


class BatchTooLargeError(BatchRefusedError):
    """The batch is above the topic's `max.message.bytes`."""

    code = 10
