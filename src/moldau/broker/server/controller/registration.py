"""A controller makes itself known to the cluster (KIP-919).

Every controller registers with the active one at each start: where it listens, what it supports.
Tools that are connected to controllers alone find the others in it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.metadata.cluster import Endpoint, sent_endpoints, sent_features
from moldau.broker.metadata.features import supported_levels
from moldau.broker.server.broker import Metadata
from moldau.errors import KafkaError
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.messages.broker.controller_registration import ControllerRegistrationRequest
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["make_controller_known"]

log = logging.getLogger(__name__)

VERSION = 0
RETRY_MS = 100


async def make_controller_known(
    metadata: Metadata,
    tasks: Tasks,
    controller_id: int,
    incarnation_id: bytes,
    endpoints: Sequence[Endpoint],
    *,
    runs_unstable: bool = False,
) -> None:
    """Send it until the active controller has it; metadata before 3.7 has no place for it."""
    request = ControllerRegistrationRequest(
        controller_id=controller_id,
        incarnation_id=incarnation_id,
        zk_migration_ready=False,
        listeners=sent_endpoints(ControllerRegistrationRequest.Listener, endpoints),
        features=sent_features(
            ControllerRegistrationRequest.Feature, supported_levels(unstable=runs_unstable)
        ),
    )
    while True:
        try:
            await metadata.ask(request, ControllerCall(version=VERSION))
        except KafkaError as error:
            if error.code == ErrorCode.UNSUPPORTED_VERSION:
                return
            log.info("The controller refused to know controller %d: %s", controller_id, error)
            await tasks.sleep(RETRY_MS)
        else:
            return
