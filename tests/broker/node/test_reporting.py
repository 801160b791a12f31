"""How metrics leave a whole node."""

from __future__ import annotations

import pytest

from moldau.broker.server.telemetry.otlp import read_points
from moldau.config.refusals import SettingError
from tests.broker.node.simulated_node import run
from tests.network.outgoing.scripted_web import URL, ScriptedWeb, answer


def test_a_node_exports_until_it_stops():
    collector = ScriptedWeb(*[answer(b"")] * 9)

    async def main(machine):
        await collector.open(machine.network)
        node = machine.node(
            moldau_otlp_metrics_url=f"{URL}/v1/metrics",
            moldau_otlp_metrics_interval_ms=1000,
            moldau_otlp_metrics_headers="key=secret",
        )
        await node.start()
        await machine.tasks.sleep(3500)
        await node.stop()
        received = list(collector.asked)
        await machine.tasks.sleep(5000)
        return received, collector.asked

    received, at_last = run(main)
    assert len(received) == len(at_last) == 3
    head, _, body = received[0].encode("utf-8", "surrogateescape").partition(b"\r\n\r\n")
    assert b"\r\nkey: secret\r\n" in head
    names = {point.name for point in read_points(body)}
    assert "kafka_server_kafkaserver_brokerstate" in names


@pytest.mark.parametrize(
    ("settings", "clause"),
    [
        ({"moldau_otlp_metrics_url": "collector:4318"}, "moldau.otlp.metrics.url=collector:4318"),
        (
            {"moldau_otlp_metrics_url": "http://u:secret@c:1"},
            "moldau.otlp.metrics.url: it must not",
        ),
        (
            {"moldau_otlp_metrics_url": URL, "moldau_otlp_metrics_headers": "secret"},
            "moldau.otlp.metrics.headers: it has to be NAME=VALUE",
        ),
    ],
)
def test_what_names_no_collector_stops_the_start(settings, clause):
    async def main(machine):
        node = machine.node(**settings)
        with pytest.raises(SettingError) as refused:
            await node.start()
        await node.stop()
        return str(refused.value)

    text = run(main)
    assert clause in text
    assert "secret" not in text
