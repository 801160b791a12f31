"""What topics there are, and what is known about each and its partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import AccessOperation, operations_of
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import ToAny, only_brokers
from moldau.client.core.admin.topics import topic_noun
from moldau.client.core.dialogue import Ask, Asks, Dialogue
from moldau.client.errors import UnreachableError, UnsupportedVersionError, refusal
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.topic.describe_topic_partitions import (
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
)
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import parse_uuid, uuid_text

__all__ = [
    "FirstTopics",
    "ListedTopic",
    "PartitionView",
    "TopicView",
    "describe_all_topics",
    "describe_first_topics",
    "describe_topics",
    "describe_topics_by_id",
    "list_topics",
]

NO_LEADER = -1
PAGE = 2000
"""Partitions of a page, as Java's client asks for."""

Named = MetadataRequest.MetadataRequestTopic
Row = MetadataResponse.MetadataResponseTopic
PagedRow = DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic
Paged = PagedRow.DescribeTopicPartitionsResponsePartition
PageEnd = DescribeTopicPartitionsResponse.Cursor


@dataclass(frozen=True, slots=True)
class ListedTopic:
    """A topic, in short."""

    name: str
    topic_id: str
    is_internal: bool


@dataclass(frozen=True, slots=True)
class PartitionView:
    """A partition and its replicas, by the numbers of their brokers."""

    partition: int
    leader: int | None
    leader_epoch: int
    replicas: tuple[int, ...]
    """The first is the preferred leader."""
    isr: tuple[int, ...]
    offline: tuple[int, ...] = ()
    eligible: tuple[int, ...] | None = None
    """Out of the ISR, and lacking nothing that was acknowledged (KIP-966); None: not known."""
    last_known_eligible: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class TopicView:
    """A topic, with all its partitions in their order."""

    name: str
    topic_id: str
    is_internal: bool
    partitions: tuple[PartitionView, ...]
    operations: frozenset[AccessOperation] | None = None
    """What the caller may do to it; None where that was not asked for."""


@dataclass(frozen=True, slots=True)
class FirstTopics:
    """Those at the beginning of the list of all topics, or from one of them on."""

    topics: dict[str, TopicView]
    has_more: bool
    """Whether there are others behind them."""
    next_topic: str | None = None
    """Where the others begin."""


Rows: TypeAlias = list["Row"] | Failure


@declared
def list_topics(call: AdminCall, *, internal: bool = False) -> Dialogue[dict[str, ListedTopic]]:
    """By name, in the order of names; internal ones only if they are wanted."""
    rows = yield from _all_rows(call, "listing topics")
    listed = (ListedTopic(row.name or "", uuid_text(row.topic_id), row.is_internal) for row in rows)
    return {topic.name: topic for topic in listed if internal or not topic.is_internal}


@declared
def describe_all_topics(
    call: AdminCall, *, internal: bool = False
) -> Dialogue[dict[str, TopicView]]:
    """The same with their partitions, in one request however many there are; without what only
    `describe_topics` asks for.
    """
    rows = yield from _all_rows(call, "describing topics")
    return {row.name or "": _view(row) for row in rows if internal or not row.is_internal}


@declared
def describe_first_topics(
    call: AdminCall, *, partitions: int, begin: str | None = None
) -> Dialogue[FirstTopics]:
    """Topics in the order of their names, internal ones among them, as far as so many partitions
    go, and at least one; all of them where brokers know no pages (before Kafka 3.7).

    With `begin` those of this name and behind it, so that all are gone through in pieces.
    """
    only_brokers(call)
    pages = _Pages()
    cursor = None if begin is None else PageEnd(topic_name=begin, partition_index=0)
    while True:
        try:
            answer = yield from _next_page(call, partitions, cursor)
        except UnsupportedVersionError:
            views = yield from describe_all_topics(call, internal=True)
            return FirstTopics(views, has_more=False)
        pages.add(answer)
        cursor = answer.next_cursor
        cut = cursor.topic_name if cursor is not None and cursor.partition_index else None
        whole = {
            name: _paged_view(name, row)
            for name, row in pages.rows.items()
            if name and name != cut and not row.error_code
        }
        if whole or cursor is None:
            behind = None if cursor is None else cursor.topic_name
            return FirstTopics(whole, behind is not None, behind)


def _next_page(
    call: AdminCall, partitions: int, cursor: PageEnd | None
) -> Dialogue[DescribeTopicPartitionsResponse]:
    def read(
        answer: DescribeTopicPartitionsResponse, keys: Sequence[None]
    ) -> Iterator[tuple[None, DescribeTopicPartitionsResponse]]:
        yield None, answer

    plan = Plan(
        what="describing topics",
        route=ToAny[None](),
        request=lambda keys: _page([], cursor, partitions),
        read=read,
        noun=lambda key: "topics",
    )
    return fulfil_one(call, plan)


def _all_rows(call: AdminCall, what: str) -> Dialogue[list[Row]]:
    only_brokers(call)

    def read(answer: MetadataResponse, keys: Sequence[None]) -> Iterator[tuple[None, Rows]]:
        if answer.error_code:
            yield None, Failure(ErrorCode.read(answer.error_code))
            return
        rows = [row for row in answer.topics if row.name is not None and not row.error_code]
        yield None, sorted(rows, key=lambda row: row.name or "")

    plan = Plan(
        what=what,
        route=ToAny[None](),
        request=lambda keys: MetadataRequest(topics=None, allow_auto_topic_creation=False),
        read=read,
        noun=lambda key: "topics",
    )
    return (yield from fulfil_one(call, plan))


@declared
def describe_topics(
    call: AdminCall, names: str | Iterable[str], *, operations: bool = False
) -> Dialogue[Outcomes[str, TopicView]]:
    """With eligible replicas where brokers know them (Kafka 3.7 and later)."""
    only_brokers(call)
    wanted = [names] if isinstance(names, str) else list(dict.fromkeys(names))
    try:
        paged = yield from _paged(call, wanted)
    except UnsupportedVersionError:
        by_name = _Metadata(call, lambda name: Named(name=name), lambda row: row.name or "")
        return (yield from by_name.describe(wanted, operations=operations))
    if operations:
        return paged
    values = {name: _without_operations(view) for name, view in paged.values.items()}
    return Outcomes(values, paged.errors)


@declared
def describe_topics_by_id(
    call: AdminCall, ids: str | Iterable[str], *, operations: bool = False
) -> Dialogue[Outcomes[str, TopicView]]:
    only_brokers(call)
    wanted = [ids] if isinstance(ids, str) else list(dict.fromkeys(ids))
    by_id = _Metadata(
        call,
        lambda text: Named(topic_id=parse_uuid(text), name=None),
        lambda row: uuid_text(row.topic_id),
        oldest=12,
    )
    return (yield from by_id.describe(wanted, operations=operations))


class _Metadata:
    """Topics by Metadata, for brokers without DescribeTopicPartitions, and for ids."""

    def __init__(
        self,
        call: AdminCall,
        asked: Callable[[str], Named],
        key_of: Callable[[Row], str],
        oldest: int = 0,
    ) -> None:
        self._call = call
        self._asked = asked
        self._key_of = key_of
        self._oldest = oldest

    def describe(
        self, keys: Iterable[str], *, operations: bool
    ) -> Dialogue[Outcomes[str, TopicView]]:
        def request(keys: Sequence[str]) -> MetadataRequest:
            return MetadataRequest(
                topics=[self._asked(key) for key in keys],
                allow_auto_topic_creation=False,
                include_topic_authorized_operations=operations,
            )

        plan = Plan(
            what="describing topics",
            route=ToAny[str](),
            request=request,
            read=self._read,
            noun=topic_noun,
            oldest=lambda key: self._oldest,
        )
        return fulfil(self._call, plan, keys)

    def _read(
        self, answer: MetadataResponse, keys: Sequence[str]
    ) -> Iterator[tuple[str, TopicView | Failure]]:
        for row in answer.topics:
            yield self._key_of(row), failure_or(row.error_code, None, _view(row))


class _Pages:
    """What pages have brought so far."""

    def __init__(self) -> None:
        self.rows: dict[str, PagedRow] = {}

    def add(self, answer: DescribeTopicPartitionsResponse) -> None:
        for row in answer.topics:
            name = row.name or ""
            if name in self.rows:
                self.rows[name].partitions += row.partitions
            else:
                self.rows[name] = row


def _paged(call: AdminCall, names: Sequence[str]) -> Dialogue[Outcomes[str, TopicView]]:
    """Page by page; brokers expect the names in order."""
    outcomes: Outcomes[str, TopicView] = Outcomes()
    if not names:
        return outcomes
    pages = _Pages()
    deadline = call.deadline("describing topics")
    left, cursor = sorted(names), None
    while left:
        request = _page(left, cursor)
        received = yield Asks((Ask(request),))
        call.now_ms, answer = received.now_ms, received.answers[0]
        if isinstance(answer, UnreachableError):
            yield deadline.pause(call.now_ms, answer)
            continue
        if isinstance(answer, MoldauError):
            raise answer
        assert isinstance(answer, DescribeTopicPartitionsResponse), f"{answer!r} is no page"
        pages.add(answer)
        cursor = answer.next_cursor
        left = [name for name in left if cursor is not None and name >= cursor.topic_name]
    return _outcomes(names, pages.rows)


def _page(
    names: Sequence[str], cursor: PageEnd | None, partitions: int = PAGE
) -> DescribeTopicPartitionsRequest:
    asked = DescribeTopicPartitionsRequest
    here = None
    if cursor is not None:
        here = asked.Cursor(topic_name=cursor.topic_name, partition_index=cursor.partition_index)
    topics = [asked.TopicRequest(name=name) for name in names]
    return asked(topics=topics, response_partition_limit=partitions, cursor=here)


def _outcomes(names: Sequence[str], rows: dict[str, PagedRow]) -> Outcomes[str, TopicView]:
    outcomes: Outcomes[str, TopicView] = Outcomes()
    for name in names:
        row = rows.get(name)
        code = ErrorCode.UNKNOWN_SERVER_ERROR if row is None else ErrorCode.read(row.error_code)
        if row is None or code is not ErrorCode.NONE:
            outcomes.errors[name] = refusal(topic_noun(name), code, api_key=ApiKey.METADATA)
            continue
        outcomes.values[name] = _paged_view(name, row)
    return outcomes


def _paged_view(name: str, row: PagedRow) -> TopicView:
    return TopicView(
        name,
        uuid_text(row.topic_id),
        row.is_internal,
        _in_order(_paged_partition(part) for part in row.partitions),
        operations_of(row.topic_authorized_operations),
    )


def _without_operations(view: TopicView) -> TopicView:
    return TopicView(view.name, view.topic_id, view.is_internal, view.partitions)


def _view(row: Row) -> TopicView:
    return TopicView(
        row.name or "",
        uuid_text(row.topic_id),
        row.is_internal,
        _in_order(_partition(part) for part in row.partitions),
        operations_of(row.topic_authorized_operations),
    )


def _partition(row: Row.MetadataResponsePartition) -> PartitionView:
    return PartitionView(
        row.partition_index,
        None if row.leader_id == NO_LEADER else row.leader_id,
        row.leader_epoch,
        tuple(row.replica_nodes),
        tuple(row.isr_nodes),
        tuple(row.offline_replicas),
    )


def _paged_partition(row: Paged) -> PartitionView:
    eligible, last_known = row.eligible_leader_replicas, row.last_known_elr
    return PartitionView(
        row.partition_index,
        None if row.leader_id == NO_LEADER else row.leader_id,
        row.leader_epoch,
        tuple(row.replica_nodes),
        tuple(row.isr_nodes),
        tuple(row.offline_replicas),
        None if eligible is None else tuple(eligible),
        None if last_known is None else tuple(last_known),
    )


def _in_order(parts: Iterable[PartitionView]) -> tuple[PartitionView, ...]:
    return tuple(sorted(parts, key=lambda part: part.partition))
