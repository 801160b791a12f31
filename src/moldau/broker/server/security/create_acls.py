"""CreateAcls: add access rules.

Versions 1-3. The controller decides (`controller.security.acls`), if the cluster has an authorizer
at all; without one it is SECURITY_DISABLED.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller, require_authorizer
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    require_authorizer(broker)
    return await ask_controller(call, broker, Operation.ALTER)
