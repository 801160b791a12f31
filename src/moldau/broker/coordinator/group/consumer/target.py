"""A new target assignment, from the members of a group and their subscriptions."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.coordinator.group.consumer.assignor.range_assignor import assign_ranges
from moldau.broker.coordinator.group.consumer.assignor.spec import (
    Assignment,
    Assignor,
    GroupSpec,
    MemberSpec,
)
from moldau.broker.coordinator.group.consumer.assignor.uniform_assignor import assign_uniformly
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.member_change import MemberChange
from moldau.broker.coordinator.group.consumer.records import assignment_epoch_record, target_record
from moldau.broker.coordinator.group.consumer.subscriptions import (
    ids_of,
    is_homogeneous,
    names_read_by,
    preferred_assignor,
)
from moldau.broker.metadata.image import Image

ASSIGNORS: Mapping[str, Assignor] = {"uniform": assign_uniformly, "range": assign_ranges}
"""By the names that members ask for."""


def retarget(change: MemberChange, image: Image, default_assignor: str) -> None:
    """Decide on a target for the change's epoch, and note what its member gets."""
    group = change.group
    members = change.members()
    assignor = ASSIGNORS[preferred_assignor(members.values(), default_assignor)]
    spec = spec_of(change, image)
    targets = assignor(spec)
    for member_id in spec.member_ids():
        target = targets.get(member_id, {})
        if member_id not in group.targets or not is_same(group.targets[member_id], target):
            change.records.append(target_record(group.group_id, member_id, target))
    change.records.append(assignment_epoch_record(group.group_id, change.epoch, change.now_ms))
    change.assignment_epoch = change.epoch
    change.target = targets.get(change.member.member_id, {})


def spec_of(change: MemberChange, image: Image) -> GroupSpec:
    """The group as its assignor sees it."""
    members, resolved = change.members(), change.resolved()
    specs = {}
    for member_id, member in members.items():
        names = names_read_by(member, resolved)
        specs[member_id] = MemberSpec(
            topic_ids=tuple(ids_of(names, image)),
            assignment=_existing(_target(change, member), image),
            instance_id=member.instance_id,
            name_count=len(names),
        )
    topics = {topic_id for one in specs.values() for topic_id in one.topic_ids}
    counts = {topic_id: len(image.topics.by_id[topic_id].partitions) for topic_id in topics}
    return GroupSpec(specs, counts, is_homogeneous(members.values(), resolved))


def _target(change: MemberChange, member: ConsumerMember) -> Assignment:
    """What the member shall have until now; who takes a static place shall have what is in it."""
    group = change.group
    if member is change.member and member.instance_id in group.member_id_of_instance:
        return group.target_of(member.member_id, member.instance_id)
    return group.target_of(member.member_id)


def _existing(assignment: Assignment, image: Image) -> Assignment:
    """Without partitions that these metadata do not know: they may be behind those of before."""
    by_id = image.topics.by_id
    return {
        topic_id: tuple(one for one in partitions if one in by_id[topic_id].partitions)
        for topic_id, partitions in assignment.items()
        if topic_id in by_id
    }


def is_same(one: Assignment, other: Assignment) -> bool:
    """Whether both give the same, in whichever order."""
    return one.keys() == other.keys() and all(
        set(one[topic_id]) == set(other[topic_id]) for topic_id in one
    )
