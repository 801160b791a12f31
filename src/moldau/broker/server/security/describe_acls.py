"""DescribeAcls: the access rules that one filter matches, gathered by resource.

Versions 1-3. Answered from this node's image, if the cluster has an authorizer at all.
"""

from __future__ import annotations

from moldau.broker.controller.security.acl_filters import matches
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import require, require_authorizer
from moldau.protocol.messages.security.describe_acls import (
    DescribeAclsRequest,
    DescribeAclsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

Resource = DescribeAclsResponse.DescribeAclsResource


def handle(call: Call[DescribeAclsRequest], broker: Broker) -> DescribeAclsResponse:
    request = call.request
    require_authorizer(broker)
    require(call, broker, Operation.DESCRIBE)
    found: dict[tuple[int, str, int], list[Resource.AclDescription]] = {}
    for rule in broker.metadata.image.acls.by_id.values():
        if matches(rule, request):
            place = (rule.resource_type, rule.resource_name, rule.pattern_type)
            found.setdefault(place, []).append(
                Resource.AclDescription(
                    principal=rule.principal,
                    host=rule.host,
                    operation=rule.operation,
                    permission_type=rule.permission_type,
                )
            )
    resources = [
        Resource(resource_type=kind, resource_name=name, pattern_type=pattern, acls=acls)
        for (kind, name, pattern), acls in found.items()
    ]
    return DescribeAclsResponse(
        throttle_time_ms=0, error_code=ErrorCode.NONE, error_message=None, resources=resources
    )
