"""ListGroups: the groups that this broker coordinates.

Versions 0-5. All of them for who may describe the cluster, otherwise those that the caller may
describe. While a part of them is being loaded there is an error instead of half a list.
"""

from __future__ import annotations

from typing import cast

from moldau.messages.group.list_groups import ListGroupsRequest, ListGroupsResponse
from moldau.security.access import CLUSTER_NAME, Operation, Resource
from moldau.server.asking_groups import may
from moldau.server.broker import Broker
from moldau.server.call import Call


async def handle(call: Call, broker: Broker) -> ListGroupsResponse:
    request = cast("ListGroupsRequest", call.request)
    answers = []
    if broker.groups is not None:
        answers = await broker.groups.ask_each(request, version=call.version)
    groups = [group for answer in answers for group in answer.groups]
    allows = broker.authorizer.allows
    if not allows(call, Operation.DESCRIBE, Resource.CLUSTER, CLUSTER_NAME):
        groups = [one for one in groups if may(call, broker, Operation.DESCRIBE, one.group_id)]
    return ListGroupsResponse(throttle_time_ms=0, error_code=0, groups=groups)
