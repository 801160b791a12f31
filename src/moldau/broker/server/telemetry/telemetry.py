"""Metrics that clients push: who is asked for which, and what becomes of them (KIP-714).

Operators make subscriptions: prefixes of metrics, an interval, and which clients are meant. A
client asks what is wanted of it and gets the union of the subscriptions that match, under a number
that changes with them. Its pushes repeat that number, keep to the interval, and have a largest
size.

What is pushed becomes metrics of this node, with the client's id beside its own attributes. Gauges
replace what was there; sums are differences and add up. Kafka leaves that to a plug-in and does not
advertise these APIs without one; here they always are.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import CLIENT_METRICS
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.call import Call
from moldau.broker.server.telemetry.otlp import read_points
from moldau.config.client_metrics import ClientMetricsSettings
from moldau.errors import DecodeError, KafkaError, MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.checksum import crc32c
from moldau.protocol.records.compression import Codec, decompress
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import uuid_text

__all__ = ["Instance", "Telemetry", "Wanted"]

ACCEPTED_CODECS = (Codec.ZSTD, Codec.LZ4, Codec.GZIP, Codec.SNAPPY)
"""In the order of preference that Kafka sends."""
INSTANCES_MAX = 16_384
"""As many as Kafka keeps; the one that was idle for longest is evicted."""
SERIES_MAX = 100
"""Numbers that are kept of one client: the most telling names come first."""
GROWTH_MAX = 20
"""A push may not unfold to more than this many times its largest size."""
NS_PER_MS = 1_000_000
INTERVAL_MS = 300_000
ALL = "*"
INT32_HIGH = 1 << 31


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of one client."""

    metrics: tuple[str, ...] = ()
    interval_ms: int = INTERVAL_MS

    def number(self, instance_id: bytes) -> int:
        """Names this and the client in pushes."""
        text = f"{self.metrics}{self.interval_ms}".encode()
        number = crc32c(instance_id, crc32c(text))
        return number - 2 * INT32_HIGH if number >= INT32_HIGH else number


@dataclass(slots=True)
class Instance:
    """One client, from its first request on."""

    wanted: Wanted
    asked_ms: float = -INTERVAL_MS
    pushed_ms: float = -INTERVAL_MS
    is_leaving: bool = False
    may_ask_early: bool = False
    """Its last push was for something that is not wanted any more: it may ask at once."""
    series: dict[tuple[str, tuple[tuple[str, str], ...]], float] = field(default_factory=dict)


class Telemetry:
    """All clients that ask or push."""

    def __init__(
        self,
        clock: Clock,
        image: Callable[[], Image],
        registry: Registry,
        *,
        push_bytes_max: int = 1 << 20,
    ) -> None:
        self.push_bytes_max = push_bytes_max
        self.unknown_subscriptions = 0
        """Pushes for what was not wanted any more."""
        self._clock = clock
        self._image = image
        self._registry = registry
        self._instances: OrderedDict[bytes, Instance] = OrderedDict()

    def __repr__(self) -> str:
        return f"Telemetry({len(self._instances)} clients)"

    @property
    def instance_count(self) -> int:
        """Clients that have asked what to push."""
        return len(self._instances)

    def ask(self, call: Call, instance_id: bytes) -> tuple[Wanted, int]:
        """What is wanted of this client, and its number; or why it may not ask."""
        instance = self._instance(call, instance_id)
        now_ms = self._now_ms()
        last_ms = max(instance.asked_ms, instance.pushed_ms)
        if now_ms - last_ms < instance.wanted.interval_ms and not instance.may_ask_early:
            raise KafkaError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, "it is not time to ask again")
        instance.asked_ms = now_ms
        instance.may_ask_early = False
        return instance.wanted, instance.wanted.number(instance_id)

    def push(
        self,
        call: Call,
        instance_id: bytes,
        number: int,
        codec: int,
        data: bytes | memoryview,
        *,
        is_last: bool,
    ) -> None:
        """Take these metrics, or say why not."""
        if instance_id == NULL_UUID:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "a push needs the id of its client")
        instance = self._instance(call, instance_id)
        self._judge(instance, instance_id, number, codec, len(data), is_last=is_last)
        if len(data):
            self._export(call, instance_id, instance, codec, data)

    def _judge(
        self,
        instance: Instance,
        instance_id: bytes,
        number: int,
        codec: int,
        size: int,
        *,
        is_last: bool,
    ) -> None:
        if instance.is_leaving:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "the client had sent its last push")
        if not self._is_time(instance) and not is_last:
            raise KafkaError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, "it is not time to push again")
        instance.is_leaving = is_last
        if number != instance.wanted.number(instance_id):
            instance.may_ask_early = True
            self.unknown_subscriptions += 1
            raise KafkaError(ErrorCode.UNKNOWN_SUBSCRIPTION_ID, "what is wanted has changed")
        if codec != Codec.NONE and codec not in ACCEPTED_CODECS:
            instance.may_ask_early = True
            raise KafkaError(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, f"there is no codec {codec}")
        if size > self.push_bytes_max:
            raise KafkaError(
                ErrorCode.TELEMETRY_TOO_LARGE, f"{size} bytes; {self.push_bytes_max} are the most"
            )

    def _is_time(self, instance: Instance) -> bool:
        """The first push after a question may come at once."""
        now_ms = self._now_ms()
        last_ms = max(instance.asked_ms, instance.pushed_ms)
        is_first = instance.asked_ms > instance.pushed_ms
        if is_first or now_ms - last_ms >= instance.wanted.interval_ms:
            instance.pushed_ms = now_ms
            return True
        return False

    def _export(
        self,
        call: Call,
        instance_id: bytes,
        instance: Instance,
        codec: int,
        data: bytes | memoryview,
    ) -> None:
        try:
            plain = decompress(codec, data, output_bytes_max=self.push_bytes_max * GROWTH_MAX)
            points = read_points(plain)
        except (DecodeError, MoldauError) as error:
            raise KafkaError(ErrorCode.INVALID_RECORD, str(error)) from error
        for point in points:
            key = (point.name, point.attributes)
            if key in instance.series:
                base = instance.series[key] if point.is_sum else 0.0
                instance.series[key] = base + point.value
            elif len(instance.series) < SERIES_MAX:
                instance.series[key] = point.value
                self._register(call, instance_id, instance, key)

    def _register(
        self,
        call: Call,
        instance_id: bytes,
        instance: Instance,
        key: tuple[str, tuple[tuple[str, str], ...]],
    ) -> None:
        name, attributes = key
        tags = {
            **dict(attributes),
            "client_id": call.client_id or "",
            "client_instance_id": uuid_text(instance_id),
        }
        self._registry.add_gauge(
            lambda: instance.series[key], "kafka.client", "telemetry", name, tuple(tags.items())
        )

    # Clients that are known.

    def _instance(self, call: Call, instance_id: bytes) -> Instance:
        wanted = self._wanted(call, instance_id)
        found = self._instances.get(instance_id)
        if found is None or found.wanted != wanted:
            series = {} if found is None else found.series
            owes = found is not None
            found = Instance(wanted, series=series, may_ask_early=owes)
            self._instances[instance_id] = found
        self._instances.move_to_end(instance_id)
        if len(self._instances) > INSTANCES_MAX:
            forgotten, _ = self._instances.popitem(last=False)
            self._registry.forget("client_instance_id", uuid_text(forgotten))
        return found

    def _wanted(self, call: Call, instance_id: bytes) -> Wanted:
        """The union of all subscriptions that mean this client."""
        facts = _facts(call, instance_id)
        metrics: dict[str, None] = {}
        interval_ms = INTERVAL_MS
        for settings in self._subscriptions():
            if _matches(settings.match, facts):
                metrics.update(dict.fromkeys(settings.metrics))
                interval_ms = min(interval_ms, settings.interval_ms)
        prefixes = ("",) if ALL in metrics else tuple(metrics)
        return Wanted(prefixes, interval_ms)

    def _subscriptions(self) -> Iterator[ClientMetricsSettings]:
        for (kind, _), given in self._image().configs.by_resource.items():
            if kind == CLIENT_METRICS:
                yield ClientMetricsSettings(given)

    def _now_ms(self) -> int:
        return self._clock.monotonic_ns() // NS_PER_MS


def _facts(call: Call, instance_id: bytes) -> Mapping[str, str]:
    """What a subscription may go by."""
    return {
        "client_instance_id": uuid_text(instance_id),
        "client_id": call.client_id or "",
        "client_software_name": call.software.name,
        "client_software_version": call.software.version,
        "client_source_address": call.peer.host,
        "client_source_port": str(call.peer.port),
    }


def _matches(patterns: tuple[str, ...], facts: Mapping[str, str]) -> bool:
    """Every selector must match the whole of what it selects."""
    for entry in patterns:
        selector, _, pattern = entry.partition("=")
        try:
            if not re.fullmatch(pattern, facts.get(selector.strip(), "")):
                return False
        except re.error:
            return False
    return True
