"""Who has logged in may ask the controller to renew a token."""

import asyncio

from moldau.broker.server.security.renew_delegation_token import handle
from moldau.broker.server.security.token_access import AT_NO_TIME
from moldau.network.principal import Principal
from moldau.protocol.messages.security.renew_delegation_token import RenewDelegationTokenRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of

REQUEST = RenewDelegationTokenRequest(hmac=b"", renew_period_ms=-1)


def ask(listener):
    broker = broker_with(answers=["later"], protocols={"SASL": "SASL_SSL"})
    call = call_of(REQUEST, 2, listener)
    call.principal = Principal("User", "alice")
    return asyncio.run(handle(call, broker))


def test_the_request_goes_to_the_controller():
    assert ask("SASL") == "later"


def test_a_listener_without_proof_is_no_place_to_ask():
    refusal = ask("PLAINTEXT")
    assert refusal.error_code == ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    assert refusal.expiry_timestamp_ms == AT_NO_TIME
