"""A member's next step towards its target; no partition ever has two owners.

    keep    = what it has, and shall have
    revoke  = what it has, and shall not have
    add     = what it shall have, has not, and no other member has

If there is something to revoke that the member still has, it stays in its epoch and has to let go:
Unrevoked. Else it moves to the target's epoch with what it keeps and adds, and is Unreleased as
long as another member has what it shall have. A partition counts as had until its owner has
reported that it let go.

A member that reads other topics than before loses what it does not read any more at once, even if
there is no new target yet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment
from moldau.broker.coordinator.group.consumer.member import ConsumerMember, MemberState, Owned
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode

Reported = Mapping[bytes, Collection[int]]
"""What a member reports to own."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a member shall go."""

    epoch: int
    target: Assignment
    topic_ids: Collection[bytes]
    """What it reads, as far as it exists."""
    has_changed: bool
    """It reads other topics than before."""
    has_owner: Callable[[bytes, int], bool]
    """Whether a member of the group has this partition."""


def reconcile(member: ConsumerMember, aim: Aim, reported: Reported | None) -> ConsumerMember:
    """The member after its next step; the same one if there is none to take."""
    match member.state:
        case MemberState.STABLE:
            if member.epoch != aim.epoch:
                return _advance(member, aim, reported)
            return _give_up_unread(member, aim, reported) if aim.has_changed else member
        case MemberState.UNREVOKED:
            if not _still_has(reported, member.to_revoke):
                return _advance(member, aim, reported)
            return _give_up_unread(member, aim, reported) if aim.has_changed else member
        case MemberState.UNRELEASED:
            return _advance(member, aim, reported)
        case MemberState.UNKNOWN:
            if reported is None or reported:
                raise KafkaError(
                    ErrorCode.FENCED_MEMBER_EPOCH,
                    f"Member {member.member_id} is in a state that this coordinator does not know; "
                    "it has to give up all partitions and join again.",
                )
            return _advance(replace(member, epoch=aim.epoch), aim, reported)


def _advance(member: ConsumerMember, aim: Aim, reported: Reported | None) -> ConsumerMember:
    kept: dict[bytes, dict[int, int]] = {}
    revoked: dict[bytes, dict[int, int]] = {}
    for topic_id, owned in member.assigned.items():
        wanted = set(aim.target.get(topic_id, ())) if topic_id in aim.topic_ids else set()
        _put(kept, topic_id, {one: epoch for one, epoch in owned.items() if one in wanted})
        _put(revoked, topic_id, {one: epoch for one, epoch in owned.items() if one not in wanted})
    if revoked and _still_has(reported, revoked):
        return _unrevoked(member, kept, revoked)
    is_waiting = _add(member, aim, kept)
    return replace(
        member,
        state=MemberState.UNRELEASED if is_waiting else MemberState.STABLE,
        epoch=aim.epoch,
        previous_epoch=member.epoch,
        assigned=kept,
        to_revoke={},
    )


def _add(member: ConsumerMember, aim: Aim, kept: dict[bytes, dict[int, int]]) -> bool:
    """Add to `kept` what is free; whether something that the member shall have is not."""
    is_waiting = False
    for topic_id, partitions in aim.target.items():
        if topic_id not in aim.topic_ids:
            continue
        has, gives_up = kept.get(topic_id, {}), member.to_revoke.get(topic_id, {})
        free = {}
        for partition in partitions:
            if partition in has:
                continue
            if aim.has_owner(topic_id, partition) and partition not in gives_up:
                is_waiting = True
            else:
                free[partition] = aim.epoch
        _put(kept, topic_id, {**has, **free})
    return is_waiting


def _give_up_unread(member: ConsumerMember, aim: Aim, reported: Reported | None) -> ConsumerMember:
    """Take away what the member does not read any more; its target is the same."""
    unread = {
        topic_id: partitions
        for topic_id, partitions in member.assigned.items()
        if topic_id not in aim.topic_ids
    }
    if not unread:
        return member
    kept = {
        topic_id: owned for topic_id, owned in member.assigned.items() if topic_id not in unread
    }
    revoked = dict(member.to_revoke)
    for topic_id, partitions in unread.items():
        revoked[topic_id] = {**revoked.get(topic_id, {}), **partitions}
    if _still_has(reported, revoked):
        return _unrevoked(member, kept, revoked)
    return replace(member, previous_epoch=member.epoch, assigned=kept)


def _unrevoked(member: ConsumerMember, kept: Owned, revoked: Owned) -> ConsumerMember:
    return replace(
        member,
        state=MemberState.UNREVOKED,
        previous_epoch=member.epoch,
        assigned=kept,
        to_revoke=revoked,
    )


def _still_has(reported: Reported | None, revoked: Owned) -> bool:
    """A member that reports nothing may still have all of it."""
    if reported is None:
        return True
    return any(
        partition in revoked.get(topic_id, ())
        for topic_id, partitions in reported.items()
        for partition in partitions
    )


def _put(owned: dict[bytes, dict[int, int]], topic_id: bytes, partitions: dict[int, int]) -> None:
    if partitions:
        owned[topic_id] = partitions
