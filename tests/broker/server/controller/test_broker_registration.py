"""A registration is the controller's to answer."""

import asyncio

import pytest

from moldau.broker.security.access import Operation
from moldau.broker.server.controller.broker_registration import handle
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import passes_on

REQUEST = BrokerRegistrationRequest(
    broker_id=1, cluster_id="c", incarnation_id=bytes(16), listeners=[], features=[], rack=None
)


def test_a_registration_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("controller.broker_registration", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED


class Refusing:
    """A controller that refuses with this."""

    def __init__(self, code):
        self.code = code

    async def ask(self, request, call):
        raise KafkaError(self.code, "the broker belongs to another cluster")


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (
            ErrorCode.INCONSISTENT_CLUSTER_ID,
            ["Broker 1 is not registered: the broker belongs to another cluster"],
        ),
        (ErrorCode.NOT_CONTROLLER, []),
    ],
)
def test_why_a_broker_is_refused_is_in_the_controllers_log(caplog, code, lines):
    broker = broker_with()
    broker.metadata = Refusing(code)
    with pytest.raises(KafkaError):
        asyncio.run(handle(call_of(REQUEST, 4, "CONTROLLER"), broker))
    assert caplog.messages == lines
