"""What a handler may ask the record of the node's parts."""

from moldau.broker.server.broker import controller_call
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from tests.broker.server.asking import broker_with, call_of


def test_the_controllers_listeners_are_distinguished_by_name():
    broker = broker_with()
    assert broker.serves_controllers("CONTROLLER")
    assert not broker.serves_controllers("PLAINTEXT")


def test_the_controller_knows_who_asked():
    asked = controller_call(call_of(ApiVersionsRequest(), 2))
    assert (asked.version, asked.principal, asked.client_id) == (2, "User:ANONYMOUS", "a client")
