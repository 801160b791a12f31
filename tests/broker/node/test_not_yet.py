"""What no node does yet is refused, and nothing is done by halves."""

from __future__ import annotations

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.node import Node
from moldau.broker.node.not_yet import refuse_what_is_not_there
from moldau.broker.node.server_properties import node_settings
from moldau.config.refusals import SettingError
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.node.simulated_node import world_of

SECURE = "CONTROLLER:PLAINTEXT,INSIDE:PLAINTEXT,OUTSIDE:SASL_SSL"


def settings(**given):
    return node_settings(alone(), {key.replace("_", "."): value for key, value in given.items()})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"listeners": "SSL://:9092,CONTROLLER://:9093", "inter_broker_listener_name": "SSL"},
            "the listener SSL speaks SSL and has no certificate: set listener.name.ssl",
        ),
        (
            {
                "listeners": "INSIDE://:9092,OUTSIDE://:9094,CONTROLLER://:9093",
                "listener_security_protocol_map": SECURE,
                "inter_broker_listener_name": "INSIDE",
            },
            "the listener OUTSIDE speaks SASL_SSL and has no certificate",
        ),
        (
            {"remote_log_storage_system_enable": "true"},
            "and tiered storage is not there yet; leave it out",
        ),
        (
            {"replica_selector_class": "com.example.CheapestReplicaSelector"},
            "replica.selector.class is com.example.CheapestReplicaSelector, and no class of Java",
        ),
    ],
)
def test_what_is_not_there_is_named_with_what_is(given, sentence):
    with pytest.raises(SettingError) as refused:
        Node(settings(**given), world_of(SimulatedFiles()))
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"controller_quorum_voters": "1@localhost:9093"},
        {"controller_quorum_voters": "1@here:9093,2@there:9093"},
        {"controller_quorum_voters": "written wrongly"},
        {"replica_selector_class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"},
        {
            "listeners": "INSIDE://:9092,CONTROLLER://:9093",
            "listener_security_protocol_map": SECURE,
            "inter_broker_listener_name": "INSIDE",
        },
    ],
)
def test_a_node_alone_that_speaks_plainly_passes(given):
    refuse_what_is_not_there(settings(**given))
