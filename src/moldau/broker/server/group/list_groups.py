"""ListGroups: the groups that this broker coordinates.

Versions 0-5. All of them where the caller may describe the cluster, otherwise those that it may
describe. While a part of them is being loaded there is an error instead of half a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import may
from moldau.broker.server.slices import Pace
from moldau.broker.server.spliced import Splice, SplicedAnswer
from moldau.protocol.messages.group.list_groups import ListGroupsRequest, ListGroupsResponse
from moldau.protocol.wire.schema import Message

STATES = frozenset(
    {
        "assigning",
        "completingrebalance",
        "empty",
        "notready",
        "preparingrebalance",
        "reconciling",
        "stable",
    }
)
"""Of groups of every kind, in small letters."""
TYPES = frozenset(each.value for each in GroupType)
NOTHING = ""
"""Neither a state nor a type."""


AT_ONCE = 100
"""Groups that are encoded before others are served: a quarter of a millisecond."""
Listed = ListGroupsResponse.ListedGroup


async def handle(
    call: Call[ListGroupsRequest], broker: Broker
) -> ListGroupsResponse | SplicedAnswer:
    request = call.request
    answers: list[Message] = []
    pace = Pace(broker)
    request.states_filter = await _known(request.states_filter, STATES, pace)
    request.types_filter = await _known(request.types_filter, TYPES, pace)
    if broker.groups is not None:
        answers = await broker.groups.ask_each(request, version=call.version)
    groups = [group for answer in answers for group in cast("ListGroupsResponse", answer).groups]
    if not broker.authorizer.allows(call, Operation.DESCRIBE, Resource.CLUSTER, CLUSTER_NAME):
        groups = [one for one in groups if may(call, broker, Operation.DESCRIBE, one.group_id)]
    if len(groups) <= AT_ONCE:
        return ListGroupsResponse(throttle_time_ms=0, error_code=0, groups=groups)
    return await _spliced(groups, call.version, pace)


async def _spliced(groups: Sequence[Listed], version: int, pace: Pace) -> SplicedAnswer:
    """The same, encoded a little at a time."""
    splice, elements = _splice(version), []
    for start in range(0, len(groups), AT_ONCE):
        elements.append(splice.elements(groups[start : start + AT_ONCE]))
        if pace.is_over:
            await pace.rest()
    answer = ListGroupsResponse(throttle_time_ms=0, error_code=0, groups=[])
    return SplicedAnswer(answer, splice, len(groups), elements)


@cache
def _splice(version: int) -> Splice:
    blank = ListGroupsResponse(throttle_time_ms=0, error_code=0, groups=[])
    element = Listed(group_id="", protocol_type="", group_state="", group_type="")
    return Splice(blank, "groups", element, version)


async def _known(wanted: list[str], names: frozenset[str], pace: Pace) -> list[str]:
    """What of it can be found at all: each shard goes through it, and there are many."""
    kept = set()
    for name in wanted:
        if name.lower() in names:
            kept.add(name.lower())
        if pace.is_over:
            await pace.rest()
    return sorted(kept) or [NOTHING] * bool(wanted)
