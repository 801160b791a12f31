"""What requests about one group are made of: mostly what is right there, and what is not quite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.index import APIS
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.wire.schema import Message
from tests.interop.differential.aliases import Alias
from tests.interop.differential.group_dialogues import ASSIGNMENT, SUBSCRIPTION
from tests.interop.differential.group_states import INSTANCE, MEMBER, STRANGER, GroupState, topology
from tests.interop.differential.values import Draw, one_of, topic_id

APIS_OF_GROUPS = (
    "JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "OffsetCommit", "OffsetFetch",
    "OffsetDelete", "DeleteGroups", "DescribeGroups", "ListGroups", "FindCoordinator",
    "ConsumerGroupHeartbeat", "ConsumerGroupDescribe", "ShareGroupHeartbeat", "ShareGroupDescribe",
    "DescribeShareGroupOffsets", "AlterShareGroupOffsets", "DeleteShareGroupOffsets", "ShareFetch",
    "ShareAcknowledge", "StreamsGroupHeartbeat", "StreamsGroupDescribe", "TxnOffsetCommit",
)  # fmt: skip
OWN_APIS = {
    "classic": ("JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "OffsetCommit"),
    "consumer": ("ConsumerGroupHeartbeat", "ConsumerGroupDescribe", "JoinGroup", "OffsetCommit"),
    "share": tuple(name for name in APIS_OF_GROUPS if "Share" in name),
    "streams": ("StreamsGroupHeartbeat", "StreamsGroupDescribe", "OffsetCommit"),
    "offsets": tuple(name for name in APIS_OF_GROUPS if "Offset" in name),
}
"""By what the name of a group in this state begins with."""
LONG = "x" * 300
MAX_INT32 = 2**31 - 1
SHARE_KEY = "sharers:AAAAAAAAAAAAAAAAAAAAAQ:0"
SHORT_MS = 300
"""How long a rebalance waits for members that do not come."""
MIN_SESSION_MS, MAX_SESSION_MS = 6_000, 1_800_000
"""What Kafka's settings allow, unless they are changed."""
SOURCE, INTERNAL, MISSING = "plain", "__consumer_offsets", "missing"

Draws = Mapping[str, Draw]


def api_versions_of_groups() -> Iterator[tuple[type[Message], int]]:
    """Each API about groups in each version that is served."""
    by_name = {api.name: api.request for api in APIS}
    for name in APIS_OF_GROUPS:
        for version in by_name[name].VERSIONS.each():
            if version not in by_name[name].UNSTABLE:
                yield by_name[name], version


def name_of(request: type[Message]) -> str:
    return request.__name__.removesuffix("Request")


def draws_for(state: GroupState, request: type[Message]) -> Draws:
    """By the names of fields, for one API."""
    return {**_of_every_api(state), **_of_api(state).get(name_of(request), {})}


def _of_every_api(state: GroupState) -> Draws:
    group, epoch = state.group, state.epoch
    members = one_of(*state.members * 4, "", STRANGER, MEMBER, None)
    epochs = one_of(*[epoch] * 5, -1, -1, -2, -3, 0, 0, epoch - 1, epoch + 1, MAX_INT32)
    instance = one_of(None, None, None, INSTANCE, INSTANCE, "chair", "")
    topic = one_of("plain", "plain", "many", "missing", "", "bad name!")
    return {
        "group_id": one_of(*[group] * 12, "", f"{group}-missing", f"{group}-{LONG}", None),
        "member_id": members,
        "group_instance_id": instance,
        "instance_id": instance,
        "generation_id": epochs,
        "generation_id_or_member_epoch": epochs,
        "member_epoch": epochs,
        "name": topic,
        "topic_name": topic,
        "topic_id": topic_id,
        "partition_index": one_of(0, 0, 0, 1, 99, -1),
        "partition_indexes": one_of([0], [0, 1], [], [99]),
        "committed_metadata": one_of(None, "", "note"),  # longer ones have dialogues of their own
        "group_ids": one_of([group], [group], [f"{group}-missing", group], [""], []),
        "groups_names": one_of([group], [f"{group}-missing"], ["", group], []),
        "reason": one_of(None, "because"),
        "rack_id": one_of(None, None, "", "rack"),
    }


def _of_api(state: GroupState) -> Mapping[str, Draws]:
    group = state.group
    return {
        "JoinGroup": {**JOIN, **state.joins},
        "SyncGroup": SYNC,
        "DescribeGroups": {"groups": one_of([group], [f"{group}-missing"], ["", group], [])},
        "ConsumerGroupHeartbeat": CONSUMER_HEARTBEAT,
        "ShareGroupHeartbeat": {"subscribed_topic_names": SUBSCRIPTIONS},
        "StreamsGroupHeartbeat": STREAMS_HEARTBEAT,
        "DescribeShareGroupOffsets": {"partitions": one_of([0], [0], [], [-1])},
        "AlterShareGroupOffsets": ALTER_SHARE_OFFSETS,
        "ShareFetch": {**SHARE_SESSION, **SHARE_FETCH},
        "ShareAcknowledge": SHARE_SESSION,
        "ListGroups": {
            "states_filter": one_of([], ["Empty"], ["stable", "dead"], ["nonsense"]),
            "types_filter": one_of([], ["consumer"], ["Share"], ["streams", "x"], ["unknown"]),
        },
        "FindCoordinator": {
            "key": one_of(group, "", SHARE_KEY),
            "key_type": one_of(0, 0, 1, 2, 2, 3, -1),
            "coordinator_keys": one_of([group], ["", "a"], [SHARE_KEY], ["a:b:c"], []),
        },
        "TxnOffsetCommit": {
            "transactional_id": one_of("", group, "unknown"),
            "producer_id": one_of(-1, 10**9, 10**12),
            "producer_epoch": one_of(-1, 0, 7),
        },
    }


def protocols(random: SeededRandom) -> list[JoinGroupRequest.JoinGroupRequestProtocol]:
    """None twice, and no subscription that breaks off late: Kafka then fails in a timer, and never
    answers."""
    of = JoinGroupRequest.JoinGroupRequestProtocol
    names = random.choice(((), ("range",), ("range",), ("roundrobin", "range"), ("",)))
    metadata = one_of(SUBSCRIPTION, SUBSCRIPTION, b"", b"\x00")
    return [of(name=name, metadata=metadata(random)) for name in names]


PARTITIONS = one_of([0], [0, 1], [], [99], [-1])
SUBSCRIPTIONS = one_of(None, None, ["plain"], [], ["missing", "plain"], ["", "bad name!"])
JOIN: Draws = {
    "session_timeout_ms": one_of(
        *[MIN_SESSION_MS] * 6, MIN_SESSION_MS - 1, MAX_SESSION_MS + 1, 0, -1
    ),
    "rebalance_timeout_ms": one_of(SHORT_MS),
    "protocol_type": one_of("consumer", "consumer", "consumer", "connect", ""),
    "protocols": protocols,
}
SYNC: Draws = {
    "protocol_type": one_of("consumer", "consumer", "connect", "", None),
    "protocol_name": one_of("range", "range", "other", "", None),
    "assignment": one_of(b"", ASSIGNMENT, b"nonsense"),
}
CONSUMER_HEARTBEAT: Draws = {
    "rebalance_timeout_ms": one_of(-1, 30_000, 30_000, 0),
    "subscribed_topic_names": SUBSCRIPTIONS,
    "subscribed_topic_regex": one_of(None, None, None, "pl.*", "", "("),
    "server_assignor": one_of(None, None, "range", "uniform", "nonsense", ""),
    "topic_partitions": one_of(None, [], []),
    "partitions": PARTITIONS,
}
STREAMS_HEARTBEAT: Draws = {
    "endpoint_information_epoch": one_of(0, -1, 5),
    "rebalance_timeout_ms": one_of(-1, 30_000, 30_000, 0),
    "topology": one_of(
        None,
        None,
        topology(),
        topology(),
        topology(1),
        topology(-1),
        topology(0, "missing"),
        topology(0, INTERNAL),
        topology(0, ""),
        topology(0, "bad name!"),
        StreamsGroupHeartbeatRequest.Topology(epoch=0, subtopologies=[]),
    ),
    "active_tasks": one_of(None, [], []),
    "standby_tasks": one_of(None, [], []),
    "warmup_tasks": one_of(None, [], []),
    "process_id": one_of(None, "p", "p", ""),
    "user_endpoint": one_of(None),
    "client_tags": one_of(None, [], []),
    "task_offsets": one_of(None),
    "task_end_offsets": one_of(None),
}
ALTER_SHARE_OFFSETS: Draws = {
    "partition_index": one_of(0, 0, 1, 99),  # below 0 Kafka fails inside, and stores half of it
    "start_offset": one_of(0, 1, -1, -2, 10**6),
}
SHARE_SESSION: Draws = {
    "share_session_epoch": one_of(-1, -2, 1, 1, 2, 5, 0),
    "first_offset": one_of(0, 0, -1, 5),
    "last_offset": one_of(0, 1, -1, 4),
    "acknowledge_types": one_of([1], [1, 2], [], [0], [4], [5], [-1]),
    "partitions_indexes": PARTITIONS,
}
SHARE_FETCH: Draws = {
    "topic_id": one_of(Alias("topic:stamped", b"\x07" * 16)),
    "share_session_epoch": one_of(-1, -2, 1, 1, 2, 5),
    "max_wait_ms": one_of(0, 0, 100),
    "min_bytes": one_of(0, 1, -1),
    "max_bytes": one_of(0, 1 << 20),
    "max_records": one_of(0, 1, 500, -1),
    "batch_size": one_of(0, 500, -1),
    "share_acquire_mode": one_of(0, 0, 1),  # over any other Kafka fails inside
    "is_renew_ack": one_of(False, False, True),
    "forgotten_topics_data": one_of([]),
}
"""None begins a session: dialogues of share groups do. It has only the topic that is initialized:
over one that is not there Kafka fails inside (-1), and others are a matter of time."""
