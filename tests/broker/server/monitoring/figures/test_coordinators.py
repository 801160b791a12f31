"""Groups and transactions in numbers, and how far a group is behind."""

import pytest

from tests.broker.server.monitoring.figures.live_node import COMMITTED, RECORDS, value

GROUPS = "kafka_server_group_coordinator_metrics_"
MANAGER = "kafka_coordinator_group_groupmetadatamanager_"
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
