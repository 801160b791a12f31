"""The names of danielqsj's kafka_exporter, which Strimzi deploys beside its brokers.

Its lag of groups has these names everywhere, and is in `figures.coordinators`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from moldau.broker.server.monitoring.figures.groups import shown
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.standing import Standing
from moldau.broker.server.monitoring.figures.table import Each, OfPartitions, Table, Tagged

__all__ = ["TABLES", "once_in_the_cluster"]


def once_in_the_cluster(
    read: Callable[[Scrape], Iterator[Tagged]],
) -> Callable[[Scrape], Iterator[Tagged]]:
    """By the active controller alone."""
    return lambda scrape: read(scrape) if scrape.leads_the_quorum else iter(())


def _brokers(scrape: Scrape) -> Iterator[Tagged]:
    brokers = scrape.image.cluster.brokers.values()
    yield (), sum(not one.fenced for one in brokers)


def _broker_places(scrape: Scrape) -> Iterator[Tagged]:
    for broker_id, broker in sorted(scrape.image.cluster.brokers.items()):
        for endpoint in tuple(broker.endpoints.values())[:1]:
            yield (str(broker_id), f"{endpoint.host}:{endpoint.port}"), 1


def _topics(scrape: Scrape) -> Iterator[Tagged]:
    for topic in scrape.topics_shown:
        yield (topic.name,), len(topic.partitions)


def _of_led(name: str, doc: str, ask: Callable[[Standing], list[int]]) -> OfPartitions:
    def read(scrape: Scrape) -> list[int]:
        return ask(scrape.led_shown)

    return OfPartitions(name, f"{doc} Of partitions that are led here.", read, is_led=True)


CLUSTER = Table(
    "kafka",
    "",
    (
        Each("brokers", (), "Brokers that serve.", once_in_the_cluster(_brokers)),
        Each(
            "broker_info",
            ("id", "address"),
            "1, beside where each broker is.",
            once_in_the_cluster(_broker_places),
        ),
        Each(
            "topic_partitions",
            ("topic",),
            "Partitions of each topic.",
            once_in_the_cluster(_topics),
        ),
    ),
)
PARTITION = Table(
    "kafka",
    "topic_partition",
    (
        _of_led(
            "current_offset", "The high watermark: the end for consumers.",
            lambda them: them.high_watermark,
        ),
        _of_led("oldest_offset", "The first offset.", lambda them: them.start_offset),
        _of_led("leader", "The broker that leads it.", lambda them: them.leader),
        _of_led("replicas", "Replicas.", lambda them: them.replicas),
        _of_led("in_sync_replica", "Replicas in sync.", lambda them: them.isr),
        _of_led(
            "leader_is_preferred", "1 if its first replica leads it.",
            lambda them: them.is_preferred,
        ),
        _of_led(
            "under_replicated_partition", "1 if some replica is not in sync.",
            lambda them: them.is_under,
        ),
    ),
    Scrape.look_at_partitions,
)  # fmt: skip
GROUPS = Table(
    "kafka",
    "consumergroup",
    (
        Each(
            "members",
            ("consumergroup",),
            "Members of groups coordinated here.",
            lambda s: s.groups.members,
        ),
        Each(
            "current_offset_sum",
            ("consumergroup", "topic"),
            "What a group has committed, over a topic.",
            lambda s: shown(s.groups.offset_sums),
        ),
    ),
    Scrape.look_at_groups,
)

TABLES = (CLUSTER, PARTITION, GROUPS)
