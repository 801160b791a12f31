"""Brings the end of a transaction to the leaders of all its partitions.

Carries out the effects of transaction shards. Each transaction has a task of its own that asks
leaders, reports to the shard what is done, and tries what is left again until nothing is, or until
the coordinator has moved: the new one will begin anew. So a partition whose leader is gone for long
delays this transaction alone.

A partition that the metadata do not have any more needs no marker. One that answers that it has
seen a newer coordinator or producer epoch ends the delivery: another coordinator is in charge.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol

from moldau.broker.coordinator.transaction.markers import WriteMarkers
from moldau.broker.coordinator.transaction.shard import TransactionShard
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.runtime.running_shard import RunningShard
from moldau.broker.runtime.together import together
from moldau.errors import KafkaError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.wire.error_codes import ErrorCode

NO_LEADER = -1
PAUSE_MS_MIN = 20
PAUSE_MS_MAX = 1_000
"""Between two rounds to partitions that could not be reached, doubled from the least one."""

DONE = frozenset(
    {ErrorCode.NONE, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT, ErrorCode.UNSUPPORTED_VERSION}
)
"""The last two: a partition that cannot hold markers cannot hold the transaction either."""
OVER = frozenset({ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.TRANSACTION_COORDINATOR_FENCED})
"""Another coordinator is in charge."""

_logger = logging.getLogger(__name__)

Codes = Mapping[tuple[str, int], int]


class Leaders(Protocol):
    """Where partitions are led, and how to write markers there."""

    def leader_of(self, partition: TopicPartition) -> int | None:
        """The broker; NO_LEADER while there is none, None where there is no such partition."""
        ...

    def coordinator_epoch(self, index: int) -> int:
        """The leader epoch of that partition of `__transaction_state` here."""
        ...

    def write(
        self,
        leader_id: int,
        markers: WriteMarkers,
        coordinator_epoch: int,
        partitions: Sequence[TopicPartition],
    ) -> Awaitable[Codes]:
        """Have that broker write them; the error code of each partition."""
        ...


class MarkerDelivery:
    """Executes `WriteMarkers`."""

    def __init__(
        self,
        running: Callable[[int], RunningShard],
        leaders: Leaders,
        clock: Clock,
        tasks: Tasks,
    ) -> None:
        self._running = running
        self._leaders = leaders
        self._clock = clock
        self._tasks = tasks
        self.under_way = 0

    def __repr__(self) -> str:
        return f"MarkerDelivery({self.under_way} transactions under way)"

    def on_effect(self, index: int, effect: object) -> None:
        """The end of this transaction is committed."""
        assert isinstance(effect, WriteMarkers), effect
        name = f"markers of {effect.transactional_id}"
        self._tasks.spawn(name, self._deliver(index, self._running(index), effect))

    async def _deliver(self, index: int, shard: RunningShard, markers: WriteMarkers) -> None:
        self.under_way += 1
        try:
            coordinator_epoch = self._leaders.coordinator_epoch(index)
            left: Sequence[TopicPartition] = markers.partitions
            pause_ms = PAUSE_MS_MIN
            while True:
                codes = await self._round(markers, coordinator_epoch, left)
                if not self._is_still(index, shard):
                    return
                done = [one for one in left if codes.get(one) in DONE]
                self._report(shard, markers, done)
                left = [one for one in left if codes.get(one) not in DONE]
                if not left or self._is_over(markers, codes):
                    return
                await self._tasks.sleep(pause_ms)
                pause_ms = min(2 * pause_ms, PAUSE_MS_MAX)
        finally:
            self.under_way -= 1

    async def _round(
        self, markers: WriteMarkers, coordinator_epoch: int, left: Iterable[TopicPartition]
    ) -> dict[tuple[str, int], int]:
        """One attempt at every partition that is left."""
        codes: dict[tuple[str, int], int] = {}
        by_leader: dict[int, list[TopicPartition]] = {}
        for one in left:
            leader_id = self._leaders.leader_of(one)
            if leader_id is None:
                codes[one] = ErrorCode.NONE
            elif leader_id == NO_LEADER:
                codes[one] = ErrorCode.LEADER_NOT_AVAILABLE
            else:
                by_leader.setdefault(leader_id, []).append(one)

        def write(leader_id: int) -> Awaitable[Codes]:
            partitions = by_leader[leader_id]
            return self._leaders.write(leader_id, markers, coordinator_epoch, partitions)

        name = f"markers of {markers.transactional_id}"
        for codes_of_one in await together(self._tasks, name, write, list(by_leader)):
            codes.update(codes_of_one)
        return codes

    def _is_still(self, index: int, shard: RunningShard) -> bool:
        """Whether this is the coordinator that began."""
        try:
            return self._running(index) is shard
        except KafkaError:
            return False

    def _report(
        self, shard: RunningShard, markers: WriteMarkers, done: Sequence[TopicPartition]
    ) -> None:
        if done or not markers.partitions:
            transactions = shard.shard
            assert isinstance(transactions, TransactionShard)
            now_ms = self._clock.now_ms()
            shard.carry_out(transactions.markers_written(markers, done, now_ms))

    def _is_over(self, markers: WriteMarkers, codes: Codes) -> bool:
        over = [name for name, code in codes.items() if code in OVER]
        for topic, index in over:
            _logger.error(
                "%s-%d takes no marker of %s: %s",
                topic,
                index,
                markers.transactional_id,
                ErrorCode.read(codes[topic, index]).message,
            )
        return bool(over)
