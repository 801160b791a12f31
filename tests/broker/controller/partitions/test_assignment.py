"""What people assign by hand must be possible."""

from moldau.broker.controller.partitions.assignment import usable_brokers
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
