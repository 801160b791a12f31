"""A broker judges access, form and its own settings, and passes on the rest."""

import logging

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.config.incremental_alter_configs import handle
from moldau.config.broker.settings import BrokerSettings
from moldau.protocol.messages.config.incremental_alter_configs import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import Judge

RESOURCE = IncrementalAlterConfigsRequest.AlterConfigsResource
SET, DELETE, APPEND = range(3)
TOPIC, BROKER, LOGGER = 2, 4, 8
REQUEST = ErrorCode.INVALID_REQUEST
FILE = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "listeners": "PLAINTEXT://:9092,CONTROLLER://:9093",
    "controller.quorum.bootstrap.servers": "localhost:9093",
}

MESSAGES: list[str | None] = []
"""Of the last answer."""


def resource(kind, name, *changes):
    configs = [
        RESOURCE.AlterableConfig(name=key, config_operation=operation, value=value)
        for key, operation, value in changes
    ]
    return RESOURCE(resource_type=kind, resource_name=name, configs=configs)


async def ask(*resources, judge=None, validate_only=False, listener="PLAINTEXT"):
    request = IncrementalAlterConfigsRequest(resources=list(resources), validate_only=validate_only)
    broker = broker_with(
        answers=[IncrementalAlterConfigsResponse(throttle_time_ms=0, responses=[])]
    )
    broker.settings = BrokerSettings(FILE)
    if judge is not None:
        broker.authorizer = judge
    broker.controller_listeners = frozenset({"CONTROLLER"})
    response = await handle(call_of(request, 1, listener), broker)
    asked = [one.resource_name for sent in broker.metadata.asked for one in sent.resources]
    MESSAGES[:] = [answer.error_message for answer in response.responses]
    return [answer.error_code for answer in response.responses], asked


def run(coroutine):
    with pytest.raises(StopIteration) as end:
        coroutine.send(None)
    return end.value.value


@pytest.mark.parametrize(
    "passed",
    [
        resource(TOPIC, "t", ("retention.ms", SET, "5"), ("segment.ms", DELETE, None)),
        resource(BROKER, "", ("log.retention.ms", SET, "5")),
        resource(BROKER, "1", ("listener.name.plaintext.ssl.key.password", SET, "x")),
        resource(BROKER, "1", ("somebodys.plugin", SET, "x")),
    ],
)
def test_what_looks_sound_goes_to_the_controller(passed):
    assert run(ask(passed)) == ([], [passed.resource_name])


@pytest.mark.parametrize(
    "refused",
    [
        resource(TOPIC, "t", ("retention.ms", SET, "5"), ("retention.ms", SET, "6")),
        resource(TOPIC, "t", ("retention.ms", SET, None)),
        resource(TOPIC, "t", ("retention.ms", 9, "5")),
        resource(BROKER, "2", ("log.retention.ms", SET, "5")),
        resource(BROKER, "one", ("log.retention.ms", SET, "5")),
        resource(BROKER, "1", ("num.partitions", SET, "5")),
        resource(BROKER, "", ("advertised.listeners", SET, "PLAINTEXT://h:1")),
        resource(BROKER, "", ("log.retention.ms", SET, "soon")),
        resource(BROKER, "1", ("listeners", SET, "PLAINTEXT://:9092")),
        resource(LOGGER, "", ("root", SET, "INFO")),
        resource(LOGGER, "1", ("root", APPEND, "INFO")),
        resource(0, "x", ("a", SET, "b")),
    ],
)
def test_what_does_not_is_refused_here(refused):
    assert run(ask(refused)) == ([REQUEST], [])


def test_a_controller_takes_what_another_broker_has_checked():
    other = resource(BROKER, "2", ("leader.replication.throttled.rate", DELETE, None))
    assert run(ask(other)) == ([REQUEST], [])
    assert run(ask(other, listener="CONTROLLER")) == ([], ["2"])


def test_who_may_not_change_settings_of_a_resource_is_refused():
    judge = Judge((Operation.ALTER_CONFIGS, Resource.TOPIC, "t"))
    topics = [resource(TOPIC, name, ("retention.ms", SET, "5")) for name in ("t", "u")]
    assert run(ask(*topics, judge=judge)) == ([ErrorCode.TOPIC_AUTHORIZATION_FAILED], ["t"])
    broker = resource(BROKER, "", ("log.retention.ms", SET, "5"))
    assert run(ask(broker, judge=judge)) == ([ErrorCode.CLUSTER_AUTHORIZATION_FAILED], [])
    group = resource(32, "g", ("consumer.session.timeout.ms", SET, "5"))
    assert run(ask(group, judge=judge)) == ([ErrorCode.GROUP_AUTHORIZATION_FAILED], [])


def test_loggers_change_here_and_only_in_earnest():
    logger = logging.getLogger("moldau.a_logger_of_this_test")
    change = resource(LOGGER, "1", (logger.name, SET, "ERROR"))
    assert run(ask(change, validate_only=True)) == ([0], [])
    assert logger.level == logging.NOTSET
    assert run(ask(change)) == ([0], [])
    assert logger.level == logging.ERROR
    assert run(ask(resource(LOGGER, "1", (logger.name, DELETE, None)))) == ([0], [])
    assert logger.level == logging.NOTSET


def test_the_form_comes_before_access_and_access_before_settings_of_brokers():
    denied = Judge()
    twice = resource(TOPIC, "t", ("retention.ms", SET, "5"), ("retention.ms", SET, "6"))
    assert run(ask(twice, judge=denied)) == ([REQUEST], [])
    impossible = resource(BROKER, "1", ("num.partitions", SET, "5"))
    assert run(ask(impossible, judge=denied)) == ([ErrorCode.CLUSTER_AUTHORIZATION_FAILED], [])


def test_a_controller_calls_types_of_resources_that_it_does_not_know_later_ones():
    strange = resource(99, "x", ("a", SET, "b"))
    assert run(ask(strange)) == ([REQUEST], [])
    assert run(ask(strange, listener="CONTROLLER")) == ([ErrorCode.UNSUPPORTED_VERSION], [])


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (
            resource(TOPIC, "t", ("retention.ms", SET, "5"), ("retention.ms", SET, "6")),
            "Error due to duplicate config keys",
        ),
        (
            resource(TOPIC, "t", ("segment.ms", SET, None), ("retention.ms", SET, None)),
            "Null value not supported for : segment.ms,retention.ms",
        ),
    ],
)
def test_a_refusal_of_its_form_reads_as_kafkas(refused, message):
    run(ask(refused))
    assert [message] == MESSAGES
