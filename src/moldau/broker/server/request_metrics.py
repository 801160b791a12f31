"""What is counted of every request: Kafka's RequestMetrics.

Times begin with the last byte of the request and end when its answer is handed to the network.
They are kept in microseconds and shown in milliseconds.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.metrics.kinds import Histogram, Meter
from moldau.broker.metrics.registry import Registry
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["RequestMetrics"]

GROUP: Final = "kafka.network"
TYPE: Final = "RequestMetrics"
US_PER_MS: Final = 1000
NS_PER_US: Final = 1000


class RequestMetrics:
    """The metrics of one API and version."""

    __slots__ = ("_api", "_errors", "_registry", "requests", "sizes", "throttle_time", "total_time")

    def __init__(self, registry: Registry, api: str, version: int) -> None:
        self._registry = registry
        self._api = api
        self._errors: dict[int, Meter] = {}
        self.requests: Meter = registry.meter(
            GROUP, TYPE, "RequestsPerSec", request=api, version=str(version)
        )
        self.total_time: Histogram = registry.histogram(
            GROUP, TYPE, "TotalTimeMs", scale=1 / US_PER_MS, request=api
        )
        self.throttle_time: Histogram = registry.histogram(
            GROUP, TYPE, "ThrottleTimeMs", request=api
        )
        self.sizes: Histogram = registry.histogram(GROUP, TYPE, "RequestBytes", request=api)

    def answered(self, elapsed_ns: int) -> None:
        """One is through."""
        self.requests.count += 1
        self.total_time.record(elapsed_ns // NS_PER_US)

    def failed(self, code: int) -> None:
        """The answer as a whole has an error."""
        meter = self._errors.get(code)
        if meter is None:
            name = ErrorCode.read(code).name
            meter = self._errors[code] = self._registry.meter(
                GROUP, TYPE, "ErrorsPerSec", request=self._api, error=name
            )
        meter.count += 1
