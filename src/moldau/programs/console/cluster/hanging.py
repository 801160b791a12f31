"""Transactions that hang: open in a partition, and at no coordinator, so that nothing ends them.

Consumers of committed records wait behind one for ever, and no list of transactional ids has it.
All leaders are asked, a page of partitions at a time. One that has just begun or ended may look the
same for a moment, so only those count whose last record is old enough: a quarter of an hour, unless
something else is asked for, which no transaction may last by default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from moldau.client import AsyncAdmin, TopicPartition
from moldau.client.admin import ProducerState
from moldau.programs.console.api.forms import whole_number
from moldau.programs.console.api.operations import Operation, Parameter
from moldau.programs.console.lookups.all_topics import partitions_of, topics_in_pages
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["HangingTransactions"]

MINUTES: Final = 15
"""The longest transaction that brokers allow by default (transaction.max.timeout.ms)."""
MINUTES_MAX: Final = 60 * 24 * 366
"""A year: what hangs for longer is found by it, too."""
MS_PER_MINUTE: Final = 60_000


class _Open(NamedTuple):
    part: TopicPartition
    state: ProducerState


class HangingTransactions:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        path, summary = "/api/transactions/hanging", "Open in a partition and at no coordinator"
        minutes = Parameter("minutes", "integer", "without a record for so long; 15 if not given")
        return [Operation("GET", path, self.find, summary, (minutes,))]

    async def find(self, request: Request) -> Response:
        admin, now_ms = self._reach.admin, self._reach.clock.now_ms()
        minutes = whole_number(request, "minutes", MINUTES, MINUTES_MAX, 0)
        since_ms = now_ms - minutes * MS_PER_MINUTE
        looked_at, late, unseen = 0, [], 0
        async for page in topics_in_pages(admin):
            parts = partitions_of(page)
            found = await admin.describe_producers(parts)
            looked_at += len(found.values)
            unseen += len(found.errors)
            late += _open_since(found.values, since_ms)
        known = await _known_to_coordinators(admin, late)
        return reply(
            {
                "partitions": looked_at,
                "unseen": unseen,
                "hanging": [
                    _shown(one, now_ms)
                    for one in late
                    if (one.state.producer_id, one.part) not in known
                ],
            }
        )


def _open_since(
    found: Mapping[TopicPartition, Iterable[ProducerState]], since_ms: int
) -> list[_Open]:
    return [
        _Open(part, state)
        for part, states in found.items()
        for state in states
        if state.transaction_start_offset is not None and (state.last_timestamp or 0) <= since_ms
    ]


async def _known_to_coordinators(
    admin: AsyncAdmin, late: Iterable[_Open]
) -> set[tuple[int, TopicPartition]]:
    """Producers with the partitions of their transactions, which their coordinators will end."""
    ids = sorted({one.state.producer_id for one in late})
    if not ids:
        return set()
    listed = (await admin.list_transactions(producer_ids=ids)).all()
    views = (await admin.describe_transactions(listed)).values if listed else {}
    return {(view.producer_id, part) for view in views.values() for part in view.partitions}


def _shown(one: _Open, now_ms: int) -> dict[str, Any]:
    state = one.state
    last_ms = state.last_timestamp
    return {
        "topic": one.part.topic,
        "partition": one.part.partition,
        "producer_id": state.producer_id,
        "producer_epoch": state.producer_epoch,
        "start_offset": state.transaction_start_offset,
        "last_timestamp": last_ms,
        "silent_ms": None if last_ms is None else max(now_ms - last_ms, 0),
    }
