"""The requests of a producer: which batches may leave now, and which go together.

A batch leaves when it is full, when it has waited for `linger.ms`, or when there is no more room.
A broker gets one request for all its partitions that are ready, at most
`max.in.flight.requests.per.connection` at a time. What has to be known before anything leaves is
asked for here, once at a time: who leads its partition, and the id of the producer; a partition
joins a transaction before its first batch.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from moldau.client.core.cluster import Cluster
from moldau.client.core.context import ClientContext
from moldau.client.core.producing.accumulator import Accumulator
from moldau.client.core.producing.batch import Identity, ProducerBatch
from moldau.client.core.producing.events import (
    AddPartitions,
    Effect,
    Effects,
    Identify,
    Refresh,
    Send,
)
from moldau.client.core.producing.lane import Lane
from moldau.client.core.producing.transaction import Stage, Transaction
from moldau.client.settings.producer import ProducerSettings
from moldau.network.outgoing.backoff import Backoff
from moldau.protocol.messages.data.produce import ProduceRequest

__all__ = ["Requests"]

CLASSIC_TRANSACTIONS: Final = 11
"""The last version of Produce before brokers add partitions to transactions themselves."""
REQUEST_OVERHEAD: Final = 512
TopicData: TypeAlias = ProduceRequest.TopicProduceData
PartitionData: TypeAlias = ProduceRequest.TopicProduceData.PartitionProduceData


class Requests:
    """What one producer asks of brokers, and how much of it is not answered."""

    def __init__(
        self,
        context: ClientContext,
        settings: ProducerSettings,
        accumulator: Accumulator,
        transaction: Transaction | None,
    ) -> None:
        self._cluster: Cluster = context.cluster
        self._backoff: Backoff = context.backoff
        self._accumulator = accumulator
        self._transaction = transaction
        self._transactional_id = settings.transactional_id
        self._linger_ms: int = settings.linger_ms
        self._batch_size: int = settings.batch_size
        self._most_in_flight: int = settings.max_in_flight_requests_per_connection
        self._request_room: int = settings.max_request_size - REQUEST_OVERHEAD
        self._is_idempotent: bool = settings.is_idempotent
        self._acks: int = settings.acks_number
        self._request_timeout_ms: int = settings.request_timeout_ms
        """All found once: they are asked for with each request."""
        self.flushers = 0
        """While a caller waits for all, nothing lingers."""
        self._in_flight: dict[int, int] = {}
        self._muted_until_ms: dict[int, float] = {}
        self._is_identifying = False
        self._is_refreshing = False
        self._refresh_not_before_ms = 0.0
        self._refresh_tries = 0
        self._effects: list[Effect] = []
        self._wakes: list[float] = []

    def __repr__(self) -> str:
        return f"<Requests: {sum(self._in_flight.values())} out>"

    def due(self, identity: Identity, now_ms: int) -> Effects:
        """What is to be asked now, and when to look again."""
        self._effects, self._wakes = [], []
        stale: dict[str, None] = {name: None for name, _ in self._accumulator.unplaced()}
        ready = self._ready(now_ms, stale)
        if stale:
            self._refresh(stale, now_ms)
        if ready and self._has_identity(identity):
            for node_id, lanes in self._in_transaction(ready).items():
                self._send_all(node_id, lanes, identity, now_ms)
        return Effects(self._effects, min(self._wakes, default=None))

    # what has come back

    def ended(self, node_id: int) -> None:
        """A broker has answered one, or will not."""
        self._in_flight[node_id] -= 1

    def throttle(self, node_id: int, until_ms: float) -> None:
        """Nothing is sent to it before."""
        self._muted_until_ms[node_id] = until_ms

    def refreshed(self, now_ms: int, *, knows_all: bool) -> None:
        """Metadata have come; they are not asked for again at once."""
        self._is_refreshing = False
        if knows_all:
            self._refresh_tries = 0
        self._refresh_not_before_ms = now_ms + self._backoff.wait_ms(self._refresh_tries)
        self._refresh_tries += 1

    def identified(self) -> None:
        self._is_identifying = False

    # what leaves

    def _ready(self, now_ms: int, stale: dict[str, None]) -> dict[int, list[Lane]]:
        """What could leave now, by the broker that leads it."""
        cluster = self._cluster
        ready: dict[int, list[Lane]] = {}
        for lane in self._accumulator.lanes.values():
            batch = lane.next()
            if batch is None:
                continue
            due_ms = self._due_ms(lane, batch)
            if due_ms > now_ms:
                self._wakes.append(due_ms)
                continue
            leader = cluster.leader(lane.part)
            if leader is None or not cluster.is_fresh(lane.part.topic, now_ms):
                stale[lane.part.topic] = None
                cluster.mark_stale(lane.part.topic)
            else:
                ready.setdefault(leader.node_id, []).append(lane)
        return ready

    def _due_ms(self, lane: Lane, batch: ProducerBatch) -> float:
        if batch.attempts:
            return batch.not_before_ms
        if batch.is_closed or self.flushers or len(lane.waiting) > 1:
            return 0
        if batch.size >= self._batch_size:
            return 0
        if not self._accumulator.has_room(self._batch_size):
            return 0
        return batch.created_ms + self._linger_ms

    def _refresh(self, stale: dict[str, None], now_ms: int) -> None:
        if self._is_refreshing:
            return
        if self._refresh_tries and self._refresh_not_before_ms > now_ms:
            self._wakes.append(self._refresh_not_before_ms)
            return
        self._is_refreshing = True
        self._effects.append(Refresh(tuple(stale)))

    def _has_identity(self, identity: Identity) -> bool:
        if not self._is_idempotent or identity.producer_id >= 0:
            return True
        if not self._is_identifying and self._transaction is None:
            self._is_identifying = True
            self._effects.append(Identify())
        return False

    def _in_transaction(self, ready: dict[int, list[Lane]]) -> dict[int, list[Lane]]:
        """Those that may leave: in a transaction, only partitions that are part of it."""
        transaction = self._transaction
        if transaction is None:
            return ready
        if transaction.stage not in (Stage.OPEN, Stage.ENDING):
            return {}
        inside = transaction.partitions
        lanes = [lane for lanes in ready.values() for lane in lanes]
        missing = tuple(lane.part for lane in lanes if lane.part not in inside)
        if missing and not transaction.is_adding:
            transaction.is_adding = True
            self._effects.append(AddPartitions(missing))
        return {
            node_id: [lane for lane in lanes if lane.part in inside]
            for node_id, lanes in ready.items()
        }

    def _send_all(self, node_id: int, lanes: list[Lane], identity: Identity, now_ms: int) -> None:
        """As many requests as the broker may have, each with a batch of every lane in turn."""
        muted_until_ms = self._muted_until_ms.get(node_id, 0)
        if muted_until_ms > now_ms:
            self._wakes.append(muted_until_ms)
            return
        most = self._most_in_flight
        while lanes and self._in_flight.get(node_id, 0) < most:
            batches: list[ProducerBatch] = []
            room = self._request_room
            left: list[Lane] = []
            for lane in lanes:
                batch = self._next_of(lane, now_ms)
                if batch is None:
                    continue
                batch.close(self._accumulator.fields)
                if batches and len(batch.records) > room:
                    left.append(lane)
                    continue
                room -= len(batch.records)
                self._leave(lane, batch, identity)
                batches.append(batch)
                left.append(lane)
            if not batches:
                return
            lanes = left[1:] + left[:1]
            self._send(node_id, tuple(batches))

    def _next_of(self, lane: Lane, now_ms: int) -> ProducerBatch | None:
        batch = lane.next()
        if batch is None:
            return None
        due_ms = self._due_ms(lane, batch)
        if due_ms > now_ms:
            self._wakes.append(due_ms)
            return None
        return batch

    def _leave(self, lane: Lane, batch: ProducerBatch, identity: Identity) -> None:
        """Under its number; counted anew only where the broker has lost what came before, since
        what merely was not answered may be there under the old one."""
        if lane.is_lost:
            lane.begin_anew(identity)
        lane.send(batch, identity, is_transactional=self._transaction is not None)

    def _send(self, node_id: int, batches: tuple[ProducerBatch, ...]) -> None:
        self._in_flight[node_id] = self._in_flight.get(node_id, 0) + 1
        by_topic: dict[str, list[PartitionData]] = {}
        for batch in batches:
            data = PartitionData(index=batch.part.partition, records=batch.records)
            by_topic.setdefault(batch.part.topic, []).append(data)
        topics = self._cluster.topics
        request = ProduceRequest(
            transactional_id=self._transactional_id,
            acks=self._acks,
            timeout_ms=self._request_timeout_ms,
            topic_data=[
                TopicData(name=name, topic_id=topics[name].topic_id, partition_data=rows)
                for name, rows in by_topic.items()
            ],
        )
        newest = None if self._transaction is None else CLASSIC_TRANSACTIONS
        self._effects.append(Send(node_id, request, batches, newest))
