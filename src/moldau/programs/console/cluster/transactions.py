"""Transactions, those that have been open for long first, and what moves between brokers."""

from __future__ import annotations

from typing import Any, Final

from moldau.client.admin import ListedTransaction, TransactionView
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["TransactionPages"]

OPEN: Final = ("Ongoing", "PrepareCommit", "PrepareAbort")


class TransactionPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        return [
            Operation("GET", "/api/transactions", self.list, "Transactional ids and their states"),
            Operation("GET", "/api/reassignments", self.moving, "Partitions that are moving"),
        ]

    async def list(self, request: Request) -> Response:
        listed = (await self._reach.admin.list_transactions()).values
        views = (await self._reach.admin.describe_transactions(listed)).values if listed else {}
        now_ms = self._reach.clock.now_ms()
        shown = [_shown(one, views.get(name), now_ms) for name, one in listed.items()]
        return reply(sorted(shown, key=lambda one: -(one["open_ms"] or -1)))

    async def moving(self, request: Request) -> Response:
        found = await self._reach.admin.list_partition_reassignments()
        return reply(
            [
                {
                    "topic": part.topic,
                    "partition": part.partition,
                    "replicas": one.replicas,
                    "adding": one.adding,
                    "removing": one.removing,
                }
                for part, one in sorted(found.items())
            ]
        )


def _shown(one: ListedTransaction, view: TransactionView | None, now_ms: int) -> dict[str, Any]:
    start_ms = None if view is None else view.start_ms
    return {
        "id": one.transactional_id,
        "state": one.state,
        "coordinator": one.coordinator,
        "producer_id": one.producer_id,
        "producer_epoch": None if view is None else view.producer_epoch,
        "timeout_ms": None if view is None else view.timeout_ms,
        "start": start_ms,
        "open_ms": max(now_ms - start_ms, 0) if start_ms is not None and _is_open(one) else None,
        "partitions": [] if view is None else [f"{p.topic}-{p.partition}" for p in view.partitions],
    }


def _is_open(one: ListedTransaction) -> bool:
    """A completed one keeps the time at which it began, until the next one begins."""
    return one.state in OPEN
