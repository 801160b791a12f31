"""A decision whose records are encoded already."""

from __future__ import annotations

from moldau.broker.coordinator.encoded_decision import EncodedDecision
from moldau.protocol.messages.group.heartbeat import HeartbeatResponse
from moldau.protocol.messages.stored.offsets import OffsetCommitKey


def test_an_encoded_decision_is_applied_by_its_maker_alone():
    response = HeartbeatResponse(throttle_time_ms=0, error_code=0)
    applied: list[tuple[int, int]] = []
    decision = EncodedDecision(
        OffsetCommitKey, [(b"key", None)], response, lambda offset, ms: applied.append((offset, ms))
    )
    assert decision.response is response
    decision.apply(7, 1_000)
    assert applied == [(7, 1_000)]
