"""What records name, by their first bytes or by a header; and whether it can be read."""

from __future__ import annotations

import pytest

from moldau.broker.server.produce.schemas.frames import (
    ERRORS_MAX,
    Payloads,
    frames_of,
    read_records,
    unreadable,
)
from moldau.errors import CorruptRecordError
from moldau.protocol.records.builder import BatchBuilder
from moldau.schemas.framing import VALUE_HEADER, guid_frame, id_frame
from moldau.schemas.kinds import language_of

GUID = "00000000-1111-2222-3333-444444444444"
INT = language_of("AVRO").parse('"int"', {}).decoder()
ONE = id_frame(1)


def batch_of(*records):
    """Of pairs or triples: key, value, headers."""
    builder = BatchBuilder()
    for key, value, *headers in records:
        builder.append(1000, key, value, tuple(headers))
    return builder.build()


def names(*records, keys=True):
    return frames_of(read_records(batch_of(*records)), with_keys=keys, with_values=True)


def test_each_name_is_there_once_with_the_records_that_have_it():
    found = names((ONE + b"k", ONE + b"a"), (None, ONE), (id_frame(2), None), (b"", b"\0\0"))
    assert found.keys == {ONE: [0], id_frame(2): [2], b"": [3]}
    assert found.values == {ONE: [0, 1], b"\0\0": [3]}


def test_a_guid_or_a_header_names_it_too():
    by_guid, by_header = guid_frame(GUID), (VALUE_HEADER, ONE + b"\2\2")
    other = ("other", ONE)
    found = names((None, by_guid + b"x"), (None, b"bare", by_header), (None, b"b", other))
    assert found.values == {by_guid: [0], ONE: [1], b"b": [2]}


def test_what_is_not_asked_is_not_looked_at():
    assert names((b"k", b"v"), keys=False).keys == {}


def test_no_more_records_are_noted_than_an_answer_names():
    assert len(names(*[(None, b"x")] * 50).values[b"x"]) == ERRORS_MAX


def test_records_that_cannot_be_read_are_named_with_the_reason():
    good, bad = (None, ONE + b"\2"), (None, ONE + b"\2\2")
    by_header = (None, b"\2\2", (VALUE_HEADER, ONE))
    records = read_records(batch_of(good, bad, by_header, (bad[1], None), (None, None)))
    found = list(unreadable(records, Payloads({ONE: INT}, {ONE: INT})))
    reason = "{} cannot be read by its schema: 1 bytes are left behind the value"
    assert [(one.batch_index, one.reason) for one in found] == [
        (1, reason.format("the value")),
        (2, reason.format("the value")),
        (3, reason.format("the key")),
    ]


def test_a_damaged_batch_is_refused_before_anything_is_read_of_it():
    batch = batch_of((None, ONE))
    batch[-2] ^= 1
    with pytest.raises(CorruptRecordError):
        read_records(batch)
