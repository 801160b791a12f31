"""Every metric of a node, and those of Apache Kafka's that it does not have, with the reason."""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Reading
from moldau.broker.server.monitoring.figures import cluster, coordinators, replicas, serving
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.table import samples

__all__ = ["ABSENT", "DOC", "TABLES", "read_all"]

TABLES = (*serving.TABLES, *replicas.TABLES, *cluster.TABLES, *coordinators.TABLES)

DOC = {
    MetricName(table.group, table.type, row.name).prometheus: row.doc
    for table in TABLES
    for row in table.rows
}
"""What each means, by its name in Prometheus."""

ABSENT = {
    "IdlePercent, AvgIdleRatio": "One loop does all; how idle it is NetworkProcessorAvgIdlePercent "
    "and RequestHandlerAvgIdlePercent have.",
    "RequestQueueSize, ResponseQueueSize, RequestQueueTimeMs, ResponseQueueTimeMs": "Requests "
    "and answers do not wait in queues between threads.",
    "LocalTimeMs, RemoteTimeMs, ResponseSendTimeMs": "Only the whole time of a request is taken.",
    "DeprecatedRequestsPerSec": "Of what 4.3 serves no version is deprecated.",
    "ReplicationBytesInPerSec, ReplicationBytesOutPerSec, FetcherLagMetrics, "
    "ReplicaFetcherManager, FailedIsrUpdatesPerSec": "Followers do not fetch yet.",
    "ProduceMessageConversionsPerSec, FetchMessageConversionsPerSec": "Nothing is converted.",
    "FetchFollower": "Followers do not fetch yet.",
    "event-queue-time-ms, event-purgatory-time-ms, event-queue-size": "Coordinators have no queue: "
    "what is asked is decided at once, and TotalTimeMs of the request has all of its time.",
    "event-processing-time-ms, batch-linger-time-ms, batch-flush-time-ms": "Not measured apart: "
    "another look at the clock for each commit; TotalTimeMs of the request has it.",
    "offset-commit-rate and other rates": "Two readings of a count make a rate.",
    "linux-disk-read-bytes, linux-disk-write-bytes": "The exporter of the machine reports it.",
    "remainingLogsToRecover": "Metrics are served when the node serves, and then it is 0.",
    "throttle-time": "ThrottleTimeMs has it by API.",
}
"""Names, and why they are not there."""


def read_all(scrape: Scrape) -> Iterator[Reading]:
    """What is looked up at this moment; what is counted is in the registry already."""
    for table in TABLES:
        yield from samples(table, scrape)
    yield from serving.fetches_of_consumers(scrape)
