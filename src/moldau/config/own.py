"""Settings that Apache Kafka does not have; in a file that both read it ignores them."""

from __future__ import annotations

from moldau.config.key import flag, integer, long, maybe_text, names, secret, short
from moldau.config.settings import Settings


class OwnSettings(Settings):
    """The settings that only Moldau has; their names begin with `moldau.`."""

    moldau_refuse_loss = flag(
        False,
        "Whether a start stops, before anything on the disk is changed, where a log has lost "
        "records: by damage, or because files of it are gone.",
    )
    moldau_broker_heartbeat_interval_ms = integer(
        1000,
        "Time between two heartbeats of a broker to its controller, where "
        "`broker.heartbeat.interval.ms` is longer.",
        least=1,
    )
    moldau_broker_session_timeout_ms = integer(
        2000,
        "How long a broker whose last heartbeats all came within three quarters of this time may "
        "be silent before it is fenced, where `broker.session.timeout.ms` is longer.",
        least=1,
    )
    moldau_audit_file = maybe_text(
        "Where logins, denied decisions and changes are written, a line of JSON for each; empty "
        "for no file.",
    )
    moldau_audit_file_max_bytes = long(
        100 * 1024 * 1024,
        "How large the file of `moldau.audit.file` may be before it is put aside under a number.",
        least=1024,
    )
    moldau_audit_file_kept = integer(
        10,
        "How many files of `moldau.audit.file` that were put aside are kept.",
        least=0,
    )
    moldau_audit_topic = maybe_text(
        "The topic that the same events are written to; it is created when the first one comes. "
        "Empty for no topic.",
    )
    moldau_audit_topic_partitions = integer(
        1, "Partitions that `moldau.audit.topic` is created with.", least=1
    )
    moldau_audit_topic_replication_factor = short(
        -1,
        "Replicas that `moldau.audit.topic` is created with; -1 for `default.replication.factor`.",
        least=-1,
    )
    moldau_audit_queue_events = integer(
        10_000,
        "How many audit events may wait for the file, and for the topic; those that come to a full "
        "queue are dropped and counted.",
        least=1,
    )
    moldau_encryption_at_rest_key_file = maybe_text(
        "The file with the keys for topics that have `encryption.at.rest`: a line "
        "`name.version = key`, 32 bytes in base64, for each version of a key; empty for no keys.",
    )
    moldau_encryption_at_rest_key_manager_class = maybe_text(
        "A class of one's own that keeps those keys instead, as `package.module:Class`; empty for "
        "none.",
    )
    moldau_metrics_families = names(
        ("process", "strimzi", "kafka-exporter"),
        "Which names of other exporters the page of metrics has beside Kafka's: of the process, of "
        "Strimzi's rules for the JMX exporter, of kafka_exporter, of KMinion. Empty for none.",
        choices=("process", "strimzi", "kafka-exporter", "kminion"),
    )
    moldau_otlp_metrics_url = maybe_text(
        "Where metrics are sent to a collector of OpenTelemetry, as "
        "`http://HOST:4318/v1/metrics`; empty for nowhere.",
    )
    moldau_otlp_metrics_interval_ms = integer(
        60_000, "Time between two exports to `moldau.otlp.metrics.url`.", least=1000
    )
    moldau_otlp_metrics_headers = secret(
        "Headers of these exports, such as a key of the collector: `name=value`, and a comma "
        "before the next one.",
    )
