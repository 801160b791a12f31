"""The names of Redpanda's KMinion. Its end-to-end latencies are those of `moldau probe`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.metadata.features import METADATA_VERSIONS
from moldau.broker.metrics.column import Places
from moldau.broker.server.monitoring.families.kafka_exporter import once_in_the_cluster
from moldau.broker.server.monitoring.figures.assigned import Assigned
from moldau.broker.server.monitoring.figures.coordinators import written_offsets
from moldau.broker.server.monitoring.figures.groups import groups_shown, shards_of, shown
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.standing import Standing
from moldau.broker.server.monitoring.figures.table import Each, OfPartitions, Row, Table, Tagged

__all__ = ["TABLES"]

PLACE = ("topic_name", "partition_id")
GROUP_TOPIC = ("group_id", "topic_name")
BROKER = ("broker_id", "address", "port", "rack_id")
STABLE = "Stable"


def _of_led(name: str, doc: str, ask: Callable[[Standing], list[int]]) -> OfPartitions:
    def read(scrape: Scrape) -> list[int]:
        return ask(scrape.led_shown)

    return OfPartitions(name, f"{doc} Of partitions that are led here.", read, False, PLACE, True)


def _by_topic(ask: Callable[[Standing], list[int]]) -> Callable[[Scrape], Iterator[Tagged]]:
    return lambda scrape: _sums(scrape.led_places, ask(scrape.led_shown))


def _sums(places: Places, numbers: list[int]) -> Iterator[Tagged]:
    """Of each topic."""
    sums: Counter[str] = Counter()
    for (topic, _), number in zip(places, numbers, strict=True):
        sums[topic] += number
    return (((topic,), number) for topic, number in sums.items())


def _cluster(scrape: Scrape) -> Iterator[Tagged]:
    brokers = scrape.image.cluster.brokers
    controller, cluster_id = str(scrape.broker.node_id), scrape.broker.cluster_id
    yield (_version(scrape), str(len(brokers)), controller, cluster_id), 1


def _version(scrape: Scrape) -> str:
    """Of Kafka, by the cluster's metadata.version."""
    name = METADATA_VERSIONS[scrape.image.features.metadata_version].name
    return f"v{name.partition('-')[0]}"


def _brokers(scrape: Scrape) -> Iterator[Tagged]:
    leader = scrape.broker.node_id
    for broker_id in sorted(scrape.image.cluster.brokers):
        yield (*_place(scrape, broker_id), str(broker_id == leader).lower()), 1


def _place(scrape: Scrape, broker_id: int) -> tuple[str, str, str, str]:
    """Its id, where it listens first, and its rack; a broker that is not registered is nowhere."""
    broker = scrape.image.cluster.brokers.get(broker_id)
    if broker is None:
        return str(broker_id), "", "", ""
    endpoint = next(iter(broker.endpoints.values()), None)
    host, port = (endpoint.host, str(endpoint.port)) if endpoint else ("", "")
    return str(broker_id), host, port, broker.rack or ""


def _topics(scrape: Scrape) -> Iterator[Tagged]:
    for topic in scrape.topics_shown:
        replicas = max((len(one.replicas) for one in topic.partitions.values()), default=0)
        yield (topic.name, str(len(topic.partitions)), str(replicas)), 1


def _own_size(scrape: Scrape) -> Iterator[Tagged]:
    yield _place(scrape, scrape.broker.node_id), scrape.totals.size


def _sizes_of_topics(scrape: Scrape) -> Iterator[Tagged]:
    return _sums(scrape.places, scrape.shown.size)


def _group_infos(scrape: Scrape) -> Iterator[Tagged]:
    own = str(scrape.broker.node_id)
    for group in groups_shown(scrape.broker):
        assignor = group.protocol_name if isinstance(group, ClassicGroup) else None
        kind, state = group.protocol_type, group.state_name
        yield (group.group_id, assignor or "", kind, state, own), state == STABLE


def _empty_members(scrape: Scrape) -> Iterator[Tagged]:
    return (((group_id,), found.empty_members) for group_id, found in scrape.members)


def _by_group_and_topic(
    ask: Callable[[Assigned], Counter[str]],
) -> Callable[[Scrape], Iterator[Tagged]]:
    def read(scrape: Scrape) -> Iterator[Tagged]:
        for group_id, found in scrape.members:
            for topic, count in ask(found).items():
                yield (group_id, topic), count

    return read


def _commits(scrape: Scrape) -> Iterator[Tagged]:
    for shard in shards_of(scrape.broker.groups):
        for group_id, commits in shard.groups.offsets.commits_by_group():
            yield (group_id,), commits


EXPORTER = Table(
    "kminion",
    "exporter",
    (
        Row("up", "1, for a node that answers.", lambda s: 1),
        Row(
            "offset_consumer_records_consumed_total",
            "Offsets that were committed here, since the start.",
            written_offsets,
            only_grows=True,
        ),
    ),
)
CLUSTER = Table(
    "kminion",
    "kafka",
    (
        Each(
            "cluster_info",
            ("cluster_version", "broker_count", "controller_id", "cluster_id"),
            "1, beside what the cluster is.",
            once_in_the_cluster(_cluster),
        ),
        Each(
            "broker_info",
            (*BROKER, "is_controller"),
            "1, beside where each broker is.",
            once_in_the_cluster(_brokers),
        ),
        Each(
            "broker_log_dir_size_total_bytes", BROKER, "Bytes of all logs here.", _own_size
        ),
        Each(
            "topic_info",
            ("topic_name", "partition_count", "replication_factor"),
            "1, beside what each topic is.",
            once_in_the_cluster(_topics),
        ),
        Each(
            "topic_log_dir_size_total_bytes",
            ("topic_name",),
            "Bytes of a topic's replicas here.",
            _sizes_of_topics,
        ),
        _of_led(
            "topic_partition_high_water_mark", "The end for consumers.",
            lambda them: them.high_watermark,
        ),
        _of_led(
            "topic_partition_low_water_mark", "The first offset.",
            lambda them: them.start_offset,
        ),
        Each(
            "topic_high_water_mark_sum",
            ("topic_name",),
            "Of a topic's partitions that are led here.",
            _by_topic(lambda them: them.high_watermark),
        ),
        Each(
            "topic_low_water_mark_sum",
            ("topic_name",),
            "The same of first offsets.",
            _by_topic(lambda them: them.start_offset),
        ),
    ),
    Scrape.look_at_partitions,
)  # fmt: skip
GROUPS = Table(
    "kminion",
    "kafka_consumer_group",
    (
        Each(
            "info",
            ("group_id", "protocol", "protocol_type", "state", "coordinator_id"),
            "1 for a stable group that is coordinated here, 0 for another one.",
            _group_infos,
        ),
        Each("members", ("group_id",), "Its members.", lambda s: s.groups.members),
        Each("empty_members", ("group_id",), "Those that have no partition.", _empty_members),
        Each(
            "topic_members",
            GROUP_TOPIC,
            "Those with partitions of a topic.",
            _by_group_and_topic(lambda them: them.members),
        ),
        Each(
            "topic_assigned_partitions",
            GROUP_TOPIC,
            "Partitions of a topic that members have.",
            _by_group_and_topic(lambda them: them.partitions),
        ),
        Each(
            "offset_commits_total",
            ("group_id",),
            "Offsets that it has committed, as far as their records are there.",
            _commits,
            only_grows=True,
        ),
        Each(
            "topic_partition_lag",
            (*GROUP_TOPIC, "partition_id"),
            "Its lag.",
            lambda s: s.groups.lags,
        ),
        Each(
            "topic_lag", GROUP_TOPIC, "The same, over a topic.", lambda s: shown(s.groups.lag_sums)
        ),
        Each(
            "topic_offset_sum",
            GROUP_TOPIC,
            "What it has committed.",
            lambda s: shown(s.groups.offset_sums),
        ),
    ),
    Scrape.look_at_members,
)

TABLES = (EXPORTER, CLUSTER, GROUPS)
