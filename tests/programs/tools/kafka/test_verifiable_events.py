"""Events are JSON as Kafka's system tests read it."""

from moldau.client import TopicPartition
from moldau.client.errors import RefusedError, UnknownTopicError
from moldau.programs.tools.kafka.verifiable_events import (
    Events,
    java_class_of,
    parts_shown,
    text_of,
)
from moldau.protocol.wire.error_codes import ErrorCode


def test_an_event_is_a_line_with_its_time_first(world):
    Events(world).write("partitions_assigned", partitions=parts_shown({TopicPartition("ž", 1)}))
    line = world.out.getvalue()
    assert line.startswith('{"timestamp":')
    assert line.endswith(
        ',"name":"partitions_assigned","partitions":[{"topic":"ž","partition":1}]}\n'
    )


def test_bytes_are_read_as_text():
    assert [text_of(None), text_of(b"a"), text_of(b"\xff")] == [None, "a", "\ufffd"]


def test_errors_have_the_names_of_javas():
    errors = "org.apache.kafka.common.errors."
    refused = RefusedError("topic a/b", ErrorCode.INVALID_TOPIC_EXCEPTION)
    assert java_class_of(refused) == f"{errors}InvalidTopicException"
    unknown = UnknownTopicError("a", "is not there")
    assert java_class_of(unknown) == f"{errors}UnknownTopicOrPartitionException"
