"""The response for a batch that was refused."""

from __future__ import annotations

from moldau.broker.server.produce.appending import error_answer
from moldau.protocol.records.refusals import InvalidTimestampError, RecordError


def test_a_refused_batch_names_its_records_and_the_reason():
    answer = error_answer(3, InvalidTimestampError("too old", (RecordError(1, "of 1970"),)))
    assert (answer.index, answer.error_code, answer.base_offset) == (3, 32, -1)
    assert answer.error_message == "too old"
    (record,) = answer.record_errors
    assert (record.batch_index, record.batch_index_error_message) == (1, "of 1970")
