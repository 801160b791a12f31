"""Access rules are made for clusters that look at them, by those who may."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.security.create_acls import CreateAclsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled

REQUEST = CreateAclsRequest(creations=[])
WITH = {"authorizer_class_name": "ours"}


def test_rules_go_to_the_controller_if_the_caller_may_alter_the_cluster():
    answer, asked = handled("security.create_acls", REQUEST, **WITH)
    assert (answer, asked) == ("the controller's answer", [REQUEST])
    refused, _ = handled("security.create_acls", REQUEST, judge=Judge((Operation.READ,)), **WITH)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED


def test_without_an_authorizer_there_are_no_rules():
    refused, asked = handled("security.create_acls", REQUEST, authorizer_class_name="")
    assert (refused, asked) == (ErrorCode.SECURITY_DISABLED, [])
