"""The families by the names that the setting `moldau.metrics.families` has for them."""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Reading
from moldau.broker.server.monitoring.families import kafka_exporter, kminion, process, strimzi
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.table import samples

__all__ = ["DOC", "FAMILIES", "read_families"]

FAMILIES = {
    "process": process.TABLES,
    "strimzi": strimzi.TABLES,
    "kafka-exporter": kafka_exporter.TABLES,
    "kminion": kminion.TABLES,
}
DOC = {
    MetricName(table.group, table.type, row.name).prometheus: row.doc
    for tables in FAMILIES.values()
    for table in tables
    for row in table.rows
}
"""What each means, by its name in Prometheus."""


def read_families(scrape: Scrape) -> Iterator[Reading]:
    """Those that are wanted."""
    for family in scrape.broker.settings.own.moldau_metrics_families:
        for table in FAMILIES[family]:
            yield from samples(table, scrape)
