"""A classic group: its generation, its members, and what they wait for.

Durable is what a record of `__consumer_offsets` holds: generation, protocol, leader, members with
their assignments, and the time from which the group has been empty. It is assigned by `settle`.
The rest dies with the coordinator: who has joined the generation that is being prepared, who waits
for an assignment, which member ids were given out and not used yet.

The leader is the member that assigns; it is the first to join, and another one only if it is gone.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.coordinator.group.classic.member import (
    ClassicMember,
    MemberProtocol,
    protocols_of_all,
)
from moldau.broker.coordinator.group.classic.states import ClassicState, may_follow
from moldau.broker.coordinator.group.classic.subscriptions import CONSUMER, subscribed_topics
from moldau.broker.coordinator.group.group import Committed, GroupType, OffsetAge
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.classic_group import GroupMetadataKey, GroupMetadataValue
from moldau.protocol.wire.error_codes import ErrorCode

NO_TIME_MS = -1


class ClassicGroup:
    """One group; `rebalance` and its kin move it from state to state."""

    def __init__(self, group_id: str, now_ms: int) -> None:
        self.group_id = group_id
        self.state = ClassicState.EMPTY
        self.came_from_empty = False
        """Whether the rebalance that is being prepared is the first one of an empty group."""
        self.state_since_ms = now_ms
        """Since when it is in this state; -1 in records of old: not known."""
        self.generation = 0
        self.group_protocol_type: str | None = None
        self.protocol_name: str | None = None
        self.leader_id: str | None = None
        self.members: dict[str, ClassicMember] = {}
        self.member_id_of_instance: dict[str, str] = {}
        self.replacements: dict[str, ClassicMember] = {}
        """Static members under their new ids, until these are recorded."""
        self.pending_members: set[str] = set()
        """Ids that were given out and have not come back with a join yet."""
        self.unsynced: set[str] = set()
        """Members that have not asked for the assignment of this generation yet."""
        self.has_new_member = False
        """A member joined while the first rebalance was waiting for more."""
        self.topics: frozenset[str] | None = None
        """What its members read, as far as that is known."""

    def __repr__(self) -> str:
        return (
            f"ClassicGroup({self.group_id!r}, {self.state.value}, generation {self.generation}, "
            f"{len(self.members)} members)"
        )

    # What every kind of group answers.

    @property
    def group_type(self) -> GroupType:
        return GroupType.CLASSIC

    @property
    def protocol_type(self) -> str:
        return self.group_protocol_type or ""

    @property
    def state_name(self) -> str:
        return self.state.value

    @property
    def is_empty(self) -> bool:
        return self.state is ClassicState.EMPTY

    @property
    def is_of_consumers(self) -> bool:
        return self.group_protocol_type == CONSUMER

    def check_commit(
        self,
        member_id: str,
        instance_id: str | None,
        epoch: int,
        *,
        is_transactional: bool,
        version: int,
    ) -> bool:
        """Members commit in their generation; from outside only where there are none."""
        if epoch < 0 and self.is_empty:
            return False
        if epoch >= 0 or member_id or instance_id is not None:
            self.check_member(member_id, instance_id)
            if epoch != self.generation:
                raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
        elif not is_transactional and not self.is_empty:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
        if not is_transactional and self.state is ClassicState.COMPLETING:
            raise KafkaError(ErrorCode.REBALANCE_IN_PROGRESS)
        return False

    def check_commit_of(self, member_id: str, epoch: int, asked: Committed) -> None:
        """Only the epochs of consumer groups are distinguished by partition."""

    def check_fetch(self, member_id: str | None, epoch: int) -> None:
        """Any client may read."""

    def check_offset_delete(self) -> None:
        if not self.is_empty and not self.is_of_consumers:
            raise KafkaError(ErrorCode.NON_EMPTY_GROUP, f"Group {self.group_id} is not empty.")

    def check_delete(self) -> None:
        if not self.is_empty:
            raise KafkaError(ErrorCode.NON_EMPTY_GROUP, f"Group {self.group_id} is not empty.")

    def is_subscribed_to(self, topic: str) -> bool:
        if self.topics is None:
            return self.is_of_consumers
        return topic in self.topics

    def offset_age(self) -> OffsetAge | None:
        """From when the group was empty; where it lives, for topics that are not read any more."""
        if self.group_protocol_type is None:
            return lambda committed_ms: committed_ms
        if self.is_empty:
            since_ms = self.state_since_ms
            return lambda committed_ms: committed_ms if since_ms == NO_TIME_MS else since_ms
        if self.is_of_consumers and self.topics is not None and self.state is ClassicState.STABLE:
            return lambda committed_ms: committed_ms
        return None

    def tombstones(self) -> list[StoredRecord]:
        return [StoredRecord(GroupMetadataKey(group=self.group_id), None)]

    # Its members.

    def check_member(self, member_id: str, instance_id: str | None) -> None:
        """Refuse what is not a member, or is one whose static id another has taken."""
        if instance_id is not None:
            present = self.member_id_of_instance.get(instance_id)
            if present is None:
                raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
            if present != member_id:
                raise KafkaError(ErrorCode.FENCED_INSTANCE_ID)
        if member_id not in self.members:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)

    def knows_a_protocol_of(self, protocol_type: str, names: Iterable[str]) -> bool:
        """Whether a client with these protocols can be a member."""
        offered = set(names)
        if self.is_empty:
            return bool(protocol_type and offered)
        known = protocols_of_all(self.members.values())
        return protocol_type == self.group_protocol_type and bool(
            offered if known is None else offered & known
        )

    def is_leader(self, member_id: str) -> bool:
        return self.leader_id is not None and self.leader_id == member_id

    @property
    def joining_count(self) -> int:
        return sum(member.joining is not None for member in self.members.values())

    @property
    def all_have_joined(self) -> bool:
        return not self.pending_members and self.joining_count == len(self.members)

    @property
    def rebalance_timeout_ms(self) -> int:
        """How long the slowest of them may take."""
        return max((member.rebalance_timeout_ms for member in self.members.values()), default=0)

    def add(self, member: ClassicMember, protocol_type: str) -> None:
        if not self.members:
            self.group_protocol_type = protocol_type
        if self.leader_id is None:
            self.leader_id = member.member_id
        self.members[member.member_id] = member
        self.pending_members.discard(member.member_id)
        if member.instance_id is not None:
            self.member_id_of_instance[member.instance_id] = member.member_id

    def remove(self, member_id: str) -> ClassicMember | None:
        """Forget the member, or an id that was given out; another one may become leader."""
        member = self.members.pop(member_id, None)
        if member is not None and member.instance_id is not None:
            self.member_id_of_instance.pop(member.instance_id, None)
        if self.is_leader(member_id):
            self.leader_id = next(iter(self.members), None)
        self.pending_members.discard(member_id)
        self.unsynced.discard(member_id)
        return member

    def replace(self, old: ClassicMember, successor: ClassicMember) -> None:
        """A static member is back under another id, in the same place."""
        self.members = {
            one.member_id: one
            for one in (successor if one is old else one for one in self.members.values())
        }
        if successor.instance_id is not None:
            self.member_id_of_instance[successor.instance_id] = successor.member_id
        if self.is_leader(old.member_id):
            self.leader_id = successor.member_id
        if old.member_id in self.unsynced:
            self.unsynced.remove(old.member_id)
            self.unsynced.add(successor.member_id)

    def elect_joined_leader(self) -> bool:
        """Keep the leader if it has joined, else take one that has; False if none has."""
        leader = self.members.get(self.leader_id or "")
        if leader is not None and leader.joining is not None:
            return True
        joined = [one for one in self.members.values() if one.joining is not None]
        if self.leader_id is not None and joined:
            self.leader_id = joined[0].member_id
            return True
        return False

    # Its state.

    def move_to(self, state: ClassicState, now_ms: int) -> None:
        assert may_follow(state, self.state), f"{self!r} cannot become {state.value}"
        self.came_from_empty = self.is_empty
        self.state = state
        self.state_since_ms = now_ms

    def begin_generation(self, protocol_name: str | None) -> None:
        """The next generation, with the present members."""
        self.generation += 1
        self.protocol_name = protocol_name
        self.unsynced.clear()
        self._look_for_topics()

    def settle(self, value: GroupMetadataValue, now_ms: int) -> None:
        """Assign what a record of this group holds.

        While a rebalance is being prepared the record can only be the one by which the group
        is there; what is known by now is more than it holds.
        """
        if self.state is ClassicState.PREPARING:
            return
        was_completing = self.state is ClassicState.COMPLETING
        self.state_since_ms = now_ms if was_completing else value.current_state_timestamp
        self.generation = value.generation
        self.group_protocol_type = value.protocol_type or None
        self.protocol_name = value.protocol
        self.leader_id = value.leader
        settled = [self._settled(member, value.protocol) for member in value.members]
        self.members = {member.member_id: member for member in settled}
        self.member_id_of_instance = {
            member.instance_id: member.member_id
            for member in settled
            if member.instance_id is not None
        }
        self.state = ClassicState.STABLE if settled else ClassicState.EMPTY
        self._look_for_topics()

    def _settled(
        self, stored: GroupMetadataValue.MemberMetadata, protocol_name: str | None
    ) -> ClassicMember:
        """The member of a record: the one we know with its assignment, or made from the record."""
        known = self.replacements.pop(stored.member_id, None) or self.members.get(stored.member_id)
        if known is not None:
            known.assignment = bytes(stored.assignment)
            return known
        timeout_ms = stored.rebalance_timeout
        return ClassicMember(
            stored.member_id,
            stored.group_instance_id,
            stored.client_id,
            stored.client_host,
            stored.session_timeout if timeout_ms == NO_TIME_MS else timeout_ms,
            stored.session_timeout,
            (MemberProtocol(protocol_name or "", bytes(stored.subscription)),),
            bytes(stored.assignment),
        )

    def _look_for_topics(self) -> None:
        if not self.is_of_consumers:
            self.topics = None
        else:
            metadata = [one.metadata(self.protocol_name) for one in self.members.values()]
            self.topics = subscribed_topics(metadata)
