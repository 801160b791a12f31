"""The clients by which a store reads and writes its topic, and administers it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from moldau.client import AsyncAdmin, AsyncProducer
from moldau.client.aio import AsyncConnection, connect

__all__ = ["StoreClients"]


class StoreClients:
    """Those of the real world; a simulated one has others."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._settings = settings

    def __repr__(self) -> str:
        return f"<StoreClients of {self._settings.get('bootstrap.servers')}>"

    def admin(self) -> AbstractAsyncContextManager[AsyncAdmin]:
        return AsyncAdmin(self._settings)

    def connection(self) -> AsyncConnection:
        """To be entered."""
        return connect(self._settings)

    def plain_producer(self) -> AsyncProducer:
        """Begun, and without transactions."""
        producer = AsyncProducer(self._settings)
        producer.start()
        return producer

    def producer(self, transactional_id: str) -> AsyncProducer:
        """Begun; once it writes, the one that had this id before can commit nothing more."""
        producer = AsyncProducer({**self._settings, "transactional.id": transactional_id})
        producer.start()
        return producer
