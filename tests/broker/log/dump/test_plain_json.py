"""Messages as JSON."""

from __future__ import annotations

import pytest

from moldau.broker.log.dump.plain_json import camel_case, json_text, plain_message
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord, TopicRecord


def test_ids_are_text_and_names_in_camel_case():
    message = TopicRecord(name="orders", topic_id=bytes(15) + b"\1")
    plain = plain_message(message, 0)
    assert plain == {"name": "orders", "topicId": "AAAAAAAAAAAAAAAAAAAAAQ"}
    assert camel_case("partition") == "partition"
    assert camel_case("kraft_version") == "kRaftVersion"


def test_tagged_fields_are_left_out_at_their_defaults():
    message = PartitionChangeRecord(partition_id=3, topic_id=bytes(16), leader=2)
    plain = plain_message(message, 0)
    assert plain["leader"] == 2
    assert "isr" not in plain
    assert list(plain)[:2] == ["partitionId", "topicId"]


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        ({"a": [1, None, True], "b": 'é"\n'}, '{"a":[1,null,true],"b":"é\\"\\n"}'),
        (0.0, "0.0"),
        (1024.5, "1024.5"),
        (1e7, "1.0E7"),
        (123456789.0, "1.23456789E8"),
        (1.5e-5, "1.5E-5"),
        (float("nan"), '"NaN"'),
    ],
)
def test_text_is_spelled_as_jackson_does(plain, text):
    assert json_text(plain) == text
