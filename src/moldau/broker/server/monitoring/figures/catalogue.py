"""Every metric of a node, and those of Apache Kafka's that it does not have, with the reason."""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Reading
from moldau.broker.server.monitoring.figures import (
    cluster,
    coordinators,
    replicas,
    requests,
    serving,
)
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.table import samples

__all__ = ["ABSENT", "DOC", "TABLES", "read_all"]

TABLES = (
    *serving.TABLES,
    *requests.TABLES,
    *replicas.TABLES,
    *cluster.TABLES,
    *coordinators.TABLES,
)

DOC = {
    MetricName(table.group, table.type, row.name).prometheus: row.doc
    for table in TABLES
    for row in table.rows
}
"""What each means, by its name in Prometheus."""

ABSENT = {
    "IdlePercent, AcceptorBlockedPercent": "One loop does all; how idle it is "
    "NetworkProcessorAvgIdlePercent and RequestHandlerAvgIdlePercent have.",
    "DeprecatedRequestsPerSec": "Of what 4.3 serves no version is deprecated; Kafka has it only "
    "once such a request has come.",
    "ErrorsPerSec with error=NONE": "Answers without one are counted in RequestsPerSec alone.",
    "networkProcessor, clientSoftwareName": "Connections are counted for each listener as a whole.",
    "event-processing-time-ms, batch-linger-time-ms, batch-flush-time-ms": "Not measured apart: "
    "another look at the clock for each commit; TotalTimeMs of the request has it.",
}
"""Names, and why they are not there."""


def read_all(scrape: Scrape) -> Iterator[Reading]:
    """What is looked up at this moment; what is counted is in the registry already."""
    for table in TABLES:
        yield from samples(table, scrape)
    yield from requests.times_of_requests(scrape.broker.metrics)
