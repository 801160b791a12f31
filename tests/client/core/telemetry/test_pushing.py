"""Which questions and pushes a client sends, and when."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.server.telemetry.otlp import read_points
from moldau.client.core.telemetry.pushing import FIRST_QUESTION_MS, RETRY_MS, Pushing
from moldau.client.errors import UnreachableError, UnsupportedVersionError
from moldau.protocol.messages.config.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
    GetTelemetrySubscriptionsResponse,
)
from moldau.protocol.messages.config.push_telemetry import (
    PushTelemetryRequest,
    PushTelemetryResponse,
)
from moldau.protocol.records.compression import Codec, decompress
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID
from tests.client.conversation import Conversation, context

ME = b"m" * 16
INTERVAL_MS = 10_000


class Client:
    """A client that has opened a connection."""

    def __init__(self) -> None:
        self.context = context()
        self.context.meter.count("connection.creation")
        self.pushing = Pushing(self.context, "producer", {}, lambda: 1_000)
        self.talk = Conversation(self.pushing.run())

    def asked(self, *metrics: str, codec: Codec = Codec.NONE, **more: Any) -> Client:
        """A broker wants these metrics."""
        answer = GetTelemetrySubscriptionsResponse(
            throttle_time_ms=0,
            error_code=0,
            client_instance_id=ME,
            subscription_id=7,
            accepted_compression_types=[codec] if codec else [],
            push_interval_ms=INTERVAL_MS,
            telemetry_max_bytes=more.get("telemetry_max_bytes", 1 << 20),
            delta_temporality=True,
            requested_metrics=list(metrics),
        )
        self.talk.receives(answer)
        return self

    def takes(self, code: ErrorCode = ErrorCode.NONE) -> Client:
        self.talk.receives(PushTelemetryResponse(throttle_time_ms=0, error_code=code))
        return self

    @property
    def last(self) -> Any:
        return self.talk.asked[-1][1]

    def names(self) -> list[str]:
        data = decompress(self.last.compression_type, self.last.metrics)
        return [point.name for point in read_points(bytes(data))]


def test_a_client_asks_after_a_while_and_pushes_what_is_wanted():
    client = Client()
    assert client.talk.paused_ms == [FIRST_QUESTION_MS]
    client.talk.rests()
    assert client.last.client_instance_id == NULL_UUID
    client.asked("").talk.rests()
    assert INTERVAL_MS / 2 <= client.talk.paused_ms[-1] <= INTERVAL_MS * 3 / 2
    assert (client.last.client_instance_id, client.last.subscription_id) == (ME, 7)
    assert not client.last.terminating
    prefix = "org.apache.kafka.producer.connection.creation"
    assert client.names() == [f"{prefix}.total", f"{prefix}.rate"]
    client.takes().talk.rests()
    assert client.talk.paused_ms[-1] == INTERVAL_MS


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.SNAPPY, Codec.ZSTD])
def test_it_pushes_in_the_codec_that_the_broker_prefers_and_only_what_has_the_prefix(codec):
    client = Client()
    client.talk.rests()
    client.asked("org.apache.kafka.producer.connection.creation.to", codec=codec).talk.rests()
    assert client.last.compression_type == codec
    assert client.names() == ["org.apache.kafka.producer.connection.creation.total"]


def test_what_did_not_arrive_is_pushed_again():
    client = Client()
    client.talk.rests()
    client.asked("*").talk.rests()
    lost = client.last.metrics
    client.talk.receives(UnreachableError("b1", "gone")).rests()
    assert read_points(bytes(client.last.metrics))[0] == read_points(bytes(lost))[0]


def test_nothing_is_pushed_that_is_not_wanted():
    client = Client()
    client.talk.rests()
    client.asked().talk.rests()
    assert isinstance(client.last, GetTelemetrySubscriptionsRequest)
    assert client.last.client_instance_id == ME
    assert client.pushing.last(0) is None


def test_a_push_that_is_too_large_is_left_out():
    client = Client()
    client.talk.rests()
    client.asked("", telemetry_max_bytes=10).talk.rests()
    assert not [one for _, one in client.talk.asked if isinstance(one, PushTelemetryRequest)]


@pytest.mark.parametrize(
    "code", [ErrorCode.UNKNOWN_SUBSCRIPTION_ID, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE]
)
def test_after_a_change_of_what_is_wanted_it_asks_at_once(code):
    client = Client()
    client.talk.rests()
    client.asked("").talk.rests()
    assert isinstance(client.takes(code).last, GetTelemetrySubscriptionsRequest)


def test_a_push_that_came_too_soon_is_sent_later():
    client = Client()
    client.talk.rests()
    client.asked("").talk.rests()
    client.takes(ErrorCode.THROTTLING_QUOTA_EXCEEDED).talk.rests()
    assert isinstance(client.last, PushTelemetryRequest)


@pytest.mark.parametrize("code", [ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_RECORD])
def test_what_a_broker_cannot_read_is_not_sent_to_it_again(code):
    client = Client()
    client.talk.rests()
    client.asked("").talk.rests()
    assert client.takes(code).talk.is_over


def test_a_broker_that_knows_none_of_it_is_not_asked_again_and_one_that_is_away_later():
    client = Client()
    client.talk.rests()
    client.talk.receives(UnreachableError("b1", "gone"))
    assert client.talk.paused_ms[-1] == RETRY_MS
    client.talk.rests()
    assert client.talk.receives(UnsupportedVersionError("no such request")).is_over


def test_the_last_push_says_that_it_is_the_last():
    client = Client()
    client.talk.rests()
    client.asked("")
    request = client.pushing.last(0)
    assert request is not None
    assert request.terminating
