"""Fetch: read batches from partitions, and wait for them where there are too few.

A consumer reads up to the high watermark, or with read_committed up to the last stable offset and
gets the aborted transactions; a follower reads to the end of the log, and the offsets
that it asks for are how far it is. Sessions (KIP-227) are kept in `sessions`, reading is in
`reading`, waiting in `fetching`.

Versions 4-18: 5 log start, 7 sessions, 9 leader epochs (KIP-320), 11 followers serve consumers
(KIP-392), 12 divergence, 13 topic ids (KIP-516), 15 replica state (KIP-903), 16 leader hints
(KIP-951).

Deviations: none that a client sees. Long polls are cut off after ten minutes.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Answer, Call
from moldau.broker.server.fetch.answers import TopicAnswer, by_topic, joined
from moldau.broker.server.fetch.fetched import Fetched, PartitionResponse, reader_of
from moldau.broker.server.fetch.fetching import Fetching
from moldau.broker.server.fetch.reader import AskedFetch
from moldau.broker.server.fetch.reading import asked_of
from moldau.broker.server.fetch.sessions import UNKNOWN_MAX, FetchContext, FetchSessions
from moldau.broker.server.fetch.topics import FetchedTopics
from moldau.broker.server.later import answer_later
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

STEP: Final = 128
"""Partitions between two places where others may go on."""


def handle(call: Call[FetchRequest], broker: Broker) -> Answer:
    request = asked_of(call)
    sessions: FetchSessions = broker.fetch_sessions
    if _is_long(request, sessions.listed_max):
        return _fetch_in_slices(call, broker)
    context = sessions.begin(request, call.version)
    if context.error != ErrorCode.NONE:
        return FetchResponse(error_code=context.error, session_id=0, responses=[])
    return _fetch(call, broker, context)


def _fetch(
    call: Call[FetchRequest],
    broker: Broker,
    context: FetchContext,
    beside: list[TopicAnswer] | None = None,
) -> Answer:
    names = _pending(broker, context) if broker.replicas.pending else []
    if names:
        return answer_later(call, broker, _wait(call, broker, context, names))
    return Fetching(call, broker, context, beside).run()


def _is_long(request: AskedFetch, listed_max: int) -> bool:
    # hot: for each fetch; the loops are over a topic or two.
    topics, forgotten = request.topics, request.forgotten_topics_data
    count = len(topics) + len(forgotten)
    if count > listed_max:
        return True
    for topic in topics:
        count += len(topic.partitions)
    for given_up in forgotten:
        count += len(given_up.partitions)
    return count > listed_max


def _fetch_in_slices(call: Call[FetchRequest], broker: Broker) -> Generator[None, None, Answer]:
    """Partitions that this broker has are as many as it has; those that it does not know may be a
    million, so they are sorted out before the others are read."""
    request, sessions = call.request, broker.fetch_sessions
    assert isinstance(request, FetchRequest)
    context = yield from sessions.beginning(request, call.version)
    if context.error != ErrorCode.NONE:
        return FetchResponse(error_code=context.error, session_id=0, responses=[])
    known, unknown = yield from _sorted_out(call, broker, context)
    if len(unknown) <= UNKNOWN_MAX:
        return _fetch(call, broker, context)
    if context.session is not None:
        sessions.close(context.session)
    beside: list[TopicAnswer] = []
    for start in range(0, len(unknown), STEP):
        beside = joined(beside, by_topic(unknown[start : start + STEP]))
        yield
    return _fetch(call, broker, FetchContext(known), beside)


def _sorted_out(
    call: Call[FetchRequest], broker: Broker, context: FetchContext
) -> Generator[None, None, tuple[list[Fetched], list[PartitionResponse]]]:
    """Partitions that may be read, and the errors of those that are not known, in Kafka's
    order."""
    known: list[Fetched] = []
    nameless: list[PartitionResponse] = []
    unknown: list[PartitionResponse] = []
    is_follower = reader_of(asked_of(call), call.version).is_follower
    topics = FetchedTopics(call, broker, is_follower=is_follower)
    for count, fetched in enumerate(tuple(context.partitions), 1):
        if not count % STEP:
            yield
        refusal = topics.refusal(fetched)
        if refusal is None:
            known.append(fetched)
        elif refusal.error_code == ErrorCode.UNKNOWN_TOPIC_ID:
            nameless.append(refusal)
        else:
            unknown.append(refusal)
    return known, nameless + unknown


def _pending(broker: Broker, context: FetchContext) -> list[tuple[str, int]]:
    """Partitions that are just being opened."""
    pending, by_id = broker.replicas.pending, broker.metadata.image.topics.by_id
    names = []
    for fetched in context.partitions:
        name = fetched.topic
        if isinstance(name, bytes):
            name = by_id[name].name if name in by_id else ""
        if (name, fetched.index) in pending:
            names.append((name, fetched.index))
    return names


async def _wait(
    call: Call[FetchRequest], broker: Broker, context: FetchContext, names: list[tuple[str, int]]
) -> Answer:
    await broker.replicas.settled(names)
    return Fetching(call, broker, context).run()
