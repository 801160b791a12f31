"""Groups and transactions in numbers, and how far a group is behind."""

from math import isnan

import pytest

from tests.broker.server.monitoring.figures.live_node import COMMITTED, RECORDS, value

GROUPS = "kafka_server_group_coordinator_metrics_"
MANAGER = "kafka_coordinator_group_groupmetadatamanager_"
OFFSETS_PARTITIONS = 5
PLACE = 'consumergroup="readers",topic="t",partition="0"'


@pytest.mark.parametrize(
    ("protocol", "count"), [("classic", 1), ("consumer", 0), ("share", 0), ("streams", 0)]
)
def test_groups_are_reported_by_their_protocol(protocol, count):
    assert value(f"{GROUPS}group_count", f'protocol="{protocol}"') == count


def test_classic_groups_and_their_offsets_are_reported():
    assert value(f"{MANAGER}numgroups") == value(f"{MANAGER}numgroupsempty") == 1
    assert value(f"{MANAGER}numoffsets") == value(f"{GROUPS}offset_commit_count") == 1
    assert value(f"{MANAGER}numgroupsstable") == 0
    assert value(f"{GROUPS}group_completed_rebalance_count") == 0


@pytest.mark.parametrize("coordinator", ["group", "share"])
def test_partitions_of_coordinators_are_counted_by_state(coordinator):
    name = f"kafka_server_{coordinator}_coordinator_metrics_num_partitions"
    active = {"group": OFFSETS_PARTITIONS, "share": 0}[coordinator]
    counts = [value(name, f'state="{state}"') for state in ("active", "loading", "failed")]
    assert counts == [active, 0, 0]


def test_how_long_partitions_took_to_load_is_known_where_some_were():
    assert value(f"{GROUPS}partition_load_time_max") >= value(f"{GROUPS}partition_load_time_avg")
    assert isnan(value("kafka_server_share_coordinator_metrics_partition_load_time_avg"))
    assert isnan(value("kafka_server_share_coordinator_metrics_write_latency_max"))
    assert value("kafka_server_share_coordinator_metrics_write_total") == 0


def test_lag_is_the_way_from_the_commit_to_the_high_watermark():
    assert value("kafka_consumergroup_current_offset", PLACE) == COMMITTED
    assert value("kafka_consumergroup_lag", PLACE) == RECORDS - COMMITTED
    labels = 'consumergroup="readers",topic="t"'
    assert value("kafka_consumergroup_lag_sum", labels) == RECORDS - COMMITTED


def test_transactional_ids_are_reported_by_their_state():
    name = "kafka_server_transaction_coordinator_metrics_transactional_id_count"
    assert value(name, 'state="Empty"') == 1
    assert value(name, 'state="Ongoing"') == 0


def test_no_share_session_remembers_partitions():
    assert value("kafka_server_sharesessioncache_sharepartitionscount") == 0
