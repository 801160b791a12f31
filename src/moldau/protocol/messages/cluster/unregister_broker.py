"""Strike a dead broker from the metadata; called by admin clients.

A broker forwards it to the active controller. A broker still alive would have to register anew.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import BrokerId, Int16, Int32, String


class UnregisterBrokerRequest(
    Request, key=64, versions="0", flexible="0+", listeners=("broker", "controller")
):
    """Asks to forget a broker id."""

    broker_id: BrokerId


class UnregisterBrokerResponse(Response, key=64, versions="0", flexible="0+"):
    """Answers whether it is forgotten."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
