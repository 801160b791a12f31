"""The blocking face of a share consumer: the same calls, forwarded to a loop in the background."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from moldau.client.aio.share_consumer import AsyncShareConsumer
from moldau.client.aio.sharing import Sharing
from moldau.client.arguments.places import seconds_of
from moldau.client.arguments.share import AnyRecord, arrow_batch
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.sharing.ahead import Ahead
from moldau.client.core.sharing.held import AcknowledgeType
from moldau.client.settings.client import Servers
from moldau.client.sync.own_loop import OwnLoop
from moldau.client.topic_partition import TopicPartition
from moldau.platform.closing import Closing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ShareConsumer"]

Value = TypeVar("Value")
MS_PER_SECOND = 1000
LOOK_AGAIN_S = 1.0
"""How long one wait lasts for those who wait for ever."""
SLICE_MS = 250.0
"""How long one wait for records lasts: an interrupt is noticed between two."""


class ShareConsumer(Closing):
    """Processes records together with the other members of a share group (KIP-932).

        with ShareConsumer("localhost:9092", group_id="workers") as consumer:
            consumer.subscribe("jobs")
            for record in consumer:
                print(record.value)

    Each record goes to one member, and comes again if that does not acknowledge it in time. By
    default what was returned is accepted when more is asked for; with
    `share_acknowledgement_mode="explicit"` each record is acknowledged by `acknowledge`.
    """

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self._face = AsyncShareConsumer(servers, **settings)
        self.settings = self._face.settings
        self._ahead = Ahead()
        self._loop = OwnLoop("moldau-share-consumer", "the share consumer")
        self._inner: Sharing = self._loop.call(self._open)

    async def _open(self) -> Sharing:
        return self._face.begin_in(self._loop.world)

    def __repr__(self) -> str:
        return f"<ShareConsumer of {','.join(self.settings.bootstrap_servers)}>"

    def __iter__(self) -> Iterator[ConsumerRecord]:
        while True:
            records = self._acquired(LOOK_AGAIN_S)
            yield from self._ahead.iterate(self._read(records), records)

    def subscribe(self, topics: str | Iterable[str]) -> None:
        """Process records of these topics, instead of any before."""
        self._now(lambda: self._face.subscribe(topics))

    def subscription(self) -> set[str]:
        """The topics that it is subscribed to."""
        return self._now(self._face.subscription)

    def poll(self, timeout: float = 1.0) -> list[ConsumerRecord]:
        """Records that were acquired for this member; none after `timeout` seconds."""
        return self._read(self._acquired(timeout))

    def _read(self, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        found = self._face.given.read(records)
        if found.error is None:
            return found.records
        return self._now(lambda: self._inner.returned(found, records))

    def arrow(self, timeout: float | None = None) -> Iterator[pa.RecordBatch]:
        """Batches of Arrow, until none comes for `timeout` seconds; None: ever.

        Columns: key, value, topic, partition, offset, timestamp, headers, delivery_count. With
        implicit acknowledgement a batch is accepted when the next is asked for.
        """
        while True:
            records = self._acquired(LOOK_AGAIN_S if timeout is None else timeout)
            if records:
                yield arrow_batch(records)
            elif timeout is not None:
                return

    def _acquired(self, timeout: float) -> list[ConsumerRecord]:
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        self._keep_untaken()
        for number in range(max(1, math.ceil(limit_ms / SLICE_MS))):
            left_ms = min(SLICE_MS, limit_ms - number * SLICE_MS)
            records = self._loop.call(partial(self._inner.poll, left_ms))
            if records:
                return records
        return []

    def acknowledge(
        self,
        record: AnyRecord | pa.RecordBatch | pa.Table,
        kind: AcknowledgeType = AcknowledgeType.ACCEPT,
    ) -> None:
        """Say what became of a record, or of all rows of a batch; it is sent with the next poll or
        commit.
        """
        self._now(lambda: self._face.acknowledge(record, kind))

    def commit(self) -> Outcomes[TopicPartition, None]:
        """Send what was acknowledged, and what became of all of it since the last commit."""
        self._keep_untaken()
        return self._loop.call(self._face.commit)

    @property
    def acquisition_lock_timeout_ms(self) -> int | None:
        """How long records are held; None before the first fetch."""
        return self._inner.reading.lock_timeout_ms

    def close(self, timeout: float = 30.0) -> None:
        """Send what was acknowledged, release the rest, leave the group, and end."""
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        self._loop.close(lambda: self._inner.close(limit_ms))

    def _keep_untaken(self) -> None:
        untaken = self._ahead.take()
        if untaken:
            self._now(lambda: self._inner.keep(untaken))

    def _now(self, action: Callable[[], Value]) -> Value:
        """Do it on the loop, which is where all of it lives."""

        async def act() -> Value:
            return action()

        return self._loop.call(act)
