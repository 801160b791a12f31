"""The page of a probe."""

from __future__ import annotations

import http.client

from moldau.platform.ports.network import Address
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.tasks import run
from moldau.programs.probe.prober import ProbeSettings
from moldau.programs.probe.service import ProbeService


def asked(address):
    link = http.client.HTTPConnection(address.host, address.port, timeout=60)
    link.request("GET", "/metrics")
    answer = link.getresponse()
    found = answer.status, answer.headers["Content-Type"], answer.read().decode()
    link.close()
    return found


def test_figures_are_served_while_the_cluster_is_away():
    settings = ProbeSettings(client={"bootstrap.servers": "127.0.0.1:1"})

    async def main(tasks):
        network = SystemNetwork()
        service = ProbeService(settings, network, tasks, SystemClock(), "mine")
        await service.start(Address("127.0.0.1", 0))
        found = await tasks.offload(asked, service.address)
        await service.stop()
        network.close()
        return found

    status, media_type, text = run(main)
    assert status == 200
    assert media_type.startswith("text/plain; version=0.0.4")
    assert "kminion_end_to_end_messages_produced_total 0" in text
