"""Closed sets, and how they are chosen from."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.choices import (
    AccessOperation,
    ConfigType,
    GroupType,
    ResourceType,
    chosen,
    chosen_group_type,
    operations_of,
)
from moldau.client.errors import InvalidArgumentError


def test_a_choice_is_given_as_such_or_by_its_name():
    assert chosen(ResourceType, "client-metrics") is ResourceType.CLIENT_METRICS
    assert chosen(ResourceType, ResourceType.TOPIC) is ResourceType.TOPIC
    with pytest.raises(InvalidArgumentError, match="there are topic, broker, broker_logger"):
        chosen(ResourceType, "topics")


def test_a_number_of_a_newer_cluster_is_unknown():
    assert ConfigType(77) is ConfigType.UNKNOWN


def test_operations_are_bits_or_were_not_asked_for():
    assert operations_of(1 << 3 | 1 << 8) == frozenset(
        {AccessOperation.READ, AccessOperation.DESCRIBE}
    )
    assert operations_of(-(2**31)) is None


def test_types_of_groups_come_in_any_case_of_letters():
    assert GroupType.of("Consumer") is GroupType.CONSUMER
    assert GroupType.of("") is GroupType.UNKNOWN
    assert chosen_group_type("share") is GroupType.SHARE
    with pytest.raises(InvalidArgumentError, match="classic, consumer, share, streams"):
        chosen_group_type("connect")
