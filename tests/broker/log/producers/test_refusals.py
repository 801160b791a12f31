"""Refusals."""

from __future__ import annotations

from moldau.broker.log.producers.refusals import OutOfOrderSequenceError
from moldau.errors import InvalidRecordError


def test_a_refusal_is_one_sentence_that_names_partition_and_producer():
    error = OutOfOrderSequenceError("orders-0", 7, "sends sequence 6 where the next one is 5")
    assert str(error) == "orders-0: producer 7 sends sequence 6 where the next one is 5"
    assert isinstance(error, InvalidRecordError)
    assert (error.partition, error.producer_id, error.code) == ("orders-0", 7, 45)
