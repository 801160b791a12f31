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

from moldau.coordinator.group.draft import Draft
from moldau.coordinator.group.group import GroupType
from moldau.coordinator.group.groups import Groups, GroupWorld
from moldau.coordinator.group.kind import Applier, Decider, GroupKind
from moldau.coordinator.shard import Asking, Decision, Reply, StoredRecord
from moldau.errors import KafkaError
from moldau.wire.error_codes import ErrorCode
from moldau.wire.schema import Message


def kinds_of(groups: Groups) -> tuple[GroupKind, ...]:
    """Every kind of group that a shard knows, made anew for it; the classic one is first."""
    return ()


class GroupShard:
    """All groups of one partition of `__consumer_offsets`."""

    def __init__(self, world: GroupWorld) -> None:
        self.groups = Groups(world)
        self.kinds: Mapping[GroupType, GroupKind] = {
            kind.group_type: kind for kind in kinds_of(self.groups)
        }
        self._deciders: dict[type[Message], Decider] = {}
        self._appliers: dict[type[Message], Applier] = {}
        for kind in self.kinds.values():
            self._deciders.update(kind.deciders)
            self._appliers.update(kind.appliers)

    def __repr__(self) -> str:
        return f"GroupShard({len(self.groups.by_id)} groups, {self.groups.offsets!r})"

    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        """Assign what the record says."""
        applier = self._appliers.get(type(record.key))
        if applier is not None:
            applier(record.key, record.value, now_ms)

    def apply_pending(
        self, record: StoredRecord, producer_id: int, offset: int, now_ms: int
    ) -> None:
        """A record of a transaction: nothing but offsets may be in one."""

    def apply_marker(self, producer_id: int, is_commit: bool) -> None:
        """The producer's transaction has ended."""
        self.groups.offsets.end_transaction(producer_id, is_commit)

    def decide(self, request: Message, asking: Asking, now_ms: int) -> Decision:
        """What this request leads to."""
        decider = self._deciders.get(type(request)) or self._member_decider(request)
        if decider is None:
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, f"{type(request).__name__} is unknown.")
        return decider(request, asking, now_ms)

    def _member_decider(self, request: Message) -> Decider | None:
        """The decider of the kind of the group that the request names."""
        group = self.groups.by_id.get(getattr(request, "group_id", ""))
        kind = self.kinds.get(group.group_type if group else GroupType.CLASSIC)
        return kind.member_deciders.get(type(request)) if kind else None

    def loaded(self, now_ms: int) -> Decision:
        """All records of before are applied."""
        return self._with_each(lambda kind, draft: kind.loaded(draft, now_ms))

    def metadata_changed(self, delta: object, image: object, now_ms: int) -> Decision:
        """The cluster's metadata have changed."""
        return self._with_each(
            lambda kind, draft: kind.metadata_changed(draft, delta, image, now_ms)
        )

    def tick(self, now_ms: int) -> Decision:
        """What has become due."""
        return self.groups.timers.run_due(now_ms)

    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted next."""
        return self.groups.timers.next_at_ms()

    def unloaded(self) -> Sequence[Reply]:
        """The last word to everybody who waits."""
        return [reply for kind in self.kinds.values() for reply in kind.unloaded()]

    def _with_each(self, step: Callable[[GroupKind, Draft], None]) -> Decision:
        draft = Draft()
        for kind in self.kinds.values():
            step(kind, draft)
        return draft.decision()
