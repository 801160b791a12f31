"""SASL where there is none, as Kafka 4.3.1 answers."""

from moldau.messages.security.sasl_handshake import SaslHandshakeRequest
from moldau.server.handlers.security.sasl_handshake import handle
from moldau.wire.error_codes import ErrorCode
from tests.server.asking import broker_with, call_of


def test_a_plain_listener_has_no_mechanism_to_choose():
    response = handle(call_of(SaslHandshakeRequest(mechanism="PLAIN"), 1), broker_with())
    assert (response.error_code, response.mechanisms) == (ErrorCode.ILLEGAL_SASL_STATE, [])
