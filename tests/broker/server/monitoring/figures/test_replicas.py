"""Partitions and logs in numbers, as a node with one topic of one replica shows them."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from moldau.broker.metrics.kinds import Gauge
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.figures.replicas import CLEANER_MANAGER, FETCHERS
from moldau.broker.server.monitoring.figures.table import Each, samples
from tests.broker.server.monitoring.figures.live_node import RECORDS, scraped, value

T = 'topic="t",partition="0"'
MANAGER = "kafka_server_replicamanager_"
INTERNAL = 10
"""Partitions of the groups' and the transactions' topics."""


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("partitioncount", INTERNAL + 1),
        ("leadercount", INTERNAL + 1),
        ("atminisrpartitioncount", INTERNAL + 1),
        ("underreplicatedpartitions", 0),
        ("underminisrpartitioncount", 0),
        ("offlinereplicacount", 0),
        ("reassigningpartitions", 0),
        ("isrshrinks_total", 0),
        ("isrexpands_total", 0),
        ("partitionswithlatetransactionscount", 0),
    ],
)
def test_the_replicas_of_a_broker_are_counted(name, number):
    assert value(MANAGER + name) == number


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("kafka_log_log_logstartoffset", 0),
        ("kafka_log_log_logendoffset", RECORDS),
        ("kafka_log_log_numlogsegments", 1),
        ("kafka_log_log_retentionsizein_percent", 0),
        ("kafka_cluster_partition_insyncreplicascount", 1),
        ("kafka_cluster_partition_replicascount", 1),
        ("kafka_cluster_partition_underreplicated", 0),
        ("kafka_cluster_partition_underminisr", 0),
        ("kafka_cluster_partition_atminisr", 1),
        ("kafka_cluster_partition_laststableoffsetlag", 0),
    ],
)
def test_each_partition_shows_how_it_is(name, number):
    assert value(name, T) == number


class Fetchers(tuple[Any, ...]):
    """As `ReplicaFetchers` is read."""

    dead_count = 0


def read_fetchers(*fetchers):
    """The rows of the fetchers, as a scrape finds them."""
    scrape: Any = SimpleNamespace(broker=SimpleNamespace(replica_fetchers=Fetchers(fetchers)))
    registry = Registry()
    registry.add_source(lambda: samples(FETCHERS, scrape))
    found = registry.collect()
    return {(name.name, name.tags): cast("Gauge", metric).value for name, metric in found}


def test_the_fetcher_that_is_furthest_behind_and_all_failures_count():
    tags = (("clientId", "Replica"),)
    slow, fast = (
        SimpleNamespace(max_lag=7, failed_count=1),
        SimpleNamespace(max_lag=0, failed_count=2),
    )
    assert read_fetchers(slow, fast) == {
        ("MaxLag", tags): 7,
        ("FailedPartitionsCount", tags): 3,
        ("DeadThreadCount", tags): 0,
    }
    assert set(read_fetchers().values()) == {0}


def test_logs_that_cannot_be_compacted_are_counted_with_their_bytes():
    there, elsewhere = SimpleNamespace(path="/a"), SimpleNamespace(path="/b")
    logs = [
        SimpleNamespace(name=("t", 0), directory=there, size=70),
        SimpleNamespace(name=("t", 1), directory=elsewhere, size=20),
        SimpleNamespace(name=("t", 2), directory=there, size=5),
    ]
    cleaner = SimpleNamespace(
        uncleanable={("t", 0): "damaged", ("t", 1): "damaged"},
        cleanable_bytes=lambda one: one.size,
    )
    directories = SimpleNamespace(opened=[there, elsewhere])
    replicas = SimpleNamespace(directories=directories)
    scrape: Any = SimpleNamespace(
        partitions=logs,
        broker=SimpleNamespace(replicas=replicas),
        upkeep=SimpleNamespace(cleaner=cleaner),
    )
    rows = {row.name: row for row in CLEANER_MANAGER.rows}
    for name, numbers in (
        ("uncleanable-bytes", (70, 20)),
        ("uncleanable-partitions-count", (1, 1)),
    ):
        row = rows[name]
        assert isinstance(row, Each)
        assert [number for _, number in row.read(scrape)] == list(numbers)


def test_the_cleaner_has_done_nothing_yet():
    for name in (
        "max_clean_time_secs",
        "cleaner_recopy_percent",
        "max_buffer_utilization_percent",
        "max_compaction_delay_secs",
    ):
        assert value(f"kafka_log_logcleaner_{name}") == 0


def test_the_size_of_a_log_is_its_bytes():
    came = value("kafka_server_brokertopicmetrics_bytesin_total", 'topic="t"')
    assert value("kafka_log_log_size", T) == came > 0


def test_no_disk_has_failed():
    (offline,) = (
        number for (name, _), number in scraped().items() if name.endswith("logdirectoryoffline")
    )
    assert (offline, value("kafka_log_logmanager_offlinelogdirectorycount")) == (0, 0)


def test_no_directory_is_spared():
    (cordoned,) = (
        number for (name, _), number in scraped().items() if name.endswith("logdirectorycordoned")
    )
    assert (cordoned, value("kafka_log_logmanager_cordonedlogdirectorycount")) == (0, 0)
