"""Subjects by the strategies that Confluent's serializers have."""

from __future__ import annotations

import pytest

from moldau.schemas.data_errors import DataError
from moldau.schemas.subjects import subject_strategy


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("topic", "orders-key"),
        ("record", "shop.Order"),
        ("topic_record", "orders-shop.Order"),
        ("io.confluent.kafka.serializers.subject.TopicRecordNameStrategy", "orders-shop.Order"),
    ],
)
def test_a_strategy_is_found_by_its_short_and_its_java_name(name, subject):
    assert subject_strategy(name)("orders", True, "shop.Order") == subject
    assert subject_strategy("topic")("orders", False, None) == "orders-value"


def test_what_is_no_strategy_or_has_no_name_is_refused():
    with pytest.raises(DataError, match="there are topic, record, topic_record"):
        subject_strategy("moon")
    with pytest.raises(DataError, match="the schema for orders has no name"):
        subject_strategy("record")("orders", False, None)
