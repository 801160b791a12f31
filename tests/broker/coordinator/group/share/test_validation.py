"""A ShareGroupHeartbeat has to make sense by itself."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.share.validation import check_heartbeat
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode


def heartbeat(**fields):
    whole = {"group_id": "g", "member_id": "m", "member_epoch": 0, "subscribed_topic_names": ["t"]}
    return ShareGroupHeartbeatRequest(**{**whole, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"group_id": " "},
        {"member_id": ""},
        {"rack_id": ""},
        {"rack_id": " "},
        {"member_epoch": -2},
        {"subscribed_topic_names": None},
        {"subscribed_topic_names": []},
    ],
)
def test_what_lacks_or_contradicts_is_refused(fields):
    with pytest.raises(KafkaError) as refused:
        check_heartbeat(heartbeat(**fields))
    assert refused.value.code == ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(
    "fields", [{}, {"rack_id": "r"}, {"member_epoch": 5, "subscribed_topic_names": None}]
)
def test_what_makes_sense_passes(fields):
    check_heartbeat(heartbeat(**fields))
