"""What the kinds of groups share."""

from __future__ import annotations

import pytest

from moldau.errors import KafkaError
from tests.broker.coordinator.group.coordinator import Coordinator


def test_a_group_that_is_not_there_is_named_in_the_refusal():
    with pytest.raises(KafkaError, match="Group orders not found"):
        Coordinator().shard.groups.get("orders")
