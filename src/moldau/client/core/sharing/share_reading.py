"""What a member of a share group reads: one round of fetches, and what is acknowledged.

Each round asks every leader of an assigned partition once. What was acknowledged since rides along;
where that cannot be, for it renews locks or its partition has gone to others, it is sent before.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.core.consuming.records import ConsumerRecord, records_of
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Answer, Ask, Asks, Dialogue, Received, Step
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.metadata import refresh_now
from moldau.client.core.sharing.held import AcknowledgeType, Held
from moldau.client.core.sharing.sessions import ShareSession, TopicIdPartition
from moldau.client.errors import (
    InvalidArgumentError,
    RefusedError,
    UnreachableError,
    UnreadableRecordError,
    refusal,
)
from moldau.client.settings.share import ShareSettings
from moldau.client.topic_partition import TopicPartition
from moldau.errors import CorruptRecordError, MoldauError
from moldau.protocol.messages.share.share_acknowledge import (
    ShareAcknowledgeResponse,
)
from moldau.protocol.messages.share.share_fetch import ShareFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["ShareReading"]

RENEWALS_SINCE = 2
REJECTED = "its records were rejected, so that they come to no member again"
Row = ShareFetchResponse.ShareFetchableTopicResponse.PartitionData
Acknowledged = Outcomes[TopicPartition, None]


class ShareReading:
    """What one member of a share group reads, and acknowledges."""

    def __init__(self, context: ClientContext, settings: ShareSettings, state: GroupState) -> None:
        self._context = context
        self._settings = settings
        self._state = state
        self._sessions: dict[int, ShareSession] = {}
        self._held: dict[TopicPartition, Held] = {}
        self._renewed: list[ConsumerRecord] = []
        self.kept: list[ConsumerRecord] = []
        """Acquired, and not returned yet: they stood behind one that could not be read."""
        self._spoiled: dict[tuple[TopicPartition, int], UnreadableRecordError] = {}
        """Of each batch that no member can read, what is raised for it."""
        self._names: dict[bytes, str] = {}
        self._stale: set[str] = set()
        """Topics whose leaders are others by now."""
        self.lock_timeout_ms: int | None = None
        """How long records are held, as brokers reported last."""

    # acknowledgements

    def acknowledge(self, part: TopicPartition, offset: int, kind: AcknowledgeType) -> None:
        if part not in self._held or not self._held[part].acknowledge(offset, kind):
            raise InvalidArgumentError(
                f"the record at offset {offset} of {part} is not held: it was acknowledged, or was "
                "not returned by the last poll"
            )

    def release(self, record: ConsumerRecord) -> None:
        """No deserializer here can read it, but that of another member may."""
        held = self._held.get(_part_of(record))
        if held is not None:
            held.give_back([record.offset], AcknowledgeType.RELEASE)

    def raise_spoiled(self) -> None:
        """As for each batch that cannot be read, one with every poll."""
        for place in self._spoiled:
            raise self._spoiled.pop(place)

    def accept_all(self) -> None:
        """What was returned is done with."""
        for part, held in self._held.items():
            kept = {record.offset for record in self.kept if _part_of(record) == part}
            held.acknowledge_all(AcknowledgeType.ACCEPT, but=kept)

    def ensure_acknowledged(self) -> None:
        waiting = (*self.kept, *self._renewed)  # to be returned by this poll
        kept = {(_part_of(record), record.offset) for record in waiting}
        left = [
            record
            for held in self._held.values()
            for record in held.unacknowledged()
            if (_part_of(record), record.offset) not in kept
        ]
        if left:
            raise InvalidArgumentError(
                f"{len(left)} records of the last poll are not acknowledged, the first at offset "
                f"{left[0].offset} of {left[0].topic}-{left[0].partition}: acknowledge each before "
                "more are asked for (share.acknowledgement.mode=explicit)"
            )

    def take_kept(self) -> list[ConsumerRecord]:
        """Those that are held still, for this poll."""
        kept, self.kept = self.kept, []
        return self._still_held(kept)

    def _still_held(self, records: Iterable[ConsumerRecord]) -> list[ConsumerRecord]:
        """Without those whose locks were lost meanwhile."""
        return [
            record
            for record in records
            if _part_of(record) in self._held and self._held[_part_of(record)].has(record.offset)
        ]

    def send(self) -> Dialogue[Acknowledged]:
        """Everything that was acknowledged, now."""
        outcomes: Acknowledged = Outcomes()
        yield from self._send(list(self._held), outcomes)
        return outcomes

    def close(self) -> Dialogue[Acknowledged]:
        """The same, and end all sessions: brokers release what is still held."""
        outcomes: Acknowledged = Outcomes()
        yield from self._send(list(self._held), outcomes, closes=True)
        self._held.clear()
        return outcomes

    def _send(
        self, parts: list[TopicPartition], outcomes: Acknowledged, *, closes: bool = False
    ) -> Generator[Step, Received, None]:
        by_node: dict[int, list[TopicPartition]] = {}
        if closes:
            by_node = {node: [] for node, session in self._sessions.items() if session.is_open}
        for part in parts:
            if self._held[part].has_types:
                by_node.setdefault(self._held[part].node_id, []).append(part)
        if not by_node:
            return
        asks = [self._acknowledging(node, mine, closes) for node, mine in by_node.items()]
        renewing = {part: self._held[part] for part in parts}
        received = yield Asks(tuple(asks))
        for (node, mine), answer in zip(by_node.items(), received.answers, strict=True):
            self._take_sent(node, mine, answer, outcomes)
        for part, held in renewing.items():
            if part in outcomes.values:
                self._renewed += held.unacknowledged()

    def _acknowledging(self, node: int, parts: list[TopicPartition], closes: bool) -> Ask:
        renews = any(self._held[part].renews for part in parts)
        ranges = {self._key(part): self._held[part].take() for part in parts}
        request = self._session(node).acknowledge(ranges, renews=renews, closes=closes)
        return Ask(request, node, oldest=RENEWALS_SINCE if renews else 0)

    def _take_sent(
        self, node: int, parts: list[TopicPartition], answer: Answer, outcomes: Acknowledged
    ) -> None:
        error = self._error_of(node, answer)
        if error is not None:
            outcomes.errors |= dict.fromkeys(parts, error)
            return
        assert isinstance(answer, ShareAcknowledgeResponse), f"{answer!r} answers no records"
        if answer.acquisition_lock_timeout_ms:
            self.lock_timeout_ms = answer.acquisition_lock_timeout_ms
        for topic in answer.responses:
            for row in topic.partitions:
                part = TopicPartition(self._names[topic.topic_id], row.partition_index)
                self._settle(part, row.error_code, row.error_message, outcomes)

    def _settle(
        self, part: TopicPartition, code: int, detail: str | None, outcomes: Acknowledged
    ) -> None:
        if code:
            outcomes.errors[part] = refusal(str(part), ErrorCode.read(code), detail)
            self._held[part].give_up()
        else:
            outcomes.values[part] = None

    # fetching

    def fetch(self, max_wait_ms: int, outcomes: Acknowledged) -> Dialogue[list[ConsumerRecord]]:
        """One round; what became of acknowledgements is added to `outcomes`."""
        by_node = yield from self._by_leader()
        yield from self._send(self._apart(by_node), outcomes)
        renewed = self._still_held(self._renewed)
        self._renewed = []
        if renewed or not by_node:
            return renewed
        riding: dict[int, list[TopicPartition]] = {node: [] for node in by_node}
        for part, held in self._held.items():
            if held.has_types:
                riding[held.node_id].append(part)
        asks = []
        for node, parts in by_node.items():
            ranges = {self._key(part): self._held[part].take() for part in riding[node]}
            request = self._session(node).fetch(map(self._key, parts), ranges, max_wait_ms)
            asks.append(Ask(request, node))
        received = yield Asks(tuple(asks))
        found: list[ConsumerRecord] = []
        for node, answer in zip(by_node, received.answers, strict=True):
            error = self._error_of(node, answer)
            if error is None:
                assert isinstance(answer, ShareFetchResponse), f"{answer!r} answers no fetch"
                found += self._take_fetched(node, answer, set(riding[node]), outcomes)
            else:
                outcomes.errors |= dict.fromkeys(riding[node], error)
        return found

    def _by_leader(self) -> Generator[Step, Received, dict[int, list[TopicPartition]]]:
        cluster, parts = self._context.cluster, sorted(self._state.owned)
        stale = self._stale | {part.topic for part in parts if cluster.leader(part) is None}
        if stale and (yield from refresh_now(self._context, sorted(stale))) is None:
            self._stale.clear()
        by_node: dict[int, list[TopicPartition]] = {}
        for part in parts:
            leader = cluster.leader(part)
            if leader is not None:
                by_node.setdefault(leader.node_id, []).append(part)
        return by_node

    def _apart(self, by_node: dict[int, list[TopicPartition]]) -> list[TopicPartition]:
        """What cannot ride along: renewals, and partitions that are not fetched from there."""
        return [
            part
            for part, held in self._held.items()
            if held.has_types
            and (
                held.renews
                or part not in by_node.get(held.node_id, ())
                or not self._session(held.node_id).is_open
            )
        ]

    def _take_fetched(
        self,
        node: int,
        answer: ShareFetchResponse,
        riding: set[TopicPartition],
        outcomes: Acknowledged,
    ) -> Iterator[ConsumerRecord]:
        self.lock_timeout_ms = answer.acquisition_lock_timeout_ms
        for topic in answer.responses:
            for row in topic.partitions:
                part = TopicPartition(self._names[topic.topic_id], row.partition_index)
                if part in riding:
                    error, detail = row.acknowledge_error_code, row.acknowledge_error_message
                    self._settle(part, error, detail, outcomes)
                if row.error_code:
                    self._refused(part, ErrorCode.read(row.error_code), row.error_message)
                    continue
                yield from self._acquired(node, part, row)

    def _refused(self, part: TopicPartition, code: ErrorCode, detail: str | None) -> None:
        if not code.retriable:
            raise refusal(f"topic {part.topic}", code, detail)
        self._stale.add(part.topic)

    def _acquired(self, node: int, part: TopicPartition, row: Row) -> Iterator[ConsumerRecord]:
        held = self._held.get(part)
        if held is None or held.node_id != node:
            held = self._held[part] = Held(node)
        for acquired in row.acquired_records:
            first, last = acquired.first_offset, acquired.last_offset
            chunk = Chunk(part, memoryview(row.records or b""), first, last + 1)
            readable, spoiled = _read(chunk, check_checksums=self._settings.check_crcs)
            count = acquired.delivery_count
            records = [record._replace(delivery_count=count) for record in readable]
            held.acquire(first, last, records)
            for error in spoiled:
                rejected = range(error.offset, min(error.next_offset, chunk.end))
                held.give_back(rejected, AcknowledgeType.REJECT)
                self._spoiled.setdefault((part, error.next_offset), error)
            yield from records

    def _error_of(self, node: int, answer: Answer) -> MoldauError | None:
        """Of a whole answer; the session is over with it, and so are the locks."""
        error = self._whole_error(answer)
        if error is None:
            self._session(node).went_on()
            return None
        self._session(node).lost()
        for held in self._held.values():
            if held.node_id == node:
                held.give_up()
        if isinstance(error, UnreachableError):
            self._stale |= {part.topic for part in self._state.owned}
        elif not _may_pass(error):
            raise error
        return error

    def _whole_error(self, answer: Answer) -> MoldauError | None:
        if isinstance(answer, MoldauError):
            return answer
        assert isinstance(answer, ShareFetchResponse | ShareAcknowledgeResponse), f"{answer!r}"
        code = ErrorCode.read(answer.error_code)
        if code is ErrorCode.NONE:
            return None
        return refusal(f"group {self._state.group}", code, answer.error_message)

    def _session(self, node: int) -> ShareSession:
        if node not in self._sessions:
            self._sessions[node] = ShareSession(self._settings, self._state.member_id)
        return self._sessions[node]

    def _key(self, part: TopicPartition) -> TopicIdPartition:
        topic = self._context.cluster.topics[part.topic]
        self._names[topic.topic_id] = part.topic
        return topic.topic_id, part.partition


def _read(
    chunk: Chunk, *, check_checksums: bool
) -> tuple[list[ConsumerRecord], list[UnreadableRecordError]]:
    """What can be read of it, and for each other batch why it cannot."""
    found: list[ConsumerRecord] = []
    spoiled: list[UnreadableRecordError] = []
    while True:
        try:
            for records in records_of(chunk, check_checksums=check_checksums):
                found += records
            return found, spoiled
        except UnreadableRecordError as error:
            spoiled.append(_rejected(error))
            chunk = Chunk(chunk.part, chunk.records, error.next_offset, chunk.end)


def _rejected(error: UnreadableRecordError) -> UnreadableRecordError:
    """For a share consumer, which cannot seek."""
    cause = error.__cause__
    assert isinstance(cause, CorruptRecordError), f"{error!r} has no reason"
    return UnreadableRecordError(error.part, error.offset, error.next_offset, cause, REJECTED)


def _part_of(record: ConsumerRecord) -> TopicPartition:
    return TopicPartition(record.topic, record.partition)


def _may_pass(error: MoldauError) -> bool:
    return isinstance(error, RefusedError) and error.error.retriable
