"""Routing in the shard of a group coordinator."""

from __future__ import annotations

import pytest

from moldau.coordinator.group.groups import GroupWorld
from moldau.coordinator.group.shard import GroupShard
from moldau.coordinator.shard import Asking
from moldau.errors import KafkaError
from moldau.messages.group.offset_commit import OffsetCommitResponse


def test_what_is_no_request_of_groups_is_refused():
    shard = GroupShard(GroupWorld(None, None, lambda: None))  # type: ignore[arg-type]
    with pytest.raises(KafkaError, match="OffsetCommitResponse is unknown"):
        shard.decide(OffsetCommitResponse(throttle_time_ms=0, topics=[]), Asking(1, 0), 0)
