"""The cluster on a loop; what it does in full is tested through the blocking twin."""

from __future__ import annotations

import pytest

from moldau.client import ClientError, RefusedError
from moldau.client.admin import Replica, VoterEndpoint
from tests.client.aio.admin.test_asking import asked

NO_ID = "AAAAAAAAAAAAAAAAAAAAAQ"


def test_calls_about_the_cluster(around):
    async def work(admin):
        (node,) = (await admin.describe_cluster()).nodes
        assert list((await admin.broker_api_versions()).values) == [node.node_id]
        with pytest.raises(RefusedError, match="BROKER_ID_NOT_REGISTERED"):
            await admin.unregister_broker(77)

    asked(around, work)


def test_calls_about_nodes(around):
    async def work(admin):
        (node,) = (await admin.describe_cluster()).nodes
        assert list((await admin.describe_log_dirs()).values) == [node.node_id]
        replica = Replica("no-such", 0, node.node_id)
        places = await admin.describe_replica_log_dirs([replica])
        assert places[replica].current_dir is None
        assert replica in (await admin.alter_replica_log_dirs({replica: "/no/such"})).errors
        level = (await admin.describe_features()).finalized["metadata.version"]
        updates = {"metadata.version": level + 50}
        assert (await admin.update_features(updates, validate_only=True)).errors
        assert (await admin.describe_metadata_quorum()).leader_id == node.node_id

    asked(around, work)


def test_calls_that_a_single_node_refuses(around):
    async def work(admin):
        for call in (
            admin.add_raft_voter(77, NO_ID, [VoterEndpoint("C", "127.0.0.1", 9)]),
            admin.remove_raft_voter(77, NO_ID),
            admin.client_instance_id(),
        ):
            with pytest.raises(ClientError):
                await call

    asked(around, work)
