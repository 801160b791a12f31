"""Settings that Apache Kafka does not have; in a file that both read it ignores them."""

from __future__ import annotations

from moldau.config.key import flag, integer
from moldau.config.settings import Settings


class OwnSettings(Settings):
    """Of a node; their names begin with `moldau.`."""

    moldau_refuse_loss = flag(
        False,
        "Whether a start stops, before anything on the disk is changed, where a log has lost "
        "records: by damage, or because files of it are gone.",
    )
    moldau_broker_heartbeat_interval_ms = integer(
        500,
        "Time between two heartbeats of a broker to its controller, where "
        "`broker.heartbeat.interval.ms` is longer.",
        least=1,
    )
    moldau_broker_session_timeout_ms = integer(
        2000,
        "How long a broker whose last heartbeats all came within half of this time may be silent "
        "before it is fenced, where `broker.session.timeout.ms` is longer.",
        least=1,
    )
