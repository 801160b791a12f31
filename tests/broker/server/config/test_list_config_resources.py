"""Which resources have settings."""

import pytest

from moldau.protocol.messages.config.list_config_resources import ListConfigResourcesRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled
from tests.broker.server.images import broker, config, image_of, topic

IMAGE = image_of(
    broker(1),
    *topic("t"),
    config(16, "m", "interval.ms", "1000"),
    config(32, "g", "consumer.session.timeout.ms", "50000"),
)
MODULE = "config.list_config_resources"


def ask(*kinds, version=1):
    request = ListConfigResourcesRequest(resource_types=list(kinds))
    response, _ = handled(MODULE, request, version=version, image=IMAGE)
    found = [(one.resource_type, one.resource_name) for one in response.config_resources]
    return response.error_code, found


EVERYTHING = [(2, "t"), (4, "1"), (8, "1"), (16, "m"), (32, "g")]


@pytest.mark.parametrize(
    ("kinds", "found"), [((), EVERYTHING), ((16,), [(16, "m")]), ((32, 2), [(2, "t"), (32, "g")])]
)
def test_resources_are_reported_by_type(kinds, found):
    assert ask(*kinds) == (0, found)


def test_version_0_knows_subscriptions_alone():
    assert ask(version=0) == (0, [(16, "m")])


def test_an_unknown_type_is_refused():
    assert ask(2, 77) == (ErrorCode.UNSUPPORTED_VERSION, [])


def test_who_may_not_see_settings_is_refused():
    request = ListConfigResourcesRequest(resource_types=[])
    refused, _ = handled(MODULE, request, judge=Judge())
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
