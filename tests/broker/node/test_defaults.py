"""A node without settings."""

from moldau.broker.node.defaults import DEVELOPMENT, alone
from moldau.broker.node.server_properties import node_settings


def test_a_node_alone_is_broker_and_controller_on_the_port_of_kafka():
    settings = node_settings(alone())
    assert settings.is_broker
    assert settings.is_controller
    assert [str(listener) for listener in settings.listener_list] == [
        "PLAINTEXT://127.0.0.1:9092",
        "CONTROLLER://127.0.0.1:0",
    ]
    assert settings.offsets_topic_replication_factor == 1


def test_a_new_group_waits_for_no_more_members():
    assert node_settings(alone()).group_initial_rebalance_delay_ms == 0
    assert set(DEVELOPMENT) < set(alone())
