"""Why a broker refuses a batch."""

from __future__ import annotations

import pytest

from moldau.errors import InvalidRecordError
from moldau.protocol.records.refusals import (
    BatchRefusedError,
    BatchTooLargeError,
    InvalidBatchError,
    InvalidTimestampError,
    RecordError,
)


@pytest.mark.parametrize(
    ("kind", "code"),
    [(InvalidBatchError, 87), (InvalidTimestampError, 32), (BatchTooLargeError, 10)],
)
def test_every_refusal_has_kafkas_code(kind: type[BatchRefusedError], code: int) -> None:
    refusal = kind("batch is bad", (RecordError(3, "too old"),))
    assert isinstance(refusal, InvalidRecordError)
    assert (refusal.code, str(refusal)) == (code, "batch is bad")
    assert refusal.record_errors == ((3, "too old"),)
