"""What is read for one request, of a consumer in memory."""

import asyncio
from typing import Any

import pytest

from moldau.client import ConsumerRecord
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.schemas import Schemas
from moldau.programs.rest.v2.instances import Instance
from moldau.programs.rest.v2.reading import OVERHEAD, read


class ListConsumer:
    """Has these values, and returns three at a time."""

    def __init__(self, *values):
        self.log = [ConsumerRecord("t", 0, at, 0, None, value) for at, value in enumerate(values)]
        self.position = 0

    async def poll(self, seconds):
        found = self.log[self.position : self.position + 3]
        self.position += len(found)
        return found

    def seek(self, part, offset):
        assert part == ("t", 0)
        self.position = offset


class Read(Instance):
    """An instance as `read` sees it."""

    consumer: Any

    def __init__(self, *values):
        self.consumer = ListConsumer(*values)
        self.format = "json"

    def __call__(self, bytes_max):
        return [one["offset"] for one in asyncio.run(read(self, Schemas(), 0, bytes_max))]


def test_all_that_is_there_comes_at_once():
    assert Read(b"1", b"2", b"3", b"4")(10_000) == [0, 1, 2, 3]


def test_what_has_no_room_is_read_again():
    reads = Read(*[b"1"] * 5)
    most = 2 * (OVERHEAD + 1)
    assert [reads(most), reads(most), reads(most), reads(most)] == [[0, 1], [2, 3], [4], []]


def test_the_first_record_has_room_always():
    reads = Read(b"1" * 50, b"2")
    assert [reads(1), reads(1), reads(1)] == [[0], [1], []]


def test_what_comes_before_one_that_cannot_be_shown_is_not_lost():
    reads = Read(b"1", b"{", b"3")
    assert reads(10_000) == [0]
    for _ in range(2):
        with pytest.raises(HttpError, match="t-0 at offset 1"):
            reads(10_000)
    reads.consumer.seek(("t", 0), 2)
    assert reads(10_000) == [2]


class GivenUp(Schemas):
    """The request ends while the registry is asked."""

    async def read(self, kind, data):
        raise asyncio.CancelledError


def test_records_of_a_request_that_is_given_up_are_read_again():
    reads = Read(b"1", b"2")
    reads.format = "avro"
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(read(reads, GivenUp(), 0, 10_000))
    assert reads.consumer.position == 0
