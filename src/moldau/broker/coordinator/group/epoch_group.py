"""What groups have in common whose members follow the group by epochs (KIP-848, KIP-932, KIP-1071).

A group has an epoch, which rises with every change of members or topics; the target assignment has
the epoch for which it was made; and each member has the one up to which it has come.

    group epoch > assignment epoch      Assigning: there will be a new target
    some member behind its target       Reconciling

Durable is what records say, and only the `apply_…` methods of a group assign it. Volatile is when
the topics were last looked at: a change of metadata clears it, and the next heartbeat looks again.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from moldau.broker.coordinator.group.group import OffsetAge
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

FIRST_EPOCH = 1
NO_EPOCH = -1
COMMITS_WITH_MEMBER_EPOCH = 9
"""From this version of OffsetCommit on."""


def full(kind: str, size_max: int) -> KafkaError:
    """No room for one more member; the sentences here are Kafka's, which clients print."""
    return KafkaError(
        ErrorCode.GROUP_MAX_SIZE_REACHED,
        f"The {kind} group has reached its maximum capacity of {size_max} members.",
    )


def fenced(kind: str, epoch: int, known: int, previous: int | None = None) -> KafkaError:
    """A member comes with another epoch than the coordinator has for it."""
    relation = "greater" if epoch > known else "smaller"
    besides = ""
    if previous is not None and epoch <= known:
        besides = f", and it does not match the previous member epoch ({previous})"
    return KafkaError(
        ErrorCode.FENCED_MEMBER_EPOCH,
        f"The {kind} group member has a {relation} member epoch ({epoch}) than the one known by "
        f"the group coordinator ({known}){besides}. The member must abandon all its partitions "
        "and rejoin.",
    )


def may_assign(assigned_at_ms: int, interval_ms: int, now_ms: int) -> bool:
    """Whether the last target is old enough for another one; the first may come at once."""
    return assigned_at_ms == 0 or now_ms >= assigned_at_ms + interval_ms


class EpochMember(Protocol):
    """A member that reads offsets, and moves from epoch to epoch."""

    @property
    def epoch(self) -> int: ...

    def is_reconciled_to(self, assignment_epoch: int) -> bool: ...


class AssignmentEpoch(Protocol):
    """A record with the epoch for which the target was made, and when."""

    assignment_epoch: int
    assignment_timestamp: int


Anyone = TypeVar("Anyone")
Member = TypeVar("Member", bound=EpochMember)


class GroupOfMembers(Generic[Anyone]):
    """A group that knows its members by their ids."""

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.epoch = FIRST_EPOCH
        self.metadata_hash = 0
        self.assignment_epoch = FIRST_EPOCH
        self.assigned_at_ms = 0
        self.members: dict[str, Anyone] = {}

    @property
    def is_empty(self) -> bool:
        return not self.members

    def member(self, member_id: str) -> Anyone:
        """The member, or UNKNOWN_MEMBER_ID."""
        member = self.members.get(member_id)
        if member is None:
            raise KafkaError(
                ErrorCode.UNKNOWN_MEMBER_ID,
                f"Member {member_id} is not a member of group {self.group_id}.",
            )
        return member


class EpochGroup(GroupOfMembers[Member]):
    """One whose members are given partitions or tasks to read, and commit what they have read."""

    def __init__(self, group_id: str) -> None:
        super().__init__(group_id)
        self._refresh_at_ms = 0
        self._refreshed_epoch = 0

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.group_id!r}, {self.state_name}, epoch {self.epoch}, "
            f"{len(self.members)} members)"
        )

    # What every kind of group answers.

    @property
    def state_name(self) -> str:
        if not self.members:
            return "Empty"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        if all(one.is_reconciled_to(self.assignment_epoch) for one in self.members.values()):
            return "Stable"
        return "Reconciling"

    def knows_epochs(self, member: Member) -> bool:
        """False for one that speaks an older protocol, and takes epochs for generations."""
        return True

    def check_commit(
        self,
        member_id: str,
        instance_id: str | None,
        epoch: int,
        *,
        is_transactional: bool,
        version: int,
    ) -> bool:
        """Members commit in their epoch; an older one is looked at partition by partition."""
        if epoch < 0 and self.is_empty:
            return False
        if is_transactional and (epoch, member_id, instance_id) == (NO_EPOCH, "", None):
            return False
        member = self.member(member_id)
        is_modern = not is_transactional and self.knows_epochs(member)
        if is_modern and version < COMMITS_WITH_MEMBER_EPOCH:
            raise KafkaError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"Member {member_id} has to commit with OffsetCommit version "
                f"{COMMITS_WITH_MEMBER_EPOCH} or later, which carries its epoch.",
            )
        if epoch > member.epoch:
            raise self.stale(member, f"Epoch {epoch} is newer than {member.epoch}, its member's.")
        return epoch < member.epoch

    def check_fetch(self, member_id: str | None, epoch: int) -> None:
        """Members fetch offsets in their epoch; what is no member sends none."""
        if member_id is None and epoch < 0:
            return
        member = self.member(member_id or "")
        if epoch != member.epoch:
            raise self.stale(member, f"Epoch {epoch} is not {member.epoch}, its member's.")

    def check_offset_delete(self) -> None:
        """Offsets of topics that are not read may always be deleted."""

    def check_delete(self) -> None:
        if not self.is_empty:
            raise KafkaError(ErrorCode.NON_EMPTY_GROUP, f"Group {self.group_id} is not empty.")

    def offset_age(self) -> OffsetAge | None:
        return lambda committed_ms: committed_ms

    def stale(self, member: Member, message: str) -> KafkaError:
        """The refusal of an epoch, in the member's own terms."""
        knows = self.knows_epochs(member)
        code = ErrorCode.STALE_MEMBER_EPOCH if knows else ErrorCode.ILLEGAL_GENERATION
        return KafkaError(code, message)

    # Volatile: when to look at the topics again.

    def needs_refresh(self, now_ms: int) -> bool:
        return now_ms >= self._refresh_at_ms or self.epoch < self._refreshed_epoch

    def refreshed(self, until_ms: int, epoch: int) -> None:
        """The topics were looked at in this epoch; if that is not written after all, look again."""
        self._refresh_at_ms, self._refreshed_epoch = until_ms, epoch

    def request_refresh(self) -> None:
        self.refreshed(0, 0)

    # Applied records.

    def apply_assignment_epoch(self, value: AssignmentEpoch | None) -> None:
        self.assignment_epoch = NO_EPOCH if value is None else value.assignment_epoch
        self.assigned_at_ms = 0 if value is None else value.assignment_timestamp
