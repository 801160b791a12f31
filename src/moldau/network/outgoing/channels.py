"""The channels of a node to others, by address and lane.

A connection's answers come in the order of its requests, and a fetch may rest at the other node for
a while. So what must not wait for one another goes in lanes of its own, each a connection. How many
there are is bounded by the addresses of the cluster times the lanes that the code names.
"""

from __future__ import annotations

from moldau.network.outgoing.backoff import Backoff
from moldau.network.outgoing.channel import Channel
from moldau.network.outgoing.dialer import Dialer
from moldau.network.outgoing.traffic import Traffic
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.wire.schema import Message

__all__ = ["FETCHES", "QUESTIONS", "Channels"]

QUESTIONS = "questions"
FETCHES = "fetches"
RESTING = frozenset({ApiKey.FETCH, ApiKey.FETCH_SNAPSHOT})
"""APIs that have the lane of fetches."""
RECONNECT_BACKOFF_MS = 50
"""Between two tries to reach an address, as between Kafka's own nodes."""


class Channels:
    """Opened when they are first used; all are protected alike."""

    def __init__(
        self,
        dialer: Dialer,
        clock: Clock,
        random: Random,
        *,
        backoff_ms: int = RECONNECT_BACKOFF_MS,
        backoff_max_ms: int = RECONNECT_BACKOFF_MS,
    ) -> None:
        self._dialer = dialer
        self._clock = clock
        self._backoff = Backoff(random, backoff_ms, backoff_max_ms)
        self._channels: dict[tuple[Address, str], Channel] = {}

    def __repr__(self) -> str:
        return f"Channels({len(self._channels)})"

    def to(self, address: Address, lane: str = QUESTIONS) -> Channel:
        """The channel of this lane, the same one each time."""
        key = (address, lane)
        channel = self._channels.get(key)
        if channel is None:
            channel = Channel(address, self._dialer, self._clock, self._backoff)
            self._channels[key] = channel
        return channel

    @property
    def traffic(self) -> Traffic:
        """Of all."""
        total = Traffic()
        for channel in self._channels.values():
            total = total.plus(channel.traffic)
        return total

    async def ask(self, address: Address, request: Message, timeout_ms: int) -> Message:
        """As `Channel.ask`, in the lane for this kind of request."""
        lane = FETCHES if request.KEY in RESTING else QUESTIONS
        return await self.to(address, lane).ask(request, timeout_ms)

    def abandon(self, address: Address, reason: str) -> None:
        """What is under way to this address fails; the next request connects anew."""
        for (place, _), channel in self._channels.items():
            if place == address:
                channel.abandon(reason)

    def close(self) -> None:
        """End all connections."""
        for channel in self._channels.values():
            channel.close()
