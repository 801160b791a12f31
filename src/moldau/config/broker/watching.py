"""Metrics, telemetry and quotas."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, integer, long, names, plugin, text
from moldau.config.settings import Settings
from moldau.config.units import MIB


class WatchingKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    metric_reporters = names(
        ("org.apache.kafka.common.metrics.JmxReporter",),
        "Plug-ins that report metrics; Java's name here means the built-in one.",
        scope=Scope.CLUSTER,
        rank=Rank.LOW,
    )
    metrics_num_samples = integer(
        2, "How many windows a rate is kept over.", least=1, rank=Rank.LOW
    )
    metrics_recording_level = text(
        "INFO", "How much detail is recorded: INFO, DEBUG or TRACE.", rank=Rank.LOW
    )
    metrics_sample_window_ms = long(
        30_000, "The length of a window that a rate is kept over.", least=1, rank=Rank.LOW
    )
    kafka_metrics_reporters = names(
        (), "Plug-ins that report the older kind of metrics.", rank=Rank.LOW
    )
    kafka_metrics_polling_interval_secs = integer(
        10, "How often the older kind of metrics is reported.", least=1, rank=Rank.LOW
    )
    telemetry_max_bytes = integer(
        MIB, "The largest packet of metrics that a client may push.", least=1, rank=Rank.LOW
    )
    quota_window_num = integer(
        11, "How many windows a client quota looks back.", least=1, rank=Rank.LOW
    )
    quota_window_size_seconds = integer(
        1, "The length of a window of client quotas.", least=1, rank=Rank.LOW
    )
    client_quota_callback_class = plugin(None, "A plug-in that sets quotas.", rank=Rank.LOW)
