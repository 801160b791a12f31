"""Dialogues that ask about topics, and who leads their partitions.

A topic that is not known may be so young that the broker has not received it, so it is asked
for a few times before it is taken for absent. A broker that may create topics does so when a
producer looks one up, or a client whose context allows it.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable

from moldau.client.core.cluster import Cluster, Leader, Topic
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask, Asks, Dialogue, Received, Step
from moldau.client.core.retry_deadline import RetryDeadline
from moldau.client.errors import ClientError, RefusedError, UnknownTopicError, refusal
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "UNKNOWN_TRIES_MAX",
    "find_leaders",
    "find_topics",
    "know_for_sending",
    "know_topics",
    "list_topics",
    "refresh",
    "refresh_ids",
    "refresh_now",
]

UNKNOWN_TRIES_MAX = 3
"""How often an unknown topic is asked for again: metadata spreads in less than a second."""
UNKNOWN = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID)


def list_topics(context: ClientContext, now_ms: int) -> Dialogue[list[Topic]]:
    """Every topic that we may see, internal ones included."""
    deadline = context.deadline("asking for all topics", now_ms)
    answer = yield from refresh(context, None, deadline)
    names = {topic.name for topic in answer.topics if not topic.error_code}
    return [topic for name, topic in context.cluster.topics.items() if name in names]


def find_topics(
    context: ClientContext, names: Collection[str], now_ms: int
) -> Dialogue[list[Topic]]:
    """These topics as they are now, in their order."""
    deadline = context.deadline(f"asking for {_listed(names)}", now_ms)
    absence = _Absence(context.cluster)
    while True:
        now_ms, cause = yield from _refresh_once(context, names, creates=context.creates_topics)
        cause = cause or absence.trouble(names)
        if cause is None:
            return [context.cluster.topics[name] for name in names]
        yield deadline.pause(now_ms, cause)


def know_topics(
    context: ClientContext,
    names: Collection[str],
    now_ms: int,
    deadline: RetryDeadline,
    *,
    creates: bool = False,
) -> Generator[Step, Received, int]:
    """Ask for those of these topics of which nothing fresh is known; what time it is after that."""
    absence = _Absence(context.cluster)
    while True:
        cause: MoldauError | None = None
        stale = [name for name in sorted(names) if not context.cluster.is_fresh(name, now_ms)]
        if stale:
            now_ms, cause = yield from _refresh_once(context, stale, creates=creates)
        cause = cause or absence.trouble(names)
        if cause is None:
            return now_ms
        received = yield deadline.pause(now_ms, cause)
        now_ms = received.now_ms


def know_for_sending(
    context: ClientContext, name: str, now_ms: int, deadline: RetryDeadline
) -> Generator[Step, Received, list[int]]:
    """The partitions of a topic for a producer, which may create it."""
    while not context.cluster.is_fresh(name, now_ms):
        now_ms, cause = yield from _refresh_once(context, [name], creates=True)
        code = context.cluster.refused.get(name)
        if code is not None:
            cause = refusal(f"topic {name}", code)
            if not code.retriable:
                raise cause
        if cause is not None:
            received = yield deadline.pause(now_ms, cause)
            now_ms = received.now_ms
    return sorted(context.cluster.topics[name].leaders)


def find_leaders(
    context: ClientContext, parts: Collection[TopicPartition], now_ms: int, deadline: RetryDeadline
) -> Generator[Step, Received, dict[TopicPartition, Leader]]:
    """Who leads each of them, asked for only where that is not known."""
    while True:
        names, creates = {part.topic for part in parts}, context.creates_topics
        now_ms = yield from know_topics(context, names, now_ms, deadline, creates=creates)
        cause = _leaderless(context.cluster, parts)
        if cause is None:
            leaders = {part: context.cluster.leader(part) for part in parts}
            return {part: leader for part, leader in leaders.items() if leader is not None}
        received = yield deadline.pause(now_ms, cause)
        now_ms = received.now_ms


def refresh(
    context: ClientContext, names: Collection[str] | None, deadline: RetryDeadline
) -> Generator[Step, Received, MetadataResponse]:
    """Ask for these topics, or with None for all, until some broker has answered."""
    while True:
        received = yield _metadata(names)
        answer = received.answers[0]
        if isinstance(answer, MetadataResponse) and not answer.error_code:
            context.cluster.apply_metadata(answer, received.now_ms)
            return answer
        yield deadline.pause(received.now_ms, _why(context.cluster, answer))


def refresh_now(
    context: ClientContext, names: Collection[str], *, creates: bool = False
) -> Dialogue[MoldauError | None]:
    """Ask once; why that failed. Brokers may create what is not there, as the context has it."""
    creates = creates or context.creates_topics
    _, error = yield from _refresh_once(context, names, creates=creates)
    return error


def _refresh_once(
    context: ClientContext, names: Collection[str], *, creates: bool = False
) -> Generator[Step, Received, tuple[int, MoldauError | None]]:
    """When it was answered, and why it was not."""
    received = yield _metadata(names, creates=creates)
    answer = received.answers[0]
    if isinstance(answer, MetadataResponse) and not answer.error_code:
        context.cluster.apply_metadata(answer, received.now_ms)
        return received.now_ms, None
    return received.now_ms, _why(context.cluster, answer)


def refresh_ids(context: ClientContext, ids: Collection[bytes]) -> Generator[Step, Received, None]:
    """Ask once for topics of which only the ids are known."""
    wanted = MetadataRequest.MetadataRequestTopic
    topics = [wanted(topic_id=topic_id, name=None) for topic_id in sorted(ids)]
    received = yield Asks((Ask(MetadataRequest(topics=topics, allow_auto_topic_creation=False)),))
    answer = received.answers[0]
    if isinstance(answer, MetadataResponse) and not answer.error_code:
        context.cluster.apply_metadata(answer, received.now_ms)


def _why(cluster: Cluster, answer: object) -> MoldauError:
    """A broker may ask for a new beginning, from the addresses that the user gave (KIP-1102)."""
    if isinstance(answer, MoldauError):
        return answer
    assert isinstance(answer, MetadataResponse), f"{answer!r} answers no question for metadata"
    code = ErrorCode.read(answer.error_code)
    if code is ErrorCode.REBOOTSTRAP_REQUIRED:
        cluster.brokers = {}
    return refusal("metadata", code)


def _metadata(names: Collection[str] | None, *, creates: bool = False) -> Asks:
    wanted = MetadataRequest.MetadataRequestTopic
    topics = None if names is None else [wanted(name=name) for name in names]
    return Asks((Ask(MetadataRequest(topics=topics, allow_auto_topic_creation=creates)),))


class _Absence:
    """Why topics are not known, and how often they were not."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._tries = 0

    def trouble(self, names: Iterable[str]) -> ClientError | None:
        """Of one of them, if it may pass; raised where asking again would not help."""
        for name in names:
            code = self._code(name)
            if code is None:
                continue
            if code in UNKNOWN:
                self._count(name)
            elif not code.retriable:
                raise refusal(f"topic {name}", code)
            return RefusedError(f"topic {name}", code)
        return None

    def _code(self, name: str) -> ErrorCode | None:
        if name in self._cluster.refused:
            return self._cluster.refused[name]
        return None if name in self._cluster.topics else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION

    def _count(self, name: str) -> None:
        if self._tries == UNKNOWN_TRIES_MAX:
            raise UnknownTopicError(name, "does not exist, or this client may not see it")
        self._tries += 1


def _leaderless(cluster: Cluster, parts: Iterable[TopicPartition]) -> ClientError | None:
    """Why no broker can be asked for these; a partition that is not there is no matter of time."""
    cause = None
    for part in parts:
        leaders = cluster.topics[part.topic].leaders
        if part.partition not in leaders:
            reason = f"has no partition {part.partition}: it has {len(leaders)}"
            raise UnknownTopicError(part.topic, reason)
        if cluster.leader(part) is None:
            cluster.mark_stale(part.topic)
            cause = RefusedError(str(part), ErrorCode.LEADER_NOT_AVAILABLE)
    return cause


def _listed(names: Collection[str]) -> str:
    return "topics " + ", ".join(sorted(names))
