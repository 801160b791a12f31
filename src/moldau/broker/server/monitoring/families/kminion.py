"""The names of Redpanda's KMinion. Its end-to-end latencies are those of `moldau probe`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from moldau.broker.metrics.column import Places
from moldau.broker.server.monitoring.families.kafka_exporter import once_in_the_cluster
from moldau.broker.server.monitoring.figures.coordinators import written_offsets
from moldau.broker.server.monitoring.figures.groups import shown
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.standing import Standing
from moldau.broker.server.monitoring.figures.table import Each, OfPartitions, Row, Table, Tagged

__all__ = ["TABLES"]

PLACE = ("topic_name", "partition_id")
GROUP_TOPIC = ("group_id", "topic_name")


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
    yield (str(len(brokers)), controller, cluster_id), 1


def _brokers(scrape: Scrape) -> Iterator[Tagged]:
    leader = scrape.broker.node_id
    for broker_id, broker in sorted(scrape.image.cluster.brokers.items()):
        for endpoint in tuple(broker.endpoints.values())[:1]:
            is_leader = str(broker_id == leader).lower()
            place = (str(broker_id), endpoint.host, str(endpoint.port), broker.rack or "")
            yield (*place, is_leader), 1


def _topics(scrape: Scrape) -> Iterator[Tagged]:
    for topic in scrape.topics_shown:
        replicas = max((len(one.replicas) for one in topic.partitions.values()), default=0)
        yield (topic.name, str(len(topic.partitions)), str(replicas)), 1


def _own_size(scrape: Scrape) -> Iterator[Tagged]:
    yield (str(scrape.broker.node_id),), scrape.totals.size


def _sizes_of_topics(scrape: Scrape) -> Iterator[Tagged]:
    return _sums(scrape.places, scrape.shown.size)


def _group_infos(scrape: Scrape) -> Iterator[Tagged]:
    own = str(scrape.broker.node_id)
    return (((*info, own), 1) for info in scrape.groups.infos)


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
            ("broker_count", "controller_id", "cluster_id"),
            "1, beside what the cluster is.",
            once_in_the_cluster(_cluster),
        ),
        Each(
            "broker_info",
            ("broker_id", "address", "port", "rack_id", "is_controller"),
            "1, beside where each broker is.",
            once_in_the_cluster(_brokers),
        ),
        Each(
            "broker_log_dir_size_total_bytes", ("broker_id",), "Bytes of all logs here.", _own_size
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
            ("group_id", "protocol_type", "state", "coordinator_id"),
            "1, beside what each group is that is coordinated here.",
            _group_infos,
        ),
        Each("members", ("group_id",), "Its members.", lambda s: s.groups.members),
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
    Scrape.look_at_groups,
)

TABLES = (EXPORTER, CLUSTER, GROUPS)
