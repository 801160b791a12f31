"""The goals in force: bounds for ours by Apache Kafka's, in the same run.

Cases name the ones that they are held to; what misses its goal is shown as missed, no more.
"""

from __future__ import annotations

from bench.versus.model import at_least, at_most

PRODUCE_CPU = at_most("cpu_s_per_gb", 0.55)
"""At 64 KiB and above; with lz4 and zstd too."""
UNBATCHED_CPU = at_most("cpu_us_per_record", 0.6)
PRODUCE_THROUGHPUT = at_least("mb_per_s", 1.2)
"""Records of 1 KB."""
LOADED_P99 = at_most("p99_ms", 0.5)
"""What the client waits at that throughput."""
CONSUME_CPU = at_most("cpu_s_per_gb", 0.7)
ALONE_P50 = at_most("p50_ms", 0.65)
ALONE_P99 = at_most("p99_ms", 0.5)
"""One record at a time."""
REQUESTS = at_least("requests_per_s", 1.2)
"""Many connections with one small request each, against a warm virtual machine."""
IDLE_MEMORY = at_most("memory_mb", 0.15)
LOADED_MEMORY = at_most("memory_mb", 0.05)
START = at_most("start_s", 0.1)
MANY_PARTITIONS_MEMORY = at_most("memory_mb", 0.3)
MANY_PARTITIONS_RESTART = at_most("restart_s", 0.5)
"""10,000 partitions."""
REPLICATED_CPU = at_most("cpu_s_per_gb", 0.5)
"""Of three nodes; the next four, too."""
REPLICATED_MEMORY = at_most("memory_mb", 0.1)
REPLICATED_P99 = at_most("p99_ms", 0.6)
REPLICATED_THROUGHPUT = at_least("mb_per_s", 1.1)
IDLE_CLUSTER_CPU = at_most("cpu_percent", 0.3)
CLUSTER_START = at_most("start_s", 0.2)
FAILOVER_GAP = at_most("gap_ms", 0.15)
"""Of a producer to a partition whose leader was killed."""
CATCHING_UP = at_most("seconds", 0.6)
REASSIGNMENT = at_most("seconds", 0.8)
MANY_FAILOVER = at_most("seconds", 0.5)
"""10,000 partitions."""
