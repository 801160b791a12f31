"""The way to other brokers: through the listener that they keep for one another.

Where they listen stands in the metadata, so a broker that moves is found again. A caller names
a lane: what must not wait for one another goes over connections of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.broker.metadata.image import Image
from moldau.errors import NetworkError
from moldau.network.outgoing.channel import Channel
from moldau.network.outgoing.channels import QUESTIONS, Channels
from moldau.platform.ports.network import Address
from moldau.protocol.wire.schema import Message

__all__ = ["OtherBrokers"]


class OtherBrokers:
    """As the metadata place them."""

    def __init__(self, channels: Channels, image: Callable[[], Image], listener: str) -> None:
        self._channels = channels
        self._image = image
        self._listener = listener

    def address(self, broker_id: int) -> Address | None:
        """Where it listens; None where the cluster has no such broker, or it has no such
        listener."""
        broker = self._image().cluster.brokers.get(broker_id)
        endpoint = None if broker is None else broker.endpoints.get(self._listener)
        return None if endpoint is None else Address(endpoint.host, endpoint.port)

    def channel(self, broker_id: int, lane: str = QUESTIONS) -> Channel | None:
        """The way there, the same one each time as long as the broker stays where it is."""
        address = self.address(broker_id)
        return None if address is None else self._channels.to(address, lane)

    async def ask(
        self, broker_id: int, request: Message, timeout_ms: float, lane: str = QUESTIONS
    ) -> Message:
        """Its answer; or `NetworkError`, `TimeoutError`, or `KafkaError` for an unknown version."""
        channel = self.channel(broker_id, lane)
        if channel is None:
            reason = f"the metadata have no {self._listener} address for it"
            raise NetworkError(f"broker {broker_id}", reason)
        return await channel.ask(request, timeout_ms)
