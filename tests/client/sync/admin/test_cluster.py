"""The cluster and its nodes, with either broker."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.client import RefusedError, UnsupportedVersionError
from moldau.client.admin import (
    AccessOperation,
    Admin,
    FeatureUpdate,
    NewTopic,
    Replica,
    ReplicaLogDirs,
    VoterEndpoint,
)
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.sync.admin.settling import settled
from tests.client.sync.admin.test_topics import NO_ID, code_of


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


def test_directories_have_replicas_and_replicas_directories(admin: Admin, topic):
    (node,) = (one.node_id for one in admin.describe_cluster().nodes)
    admin.create_topics(NewTopic(topic, 1)).all()
    part, replica = TopicPartition(topic, 0), Replica(topic, 0, node)

    def places() -> ReplicaLogDirs:
        return admin.describe_replica_log_dirs([replica])[replica]

    found = settled(places, lambda place: place.current_dir)
    directory = admin.describe_log_dirs()[node][found.current_dir or ""]
    assert not directory.replicas[part].is_future
    assert (directory.error, found.future_dir) == (None, None)
    assert (directory.total_bytes or 0) > (directory.usable_bytes or 0) > 0


def test_a_directory_that_is_none_is_refused_for_its_replica(admin: Admin, topic):
    (node,) = (one.node_id for one in admin.describe_cluster().nodes)
    replica, gone = Replica(topic, 0, node), Replica(topic, 0, node + 77)
    outcomes = admin.alter_replica_log_dirs({replica: "/no/such", gone: "/no/such"})
    assert code_of(outcomes.errors[replica]) is ErrorCode.LOG_DIR_NOT_FOUND
    assert "broker" in str(outcomes.errors[gone])


def test_features_have_levels_that_are_raised_if_they_can_be(admin: Admin):
    view = admin.describe_features()
    level = view.finalized["metadata.version"]
    assert view.supported["metadata.version"].high >= level
    update = {"metadata.version": FeatureUpdate(level + 50)}
    outcomes = admin.update_features(update, validate_only=True)
    assert outcomes.errors
    at_node = admin.describe_features(admin.describe_cluster().nodes[0].node_id)
    assert at_node.epoch is not None
    assert view.epoch is not None
    assert at_node.epoch >= view.epoch  # it is an offset of the metadata, which go on
    assert replace(at_node, epoch=view.epoch) == view


def test_the_quorum_has_a_leader_and_voters(admin: Admin):
    view = admin.describe_metadata_quorum()
    (voter,) = view.voters
    assert (voter.replica_id, view.leader_epoch > 0) == (view.leader_id, True)
    assert voter.log_end_offset >= view.high_watermark > 0


def test_voters_that_cannot_change_are_refused(admin: Admin):
    endpoint = VoterEndpoint("CONTROLLER", "127.0.0.1", 9)
    with pytest.raises(RefusedError):
        admin.add_raft_voter(77, NO_ID, [endpoint])
    with pytest.raises(RefusedError):
        admin.remove_raft_voter(77, NO_ID)


def test_brokers_that_take_no_metrics_of_clients_give_no_id(admin: Admin):
    with pytest.raises(UnsupportedVersionError, match="does not have it"):
        admin.client_instance_id()
