"""The fetches of one broker: one at a time, in one session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from moldau.client.core.context import ClientContext
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.fetching.session import FetchSession, PartitionKey
from moldau.client.core.offset_lookups import Isolation
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["BrokerFetch", "Row"]

Row = FetchResponse.FetchableTopicResponse.PartitionData


class BrokerFetch:
    """What it was asked for, and what its fetch session holds."""

    def __init__(self, context: ClientContext, isolation: Isolation) -> None:
        self.session = FetchSession()
        self.is_busy = False
        self.answered_ms = 0
        self.muted_until_ms = 0.0
        """A broker that throttles this client gets no request until then (KIP-219)."""
        self._context = context
        self._isolation = isolation
        self._asked: dict[PartitionKey, Reading] = {}

    def ask(
        self, node_id: int, readings: list[tuple[Reading, int]], max_wait_ms: int
    ) -> FetchRequest:
        """One fetch for all of these, with their leader epochs; one of a partition."""
        settings, cluster = self._context.settings, self._context.cluster
        wanted = {}
        for reading, leader_epoch in readings:
            reading.topic_id = reading.topic_id or cluster.topics[reading.part.topic].topic_id
            key = PartitionKey(reading.topic_id, reading.part.partition)
            assert key not in wanted, f"{reading} would be fetched twice: a session knows one"
            wanted[key] = reading.ask(leader_epoch)
            self._asked[key] = reading
            reading.node_id = node_id
        request = FetchRequest(
            max_wait_ms=max_wait_ms,
            min_bytes=settings.fetch_min_bytes,
            max_bytes=max(settings.fetch_max_bytes, *(one.max_bytes for one in wanted.values())),
            isolation_level=self._isolation,
            topics=[],
            rack_id=settings.client_rack,
            forgotten_topics_data=[],
        )
        self.session.fill(request, wanted)
        self.is_busy = True
        return request

    def answered(self, answer: FetchResponse, now_ms: int) -> dict[PartitionKey, Reading]:
        """What had been asked for; now it is not any more."""
        self.answered_ms = now_ms
        self.muted_until_ms = now_ms + answer.throttle_time_ms
        if answer.error_code != ErrorCode.NONE:
            self.session.reset()
        else:
            self.session.answered(answer.session_id)
        return self._release()

    def broken(self) -> dict[PartitionKey, Reading]:
        self.session.reset()
        return self._release()

    def rows(
        self, answer: FetchResponse, asked: Mapping[PartitionKey, Reading]
    ) -> Iterator[tuple[Reading, Row]]:
        """What the answer has for each reading; in a session it may leave some out."""
        for topic in answer.responses:
            for row in topic.partitions:
                reading = asked.get(PartitionKey(topic.topic_id, row.partition_index))
                if reading is not None:
                    yield reading, row

    def _release(self) -> dict[PartitionKey, Reading]:
        self.is_busy = False
        asked, self._asked = self._asked, {}
        for reading in asked.values():
            reading.node_id = None
        return asked
