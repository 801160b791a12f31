"""Settings held against each other: combinations that no node can work with.

One rule per function; each names what is wrong and what would be right. Values by themselves have
been judged when they were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from moldau.config.broker.settings import BrokerSettings
from moldau.config.broker.shares import DEFAULT_PERSISTER, NO_OP_PERSISTER
from moldau.config.refusals import SettingError
from moldau.config.units import MIB

SYSTEM_LEAVES_BUFFER = -1
CODEC_MAX = 4
"""None, gzip, snappy, lz4 and zstd, as batches number them."""
ANY_ADDRESS = "0.0.0.0"  # noqa: S104  # refused below


def check(settings: BrokerSettings) -> None:
    """Raise the first thing that is wrong."""
    for rule in RULES:
        for complaint in rule(settings):
            raise SettingError(complaint)


def _roles(settings: BrokerSettings) -> Iterator[str]:
    if not settings.process_roles:
        yield "process.roles must name broker, controller, or both"
    if settings.node_id < 0:
        yield f"node.id is {settings.node_id}; it must be 0 or more"
    if settings.broker_id >= 0 and settings.broker_id != settings.node_id:
        yield (
            f"broker.id is {settings.broker_id} and node.id {settings.node_id}; give node.id alone"
        )


def _controllers(settings: BrokerSettings) -> Iterator[str]:
    names = settings.controller_listener_names
    if not names:
        yield "controller.listener.names must contain at least one value"
    if settings.is_controller and not settings.controller_listeners:
        yield (
            "controller.listener.names must contain at least one value appearing in the "
            f"'listeners' configuration when running the controller role; it has {','.join(names)}"
        )
    if not settings.is_controller and settings.controller_listeners:
        yield (
            "controller.listener.names must not name one of the 'listeners' of a node that is "
            "only a broker"
        )
    if not settings.is_broker and settings.broker_listeners:
        others = ",".join(listener.name for listener in settings.broker_listeners)
        yield (
            f"the listeners of a controller must all be in controller.listener.names; {others} "
            "is not"
        )


def _brokers(settings: BrokerSettings) -> Iterator[str]:
    if not settings.is_broker:
        return
    names = [listener.name for listener in settings.advertised]
    if not names:
        yield "there must be at least one broker listener in 'listeners'"
    if settings.inter_broker_listener not in names:
        yield (
            f"inter.broker.listener.name must be a listener name defined in advertised.listeners; "
            f"{settings.inter_broker_listener} is not one of {','.join(names)}"
        )
    if "inter.broker.listener.name" in settings.given and (
        "security.inter.broker.protocol" in settings.given
    ):
        yield (
            "only one of inter.broker.listener.name and security.inter.broker.protocol should "
            "be set"
        )
    if settings.advertised_listeners is not None:
        for listener in settings.advertised:
            if listener.host == ANY_ADDRESS:
                yield (
                    "advertised.listeners cannot use the nonroutable meta-address 0.0.0.0; give "
                    "the address that clients reach this node by"
                )


def _times(settings: BrokerSettings) -> Iterator[str]:
    if settings.replica_fetch_wait_max_ms > settings.replica_socket_timeout_ms:
        yield "replica.socket.timeout.ms should be at least replica.fetch.wait.max.ms"
    if settings.replica_fetch_wait_max_ms > settings.replica_lag_time_max_ms:
        yield "replica.fetch.wait.max.ms should be at most replica.lag.time.max.ms"
    if settings.log_cleaner_max_compaction_lag_ms < settings.log_cleaner_min_compaction_lag_ms:
        yield "log.cleaner.max.compaction.lag.ms must be at least log.cleaner.min.compaction.lag.ms"


def _network(settings: BrokerSettings) -> Iterator[str]:
    if settings.connection_failed_authentication_delay_ms >= settings.connections_max_idle_ms >= 0:
        yield "connections.max.idle.ms must be more than connection.failed.authentication.delay.ms"
    if settings.max_connections_per_ip == 0 and not settings.max_connections_per_ip_overrides:
        yield (
            "max.connections.per.ip is 0, which refuses every connection; it can be only where "
            "max.connections.per.ip.overrides names who may come"
        )
    for name, size in (
        ("socket.send.buffer.bytes", settings.socket_send_buffer_bytes),
        ("socket.receive.buffer.bytes", settings.socket_receive_buffer_bytes),
    ):
        if size == 0 or size < SYSTEM_LEAVES_BUFFER:
            yield f"{name} is {size}; it must be positive, or -1 to leave it to the system"
    budget = settings.queued_max_request_bytes
    if 0 < budget < settings.socket_request_max_bytes:
        yield "queued.max.request.bytes must be at least socket.request.max.bytes, or -1"


def _early_listeners(settings: BrokerSettings) -> Iterator[str]:
    names = {*settings.controller_listener_names, *(one.name for one in settings.listener_list)}
    for name in settings.early_start_listeners or ():
        if name.upper() not in names and name not in names:
            yield (
                f"early.start.listeners has {name}, which is neither one of the 'listeners' nor of "
                "controller.listener.names"
            )


def _overrides(settings: BrokerSettings) -> Iterator[str]:
    for entry in filter(None, settings.max_connections_per_ip_overrides.split(",")):
        host, _, most = entry.rpartition(":")
        if not host.strip() or not most.strip().isdecimal():
            yield f"max.connections.per.ip.overrides has {entry!r}; each is written as host:number"
    for entry in filter(None, settings.max_connections_per_ip_overrides.split(",")):
        host = entry.rpartition(":")[0].strip()
        if ":" not in host and not host.replace(".", "").isdecimal():
            yield (
                f"max.connections.per.ip.overrides has {host}, which has to be written as an "
                "address: names of hosts are not looked up"
            )


def _retention(settings: BrokerSettings) -> Iterator[str]:
    if settings.log_retention_hours == 0:
        yield "log.retention.hours must not be 0; -1 keeps records for ever"
    if settings.retention_ms == 0:
        yield "log.retention.ms must be 1 or more, or -1 to keep records for ever"
    if settings.roll_ms < 1:
        yield f"log.roll.ms is {settings.roll_ms}; it must be 1 or more"
    if settings.roll_jitter_ms < 0:
        yield f"log.roll.jitter.ms is {settings.roll_jitter_ms}; it must be 0 or more"
    for name, paths in (("log.dirs", settings.log_dirs), ("log.dir", settings.log_dir)):
        if name in settings.given and not paths:
            yield f"{name} is empty; it names a directory, or is left out"
    if not settings.directories:
        yield "at least one log directory must be defined by log.dirs or log.dir"


def _cleaner(settings: BrokerSettings) -> Iterator[str]:
    threads, size = settings.log_cleaner_threads, settings.log_cleaner_dedupe_buffer_size
    if threads < 1:
        yield "log.cleaner.threads must be 1 or more; log.cleaner.enable=false compacts nothing"
    elif size // threads <= MIB:
        yield "log.cleaner.dedupe.buffer.size must be more than 1 MiB for each of its threads"


def _codecs(settings: BrokerSettings) -> Iterator[str]:
    for topic, number in (
        ("offsets", settings.offsets_topic_compression_codec),
        ("share.coordinator.state", settings.share_coordinator_state_topic_compression_codec),
    ):
        if not 0 <= number <= CODEC_MAX:
            yield f"{topic}.topic.compression.codec is {number}; codecs are 0 to {CODEC_MAX}"


def _groups(settings: BrokerSettings) -> Iterator[str]:
    if settings.group_max_session_timeout_ms < settings.group_min_session_timeout_ms:
        yield "group.max.session.timeout.ms must be at least group.min.session.timeout.ms"
    for kind in ("consumer", "share", "streams"):
        for what in ("session.timeout.ms", "heartbeat.interval.ms", "assignment.interval.ms"):
            yield from _within(settings, kind, what)
    if settings.group_consumer_heartbeat_interval_ms >= settings.group_consumer_session_timeout_ms:
        yield (
            "group.consumer.heartbeat.interval.ms must be less than "
            "group.consumer.session.timeout.ms"
        )
    if settings.group_share_max_share_sessions < settings.group_share_max_size:
        yield "group.share.max.share.sessions must be at least group.share.max.size"
    if settings.group_streams_num_standby_replicas > settings.group_streams_max_standby_replicas:
        yield (
            "group.streams.num.standby.replicas must be at most group.streams.max.standby.replicas"
        )
    if "classic" not in settings.group_coordinator_rebalance_protocols:
        yield "group.coordinator.rebalance.protocols must contain classic"


def _assignors(settings: BrokerSettings) -> Iterator[str]:
    for kind, chosen, known in (
        ("consumer", settings.group_consumer_assignors, ("uniform", "range")),
        ("share", settings.group_share_assignors, ("simple",)),
    ):
        if not chosen or not set(chosen) <= set(known):
            yield (
                f"group.{kind}.assignors is {','.join(chosen) or 'empty'}; what is there is "
                f"{' and '.join(known)}, by these names, and no class of Java"
            )


def _persister(settings: BrokerSettings) -> Iterator[str]:
    name = settings.group_share_persister_class_name
    if name not in ("", DEFAULT_PERSISTER, NO_OP_PERSISTER):
        yield (
            f"group.share.persister.class.name is {name}; what is there is {DEFAULT_PERSISTER} and "
            f"{NO_OP_PERSISTER}, by these names, and no other class of Java"
        )


def _within(settings: BrokerSettings, kind: str, what: str) -> Iterator[str]:
    prefix, attribute = f"group.{kind}.", what.replace(".", "_")
    least = getattr(settings, f"group_{kind}_min_{attribute}")
    value = getattr(settings, f"group_{kind}_{attribute}")
    most = getattr(settings, f"group_{kind}_max_{attribute}")
    if least > value:
        yield f"{prefix}{what} must be greater than or equal to {prefix}min.{what}"
    if most < value:
        yield f"{prefix}{what} must be less than or equal to {prefix}max.{what}"


RULES: tuple[Callable[[BrokerSettings], Iterator[str]], ...] = (
    _roles,
    _controllers,
    _brokers,
    _times,
    _network,
    _early_listeners,
    _overrides,
    _retention,
    _cleaner,
    _codecs,
    _groups,
    _assignors,
    _persister,
)
