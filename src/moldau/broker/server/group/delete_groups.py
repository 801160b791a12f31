"""DeleteGroups: forget groups that have no members, with their offsets.

Versions 0-2. Groups of every kind; each has its own error. A share group's state goes before it.
"""

from __future__ import annotations

from functools import partial

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group
from moldau.broker.server.share.preparation import forget_group
from moldau.broker.server.slices import Pace
from moldau.errors import KafkaError
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest, DeleteGroupsResponse

Result = DeleteGroupsResponse.DeletableGroupResult


async def handle(call: Call[DeleteGroupsRequest], broker: Broker) -> DeleteGroupsResponse:
    request = call.request
    names = dict.fromkeys(request.groups_names)
    results = await Pace(broker).each(partial(_delete, call, broker), names)
    return DeleteGroupsResponse(throttle_time_ms=0, results=results)


async def _delete(call: Call, broker: Broker, group_id: str) -> Result:
    question = DeleteGroupsRequest(groups_names=[group_id])
    try:
        check_group(call, broker, group_id, Operation.DELETE)
        if broker.share_states is not None:
            await forget_group(broker, group_id)
        answer = await ask_group(call, broker, group_id, DeleteGroupsResponse, request=question)
    except KafkaError as error:
        return Result(group_id=group_id, error_code=error.code)
    (result,) = answer.results
    return result
