"""What is denied is noted, but for questions that only choose the next one."""

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.audit.judging import AuditedAuthorizer
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.server.asking import call_of
from tests.broker.server.controller_asking import Judge

PRODUCE = call_of(ProduceRequest(acks=1, timeout_ms=1, topic_data=[]), 9)
CREATE = call_of(CreateTopicsRequest(topics=[]), 7)
ALL = call_of(MetadataRequest(topics=None), 12)
ONE = call_of(MetadataRequest(topics=[]), 12)


def noted(caller, operation, resource, name, *rules):
    found = []
    judge = AuditedAuthorizer(Judge(*rules), lambda *decision: found.append(decision))
    return judge.allows(caller, operation, resource, name), found


def test_a_denial_is_noted_and_a_permission_is_not():
    asked = (PRODUCE, Operation.WRITE, Resource.TOPIC, "t")
    assert noted(*asked) == (False, [asked])
    assert noted(*asked, (Operation.WRITE,)) == (True, [])


@pytest.mark.parametrize(
    ("caller", "operation", "resource", "count"),
    [
        (CREATE, Operation.CREATE, Resource.CLUSTER, 0),
        (CREATE, Operation.CREATE, Resource.TOPIC, 1),
        (ALL, Operation.DESCRIBE, Resource.TOPIC, 0),
        (ONE, Operation.DESCRIBE, Resource.TOPIC, 1),
    ],
)
def test_a_question_that_only_chooses_the_next_is_none(caller, operation, resource, count):
    is_allowed, found = noted(caller, operation, resource, "x")
    assert (is_allowed, len(found)) == (False, count)


def test_a_denial_of_anything_of_a_kind_is_noted_with_a_star():
    found = []
    judge = AuditedAuthorizer(Judge(), lambda *decision: found.append(decision[3]))
    assert not judge.allows_any(PRODUCE, Operation.WRITE, Resource.TOPIC)
    assert found == ["*"]
    assert judge.allowed(PRODUCE, Resource.TOPIC, "t") == 1
