"""Why the log refuses a producer's batch; `code` is what the wire answers.

InvalidRecordError
└── ProducerError
    ├── OutOfOrderSequenceError          45
    ├── InvalidProducerEpochError        47
    ├── InvalidTransactionStateError     48
    └── TransactionCoordinatorFencedError 52
"""

from __future__ import annotations

from typing import ClassVar

from moldau.errors import InvalidRecordError


class ProducerError(InvalidRecordError):
    """The batch contradicts the partition's state of its producer."""

    code: ClassVar[int]

    def __init__(self, partition: str, producer_id: int, reason: str) -> None:
        super().__init__(f"{partition}: producer {producer_id} {reason}")
        self.partition = partition
        self.producer_id = producer_id
        self.reason = reason


class OutOfOrderSequenceError(ProducerError):
    """A batch before this one is missing, or came twice too late to be recognised."""

    code: ClassVar[int] = 45


class InvalidProducerEpochError(ProducerError):
    """A newer incarnation of the producer has written already: this one is a zombie."""

    code: ClassVar[int] = 47


class InvalidTransactionStateError(ProducerError):
    """The batch is inside a transaction where it must not be, or outside where it must."""

    code: ClassVar[int] = 48


class TransactionCoordinatorFencedError(ProducerError):
    """The marker comes from a coordinator that has been replaced."""

    code: ClassVar[int] = 52
