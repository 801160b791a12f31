"""The right that is named where a broker refuses is the one that its request needs."""

from __future__ import annotations

import pytest

from moldau.client.errors import AccessDeniedError, RefusedError, refusal
from moldau.client.rights import right_of
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.wire.error_codes import ErrorCode

TOPIC, GROUP = ErrorCode.TOPIC_AUTHORIZATION_FAILED, ErrorCode.GROUP_AUTHORIZATION_FAILED
CLUSTER = ErrorCode.CLUSTER_AUTHORIZATION_FAILED


@pytest.mark.parametrize(
    ("api_key", "code", "right"),
    [
        (ApiKey.DELETE_TOPICS, TOPIC, "DELETE on the topic"),
        (ApiKey.CREATE_ACLS, CLUSTER, "ALTER on the cluster"),
        (ApiKey.OFFSET_DELETE, GROUP, "DELETE on the group"),
        (ApiKey.OFFSET_DELETE, TOPIC, "READ on the topic"),
        (
            ApiKey.INIT_PRODUCER_ID,
            CLUSTER,
            "IDEMPOTENT_WRITE on the cluster, or WRITE on the topic",
        ),
        (-1, TOPIC, "DESCRIBE and READ on the topic"),
        (ApiKey.PRODUCE, ErrorCode.NOT_CONTROLLER, None),
    ],
)
def test_each_request_has_its_right(api_key, code, right):
    assert right_of(code, api_key) == right


def test_a_refusal_names_it_and_keeps_the_code():
    error = refusal("rule x", CLUSTER, "no", ApiKey.DELETE_ACLS)
    assert isinstance(error, AccessDeniedError)
    assert (
        str(error)
        == "not allowed to use the cluster: its administrator can grant ALTER on the cluster"
    )
    assert error.error is CLUSTER
    other = refusal("topic t", ErrorCode.NOT_CONTROLLER, "no", ApiKey.DELETE_TOPICS)
    assert isinstance(other, RefusedError)
