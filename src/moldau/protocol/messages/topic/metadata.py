"""Ask for brokers, topics and partition leaders; the first thing most clients ask, of any broker.

A broker answers from its own image of the metadata, which may lag; controllers do not serve it.
Unknown topics may be created on the way. Fenced brokers are left out.

Versions: 0 an empty list means all topics, from 1 on null does, 1 racks and controller, 2 cluster
id, 4 auto-creation can be declined, 5 offline replicas, 7 leader epoch, 8 authorized operations,
9 flexible, 10 topic ids in the answer, 11 no more cluster operations (ask DescribeCluster),
12 topics asked for by id, 13 an error for the whole answer (REBOOTSTRAP_REQUIRED, KIP-1102).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Int16, Int32, String, TopicName, Uuid


class MetadataRequest(Request, key=3, versions="0-13", flexible="9+", listeners=("broker",)):
    """Asks who leads the partitions of these topics, or of all."""

    topics: list[MetadataRequestTopic] | None = at(nullable="1+")
    """Null means all topics; empty means none, in version 0 all."""
    allow_auto_topic_creation: Bool = at("4+", default=True)
    """Also needs the broker's setting and the right to create."""
    include_cluster_authorized_operations: Bool = at("8-10")
    include_topic_authorized_operations: Bool = at("8+")

    class MetadataRequestTopic(Struct):
        topic_id: Uuid = at("10+", ignorable=True)
        """All zero when asked for by name."""
        name: TopicName | None = at(nullable="10+")


class MetadataResponse(Response, key=3, versions="0-13", flexible="9+"):
    """Answers with brokers, topics, leaders and replicas."""

    throttle_time_ms: Int32 = at("3+", ignorable=True)
    brokers: list[MetadataResponseBroker]
    cluster_id: String | None = at("2+", default=None, ignorable=True)
    controller_id: BrokerId = at("1+", default=-1, ignorable=True)
    """A live broker that forwards to the controller; -1 if there is none."""
    topics: list[MetadataResponseTopic]
    cluster_authorized_operations: Int32 = at("8-10", default=-2_147_483_648)
    """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
    for.
    """
    error_code: Int16 = at("13+", ignorable=True)

    class MetadataResponseBroker(Struct):
        node_id: BrokerId = at(map_key=True)
        host: String
        port: Int32
        rack: String | None = at("1+", default=None, ignorable=True)

    class MetadataResponseTopic(Struct):
        error_code: Int16
        name: TopicName | None = at(nullable="12+", map_key=True)
        """Null if asked for by an id that is not known."""
        topic_id: Uuid = at("10+", ignorable=True)
        """All zero if asked for by a name that is not known."""
        is_internal: Bool = at("1+", default=False, ignorable=True)
        partitions: list[MetadataResponsePartition]
        topic_authorized_operations: Int32 = at("8+", default=-2_147_483_648)
        """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
        for.
        """

        class MetadataResponsePartition(Struct):
            error_code: Int16
            partition_index: Int32
            leader_id: BrokerId
            """-1 while there is none, with LEADER_NOT_AVAILABLE."""
            leader_epoch: Int32 = at("7+", default=-1, ignorable=True)
            replica_nodes: list[BrokerId]
            """The first is the preferred leader."""
            isr_nodes: list[BrokerId]
            offline_replicas: list[BrokerId] = at("5+", ignorable=True)
