"""Settings of the quorum."""

from moldau.broker.runtime.quorum.parts import QuorumLoopSettings
from moldau.config.broker.settings import BrokerSettings


def test_a_nodes_settings_without_any_wish_are_the_defaults_here():
    assert QuorumLoopSettings.of(BrokerSettings()) == QuorumLoopSettings()


def test_the_internal_size_of_metadata_segments_wins():
    given = {"internal.metadata.log.segment.bytes": "4096"}
    assert QuorumLoopSettings.of(BrokerSettings(given)).log.segment_bytes == 4096
