"""Records of Kafka's own topics are shown as JSON by the formatters that Kafka has for them."""

import pytest

from moldau.client import ConsumerRecord
from moldau.programs.tools.kafka.coordinator_lines import (
    GroupWriter,
    OffsetWriter,
    ShareGroupWriter,
    TransactionWriter,
)
from moldau.programs.tools.kafka.deserializers import UnreadableError
from moldau.programs.tools.kafka.record_lines import formatter_class
from moldau.protocol.messages.stored.classic_group import GroupMetadataKey
from moldau.protocol.messages.stored.transaction_log import TransactionLogKey
from moldau.protocol.wire.compile import encode

GROUP = b"\0\2" + encode(GroupMetadataKey(group="g"), 0)
TRANSACTION = b"\0\0" + encode(TransactionLogKey(transactional_id="t"), 0)
SHOWN = b'{"key":{"type":2,"data":{"group":"g"}},"value":null}'


def record(key: bytes | None, value: bytes | None = None) -> ConsumerRecord:
    return ConsumerRecord("t", 0, 7, 0, key, value, (), 0, 0)


def test_a_record_that_was_deleted_has_no_value():
    assert GroupWriter({}).line(record(GROUP)) == SHOWN


def test_a_formatter_is_silent_of_other_types():
    assert OffsetWriter({}).line(record(GROUP)) == b""
    assert ShareGroupWriter({}).line(record(GROUP)) == b""
    assert TransactionWriter({}).line(record(GROUP)) == b""
    assert TransactionWriter({}).line(record(None)) == b""
    assert b'"transactionalId":"t"' in TransactionWriter({}).line(record(TRANSACTION))


@pytest.mark.parametrize("value", [b"\0", b"\x7f\0abc", b"\0\3abc"])
def test_what_cannot_be_read_is_named_by_its_offset(value):
    with pytest.raises(UnreadableError, match="Could not read record at offset 7 due to: "):
        GroupWriter({}).line(record(GROUP, value))


def test_they_have_kafkas_names():
    found = formatter_class("org.apache.kafka.tools.consumer.GroupMetadataMessageFormatter")
    assert found is GroupWriter
