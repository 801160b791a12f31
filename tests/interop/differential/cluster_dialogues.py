"""Dialogues about the cluster: its quorum, features, tokens, and share groups."""

from __future__ import annotations

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.messages.security.create_delegation_token import CreateDelegationTokenRequest
from moldau.protocol.messages.security.describe_delegation_token import (
    DescribeDelegationTokenRequest,
)
from moldau.protocol.messages.security.expire_delegation_token import ExpireDelegationTokenRequest
from moldau.protocol.messages.security.renew_delegation_token import RenewDelegationTokenRequest
from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from tests.interop.differential.dialogues import Dialogue, Step

UPGRADE, SAFE, UNSAFE = 1, 2, 3
OWNERS_SINCE = 3
WHO_I_AM = ApiVersionsRequest(client_software_name="a", client_software_version="1")


def quorum(version: int) -> Dialogue:
    of = DescribeQuorumRequest.TopicData
    for topic, index in (("__cluster_metadata", 0), ("__cluster_metadata", 1), ("plain", 0)):
        part = of.PartitionData(partition_index=index)
        request = DescribeQuorumRequest(topics=[of(topic_name=topic, partitions=[part])])
        yield Step(request, version)
    yield Step(DescribeQuorumRequest(topics=[]), version)


def features(version: int) -> Dialogue:
    """Down, up, too far, in one request and in two; nothing is left changed."""
    of = UpdateFeaturesRequest.FeatureUpdateKey
    for updates in (
        [("streams.version", 0, SAFE)],
        [("streams.version", 1, UPGRADE)],
        [("streams.version", 0, UPGRADE)],
        [("streams.version", 7, UPGRADE)],
        [("streams.version", 0, UNSAFE), ("nonsense", 1, UPGRADE)],
        [("streams.version", 1, SAFE)],
        [("streams.version", 0, UNSAFE)],
        [("streams.version", 1, UPGRADE)],
        [("streams.version", 1, 9)],
        [("streams.version", -1, UPGRADE)],
        [("", 1, UPGRADE)],
        [("metadata.version", 30, UPGRADE)],
        [("metadata.version", 3, UNSAFE)],
        [("kraft.version", 2, UPGRADE)],
        [],
    ):
        wanted = [
            of(
                feature=name,
                max_version_level=level,
                upgrade_type=UPGRADE if version == 0 else kind,
                allow_downgrade=version == 0 and kind != UPGRADE,
            )
            for name, level, kind in updates
        ]
        request = UpdateFeaturesRequest(
            timeout_ms=5000, feature_updates=wanted, validate_only=False
        )
        yield Step(request, version)
        yield Step(WHO_I_AM, 4)


def tokens(version: int) -> Dialogue:
    """Where no principal is known by name, none gets a token."""
    owner = None if version >= OWNERS_SINCE else ""
    create = CreateDelegationTokenRequest(
        owner_principal_type=owner, owner_principal_name=owner, renewers=[], max_lifetime_ms=-1
    )
    yield Step(create, version)
    renewal = min(version, 2)
    yield Step(RenewDelegationTokenRequest(hmac=b"x", renew_period_ms=1), renewal)
    yield Step(ExpireDelegationTokenRequest(hmac=b"x", expiry_time_period_ms=1), renewal)
    yield Step(DescribeDelegationTokenRequest(owners=None), version)


def sharers(group: str) -> Dialogue:
    """Members of a share group come, stay and go."""

    def beat(member, epoch, topics=None):
        return ShareGroupHeartbeatRequest(
            group_id=group, member_id=member, member_epoch=epoch, subscribed_topic_names=topics
        )

    describe = ShareGroupDescribeRequest(group_ids=[group], include_authorized_operations=False)
    name = "B" * 22
    yield Step(describe, 1)
    yield Step(beat(name, 5), 1)
    yield Step(beat(name, 0), 1)
    yield Step(beat("", 0, ["plain"]), 1)
    yield Step(beat(name, 0, ["missing"]), 1)
    yield Step(beat(name, 99), 1)
    yield Step(beat("stranger", 1), 1)
    yield Step(ListGroupsRequest(types_filter=["share"], states_filter=[]), 5)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)
    yield Step(beat(name, -1), 1)
    yield Step(beat(name, -1), 1)
    yield Step(describe, 1)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)
    yield Step(describe, 1)


def cluster_dialogues() -> list[Dialogue]:
    return [
        *(quorum(version) for version in range(3)),
        *(features(version) for version in range(3)),
        *(tokens(version) for version in range(1, 4)),
        sharers("sharing"),
    ]
