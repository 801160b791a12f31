"""Access rules, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.acls import (
    AclFilter,
    AclRule,
    create_acls,
    delete_acls,
    describe_acls,
)
from moldau.client.core.admin.choices import AccessOperation, ResourceKind
from moldau.protocol.messages.security.delete_acls import DeleteAclsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, cluster, talk

RULE = AclRule("User:a", AccessOperation.READ, ResourceKind.TOPIC, "t")
Result = DeleteAclsResponse.DeleteAclsFilterResult


def test_a_filter_without_words_matches_all():
    request = talk(describe_acls(call())).asked[0][1]
    assert (request.resource_type_filter, request.pattern_type_filter, request.operation) == (
        1,
        1,
        1,
    )
    assert request.principal_filter is None


def test_the_active_controller_is_asked_where_controllers_are():
    held = talk(create_acls(call(bootstrap_controllers="c1:9093"), [RULE]))
    held.receives(cluster(8, controller=8))
    assert held.asked[-1][0] == 8


def test_a_rule_that_could_not_be_deleted_is_an_error_among_those_that_were():
    hit = Result.DeleteAclsMatchingAcl(
        error_code=ErrorCode.KAFKA_STORAGE_ERROR,
        error_message=None,
        resource_type=2,
        resource_name="t",
        principal="User:a",
        host="*",
        operation=3,
        permission_type=3,
    )
    row = Result(error_code=0, error_message=None, matching_acls=[hit])
    held = talk(delete_acls(call(), [AclFilter()]))
    held.receives(DeleteAclsResponse(throttle_time_ms=0, filter_results=[row]))
    assert list(held.result[AclFilter()].errors) == [RULE]


def test_a_filter_for_exactly_one_rule_has_all_of_it():
    wanted = AclFilter.exactly(RULE)
    assert {name: getattr(wanted, name) for name in AclFilter.__slots__} == {
        name: getattr(RULE, name) for name in AclRule.__slots__
    }
