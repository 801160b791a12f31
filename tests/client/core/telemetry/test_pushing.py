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


class Play:
    """A client that has opened a connection."""

    def __init__(self) -> None:
        self.context = context()
        self.context.meter.count("connection.creation")
        self.pushing = Pushing(self.context, "producer", {}, lambda: 1_000)
        self.talk = Conversation(self.pushing.run())

    def asked(self, *metrics: str, codec: Codec = Codec.NONE, **more: Any) -> Play:
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
        self.talk.hears(answer)
        return self

    def takes(self, code: ErrorCode = ErrorCode.NONE) -> Play:
        self.talk.hears(PushTelemetryResponse(throttle_time_ms=0, error_code=code))
        return self

    @property
    def last(self) -> Any:
        return self.talk.asked[-1][1]

    def names(self) -> list[str]:
        data = decompress(self.last.compression_type, self.last.metrics)
        return [point.name for point in read_points(bytes(data))]


def test_a_client_asks_after_a_while_and_pushes_what_is_wanted():
    play = Play()
    assert play.talk.paused_ms == [FIRST_QUESTION_MS]
    play.talk.rests()
    assert play.last.client_instance_id == NULL_UUID
    play.asked("").talk.rests()
    assert INTERVAL_MS / 2 <= play.talk.paused_ms[-1] <= INTERVAL_MS * 3 / 2
    assert (play.last.client_instance_id, play.last.subscription_id) == (ME, 7)
    assert not play.last.terminating
    prefix = "org.apache.kafka.producer.connection.creation"
    assert play.names() == [f"{prefix}.total", f"{prefix}.rate"]
    play.takes().talk.rests()
    assert play.talk.paused_ms[-1] == INTERVAL_MS


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.SNAPPY, Codec.ZSTD])
def test_it_pushes_in_the_codec_that_the_broker_prefers_and_only_what_has_the_prefix(codec):
    play = Play()
    play.talk.rests()
    play.asked("org.apache.kafka.producer.connection.creation.to", codec=codec).talk.rests()
    assert play.last.compression_type == codec
    assert play.names() == ["org.apache.kafka.producer.connection.creation.total"]


def test_what_did_not_arrive_is_pushed_again():
    play = Play()
    play.talk.rests()
    play.asked("*").talk.rests()
    lost = play.last.metrics
    play.talk.hears(UnreachableError("b1", "gone")).rests()
    assert read_points(bytes(play.last.metrics))[0] == read_points(bytes(lost))[0]


def test_nothing_is_pushed_that_nobody_wants():
    play = Play()
    play.talk.rests()
    play.asked().talk.rests()
    assert isinstance(play.last, GetTelemetrySubscriptionsRequest)
    assert play.last.client_instance_id == ME
    assert play.pushing.last(0) is None


def test_a_push_that_is_too_large_is_left_out():
    play = Play()
    play.talk.rests()
    play.asked("", telemetry_max_bytes=10).talk.rests()
    assert not [one for _, one in play.talk.asked if isinstance(one, PushTelemetryRequest)]


@pytest.mark.parametrize(
    "code", [ErrorCode.UNKNOWN_SUBSCRIPTION_ID, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE]
)
def test_after_a_change_of_what_is_wanted_it_asks_at_once(code):
    play = Play()
    play.talk.rests()
    play.asked("").talk.rests()
    assert isinstance(play.takes(code).last, GetTelemetrySubscriptionsRequest)


def test_a_push_that_came_too_soon_is_sent_later():
    play = Play()
    play.talk.rests()
    play.asked("").talk.rests()
    play.takes(ErrorCode.THROTTLING_QUOTA_EXCEEDED).talk.rests()
    assert isinstance(play.last, PushTelemetryRequest)


@pytest.mark.parametrize("code", [ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_RECORD])
def test_what_a_broker_cannot_read_is_not_sent_to_it_again(code):
    play = Play()
    play.talk.rests()
    play.asked("").talk.rests()
    assert play.takes(code).talk.is_over


def test_a_broker_that_knows_none_of_it_is_not_asked_again_and_one_that_is_away_later():
    play = Play()
    play.talk.rests()
    play.talk.hears(UnreachableError("b1", "gone"))
    assert play.talk.paused_ms[-1] == RETRY_MS
    play.talk.rests()
    assert play.talk.hears(UnsupportedVersionError("no such request")).is_over


def test_the_last_push_says_that_it_is_the_last():
    play = Play()
    play.talk.rests()
    play.asked("")
    request = play.pushing.last(0)
    assert request is not None
    assert request.terminating
