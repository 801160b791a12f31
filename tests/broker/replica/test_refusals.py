"""Every refusal has the code that Kafka gives it."""

from __future__ import annotations

import pytest

from moldau.broker.log.appending.plain import SegmentOverflowError
from moldau.broker.log.producers.refusals import OutOfOrderSequenceError
from moldau.broker.replica.refusals import check_leader_epoch, code_of
from moldau.errors import CorruptRecordError, DiskFullError, KafkaError, MoldauError
from moldau.protocol.records.refusals import BatchTooLargeError, InvalidBatchError


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KafkaError(37), 37),
        (CorruptRecordError("bad"), 2),
        (DiskFullError("x", "full"), 56),
        (InvalidBatchError("two"), 87),
        (BatchTooLargeError("big"), 10),
        (SegmentOverflowError("big"), 18),
        (OutOfOrderSequenceError("topic-0", 1, "gap"), 45),
        (MoldauError("who knows"), -1),
    ],
)
def test_a_refusal_of_any_package_has_its_code(error, code):
    assert code_of(error) == code


def test_no_epoch_and_the_right_epoch_are_fine():
    check_leader_epoch("topic-0", -1, 5)
    check_leader_epoch("topic-0", 5, 5)
