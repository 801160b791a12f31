"""Why a broker refuses a batch; `code` is what the wire answers.

InvalidRecordError
└── BatchRefusedError
    ├── InvalidBatchError        87
    │   └── MisnumberedBatchError
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

    def __init__(
        self, reason: str, record_errors: tuple[RecordError, ...] = (), null_keys: int = 0
    ) -> None:
        super().__init__(reason)
        self.record_errors = record_errors
        self.null_keys = null_keys
        """Records without a key where the topic needs one: all of them, named or not."""


class InvalidBatchError(BatchRefusedError):
    """The batch contradicts itself, or what the topic demands of records."""

    code = 87


class MisnumberedBatchError(InvalidBatchError):
    """Its offsets, its count or its sequence cannot be, or it has none to have."""


class InvalidTimestampError(BatchRefusedError):
    """A record is too old or from too far in the future."""

    code = 32


class BatchTooLargeError(BatchRefusedError):
    """The batch is above the topic's `max.message.bytes`."""

    code = 10
