"""SASL where there is none, as Kafka 4.3.1 answers."""

from moldau.broker.server.security.sasl_authenticate import handle
from moldau.protocol.messages.security.sasl_authenticate import SaslAuthenticateRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of


def test_a_plain_listener_takes_no_tokens():
    response = handle(call_of(SaslAuthenticateRequest(auth_bytes=b"secret"), 2), broker_with())
    assert (response.error_code, response.auth_bytes) == (ErrorCode.ILLEGAL_SASL_STATE, b"")
    assert response.error_message is not None
