"""A share consumer on the program's own loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING

from moldau.client.aio.own_world import OwnWorld
from moldau.client.aio.sharing import Sharing
from moldau.client.aio.world import ClientWorld
from moldau.client.arguments.places import seconds_of
from moldau.client.arguments.share import (
    AnyRecord,
    ShareArguments,
    arrow_batch,
    kind_of,
    places_of,
)
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.sharing.ahead import Ahead
from moldau.client.core.sharing.held import AcknowledgeType
from moldau.client.errors import ClosedError
from moldau.client.settings.client import Servers
from moldau.client.topic_partition import TopicPartition
from moldau.platform.closing import AsyncClosing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AsyncShareConsumer"]

MS_PER_SECOND = 1000
LOOK_AGAIN_S = 1.0
"""How long one wait lasts for those who wait for ever."""


class AsyncShareConsumer(AsyncClosing):
    """Processes records together with the other members of a share group (KIP-932).

        async with AsyncShareConsumer("localhost:9092", group_id="workers") as consumer:
            consumer.subscribe("jobs")
            async for record in consumer:
                print(record.value)

    Each record goes to one member, and comes again if that does not acknowledge it in time. By
    default what was returned is accepted when more is asked for; with
    `share_acknowledgement_mode="explicit"` each record is acknowledged by `acknowledge`.
    """

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self.given = ShareArguments(servers, settings)
        """What was given, checked; the blocking consumer reads with it too."""
        self.settings = self.given.settings
        self._own: OwnWorld | None = None
        self._inner: Sharing | None = None
        self._has_begun = False
        self._ahead = Ahead()

    def __repr__(self) -> str:
        return f"<AsyncShareConsumer of {','.join(self.settings.bootstrap_servers)}>"

    async def __aiter__(self) -> AsyncIterator[ConsumerRecord]:
        while True:
            records = await self._acquired(LOOK_AGAIN_S)
            for record in self._ahead.iterate(self._read(records), records):
                yield record

    def start(self) -> None:
        """Begin, on the loop that runs; `async with` does it, and `close` ends it."""
        if self._own is None:
            self._own = OwnWorld("AsyncShareConsumer", "moldau.ShareConsumer")
            self.begin_in(self._own.world)

    def begin_in(self, world: ClientWorld) -> Sharing:
        """Begin in a world that the caller closes."""
        self._inner = Sharing(world, self.settings)
        self._has_begun = True
        return self._inner

    def subscribe(self, topics: str | Iterable[str]) -> None:
        """Process records of these topics, instead of any before."""
        self._sharing.subscribe(self.given.topics(topics))

    def subscription(self) -> set[str]:
        """The topics that it is subscribed to."""
        return set(self._sharing.state.topics)

    async def poll(self, timeout: float = 1.0) -> list[ConsumerRecord]:  # noqa: ASYNC109
        """Records that were acquired for this member; none after `timeout` seconds."""
        return self._read(await self._acquired(timeout))

    def _read(self, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        return self._sharing.returned(self.given.read(records), records)

    async def _acquired(self, timeout: float) -> list[ConsumerRecord]:  # noqa: ASYNC109
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        self._keep_untaken()
        return await self._sharing.poll(limit_ms)

    def _keep_untaken(self) -> None:
        self._sharing.keep(self._ahead.take())

    async def arrow(
        self,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> AsyncIterator[pa.RecordBatch]:
        """Batches of Arrow, until none comes for `timeout` seconds; None: ever.

        Columns: key, value, topic, partition, offset, timestamp, headers, delivery_count. With
        implicit acknowledgement a batch is accepted when the next is asked for.
        """
        while True:
            records = await self._acquired(LOOK_AGAIN_S if timeout is None else timeout)
            if records:
                yield arrow_batch(records)
            elif timeout is not None:
                return

    def acknowledge(
        self,
        record: AnyRecord | pa.RecordBatch | pa.Table,
        kind: AcknowledgeType = AcknowledgeType.ACCEPT,
    ) -> None:
        """Say what became of a record, or of all rows of a batch; it is sent with the next poll or
        commit.
        """
        chosen = kind_of(kind)
        for part, offset in places_of(record):
            self._sharing.reading.acknowledge(part, offset, chosen)

    async def commit(self) -> Outcomes[TopicPartition, None]:
        """Send what was acknowledged, and what became of all of it since the last commit."""
        self._keep_untaken()
        return await self._sharing.commit()

    @property
    def acquisition_lock_timeout_ms(self) -> int | None:
        """How long records are held; None before the first fetch."""
        return self._sharing.reading.lock_timeout_ms

    async def close(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109
        """Send what was acknowledged, release the rest, leave the group, and end."""
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        own, self._own = self._own, None
        if own is None:
            return
        try:
            await self._sharing.close(limit_ms)
        finally:
            self._inner = None
            await own.close()

    @property
    def _sharing(self) -> Sharing:
        if self._inner is None:
            raise ClosedError("the share consumer", has_begun=self._has_begun)
        return self._inner
