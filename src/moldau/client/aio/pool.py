"""The connections of a client: one per broker and lane, made when needed.

A fetch may rest at the broker for a while, and a connection's answers come in order. So fetches
have a lane of their own, and a question never waits behind one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import NamedTuple

from moldau.client.aio.peer import Peer
from moldau.client.aio.world import ClientWorld
from moldau.client.core.backoff import Backoff
from moldau.client.core.dialogue import Ask
from moldau.client.core.ground import Ground
from moldau.client.core.routing import Reachability, candidates
from moldau.client.core.versions import (
    Spoken,
    TryAgain,
    choose_version,
    read_versions,
    versions_request,
)
from moldau.client.errors import ClientError, ClosedError, UnreachableError
from moldau.errors import DecodeError, NetworkError
from moldau.platform.ports.network import Address, Link
from moldau.platform.ports.tasks import Promise
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.schema import Message, Request

__all__ = ["Lane", "Pool"]

log = logging.getLogger(__name__)


class Lane(Enum):
    """What a connection is for."""

    QUESTIONS = "questions"
    FETCHES = "fetches"


class _Way(NamedTuple):
    """An open connection and what its broker understands."""

    peer: Peer
    spoken: Spoken


class Pool:
    """Asks brokers, and knows how to reach them."""

    def __init__(self, world: ClientWorld, ground: Ground) -> None:
        self._world = world
        self._ground = ground
        settings = ground.settings
        self._reachability = Reachability(
            Backoff(world.random, settings.reconnect_backoff_ms, settings.reconnect_backoff_max_ms)
        )
        self._ways: dict[tuple[Address, Lane], _Way] = {}
        self._opening: dict[tuple[Address, Lane], list[Promise[_Way]]] = {}
        self._is_closed = False

    async def ask(self, ask: Ask, lane: Lane = Lane.QUESTIONS) -> Message:
        """The answer, or a `ClientError`."""
        way = await self._reach(ask.node_id, lane)
        version = choose_version(type(ask.request), way.spoken)
        response = BY_KEY[ask.request.KEY].response
        body = await self._exchange(way.peer, ask.request, version, response)
        with _sense_of(way.peer):
            return decode(response, version, body)

    def close(self) -> None:
        self._is_closed = True
        for way in self._ways.values():
            way.peer.abort("closed here")
        self._ways.clear()

    async def _reach(self, node_id: int | None, lane: Lane) -> _Way:
        if node_id is None:
            return await self._reach_any(lane)
        address = self._ground.cluster.brokers.get(node_id)
        if address is None:
            raise UnreachableError(f"broker {node_id}", "its address is not known any more")
        return await self._reach_address(address, lane)

    async def _reach_any(self, lane: Lane) -> _Way:
        connected = {address for address, _ in self._ways}
        settings, cluster = self._ground.settings, self._ground.cluster
        reasons: dict[str, str] = {}
        for address in candidates(
            cluster.brokers.values(), settings.addresses, connected, self._world.random
        ):
            try:
                return await self._reach_address(address, lane)
            except UnreachableError as error:
                reasons[error.where] = error.reason
        raise UnreachableError(", ".join(reasons), " / ".join(dict.fromkeys(reasons.values())))

    async def _reach_address(self, address: Address, lane: Lane) -> _Way:
        if self._is_closed:
            raise ClosedError
        key = (address, lane)
        way = self._ways.get(key)
        if way is not None and not way.peer.is_over:
            return way
        self._ways.pop(key, None)
        if key in self._opening:
            promise: Promise[_Way] = self._world.tasks.promise()
            self._opening[key].append(promise)
            return await promise.wait()
        return await self._open_for_all(key)

    async def _open_for_all(self, key: tuple[Address, Lane]) -> _Way:
        """Those who come meanwhile wait for the same connection."""
        waiting = self._opening[key] = []
        error: ClientError = UnreachableError(str(key[0]), "given up")
        try:
            way = self._ways[key] = await self._open(key[0])
            for promise in waiting:
                promise.keep(way)
            return way
        except ClientError as failure:
            error = failure
            raise
        finally:
            del self._opening[key]
            for promise in waiting:
                promise.fail(error)

    async def _open(self, address: Address) -> _Way:
        early = self._reachability.refusal(address, self._world.now_ms())
        if early is not None:
            raise early
        try:
            peer = await self._connect(address)
            spoken = await self._greet(peer)
        except UnreachableError as error:
            if self._reachability.failed(address, error, self._world.now_ms()):
                log.warning("%s", error)
            raise
        self._reachability.reached(address)
        return _Way(peer, spoken)

    async def _connect(self, address: Address) -> Peer:
        timeout_ms = self._ground.settings.socket_connection_setup_timeout_ms
        made: list[Peer] = []

        def take_over(link: Link) -> Peer:
            made.append(Peer(link, address, self._client_id, self._world.tasks))
            return made[0]

        try:
            async with self._world.tasks.deadline(timeout_ms):
                await self._world.network.connect(address, take_over)
        except NetworkError as error:
            raise UnreachableError(str(address), error.reason) from error
        except TimeoutError:
            reason = f"no connection within {timeout_ms} ms (socket.connection.setup.timeout.ms)"
            raise UnreachableError(str(address), reason) from None
        return made[0]

    async def _greet(self, peer: Peer) -> Spoken:
        version = ApiVersionsRequest.VERSIONS.high
        while True:
            body = await self._exchange(peer, versions_request(), version, ApiVersionsResponse)
            with _sense_of(peer):
                spoken = read_versions(body, version)
            if not isinstance(spoken, TryAgain):
                return spoken
            version = spoken.version

    async def _exchange(
        self, peer: Peer, request: Request, version: int, response: type[Message]
    ) -> memoryview:
        timeout_ms = self._ground.settings.request_timeout_ms
        try:
            async with self._world.tasks.deadline(timeout_ms):
                return await peer.ask(request, version, response).wait()
        except TimeoutError:
            reason = f"no answer within {timeout_ms} ms (request.timeout.ms)"
            peer.abort(reason)
            raise UnreachableError(str(peer.address), reason) from None

    @property
    def _client_id(self) -> str | None:
        return self._ground.settings.client_id or None


@contextmanager
def _sense_of(peer: Peer) -> Iterator[None]:
    """Who answers what cannot be understood is not spoken with any longer."""
    try:
        yield
    except DecodeError as error:
        reason = f"no sense in its answer: {error}"
        peer.abort(reason)
        raise UnreachableError(str(peer.address), reason) from error
