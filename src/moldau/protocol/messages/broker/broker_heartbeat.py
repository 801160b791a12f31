"""Stay in the cluster; every broker calls it, also to be fenced, unfenced or shut down (KIP-631).

The active controller answers. Nine seconds without one (`broker.session.timeout.ms`) and the broker
is fenced; an epoch of an earlier life is STALE_BROKER_EPOCH.

Versions: 1 failed directories (KIP-858), 2 directories that shall get no new partitions (KIP-1066).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bool, BrokerId, Int16, Int32, Int64, Uuid


class BrokerHeartbeatRequest(
    Request, key=63, versions="0-2", flexible="0+", listeners=("controller",)
):
    """Renews a broker's session: how far it is, and the state that it asks for."""

    broker_id: BrokerId
    broker_epoch: Int64 = -1
    current_metadata_offset: Int64
    """The highest the broker has applied."""
    want_fence: Bool
    """True while it is starting."""
    want_shut_down: Bool
    """It asks to be relieved of its leaders."""
    offline_log_dirs: list[Uuid] = at("1+", tag=0)
    """Directory ids that failed; they stay in the list."""
    cordoned_log_dirs: list[Uuid] | None = at("2+", default=None, tag=1)
    """Directory ids that shall get no new partitions; null: not read yet."""


class BrokerHeartbeatResponse(Response, key=63, versions="0-2", flexible="0+"):
    """Answers what the broker is now, and whether it may go."""

    throttle_time_ms: Int32
    error_code: Int16
    is_caught_up: Bool = False
    """It has applied its own registration."""
    is_fenced: Bool = True
    should_shut_down: Bool
    """It leads nothing any more and may go."""
