"""What a share consumer is made with."""

from __future__ import annotations

import pytest

from moldau.client.arguments.share import ShareArguments, place_of
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import UnknownSettingError

RECORD = ConsumerRecord("t", 1, 5, 0, b"k", b"7")


def test_a_record_is_named_by_itself_or_by_its_place():
    assert place_of(RECORD) == place_of(("t", 1, 5)) == (TopicPartition("t", 1), 5)


def test_records_are_read_by_the_deserializers():
    given = ShareArguments("b1:9092", {"group_id": "g", "value_deserializer": "json"})
    assert given.read([RECORD]).records[0].value == 7
    assert ShareArguments("b1:9092", {"group_id": "g"}).read([RECORD]).records == [RECORD]
    assert given.topics("t") == ["t"]


def test_a_wrong_setting_is_refused():
    with pytest.raises(UnknownSettingError, match="share_acquire_mode"):
        ShareArguments("b1:9092", {"group_id": "g", "share_aquire_mode": "x"})
