"""The nearest word about a setting counts."""

from moldau.broker.controller.configs.effective import allows_unclean_election, layers, min_isr
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from tests.broker.controller.conversation import Conversation

NAME = "min.insync.replicas"


def config(resource_type, resource, value, name=NAME):
    return ConfigRecord(resource_type=resource_type, resource_name=resource, name=name, value=value)


def test_topic_then_node_then_all_brokers_then_file_then_default():
    cluster = Conversation(min_insync_replicas="2")
    expected = [2]
    for record in (config(4, "", "3"), config(4, "1", "4"), config(2, "t", "5")):
        cluster.write([record])
        expected.append(min_isr(cluster.controller._situation(0, 0), "t"))
    assert expected == [2, 3, 4, 5]
    assert min_isr(Conversation().controller._situation(0, 0), "t") == 1


def test_unclean_elections_are_off_until_they_are_allowed():
    name = "unclean.leader.election.enable"
    cluster = Conversation()
    assert not allows_unclean_election(cluster.controller._situation(0, 0), "t")
    cluster.write([config(2, "t", "true", name)])
    assert allows_unclean_election(cluster.controller._situation(0, 0), "t")
    every = Conversation(unclean_leader_election_enable="true")
    assert allows_unclean_election(every.controller._situation(0, 0), "t")


def test_layers_show_where_a_value_was_set():
    cluster = Conversation(min_insync_replicas="2")
    cluster.write([config(4, "", "3"), config(4, "9", "4")])
    found = layers(cluster.controller._situation(0, 0))
    assert (found.file[NAME], dict(found.all_brokers), dict(found.broker)) == ("2", {NAME: "3"}, {})
