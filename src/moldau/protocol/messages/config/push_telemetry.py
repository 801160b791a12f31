"""Push a client's metrics to the cluster; called by clients at the interval agreed (KIP-714).

Any broker answers and hands the bytes to its plugin. A changed subscription is
UNKNOWN_SUBSCRIPTION_ID, upon which the client asks GetTelemetrySubscriptions again.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bool, ByteView, Int8, Int16, Int32, Uuid


class PushTelemetryRequest(Request, key=72, versions="0", flexible="0+", listeners=("broker",)):
    """Delivers metrics in OTLP form."""

    client_instance_id: Uuid
    subscription_id: Int32
    terminating: Bool
    """The client's last push; it may come before its time."""
    compression_type: Int8
    """Code as in record batches."""
    metrics: ByteView
    """OpenTelemetry MetricsData v1 in protobuf, compressed as `compression_type` has it."""


class PushTelemetryResponse(Response, key=72, versions="0", flexible="0+"):
    """Answers whether they were taken."""

    throttle_time_ms: Int32
    error_code: Int16
