"""What the kinds of groups share."""

from __future__ import annotations

import pytest

from moldau.coordinator.group.groups import Groups, GroupWorld
from moldau.errors import KafkaError


def test_a_group_that_is_not_there_is_named_in_the_refusal():
    groups = Groups(GroupWorld(None, None, lambda: None))  # type: ignore[arg-type]
    with pytest.raises(KafkaError, match="Group orders not found"):
        groups.get("orders")
