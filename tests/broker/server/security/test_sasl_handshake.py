"""SASL where there is none, as Kafka 4.3.1 answers."""

from moldau.broker.server.security.sasl_handshake import handle
from moldau.protocol.messages.security.sasl_handshake import SaslHandshakeRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of


def test_a_plain_listener_has_no_mechanism_to_choose():
    response = handle(call_of(SaslHandshakeRequest(mechanism="PLAIN"), 1), broker_with())
    assert (response.error_code, response.mechanisms) == (ErrorCode.ILLEGAL_SASL_STATE, [])
