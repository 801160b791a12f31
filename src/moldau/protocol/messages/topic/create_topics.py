"""Create topics; called by admin clients, and by brokers for auto-creation.

A broker forwards it to the active controller. Either a partition count and a replication factor, or
a full assignment: not both.

Versions: 4 counts may be left to the cluster's defaults (KIP-464), 5 flexible, and the answer shows
the configuration (KIP-525), 6 THROTTLING_QUOTA_EXCEEDED (KIP-599), 7 topic id in the answer.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Int8, Int16, Int32, String, TopicName, Uuid


class CreateTopicsRequest(
    Request, key=19, versions="2-7", flexible="5+", listeners=("broker", "controller")
):
    """Asks to create topics, or to check whether they could be."""

    topics: list[CreatableTopic]
    timeout_ms: Int32 = 60000
    """How long the controller may take until the topics are committed."""
    validate_only: Bool = False
    """Check everything, create nothing."""

    class CreatableTopic(Struct):
        name: TopicName = at(map_key=True)
        num_partitions: Int32
        """-1: the cluster's default, or as assigned."""
        replication_factor: Int16
        """-1: the cluster's default, or as assigned."""
        assignments: list[CreatableReplicaAssignment]
        """Empty, or one for each partition, numbered from 0 without gaps."""
        configs: list[CreatableTopicConfig]

        class CreatableReplicaAssignment(Struct):
            partition_index: Int32 = at(map_key=True)
            broker_ids: list[BrokerId]
            """The first is the preferred leader."""

        class CreatableTopicConfig(Struct):
            name: String = at(map_key=True)
            value: String | None


class CreateTopicsResponse(Response, key=19, versions="2-7", flexible="5+"):
    """Answers for each topic with its id and shape."""

    throttle_time_ms: Int32 = at(ignorable=True)
    topics: list[CreatableTopicResult]

    class CreatableTopicResult(Struct):
        name: TopicName = at(map_key=True)
        topic_id: Uuid = at("7+", ignorable=True)
        error_code: Int16
        error_message: String | None = at(ignorable=True)
        topic_config_error_code: Int16 = at("5+", tag=0, ignorable=True)
        """Why the settings are not shown, if the caller may not see them."""
        num_partitions: Int32 = at("5+", default=-1, ignorable=True)
        """-1 if it may not be seen."""
        replication_factor: Int16 = at("5+", default=-1, ignorable=True)
        """-1 if it may not be seen."""
        configs: list[CreatableTopicConfigs] | None = at("5+", ignorable=True)
        """Null if they may not be seen."""

        class CreatableTopicConfigs(Struct):
            name: String
            value: String | None
            read_only: Bool
            config_source: Int8 = at(default=-1, ignorable=True)
            """1 topic, 2 broker, 3 all brokers, 4 file, 5 default, 6 logger, 7 metrics, 8
            group.
            """
            is_sensitive: Bool
            """If so the value is null."""
