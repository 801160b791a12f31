"""Whether a classic request fits a consumer group, and the member it comes from."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.member import MemberProtocol
from moldau.broker.coordinator.group.consumer import admission
from moldau.broker.coordinator.group.consumer.embedded import CONSUMER
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ClassicSide, ConsumerMember
from moldau.broker.coordinator.group.groups import GroupCoordinatorSettings
from moldau.errors import KafkaError
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.wire.error_codes import ErrorCode

NO_MIGRATION = "DISABLED"


def check_join(
    group: ConsumerGroup, request: JoinGroupRequest, settings: GroupCoordinatorSettings
) -> None:
    if settings.group_consumer_migration_policy.upper() == NO_MIGRATION:
        raise KafkaError(
            ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
            f"Group {group.group_id} takes no classic members: migration is disabled.",
        )
    offered = {protocol.name for protocol in request.protocols}
    if request.protocol_type != CONSUMER or not offered or not _shares_protocol(group, offered):
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


def _shares_protocol(group: ConsumerGroup, offered: set[str]) -> bool:
    """Whether all classic members support one of these."""
    for member in group.members.values():
        if member.classic is not None:
            offered = offered & {protocol.name for protocol in member.classic.protocols}
    return bool(offered)


def classic_side_of(request: JoinGroupRequest) -> ClassicSide:
    protocols = (MemberProtocol(one.name, bytes(one.metadata)) for one in request.protocols)
    return ClassicSide(request.session_timeout_ms, tuple(protocols))


def known_member(
    group: ConsumerGroup, member_id: str, instance_id: str | None, generation: int
) -> tuple[ConsumerMember, ClassicSide]:
    """The classic member in this generation, and what it sent of itself."""
    if instance_id is None:
        member = group.member(member_id)
    else:
        owner = group.static_member(instance_id)
        member = admission.check_static(owner, member_id, instance_id)
    if member.classic is None:
        raise KafkaError(
            ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} does not use the classic protocol."
        )
    if generation != member.epoch:
        raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
    return member, member.classic


def check_protocol(classic: ClassicSide, request: SyncGroupRequest) -> None:
    """The protocol that a sync names has to be the one that the join was answered."""
    given = request.protocol_type, request.protocol_name
    for one, expected in zip(given, (CONSUMER, classic.protocols[0].name), strict=True):
        if one is not None and one != expected:
            raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
