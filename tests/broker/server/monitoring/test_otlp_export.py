"""What a collector of OpenTelemetry receives, and what becomes of failures."""

from __future__ import annotations

import logging
from math import nan

import pytest

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.otlp_export import Collector, OtlpExport, headers_of
from moldau.broker.server.telemetry.otlp import read_points
from moldau.network.outgoing.web import Web
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from tests.network.outgoing.scripted_web import URL, ScriptedWeb, answer

MINUTE_MS = 60_000
OK = answer(b"")


def exported(registry, *script, minutes=1):
    """The requests that a collector received in that time."""
    server, clock = ScriptedWeb(*script), SimulatedClock()

    async def main(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        await server.open(world)
        web = Web(network=world.host("node"), tasks=tasks)
        target = Collector(f"{URL}/v1/metrics", {"X-Key": "k"}, MINUTE_MS)
        export = OtlpExport(registry, {"service.name": "moldau"}, clock, web, target)
        task = tasks.spawn("export", export.run())
        await tasks.sleep(minutes * MINUTE_MS + 30_000)
        task.cancel()

    run(main, clock)
    return [one.encode("utf-8", "surrogateescape").partition(b"\r\n\r\n") for one in server.asked]


@pytest.fixture
def registry():
    registry = Registry()
    registry.meter("kafka.server", "T", "BytesPerSec", topic="a").mark(3)
    registry.meter("kafka.server", "T", "BytesPerSec", topic="b").mark(4)
    registry.gauge(lambda: 2.5, "kafka.log", "Log", "Size")
    registry.gauge(lambda: nan, "kafka.log", "Log", "Nothing")
    registry.histogram("kafka.network", "R", "TotalTimeMs", request="Fetch").record(7)
    return registry


def test_a_collector_receives_every_metric_under_the_name_of_the_page(registry):
    ((head, _, body),) = exported(registry, OK)
    assert head.startswith(b"POST /v1/metrics HTTP/1.1\r\n")
    assert b"\r\nContent-Type: application/x-protobuf\r\n" in head
    assert b"\r\nX-Key: k\r\n" in head
    found = {(point.name, point.attributes): point for point in read_points(body)}
    counted = found["kafka_server_t_bytes_total", (("topic", "b"),)]
    assert (counted.value, counted.is_sum) == (4, True)
    assert found["kafka_log_log_size", ()].value == 2.5
    assert not any(name == "kafka_log_log_nothing" for name, _ in found)
    assert b"kafka_network_r_totaltimems" in body
    assert b"service.name" in body


def test_it_is_sent_at_each_interval(registry):
    assert len(exported(registry, OK, OK, OK, minutes=3)) == 3


@pytest.mark.parametrize(
    ("failure", "reason"),
    [(answer(b"", "503 Busy"), "status 503"), (None, "no answer within"), (b"x\r\n\r\n", "HTTP")],
)
def test_a_collector_that_fails_is_logged_once_and_tried_again(registry, caplog, failure, reason):
    caplog.set_level(logging.INFO)
    assert len(exported(registry, failure, failure, OK, OK, minutes=4)) == 4
    failed, again = [line.message for line in caplog.records]
    assert failed.startswith(f"Metrics do not arrive at {URL}/v1/metrics")
    assert reason in failed
    assert again == f"Metrics arrive at {URL}/v1/metrics again"


def test_headers_are_pairs():
    assert headers_of("") == {}
    assert headers_of("a=b, x-key = c=d ,") == {"a": "b", "x-key": "c=d"}


@pytest.mark.parametrize("text", ["a", "=b", "a=b\r\nx: y"])
def test_what_is_no_header_is_refused(text):
    with pytest.raises(ValueError, match="NAME=VALUE"):
        headers_of(text)


def test_what_is_shown_of_a_collector_has_no_key():
    assert "secret" not in repr(Collector(URL, {"X-Key": "secret"}, MINUTE_MS))
