"""What tools ask about groups of every kind: DescribeGroups, ListGroups, DeleteGroups.

Each shard answers for its own groups; the server asks the shards and joins their answers.

DescribeGroups shows classic groups only: of others, and of groups that are not there, the answer is
that they are Dead, and from version 6 on also why (KIP-1043).
"""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import ClassicMember
from moldau.broker.coordinator.group.classic.states import DEAD, ClassicState
from moldau.broker.coordinator.group.group import Group
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.offsets.delete import OffsetDeletes
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest, DeleteGroupsResponse
from moldau.protocol.messages.group.describe_groups import (
    DescribeGroupsRequest,
    DescribeGroupsResponse,
)
from moldau.protocol.messages.group.list_groups import ListGroupsRequest, ListGroupsResponse
from moldau.protocol.wire.error_codes import ErrorCode

SAYS_NOT_FOUND = 6
"""From this version on a group that is not there is an error."""

_Described = DescribeGroupsResponse.DescribedGroup
_Deleted = DeleteGroupsResponse.DeletableGroupResult


class Administration:
    """Answers tools for the groups of a shard."""

    def __init__(self, groups: Groups, offset_deletes: OffsetDeletes) -> None:
        self._groups = groups
        self._offset_deletes = offset_deletes

    # DescribeGroups.

    def describe(
        self, request: DescribeGroupsRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        described = [self._describe(group_id, asking.version) for group_id in request.groups]
        response = DescribeGroupsResponse(throttle_time_ms=0, groups=described)
        return Decision(replies=[Reply(asking.ticket, response)])

    def _describe(self, group_id: str, version: int) -> _Described:
        group = self._groups.by_id.get(group_id)
        if isinstance(group, ClassicGroup):
            return _described(group)
        why = f"Group {group_id} not found." if group is None else _not_classic(group_id)
        is_error = version >= SAYS_NOT_FOUND
        return _Described(
            error_code=ErrorCode.GROUP_ID_NOT_FOUND if is_error else ErrorCode.NONE,
            error_message=why if is_error else None,
            group_id=group_id,
            group_state=DEAD,
            protocol_type="",
            protocol_data="",
            members=[],
        )

    # ListGroups.

    def list_groups(
        self, request: ListGroupsRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        states = {name.lower() for name in request.states_filter}
        types = {name.lower() for name in request.types_filter}
        listed = [
            _listed(group)
            for group in self._groups.by_id.values()
            if not states or group.state_name.lower() in states
            if not types or group.group_type.value in types
        ]
        response = ListGroupsResponse(throttle_time_ms=0, error_code=ErrorCode.NONE, groups=listed)
        return Decision(replies=[Reply(asking.ticket, response)])

    # DeleteGroups.

    def delete(self, request: DeleteGroupsRequest, asking: RequestContext, now_ms: int) -> Decision:
        """Offsets go before their group, so that what is left after a crash is a group."""
        records: list[StoredRecord] = []
        results = []
        for group_id in dict.fromkeys(request.groups_names):
            try:
                records += self._deletion(group_id)
                code = int(ErrorCode.NONE)
            except KafkaError as error:
                code = error.code
            results.append(_Deleted(group_id=group_id, error_code=code))
        response = DeleteGroupsResponse(throttle_time_ms=0, results=results)
        return Decision(records, [Reply(asking.ticket, response)])

    def _deletion(self, group_id: str) -> list[StoredRecord]:
        group = self._groups.get(group_id)
        group.check_delete()
        return self._offset_deletes.of_group(group_id) + group.tombstones()


def _not_classic(group_id: str) -> str:
    return f"Group {group_id} is not a classic group."


def _listed(group: Group) -> ListGroupsResponse.ListedGroup:
    return ListGroupsResponse.ListedGroup(
        group_id=group.group_id,
        protocol_type=group.protocol_type,
        group_state=group.state_name,
        group_type=group.group_type.value,
    )


def _described(group: ClassicGroup) -> _Described:
    """Metadata and assignments are shown once they are settled."""
    is_settled = group.state is ClassicState.STABLE
    return _Described(
        error_code=ErrorCode.NONE,
        group_id=group.group_id,
        group_state=group.state_name,
        protocol_type=group.protocol_type,
        protocol_data=(group.protocol_name or "") if is_settled else "",
        members=[
            _member(member, group.protocol_name if is_settled else None)
            for member in group.members.values()
        ],
    )


def _member(member: ClassicMember, protocol_name: str | None) -> _Described.DescribedGroupMember:
    return _Described.DescribedGroupMember(
        member_id=member.member_id,
        group_instance_id=member.instance_id,
        client_id=member.client_id,
        client_host=member.client_host,
        member_metadata=member.metadata(protocol_name),
        member_assignment=member.assignment if protocol_name is not None else b"",
    )
