"""Causes are in the words of brokers, and under the names that errors have in Java."""

import pytest

from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of
from moldau.protocol.wire.error_codes import ErrorCode


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (RefusedError("topic a", ErrorCode.TOPIC_ALREADY_EXISTS, "it is there"), "it is there"),
        (
            AccessDeniedError("group g", "READ", ErrorCode.GROUP_AUTHORIZATION_FAILED),
            "Group authorization failed.",
        ),
        (MoldauError("all of it"), "all of it"),
    ],
)
def test_a_cause_is_what_the_broker_had_to_object(error, cause):
    assert cause_of(error) == cause


def test_a_cause_has_the_name_of_its_class_in_java():
    error = RefusedError("group g", ErrorCode.NON_EMPTY_GROUP)
    name = "org.apache.kafka.common.errors.GroupNotEmptyException"
    assert java_cause_of(error) == f"{name}: The group is not empty."
    assert java_cause_of(MoldauError("all of it")) == "all of it"
