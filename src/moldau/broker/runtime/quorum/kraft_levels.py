"""Which levels of kraft.version another controller supports, by its ApiVersions (KIP-853)."""

from __future__ import annotations

from moldau.broker.metadata.features import KRAFT_VERSION
from moldau.broker.runtime.quorum.outgoing_messages import Peers
from moldau.errors import MoldauError
from moldau.network.outgoing.versions import versions_request
from moldau.platform.ports.network import Address
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse

__all__ = ["ask_kraft_levels"]

NONE_SUPPORTED = (0, 0)


async def ask_kraft_levels(
    peers: Peers | None, address: Address, timeout_ms: int
) -> tuple[int, int] | None:
    """The lowest and the highest level; None where no controller answers."""
    if peers is None:
        return None
    try:
        response = await peers.ask(address, versions_request(), timeout_ms)
    except (MoldauError, TimeoutError):
        return None
    assert isinstance(response, ApiVersionsResponse)
    if response.error_code:
        return None
    found = {one.name: (one.min_version, one.max_version) for one in response.supported_features}
    return found.get(KRAFT_VERSION, NONE_SUPPORTED)
