"""Producers and transactions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moldau.client.aio.admin.asking import AsyncAsking
from moldau.client.arguments.places import AnyPartition, listed_partitions, named_partition
from moldau.client.core import admin as calls
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.topic_partition import TopicPartition

if TYPE_CHECKING:
    from moldau.client.core.admin.producers import ProducerState
    from moldau.client.core.admin.transactions import (
        FencedProducer,
        ListedTransaction,
        TransactionView,
    )

__all__ = ["AsyncTransactionCalls"]


class AsyncTransactionCalls(AsyncAsking):
    """Who writes, and what is open."""

    async def describe_producers(
        self, parts: Iterable[AnyPartition], *, node_id: int | None = None
    ) -> Outcomes[TopicPartition, tuple[ProducerState, ...]]:
        """Which producers partitions know, from their leaders or from this broker."""
        wanted = listed_partitions(parts)
        return await self._hold(calls.describe_producers(self._call(), wanted, node_id))

    async def list_transactions(
        self,
        *,
        states: Iterable[str] | None = None,
        producer_ids: Iterable[int] | None = None,
        longer_than_ms: int | None = None,
        pattern: str | None = None,
    ) -> Outcomes[str, ListedTransaction]:
        """All transactional ids, or those in these states, open for longer, named like this (RE2).

        A broker that cannot answer is an error under its name, such as `broker 3`.
        """
        return await self._hold(
            calls.list_transactions(
                self._call(),
                states=states,
                producer_ids=producer_ids,
                longer_than_ms=longer_than_ms,
                pattern=pattern,
            )
        )

    async def describe_transactions(
        self, ids: str | Iterable[str]
    ) -> Outcomes[str, TransactionView]:
        """State, producer and partitions of each."""
        return await self._hold(calls.describe_transactions(self._call(), ids))

    async def abort_transaction(
        self,
        part: AnyPartition,
        *,
        producer_id: int,
        producer_epoch: int,
        coordinator_epoch: int,
    ) -> None:
        """End a transaction that hangs in one partition, past its coordinator (KIP-664)."""
        await self._hold(
            calls.abort_transaction(
                self._call(), named_partition(part), producer_id, producer_epoch, coordinator_epoch
            )
        )

    async def force_terminate_transaction(self, transactional_id: str) -> None:
        """Abort what is open under this id, and fence its producer."""
        (await self.fence_producers(transactional_id)).all()

    async def fence_producers(self, ids: str | Iterable[str]) -> Outcomes[str, FencedProducer]:
        """Fence the producers that use these transactional ids, and abort what is open."""
        return await self._hold(calls.fence_producers(self._call(), ids))
