"""Records are shown in the columns that properties ask for."""

import pytest

from moldau.client import ConsumerRecord
from moldau.programs.tools.kafka.deserializers import UnreadableError
from moldau.programs.tools.kafka.record_lines import NoOutput, RecordWriter, formatter_class

RECORD = ConsumerRecord("t", 1, 2, 3, b"\xff", None, (("h", b"1"), ("i", None)), 0, 4)
EVERYTHING = {f"print.{one}": "true" for one in ("timestamp", "partition", "offset", "epoch")}


@pytest.mark.parametrize(
    ("properties", "line"),
    [
        ({}, b"null\n"),
        ({"null.literal": "-", "print.key": "true"}, b"\xff\t-\n"),
        (EVERYTHING, b"CreateTime:3\tPartition:1\tOffset:2\tEpoch:4\tnull\n"),
        ({"print.headers": "true", "key.separator": "|"}, b"h:1,i:null|null\n"),
        ({"print.value": "false"}, b""),
    ],
)
def test_columns_are_those_that_are_asked_for(properties, line):
    assert RecordWriter(properties).line(RECORD) == line


def test_numbers_are_read_and_what_is_none_is_refused():
    name = "org.apache.kafka.common.serialization.IntegerDeserializer"
    writer = RecordWriter({"value.deserializer": name})
    assert writer.line(RECORD._replace(value=b"\0\0\0\x07")) == b"7\n"
    with pytest.raises(UnreadableError, match="is not 4"):
        writer.line(RECORD._replace(value=b"7"))


def test_a_formatter_has_kafkas_name():
    assert formatter_class("org.apache.kafka.tools.consumer.NoOpMessageFormatter") is NoOutput
    assert NoOutput({}).line(RECORD) == b""
    with pytest.raises(UnreadableError, match="there are DefaultMessageFormatter"):
        formatter_class("frog")
