"""Opening a connection: reach the address, protect it, and ask what the other node understands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from moldau.errors import DecodeError, NetworkError
from moldau.network.outgoing.peer import BodyReader, Peer
from moldau.network.outgoing.protection import PLAIN, Protection
from moldau.network.outgoing.versions import Spoken, TryAgain, read_versions, versions_request
from moldau.platform.ports.network import Address, Link, Network
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.wire.schema import Message

__all__ = ["Connection", "Dialer", "aborting_if_undecodable", "exchange"]


class Connection(NamedTuple):
    """An open connection and what the other node understands."""

    peer: Peer
    spoken: Spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialer:
    """Opens connections, all in the same manner."""

    network: Network
    tasks: Tasks
    client_id: str | None = None
    setup_timeout_ms: int = 10_000
    request_timeout_ms: int = 30_000
    """For what is asked before the connection is handed over."""
    protection: Protection = PLAIN
    when_connected: Callable[[Peer], None] = lambda peer: None
    """Called with each connection before anything is asked over it."""

    async def dial(self, address: Address) -> Connection:
        """A connection that is ready, or `NetworkError`, or `KafkaError`."""
        peer = await self._connect(address)
        reason, is_ready = "given up", False
        try:
            async with self.tasks.deadline(self.request_timeout_ms):
                await self.protection.authenticate(peer)
                connection = Connection(peer, await self._greet(peer))
            is_ready = True
        except TimeoutError:
            reason = f"no answer within {self.request_timeout_ms} ms (request.timeout.ms)"
            raise NetworkError(str(address), reason) from None
        finally:
            if not is_ready:
                peer.abort(reason)
        return connection

    async def _connect(self, address: Address) -> Peer:
        made: list[Peer] = []

        def take_over(link: Link) -> Peer:
            doubt = self.protection.doubt
            made.append(Peer(link, address, self.client_id, self.tasks, doubt))
            return made[0]

        try:
            async with self.tasks.deadline(self.setup_timeout_ms):
                await self.network.connect(address, self.protection.wrap(address, take_over))
        except TimeoutError:
            reason = (
                f"no connection within {self.setup_timeout_ms} ms "
                "(socket.connection.setup.timeout.ms)"
            )
            raise NetworkError(str(address), reason) from None
        self.when_connected(made[0])
        return made[0]

    async def _greet(self, peer: Peer) -> Spoken:
        version = ApiVersionsRequest.VERSIONS.high
        while True:
            body = await peer.ask(versions_request(), version, ApiVersionsResponse).wait()
            with aborting_if_undecodable(peer):
                spoken = read_versions(body, version)
            if not isinstance(spoken, TryAgain):
                return spoken
            version = spoken.version


async def exchange(
    tasks: Tasks,
    peer: Peer,
    request: Message,
    version: int,
    response: type[Message],
    timeout_ms: float,
    reader: BodyReader | None = None,
) -> memoryview:
    """The answer's body; a peer that does not answer in time is disconnected."""
    try:
        async with tasks.deadline(timeout_ms):
            return await peer.ask(request, version, response, reader).wait()
    except TimeoutError:
        peer.abort(f"no answer within {timeout_ms:g} ms")
        raise


@contextmanager
def aborting_if_undecodable(peer: Peer) -> Iterator[None]:
    """Disconnect a peer whose answer cannot be decoded."""
    try:
        yield
    except DecodeError as error:
        reason = f"no sense in its answer: {error}"
        peer.abort(reason)
        raise NetworkError(str(peer.address), reason) from error
