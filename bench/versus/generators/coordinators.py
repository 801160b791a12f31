"""Waits until groups have a coordinator that answers: their internal topic is made when asked for.

A heartbeat of no member is refused with UNKNOWN_MEMBER_ID by a coordinator that has loaded its
groups, and with something else by any other broker.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from bench.versus.asking import Connection
from moldau.protocol.messages.group.find_coordinator import (
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.wire.error_codes import ErrorCode

PATIENCE_S = 60.0
LOOK_EVERY_S = 0.02
FIND_VERSION, HEARTBEAT_VERSION = 4, 4


def await_coordinators(port: int, groups: Iterable[str]) -> None:
    until_s = time.monotonic() + PATIENCE_S
    with Connection(port) as connection:
        for group in groups:
            while not _is_ready(connection, group):
                assert time.monotonic() < until_s, f"{group} has no coordinator"
                time.sleep(LOOK_EVERY_S)


def _is_ready(connection: Connection, group: str) -> bool:
    request = FindCoordinatorRequest(coordinator_keys=[group])
    found = connection.ask(request, FindCoordinatorResponse, FIND_VERSION).coordinators[0]
    if found.error_code:
        return False
    heartbeat = HeartbeatRequest(group_id=group, generation_id=0, member_id="absent")
    answer = connection.ask(heartbeat, HeartbeatResponse, HEARTBEAT_VERSION)
    return answer.error_code == ErrorCode.UNKNOWN_MEMBER_ID
