"""Access rules are described by resource."""

from moldau.protocol.messages.security.describe_acls import DescribeAclsRequest
from moldau.protocol.messages.stored.metadata_security import AccessControlEntryRecord
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled
from tests.broker.server.images import image_of

WITH = {"authorizer_class_name": "ours"}
REQUEST = DescribeAclsRequest(
    resource_type_filter=1,
    resource_name_filter=None,
    pattern_type_filter=1,
    principal_filter="User:u",
    host_filter=None,
    operation=1,
    permission_type=1,
)


def rule(number, resource, principal, operation):
    return AccessControlEntryRecord(
        id=bytes([number]) * 16,
        resource_type=2,
        resource_name=resource,
        pattern_type=3,
        principal=principal,
        host="*",
        operation=operation,
        permission_type=3,
    )


def test_rules_that_match_are_gathered_by_their_resource():
    image = image_of(
        rule(1, "a", "User:u", 3),
        rule(2, "b", "User:u", 3),
        rule(3, "a", "User:u", 4),
        rule(4, "a", "User:v", 4),
    )
    response, _ = handled("security.describe_acls", REQUEST, image=image, **WITH)
    found = {one.resource_name: [acl.operation for acl in one.acls] for one in response.resources}
    assert found == {"a": [3, 4], "b": [3]}


def test_without_an_authorizer_or_the_right_there_is_nothing_to_see():
    refused, _ = handled("security.describe_acls", REQUEST, authorizer_class_name="")
    assert refused == ErrorCode.SECURITY_DISABLED
    refused, _ = handled("security.describe_acls", REQUEST, judge=Judge(), **WITH)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
