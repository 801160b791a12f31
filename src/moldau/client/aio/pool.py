"""The connections of a client: one per broker and lane, made when needed.

A fetch may rest at the broker for a while, and a connection's answers come in order. So fetches
have a lane of their own, and a question never waits behind one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from importlib import import_module

from moldau.client.aio.first_reached import first_reached
from moldau.client.aio.replies import Replies
from moldau.client.aio.silence import Silence
from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask
from moldau.client.core.routing import Reachability, candidates
from moldau.client.core.versions import choose_version
from moldau.client.errors import (
    ClientError,
    ClosedError,
    RefusedError,
    UnreachableError,
    UnresolvedError,
    UnsupportedVersionError,
)
from moldau.client.settings.client import ClientSettings
from moldau.errors import EncodeError, HostUnknownError, KafkaError, NetworkError
from moldau.network.outgoing.backoff import Backoff
from moldau.network.outgoing.dialer import Connection, Dialer, aborting_if_undecodable, exchange
from moldau.network.outgoing.peer import Peer
from moldau.network.outgoing.protection import PLAIN, Protection
from moldau.platform.lazy_log import LazyLog
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Promise
from moldau.platform.slices import Pace
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decoding
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.interpret import decode_seldom
from moldau.protocol.wire.layout import layout_of
from moldau.protocol.wire.schema import Message, Request

__all__ = ["Lane", "Pool"]

log = LazyLog(__name__)

LONG_BYTES = 16 * 1024
"""A longer answer is decoded in slices: a node has clients in its own loop, which serves others.
One of records is quick, however long it is."""
PROTECTION = "moldau.client.protection"
"""What a client needs that logs in or encrypts, and only then is imported."""


class Lane(Enum):
    """What a connection is for."""

    QUESTIONS = "questions"
    PRODUCES = "produces"
    FETCHES = "fetches"
    GROUPS = "groups"


class Pool:
    """Asks brokers, and knows how to reach them."""

    def __init__(self, world: ClientWorld, context: ClientContext) -> None:
        self._world = world
        self._context = context
        settings = context.settings
        self._reachability = Reachability(
            Backoff(world.random, settings.reconnect_backoff_ms, settings.reconnect_backoff_max_ms)
        )
        self._silence = Silence(world, context, self._ask_at)
        self._dialer = Dialer(
            network=world.network,
            tasks=world.tasks,
            client_id=settings.client_id or None,
            setup_timeout_ms=settings.socket_connection_setup_timeout_ms,
            request_timeout_ms=settings.request_timeout_ms,
            protection=_protection(settings, world),
            when_connected=self._silence.watch,
        )
        self._unresolved: set[Address] = set()
        """Names that were looked up in vain before any broker was reached."""
        self._has_reached = False
        self._connections: dict[tuple[Address, Lane], Connection] = {}
        self._replies: dict[tuple[Address, Lane], Replies] = {}
        self._opening: dict[tuple[Address, Lane], list[Promise[Connection]]] = {}
        self._is_closed = False

    async def ask(self, ask: Ask, lane: Lane = Lane.QUESTIONS) -> Message:
        """The answer, or a `ClientError`."""
        return await self._ask_over(await self._reach(ask.node_id, lane), ask)

    async def _ask_at(self, request: Request, address: Address) -> Message:
        """The answer of the broker at this address, or a `ClientError`."""
        connection = await self._reach_address(address, Lane.QUESTIONS)
        return await self._ask_over(connection, Ask(request))

    async def _ask_over(self, connection: Connection, ask: Ask) -> Message:
        version = choose_version(type(ask.request), connection.spoken, ask.newest, ask.oldest)
        response = BY_KEY[ask.request.KEY].response
        timeout_ms = ask.timeout_ms or self._context.settings.request_timeout_ms
        began_ms = self._world.now_ms()
        self._silence.expect()
        body = await self._exchange(connection.peer, ask.request, version, response, timeout_ms)
        if ask.node_id is not None:
            took_ms = self._world.now_ms() - began_ms
            self._context.meter.time("node.request.latency", took_ms, str(ask.node_id))
        with (
            _explained_to_clients(connection.peer.address),
            aborting_if_undecodable(connection.peer),
        ):
            if len(body) <= LONG_BYTES or layout_of(response, version).has_views:
                return decode_seldom(response, version, body)
            pace = Pace(self._world.clock, self._world.tasks)
            return await pace.run(decoding(response, version, bytes(body)))

    def ask_at_once(
        self, ask: Ask, lane: Lane, then: Callable[[Message | ClientError], None]
    ) -> bool:
        """Ask in this turn of the loop, and call `then` in the one that reads the answer.

        Only where there is a connection: False where one has to be opened first.
        """
        replies = None if ask.node_id is None else self._replies_of(ask.node_id, lane)
        if replies is None:
            return False
        self._silence.expect()
        try:
            replies.ask(ask, then)
        except (ClientError, EncodeError) as error:
            self._world.tasks.after(0, partial(then, _explained(error, replies.peer.address)))
        return True

    def _replies_of(self, node_id: int, lane: Lane) -> Replies | None:
        address = self._context.cluster.brokers.get(node_id)
        if address is None:
            return None
        replies = self._replies.get((address, lane))
        if replies is not None and not replies.peer.is_over:
            return replies
        connection = self._connections.get((address, lane))
        if connection is None or connection.peer.is_over:
            return None
        tasks, clock, meter = self._world.tasks, self._world.clock, self._context.meter
        timeout_ms = self._context.settings.request_timeout_ms
        made = Replies(tasks, clock, meter, connection.peer, connection.spoken, timeout_ms)
        self._replies[address, lane] = made
        return made

    async def send_one_way(self, ask: Ask, lane: Lane) -> None:
        """Send what is not answered, such as records with acks of 0."""
        connection = await self._reach(ask.node_id, lane)
        connection.peer.send_one_way(
            ask.request, choose_version(type(ask.request), connection.spoken, ask.newest)
        )

    def close(self) -> None:
        self._is_closed = True
        self._silence.close()
        for connection in self._connections.values():
            connection.peer.abort("closed here")
        self._connections.clear()
        self._replies.clear()

    async def _reach(self, node_id: int | None, lane: Lane) -> Connection:
        if node_id is None:
            return await self._reach_any(lane)
        address = self._context.cluster.brokers.get(node_id)
        if address is None:
            raise UnreachableError(f"broker {node_id}", "its address is not known any more")
        return await self._reach_address(address, lane)

    async def _reach_any(self, lane: Lane) -> Connection:
        connected = {
            place[0]
            for place, connection in self._connections.items()
            if not connection.peer.is_over
        }
        settings, cluster = self._context.settings, self._context.cluster
        addresses = candidates(
            cluster.brokers.values(), settings.addresses, connected, self._world.random
        )
        connection = self._connections.get((addresses[0], lane))
        if connection is not None and not connection.peer.is_over:
            return connection
        try:
            return await first_reached(
                self._world.tasks, addresses, lambda address: self._reach_address(address, lane)
            )
        except UnreachableError as error:
            if not self._has_reached and self._unresolved.issuperset(settings.addresses):
                raise UnresolvedError(settings.bootstrap_servers) from error
            raise

    async def _reach_address(self, address: Address, lane: Lane) -> Connection:
        if self._is_closed:
            raise ClosedError
        key = (address, lane)
        connection = self._connections.get(key)
        if connection is not None and not connection.peer.is_over:
            return connection
        self._connections.pop(key, None)
        if key in self._opening:
            promise: Promise[Connection] = self._world.tasks.promise()
            self._opening[key].append(promise)
            return await promise.wait()
        return await self._open_for_all(key)

    async def _open_for_all(self, key: tuple[Address, Lane]) -> Connection:
        """Requests that come meanwhile wait for the same connection."""
        waiting = self._opening[key] = []
        error: ClientError = UnreachableError(str(key[0]), "given up")
        try:
            connection = self._connections[key] = await self._open(key[0])
            for promise in waiting:
                promise.keep(connection)
            return connection
        except ClientError as failure:
            error = failure
            raise
        finally:
            del self._opening[key]
            for promise in waiting:
                promise.fail(error)

    async def _open(self, address: Address) -> Connection:
        early = self._reachability.refusal(address, self._world.now_ms())
        if early is not None:
            raise early
        try:
            with _explained_to_clients(address):
                connection = await self._dialer.dial(address)
        except UnreachableError as error:
            if self._reachability.failed(address, error, self._world.now_ms()):
                log.warning("%s", error)
            if isinstance(error.__cause__, HostUnknownError):
                self._unresolved.add(address)
            raise
        self._has_reached = True
        self._reachability.reached(address)
        self._context.meter.count("connection.creation")
        return connection

    async def _exchange(
        self,
        peer: Peer,
        request: Request,
        version: int,
        response: type[Message],
        timeout_ms: int,
    ) -> memoryview:
        with _explained_to_clients(peer.address):
            try:
                return await exchange(
                    self._world.tasks, peer, request, version, response, timeout_ms
                )
            except TimeoutError:
                reason = f"no answer within {timeout_ms} ms (request.timeout.ms)"
                raise UnreachableError(str(peer.address), reason) from None


def _protection(settings: ClientSettings, world: ClientWorld) -> Protection:
    if settings.security_protocol.upper() == "PLAINTEXT":
        return PLAIN
    found: Protection = import_module(PROTECTION).protection_of(settings, world)
    return found


def _explained(error: ClientError | EncodeError, address: Address) -> ClientError:
    if isinstance(error, ClientError):
        return error
    unfit = UnsupportedVersionError(f"{address} cannot take the request: {error}")
    unfit.__cause__ = error
    return unfit


@contextmanager
def _explained_to_clients(address: Address) -> Iterator[None]:
    """Errors of a connection, as errors of a client."""
    try:
        yield
    except NetworkError as error:
        raise UnreachableError(str(address), error.reason) from error
    except EncodeError as error:
        raise _explained(error, address) from error
    except KafkaError as error:
        raise RefusedError("ApiVersions", ErrorCode.read(error.code), error.message) from error
