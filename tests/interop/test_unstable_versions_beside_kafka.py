"""Judge: versions and levels that may still change are there by the same switches as with Kafka.

Both are formatted and started with a switch; what their listeners show is compared.
"""

from __future__ import annotations

import pytest

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from tests.interop.differential.side import Side

pytestmark = [pytest.mark.judge, pytest.mark.long]

SWITCHES = ("unstable.api.versions.enable", "unstable.feature.versions.enable")
INIT_PRODUCER_ID = 22
METADATA_VERSION = "metadata.version"


def shown(port):
    """What a listener serves and what the cluster has, as far as a switch may change it."""
    side = Side("a node", port)
    request = ApiVersionsRequest(client_software_name="test", client_software_version="1")
    answer = side.ask(request, 4)
    side.close()
    served = {one.api_key: (one.min_version, one.max_version) for one in answer.api_keys}
    levels = {one.name: (one.min_version, one.max_version) for one in answer.supported_features}
    finalized = {one.name: one.max_version_level for one in answer.finalized_features}
    return served, levels, finalized


def on_both_listeners(node):
    node.start()
    found = [shown(port) for port in (node.client_port, node.controller_port)]
    node.kill()
    return found


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_same_is_shown_with_a_switch(new_kafka_node, new_moldau_node, switch):
    settings = {switch: "true"}
    ours, theirs = (
        on_both_listeners(node) for node in (new_moldau_node(settings), new_kafka_node(settings))
    )
    assert ours == theirs
    (served, levels, finalized), _ = ours
    is_api = switch == SWITCHES[0]
    assert served[INIT_PRODUCER_ID] == (0, 6 if is_api else 5)
    assert (levels[METADATA_VERSION][1], finalized[METADATA_VERSION]) == (
        (30, 30) if is_api else (31, 31)
    )
