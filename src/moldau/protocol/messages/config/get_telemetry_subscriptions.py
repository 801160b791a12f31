"""Ask which metrics a client should push; called by clients, first of all for an id (KIP-714).

Any broker answers, if it has a telemetry plugin; otherwise the API is not even advertised.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bool, Int8, Int16, Int32, String, Uuid


class GetTelemetrySubscriptionsRequest(
    Request, key=71, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks which metrics the cluster subscribes to from this client."""

    client_instance_id: Uuid
    """All zero the first time: the broker makes it up."""


class GetTelemetrySubscriptionsResponse(Response, key=71, versions="0", flexible="0+"):
    """Answers with prefixes, interval and accepted codecs."""

    throttle_time_ms: Int32
    error_code: Int16
    client_instance_id: Uuid
    """The new id; all zero if the client has one."""
    subscription_id: Int32
    """Changes with the subscription; every push repeats it."""
    accepted_compression_types: list[Int8]
    """Codes as in record batches, the preferred one first."""
    push_interval_ms: Int32
    telemetry_max_bytes: Int32
    delta_temporality: Bool
    """Counters are wanted as differences, else as totals."""
    requested_metrics: list[String]
    """Prefixes of names. None: push nothing. One empty: push all."""
