"""Settings change one by one or all at once, and nothing is written that is so already."""

import pytest

from moldau.protocol.messages.config.alter_configs import AlterConfigsRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names

SET, DELETE, APPEND, SUBTRACT = range(4)
TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32


def some(kind, name, *changes, validate_only=False):
    resource = IncrementalAlterConfigsRequest.AlterConfigsResource
    configs = [
        resource.AlterableConfig(name=key, config_operation=operation, value=value)
        for key, operation, value in changes
    ]
    asked = resource(resource_type=kind, resource_name=name, configs=configs)
    return IncrementalAlterConfigsRequest(resources=[asked], validate_only=validate_only)


def everything(kind, name, **values):
    resource = AlterConfigsRequest.AlterConfigsResource
    configs = [
        resource.AlterableConfig(name=key.replace("_", "."), value=value)
        for key, value in values.items()
    ]
    asked = resource(resource_type=kind, resource_name=name, configs=configs)
    return AlterConfigsRequest(resources=[asked], validate_only=False)


def with_topic(**settings):
    cluster = Conversation(brokers=1)
    cluster.create("t", (1,), **settings)
    return cluster


def code(reply):
    return reply.responses[0].error_code


def test_a_setting_is_set_once_and_deleted():
    cluster = with_topic()
    records, reply = cluster.ask(some(TOPIC, "t", ("retention.ms", SET, "5")))
    assert (names(records), code(reply)) == (["Config"], 0)
    assert cluster.ask(some(TOPIC, "t", ("retention.ms", SET, "5")))[0] == []
    cluster.ask(some(TOPIC, "t", ("retention.ms", DELETE, None)))
    assert cluster.image.configs.of(TOPIC, "t") == {}
    assert cluster.ask(some(TOPIC, "t", ("retention.ms", DELETE, None)))[0] == []


def test_a_broker_gets_a_record_in_any_case():
    cluster = with_topic()
    for _ in range(2):
        records, _ = cluster.ask(some(BROKER, "1", ("log.retention.ms", SET, "5")))
        assert names(records) == ["Config"]


@pytest.mark.parametrize(
    ("operation", "value", "after"),
    [
        (APPEND, "compact", "delete,compact"),
        (APPEND, "delete", None),
        (APPEND, "compact,delete", "delete,compact"),
        (SUBTRACT, "compact", None),
        (SUBTRACT, "delete", ""),
    ],
)
def test_lists_grow_and_shrink_from_what_is_in_force(operation, value, after):
    cluster = with_topic()
    cluster.ask(some(TOPIC, "t", ("cleanup.policy", operation, value)))
    kept = cluster.image.configs.of(TOPIC, "t").get("cleanup.policy")
    assert kept == ("delete" if after is None else after)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (some(TOPIC, "gone", ("retention.ms", SET, "5")), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (some(BROKER, "9", ("log.retention.ms", SET, "5")), ErrorCode.BROKER_ID_NOT_REGISTERED),
        (some(TOPIC, "t", ("retention.ms", APPEND, "5")), ErrorCode.INVALID_CONFIG),
        (some(METRICS, "m", ("metrics", APPEND, "a")), ErrorCode.INVALID_CONFIG),
        (some(TOPIC, "t", ("retention.ms", SET, None)), ErrorCode.INVALID_REQUEST),
        (some(TOPIC, "t", ("retention.ms", 9, "5")), ErrorCode.INVALID_REQUEST),
        (some(TOPIC, "t", ("nonsense", SET, "5")), ErrorCode.INVALID_CONFIG),
        (some(GROUP, "g", ("nonsense", SET, "5")), ErrorCode.INVALID_CONFIG),
        (some(1, "x", ("a", SET, "b")), ErrorCode.UNSUPPORTED_VERSION),
        (some(BROKER, "", ("ssl.cipher.suites", SET, "x" * 32_768)), ErrorCode.INVALID_CONFIG),
        (everything(TOPIC, "gone", retention_ms="5"), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (everything(TOPIC, "t", retention_ms=None), ErrorCode.INVALID_REQUEST),
    ],
)
def test_a_refusal_leaves_no_record(request_, expected):
    records, reply = with_topic().ask(request_)
    assert (records, code(reply)) == ([], expected)
    assert reply.responses[0].error_message


def test_a_resource_changes_as_a_whole_and_each_by_itself():
    cluster = with_topic()
    request = some(TOPIC, "t", ("retention.ms", SET, "5"), ("segment.ms", SET, "soon"))
    request.resources += some(GROUP, "g", ("consumer.session.timeout.ms", SET, "50000")).resources
    records, reply = cluster.ask(request)
    assert [answer.error_code for answer in reply.responses] == [ErrorCode.INVALID_CONFIG, 0]
    assert [record.resource_name for record in records] == ["g"]


def test_checking_alone_changes_nothing():
    request = some(TOPIC, "t", ("retention.ms", SET, "5"), validate_only=True)
    records, reply = with_topic().ask(request)
    assert (records, code(reply)) == ([], 0)


def test_the_old_way_takes_back_what_it_does_not_name():
    cluster = with_topic(retention_ms="5", segment_ms="6")
    records, _ = cluster.ask(everything(TOPIC, "t", segment_ms="6", flush_ms="7"))
    assert [(record.name, record.value) for record in records] == [
        ("flush.ms", "7"),
        ("retention.ms", None),
    ]


def test_another_minimum_in_sync_forgets_who_is_eligible():
    cluster = Conversation(brokers=2)
    cluster.create("t", (1, 2), min_insync_replicas="2")
    cluster.beat(2, want_fence=True)
    assert cluster.partition("t").eligible_leader_replicas == (2,)
    records, _ = cluster.ask(some(TOPIC, "t", ("min.insync.replicas", DELETE, None)))
    assert names(records) == ["Config", "ClearElr"]
    assert cluster.partition("t").eligible_leader_replicas == ()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            some(TOPIC, "t", ("retention.ms", SET, None)),
            "Null value not supported for : retention.ms",
        ),
        (everything(TOPIC, "t", retention_ms=None), "Null value not supported for : retention.ms"),
        (
            some(TOPIC, "t", ("retention.ms", APPEND, "5")),
            "Can't APPEND to key retention.ms because its type is not LIST.",
        ),
    ],
)
def test_a_refusal_reads_as_kafkas(asked, message):
    assert with_topic().ask(asked)[1].responses[0].error_message == message
