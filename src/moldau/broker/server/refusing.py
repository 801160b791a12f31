"""The response that says of a whole request that it is refused.

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

from moldau.broker.server.slices import at_once
from moldau.network.principal import ANONYMOUS
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.fields import fields_of
from moldau.protocol.wire.schema import Message, Struct
from moldau.protocol.wire.types import Array, StructOf
from moldau.protocol.wire.versions import HIGHEST

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
    """A list of the request in whose elements `asked` is; the response does not tell them apart."""


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
    0: (Mirror("topic_data", "responses", inner=_PRODUCED),),
    1: (Mirror("topics", "responses", inner=_FETCHED, until=12),),
    2: (Mirror("topics", "topics", inner=_partitions(offset=UNKNOWN, timestamp=UNKNOWN)),),
    3: (Mirror("topics", "topics"),),
    8: _BY_TOPIC,
    9: (Mirror("topics", "topics", inner=_UNCOMMITTED, until=1), Mirror("groups", "groups")),
    10: (Mirror("coordinator_keys", "coordinators", "key", beside={"node_id": -1, "port": -1}),),
    15: (_bare("groups", "groups", "group_id"),),
    19: (Mirror("topics", "topics", beside={"num_partitions": -1, "replication_factor": -1}),),
    20: (Mirror("topics", "responses"), _bare("topic_names", "responses", "name")),
    21: (Mirror("topics", "topics", inner=_partitions(low_watermark=UNKNOWN)),),
    23: (Mirror("topics", "topics", inner=_partitions(leader_epoch=UNKNOWN, end_offset=UNKNOWN)),),
    24: (
        Mirror(
            "v3_and_below_topics",
            "results_by_topic_v3_and_below",
            inner=_bare("partitions", "results_by_partition"),
        ),
    ),
    27: (Mirror("markers", "markers", inner=Mirror("topics", "topics", inner=_OFFSETS)),),
    28: _BY_TOPIC,
    30: (Mirror("creations", "results"),),
    31: (Mirror("filters", "filter_results"),),
    32: (Mirror("resources", "results"),),
    33: _BY_RESOURCE,
    34: (
        Mirror(
            "topics",
            "results",
            "topic_name",
            source="name",
            inner=_bare("partitions"),
            within="dirs",
        ),
    ),
    37: (Mirror("topics", "results"),),
    42: (_bare("groups_names", "results", "group_id"),),
    43: (
        Mirror(
            "topic_partitions",
            "replica_election_results",
            inner=_bare("partitions", "partition_result", "partition_id"),
        ),
    ),
    44: _BY_RESOURCE,
    45: (Mirror("topics", "responses", inner=_partitions()),),
    46: (Mirror("topics", "topics", inner=_OFFSETS),),
    49: (Mirror("entries", "entries"),),
    50: (Mirror("users", "results"),),
    51: (
        Mirror("deletions", "results", "user", source="name"),
        Mirror("upsertions", "results", "user", source="name"),
    ),
    61: (Mirror("topics", "topics", inner=_OFFSETS),),
    65: (_bare("transactional_ids", "transaction_states", "transactional_id"),),
    69: (_bare("group_ids", "groups", "group_id"),),
    75: (Mirror("topics", "topics"),),
    77: (_bare("group_ids", "groups", "group_id"),),
    83: _STATES,
    84: _STATES,
    85: _STATES,
    86: _STATES,
    87: _STATES,
    89: (_bare("group_ids", "groups", "group_id"),),
    90: (Mirror("groups", "groups"),),
}
"""Requests whose responses repeat what was asked, by API key."""

BESIDE: dict[int, Mapping[str, object]] = {
    10: {"node_id": UNKNOWN, "port": UNKNOWN},
    11: {"protocol_name": None},
    22: {"producer_epoch": UNKNOWN},
    38: {
        "principal_type": ANONYMOUS.kind,
        "principal_name": ANONYMOUS.name,
        "token_requester_principal_type": ANONYMOUS.kind,
        "token_requester_principal_name": ANONYMOUS.name,
        "issue_timestamp_ms": UNKNOWN,
        "expiry_timestamp_ms": UNKNOWN,
        "max_timestamp_ms": UNKNOWN,
    },
    48: {"entries": None},
}
"""What a response says besides its error where that is not the default, by API key."""

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
    for name, value in BESIDE.get(request.KEY, {}).items():
        if _may_be(type(response), name, version, value):
            setattr(response, name, value)
    if isinstance(request, FetchRequest) and _has(type(response), "session_id", version):
        assert isinstance(response, FetchResponse), response
        response.session_id = request.session_id
    if isinstance(response, MetadataResponse):
        for topic in response.topics:
            topic.name = topic.name or ""
    return response


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
