"""The same frames through a dispatcher with fast readers and through one without."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from moldau.broker.server.apis import BROKER
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.dispatch import Dispatcher
from moldau.broker.server.routes import Route
from moldau.errors import DecodeError
from moldau.network.connection import Connection
from moldau.network.principal import ANONYMOUS
from moldau.network.receiving import Receiving
from tests.broker.server.asking import sized
from tests.network.line import Line


class FrameSender:
    """A dispatcher; each frame comes through a connection of its own."""

    def __init__(self, broker: Broker, *, reads_fast: bool) -> None:
        self.dispatcher = Dispatcher(BROKER)
        self.dispatcher.serve(broker)
        self.read_fast = 0
        """Frames of which a fast reader has made a request."""
        self._reads_fast = reads_fast
        self.receiving = Receiving(broker.clock, broker.tasks)

    def send(self, frame: bytes, name: str = ANONYMOUS.name) -> tuple[bytes, bool]:
        """What comes back at once, and whether the connection is closed."""
        line = self.open(frame, name)
        return b"".join(line.sent), line.is_closed

    def open(
        self, frame: bytes, name: str = ANONYMOUS.name, number: int = 0, behind: bytes = b""
    ) -> Line:
        """The line on which the answer comes, now or later; `behind` it are frames with sizes."""
        line = Line(sized(frame) + behind)
        connection = Connection(
            line, self.receiving, self._handle, lambda gone: None, number=number
        )
        connection.principal = replace(ANONYMOUS, name=name)
        connection.readable()
        while line.is_unread and not connection.is_busy:
            connection.readable()
        return line

    def _handle(self, connection: Connection, frame: memoryview) -> None:
        """The route of an API and version is made here, as we wish it, before it is needed."""
        routes = self.dispatcher._routes
        if int.from_bytes(frame[:4], "big", signed=True) not in routes:
            api_key, version = (int.from_bytes(frame[at : at + 2], "big") for at in (0, 2))
            with suppress(DecodeError):
                self._choose(self.dispatcher._route(api_key, version))
        self.dispatcher.handle(connection, frame)

    def _choose(self, route: Route) -> None:
        if not self._reads_fast:
            route.fast = None
        handle = route.handle

        def counted(call: Call, broker: Broker) -> Any:  # as a handler's
            self.read_fast += call.read is not None
            return handle(call, broker)

        route.handle = counted
