"""Metrics that clients push, in conversations with a broker that knows some subscriptions."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import CLIENT_METRICS, Configs
from moldau.broker.metrics.prometheus import exposition
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.telemetry import telemetry as module
from moldau.broker.server.telemetry.telemetry import Telemetry
from moldau.errors import KafkaError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.records.compression import Codec, compress
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import call_of
from tests.broker.server.telemetry.test_otlp import counter, gauge, push

ME, OTHER = b"m" * 16, b"o" * 16


class Client:
    """A client, and the subscriptions for it."""

    def __init__(self, **subscriptions):
        self.clock = SimulatedClock()
        self.registry = Registry()
        self.configs = subscriptions
        self.telemetry = Telemetry(self.clock, self.image, self.registry, push_bytes_max=1000)
        self.call = call_of(ApiVersionsRequest(), 0)

    def image(self):
        by_resource = {(CLIENT_METRICS, name): given for name, given in self.configs.items()}
        return Image(configs=Configs(by_resource))

    def ask(self, instance_id=ME):
        return self.telemetry.ask(self.call, instance_id)

    def push(self, number, data=b"", codec=Codec.NONE, *, is_last=False, instance_id=ME):
        self.telemetry.push(self.call, instance_id, number, codec, data, is_last=is_last)

    def refusal(self, *arguments, **named):
        with pytest.raises(KafkaError) as refusal:
            self.push(*arguments, **named)
        return refusal.value.code


def test_without_a_subscription_nothing_is_wanted():
    wanted, _ = Client().ask()
    assert (wanted.metrics, wanted.interval_ms) == ((), 300_000)


def test_what_is_wanted_is_the_union_of_what_means_the_client():
    client = Client(
        one={"metrics": "a.,b.", "interval.ms": "60000", "match": "client_id=a cl.*"},
        two={"metrics": "b.,c.", "interval.ms": "30000"},
        other={"metrics": "z.", "match": "client_software_name=java"},
        broken={"metrics": "y.", "match": "client_id=("},
    )
    wanted, _ = client.ask()
    assert (wanted.metrics, wanted.interval_ms) == (("a.", "b.", "c."), 30_000)


def test_a_star_wants_everything():
    assert Client(one={"metrics": "*"}).ask()[0].metrics == ("",)


def test_clients_and_subscriptions_have_numbers_of_their_own():
    client = Client(one={"metrics": "a."})
    first, second = client.ask()[1], client.ask(OTHER)[1]
    client.configs["two"] = {"metrics": "b."}
    assert len({first, second, client.ask()[1]}) == 3
    assert -(2**31) <= first < 2**31


def test_who_asks_too_soon_is_throttled():
    client = Client()
    client.ask()
    with pytest.raises(KafkaError) as refusal:
        client.ask()
    assert refusal.value.code == ErrorCode.THROTTLING_QUOTA_EXCEEDED
    client.clock.advance_ms(300_000)
    client.ask()


def test_what_is_pushed_can_be_read_as_metrics_of_the_node():
    client = Client(one={"metrics": "*", "interval.ms": "1000"})
    _, number = client.ask()
    client.push(number, push(gauge("a.rate", 2.5), counter("a.total", 3)))
    client.clock.advance_ms(1000)
    again = push(gauge("a.rate", 1.5), counter("a.total", 4))
    client.push(number, compress(Codec.ZSTD, again), Codec.ZSTD)
    lines = exposition(client.registry).splitlines()
    labels = 'client_id="a client",client_instance_id="bW1tbW1tbW1tbW1tbW1tbQ"'
    assert f"kafka_client_telemetry_a_rate{{{labels}}} 1.5" in lines
    assert f"kafka_client_telemetry_a_total{{{labels}}} 7" in lines


def test_pushes_keep_to_the_interval_but_for_the_first_and_the_last():
    client = Client(one={"metrics": "*", "interval.ms": "1000"})
    _, number = client.ask()
    client.push(number)
    assert client.refusal(number) == ErrorCode.THROTTLING_QUOTA_EXCEEDED
    client.push(number, is_last=True)
    assert client.refusal(number) == ErrorCode.INVALID_REQUEST


def test_a_push_for_what_is_not_wanted_any_more_is_refused_and_the_client_may_ask():
    client = Client(one={"metrics": "*", "interval.ms": "1000"})
    _, number = client.ask()
    client.configs["two"] = {"metrics": "b."}
    client.clock.advance_ms(1000)
    assert client.refusal(number + 1) == ErrorCode.UNKNOWN_SUBSCRIPTION_ID
    assert client.telemetry.unknown_subscriptions == 1
    client.ask()


@pytest.mark.parametrize(
    ("data", "codec", "code"),
    [
        (b"x" * 1001, Codec.NONE, ErrorCode.TELEMETRY_TOO_LARGE),
        (b"", 77, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        (b"\xff" * 20, Codec.NONE, ErrorCode.INVALID_RECORD),
        (b"no zstd", Codec.ZSTD, ErrorCode.INVALID_RECORD),
        (compress(Codec.ZSTD, bytes(1_000_000)), Codec.ZSTD, ErrorCode.INVALID_RECORD),
    ],
)
def test_bad_pushes_get_kafkas_errors(data, codec, code):
    client = Client(one={"metrics": "*"})
    _, number = client.ask()
    assert client.refusal(number, data, codec) == code


def test_a_push_without_an_id_is_refused():
    assert Client().refusal(0, instance_id=bytes(16)) == ErrorCode.INVALID_REQUEST


def test_clients_and_their_numbers_are_bounded(monkeypatch):
    monkeypatch.setattr(module, "INSTANCES_MAX", 2)
    monkeypatch.setattr(module, "SERIES_MAX", 3)
    client = Client(one={"metrics": "*"})
    for index in range(5):
        instance_id = bytes([index + 1]) * 16
        _, number = client.ask(instance_id)
        metrics = push(*[gauge(f"m{one}", 1.0) for one in range(9)])
        client.push(number, metrics, instance_id=instance_id)
    assert repr(client.telemetry) == "Telemetry(2 clients)"
    assert len(client.registry) == 6
