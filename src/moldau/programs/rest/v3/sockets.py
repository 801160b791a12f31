"""WebSockets of a topic: one that sends what is committed, and one that takes records.

    records:stream?from=earliest    {"id":"0:13,1:7","event":"record","data":{"partition_id":0,…}}

has the events of `events`, one a message, and takes none. As much is read as the client takes.

    records:send                    {"value": {"type": "JSON", "data": 1}}

takes records as the body of `records` has them, one a message, and answers each with a message: its
report, in their order. What is no record is reported, too, and the next one is taken.
"""

from __future__ import annotations

from contextlib import aclosing

from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import Request, Response, Upgrade
from moldau.programs.http.routes import Route
from moldau.programs.http.websocket.frames import CloseCode
from moldau.programs.http.websocket.handshake import upgraded
from moldau.programs.http.websocket.socket import WebSocket
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.feed import Event, Feed
from moldau.programs.rest.v3.producing import Producing
from moldau.programs.rest.v3.topics import TOPIC

__all__ = ["SEND", "STREAM", "SocketRoutes"]

STREAM = f"{TOPIC}/records:stream"
SEND = f"{TOPIC}/records:send"


class SocketRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope, tasks: Tasks) -> None:
        self._scope = scope
        self._tasks = tasks
        self._producing = Producing(scope)

    def routes(self) -> list[Route]:
        return [Route("GET", STREAM, self.stream), Route("GET", SEND, self.send)]

    async def stream(self, request: Request) -> Response:
        feed = await Feed.of(self._scope, self._tasks, request)

        async def run(socket: WebSocket) -> None:
            socket.when_over = feed.wake
            async with aclosing(feed.events()) as lists:
                async for events in lists:
                    for event in events:
                        await socket.send(_written(event))
                    if socket.is_over:
                        return
            socket.close(CloseCode.INTERNAL_ERROR, feed.failure or "")

        return upgraded(request, Upgrade(run, takes_messages=False))

    async def send(self, request: Request) -> Response:
        topic = await self._producing.topic(request)

        async def run(socket: WebSocket) -> None:
            self._scope.streams += 1
            try:
                while messages := await socket.receive():
                    for report in await self._producing.reports(topic, messages):
                        await socket.send(json_bytes(report))
            finally:
                self._scope.streams -= 1

        return upgraded(request, Upgrade(run, takes_messages=True))


def _written(event: Event) -> bytes:
    return json_bytes({"id": event.vector, "event": event.name, "data": event.data})
