"""The old way to change settings is looked at as the new one is."""

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.config.alter_configs import handle
from moldau.config.broker.settings import BrokerSettings
from moldau.protocol.messages.config.alter_configs import AlterConfigsRequest, AlterConfigsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.config.test_incremental_alter_configs import FILE, run
from tests.broker.server.controller_asking import Judge

RESOURCE = AlterConfigsRequest.AlterConfigsResource
TOPIC, BROKER, LOGGER = 2, 4, 8


def resource(kind, name, *configs):
    asked = [RESOURCE.AlterableConfig(name=key, value=value) for key, value in configs]
    return RESOURCE(resource_type=kind, resource_name=name, configs=asked)


def ask(*resources, judge=None):
    request = AlterConfigsRequest(resources=list(resources), validate_only=False)
    broker = broker_with(answers=[AlterConfigsResponse(throttle_time_ms=0, responses=[])])
    broker.settings = BrokerSettings(FILE)
    if judge is not None:
        broker.authorizer = judge
    response = run(handle(call_of(request, 2), broker))
    asked = [one.resource_name for sent in broker.metadata.asked for one in sent.resources]
    return [answer.error_code for answer in response.responses], asked


def test_what_looks_sound_goes_to_the_controller():
    assert ask(resource(TOPIC, "t", ("retention.ms", "5")), resource(BROKER, "")) == ([], ["t", ""])


@pytest.mark.parametrize(
    "refused",
    [
        resource(TOPIC, "t", ("retention.ms", None)),
        resource(TOPIC, "t", ("retention.ms", "5"), ("retention.ms", "5")),
        resource(BROKER, "2", ("log.retention.ms", "5")),
        resource(BROKER, "1", ("node.id", "5")),
        resource(LOGGER, "1", ("root", "INFO")),
        resource(3, "x"),
    ],
)
def test_what_does_not_is_refused_here(refused):
    assert ask(refused) == ([ErrorCode.INVALID_REQUEST], [])


def test_who_may_not_is_refused():
    judge = Judge((Operation.ALTER_CONFIGS, Resource.TOPIC, "t"))
    topics = [resource(TOPIC, name, ("retention.ms", "5")) for name in ("t", "u")]
    assert ask(*topics, judge=judge) == ([ErrorCode.TOPIC_AUTHORIZATION_FAILED], ["t"])
