"""A record as a consumer returns it."""

from __future__ import annotations

import copy
import pickle

from moldau.client.core.consuming.record import ConsumerRecord

RECORD = ConsumerRecord("t", 3, 7, 1000, b"k", b"v", (("h", b"1"), ("n", None)), 1, 5, 2)
FIELDS = ("t", 3, 7, 1000, b"k", b"v", (("h", b"1"), ("n", None)), 1, 5, 2)


def test_it_is_unpacked_and_indexed_as_a_tuple():
    assert tuple(RECORD) == FIELDS
    assert RECORD[:3] == ("t", 3, 7)
    assert len(RECORD) == len(FIELDS)


def test_what_is_not_given_has_no_headers_and_no_epoch():
    bare = ConsumerRecord("t", 0, 1, 2, None, b"v")
    assert (bare.headers, bare.timestamp_type, bare.leader_epoch) == ((), 0, -1)
    assert bare.delivery_count is None


def test_another_has_the_fields_that_were_not_replaced():
    other = RECORD._replace(value=b"w", offset=8)
    assert tuple(other) == (*FIELDS[:2], 8, *FIELDS[3:5], b"w", *FIELDS[6:])
    assert tuple(RECORD.read_as(1, 2)) == (*FIELDS[:4], 1, 2, *FIELDS[6:])
    assert tuple(RECORD) == FIELDS


def test_equal_fields_make_equal_records():
    same = ConsumerRecord(*FIELDS)
    assert same == RECORD
    assert hash(RECORD) == hash(same)
    assert RECORD._replace(delivery_count=None) != RECORD
    assert RECORD != FIELDS


def test_it_shows_its_fields():
    assert repr(RECORD).startswith("ConsumerRecord(topic='t', partition=3, offset=7,")


def test_it_travels_to_another_process():
    assert pickle.loads(pickle.dumps(RECORD)) == RECORD
    assert copy.copy(RECORD) == RECORD


def test_its_fields_are_matched():
    match RECORD:
        case ConsumerRecord(topic, partition, offset):
            assert (topic, partition, offset) == ("t", 3, 7)
