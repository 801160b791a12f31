"""Dialogues that change settings, quotas and users, and look at what came of it."""

from __future__ import annotations

from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.messages.config.alter_configs import AlterConfigsRequest
from moldau.protocol.messages.config.describe_client_quotas import DescribeClientQuotasRequest
from moldau.protocol.messages.config.describe_configs import DescribeConfigsRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.security.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
)
from moldau.protocol.messages.security.create_acls import CreateAclsRequest
from moldau.protocol.messages.security.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
)
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from tests.interop.differential.dialogues import Dialogue, Step

SET, DELETE, APPEND, SUBTRACT = range(4)
TOPIC, BROKER, CLIENT_METRICS, GROUP = 2, 4, 16, 32


def change(kind, name, *changes, validate_only=False):
    of = IncrementalAlterConfigsRequest.AlterConfigsResource
    configs = [
        of.AlterableConfig(name=key, config_operation=operation, value=value)
        for key, operation, value in changes
    ]
    resource = of(resource_type=kind, resource_name=name, configs=configs)
    return IncrementalAlterConfigsRequest(resources=[resource], validate_only=validate_only)


def look(kind, name, *keys):
    of = DescribeConfigsRequest.DescribeConfigsResource
    resource = of(resource_type=kind, resource_name=name, configuration_keys=list(keys) or None)
    return DescribeConfigsRequest(
        resources=[resource], include_synonyms=True, include_documentation=False
    )


def topic_settings(version: int) -> Dialogue:
    for changes in (
        [("retention.ms", SET, "1000")],
        [("retention.ms", SET, "altered")],
        [("retention.ms", SET, "-5")],
        [("nonsense", SET, "1")],
        [("retention.ms", SET, None)],
        [("retention.ms", SET, "1"), ("retention.ms", SET, "2")],
        [("cleanup.policy", APPEND, "compact")],
        [("cleanup.policy", SUBTRACT, "delete")],
        [("retention.ms", APPEND, "1")],
        [("compression.type", SET, "brotli")],
        [("max.message.bytes", DELETE, None)],
        [("min.insync.replicas", SET, "2")],
        [("min.insync.replicas", DELETE, None)],
        [("retention.ms", 9, "1")],
        *throttled_lists(),
    ):
        yield Step(change(TOPIC, "altered", *changes), version)
        yield Step(look(TOPIC, "altered"), 4)
    yield Step(change(TOPIC, "altered", ("retention.ms", SET, "7"), validate_only=True), version)
    yield Step(change(TOPIC, "missing", ("retention.ms", SET, "7")), version)
    yield Step(change(TOPIC, "", ("retention.ms", SET, "7")), version)
    yield Step(look(TOPIC, "altered", "retention.ms", "nonsense"), 4)


def throttled_lists():
    """Replicas as partition:broker; what else may stand there is the question."""
    key = "leader.replication.throttled.replicas"
    texts = ("*", "0:1", "0:1,1:1", "x", "0", "0:1,", "0:1:2", "*,0:1", "-1:1", " 0:1 , 1:2 ", "")
    for text in texts:
        yield [(key, SET, text)]
    yield [("follower.replication.throttled.replicas", SET, "0:1x")]
    yield [(key, APPEND, "2:1"), ("follower.replication.throttled.replicas", APPEND, "*")]
    yield [(key, DELETE, None), ("follower.replication.throttled.replicas", DELETE, None)]


def broker_settings(version: int) -> Dialogue:
    for name in ("1", "", "7", "x"):
        for changes in (
            [("log.retention.ms", SET, "86400000")],
            [("num.partitions", SET, "3")],
            [("background.threads", SET, "5")],
            [("nonsense", SET, "5")],
            [("listeners", SET, "nonsense")],
            [("leader.replication.throttled.rate", SET, "1000000")],
            [("leader.replication.throttled.rate", SET, "-1")],
            [("replica.alter.log.dirs.io.max.bytes.per.second", SET, "0")],
            [("replica.alter.log.dirs.io.max.bytes.per.second", SET, "1.5")],
            [("leader.replication.throttled.rate", DELETE, None)],
            [("replica.alter.log.dirs.io.max.bytes.per.second", DELETE, None)],
            [("log.retention.ms", DELETE, None), ("background.threads", DELETE, None)],
        ):
            yield Step(change(BROKER, name, *changes), version)
            yield Step(look(BROKER, name), 4)
    for kind, name, key, value in (
        (GROUP, "readers", "consumer.session.timeout.ms", "50000"),
        (GROUP, "readers", "consumer.session.timeout.ms", "5"),
        (GROUP, "", "consumer.session.timeout.ms", "50000"),
        (GROUP, "readers", "nonsense", "1"),
        (CLIENT_METRICS, "sub", "interval.ms", "1000"),
        (CLIENT_METRICS, "sub", "interval.ms", "1"),
        (CLIENT_METRICS, "sub", "match", "client_id=["),
        (CLIENT_METRICS, "", "interval.ms", "1000"),
        (8, "1", "kafka", "INFO"),
        (99, "x", "y", "z"),
    ):
        yield Step(change(kind, name, (key, SET, value)), version)
        yield Step(look(kind, name), 4)


def replaced_settings(version: int) -> Dialogue:
    of = AlterConfigsRequest.AlterConfigsResource
    for kind, name, pairs in (
        (TOPIC, "altered", {"retention.ms": "5000"}),
        (TOPIC, "altered", {"retention.bytes": "5000"}),
        (TOPIC, "altered", {"retention.bytes": None}),
        (TOPIC, "altered", {}),
        (TOPIC, "missing", {}),
        (BROKER, "", {"background.threads": "4"}),
        (BROKER, "", {}),
        (99, "x", {}),
    ):
        configs = [of.AlterableConfig(name=key, value=value) for key, value in pairs.items()]
        resource = of(resource_type=kind, resource_name=name, configs=configs)
        yield Step(AlterConfigsRequest(resources=[resource], validate_only=False), version)
        yield Step(look(kind, name), 4)


def quotas(version: int) -> Dialogue:
    entry = AlterClientQuotasRequest.EntryData
    for kind, name, key, value, remove in (
        ("user", "u", "producer_byte_rate", 1000.0, False),
        ("user", None, "consumer_byte_rate", 1000.5, False),
        ("client-id", "c", "request_percentage", 50.0, False),
        ("ip", "127.0.0.9", "connection_creation_rate", 5.0, False),
        ("ip", "nonsense!", "connection_creation_rate", 5.0, False),
        ("ip", "127.0.0.9", "producer_byte_rate", 5.0, False),
        ("user", "u", "nonsense", 1.0, False),
        ("nonsense", "u", "producer_byte_rate", 1.0, False),
        ("user", "u", "producer_byte_rate", -1.0, False),
        ("user", "u", "producer_byte_rate", 0.0, True),
        ("user", "", "producer_byte_rate", 5.0, False),
    ):
        entity = entry.EntityData(entity_type=kind, entity_name=name)
        quota = entry(entity=[entity], ops=[entry.OpData(key=key, value=value, remove=remove)])
        yield Step(AlterClientQuotasRequest(entries=[quota], validate_only=False), version)
        yield Step(DescribeClientQuotasRequest(components=[], strict=False), version)


def users(version: int) -> Dialogue:
    of = AlterUserScramCredentialsRequest
    for mechanism, iterations, name in (
        (1, 4096, "amy"), (2, 4096, "amy"), (1, 1, "amy"),
        (9, 4096, "amy"), (1, 4096, ""), (1, 99999, "amy"),
    ):  # fmt: skip
        made = of.ScramCredentialUpsertion(
            name=name, mechanism=mechanism, iterations=iterations, salt=b"s", salted_password=b"p"
        )
        yield Step(of(deletions=[], upsertions=[made]), version)
        yield Step(DescribeUserScramCredentialsRequest(users=None), 0)
    for name, mechanism in (("amy", 1), ("amy", 1), ("unknown", 1), ("amy", 9)):
        gone = of.ScramCredentialDeletion(name=name, mechanism=mechanism)
        yield Step(of(deletions=[gone], upsertions=[]), version)


def cluster(version: int) -> Dialogue:
    yield Step(CreateAclsRequest(creations=[]), 3)
    of = ElectLeadersRequest.TopicPartitions
    for kind in (0, 1):
        for topic, parts in (("plain", [0]), ("missing", [0]), ("plain", [9])):
            asked = [of(topic=topic, partitions=parts)]
            yield Step(
                ElectLeadersRequest(election_type=kind, topic_partitions=asked, timeout_ms=1000), 2
            )
    moved = AlterPartitionReassignmentsRequest.ReassignableTopic
    for name, index, replicas in (
        ("plain", 0, [1]), ("plain", 0, [1, 1]), ("plain", 0, [7]), ("plain", 0, []),
        ("plain", 0, None), ("plain", 9, [1]), ("missing", 0, [1]), ("plain", 0, [-1]),
    ):  # fmt: skip
        part = moved.ReassignablePartition(partition_index=index, replicas=replicas)
        yield Step(
            AlterPartitionReassignmentsRequest(
                timeout_ms=1000, topics=[moved(name=name, partitions=[part])]
            ),
            version,
        )
    update = UpdateFeaturesRequest.FeatureUpdateKey
    for feature, level, kind in (
        ("nonsense", 1, 1), ("metadata.version", 99, 1), ("group.version", 9, 1),
        ("transaction.version", 1, 1), ("transaction.version", 1, 2), ("metadata.version", 30, 1),
    ):  # fmt: skip
        raised = update(feature=feature, max_version_level=level, upgrade_type=kind)
        yield Step(
            UpdateFeaturesRequest(timeout_ms=1000, feature_updates=[raised], validate_only=True), 2
        )


def setting_dialogues() -> list[Dialogue]:
    return [
        *(topic_settings(version) for version in range(2)),
        *(broker_settings(version) for version in range(2)),
        *(replaced_settings(version) for version in range(3)),
        *(quotas(version) for version in range(2)),
        users(0),
        *(cluster(version) for version in range(2)),
    ]
