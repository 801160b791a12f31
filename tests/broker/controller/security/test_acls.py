"""Access rules come once and go by filter."""

import pytest

from moldau.protocol.messages.security.create_acls import CreateAclsRequest
from moldau.protocol.messages.security.delete_acls import DeleteAclsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names


def rule(**values):
    given = {
        "resource_type": 2,
        "resource_name": "t",
        "resource_pattern_type": 3,
        "principal": "User:u",
        "host": "*",
        "operation": 3,
        "permission_type": 3,
    }
    return CreateAclsRequest.AclCreation(**{**given, **values})


def creation(*rules):
    return CreateAclsRequest(creations=list(rules))


def deletion(*names_):
    asked = DeleteAclsRequest.DeleteAclsFilter
    return DeleteAclsRequest(
        filters=[
            asked(resource_type_filter=1, resource_name_filter=name, pattern_type_filter=1,
                  principal_filter=None, host_filter=None, operation=1, permission_type=1)
            for name in names_
        ]
    )  # fmt: skip


def test_a_rule_that_is_there_needs_no_record():
    cluster = Conversation()
    records, reply = cluster.ask(creation(rule(), rule(), rule(operation=4)))
    assert names(records) == ["AccessControlEntry"] * 2
    assert [result.error_code for result in reply.results] == [0, 0, 0]
    assert cluster.ask(creation(rule()))[0] == []


@pytest.mark.parametrize(
    "values",
    [
        {"resource_type": 1},
        {"resource_type": 9},
        {"resource_pattern_type": 1},
        {"resource_name": ""},
        {"resource_type": 4, "resource_name": "my-cluster"},
        {"principal": "unknown"},
        {"operation": 1},
        {"permission_type": 1},
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_by_itself(values):
    records, reply = Conversation().ask(creation(rule(**values), rule()))
    assert [result.error_code for result in reply.results] == [ErrorCode.INVALID_REQUEST, 0]
    assert len(records) == 1


def test_a_rule_that_two_filters_hit_is_reported_twice_and_removed_once():
    cluster = Conversation()
    cluster.ask(creation(rule(), rule(resource_name="u")))
    records, reply = cluster.ask(deletion("t", None, "gone"))
    assert names(records) == ["RemoveAccessControlEntry"] * 2
    assert [len(result.matching_acls) for result in reply.filter_results] == [1, 2, 0]
    assert reply.filter_results[0].matching_acls[0].principal == "User:u"
    assert cluster.image.acls.by_id == {}
