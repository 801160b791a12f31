"""Ends of logs are asked for in pieces, and put together again."""

import asyncio
from types import SimpleNamespace
from typing import Any

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace, Outcomes
from moldau.client.errors import UnknownTopicError
from moldau.programs.console.lookups.log_offsets import PAGE_PARTITIONS, log_offsets


class Admin:
    """Whose logs end at the numbers of their partitions; one has no leader, another no record."""

    def __init__(self):
        self.asked = []

    async def list_offsets(self, wanted):
        self.asked.append(len(wanted))
        assert set(wanted.values()) == {OffsetPlace.EARLIEST}
        ends = {part: SimpleNamespace(offset=part.partition or None) for part in wanted}
        gone = TopicPartition("t", 7)
        ends.pop(gone, None)
        return Outcomes(ends, {gone: UnknownTopicError("t", "is gone")})


def test_all_are_found_though_no_request_asks_for_all():
    admin: Any = Admin()
    parts = [TopicPartition("t", number) for number in range(2 * PAGE_PARTITIONS + 1)]
    found = asyncio.run(log_offsets(admin, parts, OffsetPlace.EARLIEST))
    assert admin.asked == [PAGE_PARTITIONS, PAGE_PARTITIONS, 1]
    assert found == {part: part.partition for part in parts if part.partition not in (0, 7)}


def test_of_none_nothing_is_asked():
    admin: Any = Admin()
    assert asyncio.run(log_offsets(admin, [])) == {}
    assert admin.asked == []
