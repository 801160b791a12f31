"""Quotas are found by conditions on their entities."""

import pytest

from moldau.protocol.messages.config.describe_client_quotas import DescribeClientQuotasRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled
from tests.broker.server.images import image_of, quota

CONDITION = DescribeClientQuotasRequest.ComponentData
IMAGE = image_of(
    quota(1.0, user="u"),
    quota(2.0, user=None),
    quota(3.0, user="u", client_id="c"),
    quota(4.0, client_id="c"),
)
MODULE = "quota.describe_client_quotas"


def ask(*conditions, strict=False):
    request = DescribeClientQuotasRequest(
        components=[
            CONDITION(entity_type=kind, match_type=how, match=name)
            for kind, how, name in conditions
        ],
        strict=strict,
    )
    answer, _ = handled(MODULE, request, image=IMAGE)
    if answer.error_code:
        assert answer.entries is None
        return answer.error_code
    return sorted(entry.values[0].value for entry in answer.entries)


@pytest.mark.parametrize(
    ("conditions", "strict", "found"),
    [
        ((), False, [1.0, 2.0, 3.0, 4.0]),
        ((), True, []),
        ((("user", 0, "u"),), False, [1.0, 3.0]),
        ((("user", 0, "u"),), True, [1.0]),
        ((("user", 1, None),), False, [2.0]),
        ((("user", 2, None),), False, [1.0, 2.0, 3.0]),
        ((("user", 2, None), ("client-id", 2, None)), True, [3.0]),
        ((("client-id", 0, "c"),), True, [4.0]),
        ((("ip", 2, None),), False, []),
    ],
)
def test_entities_meet_all_conditions_and_if_strict_have_no_other_parts(conditions, strict, found):
    assert ask(*conditions, strict=strict) == found


@pytest.mark.parametrize(
    ("conditions", "code"),
    [
        ((("shoe", 0, "u"),), ErrorCode.UNSUPPORTED_VERSION),
        ((("", 2, None),), ErrorCode.INVALID_REQUEST),
        ((("user", 7, "u"),), ErrorCode.INVALID_REQUEST),
        ((("user", 0, None),), ErrorCode.INVALID_REQUEST),
        ((("user", 1, "u"),), ErrorCode.INVALID_REQUEST),
        ((("user", 0, "u"), ("user", 0, "v")), ErrorCode.INVALID_REQUEST),
        ((("user", 0, "u"), ("ip", 2, None)), ErrorCode.INVALID_REQUEST),
    ],
)
def test_conditions_that_make_no_sense_are_refused(conditions, code):
    assert ask(*conditions) == code


def test_who_may_not_see_settings_is_refused():
    request = DescribeClientQuotasRequest(components=[], strict=False)
    assert handled(MODULE, request, judge=Judge())[0] == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
