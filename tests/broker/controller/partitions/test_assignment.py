"""What people assign by hand must be possible."""

import pytest

from moldau.broker.controller.partitions.assignment import place_replicas, usable_brokers
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, directory


def test_a_broker_whose_directories_are_all_cordoned_gets_nothing():
    cluster = Conversation()
    cluster.join(1, directories=2), cluster.join(2), cluster.join(3)
    cluster.beat(1, cordoned_log_dirs=[directory(1)])
    cluster.beat(2, cordoned_log_dirs=[directory(2)])
    cluster.beat(3, cordoned_log_dirs=[])
    usable = usable_brokers(cluster.controller._situation(0, 0))
    assert [broker.broker_id for broker in usable] == [1, 3]


def test_racks_and_fences_are_known_to_the_placement():
    cluster = Conversation()
    cluster.join(1, rack="north")
    cluster.beat(1, want_fence=True)
    assert usable_brokers(cluster.controller._situation(0, 0)) == [(1, "north", True)]


def test_where_all_brokers_are_about_to_leave_no_partition_is_placed():
    cluster = Conversation(brokers=1)
    cluster.create("t", (1,))
    cluster.beat(1, want_shut_down=True)
    with pytest.raises(KafkaError) as refused:
        place_replicas(1, 1, cluster.controller._situation(0, 0))
    assert (refused.value.code, refused.value.message) == (
        ErrorCode.INVALID_REPLICATION_FACTOR,
        "Unable to replicate the partition 1 time(s): All brokers are currently fenced or in "
        "controlled shutdown.",
    )
