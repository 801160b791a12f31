"""Notices that a broker which no longer answers has left the cluster.

A process that was stopped, or a host that was cut off, keeps its connections open: nothing but the
end of `request.timeout.ms` would show it, and that is half a minute, while the cluster has elected
other leaders within seconds. So when a broker is silent about something for a moment, another one
is asked which brokers there are. Only if the silent one is not among them its connections are
ended: what waited there fails as with any connection that is lost, and is tried again elsewhere.

A broker that is merely slow is waited for as before: the others still have it. And a broker that
is dropped by mistake costs what a lost connection costs, no more: a batch of an idempotent producer
is known by its number when it is sent again.

A bootstrap address has no broker's number before the first metadata have come, and afterwards none
if it is another name of a broker. Such a connection is ended where another address answers, and
names no broker there; but only if nothing waits on it that changes anything.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.errors import ClientError
from moldau.network.outgoing.peer import Peer
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Timer
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.schema import Message, Request

__all__ = ["Silence"]

LOOK_MS: Final = 200
"""Between two looks, while anything is unanswered: five a second cost next to nothing."""
LOOKS_BEFORE_ASKING: Final = 3
"""After so many looks at the same unanswered request the others are asked: longer than a fetch
rests with default settings."""
EAGER: Final = 18
"""So often the others are asked at each look, which is until any cluster of ours has fenced it."""
RARELY: Final = 24
"""Then at every so many looks: it seems to be slow, and not gone."""
HARMLESS: Final = frozenset({ApiKey.API_VERSIONS, ApiKey.METADATA, ApiKey.DESCRIBE_CLUSTER})
"""Questions that a client begins with; to ask them twice changes nothing."""


class Silence:
    """Notices that the brokers of one client do not answer."""

    def __init__(
        self,
        world: ClientWorld,
        context: ClientContext,
        ask: Callable[[Request, Address], Awaitable[Message]],
    ) -> None:
        self._world = world
        self._context = context
        self._ask = ask
        self._watched: dict[Peer, _Watched] = {}
        self._asked: set[Address] = set()
        """Those that have not answered yet which others there are."""
        self._timer: Timer | None = None
        self._is_closed = False

    def watch(self, peer: Peer) -> None:
        """A connection that was made."""
        self._watched[peer] = _Watched(peer)
        self.expect()

    def expect(self) -> None:
        """Something was asked, or is about to be."""
        if self._timer is None and not self._is_closed:
            self._timer = self._world.tasks.after(LOOK_MS, self._look)

    def close(self) -> None:
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self._timer = None
        node_ids = {address: one for one, address in self._context.cluster.brokers.items()}
        silent: list[_Watched] = []
        for peer, watched in list(self._watched.items()):
            if peer.is_over:
                del self._watched[peer]
                continue
            watched.look(node_ids.get(peer.address))
            if watched.oldest:
                self.expect()
            if watched.is_due():
                silent.append(watched)
        if silent:
            self._ask_another(silent)

    def _ask_another(self, silent: list[_Watched]) -> None:
        not_asked = self._asked | {watched.peer.address for watched in silent}
        others = [other for other in self._others(silent) if other.address not in not_asked]
        if others:
            other = others[self._context.random.randrange(0, len(others))]
            self._asked.add(other.address)
            self._world.tasks.spawn(f"who-is-there-{other.name}", self._find_gone(other, silent))

    def _others(self, silent: list[_Watched]) -> list[_Other]:
        """The brokers that are known; where none is, the addresses that the user gave."""
        brokers, ids = self._context.cluster.brokers, {watched.node_id for watched in silent}
        if brokers:
            known = brokers.items()
            return [_Other(f"broker {one}", address) for one, address in known if one not in ids]
        return [_Other(str(address), address) for address in self._context.settings.addresses]

    async def _find_gone(self, other: _Other, silent: list[_Watched]) -> None:
        waiting_for = [(watched, watched.oldest) for watched in silent]
        request = MetadataRequest(topics=[], allow_auto_topic_creation=False)
        try:
            answer = await self._ask(request, other.address)
        except ClientError:
            return
        finally:
            self._asked.discard(other.address)
        assert isinstance(answer, MetadataResponse), f"{answer!r} does not name brokers"
        there = {broker.node_id: Address(broker.host, broker.port) for broker in answer.brokers}
        if answer.error_code or not there:
            return
        for watched, oldest in waiting_for:
            if watched.is_missing_in(there) and watched.peer.oldest == oldest:
                self._leave(watched, other)

    def _leave(self, gone: _Watched, other: _Other) -> None:
        """All connections to it, so that nothing else is asked over one of them."""
        if gone.node_id is None:
            reason = f"it does not answer, and {other.name} knows no broker at this address"
            gone.peer.abort(reason)
            return
        self._context.cluster.brokers.pop(gone.node_id, None)
        reason = (
            f"broker {gone.node_id} does not answer, and according to {other.name} "
            "it has left the cluster"
        )
        for watched in list(self._watched.values()):
            if watched.node_id == gone.node_id and not watched.peer.is_over:
                watched.peer.abort(reason)


class _Other(NamedTuple):
    """One that is asked which brokers there are."""

    name: str
    address: Address


class _Watched:
    """One connection, and how long it has been silent."""

    __slots__ = ("looks", "node_id", "oldest", "peer")

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.node_id: int | None = None
        self.oldest = 0
        self.looks = 0
        """At the same unanswered request."""

    def look(self, node_id: int | None) -> None:
        """The id is kept: a broker that has gone is soon not among those that are known."""
        self.node_id = self.node_id if node_id is None else node_id
        is_same = self.peer.oldest == self.oldest
        self.looks = self.looks + 1 if is_same else 0
        self.oldest = self.peer.oldest

    def is_due(self) -> bool:
        """Whether now is the time to ask others about it."""
        if not self.oldest or self.looks < LOOKS_BEFORE_ASKING:
            return False
        if self.node_id is None and not self.peer.waits_only_for(HARMLESS):
            return False
        return self.looks < EAGER or self.looks % RARELY == 0

    def is_missing_in(self, there: Mapping[int, Address]) -> bool:
        if self.node_id is not None:
            return self.node_id not in there
        return self.peer.address not in there.values() and self.peer.waits_only_for(HARMLESS)
