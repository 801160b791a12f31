"""Settings are shown with their sources, and secrets are not."""

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.config.describe_configs import ANSWERS_MAX, handle
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import KafkaError
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.config.describe_configs import DescribeConfigsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.config.test_incremental_alter_configs import FILE
from tests.broker.server.controller_asking import Judge
from tests.broker.server.images import config, image_of, topic

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
IMAGE = image_of(
    *topic("t"),
    config(TOPIC, "t", "retention.ms", "5"),
    config(BROKER, "", "log.retention.ms", "6"),
    config(BROKER, "1", "ssl.key.password", "secret"),
    config(METRICS, "m", "interval.ms", "1000"),
    config(GROUP, "g", "consumer.session.timeout.ms", "50000"),
)


def ask(kind, name, keys=None, judge=None, **wishes):
    asked = DescribeConfigsRequest.DescribeConfigsResource(
        resource_type=kind, resource_name=name, configuration_keys=keys
    )
    broker = broker_with(IMAGE)
    broker.settings = BrokerSettings({**FILE, "log.retention.ms": "6"})
    broker.started_with = FILE
    if judge is not None:
        broker.authorizer = judge
    request = DescribeConfigsRequest(resources=[asked], **wishes)
    return run(lambda tasks: handle(call_of(request, 4), broker)).results[0]


def test_the_same_question_is_answered_a_few_times_and_no_more():
    asked = [
        DescribeConfigsRequest.DescribeConfigsResource(
            resource_type=TOPIC, resource_name="t", configuration_keys=keys
        )
        for keys in [None] * 100 + [["retention.ms"]]
    ]
    request = DescribeConfigsRequest(resources=asked)

    async def main(tasks):
        broker = broker_with(IMAGE, tasks=tasks)
        broker.settings, broker.started_with = BrokerSettings(FILE), FILE
        return await handle(call_of(request, 4), broker)

    answers = run(main).results
    assert [len(answer.configs) for answer in answers[ANSWERS_MAX:]] == [1]


def shown(result, name):
    return next(one for one in result.configs if one.name == name)


@pytest.mark.parametrize(
    ("kind", "name", "key", "value", "source"),
    [
        (TOPIC, "t", "retention.ms", "5", 1),
        (TOPIC, "t", "segment.ms", "604800000", 5),
        (BROKER, "1", "log.retention.ms", "6", 3),
        (BROKER, "1", "node.id", "1", 4),
        (BROKER, "", "log.retention.ms", "6", 3),
        (METRICS, "m", "interval.ms", "1000", 7),
        (GROUP, "g", "consumer.session.timeout.ms", "50000", 8),
    ],
)
def test_a_value_is_reported_with_where_it_was_set(kind, name, key, value, source):
    setting = shown(ask(kind, name), key)
    assert (setting.value, setting.config_source) == (value, source)


def test_only_keys_that_are_asked_for_are_reported():
    assert [one.name for one in ask(TOPIC, "t", ["retention.ms", "gone"]).configs] == [
        "retention.ms"
    ]


def test_one_unknown_type_of_resource_spoils_the_whole_request():
    of = DescribeConfigsRequest.DescribeConfigsResource
    resources = [
        of(resource_type=kind, resource_name="t", configuration_keys=None) for kind in (TOPIC, 99)
    ]
    call = call_of(DescribeConfigsRequest(resources=resources), 4)
    with pytest.raises(KafkaError) as refusal:
        run(lambda tasks: handle(call, broker_with(IMAGE)))
    assert refusal.value.code == ErrorCode.INVALID_REQUEST


def test_no_keys_are_all_keys():
    assert len(ask(TOPIC, "t", []).configs) == len(ask(TOPIC, "t", None).configs) > 1


def test_synonyms_and_documentation_come_on_demand():
    plain = shown(ask(TOPIC, "t"), "retention.ms")
    full = shown(ask(TOPIC, "t", include_synonyms=True, include_documentation=True), "retention.ms")
    assert (plain.synonyms, plain.documentation) == ([], None)
    assert [synonym.source for synonym in full.synonyms][:2] == [1, 3]
    assert full.documentation


def test_what_was_changed_since_the_start_does_not_count_as_set_in_the_file():
    setting = shown(
        ask(BROKER, "1", ["log.retention.ms"], include_synonyms=True), "log.retention.ms"
    )
    assert [one.source for one in setting.synonyms] == [3, 5]


def test_secrets_are_not_reported():
    setting = shown(ask(BROKER, "1", include_synonyms=True), "ssl.key.password")
    assert (setting.value, setting.is_sensitive, setting.synonyms[0].value) == (None, True, None)


def test_loggers_are_reported_by_their_own_node():
    assert shown(ask(LOGGER, "1"), "root").config_source == 6
    assert ask(LOGGER, "2").error_code == ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(
    ("kind", "name", "code"),
    [
        (TOPIC, "gone", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (TOPIC, "a b", ErrorCode.INVALID_TOPIC_EXCEPTION),
        (BROKER, "2", ErrorCode.INVALID_REQUEST),
        (METRICS, "", ErrorCode.INVALID_REQUEST),
        (GROUP, "", ErrorCode.INVALID_REQUEST),
    ],
)
def test_what_cannot_be_reported_is_refused_by_itself(kind, name, code):
    result = ask(kind, name)
    assert (result.error_code, result.configs) == (code, [])


def test_who_may_not_see_a_resource_is_refused():
    judge = Judge((Operation.DESCRIBE_CONFIGS, Resource.TOPIC, "t"))
    assert ask(TOPIC, "t", judge=judge).error_code == 0
    assert ask(BROKER, "1", judge=judge).error_code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
