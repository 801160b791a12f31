"""Which requests a consumer group accepts, and from which member.

                          instance unknown        instance known
    epoch 0, joins        a new member            the place must be free: its owner has left with
                                                  -2, or speaks the classic protocol; a successor
                                                  under a new id takes it, with all that was in it
    later                 UNKNOWN_MEMBER_ID       must be the owner, else FENCED_INSTANCE_ID

A member that did not get our last answer comes back in its previous epoch: that is fine as long as
what it has is part of what it was assigned. Otherwise its epoch has to be the one we know, or it is
fenced: it gives up everything and joins again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import LEFT_FOR_LATER, ConsumerMember
from moldau.broker.coordinator.group.consumer.records import (
    current_record,
    member_record,
    member_tombstones,
    target_record,
)
from moldau.broker.coordinator.group.epoch_group import fenced, full
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

JOINS = 0
Reported = Mapping[bytes, Collection[int]]


def check_room(group: ConsumerGroup, member_id: str, size_max: int) -> None:
    """Members that are in may stay."""
    if len(group.members) >= size_max and member_id not in group.members:
        raise full("consumer", size_max)


def check_epoch(member: ConsumerMember, epoch: int, reported: Reported | None) -> None:
    if epoch == JOINS or epoch == member.epoch:
        return
    has_missed_answer = epoch == member.previous_epoch and member.has_all(reported)
    if epoch > member.epoch or not has_missed_answer:
        raise fenced("consumer", epoch, member.epoch)


def check_static(member: ConsumerMember | None, member_id: str, instance_id: str) -> ConsumerMember:
    """The owner of a static place, if this is it."""
    if member is None:
        raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID, f"Instance {instance_id} is unknown.")
    if member.member_id != member_id:
        raise KafkaError(
            ErrorCode.FENCED_INSTANCE_ID,
            f"Instance {instance_id} is member {member.member_id} and not {member_id}.",
        )
    return member


def check_free(owner: ConsumerMember, instance_id: str | None) -> None:
    """The place of a member that is still there cannot be taken."""
    if owner.epoch != LEFT_FOR_LATER:
        raise KafkaError(
            ErrorCode.UNRELEASED_INSTANCE_ID,
            f"Instance {instance_id} is still member {owner.member_id}, which has to leave first.",
        )


def succeed(
    group: ConsumerGroup, owner: ConsumerMember, member_id: str, records: list[StoredRecord]
) -> ConsumerMember:
    """A member that takes the place of another, with its partitions and its target."""
    successor = replace(owner, member_id=member_id, epoch=JOINS, previous_epoch=JOINS)
    records += member_tombstones(group.group_id, owner.member_id)
    records.append(member_record(group.group_id, successor))
    records.append(target_record(group.group_id, member_id, group.target_of(owner.member_id)))
    records.append(current_record(group.group_id, successor))
    return successor
