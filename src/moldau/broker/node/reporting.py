"""How a node's metrics leave it: a page that is read, and an export that is sent.

Imported where one of the two is wanted.
"""

from __future__ import annotations

import logging

from moldau.broker.node.world import NodeWorld
from moldau.broker.server.broker import Broker
from moldau.broker.server.monitoring.disk_room import DiskRoom
from moldau.broker.server.monitoring.ends_elsewhere import EndsElsewhere
from moldau.broker.server.monitoring.metrics_page import open_metrics_page
from moldau.broker.server.monitoring.otlp_export import Collector, OtlpExport, headers_of
from moldau.config.refusals import SettingError
from moldau.network.outgoing.web import Web, check_url
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Task

__all__ = ["report"]

log = logging.getLogger(__name__)


async def report(
    broker: Broker, world: NodeWorld, address: Address | None
) -> tuple[Address | None, Task | None]:
    """Where the page is, and the task that exports; None for what is not wanted."""
    if address is not None:
        registry, room = broker.metrics, DiskRoom(broker)
        registry.add_page_source(room.read)
        ends = EndsElsewhere(broker)

        async def prepare() -> None:
            await room.look()
            await ends.look()

        page = await open_metrics_page(
            world.network, address, registry, world.tasks, world.clock, prepare
        )
        address = page.address
        log.info("Metrics are at http://%s/metrics", address)
    if not broker.settings.own.moldau_otlp_metrics_url:
        return address, None
    export = _export_of(broker, world)
    return address, world.tasks.spawn("export of metrics", export.run())


def _export_of(broker: Broker, world: NodeWorld) -> OtlpExport:
    """To the collector that the settings name; `SettingError` where they make no sense."""
    own = broker.settings.own
    url = own.moldau_otlp_metrics_url or ""
    try:
        check_url(url)
    except ValueError as error:
        shown = "" if "@" in url else f"={url}"  # a password may stand before it
        raise SettingError(f"moldau.otlp.metrics.url{shown}: {error}") from None
    try:
        headers = headers_of(own.moldau_otlp_metrics_headers or "")
    except ValueError as error:
        raise SettingError(f"moldau.otlp.metrics.headers: {error}") from None
    resource = {
        "service.name": "moldau",
        "service.instance.id": str(broker.node_id),
        "kafka.cluster.id": broker.cluster_id,
    }
    web = Web(network=world.network, tasks=world.tasks)
    target = Collector(url, headers, own.moldau_otlp_metrics_interval_ms)
    return OtlpExport(broker.metrics, resource, world.clock, web, target)
