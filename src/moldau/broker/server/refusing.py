"""The response by which a whole request is refused.

Most responses have one error code for everything. Others have one for each thing that was asked
about, and Kafka repeats the error for every one of them. Which list of the request is mirrored in
which list of the response is declared once for each such API in `MIRRORED`; a field that stands in
both under the same name is copied.

What a response has besides keeps its default, as in Kafka, except for offsets and the like that
are then given as unknown: these are the `beside` of a mirror.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, cast

from moldau.broker.server.slices import at_once
from moldau.network.principal import ANONYMOUS
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.fields import fields_of
from moldau.protocol.wire.schema import Message, Struct
from moldau.protocol.wire.types import Array, StructOf
from moldau.protocol.wire.versions import HIGHEST

if TYPE_CHECKING:
    from moldau.protocol.messages.transaction.write_txn_markers import WriteTxnMarkersResponse

    Topic = WriteTxnMarkersResponse.WritableTxnMarkerResult.WritableTxnMarkerTopicResult
    MarkedPartition = Topic.WritableTxnMarkerPartitionResult

__all__ = ["MIRRORED", "Mirror", "refusal", "refusing"]

UNKNOWN = -1
STEP = 64
"""Elements between two places where others may go on: 5 us each."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """One list of a request, repeated in its response."""

    asked: str
    """The list in the request; its elements are structs, or bare names and numbers."""
    listed: str
    """The list in the response."""
    name: str = ""
    """Where a bare element goes, or the field that is called otherwise in the response."""
    inner: Mirror | None = None
    beside: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    """What the field `name` is called in the request, where elements are structs."""
    until: int = HIGHEST
    """The last version in which the request is mirrored at all."""
    within: str = ""
    """A list of the request in whose elements `asked` is; the response has no place for them."""


def _partitions(listed: str = "partitions", **beside: object) -> Mirror:
    return Mirror("partitions", listed, beside=beside)


def _bare(asked: str, listed: str = "partitions", name: str = "partition_index") -> Mirror:
    return Mirror(asked, listed, name)


_BY_TOPIC = (Mirror("topics", "topics", inner=_partitions()),)
_BY_RESOURCE = (Mirror("resources", "responses"),)
_STATES = (Mirror("topics", "results", inner=_partitions()),)
_PRODUCED = Mirror("partition_data", "partition_responses", beside={"base_offset": UNKNOWN})
_FETCHED = Mirror(
    "partitions",
    "partitions",
    "partition_index",
    source="partition",
    beside={"high_watermark": UNKNOWN, "log_start_offset": UNKNOWN, "records": b""},
)
_OFFSETS = _bare("partition_indexes")
_UNCOMMITTED = Mirror(
    "partition_indexes",
    "partitions",
    "partition_index",
    beside={"committed_offset": UNKNOWN, "metadata": ""},
)

MIRRORED: dict[int, tuple[Mirror, ...]] = {
    ApiKey.PRODUCE: (Mirror("topic_data", "responses", inner=_PRODUCED),),
    ApiKey.FETCH: (Mirror("topics", "responses", inner=_FETCHED, until=12),),
    ApiKey.LIST_OFFSETS: (
        Mirror("topics", "topics", inner=_partitions(offset=UNKNOWN, timestamp=UNKNOWN)),
    ),
    ApiKey.METADATA: (Mirror("topics", "topics"),),
    ApiKey.OFFSET_COMMIT: _BY_TOPIC,
    ApiKey.OFFSET_FETCH: (
        Mirror("topics", "topics", inner=_UNCOMMITTED, until=1),
        Mirror("groups", "groups"),
    ),
    ApiKey.FIND_COORDINATOR: (
        Mirror("coordinator_keys", "coordinators", "key", beside={"node_id": -1, "port": -1}),
    ),
    ApiKey.DESCRIBE_GROUPS: (_bare("groups", "groups", "group_id"),),
    ApiKey.CREATE_TOPICS: (
        Mirror("topics", "topics", beside={"num_partitions": -1, "replication_factor": -1}),
    ),
    ApiKey.DELETE_TOPICS: (
        Mirror("topics", "responses"),
        _bare("topic_names", "responses", "name"),
    ),
    ApiKey.DELETE_RECORDS: (Mirror("topics", "topics", inner=_partitions(low_watermark=UNKNOWN)),),
    ApiKey.OFFSET_FOR_LEADER_EPOCH: (
        Mirror("topics", "topics", inner=_partitions(leader_epoch=UNKNOWN, end_offset=UNKNOWN)),
    ),
    ApiKey.ADD_PARTITIONS_TO_TXN: (
        Mirror(
            "v3_and_below_topics",
            "results_by_topic_v3_and_below",
            inner=_bare("partitions", "results_by_partition"),
        ),
    ),
    ApiKey.WRITE_TXN_MARKERS: (
        Mirror("markers", "markers", inner=Mirror("topics", "topics", inner=_OFFSETS)),
    ),
    ApiKey.TXN_OFFSET_COMMIT: _BY_TOPIC,
    ApiKey.CREATE_ACLS: (Mirror("creations", "results"),),
    ApiKey.DELETE_ACLS: (Mirror("filters", "filter_results"),),
    ApiKey.DESCRIBE_CONFIGS: (Mirror("resources", "results"),),
    ApiKey.ALTER_CONFIGS: _BY_RESOURCE,
    ApiKey.ALTER_REPLICA_LOG_DIRS: (
        Mirror(
            "topics",
            "results",
            "topic_name",
            source="name",
            inner=_bare("partitions"),
            within="dirs",
        ),
    ),
    ApiKey.CREATE_PARTITIONS: (Mirror("topics", "results"),),
    ApiKey.DELETE_GROUPS: (_bare("groups_names", "results", "group_id"),),
    ApiKey.ELECT_LEADERS: (
        Mirror(
            "topic_partitions",
            "replica_election_results",
            inner=_bare("partitions", "partition_result", "partition_id"),
        ),
    ),
    ApiKey.INCREMENTAL_ALTER_CONFIGS: _BY_RESOURCE,
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: (Mirror("topics", "responses", inner=_partitions()),),
    ApiKey.LIST_PARTITION_REASSIGNMENTS: (Mirror("topics", "topics", inner=_OFFSETS),),
    ApiKey.ALTER_CLIENT_QUOTAS: (Mirror("entries", "entries"),),
    ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS: (Mirror("users", "results"),),
    ApiKey.ALTER_USER_SCRAM_CREDENTIALS: (
        Mirror("deletions", "results", "user", source="name"),
        Mirror("upsertions", "results", "user", source="name"),
    ),
    ApiKey.DESCRIBE_PRODUCERS: (Mirror("topics", "topics", inner=_OFFSETS),),
    ApiKey.DESCRIBE_TRANSACTIONS: (
        _bare("transactional_ids", "transaction_states", "transactional_id"),
    ),
    ApiKey.CONSUMER_GROUP_DESCRIBE: (_bare("group_ids", "groups", "group_id"),),
    ApiKey.DESCRIBE_TOPIC_PARTITIONS: (Mirror("topics", "topics"),),
    ApiKey.SHARE_GROUP_DESCRIBE: (_bare("group_ids", "groups", "group_id"),),
    ApiKey.INITIALIZE_SHARE_GROUP_STATE: _STATES,
    ApiKey.READ_SHARE_GROUP_STATE: _STATES,
    ApiKey.WRITE_SHARE_GROUP_STATE: _STATES,
    ApiKey.DELETE_SHARE_GROUP_STATE: _STATES,
    ApiKey.READ_SHARE_GROUP_STATE_SUMMARY: _STATES,
    ApiKey.STREAMS_GROUP_DESCRIBE: (_bare("group_ids", "groups", "group_id"),),
    ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS: (Mirror("groups", "groups"),),
}
"""Requests whose responses repeat what was asked, by API key."""

BESIDE: dict[int, Mapping[str, object]] = {
    ApiKey.FIND_COORDINATOR: {"node_id": UNKNOWN, "port": UNKNOWN},
    ApiKey.JOIN_GROUP: {"protocol_name": None},
    ApiKey.INIT_PRODUCER_ID: {"producer_epoch": UNKNOWN},
    ApiKey.CREATE_DELEGATION_TOKEN: {
        "principal_type": ANONYMOUS.kind,
        "principal_name": ANONYMOUS.name,
        "token_requester_principal_type": ANONYMOUS.kind,
        "token_requester_principal_name": ANONYMOUS.name,
        "issue_timestamp_ms": UNKNOWN,
        "expiry_timestamp_ms": UNKNOWN,
        "max_timestamp_ms": UNKNOWN,
    },
    ApiKey.DESCRIBE_CLIENT_QUOTAS: {"entries": None},
}
"""What a response has besides its error where that is not the default, by API key."""

ONCE: dict[int, tuple[str, str]] = {ApiKey.ALTER_USER_SCRAM_CREDENTIALS: ("results", "user")}
"""Lists in which each name stands once, in order, and the field that has the name."""

NOT_COPIED = frozenset({"configs", "leader_epoch", "partitions", "timestamp", "topics"})
"""Fields of the same name that hold something else in the response."""
_CODES = ("error_code", "partition_error_code")
_WORDS = ("error_message",)


def refusal(request: Message, version: int, code: int, message: str | None) -> Message:
    """The response to `request` in this version, with the error wherever Kafka puts it."""
    return at_once(refusing(request, version, code, message))


def refusing(
    request: Message, version: int, code: int, message: str | None
) -> Generator[None, None, Message]:
    """The same for a request that may be long: others may go on at each `yield`."""
    response: Message = blank(BY_KEY[request.KEY].response)
    _set_error(response, version, code, message)
    for mirror in MIRRORED.get(request.KEY, ()):
        if version <= mirror.until and _has(type(response), mirror.listed, version):
            reflections = _reflections(type(response), mirror, request, version, (code, message))
            getattr(response, mirror.listed).extend((yield from reflections))
    _set_beside(response, request.KEY, version)
    if isinstance(request, FetchRequest) and _has(type(response), "session_id", version):
        assert isinstance(response, FetchResponse), response
        response.session_id = request.session_id
    if isinstance(response, MetadataResponse):
        for topic in response.topics:
            topic.name = topic.name or ""
    if request.KEY == ApiKey.WRITE_TXN_MARKERS:
        yield from _merge_markers(cast("WriteTxnMarkersResponse", response))
    return response


def _merge_markers(response: WriteTxnMarkersResponse) -> Generator[None, None, None]:
    """Kafka has them in maps: the last marker of a producer, and each of its partitions once.

    The messages of this API are known by its key: a node that starts need not import them.
    """
    response.markers = list({marker.producer_id: marker for marker in response.markers}.values())
    for marker in response.markers:
        topics = {topic.name: topic for topic in marker.topics}
        merged: dict[str, dict[int, MarkedPartition]] = {}
        for number, topic in enumerate(marker.topics):
            for partition in topic.partitions:
                merged.setdefault(topic.name, {})[partition.partition_index] = partition
            if not number % STEP:
                yield
        for name, found in merged.items():
            topics[name].partitions = list(found.values())
        marker.topics = [topics[name] for name in merged]


def _set_beside(response: Message, key: int, version: int) -> None:
    for name, value in BESIDE.get(key, {}).items():
        if _may_be(type(response), name, version, value):
            setattr(response, name, value)
    if key in ONCE:
        listed, name = ONCE[key]
        by_name = {getattr(element, name): element for element in getattr(response, listed)}
        setattr(response, listed, [by_name[known] for known in sorted(by_name)])


def _reflections(
    outer: type[Struct],
    mirror: Mirror,
    asked: object,
    version: int,
    error: tuple[int, str | None],
) -> Generator[None, None, list[Struct]]:
    cls = _element(outer, mirror.listed)
    places = getattr(asked, mirror.within) if mirror.within else [asked]
    found: list[Struct] = []
    for place in places:
        for element in getattr(place, mirror.asked) or ():
            found.append((yield from _reflect(cls, mirror, element, version, error)))
            if not len(found) % STEP:
                yield
    return found


def _reflect(
    cls: type[Struct], mirror: Mirror, element: object, version: int, error: tuple[int, str | None]
) -> Generator[None, None, Struct]:
    listed: Struct = blank(cls)
    if isinstance(element, Struct):
        for name in element.DECLARED:
            if name in cls.DECLARED and name not in NOT_COPIED:
                setattr(listed, name, getattr(element, name))
        if mirror.source:
            setattr(listed, mirror.name, getattr(element, mirror.source))
    else:
        setattr(listed, mirror.name, element)
    for name, value in mirror.beside.items():
        setattr(listed, name, value)
    _set_error(listed, version, *error)
    if mirror.inner is not None:
        inner = yield from _reflections(cls, mirror.inner, element, version, error)
        setattr(listed, mirror.inner.listed, inner)
    return listed


def _set_error(listed: Struct, version: int, code: int, message: str | None) -> None:
    for name in _CODES:
        if _has(type(listed), name, version):
            setattr(listed, name, code)
    for name in _WORDS:
        if _has(type(listed), name, version):
            setattr(listed, name, message)


def _has(cls: type[Struct], name: str, version: int) -> bool:
    declared = cls.DECLARED.get(name)
    return declared is not None and version in declared.versions


def _may_be(cls: type[Struct], name: str, version: int, value: object) -> bool:
    """Whether this version has the field, and may have null there if that is needed."""
    known = next(known for known in fields_of(cls) if known.name == name)
    return version in known.versions and (value is not None or version in known.nullable)


@cache
def _element(cls: type[Struct], name: str) -> type[Struct]:
    """The struct that a list field holds."""
    wire_type = next(known.type for known in fields_of(cls) if known.name == name)
    assert isinstance(wire_type, Array), name
    assert isinstance(wire_type.of, StructOf), name
    element: type[Struct] = wire_type.of.cls
    return element
