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
    "networkProcessor, processor, clientSoftwareName": "Labels of threads, and of the software of "
    "clients: connections and answers are counted for each listener, or for all together.",
    "background-queue-time-ms, background-processing-time-ms, "
    "background-thread-idle-ratio-avg": "No second thread works for the group coordinator.",
    "alter-partition-metrics, directory-assignments-metrics, forwarding-metrics, "
    "heartbeat-metrics, registration-metrics, AddPartitionsManager-channel-metrics, "
    "Persister-channel-metrics, txn-marker-channel-metrics": "Of a thread and a client for each "
    "purpose. RequestMetrics of the node that answers has these requests, by their names.",
    "ForwardingManager": "Nothing queues in front of the controller's own queue, of which "
    "EventQueueTimeMs has the times.",
    "AlterAcls": "The same: changes of access rules wait there.",
    "UnknownDestinationQueueSize, LogAppendRetryQueueSize": "Each transaction that ends has a task "
    "of its own for its markers; there is no queue.",
    "MinFetchRate": "A follower's fetch waits at its leader for something new, so a low rate says "
    "nothing: ConsumerLag has who is behind.",
    "ReplicaAlterLogDirsManager": "A replica is moved to another directory by a task, not by a "
    "fetcher; `moldau log-dirs` shows what it lacks.",
    "QueuedReplicaToDirAssignments": "What there is to report goes to the controller at once, all "
    "together.",
    "Throttler": "What `log.cleaner.io.max.bytes.per.second` holds back is not counted.",
    "batch-buffer-cache-size-bytes, batch-buffer-cache-discard-count": "No buffers are kept.",
    "event-processing-time-ms, batch-linger-time-ms, batch-flush-time-ms": "Not measured apart: "
    "another look at the clock for each commit; TotalTimeMs of the request has it.",
    "offset-expiration-count": "In offset-deletion-count: both are tombstones.",
    "queue-size": "How many clients are held back is not counted; throttle-time has how long.",
    "MemoryPoolAvgDepletedPercent, broker-connection-accept-rate": "Not measured; "
    "MemoryPoolAvailable has what is left, connection-creation-rate how many come.",
    "ControllerServer": "A node is one process, whose numbers KafkaServer has.",
    "app-info, current-vote-directory-id": "Texts; metrics here are numbers.",
    "yammer-metrics-count, kafka-metrics-count": "They count the objects of two libraries of Java.",
    "RemoteFetch, RemoteListOffsets": "There is no tiered storage.",
    "MessageConversionsTimeMs, TemporaryMemoryBytes": "Nothing is converted.",
    "DeprecatedRequestsPerSec": "Of what 4.3 serves no version is deprecated; Kafka has it only "
    "once such a request has come.",
    "ErrorsPerSec with error=NONE": "Answers without one are counted in RequestsPerSec alone.",
}
"""Names, and why they are not there."""


def read_all(scrape: Scrape) -> Iterator[Reading]:
    """What is looked up at this moment; what is counted is in the registry already."""
    for table in TABLES:
        yield from samples(table, scrape)
    yield from requests.times_of_requests(scrape.broker.metrics)
