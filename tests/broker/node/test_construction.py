"""The parts of a node have its settings."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.node.construction import make_connections, make_quotas
from moldau.broker.security.acls import AclAuthorizer
from moldau.config.broker.settings import BrokerSettings
from moldau.network.receiving import UNFINISHED_BYTES_MAX
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.node.simulated_node import run, world_of

AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


@pytest.mark.parametrize(("given", "size_max"), [("-1", UNFINISHED_BYTES_MAX), ("4096", 4096)])
def test_unfinished_requests_have_the_bytes_that_are_set_or_our_own_bound(given, size_max):
    settings = BrokerSettings({"queued.max.request.bytes": given})
    world = world_of(SimulatedFiles())
    connections = make_connections(
        settings, world, make_quotas(settings, world, lambda: QuotaImage())
    )
    assert connections.budget.limit == size_max


@pytest.mark.parametrize("is_set", [False, True])
def test_access_rules_decide_where_an_authorizer_is_set(is_set):
    async def main(machine):
        given = {"authorizer.class.name": AUTHORIZER, "super.users": "User:root"} if is_set else {}
        node = machine.node(**{name.replace(".", "_"): value for name, value in given.items()})
        await node.start()
        await node.stop()
        return isinstance(node.broker.authorizer, AclAuthorizer)

    assert run(main) is is_set
