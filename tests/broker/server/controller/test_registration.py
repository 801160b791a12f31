"""A controller makes itself known."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.cluster import Endpoint
from moldau.broker.server.controller.registration import make_controller_known
from moldau.errors import KafkaError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.messages.broker.controller_registration import ControllerRegistrationResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import KnownMetadata

REGISTERED = ControllerRegistrationResponse(throttle_time_ms=0, error_code=0, error_message=None)
PLACE = Endpoint("CONTROLLER", "host", 9093, 0)


class Refusing(KnownMetadata):
    async def ask(self, request, call):
        answer = await super().ask(request, call)
        if isinstance(answer, KafkaError):
            raise answer
        return answer


@pytest.mark.parametrize(
    ("answers", "times"),
    [
        ([REGISTERED], 1),
        ([KafkaError(ErrorCode.NOT_CONTROLLER), REGISTERED], 2),
        ([KafkaError(ErrorCode.UNSUPPORTED_VERSION)], 1),
    ],
)
def test_it_is_sent_until_it_is_acknowledged_or_there_is_no_place_for_it(answers, times):
    metadata = Refusing(answers=answers)

    async def main(tasks):
        await make_controller_known(metadata, tasks, 3, b"i" * 16, [PLACE])

    simulated_tasks.run(main)
    assert [request.controller_id for request in metadata.asked] == [3] * times
    (listener,) = metadata.asked[0].listeners
    assert (listener.name, listener.host, listener.port) == ("CONTROLLER", "host", 9093)
