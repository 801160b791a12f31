"""Calls of an admin client as conversations."""

from __future__ import annotations

from random import Random
from typing import Any

from moldau.client.core.admin.calls import AdminCall, AdminContext
from moldau.client.settings.admin import AdminSettings
from moldau.protocol.messages.cluster.describe_cluster import DescribeClusterResponse
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.conversation import Conversation


def call(timeout_ms: int | None = None, **settings: str) -> AdminCall:
    """At time 0; settings by their names with `_` for `.`."""
    given = {name.replace("_", "."): value for name, value in settings.items()}
    if "bootstrap.controllers" not in given:
        given["bootstrap.servers"] = "b1:9092"
    return AdminCall(AdminContext(AdminSettings.of(given), Random(7)), 0, timeout_ms)


def talk(dialogue: Any) -> Any:
    """A `Conversation`, whose requests a test may look into."""
    return Conversation(dialogue)


def coordinators(places: dict[str, int], **codes: ErrorCode) -> FindCoordinatorResponse:
    rows = [
        FindCoordinatorResponse.Coordinator(
            key=key, node_id=node, host=f"b{node}", port=9092, error_code=codes.get(key, 0)
        )
        for key, node in places.items()
    ]
    return FindCoordinatorResponse(coordinators=rows)


def cluster(*nodes: int, controller: int = -1) -> DescribeClusterResponse:
    rows = [
        DescribeClusterResponse.DescribeClusterBroker(broker_id=node, host=f"b{node}", port=9092)
        for node in nodes
    ]
    return DescribeClusterResponse(
        throttle_time_ms=0, error_code=0, cluster_id="c", controller_id=controller, brokers=rows
    )
