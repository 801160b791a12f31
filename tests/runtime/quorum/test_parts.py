"""Settings of the quorum."""

from moldau.config.broker.settings import BrokerSettings
from moldau.runtime.quorum.parts import QuorumLoopSettings


def test_a_nodes_settings_without_any_wish_are_the_defaults_here():
    assert QuorumLoopSettings.of(BrokerSettings()) == QuorumLoopSettings()
