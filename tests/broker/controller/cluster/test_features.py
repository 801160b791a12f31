"""Levels change together, only to what all nodes support, and down only if that is allowed."""

import pytest

from moldau.broker.controller.decision import Call
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord, FeatureLevelRecord
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names, registration

UP, SAFE, UNSAFE = 1, 2, 3
KRAFT = "kraft.version"
ELR = "eligible.leader.replicas.version"


def update(*levels, validate_only=False):
    key = UpdateFeaturesRequest.FeatureUpdateKey
    return UpdateFeaturesRequest(
        feature_updates=[
            key(feature=name, max_version_level=level, allow_downgrade=kind != UP,
                upgrade_type=kind)
            for name, level, kind in levels
        ],
        validate_only=validate_only,
    )  # fmt: skip


def test_levels_go_down_and_up():
    cluster = Conversation(brokers=1)
    records, reply = cluster.ask(update(("transaction.version", 1, SAFE)))
    assert (records[0].feature_level, reply.error_code) == (1, 0)
    cluster.ask(update(("transaction.version", 2, UP)))
    assert cluster.image.features.level("transaction.version") == 2
    assert cluster.ask(update(("transaction.version", 2, UP)))[0] == []


def test_checking_alone_changes_nothing():
    request = update(("group.version", 0, SAFE), validate_only=True)
    assert Conversation().ask(request)[0] == []


def test_old_requests_say_otherwise_that_they_downgrade_and_are_reported_each_feature():
    cluster = Conversation()
    _, reply = cluster.ask(update(("group.version", 0, SAFE)), version=0)
    assert [(one.feature, one.error_message) for one in reply.results] == [
        ("group.version", "NONE")
    ]
    assert cluster.image.features.level("group.version") == 0
    assert cluster.ask(update(("group.version", 1, UP)), version=2)[1].results == []
    twice = update(("group.version", 1, UP), ("group.version", 1, UP))
    assert len(cluster.ask(twice, version=1)[1].results) == 2


@pytest.mark.parametrize(
    "asked",
    [
        ("metadata.version", 31, UP),
        ("metadata.version", 29, UP),
        ("metadata.version", 29, SAFE),
        ("metadata.version", 29, UNSAFE),
        ("metadata.version", 6, UNSAFE),
        ("nonsense", 1, UP),
        ("group.version", 0, UP),
        ("group.version", 2, UP),
        ("group.version", -1, SAFE),
        ("group.version", 1, 0),
        ("group.version", 1, 9),
    ],
)
def test_an_update_that_cannot_be_changes_nothing_at_all(asked):
    cluster = Conversation()
    request = update(("transaction.version", 1, SAFE), asked)
    assert cluster.refusal(request) == ErrorCode.INVALID_UPDATE_VERSION
    assert cluster.image.features.level("transaction.version") == 2


def test_a_downgrade_that_loses_nothing_is_allowed():
    cluster = Conversation(levels={"metadata.version": 29})
    cluster.ask(update(("metadata.version", 24, SAFE)))
    assert cluster.image.features.metadata_version == 24
    assert cluster.refusal(update(("metadata.version", 25, SAFE)))


def test_every_registered_node_must_support_the_level():
    cluster = Conversation(levels={"metadata.version": 30})
    request = registration(1)
    request.features = [one for one in request.features if one.name != "group.version"]
    cluster.ask(request)
    assert cluster.refusal(update(("group.version", 1, UP))) == ErrorCode.INVALID_UPDATE_VERSION


def test_what_a_level_needs_must_be_there():
    cluster = Conversation(levels={"metadata.version": 22})
    assert cluster.refusal(update((ELR, 1, UP))) == ErrorCode.INVALID_UPDATE_VERSION
    records, _ = cluster.ask(update(("metadata.version", 23, UP), (ELR, 1, UP)))
    assert names(records) == ["FeatureLevel", "FeatureLevel", "Config"]


def test_eligible_replicas_begin_with_one_minimum_for_all():
    cluster = Conversation(levels={"metadata.version": 30}, min_insync_replicas="2")
    records, _ = cluster.ask(update((ELR, 1, UP)))
    assert records == [
        FeatureLevelRecord(name=ELR, feature_level=1),
        ConfigRecord(
            resource_type=4, resource_name="", name="min.insync.replicas", value="2"
        ),
    ]  # fmt: skip


def decided(cluster, *levels, validate_only=False):
    request = update(*levels, validate_only=validate_only)
    return cluster.controller.decide(request, Call(2), cluster.now_ms, cluster.now_ms)


def test_the_quorums_own_level_is_raised_by_the_quorum_and_waited_for():
    decision = decided(Conversation(brokers=1), (KRAFT, 1, UP), ("group.version", 0, SAFE))
    assert decision.kraft_version == (1, False)
    assert names(decision.records) == ["NoOp", "FeatureLevel"]
    checked = decided(Conversation(brokers=1), (KRAFT, 1, UP), validate_only=True)
    assert (checked.kraft_version, checked.records) == ((1, True), [])


def test_the_quorums_own_level_never_goes_back():
    cluster = Conversation(brokers=1)
    assert decided(cluster, (KRAFT, 0, UP)).kraft_version is None
    assert cluster.refusal(update((KRAFT, 1, SAFE))) == ErrorCode.INVALID_UPDATE_VERSION
    cluster.controller.set_kraft_version(1)
    again = decided(cluster, (KRAFT, 1, UP))
    assert (again.kraft_version, again.records) == (None, [])
    for level, kind in ((0, UP), (0, SAFE), (0, UNSAFE), (2, UP)):
        assert cluster.refusal(update((KRAFT, level, kind))) == ErrorCode.INVALID_UPDATE_VERSION


def test_the_oldest_requests_cannot_downgrade():
    key = UpdateFeaturesRequest.FeatureUpdateKey
    lower = key(feature="transaction.version", max_version_level=1, allow_downgrade=True)
    request = UpdateFeaturesRequest(feature_updates=[lower])
    assert Conversation().refusal(request) == ErrorCode.INVALID_UPDATE_VERSION
