"""A listener, its connections, and what every response has in common."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from moldau.errors import MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Link, Listener, Network
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.compression import deflated, inflate
from moldau.programs.http.connection import HttpConnection
from moldau.programs.http.front import Front
from moldau.programs.http.https import HttpsNetwork
from moldau.programs.http.json_bodies import error_response
from moldau.programs.http.limits import Limits
from moldau.programs.http.messages import BUGS, HttpError, Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.http.shares import Shares

__all__ = ["HttpServer"]

log = logging.getLogger(__name__)

NANOSECONDS_PER_MS = 1_000_000
UNEXPECTED = "Internal Server Error"


class HttpServer:
    """Serves one table of routes."""

    def __init__(
        self,
        router: Router,
        tasks: Tasks,
        clock: Clock,
        *,
        limits: Limits | None = None,
        error_media_type: str = "application/json",
        refused: Callable[[MoldauError], HttpError] | None = None,
        streams: Callable[[Request], bool] = lambda request: False,
        front: Front | None = None,
        compresses: bool = False,
    ) -> None:
        """`refused` makes a refusal of what handlers raise and is none yet.

        `streams` decides whose body in chunks the handler takes piece by piece.
        `compresses`: answers are in gzip for who takes it. Pages with a secret and what a stranger
        may have put beside it are better left as they are (BREACH).
        """
        self.streams = streams
        self._compresses = compresses
        self.front = front or Front()
        self.tasks = tasks
        self.limits = limits or Limits()
        self.shares = Shares(self.limits)
        self.address: Address
        self.scheme = "http"
        self._router = router
        self._clock = clock
        self._error_media_type = error_media_type
        self._refused = refused or (lambda error: HttpError(500, str(error)))
        self._connections: dict[HttpConnection, None] = {}
        self._listener: Listener | None = None

    def __len__(self) -> int:
        return len(self._connections)

    async def open(self, network: Network, address: Address) -> None:
        self._listener = await network.listen(address, self._take_over)
        self.address = self._listener.address
        self.scheme = "https" if isinstance(network, HttpsNetwork) else "http"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.address}"

    def close(self) -> None:
        """No more connections, and those that are there end."""
        if self._listener is not None:
            self._listener.close()
        for connection in list(self._connections):
            connection.end()

    def now_ms(self) -> int:
        return self._clock.monotonic_ns() // NANOSECONDS_PER_MS

    def forget(self, connection: HttpConnection) -> None:
        if connection in self._connections:
            del self._connections[connection]
            self.shares.connect(connection.place, -1)

    def answer(self, request: Request) -> Response | Awaitable[Response]:
        """The response, or what has to be awaited for it."""
        try:
            early = self.front.before(request)
            if early is not None:
                return early
            if "content-encoding" in request.headers:
                inflate(request, self.limits.body_bytes_max)
            handler, request.parameters = self._router.find(request.method, request.path)
            return handler(request)
        except MoldauError as error:
            return self.refusal(error)
        except BUGS:
            return self._unexpected(request)

    async def outcome(self, request: Request, answer: Awaitable[Response]) -> Response:
        try:
            return await answer
        except MoldauError as error:
            return self.refusal(error)
        except BUGS:
            return self._unexpected(request)

    def encoded(self, request: Request, response: Response) -> Response:
        """As this client takes it."""
        if self._compresses and "accept-encoding" in request.headers:
            return deflated(request, response)
        return response

    def refusal(self, error: MoldauError) -> Response:
        known = error if isinstance(error, HttpError) else self._refused(error)
        return error_response(known, self._error_media_type)

    def _unexpected(self, request: Request) -> Response:
        log.exception("A bug met %s %s", request.method, request.path)
        return error_response(HttpError(500, UNEXPECTED), self._error_media_type)

    def make_room(self, growing: HttpConnection) -> None:
        """Let go of the largest request that is still being read, where more is held than may be.

        It is one of the place that holds most, or more than one place may.
        """
        while (place := self.shares.overloaded(growing.place)) is not None:
            there = [one for one in self._connections if one.place == place and one.can_give_way]
            largest = max(there, key=lambda one: one.held_bytes, default=None)
            if largest is None:
                growing.abort()
                return
            log.info("A request from %s is let go: too much is being read", largest.place)
            largest.give_way()

    def _take_over(self, link: Link) -> HttpConnection:
        """Let one more in, if need be in the place of the one that has been idle longest."""
        connection = HttpConnection(link, self)
        if self.shares.is_crowded(connection.place):
            self._end_one([one for one in self._connections if one.place == connection.place])
        elif len(self._connections) >= self.limits.connections_max:
            self._end_one(list(self._connections))
        self._connections[connection] = None
        self.shares.connect(connection.place, 1)
        return connection

    def _end_one(self, connections: list[HttpConnection]) -> None:
        idle = next((one for one in connections if one.is_idle), connections[0])
        idle.abort()
        self.forget(idle)
