"""Markers wait for replicas, and those for group offsets go to their coordinator."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.server.transaction.markers import Marker, write_marker
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.data_broker import DataBroker, result_of

MARKER = Marker(9, 0, is_commit=True, coordinator_epoch=3)
TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}


class Groups:
    """A group coordinator that notes its calls, or refuses it."""

    def __init__(self, code: int = 0) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._code = code

    async def complete_transaction(self, *arguments: Any, transaction_version: int) -> None:
        if self._code:
            raise KafkaError(self._code)
        self.calls.append(arguments)


@pytest.mark.parametrize(
    ("code", "answered"),
    [
        (0, 0),
        (ErrorCode.NOT_COORDINATOR, ErrorCode.NOT_LEADER_OR_FOLLOWER),
        (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
    ],
)
def test_offsets_of_groups_are_settled_by_their_coordinator(code, answered):
    async def scenario(broker: DataBroker):
        groups = broker.broker.groups = Groups(code)
        codes = await write_marker(broker.broker, MARKER, [("__consumer_offsets", 4)])
        return codes, groups.calls

    codes, calls = result_of(scenario)
    assert codes == {("__consumer_offsets", 4): answered}
    assert calls == ([] if code else [(4, 9, 0, MARKER.end)])


@pytest.mark.parametrize(
    ("follower_end", "code"), [(1, ErrorCode.NONE), (0, ErrorCode.REQUEST_TIMED_OUT)]
)
def test_a_marker_counts_when_it_is_replicated(follower_end, code):
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        partition = broker.partition("topic")

        def follow() -> None:
            partition.followers[2].log_end_offset = follower_end
            if partition.advance_high_watermark():
                partition.wake()

        broker.tasks.after(10, follow)
        return await write_marker(broker.broker, MARKER, [("topic", 0)])

    assert result_of(scenario, request_timeout_ms=1000) == {("topic", 0): code}
