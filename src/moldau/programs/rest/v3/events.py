"""Records as they are committed, as events that a browser reads (server-sent events).

    GET /v3/clusters/-/topics/orders/records?from=earliest

    id: 0:13,1:7
    event: record
    data: {"partition_id":0,"offset":12,…}

The id of an event has the offset of each partition at which it goes on behind that event. A browser
that has lost its connection shows the last one (`Last-Event-ID`), and any proxy goes on from there:
no record is left out or comes twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.feed import Event, Feed
from moldau.programs.rest.v3.topics import TOPIC

__all__ = ["EVENTS", "EventRoutes"]

EVENTS: Final = "text/event-stream"
BEAT: Final = b":\n\n"


class EventRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope, tasks: Tasks) -> None:
        self._scope = scope
        self._tasks = tasks

    def routes(self) -> list[Route]:
        return [Route("GET", f"{TOPIC}/records", self.stream)]

    async def stream(self, request: Request) -> Response:
        feed = await Feed.of(self._scope, self._tasks, request)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(media_type=EVENTS, headers=headers, pieces=_pieces(feed))


async def _pieces(feed: Feed) -> AsyncIterator[bytes]:
    async with aclosing(feed.events()) as lists:
        async for events in lists:
            yield b"".join(map(_written, events)) or BEAT


def _written(event: Event) -> bytes:
    """JSON has no line ends."""
    head = f"id: {event.vector}\nevent: {event.name}\ndata: ".encode()
    return b"%b%b\n\n" % (head, json_bytes(event.data))
