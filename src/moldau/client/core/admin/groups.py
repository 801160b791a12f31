"""Which groups there are; deleting them, and removing members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeVar

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import GroupType, chosen_group_type
from moldau.client.core.admin.cluster import broker_ids
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import AtBroker, Coordinators
from moldau.client.core.dialogue import GIVE_WAY, Dialogue
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest, DeleteGroupsResponse
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest, LeaveGroupResponse
from moldau.protocol.messages.group.list_groups import ListGroupsRequest, ListGroupsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Request

__all__ = [
    "ListedGroup",
    "MemberToRemove",
    "delete_groups",
    "describe_rows",
    "group_names",
    "group_noun",
    "list_groups",
    "remove_members",
]

View = TypeVar("View")
STATES_SINCE, TYPES_SINCE = 4, 5
MEMBERS_SINCE = 3
Leaving = LeaveGroupRequest.MemberIdentity
ListedRow = ListGroupsResponse.ListedGroup
ROWS_AT_ONCE = 500
"""A millisecond of work; a cluster may have thousands of groups."""
LOADING = frozenset({ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, ErrorCode.COORDINATOR_NOT_AVAILABLE})


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """A group, in short."""

    group_id: str
    type: GroupType
    state: str
    """As the coordinator names it: Stable, Empty, …; empty where the broker is too old."""
    protocol_type: str
    """`consumer` for consumers of the classic protocol; empty for groups that only commit."""

    @property
    def is_simple(self) -> bool:
        """Without members: offsets are kept under its name from outside."""
        return self.type in (GroupType.CLASSIC, GroupType.UNKNOWN) and not self.protocol_type


class MemberToRemove(NamedTuple):
    """A static member by its instance id, or a dynamic one by its member id."""

    instance_id: str | None = None
    member_id: str = ""


class _Described(Protocol):
    """What the describing answers of all kinds of groups have in common."""

    @property
    def groups(self) -> Sequence[Any]: ...


def group_noun(name: str) -> str:
    return f"group {name}"


def group_names(given: str | Iterable[str]) -> list[str]:
    """One name may stand for a list of it."""
    return [given] if isinstance(given, str) else list(given)


def describe_rows(
    call: AdminCall,
    names: str | Iterable[str],
    what: str,
    request: Callable[[Sequence[str]], Request],
    view: Callable[[AdminCall, Any], View],
) -> Dialogue[Outcomes[str, View]]:
    """A view of each group, made of its row in what its coordinator answers."""

    def read(answer: _Described, asked: Sequence[str]) -> Iterator[tuple[str, View | Failure]]:
        for row in answer.groups:
            yield row.group_id, failure_or(row.error_code, row.error_message, view(call, row))

    plan = Plan(
        what=what,
        route=Coordinators[str](lambda name: name),
        request=request,
        read=read,
        noun=group_noun,
    )
    return fulfil(call, plan, group_names(names))


@declared
def list_groups(
    call: AdminCall,
    *,
    types: Iterable[GroupType | str] | None = None,
    states: Iterable[str] | None = None,
    protocol_types: Iterable[str] | None = None,
) -> Dialogue[Outcomes[str, ListedGroup]]:
    """List the groups of all brokers; one that fails is an error by its name, `broker 3`."""
    kinds = [chosen_group_type(kind) for kind in types or ()]
    wanted_states, wanted_protocols = list(states or ()), protocol_types and list(protocol_types)

    def request(nodes: Sequence[int]) -> ListGroupsRequest:
        return ListGroupsRequest(
            states_filter=wanted_states, types_filter=[str(kind) for kind in kinds]
        )

    since = TYPES_SINCE if kinds else STATES_SINCE if wanted_states else 0
    plan = Plan(
        what="listing groups",
        route=AtBroker[int](lambda node: node),
        request=request,
        read=_listed,
        noun=lambda node: f"broker {node}",
        retried=LOADING,
        oldest=lambda node: since,
        alone=True,
    )
    nodes = yield from broker_ids(call)
    per_broker = yield from fulfil(call, plan, nodes)
    if not per_broker.values and per_broker.errors:
        per_broker.all()
    outcomes: Outcomes[str, ListedGroup] = Outcomes()
    for index, row in enumerate(chain.from_iterable(per_broker.values.values())):
        if index and index % ROWS_AT_ONCE == 0:
            yield GIVE_WAY
        if wanted_protocols is None or row.protocol_type in wanted_protocols:
            outcomes.values[row.group_id] = _group_of(row)
    outcomes.errors = {f"broker {node}": why for node, why in per_broker.errors.items()}
    return outcomes


@declared
def delete_groups(call: AdminCall, names: str | Iterable[str]) -> Dialogue[Outcomes[str, None]]:
    """Delete groups of every type; they must have no members."""
    plan = Plan(
        what="deleting groups",
        route=Coordinators[str](lambda name: name),
        request=lambda names: DeleteGroupsRequest(groups_names=list(names)),
        read=_deleted,
        noun=group_noun,
    )
    return fulfil(call, plan, [names] if isinstance(names, str) else names)


@declared
def remove_members(
    call: AdminCall,
    group: str,
    members: Iterable[MemberToRemove],
    reason: str = "",
) -> Dialogue[Outcomes[MemberToRemove, None]]:
    """Remove members of a classic group."""
    why = reason or "removed by an administrator"

    def request(leaving: Sequence[MemberToRemove]) -> LeaveGroupRequest:
        rows = [
            Leaving(member_id=one.member_id, group_instance_id=one.instance_id, reason=why)
            for one in leaving
        ]
        return LeaveGroupRequest(group_id=group, members=rows)

    plan = Plan(
        what=f"removing members of group {group}",
        route=Coordinators[MemberToRemove](lambda member: group),
        request=request,
        read=_removed,
        noun=lambda one: f"member {one.instance_id or one.member_id} of group {group}",
        oldest=lambda member: MEMBERS_SINCE,
    )
    return fulfil(call, plan, list(members))


def _listed(
    answer: ListGroupsResponse, nodes: Sequence[int]
) -> Iterator[tuple[int, list[ListedRow] | Failure]]:
    yield nodes[0], failure_or(answer.error_code, None, answer.groups)


def _group_of(row: ListedRow) -> ListedGroup:
    return ListedGroup(
        row.group_id, GroupType.of(row.group_type), row.group_state, row.protocol_type
    )


def _deleted(
    answer: DeleteGroupsResponse, names: Sequence[str]
) -> Iterator[tuple[str, Failure | None]]:
    for row in answer.results:
        yield row.group_id, failure_or(row.error_code, None, None)


def _removed(
    answer: LeaveGroupResponse, members: Sequence[MemberToRemove]
) -> Iterator[tuple[MemberToRemove, Failure | None]]:
    if answer.error_code:
        yield from ((member, Failure(ErrorCode.read(answer.error_code))) for member in members)
        return
    for member, row in zip(members, answer.members, strict=True):
        yield member, failure_or(row.error_code, None, None)
