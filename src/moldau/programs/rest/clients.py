"""The clients with which requests are answered: an admin, and others once they are needed.

They stay, and are shared by all requests: a connection, what is known of the cluster, and batches
that are filled by several requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.client import AsyncAdmin, AsyncProducer
from moldau.client.aio import AsyncConnection, connect

__all__ = ["Clients"]

DEFAULTS: Final[Mapping[str, str]] = {
    "client.id": "moldau-rest",
    "default.api.timeout.ms": "30000",
    "request.timeout.ms": "20000",
}
"""A caller of HTTP waits less long than a program does."""
OF_PRODUCERS: Final[Mapping[str, str]] = {
    "linger.ms": "0",  # each request waits for its own records: they are a batch as they come
    "max.block.ms": "5000",
    "delivery.timeout.ms": "30000",
}


class Clients:
    """The clients of the proxy to one cluster."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.settings = {**DEFAULTS, **settings}
        self._admin: AsyncAdmin | None = None
        self._producer: AsyncProducer | None = None
        self._connection: AsyncConnection | None = None
        self._cluster_id: str | None = None

    @property
    def admin(self) -> AsyncAdmin:
        if self._admin is None:
            self._admin = AsyncAdmin(self.settings)
            self._admin.start()
        return self._admin

    @property
    def producer(self) -> AsyncProducer:
        if self._producer is None:
            self._producer = AsyncProducer({**OF_PRODUCERS, **self.settings})
            self._producer.start()
        return self._producer

    async def connection(self) -> AsyncConnection:
        """For reading."""
        if self._connection is None:
            self._connection = connect(self.settings)
            await self._connection.__aenter__()
        return self._connection

    async def cluster_id(self) -> str:
        """It never changes, so it is asked for once."""
        if self._cluster_id is None:
            self._cluster_id = (await self.admin.describe_cluster()).cluster_id
        return self._cluster_id

    async def close(self) -> None:
        """What was handed over is sent before."""
        producer, self._producer = self._producer, None
        admin, self._admin = self._admin, None
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.__aexit__(None, None, None)
        if producer is not None:
            await producer.close()
        if admin is not None:
            await admin.close()
