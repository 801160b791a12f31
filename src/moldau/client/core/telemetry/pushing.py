"""Pushes the metrics that brokers subscribe to, as long as the client lives (KIP-714).

The first question comes after a while: a client that lives for a moment has nothing to report. What
a broker subscribes to has an id; it refuses a push under another one, and is asked again. A broker
that does not know these requests is not asked a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping

from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask, Asks, Pause, Received, Step
from moldau.client.core.telemetry.meter import Point
from moldau.client.errors import UnsupportedVersionError
from moldau.protocol.messages.config.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
    GetTelemetrySubscriptionsResponse,
)
from moldau.protocol.messages.config.push_telemetry import (
    PushTelemetryRequest,
    PushTelemetryResponse,
)
from moldau.protocol.otlp import Number, Series, metrics_data
from moldau.protocol.records.compression import CODECS, Codec, compress
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

__all__ = ["FIRST_QUESTION_MS", "Pushing"]

FIRST_QUESTION_MS = 1000
RETRY_MS = 300_000
"""After an error, as Java's clients wait."""
EARLIEST, SPREAD = 0.5, 1.0
"""The first push comes after half to one and a half intervals, not with all other clients'."""
ALL = ([""], ["*"])
ASK_AGAIN = (ErrorCode.UNKNOWN_SUBSCRIPTION_ID, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE)
LATER = (ErrorCode.THROTTLING_QUOTA_EXCEEDED, ErrorCode.TELEMETRY_TOO_LARGE)
Wanted = GetTelemetrySubscriptionsResponse


class Pushing:
    """One client's subscription to metrics, and what it pushes next."""

    def __init__(
        self,
        context: ClientContext,
        kind: str,
        resource: Mapping[str, str],
        wall_ms: Callable[[], int],
    ) -> None:
        self._context = context
        self._prefix = f"org.apache.kafka.{kind}."
        self._resource = resource
        self._wall_ms = wall_ms
        self._start_ms = wall_ms()
        self._instance_id = NULL_UUID
        self._wanted: Wanted | None = None

    def __repr__(self) -> str:
        return f"<Pushing {self._prefix}*: {'asked' if self._wanted else 'not asked'}>"

    def run(self) -> Generator[Step, Received, None]:
        """For ever, or until it is clear that there is no broker to push to."""
        yield Pause(FIRST_QUESTION_MS)
        while True:
            answer = (yield Asks((Ask(self._question()),))).answers[0]
            if isinstance(answer, UnsupportedVersionError):
                return
            if not isinstance(answer, Wanted) or answer.error_code:
                yield Pause(RETRY_MS)
                continue
            if answer.client_instance_id != NULL_UUID:
                self._instance_id = answer.client_instance_id
            if not answer.requested_metrics:
                yield Pause(answer.push_interval_ms)
                continue
            self._wanted = answer
            goes_on = yield from self._push_all(answer)
            self._wanted = None
            if not goes_on:
                return

    def last(self, now_ms: int) -> PushTelemetryRequest | None:
        """Before the client ends; None where nothing is wanted of it."""
        return None if self._wanted is None else self._push(self._wanted, now_ms, is_last=True)

    def _question(self) -> GetTelemetrySubscriptionsRequest:
        return GetTelemetrySubscriptionsRequest(client_instance_id=self._instance_id)

    def _push_all(self, wanted: Wanted) -> Generator[Step, Received, bool]:
        """Until brokers are to be asked again; False if they are not to be."""
        wait_ms = wanted.push_interval_ms * (EARLIEST + SPREAD * self._context.random.random())
        while True:
            now_ms = (yield Pause(wait_ms)).now_ms
            wait_ms = wanted.push_interval_ms
            request = self._push(wanted, now_ms)
            if len(request.metrics) > wanted.telemetry_max_bytes:
                continue
            received = yield Asks((Ask(request),))
            answer = received.answers[0]
            if not isinstance(answer, PushTelemetryResponse):
                continue
            code = ErrorCode.read(answer.error_code)
            if code is ErrorCode.NONE:
                self._context.meter.pushed(received.now_ms)
                self._start_ms = self._wall_ms()
            elif code in ASK_AGAIN:
                return True
            elif code not in LATER and not code.retriable:
                return False

    def _push(self, wanted: Wanted, now_ms: int, *, is_last: bool = False) -> PushTelemetryRequest:
        is_delta = wanted.delta_temporality
        points = self._context.meter.points(now_ms, is_delta=is_delta)
        chosen = [point for point in points if self._is_wanted(wanted, point)]
        wall_ms = self._wall_ms()
        series = [self._series(point) for point in chosen]
        data = metrics_data(series, self._resource, self._start_ms, wall_ms, is_delta=is_delta)
        known = (one for one in wanted.accepted_compression_types if one in KNOWN)
        codec = next(known, Codec.NONE)
        return PushTelemetryRequest(
            client_instance_id=self._instance_id,
            subscription_id=wanted.subscription_id,
            terminating=is_last,
            compression_type=codec,
            metrics=compress(codec, data) if codec else data,
        )

    def _series(self, point: Point) -> Series:
        about = (("node_id", point.node_id),) if point.node_id else ()
        name = f"{self._prefix}{point.name}"
        return Series(name, [Number(point.value, about)], is_sum=point.is_sum)

    def _is_wanted(self, wanted: Wanted, point: Point) -> bool:
        if wanted.requested_metrics in ALL:
            return True
        name = f"{self._prefix}{point.name}"
        return any(name.startswith(prefix) for prefix in wanted.requested_metrics)


KNOWN = frozenset(codec for codec in CODECS if codec)
