"""Fetch: read batches from partitions, and wait for them where there are too few.

A consumer reads up to the high watermark, or with read_committed up to the last stable offset and
is told which transactions were aborted; a follower reads to the end of the log, and the leader
learns from its offsets how far it is. Sessions (KIP-227) are kept in `server.fetch_sessions`,
reading and waiting are in `server.fetching`.

Versions 4-18: 5 log start, 7 sessions, 9 leader epochs (KIP-320), 11 followers serve consumers
(KIP-392), 12 divergence, 13 topic ids (KIP-516), 15 replica state (KIP-903), 16 leader hints
(KIP-951).

Deviations: none that a client sees. Long polls are cut off after ten minutes.
"""

from __future__ import annotations

from moldau.messages.data.fetch import FetchRequest, FetchResponse
from moldau.server.broker import Broker
from moldau.server.call import Answer, Call
from moldau.server.fetch_sessions import FetchContext
from moldau.server.fetching import Fetching
from moldau.server.later import answer_later
from moldau.wire.error_codes import ErrorCode


def handle(call: Call, broker: Broker) -> Answer:
    request = call.request
    assert isinstance(request, FetchRequest)
    context: FetchContext = broker.fetch_sessions.begin(request, call.version)
    if context.error != ErrorCode.NONE:
        return FetchResponse(error_code=context.error, session_id=0, responses=[])
    names = _pending(broker, context) if broker.replicas.pending else []
    if names:
        return answer_later(call, broker, _wait(call, broker, context, names))
    return Fetching(call, broker, context).run()


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
    call: Call, broker: Broker, context: FetchContext, names: list[tuple[str, int]]
) -> Answer:
    await broker.replicas.settled(names)
    return Fetching(call, broker, context).run()
