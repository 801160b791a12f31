"""The log in which it stands which transactions a batch has: one record for each batch.

It is a compacted topic of one partition, shared by all queries of a cluster; the key is the
application's family of transactional ids. A decision is written in a transaction of the driver,
under a transactional id that only one driver can have: an older one, which may have been asleep, is
fenced before the log is read, so nothing can be decided behind the reader's back.

The last decision is near the end, where it is looked for first. It is searched only as far as the
log was when the older driver was fenced, and only when all other drivers' transactions before that
have ended: a decision that cannot be seen yet would be taken for one that is not there.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Self

from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.errors import ClientError, UnknownTopicError
from moldau.client.sync.connection import Connection
from moldau.client.sync.own_loop import OwnLoop
from moldau.client.sync.producer import Producer
from moldau.client.topic_partition import TopicPartition
from moldau.platform.closing import Closing
from moldau.platform.quick_dataclass import dataclass
from moldau.spark.sink.errors import SinkError
from moldau.spark.sink.names import driver_of
from moldau.spark.sink.options import SinkOptions
from moldau.spark.sink.topic import make_compacted

__all__ = ["Decision", "DecisionLog"]

DRIVER_TIMEOUT_MS = 20_000
"""A driver that dies while it writes a decision holds others up for so long."""
PAUSE_MS = 50
LOOKS_MAX = 1_200
"""A minute of them: three times what a driver has for its decision."""
NEAR = 256
"""Offsets before the end that are looked at first; then eight times as many."""
FURTHER = 8


@dataclass(frozen=True, slots=True)
class Decision:
    """The batch, and the transactions that are its rows."""

    batch: int
    transactions: tuple[PreparedTransaction, ...]

    def to_bytes(self) -> bytes:
        return json.dumps({"batch": self.batch, "transactions": self.transactions}).encode()

    @classmethod
    def read(cls, value: bytes) -> Self:
        found = json.loads(value)
        rows = (PreparedTransaction(*row) for row in found["transactions"])
        return cls(found["batch"], tuple(rows))


class DecisionLog(Closing):
    """As its only driver sees it, from the time that it is opened."""

    def __init__(self, options: SinkOptions, family: str) -> None:
        self._part = TopicPartition(options.decisions, 0)
        self._key = family.encode()
        self._connection = Connection(options.connection)
        driver = {
            "transactional.id": driver_of(family),
            "transaction.timeout.ms": str(DRIVER_TIMEOUT_MS),
        }
        self._producer = Producer({**options.connection, **driver})

    def __repr__(self) -> str:
        return f"<DecisionLog {self._part} of {self._key.decode()}>"

    def __enter__(self) -> Self:
        try:
            try:
                self._connection.partitions(self._part.topic)
            except UnknownTopicError:
                make_compacted(dict(self._connection.settings.given), self._part.topic)
            self._producer.begin_transaction()
        except BaseException:
            self.close()
            raise
        return self

    def last(self) -> Decision | None:
        """The last decision of this application; None if it never decided anything."""
        end = self._settled_end()
        first = self._connection.earliest([self._part])[self._part]
        near, beyond = NEAR, end
        while beyond > first:
            start = max(first, end - near)
            found = self._last_between(start, beyond)
            if found is not None:
                return found
            beyond, near = start, near * FURTHER
        return None

    def write(self, decision: Decision) -> None:
        """From here on it is so, whatever happens."""
        self._producer.send(
            self._part.topic, decision.to_bytes(), key=self._key, partition=self._part.partition
        )
        self._producer.commit_transaction()

    def close(self) -> None:
        with suppress(ClientError):
            self._producer.close()
        self._connection.close()

    def _settled_end(self) -> int:
        """Where the log ends now; returns when nothing before it is undecided."""
        end = self._connection.latest([self._part])[self._part]
        for _ in range(LOOKS_MAX):
            if self._stable_end() >= end:
                return end
            _pause()
        raise SinkError(
            f"the topic {self._part.topic} has a transaction that does not end: the driver of"
            " another query has died in it; start this one again in a minute"
        )

    def _stable_end(self) -> int:
        return self._connection.latest([self._part], isolation="read_committed")[self._part]

    def _last_between(self, start: int, end: int) -> Decision | None:
        found: bytes | None = None
        for batch in self._connection.read(
            self._part, start, end, isolation="read_committed", columns=("key", "value")
        ):
            rows = zip(
                batch.column("key").to_pylist(), batch.column("value").to_pylist(), strict=True
            )
            found = next((value for key, value in reversed(list(rows)) if key == self._key), found)
        return None if found is None else Decision.read(found)


def _pause() -> None:
    loop = OwnLoop("moldau-pause", "the pause")

    async def nothing() -> None:
        return

    try:
        loop.call(lambda: loop.world.tasks.sleep(PAUSE_MS))
    finally:
        loop.close(nothing)
