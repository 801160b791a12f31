"""Conversations with the shard of a group coordinator.

    coordinator = Coordinator()
    reply = coordinator >> join("g")       a request; `reply.answer` is there once it is answered
    coordinator.pass_ms(3000)              time goes by, and what becomes due happens
    coordinator = coordinator.restarted()  a new shard, from the records alone

Records go through their bytes on the way into the log, so that nothing is applied that could not
be read again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from moldau.broker.coordinator.encoded_decision import EncodedDecision
from moldau.broker.coordinator.group.groups import GroupContext
from moldau.broker.coordinator.group.offsets.offset_commit import OffsetCommit
from moldau.broker.coordinator.group.request_checks import check_request
from moldau.broker.coordinator.group.shard import GroupShard
from moldau.broker.coordinator.record_codec import GROUP_RECORDS, decode_stored, encode_stored
from moldau.broker.coordinator.shard import Decision, RequestContext, StoredRecord
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

START_MS = 1_000_000


@dataclass
class SomeSettings:
    """Kafka's defaults."""

    group_initial_rebalance_delay_ms: int = 3_000
    group_min_session_timeout_ms: int = 6_000
    group_max_session_timeout_ms: int = 1_800_000
    group_max_size: int = 2_147_483_647
    group_consumer_session_timeout_ms: int = 45_000
    group_consumer_min_session_timeout_ms: int = 45_000
    group_consumer_max_session_timeout_ms: int = 60_000
    group_consumer_heartbeat_interval_ms: int = 5_000
    group_consumer_min_heartbeat_interval_ms: int = 5_000
    group_consumer_max_heartbeat_interval_ms: int = 15_000
    group_consumer_assignment_interval_ms: int = 1_000
    group_consumer_min_assignment_interval_ms: int = 0
    group_consumer_max_assignment_interval_ms: int = 15_000
    group_consumer_max_size: int = 2_147_483_647
    group_consumer_assignors: tuple[str, ...] = ("uniform", "range")
    group_consumer_migration_policy: str = "bidirectional"
    group_consumer_regex_refresh_interval_ms: int = 600_000
    group_streams_session_timeout_ms: int = 45_000
    group_streams_min_session_timeout_ms: int = 45_000
    group_streams_max_session_timeout_ms: int = 60_000
    group_streams_heartbeat_interval_ms: int = 5_000
    group_streams_min_heartbeat_interval_ms: int = 5_000
    group_streams_max_heartbeat_interval_ms: int = 15_000
    group_streams_assignment_interval_ms: int = 1_000
    group_streams_min_assignment_interval_ms: int = 0
    group_streams_max_assignment_interval_ms: int = 15_000
    group_streams_max_size: int = 2_147_483_647
    group_streams_num_standby_replicas: int = 0
    group_streams_max_standby_replicas: int = 2
    group_streams_initial_rebalance_delay_ms: int = 3_000
    offset_metadata_max_bytes: int = 4_096
    offsets_retention_minutes: int = 10_080
    offsets_retention_check_interval_ms: int = 600_000


@dataclass
class Asked:
    """A request, with how it is asked."""

    request: Message
    version: int
    client_id: str = "client"


@dataclass
class Reply:
    """What became of a request."""

    answer: Any = None
    refusal: int = 0

    @property
    def code(self) -> int:
        return self.refusal or self.answer.error_code

    @property
    def is_waiting(self) -> bool:
        return self.answer is None and not self.refusal


@dataclass
class Stored:
    """One record of the log: as bytes, and in which transaction."""

    key: bytes
    value: bytes | None
    producer_id: int | None = None
    marker: bool | None = None


@dataclass
class Coordinator:
    """A shard, its log, its clock, and all that was asked."""

    settings: SomeSettings = field(default_factory=SomeSettings)
    now_ms: int = START_MS
    log: list[Stored] = field(default_factory=list)
    broken: ErrorCode | None = None
    """Every append fails with it."""
    image: Image = field(default_factory=Image)
    seed: int = 0
    """Another one after each restart, so that no id is given out twice."""
    effects: list[object] = field(default_factory=list)
    """All that the broker was notified of."""

    def __post_init__(self) -> None:
        world = GroupContext(self.settings, SeededRandom(self.seed), lambda: self.image)
        self.shard = GroupShard(world)
        self.asked: dict[int, Reply] = {}

    def __rshift__(self, asked: Asked) -> Reply:
        ticket = len(self.asked) + 1
        reply = self.asked[ticket] = Reply()
        asking = RequestContext(ticket, asked.version, asked.client_id, "/127.0.0.1")
        try:
            check_request(asked.request, asked.version, self.settings)
            if isinstance(asked.request, OffsetCommitRequest):
                commit = OffsetCommit.of(asked.request, asked.version)
                self._carry_out_joined(reply, self.shard.decide_joined(commit, self.now_ms))
            else:
                self.carry_out(self.shard.decide(asked.request, asking, self.now_ms))
        except KafkaError as error:
            reply.refusal = error.code
        return reply

    def carry_out(self, decision: Decision) -> None:
        replies = decision.replies
        if decision.records and self.broken is not None:
            replies = decision.failed(self.broken) if decision.failed else ()
            for reply in decision.replies:
                self.asked[reply.ticket].refusal = self.broken
        else:
            for record in decision.records:
                self._append(record, decision.producer)
            self.effects.extend(decision.effects)
        for reply in replies:
            asked = self.asked[reply.ticket]
            assert asked.answer is None, "a request is answered once"
            asked.answer, asked.refusal = reply.response, 0

    def _carry_out_joined(self, reply: Reply, decision: EncodedDecision) -> None:
        if decision.pairs and self.broken is not None:
            reply.refusal = self.broken
            return
        decision.apply(len(self.log), self.now_ms)
        self.log += [Stored(key, value) for key, value in decision.pairs]
        reply.answer = decision.response

    def _append(self, record: StoredRecord, producer: tuple[int, int] | None) -> None:
        key, value = encode_stored(record)
        self._apply(Stored(key, value, producer[0] if producer else None), len(self.log))
        self.log.append(Stored(key, value, producer[0] if producer else None))

    def _apply(self, stored: Stored, offset: int) -> None:
        if stored.marker is not None:
            assert stored.producer_id is not None
            self.shard.apply_marker(stored.producer_id, stored.marker)
            return
        record = decode_stored(GROUP_RECORDS, stored.key, stored.value)
        assert record is not None
        if stored.producer_id is None:
            self.shard.apply(record, offset, self.now_ms)
        else:
            self.shard.apply_pending(record, stored.producer_id, offset, self.now_ms)

    def end_transaction(self, producer_id: int, is_commit: bool) -> None:
        self._apply(Stored(b"", None, producer_id, is_commit), len(self.log))
        self.log.append(Stored(b"", None, producer_id, is_commit))

    def pass_ms(self, duration_ms: int) -> None:
        """Let time go by, stopping where something is due."""
        end_ms = self.now_ms + duration_ms
        while (wake_ms := self.shard.wake_at_ms()) is not None and wake_ms <= end_ms:
            self.now_ms = max(self.now_ms, wake_ms)
            self.carry_out(self.shard.tick(self.now_ms))
        self.now_ms = end_ms

    def restarted(self) -> Coordinator:
        """Another coordinator takes over from the log."""
        later = Coordinator(self.settings, self.now_ms, image=self.image, seed=self.seed + 1)
        for offset, stored in enumerate(self.log):
            later._apply(stored, offset)
            later.log.append(stored)
        later.carry_out(later.shard.loaded(later.now_ms))
        return later

    def records(self) -> list[StoredRecord]:
        """The log, decoded; markers left out."""
        decoded = (
            decode_stored(GROUP_RECORDS, stored.key, stored.value)
            for stored in self.log
            if stored.marker is None
        )
        return [record for record in decoded if record is not None]

    def state(self, group_id: str = "g") -> str:
        group = self.shard.groups.by_id.get(group_id)
        return group.state_name if group else "Dead"


def newest(api_key: int) -> int:
    """The newest version of an API."""
    return BY_KEY[api_key].request.VERSIONS.high
