"""The shard of a group coordinator: a request goes to its decider, a record to its applier.

    request ─┬─ of one kind alone ──────────► that kind's `deciders`
             ├─ of the classic protocol ────► `member_deciders` of the kind of the named group
             └─ offsets, administration ────► the same for all kinds

    record ──┬─ offsets ────────────────────► the offset store
             └─ of a kind ──────────────────► that kind's `appliers`

Offsets of transactions arrive as pending and count when the producer's marker is there (KIP-98).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from moldau.broker.coordinator.encoded_decision import EncodedDecision
from moldau.broker.coordinator.group.administration import Administration
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.kind import ClassicGroups
from moldau.broker.coordinator.group.consumer.kind import ConsumerGroups
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.group import Group, GroupType
from moldau.broker.coordinator.group.groups import GroupContext, Groups
from moldau.broker.coordinator.group.kind import Applier, Decider, GroupKind
from moldau.broker.coordinator.group.offsets.commit import Commits
from moldau.broker.coordinator.group.offsets.delete import OffsetDeletes
from moldau.broker.coordinator.group.offsets.expiry import OffsetExpiry
from moldau.broker.coordinator.group.offsets.fetch import Fetches
from moldau.broker.coordinator.group.offsets.offset_commit import OffsetCommit
from moldau.broker.coordinator.group.offsets.records import (
    KEYS,
    apply_commit,
    apply_pending_commit,
    named_in,
)
from moldau.broker.coordinator.group.share.kind import ShareGroups
from moldau.broker.coordinator.group.streams.kind import StreamsGroups
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.group.describe_groups import DescribeGroupsRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from moldau.protocol.messages.group.offset_delete import OffsetDeleteRequest
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.messages.transaction.txn_offset_commit import TxnOffsetCommitRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message


def kinds_of(groups: Groups) -> tuple[GroupKind, ...]:
    """Every kind of group that a shard serves, made anew for it; the classic one is first."""
    classic = ClassicGroups(groups)
    streams = StreamsGroups(groups, classic.joins)
    return classic, ConsumerGroups(groups, classic), ShareGroups(groups), streams


class GroupShard:
    """All groups of one partition of `__consumer_offsets`."""

    def __init__(self, context: GroupContext) -> None:
        self.groups = Groups(context)
        self.kinds: Mapping[GroupType, GroupKind] = {
            kind.group_type: kind for kind in kinds_of(self.groups)
        }
        self._expiry = OffsetExpiry(self.groups)
        self._offset_deletes = OffsetDeletes(self.groups)
        self._commits = Commits(self.groups, self._touch_session)
        self._deciders = self._deciders_of_all_kinds()
        self._appliers: dict[type[Message], Applier] = {}
        for kind in self.kinds.values():
            self._deciders.update(kind.deciders)
            self._appliers.update(kind.appliers)

    def __repr__(self) -> str:
        return f"GroupShard({len(self.groups.by_id)} groups, {self.groups.offsets!r})"

    def _deciders_of_all_kinds(self) -> dict[type[Message], Decider]:
        """What is asked about groups whatever their kind."""
        administration = Administration(self.groups, self._offset_deletes)
        return {
            TxnOffsetCommitRequest: self._commits.commit_in_transaction,
            OffsetFetchRequest: Fetches(self.groups).fetch,
            OffsetDeleteRequest: self._offset_deletes.delete,
            DescribeGroupsRequest: administration.describe,
            ListGroupsRequest: administration.list_groups,
            DeleteGroupsRequest: administration.delete,
        }

    def _touch_session(self, group: Group, member_id: str, now_ms: int) -> None:
        self.kinds[group.group_type].touch_session(group.group_id, member_id, now_ms)

    # Records.

    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        """Assign what the record holds."""
        if isinstance(record.key, KEYS):
            apply_commit(self.groups.offsets, record, offset)
            self._have_group_of(record, now_ms)
            return
        applier = self._appliers.get(type(record.key))
        if applier is not None:
            applier(record.key, record.value, now_ms)

    def apply_pending(
        self, record: StoredRecord, producer_id: int, offset: int, now_ms: int
    ) -> None:
        """A record of a transaction: nothing but offsets may be in one."""
        if isinstance(record.key, KEYS):
            apply_pending_commit(self.groups.offsets, producer_id, record, offset)
            self._have_group_of(record, now_ms)

    def apply_marker(self, producer_id: int, is_commit: bool) -> None:
        """The producer's transaction has ended."""
        self.groups.offsets.end_transaction(producer_id, is_commit)

    def _have_group_of(self, record: StoredRecord, now_ms: int) -> None:
        """Offsets that no group has are those of a simple one, which is all of its record."""
        group_id, _ = named_in(record)
        if record.value is not None and group_id not in self.groups.by_id:
            self.groups.by_id[group_id] = ClassicGroup(group_id, now_ms)

    # Requests.

    def decide(self, request: Message, asking: RequestContext, now_ms: int) -> Decision:
        """What this request leads to."""
        decider = self._deciders.get(type(request)) or self._member_decider(request)
        if decider is None:
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, f"{type(request).__name__} is unknown.")
        return decider(request, asking, now_ms)

    def decide_joined(self, request: OffsetCommit, now_ms: int) -> EncodedDecision:
        """Who may commit is up to the members of a group, and no commit changes them."""
        return self._commits.commit(request, now_ms)

    def _member_decider(self, request: Message) -> Decider | None:
        """The decider of the kind of the group that is named; what it lacks the classic one has."""
        group = self.groups.by_id.get(getattr(request, "group_id", ""))
        kind = self.kinds[group.group_type if group else GroupType.CLASSIC]
        classic = self.kinds[GroupType.CLASSIC]
        deciders = {**classic.member_deciders, **kind.member_deciders}
        return deciders.get(type(request))

    # The rest of a shard's life.

    def loaded(self, now_ms: int) -> Decision:
        """All records of before are applied."""
        self._expiry.begin(now_ms)
        return self._with_each(lambda kind, draft: kind.loaded(draft, now_ms))

    def metadata_changed(self, delta: Delta, image: Image, now_ms: int) -> Decision:
        """The offsets of topics that are gone go, and each kind looks what it means for it."""
        decision = self._with_each(
            lambda kind, draft: kind.metadata_changed(draft, delta, image, now_ms)
        )
        before = delta.image.topics.by_id
        gone = {before[topic_id].name for topic_id in delta.deleted_topics if topic_id in before}
        if not gone:
            return decision
        records = [*decision.records, *self._offset_deletes.of_topics(gone)]
        return Decision(records, decision.replies, decision.effects, decision.failed)

    def tick(self, now_ms: int) -> Decision:
        """What has become due."""
        return self.groups.timers.run_due(now_ms)

    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted next."""
        return self.groups.timers.next_at_ms()

    def unloaded(self) -> Sequence[Reply]:
        """Replies to all requests that wait."""
        return [reply for kind in self.kinds.values() for reply in kind.unloaded()]

    def _with_each(self, step: Callable[[GroupKind, Draft], None]) -> Decision:
        draft = Draft()
        for kind in self.kinds.values():
            step(kind, draft)
        return draft.decision()
