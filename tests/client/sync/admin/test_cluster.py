"""The cluster and its nodes, with either broker."""

from __future__ import annotations

import pytest

from moldau.client import RefusedError
from moldau.client.admin import AccessOperation, Admin


def test_a_cluster_has_an_id_nodes_and_a_controller(admin: Admin, broker):
    view = admin.describe_cluster(operations=True, fenced_brokers=True)
    (node,) = view.nodes
    assert (str(node), node.is_fenced) == (broker, False)
    assert view.controller_id == node.node_id
    assert view.cluster_id
    assert AccessOperation.ALTER in (view.operations or ())


def test_nodes_say_which_requests_they_understand(admin: Admin):
    (node,) = admin.describe_cluster().nodes
    versions = admin.broker_api_versions([node.node_id])[node.node_id]
    assert versions["FETCH"].high >= 17
    assert admin.broker_api_versions().all() == {node.node_id: versions}


def test_a_broker_that_was_never_registered_is_not_unregistered(admin: Admin):
    with pytest.raises(RefusedError, match="BROKER_ID_NOT_REGISTERED"):
        admin.unregister_broker(77)
