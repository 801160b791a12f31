"""Names as Strimzi's rules for the JMX exporter spell them, where they differ from the others.

Its dashboards also draw the heap, the collector and the threads of a JVM. There is none here: what
stands in their place is the memory, the collector and the threads of this process.
"""

from __future__ import annotations

from moldau.broker.server.monitoring.families.process import used
from moldau.broker.server.monitoring.figures import cluster
from moldau.broker.server.monitoring.figures.table import Each, Table

__all__ = ["TABLES"]

STATE = "current-state"
RAFT = Table(
    "kafka.server",
    "raftmetrics",
    (
        Each(
            STATE,
            (STATE,),
            "1, beside what this node is in the quorum.",
            cluster.state_in_quorum,
        ),
        *(row for row in cluster.RAFT.rows if row.name != STATE),
    ),
)
CHANNEL = cluster.CHANNEL._replace(type="raftchannelmetrics")
BROKER_METADATA = cluster.BROKER_METADATA._replace(type="brokermetadatametrics")
JVM = Table(
    "jvm",
    "",
    (
        Each("memory_used_bytes", ("area",), "Of this process.", used("resident_bytes", "heap")),
        Each(
            "gc_collection_seconds_count",
            ("gc",),
            "Collections of Python's garbage, since metrics were first read.",
            used("collections", "python"),
            only_grows=True,
        ),
        Each(
            "gc_collection_seconds_sum",
            ("gc",),
            "How long they took.",
            used("collecting_seconds", "python"),
            only_grows=True,
        ),
        Each("threads_current", (), "Threads.", used("threads")),
    ),
)

TABLES = (RAFT, CHANNEL, BROKER_METADATA, JVM)
